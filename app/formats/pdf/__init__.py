"""PDFs: the text layer as a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.format import Format
from app.formats.people.signs import losses
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReadBack, ReportExport

_HEAD = 1024


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    from app.formats.pdf.report import read_payload

    return read_payload(payload, digest, categories)


def _write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    from app.formats.people.pdf import write

    return write(reports)


def _recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    from app.formats.people.pdf import recount

    return recount(path, reports)


def _missing_signs(text: str) -> Counter[str]:
    # What draws PDFs takes as long to load as all that reads files.
    from app.formats.people.paper import missing_signs

    return missing_signs(text)


def _detect(data: bytes) -> int:
    return 3 * (b"%PDF-" in data[:_HEAD])


FORMAT = Format(
    id="pdf",
    label="PDF",
    made_by="with a text layer",
    about="Annotated reports to read and print on A4: colours, codes, a list of all annotations.",
    write=_write,
    recount=_recount,
    losses=losses("A PDF", _missing_signs),
    suffixes=(".pdf",),
    detect=_detect,
    read=_read,
    outside=True,
)
