"""A copy of a run with errors planted into it, to see whether reviewers find them, and what they let pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from app.operations.bias.seeding_rules import MISTAKES, MistakeKind, Sheet, is_mistaken, make_mistakes
from app.operations.project.actor import actor
from app.operations.project.sets import count_spans, holder_of, require_person, who
from app.store.act import begin_act
from app.store.annotations import (
    Annotation,
    add_annotations,
    find_annotations,
    read_annotations,
    remove_annotations,
)
from app.store.annotators import annotator as annotator_of
from app.store.annotators import annotators, ensure_annotator, require_one_line
from app.store.documents import document_summaries, documents
from app.store.planted import Planted, add_planted, planted
from app.store.reviews import reviews, set_review
from app.store.values import canonical, json_object
from app.store.verdicts import Verdict, set_verdict, take_back, verdicts
from app.text import counted
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Grounding

if TYPE_CHECKING:
    from app.operations.bias.seeding_rules import Mistake
    from app.store.act import Act
    from app.store.annotators import Annotator
    from app.store.project import Project
    from app.store.reviews import Review
    from extractors.model.finding import Finding

SHARE, SEED = 0.1, 1
_Said: TypeAlias = tuple[str, str, int | None, int | None, str]


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
        """How many errors were planted."""
        return sum(self.planted.values())


@dataclass(frozen=True, slots=True)
class PlantedAccepted:
    """A span (UUID) of somebody's set that a planted error came through in; `report` is the key."""

    annotation: str
    annotator: str
    report: str
    category: str
    quote: str
    kind: str
    planted_set: str


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
    sheets = _sheets(project, source.uuid)
    placed = sum(one.finding.start is not None for sheet in sheets for one in sheet.own)
    if not placed:
        raise ProjectError(f"{run} has no spans with a place in a report; there is nothing to plant into.")
    wanted = _wanted(share, count, placed)
    mistakes = make_mistakes(sheets, wanted, kinds, Random(seed))
    if not mistakes:
        raise ProjectError(f"No error of that kind can be made of the spans of {run} unseen; choose others.")
    # What the history calls the act is for everybody to read.
    with begin_act(project, f"copy {run} as {name}", actor(project)) as act:
        holder = ensure_annotator(act, name, "run").uuid
        spans = sum(
            _copy_sheet(act, sheet, [one for one in mistakes if one.sheet == number], holder, source.uuid)
            for number, sheet in enumerate(sheets)
        )
        _copy_reviews(act, source.uuid, holder)
    number_of = Counter(one.kind for one in mistakes)
    return PlantedSummary(name, run, spans, {kind: number_of[kind] for kind in kinds}, wanted, seed)


def planted_sets(project: Project) -> Mapping[str, str]:
    """The sets with planted errors by name, and the run that each is a copy of ("" where that is gone)."""
    errors = planted(project)
    if not errors:
        return {}
    names = {one.uuid: one.name for one in annotators(project)}
    one_of = {error.annotator: error for error in errors}
    return {names[holder]: names.get(_copied_from(project, one), "") for holder, one in one_of.items()}


def list_planted_accepted(project: Project, annotator: str | None = None) -> tuple[PlantedAccepted, ...]:
    """Spans of people and of gold (of one of them, by name) in which a planted error came through.

    Those that a review accepted, or edited without mending the error; those taken over in another way that
    say the same; gold spans that say the same. Raises UnknownNameError for a name that is not there.
    """
    errors = planted(project)
    if not errors:
        return ()
    holders = annotators(project) if annotator is None else [annotator_of(project, annotator)]
    lookup = _Lookup(project, errors)
    return tuple(found for one in holders if one.kind != "run" for found in lookup.let_in_by(one))


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
        for said in verdicts(project, reviewer=reviewer):
            if said.result in gone and said.annotation in wrong:
                take_back(act, said)
                _remove_wrong(act, said, *wrong[said.annotation])
                word = (said.annotation, said.relation, said.verdict)
                set_verdict(act, said.document, said.run, reviewer, *word, seconds=said.seconds)
        left = [one.annotation for one in list_planted_accepted(project, annotator)]
        remove_annotations(act, [uuid for uuid in left if uuid in gone])
    return found


def _remove_wrong(act: Act, said: Verdict, kind: str, planted_span: Annotation) -> None:
    """Remove what came of a verdict on a planted span, if it still has its error."""
    own = read_annotations(act.project, said.document, said.reviewer)
    wrong = (one for one in own if one.uuid == said.result)
    if any(is_mistaken(kind, planted_span.finding, one.finding) for one in wrong):
        remove_annotations(act, [said.result])


def _planted_spans(project: Project, errors: Sequence[Planted]) -> dict[str, tuple[str, Annotation]]:
    """The kind of each planted error and its span, by the span's UUID."""
    kind_of = {one.annotation: one.kind for one in errors}
    return {
        one.uuid: (kind_of[one.uuid], one)
        for holder in dict.fromkeys(error.annotator for error in errors)
        for one in read_annotations(project, annotator=holder)
        if one.uuid in kind_of
    }


