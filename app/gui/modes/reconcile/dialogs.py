"""What opens over the window: others alike, corrections, and decisions that no longer apply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.gui.dialogs.forms import FormDialog, plain_label
from app.gui.modes.reconcile.queue.reading import Offer
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import (
    chosen_words,
    codes_of,
    kind_in_short,
    likeness_words,
    quotes_in_short,
    reason_words,
    sides_in_short,
)
from app.gui.session.project_session import ProjectSession
from app.gui.shell.lines.job_line import JobLine
from app.gui.widgets.boxes import FlexRow, push_button
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.guideline_text import day_of
from app.gui.widgets.lists import Detail, Index
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import tip
from app.operations.reconcile.preview import NARROW, AlikeItem
from app.operations.reconcile.queue import Correction, Queue, listing_corrections
from app.text import counted

if TYPE_CHECKING:
    from app.store.reconcile.decisions import Decision


_LOWEST = 120
_SCREEN_SHARE = 0.8
FULL = Qt.ItemDataRole.UserRole


class _ListDialog(FormDialog):
    """Lines to read, and below them the chosen one in full."""

    guide = "reconcile"

    def __init__(self, title: str, columns: list[str], wide: tuple[int, ...], parent: QWidget | None) -> None:
        super().__init__(title, parent)
        self.tree, self.detail = made_tree(title, columns, wide, _LOWEST)
        self.tree.setRootIsDecorated(False)

    def sizeHint(self) -> QSize:
        """As large as the screen lets a table of many words be."""
        return super().sizeHint().expandedTo(self.screen().availableSize() * _SCREEN_SHARE)

    def show_below(self, *parts: QWidget) -> None:
        self.lay_out(*parts, self.tree, self.detail, wide=self.tree)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole, default=True)
        self.tree.setFocus()

    def add(self, cells: list[str], lines: list[str]) -> QTreeWidgetItem:
        """List a line, which says so much in full."""
        item = QTreeWidgetItem(self.tree, [one_line(cell) for cell in cells])
        full = "\n".join(one_line(line) for line in lines if line)
        item.setData(0, FULL, full)
        for column in range(len(cells)):
            item.setToolTip(column, tip(full))
        return item

    def go_to_first(self) -> None:
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)


class CorrectionsDialog(_ListDialog):
    """One line for each difference that was decided: what the annotator had, what holds, and why.

    `wanted` has report (key) and difference (id, "" where it is not in the queue) of a line that was opened.
    """

    wanted = Signal(str, str)

    def __init__(self, session: ProjectSession, work: Work, parent: QWidget | None = None) -> None:
        columns = ["Report", "Category", "Kind", "Had", "After the decision", "Reason", "Note"]
        super().__init__("Corrections", columns, (3, 4, 6), parent)
        self._session, self._work, self._codes = session, work, codes_of(session.scheme)
        names = (work.left, work.right)
        self.annotator = DropDown("Annotator", entries=[(name, name) for name in names])
        if session.annotator in names:
            self.annotator.setCurrentText(session.annotator)
        self.about = plain_label("Reading…")
        self.tree.itemActivated.connect(self._open)
        hint = plain_label("Return or a double click goes to the place in the text.")
        self.watch = JobLine()
        self.show_below(self.annotator, self.about, self.watch)
        self.body.addWidget(hint)
        self.annotator.currentIndexChanged.connect(lambda _: self._read())
        self._read()

    def _open(self, item: QTreeWidgetItem) -> None:
        one = item.data(1, FULL)
        difference = self._difference(one)
        self.accept()
        self.wanted.emit(one.report, difference)

    def _read(self) -> None:
        name = self.annotator.currentText()
        self.about.setText("Reading…")
        job = self.watch.query(
            self._session.worker,
            "Listing corrections",
            lambda p: listing_corrections(p, name),
            lambda found: self._show(name, found),
            self.about.setText,
            latest="corrections",
        )
        self.finished.connect(job.drop)

    def _show(self, name: str, corrections: tuple[Correction, ...]) -> None:
        kept = sum(one.kept for one in corrections)
        decided = counted(len(corrections), "difference")
        self.about.setText(
            f"{decided} with others decided; {kept:,} as {name} had it."
            if corrections
            else f"Nothing that {name} did has been decided on yet."
        )
        self.tree.clear()
        for one in corrections:
            self._add(one)
        self.go_to_first()

    def _add(self, one: Correction) -> None:
        kind = f"{kind_in_short(one.kind)}, with {one.other}"
        category = self._session.scheme.category(one.category).name
        cells, full = (
            [
                quotes_in_short(one.mine, one.kind, self._codes, one.gold, whole=whole),
                "kept"
                if one.kept
                else quotes_in_short(one.gold, one.kind, self._codes, one.mine, whole=whole),
            ]
            for whole in (False, True)
        )
        reason = reason_words(one.reason)
        lines = [
            f"{one.report} · {one.title}",
            f"{category} · {kind}",
            f"Had: {full[0]}",
            f"After the decision: {full[1]}",
            f"Reason: {reason}" if reason else "",
            f"Note: {one.note}" if one.note else "",
            f"Clause: {one.clause}" if one.clause else "",
            f"Decided: {day_of(one.decided_at)}, {one.decided_by}",
        ]
        item = self.add([one.report, category, kind, *cells, reason, one.note], lines)
        item.setData(1, FULL, one)

    def _difference(self, one: Correction) -> str:
        """Which difference of the queue (id) it is about, "" for none of it."""
        queue = self._work.queue
        if queue is None:
            return ""
        this_one = (one.report, one.kind, one.decided_at, one.gold)
        for name, there in queue.decisions.items():
            about = queue.differences[name]
            if (about.report, about.kind, there.decided_at, there.findings) == this_one:
                return name
        return ""


class OutdatedDialog(_ListDialog):
    """Decisions on differences that are no longer there, because a side says something else now."""

    def __init__(self, session: ProjectSession, queue: Queue, parent: QWidget | None = None) -> None:
        columns = ["Report", "Category", "Kind", "Decided", "By"]
        super().__init__("Decisions that no longer apply", columns, (3,), parent)
        about = plain_label(
            "After these decisions one of the sides was changed in the same place. The decisions stay in the "
            "history but no longer apply; what differs now is in the queue."
        )
        key_of = {row.uuid: row.key for row in session.rows.values()}
        for one in queue.outdated:
            report = key_of.get(one.document, "a report that is gone")
            category = session.scheme.category(one.category).name
            short, full = (
                _held(one, queue, codes_of(session.scheme), whole=whole) for whole in (False, True)
            )
            by = f"{day_of(one.decided_at)}, {one.decided_by}"
            lines = [f"{report} · {category} · {kind_in_short(one.kind)}", full, by, one.note, one.clause]
            self.add([report, category, kind_in_short(one.kind), short, by], lines)
        self.show_below(about)
        self.go_to_first()


def _held(one: Decision, queue: Queue, codes: dict[str, str], *, whole: bool) -> str:
    held = quotes_in_short(one.findings, one.kind, codes, whole=whole)
    return chosen_words(one.choice, queue) + (f": {held}" if one.findings else "")


def made_tree(
    name: str, columns: list[str], wide: tuple[int, ...], least: int, line: str = "line"
) -> tuple[QTreeWidget, Detail]:
    """A list at `least` so many pixels high, whose `wide` columns share the room that is left, and below it
    what the chosen line holds in full."""
    tree, detail = QTreeWidget(), Detail(f"The chosen {line} in full")
    tree.setHeaderLabels(columns)
    tree.setAccessibleName(name)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(True)
    tree.setMinimumHeight(least)
    # Edges differ at the ends.
    tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    header = tree.header()
    header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    for column, words in enumerate(columns):
        tree.headerItem().setToolTip(column, words)
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    for column in wide:
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    tree.currentItemChanged.connect(
        lambda item, _: detail.setPlainText((item.data(0, FULL) or "") if item is not None else "")
    )
    return tree, detail


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
