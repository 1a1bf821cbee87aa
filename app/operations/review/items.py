"""What a run or somebody else found in a report, beside one's own spans: read for a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.operations.annotate.exposure import disclose
from app.operations.project.sets import holder_of, require_person
from app.reconcile.alignment import align
from app.reconcile.types import Group, Relation, SideQuote
from app.reconcile.words import word_differences as word_differences
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.annotate.annotators import annotator as annotator_of
from app.store.reconcile.verdicts import Verdict, count_unjudged, verdicts
from app.store.reports.counting import count_annotations
from app.store.reports.documents import document_summaries, document_summary
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import PLACED

if TYPE_CHECKING:
    from app.store.project import Project

_LEAST_BEGINNING = 8
# "label" and "polarity": the same place, another category or polarity; "conflict" and "ungrounded": a quote
# of the right side that has no place.
RowRelation = Literal[
    "same", "overlapping", "label", "polarity", "only left", "only right", "conflict", "ungrounded"
]
_NAMES: Mapping[Relation, RowRelation] = {
    "same": "same",
    "boundary": "overlapping",
    "label": "label",
    "polarity": "polarity",
}


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """Spans that speak of the same thing: `left` the reviewer's own, `right` those that are reviewed."""

    relation: RowRelation
    left: tuple[Annotation, ...]
    right: tuple[Annotation, ...]

    @property
    def category(self) -> str:
        """The category under which it is listed: that of what is reviewed, else one's own."""
        return (self.right or self.left)[0].finding.category

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories it touches, each once."""
        return tuple(dict.fromkeys(one.finding.category for one in (*self.left, *self.right)))

    @property
    def place(self) -> tuple[int, int] | None:
        """From the first character of its spans to the last, None for a quote without a place."""
        found = [one.finding for one in (*self.left, *self.right)]
        if self.relation in ("conflict", "ungrounded"):
            found = []
        starts = [finding.start for finding in found if finding.start is not None]
        ends = [finding.end for finding in found if finding.end is not None]
        return (min(starts), max(ends)) if starts and ends else None


@dataclass(frozen=True, slots=True)
class ReportReview:
    """One report for review: every span of both sides in exactly one row; offsets are code points.

    `rows` stand in scheme order of their categories, then in text order, those without a place last.
    `verdicts` are the reviewer's so far, by the UUID of the span that each speaks of.
    """

    report: str
    document: str
    reviewer: str
    run: str
    rows: tuple[ReviewRow, ...]
    verdicts: Mapping[str, Verdict]

    @property
    def items(self) -> tuple[Annotation, ...]:
        """The spans and quotes that are to be judged, in the order of the rows."""
        return tuple(one for row in self.rows for one in row.right)

    @property
    def judged(self) -> int:
        """How many of the items have a verdict."""
        return sum(one.uuid in self.verdicts for one in self.items)


def read_review(project: Project, reviewer: str, run: str, report: str) -> ReportReview:
    """A report (key or UUID) with what `run` (the name of a run or of somebody else) has in it.

    Changes nothing and records no look: `disclose` does. Raises UnknownNameError for a report or run that is
    not there, ProjectError where the reviewer is a run, or would review the own set.
    """
    require_person(reviewer)
    if reviewer == run:
        raise ProjectError(f"{run} cannot review the own spans; choose another annotator or run.")
    with project.snapshot():
        summary = document_summary(project, report)
        side = annotator_of(project, run).uuid
        holder = holder_of(project, reviewer)
        theirs = read_annotations(project, summary.uuid, side)
        own = read_annotations(project, summary.uuid, holder)
        judged = {one.annotation: one for one in verdicts(project, summary.uuid, side, holder)}
    rows = _beside_results(align_spans(own, theirs), judged)
    order = {category: number for number, category in enumerate(project.scheme.ids)}
    rows.sort(key=lambda row: order.get(row.category, len(order)))
    there = {one.uuid for one in theirs}
    known = {uuid: verdict for uuid, verdict in judged.items() if uuid in there}
    return ReportReview(summary.key, summary.uuid, reviewer, run, tuple(rows), known)


def look_at_reviews(project: Project, reviewer: str, run: str, report: str = "") -> tuple[ReportReview, ...]:
    """One report (key or UUID), or all in which `run` has something, with the look on record.

    Raises what `read_review` and `disclose` raise.
    """
    require_person(reviewer)
    side = annotator_of(project, run).uuid
    there = count_annotations(project)
    keys = [report] if report else [o.key for o in document_summaries(project) if there[o.uuid, side]]
    report_reviews = tuple(read_review(project, reviewer, run, key) for key in keys)
    for report_review in report_reviews:
        disclose(project, reviewer, report_review.report, [run])
    return report_reviews


def find_items(project: Project, run: str, beginnings: Sequence[str], report: str = "") -> list[str]:
    """The UUIDs of spans of a run (name), in a report (key or UUID) or all, by how they begin.

    Raises UnknownNameError where none begins so, CallError for a beginning that is too short or not unique.
    """
    side = annotator_of(project, run).uuid
    within = document_summary(project, report).uuid if report else None
    known = [one.uuid for one in read_annotations(project, within, side)]
    found = []
    for beginning in beginnings:
        if len(beginning) < _LEAST_BEGINNING:
            raise CallError(f"{beginning!r} is too short; give at least {_LEAST_BEGINNING} signs of the ID.")
        meant = [uuid for uuid in known if uuid.startswith(beginning.lower())]
        if not meant:
            raise UnknownNameError(f"{run} has no span {beginning!r} here; casespan review lists the IDs.")
        if len(meant) > 1:
            raise CallError(f"The IDs of {len(meant)} spans begin with {beginning!r}; give more of it.")
        found.append(meant[0])
    return found


def align_spans(own: Sequence[Annotation], theirs: Sequence[Annotation]) -> list[ReviewRow]:
    """Every span of both sides in exactly one row, in text order, those without a place last."""
    of = {one.uuid: one for one in (*own, *theirs)}
    groups = align(
        *([SideQuote(one.uuid, one.finding, one.places) for one in side] for side in (own, theirs))
    )
    return [row for group in groups for row in _rows_of(group, of)]


def in_place_of(row: ReviewRow, theirs: Annotation) -> tuple[Annotation, ...]:
    """The reviewer's own spans that accepting one of the right side would replace, as far as they differ.

    Only those that it speaks of, not others in a chain of overlaps; none where both are the same.
    """
    if row.relation == "same":
        return ()
    if theirs.finding.start is None:
        return tuple(one for one in row.left if one.finding.start is None)
    return tuple(one for one in row.left if len(align_spans([one], [theirs])) == 1)


def next_to_review(project: Project, reviewer: str, run: str, after: str, category: str = "") -> str | None:
    """The key of the next report after that one (key), round the end, that has unjudged items of the run.

    Of one category (id) where that is given. None where no other has. Raises UnknownNameError for a run that
    is not there.
    """
    sides = annotator_of(project, run).uuid, holder_of(project, reviewer)
    unjudged = count_unjudged(project, *sides, category)
    reports = document_summaries(project)
    keys = [report.key for report in reports]
    start = keys.index(after) + 1 if after in keys else 0
    turn = reports[start:] + reports[:start]
    return next((one.key for one in turn if one.key != after and unjudged[one.uuid]), None)


def _rows_of(group: Group, of: Mapping[str, Annotation]) -> list[ReviewRow]:
    """One row, or where the right side's quotes have no place, one for each of them."""
    left = tuple(of[mark.uuid] for mark in group.left)
    right = tuple(of[mark.uuid] for mark in group.right)
    if not right:
        return [ReviewRow("only left", left, ())]
    if right[0].finding.start is None:
        return [ReviewRow(_unplaced(one), left if one is right[0] else (), (one,)) for one in right]
    return [ReviewRow(_NAMES.get(group.relation, "only right"), left, right)]


def _unplaced(quote: Annotation) -> RowRelation:
    status = quote.finding.grounding
    if status in PLACED:
        raise ValueError(f"a {status} quote has a place")
    return "conflict" if status == "conflict" else "ungrounded"


def _beside_results(rows: Sequence[ReviewRow], verdicts: Mapping[str, Verdict]) -> list[ReviewRow]:
    """One's own span that came of a quote without a place stands beside that quote, not alone."""
    made_of = {
        verdict.result: row.right[0].uuid
        for row in rows
        if row.relation in ("conflict", "ungrounded")
        and (verdict := verdicts.get(row.right[0].uuid)) is not None
        and verdict.result
    }
    moved: dict[str, tuple[Annotation, ...]] = {}
    kept: list[ReviewRow] = []
    for row in rows:
        if row.relation == "only left" and len(row.left) == 1 and row.left[0].uuid in made_of:
            moved[made_of[row.left[0].uuid]] = row.left
        else:
            kept.append(row)
    return [
        ReviewRow(row.relation, row.left + moved[row.right[0].uuid], row.right)
        if row.right and row.right[0].uuid in moved
        else row
        for row in kept
    ]
