"""Clinicians rate what a run, or somebody else, has in a report: twelve items, each from 1 to 5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.operations.annotate.exposure import disclose, disclose_all
from app.operations.project.caveats import caveats
from app.operations.project.opening import opened
from app.operations.project.sets import who
from app.operations.rate.checks import (
    RatingCheck,
    label_at,
    looked_at,
    places_for,
    require_other,
    require_rater,
)
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, read_annotations
from app.store.annotate.annotators import Annotator, annotators
from app.store.annotate.annotators import annotator as annotator_of
from app.store.reports.documents import document, document_summaries, document_summary
from app.store.study import ratings as store
from extractors.grouping import grouped
from extractors.model.errors import UnknownNameError

if TYPE_CHECKING:
    from app.agreement.ratings.summary import OutputRating, RatingSummary
    from app.store.project import Project
    from extractors.model.finding import Finding

RatedState: TypeAlias = Literal["unrated", "partial", "rated"]


@dataclass(frozen=True, slots=True)
class Output:
    """What a `run` (name) has in a report (key); `label` is what the rater may read of it."""

    report: str
    title: str
    run: str
    label: str
    state: RatedState


@dataclass(frozen=True, slots=True)
class ShownOutput:
    """An output with the report's `text`; `quotes` go by category id in scheme order, without empty ones.

    `rating` is what the rater said of it before, None for nothing.
    """

    text: str
    quotes: Mapping[str, tuple[Finding, ...]]
    rating: OutputRating | None


def rate_output(
    where: Project | Path,
    rater: str,
    run: str,
    report: str,
    scores: Mapping[str, int],
    note: str = "",
    *,
    blind: bool = False,
) -> OutputRating:
    """Record what a rater (name) says of what a run, or somebody else, has in a report (key or UUID).

    `scores` go by item id; items may be left out, and the rating then counts as partial. What the rater said
    of it before is replaced. A rater who is `blind` may name the run as `list_outputs` labels it.

    Raises UnknownNameError for a run, report or item that is not there; ProjectError for a score outside 1
    to 5, one's own set, a set that has not looked at the report, and where nothing is said.
    """
    from app.agreement.ratings.summary import OutputRating

    return rate_outputs(where, [OutputRating(report, run, rater, scores, note, blind, "")])[0]


def rate_outputs(where: Project | Path, given: Sequence[OutputRating]) -> list[OutputRating]:
    """Record many ratings in one act, as `rate_output` does one, and return them as they are now.

    Raises what `rate_output` raises, and then records none.
    """
    with opened(where, write=True) as project:
        check = RatingCheck(project)
        checked = [check.checked(one) for one in given]
        uuid_of = {one.name: one.uuid for one in annotators(project)}
        keys = list(dict.fromkeys(one.report for one in checked))
        raters = ", ".join(dict.fromkeys(one.rater for one in checked))
        with begin_act(project, _act_name("rate", keys), who(project, raters)) as act:
            for one in checked:
                report = document_summary(project, one.report).uuid
                run, scores = uuid_of[one.run], one.scores
                store.set_rating(act, report, run, one.rater, scores, note=one.note, blind=one.blind)
        return [replace(one, rated_at=act.at) for one in checked]


def remove_rating(where: Project | Path, rater: str, run: str, report: str, *, blind: bool = False) -> None:
    """Take a rating away; raises UnknownNameError where run, report or rating is not there."""
    with opened(where, write=True) as project:
        document_, holder = RatingCheck(project).find(rater, run, report, blind=blind)
        found = _find(project, document_.uuid, holder.uuid, rater)
        if found is None:
            raise UnknownNameError(
                f"{rater} has not rated {run} in {document_.key}; there is nothing to remove."
            )
        with begin_act(
            project, _act_name("remove the rating of", [document_.key]), who(project, rater)
        ) as act:
            store.remove_rating(act, found.uuid)


def read_rating(where: Project | Path, rater: str, run: str, report: str) -> OutputRating | None:
    """What a rater said of a run in a report (key or UUID), None for nothing.

    Raises UnknownNameError where run or report is not there.
    """
    with opened(where) as project:
        document_, holder = document_summary(project, report), annotator_of(project, run)
        found = _find(project, document_.uuid, holder.uuid, rater)
        return None if found is None else _named(found, document_.key, holder.name)


def list_ratings(
    where: Project | Path, runs: Sequence[str] = (), raters: Sequence[str] = ()
) -> tuple[OutputRating, ...]:
    """All ratings, or those of runs and by raters (names), by report in import order, run and rater.

    Raises UnknownNameError for a run that is not there, or a rater who has rated nothing.
    """
    with opened(where) as project:
        holders = {holder.uuid: holder.name for holder in annotators(project)}
        wanted = {annotator_of(project, name).uuid for name in runs} or holders.keys()
        key_of = {report.uuid: report.key for report in document_summaries(project)}
        found = store.ratings(project)
        known = sorted({one.rater for one in found})
        for rater in raters:
            if rater not in known:
                those = f"choose one of {', '.join(known)}" if known else "nobody has rated yet"
                raise UnknownNameError(f"{rater!r} has rated nothing; {those}.")
        return tuple(
            _named(one, key_of[one.document], holders[one.run])
            for one in found
            if one.run in wanted and (not raters or one.rater in raters)
        )


def summarise_ratings(
    where: Project | Path, runs: Sequence[str] = (), raters: Sequence[str] = ()
) -> RatingSummary:
    """Means by run and item, and how far raters agree; raises the same as `list_ratings`."""
    from app.agreement.ratings.summary import summarise

    with opened(where) as project:
        found = sorted(list_ratings(project, runs, raters), key=lambda one: one.run)
        return summarise(found, {run: caveats(project, run) for run in {one.run for one in found}})


def list_sets(project: Project, rater: str) -> tuple[Annotator, ...]:
    """Whoever has looked at a report and is not the rater (name): people, then gold, then runs."""
    there = set[str]().union(*looked_at(project).values())
    return tuple(one for one in annotators(project) if one.uuid in there and one.name != rater)


def list_outputs(
    where: Project | Path, rater: str, runs: Sequence[str] = (), *, blind: bool = False
) -> tuple[Output, ...]:
    """Every output of the runs named, or of all runs, in the order in which this rater is to rate them.

    Report by report, so that each is read once; within a report in an order that is drawn anew for each
    rater and report, but is always the same. Where `blind`, labels are "Output A" and so on: a run keeps its
    letter in a report, whatever comes, goes, is undone or redone, and has another one in the next.

    Raises UnknownNameError for a run that is not there, ProjectError for one's own set or a rater's name
    that stands for something else.
    """
    with opened(where) as project:
        require_rater(project, rater)
        wanted = _wanted(project, rater, runs)
        states = {(one.document, one.run): one for one in store.ratings(project, rater=rater)}
        ages, there = store.sets_by_age(project), looked_at(project)
        outputs = []
        for report in document_summaries(project):
            places = places_for(rater, report.uuid, ages)
            for uuid in sorted(wanted.keys() & there.get(report.uuid, set()), key=lambda one: places[one]):
                label = label_at(places[uuid]) if blind else wanted[uuid]
                rating = states.get((report.uuid, uuid))
                outputs.append(Output(report.key, report.title, wanted[uuid], label, _state(rating)))
        return tuple(outputs)


def following(outputs: Sequence[Output], after: tuple[str, str] | None) -> Output | None:
    """The next output after one (report, run), round the end, not rated in whole; the unrated go first.

    From the first where `after` is None or not there; None where no other is left.
    """
    places = [(one.report, one.run) for one in outputs]
    start = places.index(after) + 1 if after in places else 0
    turned = [*outputs[start:], *outputs[:start]]
    others = [one for one in turned if (one.report, one.run) != after]
    unrated = next((one for one in others if one.state == "unrated"), None)
    return unrated or next((one for one in others if one.state == "partial"), None)


def show_output(
    project: Project, rater: str, run: str, report: str, *, annotates: bool = False
) -> ShownOutput:
    """What is to be rated, and the report (key or UUID) it is of.

    Whoever annotates in this project looks at others' spans that way, and the look goes on record for good:
    where `annotates` is set, and always where the rater has a set in the project or it was made for them.

    Raises UnknownNameError for a run or report that is not there, ProjectError as `rate_output` does, and
    where a look is to be recorded and the project is open for reading.
    """
    document_, holder = RatingCheck(project).find(rater, run, report)
    stored = document(project, document_.uuid)
    spans: Sequence[Annotation]
    if annotates or _annotates(project, rater):
        spans = disclose(project, rater, document_.uuid, [holder.name], named=False).annotations[holder.name]
    else:
        spans = read_annotations(project, document_.uuid, holder.uuid)
    return ShownOutput(
        text=stored.document.text,
        quotes=_by_category(project, spans),
        rating=read_rating(project, rater, holder.name, document_.uuid),
    )


def show_quotes(
    project: Project, rater: str, outputs: Sequence[Output]
) -> list[Mapping[str, tuple[Finding, ...]]]:
    """The quotes of many outputs, each as `ShownOutput` has them; the looks go on record as by `show_output`.

    They do in one act for all reports of which the same sets are shown. Raises as `show_output`.
    """
    if _annotates(project, rater):
        names_in: dict[str, tuple[str, ...]] = {}
        for one in sorted(outputs, key=lambda output: output.run):
            names_in[one.report] = (*names_in.get(one.report, ()), one.run)
        for names in dict.fromkeys(names_in.values()):
            keys = [key for key, own in names_in.items() if own == names]
            disclose_all(project, rater, keys, names, named=False)
    documents = {report.key: report.uuid for report in document_summaries(project)}
    holders = {one.name: one.uuid for one in annotators(project)}
    return [
        _by_category(project, read_annotations(project, documents[one.report], holders[one.run]))
        for one in outputs
    ]


def _annotates(project: Project, rater: str) -> bool:
    """Whether the rater has a set in the project, or it was made for them."""
    return rater == project.owner or any(one.name == rater for one in annotators(project))


def _by_category(project: Project, spans: Iterable[Annotation]) -> dict[str, tuple[Finding, ...]]:
    """The findings by category in scheme order, without empty ones."""
    found = grouped((span.finding.category, span.finding) for span in spans)
    return {category: tuple(found[category]) for category in project.scheme.ids if category in found}


def _wanted(project: Project, rater: str, runs: Sequence[str]) -> dict[str, str]:
    """The sets to rate, name by UUID."""
    if not runs:
        return {one.uuid: one.name for one in annotators(project) if one.kind == "run"}
    holders = [annotator_of(project, name) for name in dict.fromkeys(runs)]
    for holder in holders:
        require_other(holder, rater)
    return {one.uuid: one.name for one in holders}


def _find(project: Project, document_: str, run: str, rater: str) -> store.Rating | None:
    found = store.ratings(project, run, rater)
    return next((one for one in found if one.document == document_), None)


def _state(rating: store.Rating | None) -> RatedState:
    from app.agreement.ratings.summary import is_whole

    if rating is None:
        return "unrated"
    return "rated" if is_whole(rating.scores) else "partial"


def _act_name(verb: str, keys: Sequence[str]) -> str:
    """Without the run's name: it is shown in the window, where the rater may be blind."""
    return f"{verb} an output of {keys[0]}" if len(keys) == 1 else f"{verb} outputs of {len(keys)} reports"


def _named(rating: store.Rating, report: str, run: str) -> OutputRating:
    from app.agreement.ratings.summary import OutputRating

    return OutputRating(report, run, rating.rater, rating.scores, rating.note, rating.blind, rating.rated_at)
