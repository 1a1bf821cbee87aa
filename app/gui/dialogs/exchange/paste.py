"""Make a report of a pasted text, having seen what it will be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from app.gui.dialogs.exchange.imports import start_import
from app.gui.dialogs.exchange.preview import ReportPreviewPane
from app.gui.dialogs.forms import GRID, FormDialog, Role, named
from app.gui.dialogs.watching import busy_sentence
from app.gui.widgets.boxes import labelled
from app.operations.exchange.importing import ImportOptions, pasted
from app.text import counted

if TYPE_CHECKING:
    from app.formats.record import Pasted
    from app.gui.session.project_session import ProjectSession

_WAIT_MS, _LONGEST_TITLE = 300, 300
_LINES = 7
# Characters: a text that is longer is not laid out in the field, but for its beginning.
_LARGE, _BEGINNING = 100_000, 2_000


class PasteField(QPlainTextEdit):
    """A field for a text of any length; of a long one, slow to lay out, the beginning is shown."""

    def __init__(self) -> None:
        super().__init__()
        self._whole: str | None = None

    def whole(self) -> str:
        """The text, as it was pasted and changed."""
        return self.toPlainText() if self._whole is None else self._whole

    def paste_text(self, text: str) -> None:
        """Put it in the place of all that is there."""
        large = len(text) > _LARGE
        self._whole = text if large else None
        self.setReadOnly(large)
        rest = f" …\n\n({counted(len(text), 'character')} in all; to change them, paste a shorter text.)"
        self.setPlainText(text[:_BEGINNING] + rest if large else text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted by key or menu; a large text takes the place of all."""
        if source.hasText() and len(source.text()) > _LARGE:
            self.paste_text(source.text())
        else:
            super().insertFromMimeData(source)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A large text, which cannot be changed, makes way for another."""
        if self._whole is not None and event.matches(QKeySequence.StandardKey.Paste):
            self.paste_text(QGuiApplication.clipboard().text())
        else:
            super().keyPressEvent(event)


class PasteDialog(FormDialog):
    """The text of the clipboard, to be put right, and the report that comes of it."""

    guide = "import"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Paste as a report", parent)
        self._session = session
        self._soon = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._soon.timeout.connect(self._preview)
        self.title = named(
            QLineEdit(placeholderText="The first line, where it stands alone", maxLength=_LONGEST_TITLE),
            "Title",
        )
        self.title.textChanged.connect(self._soon.start)
        form = QFormLayout(verticalSpacing=GRID)
        form.addRow("&Title:", self.title)
        self.text = named(PasteField(), "Pasted text")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(_LINES * self.fontMetrics().lineSpacing())
        self.broken = QCheckBox("&Join lines that end in mid-sentence into paragraphs")
        self.broken.toggled.connect(self._soon.start)
        self.pane = ReportPreviewPane(session)
        label = labelled("Te&xt:", self.text)
        self.lay_out(form, label, self.text, self.broken, self.pane, wide=self.pane)
        self.import_button = self.add_button("&Import", Role.AcceptRole, self._start, default=True)
        self.add_cancel()
        session.worker.job_changed.connect(self._check)
        self.text.textChanged.connect(self._changed)
        self.text.paste_text(QGuiApplication.clipboard().text())
        self.broken.setChecked(pasted(self.text.whole()).broken)
        self.finished.connect(self.pane.give_up)
        self._check()
        # Who pastes once more, by habit, gets the same text, and not a title of its words.
        self.text.selectAll()
        self.text.setFocus()

    def _source(self) -> Pasted:
        return pasted(self.text.whole(), self.title.text().strip(), self.broken.isChecked())

    def _changed(self) -> None:
        self._check()
        self._soon.start()

    def _check(self) -> None:
        problem = busy_sentence(self._session)
        empty = self.text.document().isEmpty()
        self.say(problem or ("Paste the words of a report into the field." if empty else ""))
        self.import_button.setEnabled(not problem and not empty)
        if empty:
            self.pane.clear("What is pasted is shown here as it would be kept.")

    def _preview(self) -> None:
        if not self.text.document().isEmpty():
            self.pane.ask([self._source()], ImportOptions())

    def _start(self) -> None:
        start_import(self._session, [self._source()], ImportOptions(), self.parentWidget())
        self.accept()
