"""What annotators have, report by report and category by category: the one reader of their quotes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, TypeAlias

from app.store.annotations import read_annotations
from app.store.golds import undecided_cells
from app.store.reviews import reviews

if TYPE_CHECKING:
    from app.store.annotations import Annotation
    from app.store.project import Project

Categories: TypeAlias = dict[str, tuple["Annotation", ...]]
AnnotationSet: TypeAlias = dict[str, Categories]


def annotation_sets(
    project: Project,
    annotators: Collection[str] | None = None,
    document: str | None = None,
    *,
    undecided: bool = False,
) -> dict[str, AnnotationSet]:
    """What these annotators (UUIDs), or all, have by document (UUID) and category, annotations by rank.

    A category is there if it was looked at, with () where nothing was found; categories stand in the order of
    the scheme. All documents, or one. A category of a gold set in which something is undecided is left out,
    unless `undecided` asks for its annotations as well.
    """
    incomplete = frozenset() if undecided else undecided_cells(project)
    cells: dict[str, dict[str, dict[str, list[Annotation]]]] = {one: {} for one in annotators or ()}
    for holder in (None,) if annotators is None else annotators:
        for review in reviews(project, holder):
            if review.looked_at and document in (None, review.document):
                looked: dict[str, list[Annotation]] = {category: [] for category in review.looked_at}
                cells.setdefault(review.annotator, {})[review.document] = looked
        for annotation in read_annotations(project, document, holder):
            document_, by, category = annotation.document, annotation.annotator, annotation.finding.category
            if (document_, by, category) not in incomplete:
                of_report = cells.setdefault(by, {}).setdefault(document_, {})
                of_report.setdefault(category, []).append(annotation)
    place = {category: number for number, category in enumerate(project.scheme.ids)}
    return {
        holder: {
            report: {
                category: tuple(found[category])
                for category in sorted(found, key=lambda one: place.get(one, len(place)))
            }
            for report, found in reports.items()
        }
        for holder, reports in cells.items()
    }
