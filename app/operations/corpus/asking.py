"""Have models extract from a corpus: each part is a project for as long as it is asked about.

The engine of `casespan extract` makes the calls, at all servers, and keeps every answer in that project: a
run that was killed in the middle of a part asks nothing twice.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from itertools import count
from math import exp
from pathlib import Path
from shutil import rmtree
from statistics import fmean
from typing import TYPE_CHECKING

from app.operations.corpus.extracting import Run, begun
from app.operations.corpus.reading import Answer, Coder, Found, Job, Row, row_of, versions_of
from app.operations.corpus.workers import Reader
from app.operations.exchange.importing import import_filter
from app.operations.extract.calling.ledger import ASKS
from app.operations.extract.options import ModelOptions
from app.operations.extract.quotes import extract_with_model
from app.operations.profile.asked import TermOptions, ask_for_phenotypes
from app.store import database
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.creation import create_project_file, remove_project
from app.store.extract.runs import CallRecord, generations, runs
from app.store.project import Project
from app.store.reports.documents import add_document, documents
from extractors.model.errors import CasespanError, ServerError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.corpus.extracting import CorpusOptions, CorpusSummary
    from app.operations.corpus.inputs import Bundle
    from extractors.llm.backends.several import SeveralServers

_ASKED = ".asked"
_NAMED = 16


def ask_corpus(
    paths: Sequence[Path],
    out: Path,
    options: CorpusOptions,
    client: SeveralServers,
    wanted: ModelOptions | TermOptions,
    say: Callable[[str], None] = lambda sentence: None,
) -> Generator[Progress, None, CorpusSummary]:
    """Have a model read all reports there are at `paths`; parts that are there are not asked about again.

    Works and raises as `extract_corpus`, and as `run_task`; ServerError where no server is left.
    """
    # Of a part that was broken off those that failed are asked again, too.
    wanted = replace(wanted, resume=True, sure=True)
    card = client.card(wanted.model)
    asked = {name: getattr(wanted, name, None) for name in _SETTINGS}
    settings = {**asked, "digest": card.digest, "categories": list(getattr(wanted, "categories", ()))}
    versions = versions_of(options.task, options.terminology, by_rules=False)
    keep = import_filter(options.only_case_reports, options.exclude_titles, options.terms)
    job = Job(None, keep, options.terminology, versions)
    reader = Reader(job, options.timeout)
    coder = Coder(options.terminology) if options.task == "codes" else None
    told: set[str] = set()
    try:
        with begun(paths, out, options, wanted.model, settings, job) as run:
            for bundle in run.stream.bundles(options.part_size):
                if run.parts.has(bundle.part, bundle.sha256):
                    run.keep(bundle, None)
                else:
                    yield from _ask_part(run, bundle, reader, client, wanted, coder)
                for where, why in client.left.items():
                    if where not in told:
                        told.add(where)
                        say(f"{where} was left, and its calls go to the others: {why}")
                run.tell()
                yield run.progress()
            rmtree(out / _ASKED, ignore_errors=True)
            return run.finish()
    finally:
        reader.close()


# What changes answers; how servers are used does not.
_SETTINGS = (
    "strategy", "prompting", "sections", "level", "seed", "think", "context", "reply_tokens", "temperature",
)  # fmt: skip


def _ask_part(
    run: Run,
    bundle: Bundle,
    reader: Reader,
    client: SeveralServers,
    wanted: ModelOptions | TermOptions,
    coder: Coder | None,
) -> Generator[Progress, None, None]:
    answers: list[Answer] = []
    for unit in bundle.units:
        answers += pickle.loads(reader.read(unit))
        yield run.progress()
    reports, left_out = run.parts.named(answers)
    if not reports:
        run.write(bundle, reports, left_out)
        return
    project = _project(run.folder / _ASKED / f"{bundle.sha256[:_NAMED]}.casespan", reports)
    # Calls that would be made again cost less than waiting for the disk after each.
    project.hasten()
    try:
        asking = (
            ask_for_phenotypes(project, client, wanted)
            if isinstance(wanted, TermOptions)
            else extract_with_model(project, client, wanted)
        )
        ended = yield from asking
        summary = ended if not hasattr(ended, "model") else ended.model
        if summary is None or summary.stopped or summary.missing:
            why = summary.stopped if summary is not None else ""
            raise ServerError(f"{why} Every answer is kept, and the same command goes on from there.".strip())
        quotes, calls = _rows(project, reports, wanted.model, coder)
        found = [
            (name, replace(one, quotes=tuple(own))) for (name, one), own in zip(reports, quotes, strict=True)
        ]
        run.write(bundle, found, left_out, calls)
    except BaseException:
        project.close()
        raise
    # Not before the part is written: a kill in between would cost its answers.
    remove_project(project)


def _project(path: Path, reports: Sequence[tuple[str, Found]]) -> Project:
    """The project of a part, with what was answered before a run was broken off."""
    path.parent.mkdir(exist_ok=True)
    if path.exists():
        try:
            project = Project.open(path, write=True)
            if len(documents(project)) == len(reports):
                return project
            remove_project(project)
        except CasespanError:
            database.remove(path)
    project = create_project_file(path)
    with begin_act(project, "import reports", "casespan") as act:
        for name, one in reports:
            if one.document is not None:
                add_document(act, one.document, one.row["source"], one.row["sha256"], name)
    return project


def _rows(
    project: Project, reports: Sequence[tuple[str, Found]], model: str, coder: Coder | None
) -> tuple[list[list[Row]], list[Row]]:
    """The quotes of each report, and all calls; reports are known by their order."""
    (made,) = [one for one in runs(project) if one.kind == "model"]
    name_of = {stored.uuid: name for stored, (name, _) in zip(documents(project), reports, strict=True)}
    records = [one.record for one in generations(project, made.uuid) if one.record.prompt_sha256]
    sure = _sureness(records)
    quotes: dict[str, list[Row]] = {uuid: [] for uuid in name_of}
    for one in read_annotations(project, annotator=made.annotator, layer=None):
        row = _quote(one)
        known = sure.get((one.document, row["category"]))
        quotes[one.document].append(coder(row) if coder else {**row, "confidence": known})
    order = {uuid: number for number, uuid in enumerate(name_of)}
    records.sort(key=lambda one: (order[one.subject], one.question, one.again, one.part, one.started_at))
    numbers = {uuid: count() for uuid in name_of}
    calls = [
        {
            "report": name_of[record.subject],
            "number": next(numbers[record.subject]),
            "asks": record.question,
            "model": model,
            "server": str(record.details.get("host", "")),
            "prompt_sha256": record.prompt_sha256,
            "reply": record.raw_reply,
            "state": record.state,
            "error": record.error,
            "seconds": record.seconds,
            "tokens_in": record.tokens_in,
            "tokens_out": record.tokens_out,
        }
        for record in records
    ]
    return list(quotes.values()), calls


def _sureness(records: Sequence[CallRecord]) -> dict[tuple[str, str], float]:
    """By report and category the mean probability of its replies' tokens, where the server gave them."""
    tokens = defaultdict[tuple[str, str], list[float]](list)
    for record in records:
        for category in record.details[ASKS] if record.state != "failed" else ():
            tokens[record.subject, category] += [one for _, one in record.details.get("probabilities", ())]
    return {key: min(exp(fmean(own)), 1.0) for key, own in tokens.items() if own}


def _quote(one: Annotation) -> Row:
    concepts = [
        {"code": coding.code, "system": coding.terminology, "label": coding.label} for coding in one.concepts
    ]
    return {**row_of(one.finding), "concepts": concepts}
