"""What others ask about figures: those of a report, and the bytes of a picture.

    figures_of(project, "PMC123")          -> (Figure(id="f1", label="Figure 1", start=..., images=...), ...)
    list_figures(project)                  -> FigureList(reports=(ReportFigures(...), ...), totals={...})
    read_picture(project, image.sha256)    -> bytes, as they came; checked by their hash

A `Figure` (extractors/model/figure.py) has its caption's place and its mentions in code points of the
report's frozen text, its panels as capital letters, and its images, of which those of state "kept" have a
SHA-256, width and height. A report without figures of its own (a plain text, an older project) has those
whose captions stand in its text, without images: `casespan figures --from` brings them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING

from app.store.reports.documents import document_summaries, document_summary, texts
from app.store.reports.figures import read_picture as read_picture
from app.store.reports.figures import stored_figures
from extractors.text.figures import figures_in

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.figure import Figure

TOTALS = ("figures", "images", "captions", "mentions", "kept", "missing", "refused")


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """The figures of a report, by its key."""

    report: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class FigureList:
    """The figures of reports, and how many of each kind (`TOTALS`) there are in all of them."""

    reports: tuple[ReportFigures, ...]
    totals: dict[str, int]


def figures_of(project: Project, report: str) -> tuple[Figure, ...]:
    """The figures of a report (key, UUID), in order; raises UnknownNameError, DamagedProjectError."""
    uuid = document_summary(project, report).uuid
    stored = stored_figures(project, uuid)
    return stored[uuid] if uuid in stored else figures_in(texts(project, uuid)[uuid])


def list_figures(project: Project, reports: Sequence[str] | None = None) -> FigureList:
    """The figures of all reports, or of some (keys, UUIDs); raises what `figures_of` raises."""
    if reports:
        keys = [document_summary(project, one).key for one in reports]
        found = {key: figures_of(project, key) for key in keys}
    else:
        stored, all_texts = stored_figures(project), texts(project)
        found = {
            one.key: stored[one.uuid] if one.uuid in stored else figures_in(all_texts[one.uuid])
            for one in document_summaries(project)
        }
    return FigureList(tuple(starmap(ReportFigures, found.items())), count_figures(found.values()))


def count_figures(reports: Iterable[Sequence[Figure]]) -> dict[str, int]:
    """How many figures, images, captions, mentions and pictures of each state; one reference to several
    figures is one mention."""
    totals = Counter(dict.fromkeys(TOTALS, 0))
    for figures in reports:
        names = {
            (one.start, one.end, one.by, one.start is None and id(one)) for f in figures for one in f.mentions
        }
        images = [image for figure in figures for image in figure.images]
        totals.update(
            figures=len(figures),
            images=len(images),
            captions=sum(figure.start is not None for figure in figures),
            mentions=len(names),
        )
        totals.update(image.state for image in images)
    return dict(totals)
