"""Let a language model name the terms of reports, as suggestions of a run of its own."""

from __future__ import annotations

import json
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.extract.calling.asking import Answered, Asking
from app.operations.extract.options import RunOptions
from app.operations.extract.run_task import run_task, summarise
from app.operations.profile.profile import RELATIVE, TERMINOLOGY, PhenotypeRun, profile_of
from app.operations.project.opening import opened
from app.store.annotate.annotations import Annotation, add_annotations, delete_annotations, read_annotations
from app.store.annotate.annotators import annotator
from app.store.extract.runs import Run, runs
from app.store.reports.documents import document_summaries, documents
from app.studies.lines import read_lines
from extractors.llm.models import same_model
from extractors.llm.types import Client, ModelCard, Outcome, Subject
from extractors.model.coding import Coding
from extractors.model.errors import CallError, ReplayError
from extractors.phenotypes.engine import telling
from extractors.rules import PolarityReader
from extractors.tasks import PHENOTYPES
from extractors.tasks.findings import Part, ReportReader
from extractors.tasks.phenotypes import PhenotypesTask
from extractors.tasks.replies import ReplyQuote
from extractors.tasks.term_forms import NamedTerm
from extractors.terminology.exact import without_codes
from extractors.terminology.library import shipped_hpo

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.act import Act
    from app.store.project import Project
    from extractors.llm.backends.replay import ReplayClient
    from extractors.model.finding import Finding
    from extractors.model.progress import Progress
    from extractors.tasks.prompting.variants import Level, TermPrompting
    from extractors.terminology.index import Terminology

_HEADER = "casespan_replies"
_CONTEXT = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TermOptions(RunOptions):
    """What is asked of a model beside: terms at once ("pte"), entities alone ("gee"), or the terms of what
    `entities`, an annotator, has found ("ges"; "" for what the same model found as entities)."""

    level: Level = "pte"
    prompting: TermPrompting = "zero-shot"
    entities: str = ""


def ask_for_phenotypes(
    where: Project | Path, client: Client, options: TermOptions
) -> Generator[Progress, None, PhenotypeRun]:
    """Ask a model for the terms of reports, and keep what it says with places and terms as far as there are.

    Works and raises as `run_task`; CallError where "ges" has no entities, or "gee" is offered terms.
    """
    with opened(where, write=True) as project:
        ended = yield from run_task(project, client, options, lambda: _asking(project, options))
        work = ended.work
        summary = summarise(project, work, ended.made, ended.stopped)
        profiles = tuple(profile_of(project, report.uuid, project.owner) for report in work.reports)
        unnamed = {report.key: _unnamed(project, work.run, report) for report in work.reports}
        own = {report.key: profile_of(project, report.uuid, summary.annotator) for report in work.reports}
        run = PhenotypeRun(
            *(summary.annotator, work.task.version, shipped_hpo().release, profiles),
            unnamed=unnamed,
            own=own,
            model=summary,
        )
        for profile in profiles:
            summary.findings[profile.report] = len(run.suggestions(profile)) + len(unnamed[profile.report])
        return run


def _unnamed(project: Project, run: Run | None, report: Source) -> tuple[Annotation, ...]:
    """What a run has in a report that stands for no term."""
    if run is None:
        return ()
    found = read_annotations(project, report.uuid, run.annotator, "phenotype")
    return tuple(one for one in found if not one.concepts)


def _asking(project: Project, options: TermOptions) -> Asking:
    terminology = shipped_hpo()
    if f"{options.level}/{options.prompting}" not in PhenotypesTask.variants():
        raise CallError("Entities have no terms to choose from: --prompting retrieval is for pte and ges.")
    given = _entities(project, options) if options.level == "ges" else {}
    task = PhenotypesTask(
        terminology, options.level, options.prompting, lambda text: given.get(text, ((), ""))[0]
    )
    names = sorted({name for _, name in given.values()})
    return Asking(
        task=task,
        label=f"phenotypes/{options.level}/{options.prompting}",
        questions=(options.level,),
        identity={
            "level": options.level,
            "prompting": options.prompting,
            "prompts_sha256": task.sha256,
            "release": terminology.release,
            "entities": names,
        },
        keep=TermKeeper(terminology, options.level),
        settings={"layer": "phenotype"},
    )


def _entities(project: Project, options: TermOptions) -> dict[str, tuple[tuple[str, ...], str]]:
    """By text of a report the entities that are to be named, and whose they are."""
    same = (
        run.name
        for run in reversed(runs(project))
        if run.settings.get("level") == "gee" and same_model(str(run.settings.get("model")), options.model)
    )
    name = options.entities or next(same, "")
    if not name:
        raise CallError(
            f"There are no entities to name: run --level gee with {options.model} first, or say with "
            "--entities whose they are, such as phenotypes/rules."
        )
    run = next((run for run in runs(project) if run.name == name), None)
    holder = run.annotator if run else annotator(project, name).uuid
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    for report in documents(project):
        own = read_annotations(project, report.uuid, holder, layer="phenotype")
        found[report.document.text] = tuple(dict.fromkeys(one.finding.quote for one in own)), name
    if not any(quotes for quotes, _ in found.values()):
        raise CallError(f"{name} has no entities in any report; name another with --entities.")
    return found


