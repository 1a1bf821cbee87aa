"""A copy of a run with errors planted into it, to see whether reviewers find them, and what they let pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from app.operations.bias.seeding_rules import MISTAKES, Mistake, MistakeKind, SourceReport, make_mistakes
from app.operations.project.seeded_errors import (
    PlantedAccepted,
    _planted_spans,
    is_mistaken,
    list_planted_accepted,
    planted_sets,
)
from app.operations.project.sets import actor, count_spans, holder_of, require_person, who
from app.store.act import Act, begin_act
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations, remove_annotations
from app.store.annotate.annotators import Annotator, annotators, ensure_annotator, require_one_line
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.reviews import reviews, set_review
from app.store.extract.runs import add_planted, planted
from app.store.reconcile.verdicts import Verdict, set_verdict, take_back, verdicts
from app.store.reports.documents import documents
from app.store.values import canonical
from extractors.grouping import grouped
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Finding, Grounding

if TYPE_CHECKING:
    from app.store.project import Project

SHARE, SEED = 0.1, 1


@dataclass(frozen=True, slots=True)
class PlantedSummary:
    """A copy (`annotator`) of a run: all its spans, the errors among them by kind, how many were wanted."""

    annotator: str
    run: str
    spans: int
    planted: Mapping[str, int]
    wanted: int
    seed: int

    @property
    def errors(self) -> int:
        return sum(self.planted.values())


def plant_errors(
    project: Project,
    run: str,
    name: str = "",
    *,
    share: float = SHARE,
    count: int | None = None,
    seed: int = SEED,
    kinds: Sequence[MistakeKind] = MISTAKES,
) -> PlantedSummary:
    """Copy a run's spans under another name ("RUN for review" for none) and spoil some of them, in one act.

    `count` errors, or that `share` (0-1) of the spans that have a place, the kinds in turn; fewer where no
    more can be made. The run stays as it is; the same project and seed give the same errors. Raises
    UnknownNameError for a run or kind that is not there, CallError for a number that makes no sense,
    ProjectError where the name is taken, the run has no spans with a place or is a copy with errors itself.
    """
    name = name or f"{run} for review"
    kinds = _checked_kinds(kinds)
    source = _require_source(project, run, name)
    reports = _source_reports(project, source.uuid)
    placed = sum(one.finding.start is not None for report in reports for one in report.own)
    if not placed:
        raise ProjectError(f"{run} has no spans with a place in a report; there is nothing to plant into.")
    wanted = _wanted(share, count, placed)
    mistakes = make_mistakes(reports, wanted, kinds, Random(seed))
    if not mistakes:
        raise ProjectError(f"No error of that kind can be made of the spans of {run} unseen; choose others.")
    # What the history calls the act is for everybody to read.
    with begin_act(project, f"copy {run} as {name}", actor(project)) as act:
        holder = ensure_annotator(act, name, "run", "planted").uuid
        spans = sum(
            _copy_report(act, report, [one for one in mistakes if one.report == number], holder, source.uuid)
            for number, report in enumerate(reports)
        )
        _copy_reviews(act, source.uuid, holder)
    number_of = Counter(one.kind for one in mistakes)
    return PlantedSummary(name, run, spans, {kind: number_of[kind] for kind in kinds}, wanted, seed)


def remove_planted(project: Project, annotator: str) -> tuple[PlantedAccepted, ...]:
    """Take what `list_planted_accepted` names out of a person's set or gold, in one act; returns what it was.

    What an accepted error had replaced comes back where nothing was changed since. The verdicts stay, so that
    what was missed is still counted. Raises UnknownNameError for a name that is not there, ProjectError for a
    run.
    """
    require_person(annotator)
    found = list_planted_accepted(project, annotator)
    if not found:
        return ()
    reviewer = holder_of(project, annotator)
    gone = {one.annotation for one in found}
    wrong = _planted_spans(project, planted(project))
    with begin_act(project, f"remove {count_spans(found)} of planted errors", who(project, annotator)) as act:
        for verdict in verdicts(project, reviewer=reviewer):
            if verdict.result in gone and verdict.annotation in wrong:
                take_back(act, verdict)
                _remove_wrong(act, verdict, *wrong[verdict.annotation])
                word = (verdict.annotation, verdict.relation, verdict.verdict)
                set_verdict(act, verdict.document, verdict.run, reviewer, *word, seconds=verdict.seconds)
        left = [one.annotation for one in list_planted_accepted(project, annotator)]
        remove_annotations(act, [uuid for uuid in left if uuid in gone])
    return found


def _remove_wrong(act: Act, verdicts: Verdict, kind: str, planted_span: Annotation) -> None:
    """Remove what came of a verdict on a planted span, if it still has its error."""
    own = read_annotations(act.project, verdicts.document, verdicts.reviewer)
    wrong = (one for one in own if one.uuid == verdicts.result)
    if any(is_mistaken(kind, planted_span.finding, one.finding) for one in wrong):
        remove_annotations(act, [verdicts.result])


def _checked_kinds(kinds: Sequence[MistakeKind]) -> tuple[MistakeKind, ...]:
    unknown = [kind for kind in kinds if kind not in MISTAKES]
    if unknown or not kinds:
        named = repr(unknown[0]) if unknown else "of no kind"
        raise UnknownNameError(f"There is no planted error {named}; choose among {', '.join(MISTAKES)}.")
    return tuple(kind for kind in MISTAKES if kind in kinds)


def _wanted(share: float, count: int | None, placed: int) -> int:
    if count is not None:
        if count < 1:
            raise CallError("At least one error must be planted; give a number from 1 on.")
        return count
    if not 0 < share <= 1:
        raise CallError(
            f"A share of {share} of the spans cannot be planted; give a number above 0, at most 1."
        )
    return max(round(share * placed), 1)


def _require_source(project: Project, run: str, name: str) -> Annotator:
    source = annotator_of(project, run)
    if source.kind != "run":
        raise ProjectError(f"{run} is no run; errors are planted into copies of runs only.")
    if run in planted_sets(project):
        raise ProjectError(f"{run} holds planted errors already; choose the run that it is a copy of.")
    require_one_line(name)
    if any(one.name == name for one in annotators(project)):
        raise ProjectError(f"There is a set called {name!r} already; give the copy another name.")
    return source


def _source_reports(project: Project, source: str) -> list[SourceReport]:
    """Each report in which the run has anything."""
    every = read_annotations(project)
    own = grouped((one.document, one) for one in every if one.annotator == source)
    everybody = grouped((one.document, one.finding) for one in every)
    looked_at = {review.document: frozenset(review.looked_at) for review in reviews(project, source)}
    return [
        SourceReport(
            report.uuid,
            report.document.text,
            report.document.sections,
            tuple(own[report.uuid]),
            tuple(everybody[report.uuid]),
            looked_at.get(report.uuid, frozenset()),
        )
        for report in documents(project)
        if report.uuid in own
    ]


def _copy_report(
    act: Act, report: SourceReport, mistakes: Sequence[Mistake], holder: str, source: str
) -> int:
    """Copy a report's spans, the wrong ones among them; by category and place, so that none stands out."""
    wrong = {one.instead_of: one for one in mistakes if one.instead_of is not None}
    rows = [
        (wrong[number].finding, _grounding(wrong[number]), wrong[number].kind, one.note, one.concepts)
        if number in wrong
        else (one.finding, _grounding_of(one), "", one.note, one.concepts)
        for number, one in enumerate(report.own)
    ]
    rows += [
        (one.finding, _grounding(one), one.kind, one.like.note, one.like.concepts)
        for one in mistakes
        if one.instead_of is None
    ]
    order = {category: number for number, category in enumerate(act.project.scheme.ids)}

    def place(finding: Finding) -> tuple[int, bool, int, int, str]:
        start, end = finding.start or 0, finding.end or 0
        rank = order.get(finding.category, len(order))
        return rank, finding.start is None, start, end, finding.quote

    rows.sort(key=lambda row: place(row[0]))
    copied = add_annotations(
        act,
        report.document,
        holder,
        [row[0] for row in rows],
        "model",
        groundings=[row[1] for row in rows],
        notes=[row[3] for row in rows],
        # Of all alike: what was made of what would tell the wrong ones.
        sources=[canonical({"copy_of": source})] * len(rows),
        concepts=[row[4] for row in rows],
    )
    errors = [(report.document, one.uuid, row[2]) for one, row in zip(copied, rows, strict=True) if row[2]]
    add_planted(act, holder, errors)
    return len(copied)


def _grounding_of(one: Annotation) -> Grounding | None:
    finding = one.finding
    if one.score is None:
        return None
    return Grounding(
        finding.grounding, finding.start, finding.end, one.score, finding.reason, one.places, one.candidate
    )


def _grounding(mistake: Mistake) -> Grounding | None:
    """As the run would have had it: the old one for the old words, an exact one for others."""
    old, finding = mistake.like, mistake.finding
    same = (finding.start, finding.end) == (old.finding.start, old.finding.end)
    if old.score is None or same:
        return _grounding_of(old)
    return Grounding("exact", finding.start, finding.end, 100.0)


def _copy_reviews(act: Act, source: str, holder: str) -> None:
    """The copy has looked at what the run looked at, and found nothing where it has nothing."""
    before, found = (
        grouped((one.document, one.finding.category) for one in read_annotations(act.project, annotator=by))
        for by in (source, holder)
    )
    for said in reviews(act.project, source):
        emptied = before.get(said.document, ())
        silent = {*said.nothing_found, *emptied}.difference(found.get(said.document, ()))
        set_review(
            act, said.document, holder, state=said.state, nothing_found=silent, looked_at=said.looked_at
        )
