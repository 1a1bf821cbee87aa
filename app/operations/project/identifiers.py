"""Words in reports, quotes and notes that may tell who a patient is, before they leave the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.formats import format_of
from app.operations.project.opening import opened
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.reports.documents import DocumentSummary
    from extractors.checks.identifiers import Identifier


# The name of an annotator, and what is written of whoever has it: quotes with a place or without, terms,
# regions, what stands beside quotes, or the whole report.
Holder: TypeAlias = tuple[str, str]
_QUOTES, _UNPLACED, _TERMS, _REGIONS = "quotes", "unplaced", "terms", "regions"
_BESIDE, _REPORT = "beside", "report"


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


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of an annotation, with the places where the text has them as they are, and its note."""

    quote: str
    note: str
    places: Sequence[tuple[int, int]]
    annotator: str
    holders: set[Holder]


def find_identifiers(
    where: Project | Path, only: Collection[str] = ()
) -> Generator[Progress, None, Mapping[str, tuple[Suspected, ...]]]:
    """What may be one, by the key of the report, in every report that has any, or of those named.

    Raises UnknownNameError for a report that is not there.
    """
    from app.store.annotate.annotators import annotators
    from app.store.annotate.reviews import reviews
    from app.store.reports.documents import document_summaries, document_summary

    found: dict[str, tuple[Suspected, ...]] = {}
    with opened(where) as project:
        names = {one.uuid: one.name for one in annotators(project, every=True)}
        looked: dict[str, set[Holder]] = {}
        for review in reviews(project):
            if review.looked_at:
                looked.setdefault(review.document, set()).add((names[review.annotator], _REPORT))
        named = {document_summary(project, one).uuid for one in only}
        reports = [one for one in document_summaries(project) if not only or one.uuid in named]
        for done, summary in enumerate(reports, start=1):
            if own := tuple(_suspected_in(project, summary, names, looked.get(summary.uuid, set()))):
                found[summary.key] = own
            yield Progress(done, len(reports), summary.key)
    return found


def _suspected_in(
    project: Project, report: DocumentSummary, names: Mapping[str, str], whole: set[Holder]
) -> Iterator[Suspected]:
    """Those of a report, which is written `whole` of whoever looked at it or has something there."""
    from app.store.reports.documents import document

    text = document(project, report.key).document.text
    said = _said_in(project, report.uuid, text, names)
    whole = whole.union(*(one.holders for one in said))
    for stretch in _identifiers_in(text):
        near = (
            one.holders
            for one in said
            if any(start < stretch.end and stretch.start < end for start, end in one.places)
        )
        holders = {one for one in whole if one[1] in (_BESIDE, _REPORT)}.union(*near)
        yield from _told("text", [stretch], holders)
    yield from _told("title", _identifiers_in(report.title), whole)
    for one in said:
        # What is the text at its place is found there.
        if not one.places:
            yield from _told("quote", _identifiers_in(one.quote), one.holders, one.annotator)
        yield from _told("note", _identifiers_in(one.note), one.holders, one.annotator)


def _said_in(project: Project, report: str, text: str, names: Mapping[str, str]) -> list[_Said]:
    """All that anybody, and other programs, said of a report (UUID)."""
    from app.store.annotate.annotations import read_annotations
    from app.store.annotate.carried import read_carried
    from app.store.reports.figures import regions

    found = []
    for one in read_annotations(project, report, layer=None):
        start, end, name = one.finding.start, one.finding.end, names[one.annotator]
        places = [(start or 0, end or 0)] if one.surface == one.finding.quote else []
        holders = {(name, _TERMS)} if one.concepts else set()
        if one.layer == "category":
            holders |= _of_quote(name, placed=start is not None)
        found.append(_Said(one.finding.quote, one.note, places, name, holders))
    for along in read_carried(project, document=report):
        name, words = names[along.annotator], (text[start:end] for start, end in along.places)
        if not along.label or along.annotation is not None:
            found.append(_Said("", "", [], name, {(name, _REPORT)}))
            continue
        same = along.quote in (" ".join(words), text[along.start : along.end])
        holders = _of_quote(name, placed=bool(along.places))
        note = str(along.value.get("note", ""))
        found.append(_Said(along.quote, note, along.places if same else [], name, holders))
    for box in regions(project, report):
        name = names[box.annotator]
        found.append(_Said(box.finding, box.note, [], name, {(name, _REGIONS), (name, _REPORT)}))
    return found


def _of_quote(name: str, *, placed: bool) -> set[Holder]:
    return {(name, what) for what in (_QUOTES if placed else _UNPLACED, _BESIDE, _REPORT)}


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
    quotes = {_TERMS} if known.profile else {_QUOTES} if "unplaced" in lacks else {_QUOTES, _UNPLACED}
    if known.lossless:
        quotes.add(_REGIONS)
    report = {_TERMS} if known.profile else {_BESIDE} if "silent" in lacks else {_REPORT}
    written = {
        "text": quotes if "texts" in lacks else report,
        "title": set() if "title" in lacks else report,
        "quote": set() if "own words" in lacks else quotes,
        "note": set() if "note" in lacks else quotes,
    }
    told = {
        key: tuple(one for one in some if any((name, what) in one.holders for what in written[one.where]))
        for key, some in found.items()
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
