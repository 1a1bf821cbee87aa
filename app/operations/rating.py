"""Clinicians rate what a run, or somebody else, has in a report: twelve items, each from 1 to 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.operations.disclosing import disclose
from app.operations.hands import who
from app.operations.opening import opened
from app.operations.remarks import remarks
from app.store import ratings as store
from app.store.annotations import read_annotations
from app.store.annotators import annotator as annotator_of
from app.store.annotators import annotators, kind_of, require_one_line
from app.store.counting import count_by_annotator
from app.store.documents import document, document_summaries, document_summary
from app.store.reviews import reviews
from extractors.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.agreement.rating_summary import OutputRating, RatingSummary
    from app.store.annotations import Annotation
    from app.store.annotators import Annotator
    from app.store.documents import DocumentSummary
    from app.store.project import Project
    from extractors.finding import Finding

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
    from app.agreement.rating_summary import OutputRating

    return rate_outputs(where, [OutputRating(report, run, rater, scores, note, blind, "")])[0]


def rate_outputs(where: Project | Path, given: Sequence[OutputRating]) -> list[OutputRating]:
    """Record many ratings in one act, as `rate_output` does one, and return them as they are now.

    Raises what `rate_output` raises, and then records none.
    """
    with opened(where, write=True) as project:
        checked = [check_rating(project, one) for one in given]
        uuid_of = {one.name: one.uuid for one in annotators(project)}
        keys = list(dict.fromkeys(one.report for one in checked))
        raters = ", ".join(dict.fromkeys(one.rater for one in checked))
        with project.act(_act_name("rate", keys), who(project, raters)) as act:
            for one in checked:
                report = document_summary(project, one.report).uuid
                run, scores = uuid_of[one.run], one.scores
                store.set_rating(act, report, run, one.rater, scores, note=one.note, blind=one.blind)
        return [replace(one, rated_at=act.at) for one in checked]


def check_rating(project: Project, given: OutputRating) -> OutputRating:
    """The rating by the report's key and the run's own name; raises what `rate_output` raises."""
    report, holder = _rated(project, given.rater, given.run, given.report, blind=given.blind)
    _require_said(given.scores, given.note)
    return replace(given, report=report.key, run=holder.name, note=given.note.strip())


def remove_rating(where: Project | Path, rater: str, run: str, report: str, *, blind: bool = False) -> None:
    """Take a rating away; raises UnknownNameError where run, report or rating is not there."""
    with opened(where, write=True) as project:
        document_, holder = _rated(project, rater, run, report, blind=blind)
        found = _find(project, document_.uuid, holder.uuid, rater)
        if found is None:
            raise UnknownNameError(
                f"{rater} has not rated {run} in {document_.key}; there is nothing to remove."
            )
        with project.act(_act_name("remove the rating of", [document_.key]), who(project, rater)) as act:
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
    from app.agreement.rating_summary import summarise

    with opened(where) as project:
        found = sorted(list_ratings(project, runs, raters), key=lambda one: one.run)
        return summarise(found, {run: remarks(project, run) for run in {one.run for one in found}})


def list_sets(project: Project, rater: str) -> tuple[Annotator, ...]:
    """Whoever has looked at a report and is not the rater (name): people, then gold, then runs."""
    there = set[str]().union(*_looked_at(project).values())
    return tuple(one for one in annotators(project) if one.uuid in there and one.name != rater)


def list_outputs(
    where: Project | Path, rater: str, runs: Sequence[str] = (), *, blind: bool = False
) -> tuple[Output, ...]:
    """Every output of the runs named, or of all runs, in the order in which this rater is to rate them.

    Report by report, so that each is read once; within a report in an order that is drawn anew for each
    rater and report, but is always the same. Where `blind`, labels are "Output A" and so on: a run keeps its
    letter in a report, also when others come later, and has another one in the next.

    Raises UnknownNameError for a run that is not there, ProjectError for one's own set or a rater's name
    that stands for something else.
    """
    with opened(where) as project:
        _require_rater(project, rater)
        wanted = _wanted(project, rater, runs)
        states = {(one.document, one.run): one for one in store.ratings(project, rater=rater)}
        ages, there = store.sets_by_age(project), _looked_at(project)
        outputs = []
        for report in document_summaries(project):
            places = _places(rater, report.uuid, ages)
            for uuid in sorted(wanted.keys() & there.get(report.uuid, set()), key=lambda one: places[one]):
                label = _label(places[uuid]) if blind else wanted[uuid]
                rating = states.get((report.uuid, uuid))
                outputs.append(Output(report.key, report.title, wanted[uuid], label, _state(rating)))
        return tuple(outputs)


def next_output(
    where: Project | Path,
    rater: str,
    runs: Sequence[str] = (),
    *,
    blind: bool = False,
    after: tuple[str, str] | None = None,
) -> Output | None:
    """The next output after one (report, run), round the end, that has no whole rating by this rater.

    From the first where `after` is None or not there; None where no other is left. Raises the same as
    `list_outputs`.
    """
    return following(list_outputs(where, rater, runs, blind=blind), after)


def following(outputs: Sequence[Output], after: tuple[str, str] | None) -> Output | None:
    """As `next_output`, in a list of outputs that is at hand; those without any rating come first."""
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
    document_, holder = _rated(project, rater, run, report, blind=False)
    stored = document(project, document_.uuid)
    names = {one.name for one in annotators(project)}
    spans: Sequence[Annotation]
    if annotates or rater in names or rater == project.owner:
        spans = disclose(project, rater, document_.uuid, [holder.name]).annotations[holder.name]
    else:
        spans = read_annotations(project, document_.uuid, holder.uuid)
    quotes = {
        category: tuple(span.finding for span in spans if span.finding.category == category)
        for category in project.scheme.ids
    }
    return ShownOutput(
        text=stored.document.text,
        quotes={category: found for category, found in quotes.items() if found},
        rating=read_rating(project, rater, holder.name, document_.uuid),
    )


def _wanted(project: Project, rater: str, runs: Sequence[str]) -> dict[str, str]:
    """The sets to rate, name by UUID."""
    if not runs:
        return {one.uuid: one.name for one in annotators(project) if one.kind == "run"}
    holders = [annotator_of(project, name) for name in dict.fromkeys(runs)]
    for holder in holders:
        _require_other(holder, rater)
    return {one.uuid: one.name for one in holders}


def _looked_at(project: Project, only: str | None = None) -> dict[str, set[str]]:
    """Who looked at each document, or at one, all UUIDs."""
    there = {uuid: set(number_of) for uuid, number_of in count_by_annotator(project, only).items()}
    for review in reviews(project):
        if review.looked_at or review.nothing_found or review.state == "done":
            there.setdefault(review.document, set()).add(review.annotator)
    return there


def _rated(
    project: Project, rater: str, run: str, report: str, *, blind: bool
) -> tuple[DocumentSummary, Annotator]:
    """The report and the set that is rated, checked."""
    _require_rater(project, rater)
    document_ = document_summary(project, report)
    holder = _unmasked(project, rater, run, document_.uuid) if blind else None
    holder = holder or annotator_of(project, run)
    _require_other(holder, rater)
    if holder.uuid not in _looked_at(project, document_.uuid).get(document_.uuid, set()):
        raise ProjectError(f"{run} has not looked at {document_.key}; there is no output to rate.")
    return document_, holder


def _unmasked(project: Project, rater: str, label: str, document_: str) -> Annotator | None:
    """Whose output has that label for the rater in a document (UUID)."""
    places = _places(rater, document_, store.sets_by_age(project))
    return next((one for one in annotators(project) if _label(places[one.uuid]) == label), None)


def _require_rater(project: Project, rater: str) -> None:
    require_one_line(rater)
    holder = next((one for one in annotators(project) if one.name == rater), None)
    if kind_of(rater) != "person" or (holder is not None and holder.kind != "person"):
        raise ProjectError(
            f"{rater!r} is the name of a set of annotations; give the name of a person who rates."
        )


def _require_other(holder: Annotator, rater: str) -> None:
    if holder.name == rater:
        raise ProjectError(f"What {rater} has is {rater}'s own; one rates what others have.")


def _require_said(scores: Mapping[str, int], note: str) -> None:
    from app.agreement.rating_items import require_scores

    require_scores(scores)
    if not scores and not note.strip():
        raise ProjectError("A rating needs a score or a note; give at least one.")


def _find(project: Project, document_: str, run: str, rater: str) -> store.Rating | None:
    found = store.ratings(project, run, rater)
    return next((one for one in found if one.document == document_), None)


def _state(rating: store.Rating | None) -> RatedState:
    from app.agreement.rating_items import is_whole

    if rating is None:
        return "unrated"
    return "rated" if is_whole(rating.scores) else "partial"


def _places(rater: str, document_: str, sets: Sequence[str]) -> dict[str, int]:
    """A place by set (UUID), drawn from rater and document; each alphabet takes as many as it has letters.

    A set goes on from the place that it draws to the next free one, so that later sets move no earlier one.
    """
    letters = len(ascii_uppercase)
    places: dict[str, int] = {}
    for number, uuid in enumerate(sets):
        begin = number // letters * letters
        drawn = int.from_bytes(sha256("\0".join((rater, document_, uuid)).encode()).digest()[:8])
        taken = set(places.values())
        turns = (begin + (drawn + step) % letters for step in range(letters))
        places[uuid] = next(place for place in turns if place not in taken)
    return places


def _label(place: int) -> str:
    letters = len(ascii_uppercase)
    return "Output " + ascii_uppercase[place % letters] * (place // letters + 1)


def _act_name(verb: str, keys: Sequence[str]) -> str:
    """Without the run's name: it is shown in the window, where the rater may be blind."""
    return f"{verb} an output of {keys[0]}" if len(keys) == 1 else f"{verb} outputs of {len(keys)} reports"


def _named(rating: store.Rating, report: str, run: str) -> OutputRating:
    from app.agreement.rating_summary import OutputRating

    return OutputRating(report, run, rating.rater, rating.scores, rating.note, rating.blind, rating.rated_at)
