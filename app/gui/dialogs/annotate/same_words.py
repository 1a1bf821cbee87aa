"""Label the same words wherever they stand, as far as they are ticked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.gui.dialogs.forms import FormDialog, Role, plain_label
from app.gui.session.project_session import ProjectSession
from app.gui.shell.lines.job_line import JobLine
from app.gui.widgets.boxes import FlexRow, push_button
from app.gui.widgets.lists import LEFT, PLACE, PlacesTree
from app.gui.widgets.plain import ElidedLabel, caption, one_line, quoted
from app.operations.annotate.report import SamePlace, SamePlaces, finding_same
from app.operations.annotate.spans import SpanPlace
from app.text import counted

_SIZE = (880, 520)


class SameWordsDialog(FormDialog):
    """Lists the places by report, the open one first and ticked; `found` comes once they are listed.

    Where there are none it says so in the line of messages, and closes.
    """

    guide = "annotate"
    found = Signal()

    def __init__(
        self, session: ProjectSession, category: str, quote: str, parent: QWidget | None = None
    ) -> None:
        super().__init__("Same words elsewhere", parent)
        self._session, self._category = session, category
        self._here = session.report_model.key
        self._total = 0
        name = session.scheme.category(category).name
        self.heading = ElidedLabel()
        self.heading.say(f"{quoted(quote)} as {name}")
        self.tree = PlacesTree("Places of the same words")
        self.count = plain_label("Looking for these words…")
        self.all = push_button("&All", lambda: self._tick(lambda _report: True))
        self.nothing = push_button("N&one", lambda: self._tick(lambda _report: False))
        self.this_report = push_button("&This report", lambda: self._tick(lambda one: one == self._here))
        self._ticking = FlexRow([self.all, self.nothing, self.this_report])
        self.watch = JobLine()
        self.lay_out(self.heading, self.tree, self._ticking, self.count, self.watch, wide=self.tree)
        self.notice.hide()
        self.add_cancel()
        words = caption(f"Label as {name}")
        self.label = self.add_button(words, Role.AcceptRole, default=True)
        self.buttons.accepted.connect(self.accept)
        self.tree.itemChanged.connect(lambda *_: self._allow())
        self._allow()
        self.resize(*_SIZE)
        key, annotator = self._here, session.annotator
        job = self.watch.query(
            session.worker,
            "Looking for the same words",
            lambda p: finding_same(p, quote, annotator, category, first=key),
            self._show_places,
            self.count.setText,
            latest="same words elsewhere",
        )
        self.finished.connect(job.drop)

    def accept(self) -> None:
        chosen = [SpanPlace(place.report, place.start, place.end) for place in self.chosen()]
        if chosen:
            self._session.controller.label_places(chosen, self._category)
            super().accept()

    def chosen(self) -> list[SamePlace]:
        return [item.data(LEFT, PLACE) for item in self._items() if _ticked(item)]

    # Inside

    def _show_places(self, same: SamePlaces) -> None:
        self._total = same.total
        self.tree.blockSignals(True)
        groups: dict[str, QTreeWidgetItem] = {}
        for place in same.places:
            if place.report not in groups:
                groups[place.report] = self._group(place.report)
            self._add(groups[place.report], place)
        for report, group in groups.items():
            group.setText(LEFT, f"{self._title(report)} ({group.childCount():,})")
        self.tree.blockSignals(False)
        self.tree.expandAll()
        self.this_report.setEnabled(self._here in groups)
        self._allow()
        first = next(self._items(), None)
        if first is not None:
            self.tree.setCurrentItem(first)
            self.tree.setFocus()
        else:
            self._session.message.emit("These words stand nowhere else without that label.")
            self.reject()
        self.found.emit()

    def _title(self, report: str) -> str:
        row = self._session.rows.get(report)
        title = one_line(row.title) if row is not None and row.title else report
        return f"This report: {title}" if report == self._here else title

    def _group(self, report: str) -> QTreeWidgetItem:
        group = self.tree.add_group("", self._title(report))
        group.setFlags(group.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
        group.setCheckState(LEFT, Qt.CheckState.Unchecked)
        return group

    def _add(self, group: QTreeWidgetItem, place: SamePlace) -> None:
        item = self.tree.add_place(group, place.left, place.text, place.right)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setData(LEFT, PLACE, place)
        item.setCheckState(LEFT, _state(place.report == self._here))

    def _items(self) -> Iterator[QTreeWidgetItem]:
        for number in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(number)
            places = (group.child(row) for row in range(group.childCount())) if group is not None else ()
            yield from filter(None, places)

    def _tick(self, wanted: Callable[[str], bool]) -> None:
        self.tree.blockSignals(True)
        for item in self._items():
            item.setCheckState(LEFT, _state(wanted(item.data(LEFT, PLACE).report)))
        self.tree.blockSignals(False)
        self.tree.viewport().update()
        self._allow()

    def _allow(self) -> None:
        listed = sum(1 for _ in self._items())
        chosen = sum(_ticked(item) for item in self._items())
        self.label.setEnabled(chosen > 0)
        if not listed:
            return
        more = f" There are {counted(self._total, 'place')}; the first {listed:,} are listed."
        self.count.setText(f"{chosen:,} of {listed:,} chosen." + (more if listed < self._total else ""))


def _ticked(item: QTreeWidgetItem) -> bool:
    return bool(item.checkState(LEFT) == Qt.CheckState.Checked)


def _state(ticked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
