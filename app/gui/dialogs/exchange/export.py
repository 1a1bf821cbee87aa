"""Write one annotator's annotations to a file for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.formats import format_of, write_formats
from app.gui.dialogs.fields import Ask, Form, asked, choice
from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import FormDialog, Role, fold, named, plain_label, sentence
from app.gui.shell.lines.job_line import JobLine
from app.gui.widgets.plain import one_line, quoted
from app.operations.exchange.exporting import (
    ExportSummary,
    Selection,
    describe_export,
    expecting_losses,
    exporting_annotations,
)
from app.operations.project.identifiers import (
    Suspected,
    find_identifiers,
    identifiers_sentence,
    written_identifiers,
)
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.jobs import Job
    from app.gui.session.project_session import ProjectSession
    from app.operations.project.files import ProjectOverview

_OUTCOME_LINES = 3
_MEANT = "meant"
_LOSSES = "losses of an export"
_STOPPED = "The export was stopped; nothing was written."


# What loses nothing comes first.
_FORMATS = sorted(write_formats(), key=lambda one: not one.lossless)


@dataclass(frozen=True, slots=True)
class Export:
    """Whose annotations are written, of which reports, and as what."""

    annotator: str | None = asked(None, Ask(choice, "&Annotations of:", "Annotator", below={}))
    reports: str = asked("", Ask(choice, "&Reports:", choices=[("All reports", "")]))
    format: str = asked(
        _FORMATS[0].id,
        Ask(
            choice,
            "For&mat:",
            below={one.id: one.about for one in _FORMATS},
            choices=[(one.label, one.id) for one in _FORMATS],
            letters=0,
        ),
    )


class ExportDialog(FormDialog):
    """Format, whose annotations, and then the file."""

    guide = "export"

    def __init__(
        self,
        session: ProjectSession,
        parent: QWidget | None = None,
        meant: Sequence[str] = (),
        annotator: str | None = None,
    ) -> None:
        """`meant` are the reports (keys) that are chosen in the list, or the open one; `annotator` is chosen
        at first, where there is one of that name."""
        super().__init__("Export annotations", parent)
        self._session, self._meant, self._annotator = session, tuple(meant), annotator
        self._overview: ProjectOverview | None = None
        self._found: Mapping[str, tuple[Suspected, ...]] = {}
        self._writing = False
        self._job: Job | None = None
        self.form = Form(Export())
        chosen = meant[0] if len(meant) == 1 else f"The {len(meant)} chosen in the list"
        self.form.offer("reports", [("All reports", ""), *([(chosen, _MEANT)] if meant else [])])
        self.form.show_below("annotator", "Counting…")
        self.form.changed.connect(self._offer_people)
        self.form.changed.connect(self._tell_progress)
        self.form.changed.connect(self._look_for_losses)
        self.outcome = plain_label(name="Result", lines=_OUTCOME_LINES)
        self.warning = plain_label(name="What may tell who a patient is")
        self.suspected = named(
            QPlainTextEdit(readOnly=True, tabChangesFocus=True), "Words that may tell who a patient is"
        )
        self.look = fold("&Which words these are", self.suspected)
        self.look.hide()
        self.watch = JobLine()
        self.lay_out(self.form, self.outcome, self.warning, self.look, self.suspected, self.watch, None)
        self.export_button = self.add_button(
            "Choose file and &export…", Role.ActionRole, self._choose_file, default=True
        )
        self.export_button.setEnabled(False)
        self.add_button("&Close", Role.RejectRole)
        from app.operations.project.files import list_project

        session.worker.ask(list_project, self._show, self.say)
        session.worker.query(
            "Looking for patients' names and dates",
            find_identifiers,
            self._warn,
            latest="identifiers",
        )

    def export_to(self, out: Path) -> None:
        """Write to a file; who chose it has been asked about one that is there already."""
        wanted = self.form.value
        name, file_format = wanted.annotator or "", wanted.format
        selection = self._selection(wanted)
        self._session.worker.drop(_LOSSES)
        self._writing = True
        self._check()
        self.outcome.setText("Writing…")
        self._job = self.watch.query(
            self._session.worker,
            "Export",
            lambda project: exporting_annotations(project, out, file_format, name, selection),
            lambda summary: self._written(summary, name),
            self._failed,
            latest="export",
        )

    def done(self, result: int) -> None:
        """Nothing would show any more how far an export is, or stop it: it stops, and that is said."""
        if self._job is not None and self._job.running:
            self._job.stopped.connect(partial(self._session.message.emit, _STOPPED))
            self._job.cancel()
        super().done(result)

    def _selection(self, wanted: Export) -> Selection:
        return Selection(self._meant if wanted.reports == _MEANT else ())

    def _look_for_losses(self) -> None:
        """Say what the format has no place for before it is chosen where to write."""
        wanted = self.form.value
        name, selection = wanted.annotator, self._selection(wanted)
        if self._writing or not name:
            return
        self.outcome.setText("")
        self._session.worker.query(
            "Reading what the format holds",
            lambda project: expecting_losses(project, wanted.format, name, selection),
            self._show_losses,
            # Why nothing can be read is said where it is to be written.
            lambda _: None,
            latest=_LOSSES,
        )

    def _show_losses(self, losses: Sequence[str]) -> None:
        if not self._writing:
            self.outcome.setText("\n".join(losses) or "The format has a place for all of it.")
            self.grow()

    def _show(self, overview: ProjectOverview) -> None:
        self._overview = overview
        self._offer_people()
        self._tell_progress()
        self._look_for_losses()

    def _warn(self, found: Mapping[str, tuple[Suspected, ...]]) -> None:
        self._found = found
        self._tell_suspected()

    def _tell_suspected(self) -> None:
        """Say what may tell who a patient is in what is written, and list it for whoever wants to see it."""
        wanted = self.form.value
        found = written_identifiers(self._found, wanted.annotator or "", wanted.format)
        if meant := self._selection(wanted).documents:
            found = {key: report for key, report in found.items() if key in meant}
        self.warning.setText(identifiers_sentence(found))
        self.suspected.setPlainText(
            "\n".join(
                f"{key}, {one.kind} in the {one.where}: {quoted(one_line(one.text))}"
                for key, report in found.items()
                for one in report
            )
        )
        self.look.setVisible(bool(found))
        self.grow()

    def _holder(self) -> str | None:
        """Whoever is chosen (UUID), None for a run that named terms alone."""
        people = self._overview.annotators if self._overview is not None else ()
        return next((one.uuid for one in people if one.name == self.form.value.annotator), None)

    def _offer_people(self) -> None:
        """Whoever has something, oneself first, then gold; a format of profiles has those of runs as well."""
        overview, wanted = self._overview, self.form.value
        if overview is None:
            return
        totals: Counter[str] = Counter()
        for (_, holder), number in overview.annotations.items():
            totals[holder] += number
        own = self._session.annotator
        people = sorted(
            overview.annotators,
            key=lambda one: (not totals[one.uuid], one.name != own, one.kind != "gold"),
        )
        offered = [(f"{one.name}  ({counted(totals[one.uuid], 'annotation')})", one.name) for one in people]
        if format_of(wanted.format).profile:
            offered += [(f"{one.name}  (terms)", one.name) for one in overview.namers]
        self.form.offer("annotator", offered, wanted.annotator or self._annotator)

    def _tell_progress(self) -> None:
        overview, name = self._overview, self.form.value.annotator
        if overview is None:
            return
        holder = self._holder()
        if name and holder is None:
            self.form.show_below("annotator", "The profile as the run found it, judged by nobody.")
        elif holder is None or not overview.documents:
            self.form.show_below(
                "annotator", "Nobody has annotated anything yet; there is nothing to export."
            )
        else:
            reviews = [review for review in overview.reviews if review.annotator == holder]
            states = Counter[str](review.state for review in reviews)
            states["untouched"] += len(overview.documents) - len(reviews)
            annotated = {review.document for review in reviews if review.looked_at}
            annotated |= {document for document, who in overview.annotations if who == holder}
            every = ("done", "in progress", "parked", "untouched")
            parts = ", ".join(f"{states[one]} {one}" for one in every if states[one])
            left = len(overview.documents) - len(annotated)
            said = f"{counted(len(overview.documents), 'report')}: {parts}"
            # Those may still be written, for regions on pictures or labels of other programs.
            said += f"; {left} not annotated." if left else "."
            self.form.show_below("annotator", said)
        self._tell_suspected()
        self._check()

    def _check(self) -> None:
        self.export_button.setEnabled(bool(self.form.value.annotator) and not self._writing)

    def _choose_file(self) -> None:
        known = format_of(self.form.value.format)
        suffix = "" if known.folder else known.suffixes[0]
        path = self._session.path
        name = f"{path.stem}{suffix or f'-{known.id}'}"
        kinds = [f"{known.label} (*{suffix})"] if suffix else []
        ask_save(self, "Export annotations", "exports", self.export_to, path, name, *kinds, suffix=suffix)

    def _written(self, summary: ExportSummary, name: str) -> None:
        self._writing = False
        first, *more = describe_export(summary, name)
        checked = [summary.checked] if summary.checked else []
        self.outcome.setText("\n".join([first, *checked, *(sentence(line) for line in more)]))
        self.grow()
        self.say("")
        self._check()

    def _failed(self, problem: str) -> None:
        self._writing = False
        self.outcome.setText("")
        self.say(problem)
        self._check()
