"""Compare what two annotators' quotes stand for in a terminology, in whatever category or layer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.messages import no_such
from app.operations.compare.annotation_sets import item_of
from app.operations.project.caveats import caveats
from app.operations.project.opening import opened
from app.store.annotate.annotations import RELATIVE, read_annotations
from app.store.annotate.annotators import annotators, coders
from app.store.annotate.concepts import coded_terminologies
from app.store.reconcile.verdicts import SUGGESTED, verdicts
from app.store.reports.documents import document_summaries
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.terminology.clusters import stems

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.agreement.types import Agreement, Item, Profile
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.terminology.icd11.classes import Classes, Level
    from extractors.terminology.index import Terminology


def measure_concepts(
    where: Project | Path, left: str, right: str, terminology: str, profile: Profile
) -> Agreement:
    """Agreement of two annotators or runs on the concepts of a terminology, which is the one category.

    Of a classification there are three more, named after what its codes are lifted to.

    Compared are the reports in which both gave one or judged suggestions; what relatives have is left out.
    Raises UnknownNameError for an annotator or terminology that is not there, ProjectError where there
    is no such report.
    """
    from app.agreement.compare import compare
    from app.agreement.types import ReportPair
    from extractors.terminology.library import open_terminology

    chosen = open_terminology(terminology)
    name, ways = chosen.name, _ways(chosen)
    with opened(where) as project, project.snapshot():
        summaries = document_summaries(project)
        ours, theirs = (_coded(project, side, name) for side in (left, right))
        caveats_of_both = tuple(
            dict.fromkeys(one for side in (left, right) for one in caveats(project, side))
        )
    both = [report for report in summaries if report.uuid in ours and report.uuid in theirs]
    if not both:
        raise ProjectError(f"There is no report in which both {left} and {right} gave concepts of {name}.")
    pairs = [
        ReportPair(
            report.key,
            report.title,
            {way: lift(ours[report.uuid]) for way, lift in ways.items()},
            {way: lift(theirs[report.uuid]) for way, lift in ways.items()},
        )
        for report in both
    ]
    alone = len(ours) - len(both), len(theirs) - len(both)
    agreement = compare(pairs, list(ways), left, right, profile)
    return replace(agreement, caveats=caveats_of_both, left_only=alone[0], right_only=alone[1])


def list_coders(project: Project) -> dict[str, tuple[str, ...]]:
    """Who has concepts of which terminology, people first, by the terminologies' names."""
    return {name: tuple(one.name for one in coders(project, name)) for name in coded_terminologies(project)}


_Items = tuple["Item", ...]


def _ways(known: Terminology) -> dict[str, Callable[[_Items], _Items]]:
    """What is compared, by name: the codes themselves, of a classification also what they are lifted to."""
    from extractors.terminology.icd11.classes import LEVELS, Classes

    ways: dict[str, Callable[[_Items], _Items]] = {known.name: lambda items: items}
    if not known.classes:
        return ways
    classes = Classes(known)

    def lifted(level: Level) -> Callable[[_Items], _Items]:
        return lambda items: tuple(
            replace(
                one, concepts=tuple(coding for each in one.concepts for coding in _up(classes, each, level))
            )
            for one in items
        )

    return ways | {f"{known.name} {level}": lifted(level) for level in LEVELS}


def _up(classes: Classes, coding: Coding, level: Level) -> list[Coding]:
    """What the stems of a code are lifted to; what is unknown here stays as it is."""
    known = [one for one in stems(coding.code) if one in classes]
    return [replace(coding, code=classes.lifted(one, level)) for one in known] or [coding]


def _coded(project: Project, name: str, terminology: str) -> dict[str, tuple[Item, ...]]:
    """What an annotator has coded by document (UUID); () where every suggestion was rejected."""
    known = {one.name: one.uuid for one in annotators(project, every=True)}
    if name not in known:
        raise UnknownNameError(no_such("annotator", name, known))
    # To have looked for categories is not to have looked for concepts; to have judged suggestions is.
    found: dict[str, tuple[Item, ...]] = {
        one.document: () for one in verdicts(project, reviewer=known[name]) if one.relation == SUGGESTED
    }
    for one in read_annotations(project, None, known[name], None):
        coded = tuple(coding for coding in one.concepts if coding.terminology == terminology)
        if coded and not (one.layer == "phenotype" and one.finding.field == RELATIVE):
            item = item_of(one.uuid, one.finding, one.places, coded)
            found[one.document] = (*found.get(one.document, ()), item)
    return found
