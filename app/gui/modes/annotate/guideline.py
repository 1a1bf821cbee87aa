"""The guideline of the category in use, beside the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QShowEvent, QTextDocument
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QWidget

from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import is_low, lined, stacked
from app.gui.widgets.guideline_text import added_by, amended_on, guideline_document
from app.gui.widgets.lists import WholeLines
from app.gui.widgets.plain import ElidedButton, ElidedLabel, bold, caption, one_line
from app.gui.widgets.swatch import Swatch, colours_of
from app.gui.widgets.tips import explain
from app.operations.guidelines.amendments import Outdated, list_amendments, list_outdated
from app.palette import PagePalette

if TYPE_CHECKING:
    from app.store.reconcile.amendments import Amendment

_FEWEST_LINES, _AROUND = 2, 16
SINCE = "Amended since you worked on this report"


class GuidelinePanel(QWidget):
    """Follows the category in use of an open session, unless it is pinned to one; each keeps its place.

    What came by amendment says so. `since` tells what was added after the open report was worked on, and goes
    there when it is pressed.
    """

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session, self._palette = session, colours_of(session.scheme, self)
        self._documents: dict[str, QTextDocument] = {}
        self._places: dict[str, int] = {}
        self._amendments: dict[str, list[Amendment]] = {}
        self._outdated: Mapping[str, Outdated] = {}
        self.shown = ""
        self.swatch = Swatch(self._palette, session.category)
        self.title = ElidedLabel()
        self.pin = QToolButton()
        self.pin.setText("Pin")
        self.pin.setCheckable(True)
        self.pin.setAutoRaise(True)
        self.pin.setAccessibleName("Pin this guideline")
        explain(self.pin, "Keep this guideline when another category is used")
        self.pin.toggled.connect(lambda _on: self._follow())
        self.text = WholeLines()
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setMinimumHeight(1)
        self.text.setUndoRedoEnabled(False)
        # The other panels know how high they want to be; what is left over is for reading.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        head = lined(None, self.swatch, self.title, self.pin, wide=self.title, margins=(8, 0, 4, 0))
        self.since = ElidedButton()
        self.since.setVisible(False)
        self.since.clicked.connect(self._go_to_new)
        stacked(self, head, self.text, self.since, wide=self.text, spacing=2)
        self._embolden()
        session.category_changed.connect(lambda _category: self._follow())
        session.scheme_changed.connect(self._read)
        session.report_model.opened.connect(self._turn_page)
        session.report_model.review_changed.connect(self._ask_whether_still_new)
        session.controller.changed.connect(lambda _changed: self._ask_whether_still_new())
        self._read()

    def take_focus(self) -> None:
        self.text.setFocus(Qt.FocusReason.TabFocusReason)

    def set_page_palette(self, palette: PagePalette) -> None:
        if palette == self._palette:
            return
        self._palette = palette
        self.swatch.set_page_palette(palette)
        self._set_anew()

    def minimumSizeHint(self) -> QSize:
        """In a low window the text gives way to what has no room else."""
        return self._with_lines(0, 0) if is_low(self) else self.sizeHint()

    def sizeHint(self) -> QSize:
        return self._with_lines(_FEWEST_LINES, _AROUND)

    def _with_lines(self, lines: int, around: int) -> QSize:
        line, head = self.fontMetrics().lineSpacing(), super().minimumSizeHint()
        since = 0 if self.since.isHidden() else self.since.sizeHint().height()
        around += 2 * self.text.frameWidth() if lines else 0
        return QSize(head.width(), lines * line + around + self.pin.sizeHint().height() + since)

    def showEvent(self, event: QShowEvent) -> None:
        """Set the first guideline now that letters and width are known: laying it out takes a while."""
        super().showEvent(event)
        if not self.shown:
            self._show(self._session.category)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.shown:
            self._embolden()
            self._set_anew()

    def _follow(self) -> None:
        if self.shown and not self.pin.isChecked():
            self._show(self._session.category)

    def _show(self, category: str) -> None:
        if category == self.shown:
            return
        self._keep_place()
        known = self._session.scheme.category(category)
        if category not in self._documents:
            added = [added_by(one) for one in self._amendments.get(category, ())]
            document = guideline_document(known, self._session.scheme, self._palette, self.font(), added)
            document.setParent(self)
            self._documents[category] = document
        self.shown = category
        self.swatch.set_category(category)
        self.title.say(known.name)
        self.text.setAccessibleName(f"Guideline: {known.name}")
        self.text.setDocument(self._documents[category])
        self.text.show_whole_lines()
        self.text.verticalScrollBar().setValue(self._places.get(category, 0))
        self._tell_what_is_new()

    # Amendments

    def _read(self) -> None:
        """Ask how the guidelines came to be what they are now."""
        self._session.worker.ask(list_amendments, self._take_amendments, latest="amendments")

    def _take_amendments(self, made: Sequence[Amendment]) -> None:
        before, self._amendments = self._amendments, {}
        for one in made:
            self._amendments.setdefault(one.category, []).append(one)
        if self._amendments != before:
            self._set_anew()
            self._ask_what_is_new()

    def _ask_whether_still_new(self) -> None:
        if self._outdated:
            self._ask_what_is_new()

    def _turn_page(self) -> None:
        self._take_outdated(self._session.report_model.key, ())
        self._ask_what_is_new()

    def _ask_what_is_new(self) -> None:
        key, name = self._session.report_model.key, self._session.annotator
        if key and (self._amendments or self._outdated):
            self._session.worker.ask(
                lambda p: list_outdated(p, report=key, annotator=name),
                lambda found: self._take_outdated(key, found),
                latest="outdated",
            )

    def _take_outdated(self, key: str, found: Sequence[Outdated]) -> None:
        if key == self._session.report_model.key:
            self._outdated = {one.category: one for one in found}
            self._tell_what_is_new()

    def _tell_what_is_new(self) -> None:
        one = self._outdated.get(self.shown)
        self.since.setVisible(one is not None)
        self.updateGeometry()
        if one is not None:
            added = [each.clause or f"an example ({amended_on(each)})" for each in one.amendments_since]
            self.since.setText(caption(one_line(f"{SINCE}: {'; '.join(added)}")))
            explain(self.since, "\n".join([f"{SINCE}:", *added, "Press to go there."]))

    def _go_to_new(self) -> None:
        """Show the first clause or example that was added since."""
        one = self._outdated.get(self.shown)
        if one is not None:
            self.text.scrollToAnchor(one.amendments_since[0].uuid)
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep_place(self) -> None:
        if self.shown:
            self._places[self.shown] = self.text.verticalScrollBar().value()

    def _set_anew(self) -> None:
        """Set the guideline again: colours and sizes stand in the documents."""
        self._keep_place()
        old, category = self._documents, self.shown
        self._documents, self.shown = {}, ""
        self._show(category)
        for document in old.values():
            document.deleteLater()

    def _embolden(self) -> None:
        self.title.setFont(bold(self.font()))
