"""Does help bias: how much was done blind, how suggestions are judged, what seeing them does to agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import TYPE_CHECKING

from app.agreement.statistics.contrast import Contrast, contrast
from app.agreement.statistics.tests_of_shares import Share
from app.agreement.types import Agreement, Item, ReportPair
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.compare.agreement import measure_agreement
from app.operations.project.seeded_errors import is_mistaken, list_planted_accepted, planted_sets
from app.operations.project.sets import require_person
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.annotators import annotators
from app.store.annotate.disclosures import disclosures, first_looks, last_changes
from app.store.annotate.reviews import reviews
from app.store.extract.runs import planted
from app.store.history import ever_called
from app.store.reconcile.verdicts import Verdict, gone_spans, verdicts
from app.store.reports.documents import document_summaries
from extractors.grouping import grouped
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.values import Cell

WORDS = ("accepted", "edited", "rejected")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds per item with one verdict ("" for all): `n` items were timed, `untimed` were not.

    `median` and the quartiles `low` and `high` are None where none was timed.
    """

    verdict: str
    n: int
    untimed: int
    median: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """What an annotator said of the items of one run (its name) in `reports` reports.

    `unchanged` were accepted and are so still; `changed` were accepted, and then changed or removed.
    `times` hold one line a verdict, the last over all of them.
    """

    run: str
    reports: int
    unchanged: int
    changed: int
    edited: int
    rejected: int
    times: tuple[Timing, ...]

    @property
    def items(self) -> int:
        return self.unchanged + self.changed + self.edited + self.rejected

    @property
    def accepted_unchanged(self) -> Share:
        return Share(self.unchanged, self.items)


@dataclass(frozen=True, slots=True)
class Detection:
    """How many planted errors of one kind ("" for all) were judged, and how many of those were caught.

    Caught is what was rejected, edited so that the error is gone, or accepted and taken out later.
    """

    kind: str
    planted: int
    caught: int
    missed: int

    @property
    def judged(self) -> int:
        """How many have a verdict."""
        return self.caught + self.missed

    @property
    def rate(self) -> Share:
        return Share(self.caught, self.judged)


@dataclass(frozen=True, slots=True)
class PlantedResult:
    """What came of the errors of one planted set, a copy of the run `source`; the last line is all of them.

    `others` are the judged items that nobody spoilt, of which the annotator edited or rejected
    `others_refused`. In `source_seen` reports the annotator had the run itself shown as well.
    """

    planted_set: str
    source: str
    lines: tuple[Detection, ...]
    others: int
    others_refused: int
    source_seen: int


@dataclass(frozen=True, slots=True)
class Bias:
    """What a project knows of one annotator's work with help; sentences stand in for what is undefined.

    `blind` is over the reports that the annotator has done. `with_run` and `with_reference` set agreement in
    reports done with the run's spans shown (first) against those done blind (second); where one is None,
    `no_contrast` says why. `neither` done reports are in no group: other spans were shown there. `passed`
    planted errors stand in the annotator's set. `caveats` must stand wherever the numbers stand.
    """

    annotator: str
    run: str
    against: str
    blind: Share
    judged: tuple[JudgedRun, ...]
    with_run: Contrast | None
    with_reference: Contrast | None
    no_contrast: str
    neither: int
    planted: tuple[PlantedResult, ...]
    passed: int
    caveats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Exposure:
    """The reports (UUIDs) that an annotator has done: blind, or with the spans of one run shown before."""

    done: frozenset[str]
    blind: frozenset[str]
    shown: frozenset[str]


