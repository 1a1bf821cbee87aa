"""Differences like the one just decided, looked at one by one and decided alike as far as they are ticked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidgetItem,
    QWidget,
)

from app.gui.dialogs.forms import FormDialog, plain_label
from app.gui.modes.reconcile.dialogs.lists import FULL, made_tree
from app.gui.modes.reconcile.queue.reading import Offer
from app.gui.modes.reconcile.words import chosen_words, likeness_words, quotes_in_short, sides_in_short
from app.gui.widgets.boxes import FlexRow, push_button
from app.gui.widgets.lists import Index
from app.gui.widgets.plain import one_line
from app.operations.reconcile.preview import NARROW, AlikeItem
from app.operations.reconcile.queue import Queue
from app.text import counted

_REPORT, _CONTEXT, _LEFT, _RIGHT, _HOLDS = range(5)
_LEAST_HEIGHT = 200
# As wide as what is set side by side can be read, within the screen.
_COLUMNS, _MOST_OF_SCREEN = 170, 0.8


class AlikeDialog(FormDialog):
    """From narrow to wide; only what is narrowly alike is ticked at first, and wider kinds are folded.

    `chosen` has the ids of what is ticked in the end.
    """

    guide = "reconcile"
    chosen = Signal(object)

    def __init__(
        self, offer: Offer, queue: Queue, codes: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__("Others alike", parent)
        choice = chosen_words(offer.resolution.choice, queue)
        self.heading = plain_label(
            f"You decided {choice}. These are alike and undecided, from narrow to wide; the ticked ones are "
            "decided in the same way, with the same reason and note. One undo reverts all of it."
        )
        self._codes = codes
        self._names = queue.left.name, queue.right.name
        columns = ["Report", "In the text", *self._names, "After the decision"]
        wide = (_CONTEXT, _LEFT, _RIGHT, _HOLDS)
        self.tree, self.detail = made_tree("Differences alike", columns, wide, _LEAST_HEIGHT, "difference")
        self.tree.header().setSectionResizeMode(_REPORT, QHeaderView.ResizeMode.Interactive)
        self.tree.setItemDelegateForColumn(_CONTEXT, _Context(self.tree))
        for wherein in dict.fromkeys(map(likeness_words, offer.items)):
            self._add_group(wherein, [item for item in offer.items if likeness_words(item) == wherein])
        first_group = self.tree.topLevelItem(0)
        for number in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(number)
            if group is not None:
                narrow = group.checkState(_REPORT) != Qt.CheckState.Unchecked
                group.setExpanded(narrow or group is first_group)
        self._fit()
        self.all = push_button("Tick &all", partial(self._tick, True))
        self.none = push_button("Tick &none", partial(self._tick, False))
        self.lay_out(self.heading, self.tree, self.detail, FlexRow([self.all, self.none]), wide=self.tree)
        self.decide = self.add_button("Decide", QDialogButtonBox.ButtonRole.AcceptRole, default=True)
        self.add_cancel()
        self.buttons.accepted.connect(self.accept)
        self.tree.itemChanged.connect(lambda *_: self._allow())
        self._allow()
        first = next(self._items(), None)
        if first is not None:
            self.tree.setCurrentItem(first)
        self.tree.setFocus()

    def accept(self) -> None:
        ids = [item.data(_CONTEXT, FULL) for item in self._items() if _ticked(item)]
        if ids:
            self.chosen.emit(ids)
            super().accept()

    # Inside

    def _fit(self) -> None:
        """Reports in full, though not their headings, which go on; the rest for what is set side by side."""
        metrics, style = self.tree.fontMetrics(), self.tree.style()
        widest = max((metrics.horizontalAdvance(item.text(_REPORT)) for item in self._items()), default=0)
        # Qt leaves out the room of the boxes.
        box = style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth)
        self.tree.header().resizeSection(_REPORT, widest + 2 * self.tree.indentation() + 2 * box)
        wanted = _COLUMNS * metrics.averageCharWidth()
        self.tree.setMinimumWidth(min(wanted, round(_MOST_OF_SCREEN * self.screen().availableSize().width())))

    def _add_group(self, words: str, items: list[AlikeItem]) -> None:
        group = QTreeWidgetItem(self.tree)
        total = items[0].total
        number = f"{total:,}" if total == len(items) else f"the first {len(items):,} of {total:,}"
        group.setText(_REPORT, f"{words[:1].upper()}{words[1:]} ({number})")
        group.setFlags(group.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
        for one in items:
            self._add(group, one)
        group.setFirstColumnSpanned(True)

    def _add(self, group: QTreeWidgetItem, one: AlikeItem) -> None:
        around = one_line(f"…{one.before[-16:]}[{one.words}]{one.after[:40]}…") if one.words else "no place"
        left, right = sides_in_short(one.difference, self._codes)
        parts = [quote.finding for quote in one.difference.group.quotes]
        kind, codes = one.difference.kind, self._codes
        holds = quotes_in_short(one.outcome, kind, codes, parts)
        item = QTreeWidgetItem(group, [one.difference.report, around, left, right, holds])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren)
        item.setData(_CONTEXT, FULL, one.difference.id)
        item.setCheckState(
            _REPORT, Qt.CheckState.Checked if one.likeness in NARROW else Qt.CheckState.Unchecked
        )
        whole = one_line(f"…{one.before}[{one.words}]{one.after}…") if one.words else "No place in the text"
        ours, theirs = self._names
        left, right = sides_in_short(one.difference, codes, whole=True)
        holds = quotes_in_short(one.outcome, kind, codes, parts, whole=True)
        lines = [
            f"{one.difference.report} · {one_line(one.title)}",
            whole,
            f"{ours}: {left}",
            f"{theirs}: {right}",
            f"After the decision: {holds}",
        ]
        item.setData(_REPORT, FULL, "\n".join(lines))

    def _items(self) -> Iterator[QTreeWidgetItem]:
        for number in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(number)
            rows = (group.child(row) for row in range(group.childCount())) if group is not None else ()
            yield from filter(None, rows)

    def _tick(self, on: bool) -> None:
        with QSignalBlocker(self.tree):
            for item in self._items():
                item.setCheckState(_REPORT, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.tree.viewport().update()
        self._allow()

    def _allow(self) -> None:
        number = sum(map(_ticked, self._items()))
        self.decide.setEnabled(number > 0)
        self.decide.setText(f"&Decide on {counted(number, 'difference')}")


def _ticked(item: QTreeWidgetItem) -> bool:
    return bool(item.checkState(_REPORT) == Qt.CheckState.Checked)


class _Context(QStyledItemDelegate):
    """What is before the words is short; what comes after them may be cut."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight
