"""What is done to several spans at once, as one act and one step of undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.operations.annotate.edits import edited, relabelled
from app.operations.annotate.spans import Changed
from app.operations.project.sets import count_spans, follow, name_of, name_reports, own_annotations, who
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, edit_annotation
from app.store.reports.counting import places_in
from app.store.reports.documents import document

if TYPE_CHECKING:
    from app.store.annotate.reviews import Review
    from app.store.project import Project


def relabel_spans(project: Project, uuids: Sequence[str], category: str) -> Changed:
    """Put spans of any reports into another category in one act; fields go that it lacks.

    Those that have the category, or whose place the annotator has labelled so already, stay as they are.
    Raises UnknownNameError for a span or category that is not there, ProjectError where one is a run's.
    """
    named = project.scheme.category(category).name
    wanted = _to_relabel(project, own_annotations(project, list(dict.fromkeys(uuids))), category)
    if not wanted:
        return Changed()
    reports = {uuid: document(project, uuid) for uuid in dict.fromkeys(one.document for one in wanted)}
    title = (
        f"relabel {count_spans(wanted)} as {named} in {name_reports([one.key for one in reports.values()])}"
    )
    changed: list[Annotation] = []
    reviews: list[Review] = []
    with begin_act(project, title, who(project, name_of(project, wanted[0].annotator))) as act:
        for one in wanted:
            finding = relabelled(one.finding, category, project.scheme)
            after = edited(one, finding, reports[one.document].document.text)
            changed.append(edit_annotation(act, one.uuid, finding=finding, origin=after.origin))
        for report, annotator in dict.fromkeys((one.document, one.annotator) for one in wanted):
            reviews += follow(act, report, annotator, {category})
    return Changed(edited=tuple(changed), reviews=tuple(reviews))


def _to_relabel(project: Project, spans: Sequence[Annotation], category: str) -> list[Annotation]:
    """Those of the spans that do not stand in the category already, one for each place."""
    taken: dict[tuple[str, str], set[tuple[int | None, int | None]]] = {}
    wanted: list[Annotation] = []
    for one in spans:
        here, place = (one.document, one.annotator), (one.finding.start, one.finding.end)
        if here not in taken:
            taken[here] = set(places_in(project, *here, category))
        if one.finding.category != category and (place == (None, None) or place not in taken[here]):
            taken[here].add(place)
            wanted.append(one)
    return wanted
