"""What a reviewer says of spans of a run: accepted, edited, rejected; the run itself is never touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from app.operations.annotate.edits import exact_finding, taken_over
from app.operations.annotate.spans import Changed
from app.operations.project.sets import follow, polarity_named, require_field, require_person, spans_of, who
from app.operations.review.items import align_spans, in_place_of, read_review
from app.store.act import Act, begin_act
from app.store.annotate.annotations import (
    Annotation,
    add_annotations,
    edit_annotation,
    find_annotations,
    read_annotations,
    remove_annotations,
)
from app.store.annotate.annotators import annotators, ensure_annotator, kind_of
from app.store.annotate.concepts import set_codings
from app.store.reconcile.verdicts import Verdict, VerdictWord, find_verdict, set_verdict, take_back
from app.store.reports.documents import StoredDocument, document
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.coding import Coding

_VERBS = {"accepted": "accept", "rejected": "reject", "edited": "edit"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What one act did to the reviewer's own set, and the verdicts on the run's spans as they are now."""

    changed: Changed
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class SpanEdit:
    """What a reviewer makes of a run's span: [start, end) in code points; what is None is as in the run."""

    start: int
    end: int
    category: str | None = None
    polarity: Polarity | None = None
    field: str | None = None


def judge_spans(
    project: Project,
    reviewer: str,
    uuids: Sequence[str],
    verdict: Literal["accepted", "rejected"],
    *,
    beside: bool = False,
    seconds: float | None = None,
) -> Judged:
    """Accept or reject spans of one run in one report, in one act; `seconds` is how long each took.

    An accepted span is copied into the reviewer's set ("accepted"); what of that set overlaps it in its
    category, or stands there in another category or polarity, becomes that span ("edited"), unless the span
    is to stand `beside` it; the same place in the same category is never there twice. Rejecting takes
    nothing from the reviewer but what came of an earlier verdict, and gives back what that one replaced, as
    far as it is still as it was. Raises UnknownNameError for a span that is not there, ProjectError for a
    quote without a place that is accepted, and where the reviewer is a run or has made the span.
    """
    case = _case(project, reviewer, list(dict.fromkeys(uuids)))
    if verdict == "accepted":
        for one in case.theirs:
            _require_place(one)
    new = [one for one in case.theirs if not _stands(project, case, one, verdict, beside=beside)]
    return _perform(project, case, new, verdict, seconds, None, beside=beside)


def edit_judged_span(
    project: Project, reviewer: str, uuid: str, edit: SpanEdit, *, seconds: float | None = None
) -> Judged:
    """Take a run's span or quote over as the reviewer has it; otherwise as `judge_spans`.

    Raises UnknownNameError for a category, field or polarity that is not there, ProjectError for a place that
    is empty, blank or outside the text.
    """
    case = _case(project, reviewer, [uuid])
    like = case.theirs[0].finding
    category = edit.category or like.category
    polarity = polarity_named(edit.polarity or like.polarity)
    field = edit.field
    if field is None:
        field = like.field if like.field in project.scheme.category(category).fields else ""
    require_field(project, category, field)
    wanted = Finding(category, "", None, None, field, polarity)
    finding = exact_finding(case.report, edit.start, edit.end, wanted)
    return _perform(project, case, case.theirs, "edited", seconds, finding)


def accept_all_same(project: Project, reviewer: str, run: str, report: str, category: str = "") -> Judged:
    """Accept what has no verdict yet and is the same in both sets, in one act; of one category where that is
    given. Raises as `read_review`, and UnknownNameError for a category that is not there."""
    if category:
        project.scheme.category(category)
    report_review = read_review(project, reviewer, run, report)
    same = [
        (one, row.left[0].uuid)
        for row in report_review.rows
        for one in row.right
        if row.relation == "same"
        and one.uuid not in report_review.verdicts
        and category in ("", one.finding.category)
    ]
    if not same:
        return Judged(Changed(), ())
    title = f"accept {len(same)} agreed spans of {run} in {report_review.report}"
    with begin_act(project, title, who(project, reviewer)) as act:
        holder = ensure_annotator(act, reviewer, kind_of(reviewer)).uuid
        parts = [
            set_verdict(
                act,
                report_review.document,
                one.annotator,
                holder,
                one.uuid,
                "same",
                "accepted",
                result=result,
            )
            for one, result in same
        ]
    return Judged(Changed(), tuple(parts))


@dataclass(frozen=True, slots=True)
class _Case:
    """Spans of one run (`holder` by name) in one report, and all that the run has there."""

    report: StoredDocument
    reviewer: str
    run: str
    theirs: list[Annotation]
    whole: list[Annotation]


def _case(project: Project, reviewer: str, uuids: Sequence[str]) -> _Case:
    require_person(reviewer)
    theirs = find_annotations(project, uuids)
    if not theirs:
        raise ProjectError("No span was named; name at least one.")
    sides = {(one.document, one.annotator) for one in theirs}
    if len(sides) > 1:
        raise ProjectError("These spans are of several reports or annotators; judge those of one at a time.")
    report, side = document(project, theirs[0].document), theirs[0].annotator
    run = next(one.name for one in annotators(project) if one.uuid == side)
    if run == reviewer:
        raise ProjectError(f"{run} cannot review the own spans; choose those of another annotator or run.")
    return _Case(report, reviewer, run, theirs, read_annotations(project, report.uuid, side))


