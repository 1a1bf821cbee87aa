"""The terms of a report by place, as spans on the page, and grouped by organ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem

from app.gui.reader.spans import ShownSpan
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.plain import bold, one_line, quoted
from app.gui.widgets.tips import tip
from app.palette import TERM

if TYPE_CHECKING:
    from app.operations.profile.profile import Profile
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.concepts import Coding
    from extractors.model.finding import Polarity

Standing: TypeAlias = Literal["own", "suggested", "rejected", "relative"]
_SAID: dict[Polarity, str] = {"present": "", "negated": "no ", "uncertain": "perhaps "}


@dataclass(frozen=True, slots=True)
class Item:
    """A term at its place: one's own, suggested, rejected, or of a relative, which counts for nothing."""

    annotation: Annotation
    coding: Coding
    standing: Standing

    @property
    def uuid(self) -> str:
        return self.annotation.uuid

    @property
    def polarity(self) -> Polarity:
        return self.annotation.finding.polarity

    @property
    def counts(self) -> bool:
        """Whether it is part of the profile that diseases are ranked by."""
        return self.standing == "own" and self.polarity != "uncertain"

    @property
    def words(self) -> str:
        return f"{_SAID[self.polarity]}{self.coding.label}"


def items_of(profile: Profile) -> tuple[Item, ...]:
    """All terms of a report by place, those without one last; what was accepted is one's own."""
    found = {item.uuid: item for item in reversed([*_items(profile)])}
    return tuple(sorted(found.values(), key=_place))


def _items(profile: Profile) -> Iterator[Item]:
    for term in profile.terms:
        yield from (Item(one, term.coding, "own") for one in term.spans)
    for term in profile.relatives:
        yield from (Item(one, term.coding, "relative") for one in term.spans)
    for one in profile.suggestions:
        if one.status == "rejected":
            yield Item(one.annotation, one.coding, "rejected")
        elif one.status == "suggested":
            yield Item(one.annotation, one.coding, "relative" if one.relative else "suggested")


def _place(item: Item) -> tuple[bool, int, int]:
    finding = item.annotation.finding
    return finding.start is None, finding.start or 0, finding.end or 0


def spans_of(items: Sequence[Item], lit: Collection[str] | None) -> list[ShownSpan]:
    """The items as spans; with codes that are `lit` all others step back."""
    spans = []
    for item in items:
        start, end = item.annotation.finding.start, item.annotation.finding.end
        if start is not None and end is not None:
            dimmed = item.standing == "relative" if lit is None else item.coding.code not in lit
            spans.append(
                ShownSpan(
                    item.uuid,
                    start,
                    end,
                    TERM,
                    item.polarity,
                    dimmed,
                    item.standing == "own",
                    item.standing == "rejected",
                )
            )
    return spans


_UUID = Qt.ItemDataRole.UserRole
_OTHER, _RELATIVES, _REJECTED = "Onset, course and others", "Of relatives (never counts)", "Rejected"
_LAST = (_OTHER, _RELATIVES, _REJECTED)
_MARKS = {"own": "✓ ", "suggested": "? ", "rejected": "", "relative": ""}


class ProfileTree(QTreeWidget):
    """`chosen` tells of the term (UUID) that somebody has gone to."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setColumnCount(2)
        self.setAccessibleName("Profile by organ")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        WholeRows(self)
        self.setRootIsDecorated(False)
        self.setAllColumnsShowFocus(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, self.header().ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, self.header().ResizeMode.ResizeToContents)
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._shown: tuple[tuple[str, str, str], ...] = ()
        self.currentItemChanged.connect(self._choose)

    def put(self, items: Sequence[Item], organs: Mapping[str, str]) -> None:
        """Show these terms; a tree that says the same is left as it is."""
        told = tuple(
            (_group(item, organs), item.uuid, f"{_MARKS[item.standing]}{item.words}") for item in items
        )
        if told == self._shown:
            return
        self._shown = told
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(_group(item, organs), []).append(item)
        place = self.verticalScrollBar().value()
        with QSignalBlocker(self):
            self.clear()
            self._rows = {}
            for name in sorted(groups, key=lambda one: (_LAST.index(one) + 1 if one in _LAST else 0, one)):
                self._add(name, groups[name])
            self.expandAll()
        self.verticalScrollBar().setValue(place)

    def show_current(self, uuid: str) -> None:
        """Let the current term stand out."""
        with QSignalBlocker(self):
            if uuid in self._rows:
                self.setCurrentItem(self._rows[uuid])
            else:
                self.setCurrentIndex(QModelIndex())
        if uuid in self._rows:
            self.scrollToItem(self._rows[uuid])

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the mode, not beginnings of names."""

    def take_focus(self) -> None:
        """Into the tree, at the first term where none is current."""
        if not self.selectedItems() and self._rows:
            self.setCurrentItem(next(iter(self._rows.values())))
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def _add(self, name: str, items: Sequence[Item]) -> None:
        counting = len({item.coding.code for item in items if item.counts})
        suggested = len({item.coding.code for item in items if item.standing == "suggested"})
        text = ", ".join(
            words
            for number, words in ((counting, f"{counting}"), (suggested, f"{suggested} suggested"))
            if number
        )
        group = QTreeWidgetItem(self, [name, text])
        group.setFont(0, bold(self.font()))
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        alike: dict[tuple[str, str, str], list[Item]] = {}
        for item in items:
            alike.setdefault((item.standing, item.coding.code, item.polarity), []).append(item)
        for each in alike.values():
            self._add_term(group, each)

    def _add_term(self, group: QTreeWidgetItem, items: Sequence[Item]) -> None:
        """A term with all places that say the same of it."""
        first = items[0]
        times = f"  ×{len(items)}" if len(items) > 1 else ""
        row = QTreeWidgetItem(group, [f"{_MARKS[first.standing]}{first.words}{times}"])
        row.setFirstColumnSpanned(True)
        row.setData(0, _UUID, first.uuid)
        quotes = "; ".join(quoted(one_line(item.annotation.finding.quote)) for item in items)
        since = f", since {first.coding.onset}" if first.coding.onset else ""
        row.setToolTip(0, tip(f"{first.words} ({first.coding.code}){since}: {quotes}"))
        self._rows.update((item.uuid, row) for item in items)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        uuid = item.data(0, _UUID) if item is not None else None
        if uuid:
            self.chosen.emit(uuid)


def _group(item: Item, organs: Mapping[str, str]) -> str:
    if item.standing == "rejected":
        return _REJECTED
    if item.standing == "relative":
        return _RELATIVES
    return organs.get(item.coding.code) or _OTHER
