"""PDFs: the text layer as a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.formats.format import Format

if TYPE_CHECKING:
    from app.formats.packages import Payload
    from app.formats.record import Imported, LeftOut

_HEAD = 1024


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    from app.formats.pdf.report import read_payload

    return read_payload(payload, digest, categories)


def _detect(data: bytes) -> int:
    return 3 * (b"%PDF-" in data[:_HEAD])


FORMAT = Format(
    id="pdf",
    label="PDF",
    made_by="with a text layer",
    suffixes=(".pdf",),
    detect=_detect,
    read=_read,
    outside=True,
)
