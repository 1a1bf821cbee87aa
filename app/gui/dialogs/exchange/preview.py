"""A report as it would be frozen: what it was read as, its headings, what may be wrong, its text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QTextEdit, QWidget

from app.gui.dialogs.forms import heading, named, plain_label
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import Splitter
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.wording import in_window
from app.operations.exchange.importing import ImportOptions, Source
from app.operations.exchange.previewing import ImportPreview, ReportPreview, preview_import
from app.text import counted

# Of a folder or a package so many reports are looked at, of a text so many characters shown.
MOST_REPORTS = 20
_SHOWN = 60_000
_NOTES, _LINES, _LEAST_LINES = 6, 23, 14
_LETTERS = 30
_QUESTION = "import preview"


class ReportPreviewPane(QWidget):
    """Shows how a source would be read; the reading is done beside the window's own work."""

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self._reports: tuple[ReportPreview, ...] = ()
        self.choice = DropDown("Report to look at", _LETTERS)
        self.choice.currentIndexChanged.connect(self._show)
        self.headline = heading(name="Read as")
        self.notes = plain_label(name="What may be wrong")
        self.headings = named(QListWidget(), "Headings found")
        self.headings.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.headings.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.headings.currentItemChanged.connect(self._go_to)
        WholeRows(self.headings)
        self.text = named(QTextEdit(readOnly=True, tabChangesFocus=True), "Text as it would be kept")
        self.text.setUndoRedoEnabled(False)
        self.split = Splitter(Qt.Orientation.Horizontal, self.headings, self.text)
        self.split.share = lambda width: (width // 4, width - width // 4)
        parts = (self.choice, self.headline, self.notes, self.split)
        stacked(self, *parts, wide=self.split).addStretch()
        # Its room is there from the start: the dialog does not grow under the hand.
        self.setMinimumHeight(_LEAST_LINES * self.fontMetrics().lineSpacing())
        self.clear()

    def clear(
        self, sentence: str = "The report that is chosen above is shown here before it is kept."
    ) -> None:
        """Show nothing but a sentence; an answer that is still to come is not wanted any more."""
        self.give_up()
        self._fill((), sentence)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _LINES * self.fontMetrics().lineSpacing())

    def hasHeightForWidth(self) -> bool:
        """What is shown makes do with the room there is; else the dialog would scroll as soon as it comes."""
        return False

    def give_up(self) -> None:
        self._session.worker.drop(_QUESTION)

    def ask(self, sources: Sequence[Source], options: ImportOptions) -> None:
        """Read these and show what comes of it; what was asked before is given up."""
        self.clear("Reading…")
        # Methods, not functions that hold this widget: a job outlives the dialog that asked.
        self._session.worker.query(
            "Preview of the import",
            lambda project: preview_import(project, sources, options, MOST_REPORTS),
            self._take,
            self._refuse,
            latest=_QUESTION,
        )

    def _refuse(self, sentence: str) -> None:
        self._fill((), sentence)

    def _take(self, preview: ImportPreview) -> None:
        self._fill(preview.reports, "There is nothing to import here.", more=preview.more)

    def _fill(self, reports: tuple[ReportPreview, ...], otherwise: str, *, more: bool = False) -> None:
        self._reports = reports
        all_of = f"the first {len(reports)}" if more else f"{len(reports)}"
        titles = (f"{one.title or one.source}{' (left out)' if one.left_out else ''}" for one in reports)
        self.choice.fill((f"{n} of {all_of}: {title}", n) for n, title in enumerate(titles, start=1))
        self.choice.setVisible(len(reports) > 1)
        self.choice.setToolTip("What comes after these is imported, too." if more else "")
        if reports:
            self._show(0)
            return
        self.headline.setText(in_window(otherwise))
        self.notes.clear()
        self.headings.clear()
        self.text.clear()
        self.split.setVisible(False)
        self.notes.setVisible(False)

    def _show(self, index: int) -> None:
        one = self._reports[index]
        about = f"{one.title}\n{' · '.join(one.about)}" if one.document else one.title or one.source
        self.headline.setText(about)
        notes = [*([one.left_out] if one.left_out else []), *one.notes]
        shown = [f"•  {note}" for note in notes[:_NOTES]]
        if len(notes) > _NOTES:
            shown.append(f"•  {counted(len(notes) - _NOTES, 'more note')}: all are listed after the import.")
        self.notes.setText("\n".join(shown))
        self.notes.setVisible(bool(notes))
        self.split.setVisible(one.document is not None)
        self._show_text(one)

    def _show_text(self, one: ReportPreview) -> None:
        self.headings.blockSignals(True)
        self.headings.clear()
        self.text.clear()
        cursor, plain, bold = QTextCursor(self.text.document()), QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        text = one.document.text if one.document else ""
        cursor.beginEditBlock()
        for section in one.document.sections if one.document else ():
            if section.start >= _SHOWN:
                break
            start = section.start
            if section.heading:
                item = QListWidgetItem("    " * (len(section.path) - 1) + section.heading)
                item.setToolTip(section.heading)
                item.setData(Qt.ItemDataRole.UserRole, cursor.position())
                self.headings.addItem(item)
                line = text[start:].split("\n", 1)[0]
                cursor.insertText(line, bold)
                start += len(line)
            cursor.insertText(text[start : min(section.end, _SHOWN)], plain)
        if len(text) > _SHOWN:
            cursor.insertText(f"\n\n… {counted(len(text) - _SHOWN, 'more character')}, kept as well.", plain)
        cursor.endEditBlock()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.headings.blockSignals(False)
        self.headings.setVisible(self.headings.count() > 0)

    def _go_to(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        cursor = self.text.textCursor()
        cursor.setPosition(item.data(Qt.ItemDataRole.UserRole))
        bar = self.text.verticalScrollBar()
        self.text.setTextCursor(cursor)
        bar.setValue(bar.value() + self.text.cursorRect(cursor).top())
