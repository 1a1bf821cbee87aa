"""Reports given out to annotators as packets, and packets and copies brought back together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.dialogs.fields import Ask, Form, asked, number, text
from app.gui.dialogs.files import ask_open, file_dialog
from app.gui.dialogs.forms import FormDialog, Role, plain_label, sentence
from app.gui.dialogs.project.summary import Part, SummaryDialog
from app.gui.dialogs.watching import busy_sentence, follow
from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.operations.exchange.merging import Merged, bring_together, describe_merge
from app.operations.exchange.packets import CutPacket, cut_packets
from app.operations.project.encryption import is_encrypted
from app.operations.project.reports import Given, list_assignments
from app.text import counted

_MERGE, _PACKETS = "Merge other copies", "Make packets for annotators"
_PAGE = "two-people"
_ABOUT = "You can go on reading; what you change is saved when this has ended."


def ask_to_merge(session: ProjectSession, parent: QWidget) -> None:
    """Ask for packets and copies, show what they would bring, and bring that in where it is wanted."""
    problem = busy_sentence(session)
    if problem:
        session.failed.emit(problem)
        return
    dialog = file_dialog(parent, _MERGE, "copies", session.path)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters(["Casespan projects (*.casespan)"])
    dialog.filesSelected.connect(lambda names: merge(session, [Path(name) for name in names], parent))
    dialog.open()


def merge(session: ProjectSession, others: Sequence[Path], parent: QWidget, *, preview: bool = True) -> Job:
    """Bring copies together and show what came of it; a preview can be gone on from."""
    given = list(others)
    job = session.worker.begin(_MERGE, lambda project: bring_together(project, given, preview=preview))

    def done(merged: Merged) -> None:
        shown = MergeDialog(merged, parent, preview=preview)
        shown.accepted.connect(lambda: merge(session, given, parent, preview=False))
        shown.open()

    _follow(job, session, parent, done, "nothing was brought in")
    return job


class MergeDialog(SummaryDialog):
    """What copies bring or would bring, what waits in the queue, and what was not brought in and why."""

    guide = _PAGE

    def __init__(self, merged: Merged, parent: QWidget | None = None, *, preview: bool) -> None:
        headline, *sentences = describe_merge(merged, preview=preview)
        conflicts = [f"{one.report}  {one.kind}  {one.annotator} / {one.copy}" for one in merged.conflicts]
        refused = [one.sentence for one in merged.refused]
        words = sentences[: len(sentences) - len(refused)]
        parts = [Part("Changed on both sides", conflicts), Part("Not brought in", refused)]
        super().__init__(_MERGE, headline, words, parts, parent)
        if not preview or not merged.brings:
            return
        self.bring_button = self.add_button("&Bring together", Role.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.close_button.setText("&Leave all as it is")


@dataclass(frozen=True, slots=True)
class _Packets:
    """Who gets packets, and how many of them each report goes to."""

    names: str = asked("", Ask(text, "&Annotators:", below="One name a line.", lines=5))
    overlap: int | None = asked(
        None,
        Ask(
            number,
            "&Each report goes to:",
            least=1,
            nothing="everybody",
            below="Fewer than all: each report goes to as many, so that all have about as many words.",
        ),
    )
    seed: int = asked(
        0,
        Ask(number, "&Seed:", below="Another number gives the reports out otherwise.", advanced=True),
    )


class PacketsDialog(FormDialog):
    """Who gets which reports; then the folder for the packets."""

    columns = 80
    guide = _PAGE

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(_PACKETS, parent)
        self._session = session
        about = plain_label(
            "Each annotator gets a project file with reports and guidelines, and without anybody else's "
            "work. When the files come back, “Merge other copies” takes in what is in them."
        )
        self.given = plain_label()
        self.given.hide()
        session.worker.ask(list_assignments, self._say_given)
        self.form = Form(_Packets())
        self.lay_out(about, self.given, self.form, None)
        self.cut_button = self.add_button("Choose folder and ma&ke…", Role.ActionRole, default=True)
        self.add_cancel()
        self.cut_button.clicked.connect(
            lambda: ask_open(
                self, _PACKETS, "packets", lambda name: self.cut(Path(name)), session.path, folder=True
            )
        )
        self.form.changed.connect(self._check)
        session.worker.job_changed.connect(self._check)
        self._check()

    @property
    def names(self) -> list[str]:
        return [name for line in self.form.value.names.splitlines() if (name := line.strip())]

    def cut(self, folder: Path) -> None:
        """Write the packets into a folder and show what they hold; where that fails, what was typed stays."""
        wanted, names, session = self.form.value, self.names, self._session
        parent = self.parentWidget()
        job = session.worker.begin(
            _PACKETS,
            lambda project: cut_packets(project, folder, names, overlap=wanted.overlap, seed=wanted.seed),
        )

        def done(packets: tuple[CutPacket, ...]) -> None:
            self.accept()
            lines = [
                f"{one.annotator}: {counted(one.reports, 'report')}, {counted(one.words, 'word')}, {one.file}"
                for one in packets
            ]
            words = f"{counted(len(packets), 'packet')} written to {folder}."
            about = (
                ["A packet opens with the passphrase of this project."] if is_encrypted(session.path) else []
            )
            shown = SummaryDialog(_PACKETS, words, about, [Part("Packets", lines)], parent)
            shown.guide = _PAGE
            shown.open()

        self.hide()
        for back in (job.failed, job.stopped):
            back.connect(self.open)
        _follow(job, session, parent, done, "no packet was written")

    def _say_given(self, given: Sequence[Given]) -> None:
        """Who has what already, how far, at what pace."""
        self.given.setText("\n".join(sentence(one.sentence) for one in given))
        self.given.setVisible(bool(given))

    def _check(self) -> None:
        problem = busy_sentence(self._session)
        self.say(problem or ("" if self.names else "Name at least one annotator."))
        self.cut_button.setEnabled(not problem and bool(self.names))


def _follow(
    job: Job, session: ProjectSession, parent: QWidget | None, done: Callable[[Any], None], nothing: str
) -> None:
    stop, stopped = f"If you stop it, {nothing}.", partial(session.message.emit, f"Stopped; {nothing}.")
    follow(job, parent, _ABOUT, stop, done, stopped, f"{nothing.capitalize()}.", session.reload)
