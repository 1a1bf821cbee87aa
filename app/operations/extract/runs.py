"""The runs of a project as a list: how far each came; and their replies, to be played again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.formats.writing import write_atomically
from app.operations.extract.calling.ledger import ASKS, Ledger
from app.operations.extract.options import IDENTITY, ModelOptions, is_extraction, setting
from app.operations.project.caveats import about_of
from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name
from app.store.annotate.annotators import annotator
from app.store.extract.runs import (
    CallRecord,
    GenerationState,
    Run,
    RunKind,
    RunState,
    count_generations,
    remote_answers,
    runs,
)
from app.store.faults import sound
from app.store.project import Project
from app.store.reports.counting import answered_cells
from app.store.reports.documents import document_summaries
from extractors.llm.backends.recording import Recording, write_recording
from extractors.llm.types import KEEP_ALIVE, ModelCard, Outcome, ShownPart, Subject
from extractors.model.errors import ProjectError, UnknownNameError


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the rules or a model; `state` "running" means under way, or broken off.

    `about` must stand wherever its replies are shown ("" for a model's own), `remotes` are the machines that
    texts went to. `calls` counts prompts by the state of their best answer. `unfinished`: it did not come to
    its end, calls failed or were cut, or some of what it was asked for has no answer. `options` are those by
    which `extract_with_model` takes it up again, with the client that it began with; None for the rules, and
    where this program would begin another run, since prompts or sampling are others or a later run is alike,
    and for a `task` of a model that is no extraction.
    """

    name: str
    kind: RunKind
    task: str
    state: RunState
    started_at: str
    finished_at: str | None
    about: str
    remotes: tuple[str, ...]
    calls: Mapping[GenerationState, int]
    unfinished: bool
    options: ModelOptions | None


def list_runs(project: Project) -> tuple[RunRow, ...]:
    """Every run over reports, the earliest first; raises DamagedProjectError where one is unreadable."""
    found = [run for run in runs(project) if not {"study", "layer"} & run.settings.keys()]
    key_of = {report.uuid: report.key for report in document_summaries(project)}
    counted, remotes, answered = count_generations(project), remote_answers(project), answered_cells(project)
    rows = []
    for number, run in enumerate(found):
        calls = calls_of(run, counted)
        with sound(project.path, f"the record of the run {run.name}"):
            options = _options(project, run, found[number + 1 :], key_of)
        open_calls = calls.keys() - {"done"}
        unfinished = (
            bool(open_calls) or run.state != "done" or _lacks_answers(run, key_of, answered.get(run.uuid, {}))
        )
        rows.append(
            RunRow(
                name=run.name,
                kind=run.kind,
                task=str(setting(run.settings, "task")) if run.kind == "model" else "",
                state=run.state,
                started_at=run.started_at,
                finished_at=run.finished_at,
                about=about_of(run.settings),
                remotes=remotes_of(run, remotes),
                calls=calls,
                unfinished=unfinished,
                options=options,
            )
        )
    return tuple(rows)


def calls_of(run: Run, counted: Counter[tuple[str, GenerationState]]) -> dict[GenerationState, int]:
    """How many answers a run has in each state, without calls that were divided: their parts count.

    `counted` is what `count_generations` gives.
    """
    return {
        state: number
        for (uuid, state), number in sorted(counted.items())
        if uuid == run.uuid and state != "divided"
    }


def remotes_of(run: Run, answered: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The other machines that a run was sent to, or that its answers came from.

    `answered` is what `remote_answers` gives.
    """
    declared = run.settings.get("remote")
    return tuple(dict.fromkeys([*([declared] if declared else []), *answered.get(run.uuid, ())]))


def _lacks_answers(run: Run, documents: Mapping[str, str], answered: Mapping[str, set[str]]) -> bool:
    """Whether there are reports and categories that a run of a model was asked for and has no answer to."""
    if run.kind != "model":
        return False
    asked = set(run.settings.get("asked", ()))
    at_once = {""} if run.settings.get("strategy") == "ugp" else set[str]()
    scope = run.settings.get("documents") or documents
    return any(
        not (asked <= answered.get(one, set()) or at_once & answered.get(one, set()))
        for one in scope
        if one in documents
    )


def _options(
    project: Project, run: Run, later: Sequence[Run], key_of: Mapping[str, str]
) -> ModelOptions | None:
    settings = run.settings
    if not is_extraction(run) or any(_alike(run, other) for other in later):
        return None
    scope = settings.get("documents", ())
    reports = tuple(key_of[one] for one in scope if one in key_of)
    if scope and not reports:
        return None
    options = ModelOptions(
        settings["model"],
        settings["strategy"],
        settings["prompting"],
        documents=reports,
        categories=tuple(settings["asked"]),
        seed=settings["options"]["seed"],
        think=settings["think"],
        resume=True,
        context=settings["context"],
        temperature=settings["options"].get("temperature", 0.0),
        parallel=settings.get("parallel", 1),
        keep_alive=settings.get("keep_alive", KEEP_ALIVE),
        gpu_layers=settings.get("machine", {}).get("num_gpu"),
        threads=settings.get("machine", {}).get("num_thread"),
        sections=settings.get("sections", "headings"),
    )
    same = options.sampling() == settings["options"] and _prompts(project, run) == settings["prompts_sha256"]
    return options if same else None


def _alike(run: Run, other: Run) -> bool:
    return other.kind == "model" and all(
        setting(run.settings, key) == setting(other.settings, key) for key in IDENTITY
    )


def _prompts(project: Project, run: Run) -> str:
    """The hash of the prompts as this program would put them."""
    # Imported here because templates are of no use to a project without model runs.
    from extractors.tasks.prompting.prompts import PromptSet

    return PromptSet(project.scheme, run.settings["prompting"]).sha256


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
