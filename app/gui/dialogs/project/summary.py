"""What work came to: a sentence, a few more, and lists that can be read, searched by eye and copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from app.gui.dialogs.forms import SELECTABLE, FormDialog, Role, heading, named, plain_label
from app.gui.widgets.boxes import Tabs
from app.gui.widgets.wording import in_window

_LINES_SHOWN = 9


@dataclass(frozen=True, slots=True)
class Part:
    """A list under its title; one entry a line."""

    title: str
    lines: Sequence[str]


class SummaryDialog(FormDialog):
    """The headline, sentences below it, and a tab for every part that is not empty."""

    def __init__(
        self,
        title: str,
        headline: str,
        sentences: Sequence[str] = (),
        parts: Sequence[Part] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.headline = heading(in_window(headline), "Result")
        self.headline.setTextInteractionFlags(SELECTABLE)
        self.sentences = plain_label("\n".join(_one_line(sentence) for sentence in sentences), "Details")
        self.sentences.setTextInteractionFlags(SELECTABLE)
        self.sentences.setVisible(bool(sentences))
        self.tabs = Tabs("Lists")
        self.tabs.setUsesScrollButtons(True)
        shown = [part for part in parts if part.lines]
        for part in shown:
            self.tabs.addTab(self._page(part), f"{part.title} ({len(part.lines)})")
        self.tabs.setVisible(bool(shown))
        self.lay_out(self.headline, self.sentences, self.tabs, *(() if shown else (None,)), wide=self.tabs)
        self.notice.setVisible(False)
        self.copy_button = self.add_button("Copy &list", Role.ActionRole, self._copy)
        self.copy_button.setVisible(bool(shown))
        self.close_button: QPushButton = self.add_button("&Close", Role.RejectRole, default=True)
        self.close_button.setFocus()

    def lines_of(self, title: str) -> list[str]:
        """What stands in the list of that title, none where there is no such list."""
        for index in range(self.tabs.count()):
            page = self.tabs.widget(index)
            if self.tabs.tabText(index).startswith(title) and isinstance(page, QPlainTextEdit):
                return page.toPlainText().split("\n")
        return []

    def _page(self, part: Part) -> QPlainTextEdit:
        page = named(QPlainTextEdit(readOnly=True, undoRedoEnabled=False, tabChangesFocus=True), part.title)
        page.setTextInteractionFlags(SELECTABLE)
        page.setPlainText("\n".join(_one_line(line) for line in part.lines))
        page.setMinimumHeight(_LINES_SHOWN * page.fontMetrics().lineSpacing())
        return page

    def _copy(self) -> None:
        page = self.tabs.currentWidget()
        if isinstance(page, QPlainTextEdit):
            QGuiApplication.clipboard().setText(page.toPlainText())


def _one_line(text: str) -> str:
    return " ".join(in_window(text).splitlines())


def show_message(parent: QWidget | None, title: str, sentence: str) -> SummaryDialog:
    """Show one sentence in a dialog of its own, without waiting for it to be closed."""
    dialog = SummaryDialog(title, sentence, parent=parent)
    dialog.open()
    return dialog