def _require_place(quote: Annotation) -> None:
    finding = quote.finding
    if finding.start is None:
        hint = ", or edit it to use the place that was proposed" if quote.candidate else ""
        raise ProjectError(
            f"{finding.quote[:60]!r} has no place in the report and cannot be accepted as it is; edit it to "
            f"give it one{hint}."
        )


def _stands(project: Project, case: _Case, one: Annotation, word: VerdictWord, *, beside: bool) -> bool:
    """Whether the same was said before, and what came of it is still there: for `beside`, as a span added."""
    earlier = find_verdict(project, one.uuid, case.reviewer)
    if earlier is None or earlier.verdict != word:
        return False
    own = {span.uuid: span for span in spans_of(project, case.report, case.reviewer)}
    there = own.get(earlier.result)
    return word == "rejected" or (there is not None and (not beside or there.origin != "edited"))


def _perform(
    project: Project,
    case: _Case,
    theirs: Sequence[Annotation],
    word: VerdictWord,
    seconds: float | None,
    finding: Finding | None,
    *,
    beside: bool = False,
) -> Judged:
    """One act; `finding` is what the reviewer makes of the one span, None for as the run has it."""
    if not theirs:
        earlier = (find_verdict(project, one.uuid, case.reviewer) for one in case.theirs)
        return Judged(Changed(), tuple(one for one in earlier if one is not None))
    before = {one.uuid: one for one in spans_of(project, case.report, case.reviewer)}
    spans = "span" if len(theirs) == 1 else f"{len(theirs)} spans"
    how = " beside one's own" if beside else ""
    title = f"{_VERBS[word]} {spans} of {case.run}{how} in {case.report.key}"
    with begin_act(project, title, who(project, case.reviewer)) as act:
        holder = ensure_annotator(act, case.reviewer, kind_of(case.reviewer)).uuid
        verdicts = tuple(_judge(act, case, holder, one, word, seconds, finding, beside) for one in theirs)
        after = {one.uuid: one for one in read_annotations(project, case.report.uuid, holder)}
        added = tuple(one for uuid, one in after.items() if uuid not in before)
        edited = tuple(one for uuid, one in after.items() if uuid in before and before[uuid] != one)
        removed = tuple(one for uuid, one in before.items() if uuid not in after)
        touched = {one.finding.category for one in (*added, *edited)}
        reviews = follow(act, case.report.uuid, holder, touched) if touched else []
    return Judged(Changed(added, edited, removed, tuple(reviews)), verdicts)


def _judge(
    act: Act,
    case: _Case,
    holder: str,
    theirs: Annotation,
    word: VerdictWord,
    seconds: float | None,
    finding: Finding | None,
    beside: bool,
) -> Verdict:
    """Judge one span, as if it had never been judged before."""
    earlier = find_verdict(act.project, theirs.uuid, case.reviewer)
    if earlier is not None:
        take_back(act, earlier)
    own = read_annotations(act.project, case.report.uuid, holder)
    row = next(row for row in align_spans(own, case.whole) if theirs in row.right)
    result = ""
    if word == "accepted" and row.relation == "same":
        result = row.left[0].uuid
    elif word != "rejected":
        wanted = finding or exact_finding(case.report, *_place(theirs), theirs.finding)
        met = () if beside else in_place_of(row, theirs)
        result = _put(act, case.report, holder, own, met, wanted, word, taken_over(theirs.concepts))
    return set_verdict(
        act,
        case.report.uuid,
        theirs.annotator,
        holder,
        theirs.uuid,
        row.relation,
        word,
        result=result,
        seconds=seconds,
    )


def _place(span: Annotation) -> tuple[int, int]:
    return span.finding.start or 0, span.finding.end or 0


def _put(
    act: Act,
    report: StoredDocument,
    holder: str,
    own: Sequence[Annotation],
    met: Sequence[Annotation],
    wanted: Finding,
    word: VerdictWord,
    concepts: tuple[Coding, ...],
) -> str:
    """Let the reviewer's set say what is wanted, in the place of what it met; returns the span's UUID."""
    key = (wanted.category, wanted.start, wanted.end)
    there = next((o for o in own if (o.finding.category, o.finding.start, o.finding.end) == key), None)
    target = there or next(iter(met), None)
    if target is None:
        origin: Literal["accepted", "edited"] = "accepted" if word == "accepted" else "edited"
        return add_annotations(act, report.uuid, holder, [wanted], origin, concepts=[concepts])[0].uuid
    kept = target.finding.field if target.finding.category == wanted.category else ""
    after = replace(wanted, field=wanted.field or kept) if word == "accepted" else wanted
    if after != target.finding:
        edit_annotation(act, target.uuid, finding=after, origin="edited")
    if concepts:
        set_codings(act, report.uuid, target.uuid, concepts)
    remove_annotations(act, [one.uuid for one in met if one.uuid != target.uuid])
    return target.uuid
