"""What is said of regions: the list of those on a picture, and the form for one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QListWidget, QWidget

from app.gui.dialogs.forms import named
from app.gui.widgets.boxes import labelled, lined, push_button, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.plain import quoted
from app.operations.annotate.regions import (
    Marked,
    Region,
    add_region,
    change_region,
    list_regions,
    remove_region,
)

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project

_NEW = "A new region: choose its category, Tab, say what it shows, Return."
_NOTHING = "Drag over the picture, or press G, to mark a region."


class Regions(QWidget):
    """One's own regions in the open report; nobody else's are shown here. Every act is one step of undo."""

    changed = Signal()
    done = Signal()

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self._all: list[Region] = []
        # Those in the list, row by row.
        self._listed: list[Region] = []
        # Figure, picture and box of a region that is about to be made.
        self._new: tuple[str, str, QRect] | None = None
        self._picture = ""
        self._span: str | None = None
        self.list = named(QListWidget(), "Regions on the picture")
        self.list.setMaximumHeight(5 * self.fontMetrics().lineSpacing())
        self.list.currentItemChanged.connect(lambda *_: self._show_current())
        categories = [(f"{one.code}  {one.name}", one.id) for one in session.scheme.categories]
        self.category = DropDown("Category of the region", 18, entries=categories)
        self.finding = named(QLineEdit(), "What is seen in the region")
        self.note = named(QLineEdit(), "Note on the region")
        self.link = QCheckBox()
        self.save = push_button("S&ave", self._save)
        self.delete = push_button("&Delete", self._delete)
        self._hint = QLabel(_NOTHING, wordWrap=True)
        fields = (("Ca&tegory", self.category), ("&Finding", self.finding), ("&Note", self.note))
        rows = [part for words, field in fields for part in (labelled(words, field), field)]
        buttons = QWidget()
        lined(buttons, self.save, self.delete)
        stacked(self, self._hint, self.list, *rows, self.link, buttons, spacing=4)
        session.worker.saved.connect(self.reload)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return keeps the region from every field."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.save.isEnabled():
            self._save()
        else:
            super().keyPressEvent(event)

    def reload(self) -> None:
        """Read the regions anew: something was done or undone."""
        key, annotator = self._session.report_model.key, self._session.annotator
        if key and annotator and self.isVisible():
            read = partial(list_regions, annotator=annotator, report=key)
            self._session.worker.ask(read, self._take, lambda _: None, latest="regions")

    def show_picture(self, picture: str) -> None:
        """Show the regions of a picture (SHA-256)."""
        self._picture, self._new = picture, None
        self._fill()

    def on_picture(self, picture: str) -> list[Region]:
        """One's regions on a picture."""
        return [one for one in self._all if one.picture == picture]

    @property
    def current(self) -> str:
        """The region (UUID) that is chosen in the list, "" for none."""
        return self._chosen.uuid if self._chosen is not None else ""

    @property
    def _chosen(self) -> Region | None:
        return dict(enumerate(self._listed)).get(self.list.currentRow())

    def choose(self, uuid: str) -> None:
        uuids = [one.uuid for one in self._listed]
        if uuid in uuids:
            self.list.setCurrentRow(uuids.index(uuid))

    def begin(self, figure: str, box: QRect) -> None:
        """Ask what a new box shows."""
        self._new = (figure, self._picture, box)
        self.list.setCurrentRow(-1)
        self.finding.clear()
        self.note.clear()
        used = self.category.findData(self._session.category)
        self.category.setCurrentIndex(max(used, 0))
        self._show_words()
        self.category.setFocus()

    def forget(self) -> None:
        """Ask no more what a box shows that was given up."""
        self._new = None
        self._show_current()

    def _take(self, found: list[Region]) -> None:
        if found != self._all:
            self._all = found
            self._fill()
        else:
            # Something else was saved: what is said of a region and not kept yet stays.
            ticked = {self._span: self.link.isChecked()}
            self._show_words()
            self.link.setChecked(ticked.get(self._span, self.link.isChecked()))
        self.changed.emit()

    def _fill(self) -> None:
        before = self.current
        self.list.clear()
        self._listed = self.on_picture(self._picture)
        code_of = {one.id: one.code for one in self._session.scheme.categories}
        self.list.addItems(
            [f"{code_of[one.category]}  {one.finding or 'no finding yet'}" for one in self._listed]
        )
        self.choose(before)
        self._show_words()

    def _show_current(self) -> None:
        one = self._chosen
        if one is not None:
            self._new = None
            self.category.setCurrentIndex(self.category.findData(one.category))
        if self._new is None:
            self.finding.setText(one.finding if one else "")
            self.note.setText(one.note if one else "")
        self._show_words()
        self.changed.emit()

    def _show_words(self) -> None:
        one = self._chosen
        active = self._new is not None or one is not None
        for part in (self.category, self.finding, self.note, self.save):
            part.setEnabled(active and bool(self._session.annotator))
        self.delete.setEnabled(one is not None)
        self._hint.setText(_NOTHING if not active else _NEW if self._new else "The chosen region:")
        model = self._session.report_model
        wanted = one.annotation if one is not None and one.annotation else model.current
        span = model.spans.get(wanted or "")
        self.link.setEnabled(active and span is not None)
        words = span.finding.quote if span is not None else ""
        short = words if len(words) < 24 else f"{words[:22]}…"
        with_what = quoted(short) if span is not None else "the span at the cursor"
        self.link.setText(f"Goes with {with_what}")
        self.link.setChecked(bool(one is not None and one.annotation and span is not None))
        self._span = span.uuid if span is not None else None

    def _save(self) -> None:
        key, annotator = self._session.report_model.key, self._session.annotator
        linked = self._span if self.link.isChecked() else None
        marked = Marked(self.category.currentData(), self.finding.text(), self.note.text(), linked)
        if self._new is not None:
            (figure, picture, box), self._new = self._new, None
            shown, place = (key, figure, picture), (box.x(), box.y(), box.width(), box.height())
            self._act(partial(add_region, annotator=annotator, picture=shown, box=place, marked=marked))
        elif self.current:
            self._act(partial(change_region, uuid=self.current, marked=marked))

    def _delete(self) -> None:
        if self.current:
            self._act(partial(remove_region, uuid=self.current))

    def _act(self, call: Callable[[Project], Region]) -> None:
        self._session.worker.act(call, lambda _: None, self._session.message.emit)
        self._show_current()
        self.done.emit()
