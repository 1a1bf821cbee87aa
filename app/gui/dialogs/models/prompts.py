"""What a run asked a model, word for word, to be read and copied."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QListWidget, QPlainTextEdit, QSplitter, QWidget

from app.gui.dialogs.forms import FormDialog, plain_label, while_alive
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.extract.calling.asked import AskedPrompt, RunPrompts

_LINES, _LIST_SHARE, _TEXT_SHARE = 24, 1, 2


class PromptsDialog(FormDialog):
    """The prompts of one run: a list by report and category, and beside it the words of the chosen one."""

    guide = "extract"

    def __init__(self, session: ProjectSession, run: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Prompts of {run}", parent)
        self._prompts: tuple[AskedPrompt, ...] = ()
        self.about = plain_label("Reading…")
        self.about.setAccessibleName("About the prompts")
        self.body.addWidget(self.about)
        self.list = QListWidget()
        self.list.setAccessibleName("Prompts")
        self.list.setUniformItemSizes(True)
        self.list.currentRowChanged.connect(self._choose)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The prompt")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        parts = QSplitter()
        parts.setChildrenCollapsible(False)
        parts.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing())
        for place, (widget, share) in enumerate(((self.list, _LIST_SHARE), (self.text, _TEXT_SHARE))):
            parts.addWidget(widget)
            parts.setStretchFactor(place, share)
        self.body.addWidget(parts, 1)
        self.copy_button = self.add_button("C&opy", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self._copy)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole, default=True)
        self._choose(-1)
        self._read(session, run)

    def _read(self, session: ProjectSession, run: str) -> None:
        from app.operations.extract.calling.asked import list_prompts

        session.worker.ask(
            lambda project: list_prompts(project, run)[-1],
            while_alive(self, self._show),
            while_alive(self, self.about.setText),
        )

    def _show(self, asked: RunPrompts) -> None:
        from app.operations.extract.calling.asked import about_unknown

        self._prompts = asked.prompts
        known = f"{counted(len(self._prompts), 'prompt')}, word for word." if self._prompts else ""
        self.about.setText(" ".join(filter(None, (known, about_unknown(asked)))) or "Nothing was asked.")
        # What is said above may take a second line.
        self.grow()
        self.list.addItems([prompt.title for prompt in self._prompts])
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def _choose(self, row: int) -> None:
        there = 0 <= row < len(self._prompts)
        self.text.setPlainText(_in_full(self._prompts[row]) if there else "")
        self.copy_button.setEnabled(there)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.say("Copied.")


def _in_full(prompt: AskedPrompt) -> str:
    form = json.dumps(prompt.form, ensure_ascii=False, indent=2)
    turns = (("System", prompt.system), ("User", prompt.user), ("Form of the reply", form))
    words = "\n\n".join(f"{name}\n{'-' * len(name)}\n{text.strip()}" for name, text in turns)
    return f"{words}\n\nSHA-256: {prompt.sha256}\n"
