"""Blind first: other people's and models' spans stay hidden until asked for, and asking is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.hands import require_person, review_by, who
from app.store.annotations import Annotation, read_annotations
from app.store.annotators import annotator as annotator_of
from app.store.annotators import annotators, ensure_annotator, kind_of
from app.store.counting import count_by_annotator
from app.store.disclosures import Disclosure, add_disclosures, disclosures
from app.store.documents import document, document_summary

if TYPE_CHECKING:
    from app.store.annotators import AnnotatorKind
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class OtherSet:
    """Somebody else who has `quotes` in a report, with a place or without."""

    name: str
    kind: AnnotatorKind
    quotes: int


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What was shown, by the name of whoever has it; `recorded` are the looks that are new on record."""

    annotations: Mapping[str, tuple[Annotation, ...]]
    recorded: tuple[Disclosure, ...]


def list_others(project: Project, key: str, annotator: str) -> tuple[OtherSet, ...]:
    """Everybody but the annotator (name) who has something in a report (key or UUID); shows none of it.

    Raises UnknownNameError where the report is not there.
    """
    report = document_summary(project, key).uuid
    number_of = count_by_annotator(project, report).get(report, {})
    return tuple(
        OtherSet(other.name, other.kind, number_of[other.uuid])
        for other in annotators(project)
        if other.name != annotator and other.uuid in number_of
    )


def disclose(project: Project, annotator: str, key: str, names: Sequence[str]) -> Disclosed:
    """Show the annotator what others (names) have in a report (key or UUID), and record the look for good.

    A look at the same set in the same review state is recorded once; one's own set is none. Undo passes over
    it. Raises UnknownNameError for a report or name that is not there, ProjectError where the annotator is a
    run, and where the look is new and the project open for reading.
    """
    require_person(annotator)
    report = document(project, key)
    others = [annotator_of(project, name) for name in dict.fromkeys(names) if name != annotator]
    state = review_by(project, report, annotator).state
    known = {
        look.shown
        for look in disclosures(project, report.uuid)
        if (look.annotator, look.state) == (annotator, state)
    }
    new = [other for other in others if other.uuid not in known]
    recorded: list[Disclosure] = []
    if new:
        title = f"show {', '.join(other.name for other in new)} in {report.key}"
        with project.act(title, who(project, annotator), undoable=False) as act:
            ensure_annotator(act, annotator, kind_of(annotator))
            recorded = add_disclosures(act, report.uuid, annotator, [one.uuid for one in new], state)
    shown = {other.name: tuple(read_annotations(project, report.uuid, other.uuid)) for other in others}
    return Disclosed(shown, tuple(recorded))


def is_blind(project: Project, annotator: str, key: str) -> bool:
    """Whether the annotator (name) has had nobody else's set shown in a report (key or UUID) before "done".

    Looks while the review was "done" do not count. Raises UnknownNameError where the report is not there.
    """
    report = document_summary(project, key).uuid
    return not any(
        look.annotator == annotator and look.state != "done" for look in disclosures(project, report)
    )