def measure_bias(
    project: Project, annotator: str, run: str | None = None, against: str | None = None
) -> Bias:
    """Measure one annotator's work with a run's help, and with `against` agreement with a reference as well.

    Without `run` every run that was judged is told of, and agreement is measured with the one that was shown,
    where there is just one. Raises UnknownNameError for a name that is not there, ProjectError where the
    annotator is a run, or one name is given twice.
    """
    require_person(annotator)
    names = [name for name in (annotator, run, against) if name is not None]
    for name in names:
        annotator_of(project, name)
    if len(set(names)) < len(names):
        raise ProjectError("Annotator, run and reference must be three different sets; choose another one.")
    helper, why_not = (run, "") if run is not None else _helper(project, annotator)
    exposure = _exposure(project, annotator, helper)
    with_run, with_reference = None, None
    caveats: tuple[str, ...] = ()
    if helper is not None:
        with_run, why_not, caveats = _contrast(project, annotator, helper, exposure)
        if against is not None and with_run is not None:
            with_reference, why_not, more = _contrast(project, annotator, against, exposure)
            caveats = tuple(dict.fromkeys((*caveats, *more)))
    return Bias(
        annotator=annotator,
        run=helper or "",
        against=against or "",
        blind=Share(len(exposure.blind), len(exposure.done)),
        judged=_judged_runs(project, annotator, run),
        with_run=with_run,
        with_reference=with_reference,
        no_contrast=why_not,
        neither=len(exposure.done - exposure.blind - exposure.shown) if helper is not None else 0,
        planted=_planted_results(project, annotator, run),
        passed=len(list_planted_accepted(project, annotator)),
        caveats=caveats,
    )


def blind_reports(project: Project, annotator: str) -> frozenset[str]:
    """The reports (UUIDs) in which an annotator (name) made all of the own set with no other set shown.

    Not those where a set was shown before the review was "done", nor those where one was shown while it was
    and the annotator's spans, or what is stated not to be found, were changed in any way since: also where
    that change was undone, for what was seen stays seen. Taking "done" back alone changes neither.
    """
    return frozenset(report.uuid for report in document_summaries(project)) - _influenced(project, annotator)


def _influenced(project: Project, annotator: str, shown: frozenset[str] | None = None) -> frozenset[str]:
    """Reports where a set (of `shown`, UUIDs) was shown before "done", or the work changed after the look."""
    looks = first_looks(project, annotator, shown)
    changed = last_changes(project, ever_called(project, annotator)) if looks else {}
    return frozenset(
        document for document, (seq, done) in looks.items() if not done or changed.get(document, 0) > seq
    )


def _helper(project: Project, annotator: str) -> tuple[str | None, str]:
    """The one run that was shown to the annotator; None, and why, where there is none or several."""
    seen = {look.shown for look in disclosures(project) if look.annotator == annotator}
    runs = [one.name for one in annotators(project) if one.kind == "run" and one.uuid in seen]
    if len(runs) == 1:
        return runs[0], ""
    if runs:
        return None, f"Several runs were shown to {annotator}: {', '.join(runs)}; choose one of them."
    return None, f"No run was shown to {annotator}; there is nothing to compare."


def _exposure(project: Project, annotator: str, helper: str | None) -> _Exposure:
    holder = annotator_of(project, annotator).uuid
    done = frozenset(one.document for one in reviews(project, holder) if one.state == "done")
    shown = _influenced(project, annotator, ever_called(project, helper)) if helper else frozenset()
    return _Exposure(done, done & blind_reports(project, annotator), done & shown)


def _contrast(
    project: Project, annotator: str, other: str, exposure: _Exposure
) -> tuple[Contrast | None, str, tuple[str, ...]]:
    """Agreement with another set in both groups; None, and why, where it cannot be measured at all."""
    try:
        agreement = measure_agreement(project, annotator, other, "paper")
    except ProjectError as error:
        return None, str(error), ()
    uuid_of = {report.key: report.uuid for report in document_summaries(project)}
    pairs = _pairs(agreement)
    first, second = (
        [pair for pair in pairs if uuid_of[pair.key] in group] for group in (exposure.shown, exposure.blind)
    )
    made = contrast(first, second, project.scheme.ids, annotator, other)
    return made, "", agreement.caveats


def _pairs(agreement: Agreement) -> list[ReportPair]:
    """The reports of an agreement with what both sides have in them."""
    left: dict[str, dict[str, tuple[Item, ...]]] = defaultdict(dict)
    right: dict[str, dict[str, tuple[Item, ...]]] = defaultdict(dict)
    titles = {cell.key: cell.title for cell in agreement.cells}
    for cell in agreement.cells:
        left[cell.key][cell.category], right[cell.key][cell.category] = cell.left, cell.right
    return [ReportPair(key, title, left[key], right[key]) for key, title in titles.items()]


