"""BioC as JSON: a collection, a list of them, documents one a line, or documents under another name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.formats.documents.text import decode
from app.formats.format import Format, first_object, is_json
from app.formats.json_input import as_object, numbered, parse_records, read_lines
from app.formats.losses import Lacking
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport
from app.formats.standoff.bioc import LACKS, OWN, collection_of, document_of, gone, report_of
from app.formats.standoff.places import joined
from extractors.model.errors import FormatError

_HEAD = 65_536
_MARKS = re.compile(rb'"bioctype"|"passages"\s*:\s*\[')
_COLLECTION = ("source", "date", "key", "infons")


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each document; one that is malformed is left out by its number."""
    if "passages" in first_object(payload.data):
        return joined(
            read_lines(
                payload,
                lambda given, source, notes: _report(given, {}, payload, digest, categories, source, notes),
            )
        )
    text, assumed = decode(payload.data)
    value, fault = parse_records(text)
    found = list(_documents(value))
    if not found:
        raise FormatError("There are no documents of BioC in it.")

    def report(one: tuple[object, dict[str, Any]], source: str) -> Imported:
        return _report(*one, payload, digest, categories, source, assumed)

    return joined(numbered(payload, "Document", found, report, fault))


def _documents(value: object) -> Iterator[tuple[object, dict[str, Any]]]:
    """Documents, each with what its collection says of itself."""
    if isinstance(value, list):
        for one in value:
            yield from _documents(one)
    elif isinstance(value, dict) and "passages" in value:
        yield value, {}
    elif isinstance(value, dict) and isinstance(value.get("documents"), list):
        about = {key: value[key] for key in _COLLECTION if value.get(key) and value[key] != "Casespan"}
        yield from ((one, about) for one in value["documents"])
    elif isinstance(value, dict):
        # PubTator's answers have their documents under its name.
        yield from (found for one in value.values() if isinstance(one, list) for found in _documents(one))


def _report(
    given: object,
    about: dict[str, Any],
    payload: Payload,
    digest: str,
    categories: Sequence[str],
    source: str,
    assumed: Sequence[str],
) -> Imported:
    from bioc import biocjson

    try:
        document = biocjson.fromJSON(_complete(as_object(given, "a document"), "passages"), "BioCDocument")
        found = report_of(document, about, payload, source, digest, categories)
        return replace(found, notes=(*assumed, *found.notes))
    except (TypeError, ValueError, KeyError, AttributeError):
        raise FormatError("a passage or annotation has no offset, length or id.") from None


def _complete(given: dict[str, Any], below: str = "") -> dict[str, Any]:
    """A document, passage or sentence with what may be left out of the file and not for the library."""
    whole: dict[str, Any] = {"id": "", "infons": {}, "text": "", "sentences": [], **given}
    whole["infons"] = whole["infons"] or {}
    for key in ("annotations", "relations"):
        whole[key] = [
            {"id": "", "text": "", "locations": [], "nodes": [], **one, "infons": one.get("infons") or {}}
            for one in whole.get(key) or ()
        ]
    for one in whole["annotations"]:
        for place in one["locations"]:
            if type(place["offset"]) is not int or type(place["length"]) is not int:
                raise FormatError("an annotation's offset or length is no number.")
    if below:
        whole[below] = [_complete(one, "sentences" if below == "passages" else "") for one in whole[below]]
    return whole


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    from bioc import biocjson

    dumps = partial(biocjson.dumps, ensure_ascii=False)
    yield dumps(collection_of(reports)).removesuffix("]}")
    for number, report in enumerate(reports):
        yield (",\n" if number else "\n") + dumps(document_of(report))
    yield "\n]}\n"


def _detect(data: bytes) -> int:
    """JSON that speaks of BioC, or of passages."""
    return 3 * bool(is_json(data) and _MARKS.search(data[:_HEAD]))


FORMAT = Format(
    id="bioc-json",
    label="BioC JSON",
    made_by="of PubMed Central and PubTator",
    about="The same as BioC XML in JSON.",
    suffixes=(".json",),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking("BioC JSON", LACKS, gone, OWN),
    carries=True,
)
