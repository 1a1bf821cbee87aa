"""The list of reports as one annotator sees it, and which of them hold given words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.project.sets import holder_of
from app.store.annotate.annotators import Annotator, annotators
from app.store.annotate.reviews import Review, ReviewState, review_of, reviews
from app.store.reports.counting import count_by_annotator, count_by_category, notes_by_document
from app.store.reports.documents import DocumentSummary, document_summaries, document_summary, texts

if TYPE_CHECKING:
    from app.store.project import Project

# No white space, so that no phrase reaches from one field into the next.
_BORDER = "\0"
# What stands in double quotes, and single words.
WANTED_WORDS = re.compile(r'"([^"]*)"?|([^\s"]+)')
_ACCENTS = re.compile("[\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report as one annotator sees it in the list; `characters` is the length of its text in code points.

    `state`, `nothing_found` (category ids), `notes` and `own` (number of quotes by category id, in scheme
    order) are the annotator's, `others` is the number of quotes by everybody else's name, where they have
    any. Quotes without a place count as well.
    """

    uuid: str
    key: str
    title: str
    identifiers: Mapping[str, str]
    characters: int
    added_at: str
    state: ReviewState
    own: Mapping[str, int]
    nothing_found: tuple[str, ...]
    others: Mapping[str, int]
    notes: tuple[str, ...]


def list_reports(project: Project, annotator: str) -> tuple[ReportRow, ...]:
    """Every report in import order, without reading a text; the annotator need not be in the project yet.

    Raises DamagedProjectError where a record cannot be read.
    """
    holder = holder_of(project, annotator)
    review_by = {review.document: review for review in reviews(project, holder)}
    summaries = document_summaries(project)
    untouched = {one.uuid: Review(one.uuid, holder, "untouched", (), ()) for one in summaries}
    return _rows(project, holder, summaries, untouched | review_by)


def refresh_row(project: Project, annotator: str, key: str) -> ReportRow:
    """The row of one report (key or UUID); raises UnknownNameError where it is not there."""
    holder = holder_of(project, annotator)
    summary = document_summary(project, key)
    review = review_of(project, summary.uuid, holder)
    return _rows(project, holder, [summary], {summary.uuid: review}, summary.uuid)[0]


def search_reports(project: Project, words: str) -> frozenset[str]:
    """The keys of the reports whose title, key, identifiers or text hold all the words, in whatever order.

    Upper and lower case, accents and the width of white space do not count; what stands in double quotes is
    one word. Every report holds no words at all. Raises DamagedProjectError where a text is not what was
    imported.
    """
    wanted = wanted_words(words)
    found = set()
    text_of: dict[str, str] | None = None
    for report in document_summaries(project):
        missing = missing_in_names(report, wanted)
        if missing:
            text_of = texts(project) if text_of is None else text_of
            missing = _missing(text_of[report.uuid], missing)
        if not missing:
            found.add(report.key)
    return frozenset(found)


def wanted_words(words: str) -> list[re.Pattern[str]]:
    """The words to search for, as `missing_in_names` takes them; what stands in double quotes is one word."""
    return [
        _pattern(phrase or word) for phrase, word in WANTED_WORDS.findall(_folded(words)) if phrase or word
    ]


def missing_in_names(
    report: ReportRow | DocumentSummary, wanted: list[re.Pattern[str]]
) -> list[re.Pattern[str]]:
    """Those of the words that neither title, key nor identifiers of a report hold."""
    return _missing(_BORDER.join([report.title, report.key, *report.identifiers.values()]), wanted)


def _missing(text: str, wanted: list[re.Pattern[str]]) -> list[re.Pattern[str]]:
    folded = _folded(text)
    return [word for word in wanted if not word.search(folded)]


def _rows(
    project: Project,
    holder: str,
    summaries: list[DocumentSummary],
    review_by: Mapping[str, Review],
    only: str | None = None,
) -> tuple[ReportRow, ...]:
    own = count_by_category(project, holder, only)
    notes = notes_by_document(project, holder, only)
    everybody = count_by_annotator(project, only)
    others = [one for one in annotators(project) if one.uuid != holder]
    order = {category: number for number, category in enumerate(project.scheme.ids)}
    return tuple(
        ReportRow(
            uuid=one.uuid,
            key=one.key,
            title=one.title,
            identifiers=one.identifiers,
            characters=one.characters,
            added_at=one.added_at,
            state=review_by[one.uuid].state,
            own=dict(sorted(own.get(one.uuid, {}).items(), key=lambda item: order.get(item[0], len(order)))),
            nothing_found=review_by[one.uuid].nothing_found,
            others=_named(everybody.get(one.uuid, {}), others),
            notes=notes.get(one.uuid, ()),
        )
        for one in summaries
    )


def _named(number_of: Mapping[str, int], others: list[Annotator]) -> Mapping[str, int]:
    return {other.name: number_of[other.uuid] for other in others if other.uuid in number_of}


def _pattern(phrase: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, phrase.split())))


def _folded(text: str) -> str:
    """The text without accents and capitals; plain ASCII, which has no accents, the quick way."""
    if text.isascii():
        return text.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text).casefold())
