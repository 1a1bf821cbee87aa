"""What an import would bring: how each file is read, before its text is frozen."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.formats.record import Imported, LeftOut, Pause
from app.operations.exchange.importing import (
    ImportOptions,
    Source,
    called,
    find_stored,
    import_filter,
    read_sources,
)
from app.operations.exchange.labels import label_meanings_with
from app.operations.project.opening import opened
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.formats.filters import ImportFilter
    from app.store.project import Project
    from extractors.model.document import Document

_NO_TEXT = (
    "It has no text here: what is annotated in it goes to the report of that number, where that comes along, "
    "and is left out where it does not."
)
# Where few of many files are reports, looking ends as well.
_LINES_EACH = 10


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """A report as it would be frozen, or why it would not be.

    `read_as` is what the file was taken for, `notes` what may be wrong, `left_out` why it would not be added,
    "" where it would; `document` is None where the file could not be read, `annotations` where none can come.
    """

    source: str
    title: str
    read_as: str
    notes: tuple[str, ...]
    left_out: str = ""
    failed: bool = False
    document: Document | None = None
    annotations: int | None = None

    @property
    def words(self) -> int:
        """How many words its text has."""
        return len(self.document.text.split()) if self.document else 0

    @property
    def headings(self) -> tuple[tuple[str, ...], ...]:
        """The paths of its headings, in order."""
        sections = self.document.sections if self.document else ()
        return tuple(section.path for section in sections if section.heading)

    @property
    def about(self) -> tuple[str, ...]:
        """What it was read as and how much it has, in words."""
        facts = (self.read_as, counted(self.words, "word"), counted(len(self.headings), "heading"))
        return facts if self.annotations is None else (*facts, counted(self.annotations, "annotation"))


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What would come of an import; `more` where not all of it was looked at."""

    reports: tuple[ReportPreview, ...]
    more: bool = False


def preview_import(
    where: Project | Path,
    sources: Sequence[Source],
    options: ImportOptions | None = None,
    most: int | None = None,
) -> Generator[Progress, None, ImportPreview]:
    """Read what would be imported, `most` reports at most, and change nothing.

    Files of kinds that are not read stand between them, and are no reports. Raises what opening the project
    raises, FormatError for a bad disease list or no text.
    """
    options = options or ImportOptions()
    keep = import_filter(options.only_case_reports, options.exclude_titles, options.terms)
    found: list[ReportPreview] = []
    reports = 0
    with opened(where) as project:
        labels = label_meanings_with(project, options.labels)
        for record in read_sources(project, sources, options.file_format, labels):
            if not isinstance(record, Pause):
                reports += isinstance(record, Imported) or record.failed
                if most is not None and (reports > most or len(found) == _LINES_EACH * most):
                    return ImportPreview(tuple(found), more=True)
                found.append(_preview(project, record, keep, pictures=options.pictures))
            yield Progress(len(found), 0, called(record))
    return ImportPreview(tuple(found))


def _preview(
    project: Project, record: Imported | LeftOut, keep: ImportFilter, *, pictures: bool
) -> ReportPreview:
    if isinstance(record, LeftOut):
        return ReportPreview(record.source, record.title, "", (), record.reason, record.failed)
    document, notes = record.document, record.notes
    stored = find_stored(project, document)
    reason = ""
    if stored is not None:
        there = f"It is in the project already, as {stored.key}"
        if record.annotated:
            notes = (f"{there}; what is annotated in it is added to that.", *notes)
        else:
            reason = f"{there}."
    elif document.text:
        reason = keep.reason(document) or ""
    else:
        notes = (_NO_TEXT, *notes)
    if pictures:
        record.claim_pictures()
    number = sum(map(len, (record.quotes or {}).values())) + len(record.spans or ())
    annotations = number if record.annotated else None
    title, read_as = document.title, record.read_as
    return ReportPreview(record.source, title, read_as, notes, reason, False, document, annotations)