def _judged_runs(project: Project, annotator: str, run: str | None) -> tuple[JudgedRun, ...]:
    reviewer = annotator_of(project, annotator).uuid
    own = {one.uuid: one for one in read_annotations(project, annotator=reviewer)}
    judged = grouped((one.run, one) for one in verdicts(project, reviewer=reviewer))
    return tuple(
        _judged_run(project, side.name, judged[side.uuid], own)
        for side in annotators(project)
        if side.uuid in judged and run in (None, side.name)
    )


def _judged_run(
    project: Project, run: str, verdicts: Sequence[Verdict], own: Mapping[str, Annotation]
) -> JudgedRun:
    items = {one.uuid: _content(one) for one in read_annotations(project, annotator=verdicts[0].run)}
    word = Counter(one.verdict for one in verdicts)
    accepted = [one for one in verdicts if one.verdict == "accepted"]
    # Rules that were run again have other items by now.
    items |= gone_spans(project, {one.annotation for one in accepted} - items.keys())
    unchanged = sum(_stands(one, items.get(one.annotation), own) for one in accepted)
    times = [_timing(name, [one for one in verdicts if name in ("", one.verdict)]) for name in (*WORDS, "")]
    reports = len({one.document for one in verdicts})
    return JudgedRun(
        run, reports, unchanged, len(accepted) - unchanged, word["edited"], word["rejected"], tuple(times)
    )


def _stands(verdict: Verdict, item: tuple[Cell, ...] | None, own: Mapping[str, Annotation]) -> bool:
    """Whether what was accepted is still as the run had it; a planted error was, until it was removed."""
    if not verdict.result:
        return True
    return verdict.result in own and _content(own[verdict.result]) == item


def _content(one: Annotation) -> tuple[Cell, ...]:
    finding = one.finding
    return finding.category, finding.start, finding.end, finding.polarity


def _timing(verdict: str, verdicts: Sequence[Verdict]) -> Timing:
    times = [one.seconds for one in verdicts if one.seconds is not None]
    low, median, high = _quartiles(times)
    return Timing(verdict, len(times), len(verdicts) - len(times), median, low, high)


def _quartiles(times: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """Linear between the values, as most statistics programs do by default."""
    if len(times) < 2:
        only = times[0] if times else None
        return only, only, only
    low, median, high = quantiles(times, n=4, method="inclusive")
    return low, median, high


def _planted_results(project: Project, annotator: str, run: str | None) -> tuple[PlantedResult, ...]:
    """What came of every planted set, or of that one, or of the copies of that run."""
    return tuple(
        _planted_result(project, annotator, name, source)
        for name, source in planted_sets(project).items()
        if run in (None, name, source)
    )


def _planted_result(project: Project, annotator: str, name: str, source: str) -> PlantedResult:
    reviewer, holder = annotator_of(project, annotator).uuid, annotator_of(project, name).uuid
    items = {one.uuid: one for one in read_annotations(project, annotator=holder)}
    own = {one.uuid: one for one in read_annotations(project, annotator=reviewer)}
    judged = {one.annotation: one for one in verdicts(project, run=holder, reviewer=reviewer)}
    number, caught, missed = Counter[str](), Counter[str](), Counter[str]()
    errors = [one for one in planted(project, holder) if one.annotation in items]
    for error in errors:
        number[error.kind] += 1
        verdict = judged.pop(error.annotation, None)
        if verdict is None:
            continue
        tally = caught if _is_caught(error.kind, verdict, items[error.annotation], own) else missed
        tally[error.kind] += 1
    kinds = [kind for kind in MISTAKES if number[kind]]
    lines = [Detection(kind, number[kind], caught[kind], missed[kind]) for kind in kinds]
    lines.append(Detection("", number.total(), caught.total(), missed.total()))
    refused = sum(verdict.verdict != "accepted" for verdict in judged.values())
    judged_in = {one.document for one in verdicts(project, run=holder, reviewer=reviewer)}
    seen = first_looks(project, annotator, ever_called(project, source)).keys() if source else set[str]()
    return PlantedResult(name, source, tuple(lines), len(judged), refused, len(judged_in & seen))


def _is_caught(kind: str, verdict: Verdict, item: Annotation, own: Mapping[str, Annotation]) -> bool:
    if verdict.verdict == "rejected":
        return True
    if not verdict.result:
        # Taken out as a planted error, after it had been let through.
        return False
    result = own.get(verdict.result)
    return result is None or not is_mistaken(kind, item.finding, result.finding)