def planted_remarks(project: Project, name: str) -> tuple[str, ...]:
    """What must be said of planted errors wherever a set is compared or exported; nothing in a review."""
    errors = planted(project)
    if not errors:
        return ()
    holder = holder_of(project, name)
    own = sum(one.annotator == holder for one in errors)
    if own:
        source = planted_sets(project)[name]
        of = f"a copy of {source}" if source else "a copy of a run"
        return (f"{name} holds {counted(own, 'planted error')}: it is {of}, made to measure reviewers by.",)
    passed = len(list_planted_accepted(project, name))
    if not passed:
        return ()
    spans = f"{counted(passed, 'span')} of {name} {'were' if passed != 1 else 'was'}"
    return (f"{spans} accepted from planted errors; remove {'them' if passed != 1 else 'it'} before use.",)


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


def _sheets(project: Project, source: str) -> list[Sheet]:
    """A sheet for each report in which the run has anything."""
    own: dict[str, list[Annotation]] = defaultdict(list)
    everybody: dict[str, list[Finding]] = defaultdict(list)
    for one in read_annotations(project):
        everybody[one.document].append(one.finding)
        if one.annotator == source:
            own[one.document].append(one)
    looked_at = {review.document: frozenset(review.looked_at) for review in reviews(project, source)}
    return [
        Sheet(
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


def _copy_sheet(act: Act, sheet: Sheet, mistakes: Sequence[Mistake], holder: str, source: str) -> int:
    """Copy a report's spans, the wrong ones among them; by category and place, so that none stands out."""
    wrong = {one.instead_of: one for one in mistakes if one.instead_of is not None}
    rows = [
        (wrong[number].finding, _grounding(wrong[number]), wrong[number].kind, one.note)
        if number in wrong
        else (one.finding, _grounding_of(one), "", one.note)
        for number, one in enumerate(sheet.own)
    ]
    rows += [
        (one.finding, _grounding(one), one.kind, one.like.note) for one in mistakes if one.instead_of is None
    ]
    order = {category: number for number, category in enumerate(act.project.scheme.ids)}

    def place(finding: Finding) -> tuple[int, bool, int, int, str]:
        start, end = finding.start or 0, finding.end or 0
        rank = order.get(finding.category, len(order))
        return rank, finding.start is None, start, end, finding.quote

    rows.sort(key=lambda row: place(row[0]))
    copied = add_annotations(
        act,
        sheet.document,
        holder,
        [row[0] for row in rows],
        "model",
        groundings=[row[1] for row in rows],
        notes=[row[3] for row in rows],
        # Of all alike: what was made of what would tell the wrong ones.
        sources=[canonical({"copy_of": source})] * len(rows),
    )
    errors = [(sheet.document, one.uuid, row[2]) for one, row in zip(copied, rows, strict=True) if row[2]]
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
    found: dict[str, set[str]] = defaultdict(set)
    for one in read_annotations(act.project, annotator=holder):
        found[one.document].add(one.finding.category)
    before: dict[str, set[str]] = defaultdict(set)
    for one in read_annotations(act.project, annotator=source):
        before[one.document].add(one.finding.category)
    for review in reviews(act.project, source):
        emptied = before[review.document] - found[review.document]
        silent = {*review.nothing_found, *emptied} - found[review.document]
        _copy_review(act, review, holder, silent)


def _copy_review(act: Act, review: Review, holder: str, silent: set[str]) -> None:
    looked_at = review.looked_at
    set_review(act, review.document, holder, state=review.state, nothing_found=silent, looked_at=looked_at)


def _copied_from(project: Project, error: Planted) -> str:
    """The run (UUID) that the set of a planted error was copied from."""
    (span,) = find_annotations(project, [error.annotation])
    return str(json_object(span.source)["copy_of"])


class _Lookup:
    """Planted errors by what they say, and by what was made of them in reviews."""

    def __init__(self, project: Project, errors: Sequence[Planted]) -> None:
        self._project = project
        self._key_of = {report.uuid: report.key for report in document_summaries(project)}
        self._names = {one.uuid: one.name for one in annotators(project)}
        self._planted = _planted_spans(project, errors)
        self._alike: dict[_Said, list[str]] = defaultdict(list)
        for uuid, (_, one) in self._planted.items():
            self._alike[_said(one)].append(uuid)

    def let_in_by(self, holder: Annotator) -> list[PlantedAccepted]:
        """What came through into the set of a person or gold."""
        judged: dict[str, list[str]] = defaultdict(list)
        for said in verdicts(self._project, reviewer=holder.uuid):
            if said.result and said.annotation in self._planted:
                judged[said.result].append(said.annotation)
        found = []
        for own in read_annotations(self._project, annotator=holder.uuid):
            made_of = judged.get(own.uuid, [])
            if holder.kind == "gold" or own.origin in ("accepted", "edited"):
                made_of = [*made_of, *self._alike.get(_said(own), [])]
            for kind, wrong in (self._planted[uuid] for uuid in made_of):
                if is_mistaken(kind, wrong.finding, own.finding):
                    found.append(self._passed(own, kind, wrong, holder.name))
                    break
        return found

    def _passed(self, own: Annotation, kind: str, wrong: Annotation, name: str) -> PlantedAccepted:
        finding = own.finding
        return PlantedAccepted(
            own.uuid,
            name,
            self._key_of[own.document],
            finding.category,
            finding.quote,
            kind,
            self._names[wrong.annotator],
        )


def _said(one: Annotation) -> _Said:
    finding = one.finding
    return one.document, finding.category, finding.start, finding.end, finding.polarity
