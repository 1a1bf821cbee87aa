"""What is done with one file, member, line or row in a process apart: read, filtered, extracted from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app import __version__
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.formats.filters import ImportFilter
    from app.formats.record import Imported, LeftOut
    from app.operations.corpus.inputs import Unit
    from extractors.model.document import Document
    from extractors.model.finding import Finding
    from extractors.terminology.search import Search

Task: TypeAlias = Literal["quotes", "phenotypes", "codes"]
TASKS: tuple[Task, ...] = ("quotes", "phenotypes", "codes")
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be made of each report: by rules the rows of `task`, or with None its document alone.

    `terminology` is what quotes are given codes of; `versions` are those which the result is held to.
    """

    task: Task | None
    keep: ImportFilter
    terminology: str
    versions: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """A report: the name that it would like, its row of `reports` and its rows of `quotes`."""

    key: str
    row: Row
    quotes: tuple[Row, ...] = ()
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """What is not among the reports: a row of `left_out`."""

    source: str
    reason: str
    detail: str
    report: str | None = None


Answer: TypeAlias = "Found | Passed"


def versions_of(task: Task, terminology: str, by_rules: bool) -> dict[str, Any]:
    """The versions of all that a result depends on; raises UnknownNameError for no such terminology."""
    from extractors.phenotypes.engine import PHENOTYPES_VERSION
    from extractors.rules.engine import RULES_VERSION
    from extractors.rules.lexicon import load_lexicon
    from extractors.terminology.library import installed_releases, open_terminology

    found: dict[str, Any] = {"casespan": __version__}
    if by_rules:
        found["rules"] = f"{RULES_VERSION} ({load_lexicon().version})"
    if task == "phenotypes" and by_rules:
        found["phenotypes"] = PHENOTYPES_VERSION
    if task != "quotes":
        release = open_terminology(terminology).release
        one = next(
            one
            for one in installed_releases()
            if one.name.lower() == terminology.lower() and one.release == release
        )
        digest = hashlib.sha256(one.path.read_bytes()).hexdigest()
        found["terminology"] = {"name": one.name, "release": release, "sha256": digest}
    return found


def prepare(job: Job) -> Callable[[Unit], list[Answer]]:
    """What answers in the process apart; raises ProjectError where that machine has other versions."""
    extract = _extractor(job)

    def answer(unit: Unit) -> list[Answer]:
        return list(_answers(unit, job, extract))

    return answer


def _answers(unit: Unit, job: Job, extract: Callable[[Document], list[Row]]) -> Iterator[Answer]:
    from app.formats import records_in
    from app.formats.record import Imported, LeftOut, Pause

    for record in records_in(unit.payload, unit.format):
        if isinstance(record, Pause):
            continue
        source = record.source.removesuffix("#1") if unit.line else record.source
        if isinstance(record, LeftOut):
            yield passed(record, source)
        elif isinstance(record, Imported):
            # A line that has no name is called by its file and its number.
            name = record.key or (unit.payload.name + source[source.rfind("#") :] if unit.line else "")
            yield _found(record, source, name, job, extract)


def passed(record: LeftOut, source: str = "") -> Passed:
    """A file that was left out by those who read it."""
    detail = record.reason.removeprefix("Line 1: ") if source else record.reason
    return Passed(source or record.source, "unreadable" if record.failed else "not read", detail)


def _found(
    record: Imported, source: str, name: str, job: Job, extract: Callable[[Document], list[Row]]
) -> Answer:
    from app.store.reports.documents import natural_key

    document = record.document
    key = natural_key(document, source, name)
    if not document.text:
        return Passed(source, "not read", "It brings annotations, and no text.", key)
    reason = job.keep.reason(document)
    if reason:
        return Passed(source, "not a case report", reason, key)
    text, about = document.text, document.metadata
    year = about.get("date", "")[:4]
    row = {
        "title": document.title,
        "journal": about.get("journal", ""),
        "year": int(year) if year.isdecimal() else None,
        "text": text,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "characters": len(text),
        "words": len(text.split()),
        "licence": about.get("licence", ""),
        "source": source,
    }
    return Found(key, row, tuple(extract(document)), None if job.task else document)


def _extractor(job: Job) -> Callable[[Document], list[Row]]:
    if job.task is None:
        return lambda document: []
    if versions_of(job.task, job.terminology, by_rules=True) != dict(job.versions):
        raise ProjectError("A worker has other versions of the program or its data; install the same there.")
    return _phenotypes(job) if job.task == "phenotypes" else _quotes(job)


def _phenotypes(job: Job) -> Callable[[Document], list[Row]]:
    from app.store.annotate.annotations import RELATIVE
    from extractors.phenotypes.engine import PhenotypeRules

    rules = PhenotypeRules()

    def extract(document: Document) -> list[Row]:
        return [
            quote_row(
                field=RELATIVE if one.relative else "",
                quote=one.text,
                start=one.start,
                end=one.end,
                polarity=one.polarity,
                concepts=[{"code": one.code, "system": job.terminology, "label": one.label}],
            )
            for one in rules.extract(document)
        ]

    return extract


def _quotes(job: Job) -> Callable[[Document], list[Row]]:
    from extractors.model.scheme import default_scheme
    from extractors.rules import RulesExtractor

    rules = RulesExtractor(default_scheme())
    code = Coder(job.terminology) if job.task == "codes" else None

    def extract(document: Document) -> list[Row]:
        rows = [row_of(one) for one in rules.extract(document)]
        return [code(row) for row in rows] if code else rows

    return extract


class Coder:
    """Gives each quote the best concept of a terminology, as `casespan code --suggest` does."""

    def __init__(self, terminology: str) -> None:
        from extractors.terminology.library import open_terminology
        from extractors.terminology.search import Search

        self._search: Search = Search(open_terminology(terminology))

    def __call__(self, row: Row) -> Row:
        """The row with the concept, and its score as confidence; as it was where nothing is like it."""
        hits = self._search.find(row["quote"], 1)
        if not hits:
            return row
        concept = {"code": hits[0].code, "system": self._search.terminology.name, "label": hits[0].label}
        return {**row, "concepts": [concept], "confidence": float(hits[0].score)}


def row_of(finding: Finding) -> Row:
    """A finding as a row of `quotes`."""
    return quote_row(
        category=finding.category,
        field=finding.field,
        quote=finding.quote,
        start=finding.start,
        end=finding.end,
        grounding=finding.grounding,
        polarity=finding.polarity,
    )


def quote_row(**value: Any) -> Row:  # noqa: ANN401 (cells of any kind)
    """A row of `quotes` without its report and number."""
    return {"category": "", "field": "", "grounding": "exact", "concepts": [], "confidence": None, **value}
