"""Write a model run's replies to a file, from which they can be played again without the model."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from app.formats.writing import write_atomically
from app.operations.extract.calling.ledger import ASKS, Ledger
from app.operations.extract.options import is_extraction
from app.operations.project.caveats import about_of
from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name
from app.store.annotate.annotators import annotator
from app.store.extract.runs import CallRecord, Run, runs
from app.store.project import Project
from app.store.reports.documents import document_summaries
from extractors.llm.backends.recording import Recording, write_recording
from extractors.llm.types import ModelCard, Outcome, ShownPart, Subject
from extractors.model.errors import ProjectError, UnknownNameError


def record_replies(where: Project | Path, out: Path, name: str) -> int:
    """Write the best reply to each prompt of the run `name` to `out`; returns how many.

    Raises UnknownNameError where there is no such model run, ProjectError where it was played from a
    recording itself or where `out` is refused, and StorageError. Of a report that was shown in parts it is
    written which, since another program would hardly divide it alike.
    """
    require_writable_name(out)
    with opened(where) as project:
        run = next((run for run in runs(project) if run.name == name and run.kind == "model"), None)
        if run is None:
            annotator(project, name)
            raise UnknownNameError(f"{name} is no run of a model; only such a run has replies.")
        if "study" in run.settings:
            raise ProjectError(f"{name} answers a study: write its answers with casespan study answers.")
        if about_of(run.settings):
            raise ProjectError(f"{name} was played from a recording itself; copy that file.")
        key_of = {report.uuid: report.key for report in document_summaries(project)}
        answers = [a for a in Ledger(project, run).answers if a.prompt_sha256 and a.state != "cancelled"]
    replies = {_subject(answer, key_of): _outcome(answer) for answer in answers}
    shown: dict[tuple[str, tuple[str, ...]], list[ShownPart]] = defaultdict(list)
    for answer in answers:
        subject = _subject(answer, key_of)
        if subject.parts > 1:
            spans = tuple((start, end) for start, end in answer.details["spans"])
            part = ShownPart(answer.part, answer.parts, spans)
            of_report = shown[subject.report, subject.asks]
            of_report += [] if part in of_report else [part]
    recording = _recording(run, replies)
    recording = replace(recording, shown={key: tuple(parts) for key, parts in shown.items()})
    write_atomically(out, write_recording(recording))
    return len(replies)


def _recording(run: Run, replies: dict[Subject, Outcome]) -> Recording:
    settings = run.settings
    card = ModelCard(
        settings["model"],
        digest=settings["digest"],
        quantisation=settings["quantisation"],
        server=settings["server"],
    )
    about = f"Replies of {run.name}, played from the recording of a run begun on {run.started_at}."
    if not is_extraction(run):
        return Recording(about, False, card, replies, task=settings["task"])
    return Recording(about, False, card, replies, settings["strategy"], settings["prompting"])


def _subject(answer: CallRecord, key_of: dict[str, str]) -> Subject:
    asks = tuple(answer.details[ASKS])
    return Subject(key_of[answer.subject], asks, answer.part, answer.parts, answer.again)


def _outcome(answer: CallRecord) -> Outcome:
    details = answer.details
    return Outcome(
        text=answer.raw_reply or "",
        thinking=details.get("thinking", ""),
        done_reason=answer.done_reason,
        error=answer.error,
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        load_seconds=details["load_seconds"],
        prefill_seconds=details["prefill_seconds"],
        reply_seconds=details["reply_seconds"],
    )
