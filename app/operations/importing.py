"""Bring reports, and annotations that come with them, into a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.actor import actor
from extractors.errors import ProjectError, UnknownNameError
from extractors.finding import PLACED, Finding, Grounding
from extractors.progress import Progress

if TYPE_CHECKING:
    from app.formats.filters import ImportFilter
    from app.formats.record import Imported, LeftOut
    from app.store.act import Act
    from app.store.documents import StoredDocument
    from app.store.project import Project

DEFAULT_ANNOTATOR = "imported"
GOLD = "gold"


@dataclass(frozen=True, slots=True)
class ImportedReport:
    """A report now in the project; `notes` say what had to be assumed about its file."""

    key: str
    title: str
    source: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnplacedQuote:
    """An imported quote that is kept without a place in its report, and why."""

    key: str
    category: str
    quote: str
    grounding: Grounding


@dataclass(slots=True)
class ImportSummary:
    """What an import did: every file, report and quote is in one of these lists."""

    added: list[ImportedReport] = field(default_factory=list)
    repeated: list[LeftOut] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    annotations: Counter[str] = field(default_factory=Counter)
    unplaced: list[UnplacedQuote] = field(default_factory=list)


def import_reports(
    path: Path,
    sources: Sequence[Path],
    *,
    file_format: str = "auto",
    annotator: str | None = None,
    keep: ImportFilter | None = None,
) -> Generator[Progress, None, ImportSummary]:
    """Read every source into the project at `path`, in one act.

    A report that is there already is not added again; quotes that come with it go to the report that is
    there. One bad file is listed and the rest imported. Raises what opening the project raises; then, or when
    closed early, the project stays as it was.
    """
    from app.store.project import Project

    with Project.open(path, write=True) as project:
        summary = ImportSummary()
        with project.act("import reports", annotator or actor(project)) as act:
            for done, record in enumerate(_records(project, sources, file_format), start=1):
                _take(act, record, annotator or DEFAULT_ANNOTATOR, keep, summary)
                yield Progress(done, 0, record.source)
        return summary


def _records(project: Project, sources: Iterable[Path], file_format: str) -> Iterable[Imported | LeftOut]:
    from app.formats import read

    for source in sources:
        yield from read(source, file_format, project.scheme.ids)


def _take(
    act: Act, record: Imported | LeftOut, who: str, keep: ImportFilter | None, summary: ImportSummary
) -> None:
    """Put one record where it belongs: added, repeated or left out."""
    from app.formats.record import LeftOut
    from app.store.documents import add_document, find_same

    if isinstance(record, LeftOut):
        summary.left_out.append(record)
        return
    title = record.document.title
    stored = find_same(act.project, record.document) if record.document.text else _named(act, record)
    if stored is None:
        reason = "it has no text, and the project has no report of that number"
        if record.document.text:
            reason = (keep.reason(record.document) if keep else None) or ""
        if reason:
            summary.left_out.append(LeftOut(record.source, title, reason))
            return
        stored = add_document(act, record.document, record.source, record.source_sha256)
        summary.added.append(ImportedReport(stored.key, title, record.source, record.notes))
    elif record.quotes is None:
        summary.repeated.append(LeftOut(record.source, title, f"is in the project already, as {stored.key}"))
    if record.quotes is not None:
        _take_quotes(act, stored, record, who, summary)


def _named(act: Act, record: Imported) -> StoredDocument | None:
    """The report that a record without text speaks of: by its number, or by its short name here."""
    from app.store.documents import document

    try:
        return document(act.project, record.document.identifiers.get("pmcid", ""))
    except UnknownNameError:
        return None


def _take_quotes(
    act: Act, stored: StoredDocument, record: Imported, who: str, summary: ImportSummary
) -> None:
    """Ground a record's quotes in the stored text and keep them all, placed or not."""
    from app.formats.record import LeftOut
    from app.store.annotations import add_annotations, read_annotations
    from app.store.reviews import set_review
    from extractors.grounding import Grounder

    quotes: Mapping[str, Sequence[str]] = record.quotes or {}
    holder = _holder(act, who)
    present = [
        (annotation.finding.category, annotation.finding.quote)
        for annotation in read_annotations(act.project, stored.uuid, holder)
    ]
    given = [(category, quote) for category in act.project.scheme.ids for quote in quotes.get(category, ())]
    if present:
        same = "the same" if present == given else "other"
        reason = f"{who} has {same} annotations of {stored.key} already; nothing was added"
        summary.repeated.append(LeftOut(record.source, stored.document.title, reason))
        return
    grounder = Grounder(stored.document.text, stored.document.sections)
    for category in quotes:
        act.project.scheme.category(category)
        groundings = grounder.ground_all(quotes[category])
        findings = [
            _finding(category, quote, found)
            for quote, found in zip(quotes[category], groundings, strict=True)
        ]
        add_annotations(act, stored.uuid, holder, findings, "imported", groundings=groundings)
        for finding, found in zip(findings, groundings, strict=True):
            summary.annotations[found.status] += 1
            if found.status not in PLACED:
                summary.unplaced.append(UnplacedQuote(stored.key, category, finding.quote, found))
    nothing = [category for category, found in quotes.items() if not found]
    set_review(act, stored.uuid, holder, state="done", looked_at=quotes, nothing_found=nothing)


def _finding(category: str, quote: str, found: Grounding) -> Finding:
    return Finding(category, quote, found.start, found.end, grounding=found.status, reason=found.reason)


def _holder(act: Act, name: str) -> str:
    """The UUID of the person (or the gold set) who holds imported annotations; never a run."""
    from app.store.annotators import annotators, ensure_annotator

    for known in annotators(act.project):
        if known.name == name and known.kind == "run":
            raise ProjectError(f"{name!r} is a run's name here; give another name with --annotator.")
    return ensure_annotator(act, name, "gold" if name == GOLD else "person").uuid
