"""The gold set: built from what two annotators agree on and what was decided."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.operations.project.sets import holder_of, name_of, require_person, who
from app.operations.reconcile.queue import Queue, reading_queue
from app.reconcile.gold import GoldReport, GoldSpan, Ruling, plan_gold
from app.store.act import Act, begin_act
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations, remove_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import ReviewState, reviews, set_review
from app.store.reconcile.decisions import GoldBuild, add_gold_build, gold_builds
from app.store.reports.documents import document_summaries, texts
from app.store.values import canonical, new_uuid
from app.text import counted
from extractors.grouping import grouped
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.progress import Progress, finished, stage

if TYPE_CHECKING:
    from app.store.project import Project

GOLD = "gold"
# Reports whose changes are held.
_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class GoldSummary:
    """A gold set as two annotators and the decisions make it.

    `agreed` quotes both sides have, `decided` differences of all there are, `undecided` ones left out of the
    set; `spans` it has now, of which `added` are new since it was built last and `removed` are gone.
    `fields_differ` agreed quotes have another field on each side, and the left's is taken. `outdated`
    decisions speak of what no side says any more. In `restated` reports other categories are complete than
    when it was built last, or nothing is found in others.
    """

    name: str
    left: str
    right: str
    reports: int
    spans: int
    agreed: int
    decided: int
    undecided: int
    added: int
    removed: int
    fields_differ: int
    outdated: int
    restated: int = 0

    @property
    def differences(self) -> int:
        """How many differences there are, decided or not."""
        return self.decided + self.undecided


@dataclass(frozen=True, slots=True)
class _Plan:
    """The gold set as it ought to be, what of each report is `missing`, what (UUIDs) is there to `spare`."""

    queue: Queue
    reports: tuple[GoldReport, ...]
    missing: tuple[list[GoldSpan], ...]
    spare: tuple[str, ...]


def build_gold(
    where: Project | Path, by: str, left: str, right: str, name: str = "", *, dry_run: bool = False
) -> GoldSummary:
    """Make the gold set of that name what two annotators and the decisions say, in one act of `by` (a name).

    Without a name it is "gold", or "gold of LEFT and RIGHT" where that one holds what was imported.

    Differences that are undecided leave nothing in it, and their categories are not complete in their
    reports. What is there already and stays the same is left alone; with `dry_run` everything is. Raises
    UnknownNameError for an annotator that is not there, CallError where both are the same, ProjectError where
    both looked at no report, and where the set holds quotes that were not built from two sides: imported
    ones, or made by hand.
    """
    if not dry_run:
        return finished(building_gold(where, by, left, right, name))
    require_person(by)
    with opened(where) as project, project.snapshot():
        name, plan = finished(_planning(project, left, right, name))
        return _summary(project, plan, name)


def building_gold(
    where: Project | Path, by: str, left: str, right: str, name: str = ""
) -> Generator[Progress, None, GoldSummary]:
    """`build_gold` in steps of one act, which leaves no trace where it is given up or changes nothing."""
    require_person(by)
    with opened(where, write=True) as project:
        known = name or (yield from _free_name(project, left, right))
        with begin_act(project, f"build {known}", who(project, by)) as act:
            _, plan = yield from stage(_planning(project, left, right, known), 0, 2)
            summary = _summary(project, plan, known)
            if not _is_built(project, plan, summary):
                yield from stage(_writing(act, plan, summary, by), 1, 2)
        return summary


def _free_name(project: Project, left: str, right: str) -> Generator[Progress, None, str]:
    """The usual name, but for what is in use for something else."""
    taken = GOLD in (left, right) or _strange((yield from _reading_quotes(project, GOLD)))
    return f"{GOLD} of {left} and {right}" if taken else GOLD


def _reading_quotes(project: Project, name: str) -> Generator[Progress, None, tuple[Annotation, ...]]:
    """What somebody has, report by report."""
    holder = holder_of(project, name)
    known = document_summaries(project) if holder else []
    quotes: list[Annotation] = []
    for done, report in enumerate(known, start=1):
        quotes += read_annotations(project, report.uuid, holder)
        yield Progress(done, len(known), "reports of the gold set")
    return tuple(quotes)


def _strange(quotes: Sequence[Annotation]) -> list[Annotation]:
    """Those that were not built from two sets."""
    return [one for one in quotes if not one.source]


def comparing_gold(project: Project, name: str) -> Generator[Progress, None, GoldSummary | None]:
    """How a gold set stands to what it was built from last, as if it were built anew; None if it never was.

    Changes nothing. Raises what `build_gold` raises.
    """
    build = _last_build(project, name)
    if build is None:
        return None
    left, right = (name_of(project, side) for side in (build.annotator_left, build.annotator_right))
    _, plan = yield from _planning(project, left, right, name)
    return _summary(project, plan, name)


def _last_build(project: Project, name: str) -> GoldBuild | None:
    holder = holder_of(project, name)
    return next((one for one in reversed(gold_builds(project)) if one.annotator == holder), None)


def _planning(
    project: Project, left: str, right: str, name: str
) -> Generator[Progress, None, tuple[str, _Plan]]:
    """The name that a set gets, and what it ought to be."""
    if left == right:
        raise CallError(f"A gold set takes two annotators; {left} alone is no gold set.")
    name = name or (yield from _free_name(project, left, right))
    if name in (left, right):
        raise UnknownNameError(f"{name} cannot be built from itself; choose another name for the gold set.")
    queue = yield from stage(reading_queue(project, left, right, scored=False), 0, 3)
    there = yield from stage(_reading_quotes(project, name), 1, 3)
    strange = _strange(there)
    if strange:
        verb = "was" if len(strange) == 1 else "were"
        raise ProjectError(
            f"{name} has {counted(len(strange), 'quote')} that {verb} not built from two annotators' sets; "
            "build the gold set under another name."
        )
    rulings = {
        one: Ruling(decision.uuid, decision.choice, decision.findings)
        for one, decision in queue.decisions.items()
        if queue.state(one) == "decided"
    }
    reports: list[GoldReport] = []
    missing: list[list[GoldSpan]] = []
    had = grouped((_key_of(one), one.uuid) for one in there)
    number = len(queue.compared)
    for report in queue.compared:
        text = cache(partial(_text, project, report.document))
        reports.append(plan_gold(report, rulings, text))
        missing.append(_missing(reports[-1], queue, had))
        yield Progress((2 * number + len(reports)) // 3, number, "reports put together")
    return name, _Plan(queue, tuple(reports), tuple(missing), tuple(chain.from_iterable(had.values())))


def _text(project: Project, document: str) -> str:
    return texts(project, document)[document]


def _missing(report: GoldReport, queue: Queue, had: dict[tuple[object, ...], list[str]]) -> list[GoldSpan]:
    """The spans that are not there yet; what is there and wanted is taken out of `had`."""
    if not had:
        return list(report.spans)
    missing = []
    for span in report.spans:
        there = had.get(_key(report.document, span, queue))
        if there:
            there.pop()
        else:
            missing.append(span)
    return missing


def _summary(project: Project, plan: _Plan, name: str) -> GoldSummary:
    holder = holder_of(project, name)
    there = {
        one.document: (one.state, {*one.looked_at}, {*one.nothing_found})
        for one in (reviews(project, holder) if holder else ())
        if one.state != "untouched"
    }
    wanted = {report.document: _stated(report) for report in plan.reports}
    return GoldSummary(
        name=name,
        left=plan.queue.left.name,
        right=plan.queue.right.name,
        reports=len(plan.reports),
        spans=sum(len(report.spans) for report in plan.reports),
        agreed=sum(report.agreed for report in plan.reports),
        decided=sum(report.decided for report in plan.reports),
        undecided=sum(report.undecided for report in plan.reports),
        added=sum(map(len, plan.missing)),
        removed=len(plan.spare),
        fields_differ=sum(report.fields_differ for report in plan.reports),
        outdated=len(plan.queue.outdated),
        restated=sum(there.get(one) != wanted.get(one) for one in there.keys() | wanted.keys()),
    )


def _key(document: str, span: GoldSpan, queue: Queue) -> tuple[object, ...]:
    return document, span.finding, span.origin, _source(span, queue), span.concepts


def _key_of(annotation: Annotation) -> tuple[object, ...]:
    values = (annotation.document, annotation.finding, annotation.origin, annotation.source)
    return *values, annotation.concepts


def _source(span: GoldSpan, queue: Queue) -> str:
    """What a gold quote was made of, as its record and the exports have it."""
    both = [queue.left.name, queue.right.name]
    if span.ruling is None:
        return _agreement(*both)
    taken = {"left": both[:1], "right": both[1:], "edited": []}.get(span.ruling.choice, both)
    return canonical(
        {"from": "decision", "decision": span.ruling.uuid, "choice": span.ruling.choice, "annotators": taken}
    )


@cache
def _agreement(left: str, right: str) -> str:
    return canonical({"from": "agreement", "annotators": [left, right]})


def _is_built(project: Project, plan: _Plan, summary: GoldSummary) -> bool:
    """Whether the last building came to the same, so that there is nothing to write."""
    last = _last_build(project, summary.name)
    return (
        last is not None
        and not (summary.added or summary.removed or summary.restated)
        and (last.annotator_left, last.annotator_right) == (plan.queue.left.uuid, plan.queue.right.uuid)
        and (last.agreed, last.decided, last.undecided)
        == (summary.agreed, summary.decided, summary.undecided)
    )


def _stated(report: GoldReport) -> tuple[ReviewState, set[str], set[str]]:
    """How far the set is with a report, what it looked at, and of that what it found nothing of."""
    complete = set(report.complete)
    found = {span.finding.category for span in report.spans}
    return "in progress" if report.undecided else "done", complete, complete - found


def _writing(act: Act, plan: _Plan, summary: GoldSummary, by: str) -> Generator[Progress, None, None]:
    holder = ensure_annotator(act, summary.name, "gold").uuid
    remove_annotations(act, plan.spare)
    # In order they come side by side into the index of a large project, which is read and written less often.
    uuids = iter(sorted(new_uuid() for _ in range(summary.added)))
    for done, (report, missing) in enumerate(zip(plan.reports, plan.missing, strict=True), start=1):
        for origin in ("accepted", "edited"):
            new = [span for span in missing if span.origin == origin]
            if new:
                add_annotations(
                    act,
                    report.document,
                    holder,
                    [span.finding for span in new],
                    origin,
                    uuids=[*islice(uuids, len(new))],
                    sources=[_source(span, plan.queue) for span in new],
                    concepts=[span.concepts for span in new],
                )
        state, looked_at, nothing = _stated(report)
        set_review(act, report.document, holder, state=state, looked_at=looked_at, nothing_found=nothing)
        step = Progress(done, len(plan.reports), "reports written")
        yield step
        if done % _AT_ONCE == 0:
            yield from (step for _ in act.writing_history())
    _forget_others(act, plan, holder)
    sides = plan.queue.left.uuid, plan.queue.right.uuid
    numbers = summary.agreed, summary.decided, summary.undecided
    add_gold_build(act, GoldBuild(holder, *sides, by, *numbers))


def _forget_others(act: Act, plan: _Plan, holder: str) -> None:
    """Reports that the sides do not share any more are untouched in the gold set."""
    shared = {report.document for report in plan.reports}
    for review in reviews(act.project, holder):
        if review.document not in shared:
            set_review(act, review.document, holder, state="untouched", nothing_found=(), looked_at=())


def gold_sentences(summary: GoldSummary, *, dry_run: bool = False) -> list[str]:
    """What a gold set was built of, and what is missing in it."""
    verb = "would have" if dry_run else "has"
    parts = [
        f"{summary.name} {verb} {counted(summary.spans, 'quote')} in {counted(summary.reports, 'report')} "
        f"({summary.added:,} new, {summary.removed:,} taken out): {summary.left} and {summary.right} agree "
        f"on {summary.agreed:,}, the others come from {counted(summary.decided, 'decided difference')}."
    ]
    return parts + gold_caveats(summary)


def gold_caveats(summary: GoldSummary) -> list[str]:
    """What must be known of a gold set: what is undecided, and what it does not follow."""
    parts = []
    if summary.undecided:
        parts.append(
            f"Undecided: {summary.undecided:,} of {counted(summary.differences, 'difference')}. Nothing of "
            "that is in it, and categories with something undecided are not complete."
        )
    elif summary.differences:
        parts.append(f"Nothing is undecided: {counted(summary.differences, 'difference')} decided.")
    if summary.fields_differ:
        parts.append(
            f"{counted(summary.fields_differ, 'agreed quote')} with different fields: that of {summary.left} "
            "was taken."
        )
    if summary.outdated:
        parts.append(f"{counted(summary.outdated, 'decision')} on what neither side has any more.")
    return parts
