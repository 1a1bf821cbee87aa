"""The runs of a project: how far each came, what it asked, taken up again, written to files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QPlainTextEdit, QWidget

from app.gui.dialogs.files import ask_open, ask_save
from app.gui.dialogs.forms import FormDialog, Role, here, named, plain_label
from app.gui.dialogs.models.extracting import ByModel, Choice, begin_extraction, by_replies
from app.gui.dialogs.models.server import KeyFile, Server
from app.gui.dialogs.watching import busy_sentence
from app.gui.widgets.boxes import field_rows, labelled, split
from app.gui.widgets.lists import ListTable
from app.gui.widgets.plain import caption
from app.gui.widgets.tips import explain
from app.operations.extract.models import default_host
from app.text import counted
from extractors.tasks import QUOTES

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.extract.calling.asked import AskedPrompt, RunPrompts
    from app.operations.extract.runs import RunRow

_COLUMNS = ("Run", "State", "Calls", "Begun", "Text went to")
_REMOTES = len(_COLUMNS) - 1
_LINES = 9
_EMPTY = "There are no runs yet. Extract with the rules or a model, and each run is listed here."


class RunsDialog(FormDialog):
    """Every run of the project, the latest first."""

    guide = "extract"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Runs", parent)
        self._session = session
        self._rows: tuple[RunRow, ...] = ()
        self.table = ListTable("Runs", _COLUMNS, 0, _LINES)
        self.table.chosen.connect(self._choose)
        self.about = plain_label("Reading…", "About the run", lines=3)
        self.lay_out(self.table, self.about, *self._server(), wide=self.table)
        self.prompts_button = self.add_button("&Prompts…", Role.ActionRole, self._show_prompts)
        explain(self.prompts_button, "Shows what the run asked the model, word for word.")
        self.export_button = self.add_button("&Export replies…", Role.ActionRole, self._choose_out)
        self.go_on_button = self.add_button("&Go on", Role.ActionRole, self._go_on)
        explain(self.go_on_button, "Makes the calls that failed or are missing.")
        self.add_button("&Close", Role.RejectRole, default=True)
        session.worker.job_changed.connect(self.read)
        self._choose()
        self.read()

    @property
    def chosen(self) -> RunRow | None:
        return self._rows[self.table.row] if 0 <= self.table.row < len(self._rows) else None

    def read(self) -> None:
        from app.operations.extract.runs import list_runs

        self._session.worker.ask(list_runs, self._show, latest="runs")

    def export_to(self, out: Path) -> None:
        from app.operations.extract.runs import record_replies

        run = self.chosen
        if run is None:
            return
        name, written = run.name, partial(self._written, out)
        self._session.worker.ask(lambda p: record_replies(p, out, name), written, self.say)

    def _written(self, out: Path, number: int) -> None:
        self.say(f"{counted(number, 'reply', 'replies')} written to {out}.")

    def _show(self, rows: Sequence[RunRow]) -> None:
        before = self.chosen.name if self.chosen else ""
        self._rows = tuple(reversed(rows))
        names = [one.name for one in self._rows]
        place = names.index(before) if before in names else 0
        self.table.put([_cells(one, bool(busy_sentence(self._session))) for one in self._rows], place)
        self.table.setColumnHidden(_REMOTES, not any(one.remotes for one in self._rows))

    def _choose(self) -> None:
        """Say what there is to know of the chosen run, and what can be done with it."""
        run = self.chosen
        self.about.setText(about_run(run) if run else _EMPTY)
        model = run is not None and run.kind == "model"
        recorded = run is not None and bool(run.about)
        self.prompts_button.setEnabled(model)
        self.export_button.setEnabled(model and not recorded)
        machines = run.remotes if run else ()
        named = f"{', '.join(machines)}, through {self.host.text()}" if machines else ""
        if named != self.allow.property("machines"):
            self.allow.setProperty("machines", named)
            self.allow.setChecked(False)
            self.allow.setText(f"&Send the reports' text there again: {caption(named)}")
        self.allow.setVisible(bool(machines))
        self._server_row.setEnabled(model and not recorded)
        self._check()

    def _check(self) -> None:
        run = self.chosen
        goes_on = run is not None and run.unfinished and run.options is not None
        permitted = run is None or not run.remotes or self.allow.isChecked()
        busy = busy_sentence(self._session)
        self.go_on_button.setEnabled(goes_on and permitted and not busy)
        self.say(busy)

    def _choice(self, run: RunRow, file: str = "") -> Choice | None:
        if run.options is None:
            return None
        if file:
            return by_replies(Path(file), run.options.documents, run.options.categories)
        allowed = bool(run.remotes) and self.allow.isChecked()
        return ByModel(run.options, Server(self.host.text().strip(), allowed, self.key.path))

    def _go_on(self) -> None:
        run = self.chosen
        if run is None:
            return
        if run.about:
            self._choose_recording(run)
        else:
            self._begin(self._choice(run))

    def _begin(self, choice: Choice | None) -> None:
        if choice is not None and not busy_sentence(self._session):
            self.accept()
            begin_extraction(self._session, choice, self.parentWidget())

    def _choose_recording(self, run: RunRow) -> None:
        title = "The recorded replies of this run"
        ask_open(
            self, title, "replies", lambda file: self._begin(self._choice(run, file)), self._session.path
        )

    def _show_prompts(self) -> None:

        if self.chosen is not None:
            PromptsDialog(self._session, self.chosen.name, self).open()

    def _choose_out(self) -> None:
        ask_save(self, "Export replies", "replies", self.export_to, self._session.path, "replies.jsonl")

    def _server(self) -> tuple[QWidget, QWidget]:
        self.host = named(QLineEdit(default_host()), "Server address")
        self.host.textChanged.connect(lambda _: self._choose())
        self.key = KeyFile()
        self._server_row = QWidget()
        words = labelled("Ser&ver to go on with:", self.host)
        self._server_row.setLayout(field_rows((words, self.host), (self.key.words, self.key)))
        self.allow = QCheckBox()
        self.allow.setProperty("machines", "")
        self.allow.toggled.connect(lambda _: self._check())
        return self._server_row, self.allow


def _cells(row: RunRow, busy: bool) -> tuple[str, ...]:
    calls = ", ".join(f"{number} {state}" for state, number in row.calls.items())
    calls = calls or ("–" if row.kind == "rules" else "none")
    return row.name, state_in_words(row, busy), calls, here(row.started_at)[:16], ", ".join(row.remotes)


def state_in_words(row: RunRow, busy: bool) -> str:
    """How a run ended, or what has become of it; `busy` where some work is under way now."""
    if row.state == "running":
        return "under way, or broken off" if busy else "broken off"
    if row.state == "done":
        return "done, with gaps" if row.unfinished else "done"
    return {"cancelled": "stopped", "failed": "ended with failures"}[row.state]


def about_run(run: RunRow) -> str:
    parts = [run.about] if run.about else []
    if run.remotes:
        parts.append(f"The reports' text went to {', '.join(run.remotes)}.")
    if run.kind == "rules":
        parts.append("Run the rules again to have them read new reports.")
    elif not run.unfinished:
        parts.append("Every call was answered in full.")
    elif run.task != QUOTES:
        parts.append("This run asked something else than to extract; whatever began it goes on with it.")
    elif run.options is None:
        parts.append(
            "This run cannot go on: prompts or settings have changed since, or a later run is alike."
        )
    elif run.about:
        parts.append(
            "Some calls failed, were cut or are missing; “Go on” asks for a recording that has them."
        )
    else:
        parts.append("Some calls failed, were cut or are missing; “Go on” makes them.")
    return " ".join(parts)


_PROMPT_LINES, _SHARES = 24, (1, 2)


class PromptsDialog(FormDialog):
    """The prompts of one run: a list by report and category, and beside it the words of the chosen one."""

    guide = "extract"

    def __init__(self, session: ProjectSession, run: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Prompts of {run}", parent)
        self._prompts: tuple[AskedPrompt, ...] = ()
        self.about = plain_label("Reading…", "About the prompts")
        self.list = named(QListWidget(), "Prompts")
        self.list.setUniformItemSizes(True)
        self.list.currentRowChanged.connect(self._choose)
        self.text = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "The prompt")
        parts = split(Qt.Orientation.Horizontal, self.list, self.text, shares=_SHARES)
        parts.setMinimumHeight(_PROMPT_LINES * self.fontMetrics().lineSpacing())
        self.lay_out(self.about, parts, wide=parts)
        self.copy_button = self.add_button("C&opy", Role.ActionRole, self._copy)
        self.add_button("&Close", Role.RejectRole, default=True)
        self._choose(-1)
        self._read(session, run)

    def _read(self, session: ProjectSession, run: str) -> None:
        from app.operations.extract.calling.asked import list_prompts

        session.worker.ask(lambda p: list_prompts(p, run)[-1], self._show, self.about.setText)

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
