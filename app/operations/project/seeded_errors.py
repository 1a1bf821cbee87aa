"""Errors planted into copies of runs: which sets hold them, and in whose spans they came through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from app.operations.project.sets import holder_of
from app.store.annotate.annotations import Annotation, find_annotations, read_annotations
from app.store.annotate.annotators import Annotator, annotators
from app.store.annotate.annotators import annotator as annotator_of
from app.store.extract.runs import Planted, planted
from app.store.reconcile.verdicts import verdicts
from app.store.reports.documents import document_summaries
from app.store.values import json_object
from app.text import counted
from extractors.grouping import grouped
from extractors.model.finding import Finding

if TYPE_CHECKING:
    from app.store.project import Project

_Content: TypeAlias = tuple[str, str, int | None, int | None, str]


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


def _planted_spans(project: Project, errors: Sequence[Planted]) -> dict[str, tuple[str, Annotation]]:
    """The kind of each planted error and its span, by the span's UUID."""
    kind_of = {one.annotation: one.kind for one in errors}
    return {
        one.uuid: (kind_of[one.uuid], one)
        for holder in dict.fromkeys(error.annotator for error in errors)
        for one in read_annotations(project, annotator=holder)
        if one.uuid in kind_of
    }


def planted_caveats(project: Project, name: str) -> tuple[str, ...]:
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
        self._alike = grouped((_content(one), uuid) for uuid, (_, one) in self._planted.items())

    def let_in_by(self, holder: Annotator) -> list[PlantedAccepted]:
        """What came through into the set of a person or gold."""
        judged = grouped(
            (verdict.result, verdict.annotation)
            for verdict in verdicts(self._project, reviewer=holder.uuid)
            if verdict.result and verdict.annotation in self._planted
        )
        found = []
        for own in read_annotations(self._project, annotator=holder.uuid):
            made_of = judged.get(own.uuid, [])
            if holder.kind == "gold" or own.origin in ("accepted", "edited"):
                made_of = [*made_of, *self._alike.get(_content(own), [])]
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


def _content(one: Annotation) -> _Content:
    finding = one.finding
    return one.document, finding.category, finding.start, finding.end, finding.polarity


def is_mistaken(kind: str, planted: Finding, now: Finding) -> bool:
    """Whether a span made of a planted one still has what is wrong with that."""
    if kind == "label":
        return now.category == planted.category
    if kind == "boundary":
        return (now.start, now.end) == (planted.start, planted.end)
    if kind == "polarity":
        return now.polarity == planted.polarity
    places = place_of_finding(planted), place_of_finding(now)
    return now.category == planted.category and overlap(*places)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def place_of_finding(finding: Finding) -> tuple[int, int]:
    return finding.start or 0, finding.end or 0
