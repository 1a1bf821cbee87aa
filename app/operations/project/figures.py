"""What others ask about figures: those of a report, and the bytes of a picture.

    figures_of(project, "PMC123")          -> (Figure(id="f1", label="Figure 1", start=..., images=...), ...)
    list_figures(project)                  -> {"PMC123": (Figure(id="f1", ...), ...), ...}
    read_picture(project, image.sha256)    -> bytes, as they came; checked by their hash

A `Figure` (extractors/model/figure.py) has its caption's place and its mentions in code points of the
report's frozen text, its panels as capital letters, and its images, of which those of state "kept" have a
SHA-256, width and height. A report without figures of its own (a plain text, an older project) has those
whose captions stand in its text, without images: `casespan figures --from` brings them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from app.store.reports.documents import document_summaries, document_summary, texts
from app.store.reports.figures import read_picture as read_picture
from app.store.reports.figures import stored_figures
from extractors.text.figures import figures_in

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.figure import Figure

TOTALS = ("figures", "images", "captions", "mentions", "kept", "missing", "refused")


def figures_of(project: Project, report: str) -> tuple[Figure, ...]:
    """The figures of a report (key, UUID), in order; raises UnknownNameError, DamagedProjectError."""
    uuid = document_summary(project, report).uuid
    stored = stored_figures(project, uuid)
    return stored[uuid] if uuid in stored else figures_in(texts(project, uuid)[uuid])


def list_figures(project: Project, reports: Sequence[str] | None = None) -> dict[str, tuple[Figure, ...]]:
    """The figures of all reports, or of some (keys, UUIDs), by key; raises what `figures_of` raises."""
    if reports:
        keys = [document_summary(project, one).key for one in reports]
        return {key: figures_of(project, key) for key in keys}
    stored, all_texts = stored_figures(project), texts(project)
    return {
        one.key: stored[one.uuid] if one.uuid in stored else figures_in(all_texts[one.uuid])
        for one in document_summaries(project)
    }


def count_figures(reports: Iterable[Sequence[Figure]]) -> dict[str, int]:
    """How many of each kind (`TOTALS`), the last three of which are states of pictures; one reference to
    several figures is one mention."""
    totals = Counter(dict.fromkeys(TOTALS, 0))
    for figures in reports:
        names = {
            (one.start, one.end, one.by, one.start is None and id(one)) for f in figures for one in f.mentions
        }
        images = [image for figure in figures for image in figure.images]
        captions = sum(figure.start is not None for figure in figures)
        totals.update(figures=len(figures), images=len(images), captions=captions, mentions=len(names))
        totals.update(image.state for image in images)
    return dict(totals)
