"""Whose work, which run and which reference a measure of bias may be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.project.seeded_errors import planted_sets
from app.store.annotate.annotators import annotators
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class BiasSets:
    """Names: people whose work can be measured, runs that may have helped, sets to be held against.

    `sources` are the runs that errors can be planted into copies of, `taken` all names there are.
    """

    people: tuple[str, ...]
    runs: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...]
    taken: tuple[str, ...]


def list_bias_sets(project: Project) -> BiasSets:
    """What there is to choose from, gold first among the references."""
    known = annotators(project)
    people = tuple(one.name for one in known if one.kind == "person")
    runs = tuple(one.name for one in known if one.kind == "run")
    gold = tuple(one.name for one in known if one.kind == "gold")
    spoilt = planted_sets(project)
    sources = tuple(name for name in runs if name not in spoilt)
    return BiasSets(people, runs, (*gold, *people, *sources), sources, tuple(one.name for one in known))


def annotator_to_measure(project: Project) -> str:
    """The annotator to measure where nobody is named: the project's owner, else the only person.

    Raises ProjectError where that is nobody.
    """
    people = [one.name for one in annotators(project) if one.kind == "person"]
    if project.owner in people:
        return project.owner
    if len(people) != 1:
        raise ProjectError(f"Name the annotator to measure; there are {', '.join(people) or 'no people'}.")
    return people[0]
