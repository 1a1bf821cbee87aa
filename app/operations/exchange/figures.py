"""Figures brought into a project: with reports at their import, or later from files; pictures saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.figures import count_figures, list_figures, read_picture
from app.operations.project.opening import bringing, opened
from app.operations.project.sets import actor
from app.store.act import Act, begin_act
from app.store.reports.documents import StoredDocument, documents, find_same, same_text
from app.store.reports.figures import keep_picture, set_figures, stored_figures
from extractors.model.errors import CallError
from extractors.model.figure import Figure
from extractors.model.progress import Progress
from extractors.text.figures import figures_in, with_mentions

if TYPE_CHECKING:
    from app.formats.pictures.found import PictureFiles
    from app.formats.record import Imported
    from app.store.project import Project
    from extractors.model.figure import FigureImage


@dataclass(slots=True)
class FigureSummary:
    """What came of looking for figures: keys of reports that have others now, of those that had them before,
    files that could not be used and why, and what there is in these reports, by kind."""

    changed: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    totals: Counter[str] = field(default_factory=Counter)


def take_figures(
    act: Act, stored: StoredDocument, record: Imported, *, pictures: bool = True
) -> tuple[Figure, ...]:
    """Freeze the figures that came with a record into the report that it is; returns them.

    Without `pictures` their bytes stay outside.
    """
    from app.formats.pictures.found import without_pictures

    figures = record.figures or ()
    if not same_text(stored, record.document):
        figures = _placed_again(figures, record.document.text, stored.document.text)
    before = stored_figures(act.project, stored.uuid).get(stored.uuid, ())
    found = _found(act, figures, record.pictures) if pictures else without_pictures(figures)
    found = _with_kept(found, before)
    set_figures(act, stored.uuid, found)
    return found


def find_figures(
    where: Project | Path, paths: Sequence[Path], reports: Sequence[str] | None = None
) -> Generator[Progress, None, FigureSummary]:
    """Bring figures, and pictures that are missing, from files into reports that are there, in one act.

    `paths` are packages, XML files, folders of them or of pictures alone; `reports` (keys, UUIDs) narrows
    it. Pictures that are there stay. Raises what opening the project raises, UnknownNameError, CallError.
    """
    from app.formats import read_with_pauses
    from app.formats.record import Imported, LeftOut

    if not paths:
        raise CallError("Say where the figures are: a package, an XML file or a folder.")
    summary = FigureSummary()
    with opened(where, write=True) as project:
        wanted = set(list_figures(project, reports))
        with bringing(project, paths), begin_act(project, "take figures", actor(project)) as act:
            for path in paths:
                for record in read_with_pauses(path, "auto", project.scheme.ids):
                    if isinstance(record, Imported):
                        _take(act, record, wanted, summary)
                    elif isinstance(record, LeftOut) and record.failed:
                        summary.left_out.append((record.source, record.reason))
                    yield Progress(len(summary.changed), 0, "reports with figures")
                if path.is_dir():
                    _take_missing(act, path, wanted, summary)
    return summary


def save_pictures(project: Project, folder: Path, reports: Sequence[str] | None = None) -> int:
    """Write the pictures of all or some reports (keys, UUIDs) into a folder for each report, named by figure
    and number; returns how many. Raises StorageError where one cannot be written, what `read_picture` raises.
    """
    from app.formats.writing import drafted_folder, file_names
    from extractors.checks.pictures import SUFFIXES, inspect

    written = 0
    found = list_figures(project, reports)
    with drafted_folder(folder) as put:
        for figures, own in zip(found.values(), file_names(found), strict=True):
            for figure in figures:
                kept = [image.sha256 for image in figure.images if image.sha256]
                for place, digest in enumerate(kept, start=1):
                    data = read_picture(project, digest)
                    number = f"-{place}" if len(kept) > 1 else ""
                    put(f"{own}/{figure.id}{number}{SUFFIXES[inspect(data, '').format][0]}", data)
                    written += 1
    return written


def _take(act: Act, record: Imported, wanted: set[str], summary: FigureSummary) -> None:
    stored = find_same(act.project, record.document)
    if record.figures is None:
        summary.left_out.append((record.source, "Files of this format say nothing of figures."))
    elif stored is None:
        summary.left_out.append((record.source, "The project has no such report; import it."))
    elif stored.key in wanted:
        before = stored_figures(act.project, stored.uuid).get(stored.uuid)
        after = take_figures(act, stored, record)
        (summary.same if after == before else summary.changed).append(stored.key)
        summary.totals.update(count_figures([after]))


def _take_missing(act: Act, folder: Path, wanted: set[str], summary: FigureSummary) -> None:
    """Look in a folder for the pictures that reports miss, by the names that these know them by."""
    from app.formats.pictures.found import PictureFiles

    files = PictureFiles(folder)
    all_figures = stored_figures(act.project)
    for stored in documents(act.project):
        figures = all_figures.get(stored.uuid, ())
        missing = any(image.state == "missing" for figure in figures for image in figure.images)
        if not missing or stored.key not in wanted or stored.key in summary.changed:
            continue
        after = _with_kept(_found(act, figures, files), figures)
        if set_figures(act, stored.uuid, after):
            summary.changed.append(stored.key)
            summary.totals.update(count_figures([after]))


def _found(act: Act, figures: Sequence[Figure], files: PictureFiles | None) -> tuple[Figure, ...]:
    from app.formats.pictures.found import with_pictures

    return tuple(with_pictures(figures, files, partial(keep_picture, act)))


def _with_kept(figures: Sequence[Figure], before: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures with what was found of their pictures before, where nothing better was found now."""
    had = {(figure.id, image.href): image for figure in before for image in figure.images}
    rank = {"missing": 0, "refused": 1, "kept": 2}

    def better(figure: Figure, image: FigureImage) -> FigureImage:
        old = had.get((figure.id, image.href), image)
        return old if rank[old.state] > rank[image.state] else image

    return tuple(
        replace(figure, images=tuple(better(figure, image) for image in figure.images)) for figure in figures
    )


def _placed_again(figures: Sequence[Figure], text: str, frozen: str) -> tuple[Figure, ...]:
    """The figures as they stand in a text that was read otherwise: captions by their words or their labels,
    mentions by the words."""
    there = {one.called: one for one in figures_in(frozen)}
    found = []
    for figure in figures:
        caption = text[figure.start : figure.end] if figure.start is not None else ""
        labelled = there.get(figure.called, Figure("", ""))
        start, end = labelled.start, labelled.end
        if caption and (at := frozen.find(caption)) >= 0:
            start, end = at, at + len(caption)
        found.append(replace(figure, start=start, end=end, mentions=()))
    return with_mentions(frozen, found)