class TermKeeper:
    """Grounds what answers quote, reads its polarity and of whom it is said off the text, and writes it down.

    What is no term stays as the model said it, without a concept, and says so.
    """

    def __init__(self, terminology: Terminology, level: Level) -> None:
        self._terminology, self._level = terminology, level
        self._polarities: PolarityReader | None = None

    def __call__(
        self, act: Act, run: Run, report: Source, answered: Sequence[Answered], asked: Collection[str]
    ) -> None:
        """Put what was answered in the place of what the run had there; no reply changes nothing."""
        for one in answered:
            if not one.calls or any(record and record.raw_reply for record, _ in one.calls):
                self._write(act, run.annotator, report, self._terms_by_part(one))

    def _terms_by_part(self, answered: Answered) -> list[tuple[list[NamedTerm], list[tuple[int, int]]]]:
        """What each part of the report brought, with what was shown in it."""
        found = []
        for record, form in answered.calls:
            if record is None or not record.raw_reply:
                continue
            value = form.read(record.raw_reply).value or ()
            parts = [NamedTerm(one, one) if self._level == "gee" else NamedTerm(**one) for one in value]
            shown = [(start, end) for start, end in record.details.get("spans", ())]
            # Entities that the reply says nothing of stay with whom they are of.
            found.append(([one for one in parts if one.said], shown))
        return found

    def _write(
        self,
        act: Act,
        holder: str,
        report: Source,
        parts: Sequence[tuple[Sequence[NamedTerm], Sequence[tuple[int, int]]]],
    ) -> None:
        known: dict[str, NamedTerm] = {}
        quoted: list[Part] = []
        for words, shown in parts:
            quotes = []
            for one in words:
                # Two terms of one quote are two findings; entities of one place are one. A term may be denied
                # at one place and be there at another.
                key = "" if self._level == "gee" else f"{'no ' * one.denied}{one.code or one.said}"
                known.setdefault(key, one)
                quotes.append(ReplyQuote(key, "", _words(one)))
            quoted.append((quotes, shown))
        if self._polarities is None:
            self._polarities = PolarityReader()
        placed = ReportReader(report.document, self._polarities).place_quotes(quoted)
        placed.sort(key=lambda one: (one[0].start is None, one[0].start or 0, one[0].end or 0))
        meant = [known[finding.category] for finding, _ in placed]
        release = self._terminology.release
        lost = [bool(one.said) and not one.code and self._level != "gee" for one in meant]
        delete_annotations(act, report.uuid, holder, layer="phenotype")
        add_annotations(
            act,
            report.uuid,
            holder,
            [self._finding(report, *pair) for pair in zip((one for one, _ in placed), meant, strict=True)],
            "model",
            groundings=[grounding for _, grounding in placed],
            notes=[
                f"HPO {release} has no term “{one.said}”." if unknown else ""
                for one, unknown in zip(meant, lost, strict=True)
            ],
            sources=[
                json.dumps({"said": one.said}, ensure_ascii=False) if unknown else ""
                for one, unknown in zip(meant, lost, strict=True)
            ],
            concepts=[(self._coding(one),) if one.code else () for one in meant],
            layer="phenotype",
        )

    def _finding(self, report: Source, placed: Finding, meant: NamedTerm) -> Finding:
        """Without the key that told it apart, with whom it is said of, and what the reply denies."""
        field = RELATIVE if _of_relative(report.document.text, placed) else ""
        return replace(
            placed, category="", field=field, polarity="negated" if meant.denied else placed.polarity
        )

    def _coding(self, one: NamedTerm) -> Coding:
        uri = self._terminology.concept(one.code).uri
        return Coding(TERMINOLOGY, self._terminology.release, one.code, one.label, uri, "model")


def _of_relative(text: str, finding: Finding) -> bool:
    """Whether a finding with a place is said of a relative."""
    return (
        finding.start is not None and finding.end is not None and telling(text, finding.start, finding.end)[1]
    )


def _words(one: NamedTerm) -> str:
    """What is looked for in the text: the quote, or where there is none the term in the model's words."""
    return one.quote or " ".join(without_codes(one.said).split()) or one.label or one.said


def replay_terms(where: Project | Path, path: Path, level: Level) -> tuple[ReplayClient, str]:
    """A client that gives recorded replies, and the name of the model; raises ReplayError.

    The file is a recording as `export --format replies` writes it, or has {"item","reply"} a line, an item
    being a report.
    """
    from extractors.llm.backends.replay import Recording, ReplayClient, read_recording

    lines = read_lines(path)
    if lines and _HEADER in lines[0]:
        recording = read_recording(path)
        if recording.task != PHENOTYPES:
            raise ReplayError(f"{path} holds replies to another task ({recording.task}); it names no terms.")
        return ReplayClient(recording, path.name), recording.model
    with opened(where) as project:
        known = {report.key for report in document_summaries(project)}
    replies: dict[Subject, Outcome] = {}
    for number, line in enumerate(lines, start=1):
        item, reply = line.get("item"), line.get("reply")
        if not isinstance(item, str) or not isinstance(reply, str):
            raise ReplayError(f'{path}, reply {number}, needs an "item" and its "reply"; mend it.')
        if item not in known:
            raise ReplayError(f"{path}, reply {number}, is to {item!r}, which is no report here.")
        if Subject(item, (level,)) in replies:
            raise ReplayError(f"{path}, reply {number}, repeats one that stands above it; mend it.")
        replies[Subject(item, (level,))] = Outcome(text=reply, done_reason="stop")
    card = ModelCard(path.stem or "replies", context=_CONTEXT)
    recording = Recording(f"Replies read from {path.name}.", False, card, replies, task=PHENOTYPES)
    return ReplayClient(recording, path.name), card.name
