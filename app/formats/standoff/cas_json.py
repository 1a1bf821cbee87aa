"""UIMA's CAS as JSON: a folder with a file for each report, its type system within."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from app.formats.documents.text import decode
from app.formats.format import Format, is_json
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport
from app.formats.standoff.cas import LACKS, OWN, cas_of, gone, report_of, types_here
from app.formats.standoff.cas_files import opened_json, quiet
from app.formats.writing import file_names

_HEAD = 65_536
_MARKS = (b'"%TYPES"', b'"%FEATURE_STRUCTURES"', b'"%VIEWS"')


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of a file."""
    text, assumed = decode(payload.data)
    notes = list(assumed)
    yield report_of(opened_json(text, notes), payload, payload.source, digest, categories, notes)


def _write(reports: Sequence[ReportExport]) -> Iterator[Mapping[str, str]]:
    types = types_here()
    for report, name in zip(reports, file_names(one.key for one in reports), strict=True):
        with quiet():
            yield {f"{name}.json": str(cas_of(report, types).to_json(pretty_print=True))}


def _detect(data: bytes) -> int:
    """JSON with types, feature structures or views of UIMA."""
    return 3 * (is_json(data) and any(mark in data[:_HEAD] for mark in _MARKS))


FORMAT = Format(
    id="cas-json",
    label="UIMA CAS JSON",
    made_by="of INCEpTION and DKPro",
    about="A folder with a JSON file for each report, its type system within, for INCEpTION and UIMA.",
    suffixes=(".json",),
    detect=_detect,
    read=_read,
    write_folder=_write,
    losses=Lacking("UIMA CAS JSON", LACKS, gone, OWN),
    carries=True,
)
