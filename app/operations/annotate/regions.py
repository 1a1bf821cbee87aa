"""Regions: boxes that an annotator marks on pictures, each act one step of undo; listed and compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from app.agreement.regions import Box, RegionScore, match_boxes
from app.operations.annotate.exposure import disclose_all
from app.operations.project.figures import figures_of
from app.operations.project.sets import holder_of, name_of, require_person, who
from app.store.act import Act, begin_act
from app.store.annotate.annotations import find_annotations
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.reports.documents import document_summaries, document_summary
from app.store.reports.figures import Region as Region
from app.store.reports.figures import add_region as store_region
from app.store.reports.figures import region_of, regions
from app.store.values import new_uuid
from extractors.model.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.figure import FigureImage

# A report (key, UUID), a figure (id) and a SHA-256, "" for the figure's first.
Picture: TypeAlias = tuple[str, str, str]
_LEAST = 4
_AS_STORED = "figure picture x y width height category finding note".split()


@dataclass(frozen=True, slots=True)
class Marked:
    """What is said of a box: its category (id), what is seen there, a note, the span (UUID) it goes with."""

    category: str
    finding: str = ""
    note: str = ""
    annotation: str | None = None


def add_region(project: Project, annotator: str, picture: Picture, box: Box, marked: Marked) -> Region:
    """Mark a box on a picture.

    The box is cut at the picture's edges. Raises UnknownNameError for what is not there, ProjectError for a
    box with nothing in it and where the annotator is a run.
    """
    name = f"mark region in {_called(project, *picture[:2])}"
    with begin_act(project, name, who(project, annotator)) as act:
        return place_region(act, annotator, picture, box, marked)


def place_region(act: Act, annotator: str, picture: Picture, box: Box, marked: Marked) -> Region:
    """Mark a box within an act; as `add_region`."""
    require_person(annotator)
    key, figure, digest = picture
    report = document_summary(act.project, key).uuid
    image = _image(act.project, report, figure, digest)
    _require(act.project, annotator, report, marked)
    inside = _inside(box, image)
    holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
    region = Region(new_uuid(), report, holder, figure, image.sha256 or "", *inside, marked.category)
    region = _with_details(region, marked)
    store_region(act, region)
    return region


def change_region(project: Project, uuid: str, marked: Marked) -> Region:
    """Say something else of a region (UUID); raises as `add_region`."""
    before = region_of(project, uuid)
    _require(project, name_of(project, before.annotator), before.document, marked)
    after = _with_details(before, marked)
    if after != before:
        with _act_on(project, "change", before) as act:
            act.update("region", uuid, asdict(after))
    return after


def remove_region(project: Project, uuid: str) -> Region:
    """Take a region (UUID) away; raises UnknownNameError."""
    before = region_of(project, uuid)
    with _act_on(project, "delete", before) as act:
        act.delete("region", uuid)
    return before


def _act_on(project: Project, what: str, region: Region) -> AbstractContextManager[Act]:
    name = f"{what} region in {_called(project, region.document, region.figure)}"
    return begin_act(project, name, who(project, name_of(project, region.annotator)))


def list_regions(
    project: Project, annotator: str, report: str | None = None, viewer: str = ""
) -> list[Region]:
    """The regions of an annotator (name) in a report (key, UUID) or all, by report and figure.

    Where somebody else, the `viewer` (name), is shown them, that goes on record as with spans.
    """
    only = document_summary(project, report).uuid if report is not None else None
    found = regions(project, only, holder_of(project, annotator))
    if viewer:
        keys = {one.uuid: one.key for one in document_summaries(project)}
        disclose_all(project, viewer, list(dict.fromkeys(keys[one.document] for one in found)), [annotator])
    return found


def region_records(project: Project, found: Sequence[Region], annotator: str) -> list[dict[str, Any]]:
    """Regions as JSON and tables have them, with the report's key and the words of their spans."""
    keys = {one.uuid: one.key for one in document_summaries(project)}
    return [
        {
            "id": one.uuid,
            "report": keys[one.document],
            **{name: getattr(one, name) for name in _AS_STORED},
            "span": one.annotation,
            "annotator": annotator,
        }
        for one in found
    ]


def compare_regions(
    project: Project, left: str, right: str, threshold: float, report: str | None = None
) -> RegionScore:
    """How far the regions of two annotators (names) agree: matched one to one on the same picture where
    they overlap (intersection over union) by `threshold` at least. Raises UnknownNameError."""
    ours, theirs = (
        [
            ((one.document, one.picture), (one.x, one.y, one.width, one.height), one.category)
            for one in list_regions(project, name, report)
        ]
        for name in (left, right)
    )
    return match_boxes(ours, theirs, threshold)


def _with_details(region: Region, marked: Marked) -> Region:
    said = {"finding": " ".join(marked.finding.split()), "note": marked.note.strip()}
    return replace(region, **{**asdict(marked), **said})


def _require(project: Project, annotator: str, report: str, marked: Marked) -> None:
    project.scheme.category(marked.category)
    if marked.annotation is not None:
        span = find_annotations(project, [marked.annotation])[0]
        if (span.document, span.annotator) != (report, holder_of(project, annotator)):
            raise UnknownNameError(f"The span {marked.annotation} is not one of {annotator} in this report.")


def _called(project: Project, report: str, figure: str) -> str:
    """How people call a figure (id), where there is one of a report (key, UUID)."""
    return next((one.called for one in figures_of(project, report) if one.id == figure), figure)


def _image(project: Project, report: str, figure: str, digest: str) -> FigureImage:
    found = next((one for one in figures_of(project, report) if one.id == figure), None)
    if found is None:
        raise UnknownNameError(f"There is no figure {figure} in the report; `casespan figures` lists them.")
    for image in found.images:
        if image.sha256 and digest in ("", image.sha256):
            return image
    raise UnknownNameError(f"Figure {figure} has no such picture in the project.")


def _inside(box: Box, image: FigureImage) -> Box:
    """The part of a box that is on the picture."""
    x, y, width, height = box
    left, top = max(0, x), max(0, y)
    right, bottom = min(x + width, image.width or 0), min(y + height, image.height or 0)
    if right - left < _LEAST or bottom - top < _LEAST:
        raise ProjectError(f"A region needs {_LEAST} pixels of its picture either way; make it larger.")
    return left, top, right - left, bottom - top
