"""Words in reports, quotes and notes that may tell who a patient is, before they leave the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.formats import format_of
from app.operations.project.opening import opened
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from app.store.project import Project
    from app.store.reports.documents import DocumentSummary
    from extractors.checks.identifiers import Identifier


# The name of an annotator, and what is written of whoever has it: a layer's quotes, or the whole report.
Holder: TypeAlias = tuple[str, str]
_QUOTES, _TERMS, _REPORT = "category", "phenotype", "report"


@dataclass(frozen=True, slots=True)
class Suspected:
    """A stretch that may tell who somebody is; `where` is "text", "title", "quote" or "note".

    `start` and `end` are code points of that text; `annotator` is whose quote or note it is, "" otherwise.
    `holders` are those of whose work it is a part.
    """

    where: str
    kind: str
    text: str
    start: int
    end: int
    annotator: str = ""
    holders: frozenset[Holder] = frozenset()


def find_identifiers(
    where: Project | Path, only: Collection[str] = ()
) -> Generator[Progress, None, Mapping[str, tuple[Suspected, ...]]]:
    """What may be one, by the key of the report, in every report (of those named) that has any."""
    from app.store.annotate.annotators import annotators
    from app.store.annotate.reviews import reviews
    from app.store.reports.documents import document_summaries

    found: dict[str, tuple[Suspected, ...]] = {}
    with opened(where) as project:
        names = {one.uuid: one.name for one in annotators(project, every=True)}
        looked: dict[str, set[Holder]] = {}
        for review in reviews(project):
            if review.looked_at:
                looked.setdefault(review.document, set()).add((names[review.annotator], _REPORT))
        reports = [one for one in document_summaries(project) if not only or one.key in only]
        for done, summary in enumerate(reports, start=1):
            if own := tuple(_suspected_in(project, summary, names, looked.get(summary.uuid, set()))):
                found[summary.key] = own
            yield Progress(done, len(reports), summary.key)
    return found


def _suspected_in(
    project: Project, report: DocumentSummary, names: Mapping[str, str], whole: set[Holder]
) -> Iterator[Suspected]:
    """Those of a report, which is written `whole` of whoever looked at it or has something there."""
    from app.store.annotate.annotations import read_annotations
    from app.store.annotate.carried import read_carried
    from app.store.reports.documents import document
    from app.store.reports.figures import regions

    said = [(one, _holders(one, names)) for one in read_annotations(project, report.uuid, layer=None)]
    carried = read_carried(project, document=report.uuid)
    # What is the text at its place is found there.
    exact = [(one.finding, holders) for one, holders in said if one.surface == one.finding.quote]
    quoted = [(holders, one.start or 0, one.end or 0) for one, holders in exact]
    quoted += [({(names[one.annotator], _QUOTES)}, *place) for one in carried for place in one.places]
    others = {names[one.annotator] for one in carried}
    others |= {names[one.annotator] for one in regions(project, report.uuid)}
    whole = whole.union(*(holders for _, holders in said), ((name, _REPORT) for name in others))
    for stretch in _identifiers_in(document(project, report.key).document.text):
        near = (holders for holders, start, end in quoted if start < stretch.end and stretch.start < end)
        holders = {one for one in whole if one[1] == _REPORT}.union(*near)
        yield from _told("text", [stretch], holders)
    yield from _told("title", _identifiers_in(report.title), whole)
    for one, holders in said:
        if one.surface != one.finding.quote:
            yield from _told("quote", _identifiers_in(one.finding.quote), holders, names[one.annotator])
        yield from _told("note", _identifiers_in(one.note), holders, names[one.annotator])


def _holders(one: Annotation, names: Mapping[str, str]) -> set[Holder]:
    """Whose it is: in the report of a category, and in a profile where it has a concept."""
    name = names[one.annotator]
    own = {(name, _QUOTES), (name, _REPORT)} if one.layer == _QUOTES else set()
    return own | ({(name, _TERMS)} if one.concepts else set())


# A report is exported many times, for one annotator after the other.
@lru_cache(maxsize=128)
def _identifiers_in(text: str) -> tuple[Identifier, ...]:
    from extractors.checks.identifiers import identifiers

    return tuple(identifiers(text))


def _told(
    where: str, found: Iterable[Identifier], holders: Iterable[Holder], annotator: str = ""
) -> Iterator[Suspected]:
    for one in found:
        yield Suspected(where, one.kind, one.text, one.start, one.end, annotator, frozenset(holders))


def written_identifiers(
    found: Mapping[str, tuple[Suspected, ...]], name: str, file_format: str
) -> dict[str, tuple[Suspected, ...]]:
    """Those of them that an export of an annotator (name) in a format (id) writes."""
    known = format_of(file_format)
    lacks = {"texts", "note"} if known.profile else set(known.lacks)
    quotes, report = ((name, _TERMS),) * 2 if known.profile else ((name, _QUOTES), (name, _REPORT))
    written = {
        "text": (quotes if "texts" in lacks else report),
        "title": None if "title" in lacks else report,
        "quote": None if "own words" in lacks else quotes,
        "note": None if "note" in lacks else quotes,
    }
    told = {
        key: tuple(one for one in some if written[one.where] in one.holders) for key, some in found.items()
    }
    return {key: some for key, some in told.items() if some}


def identifiers_sentence(found: Mapping[str, tuple[Suspected, ...]]) -> str:
    """How much may tell who patients are, "" where nothing was found."""
    kinds = Counter(one.kind for report in found.values() for one in report)
    if not kinds:
        return ""
    listed = ", ".join(counted(number, kind) for kind, number in kinds.most_common())
    return (
        f"{counted(len(found), 'report')} may tell who a patient is: {listed}. Look at them, and at who gets "
        "this, before it leaves this computer."
    )
