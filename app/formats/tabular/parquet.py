"""Write annotations as one Parquet table: a row each, as in CSV, with the text that they are places in."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.format import Format
from app.formats.losses import Lacking, read_back
from app.formats.record import ReadBack, ReportExport
from app.formats.standoff.places import labelled
from app.formats.tabular.csv_table import COLUMNS, columns_of, rows_of, silent_reports, terminologies
from extractors.model.coding import Coding

if TYPE_CHECKING:
    import pyarrow

_NUMBERS = ("start", "end")


def _write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    """The table is closed at its end; a text is in it once, whatever number of rows is about it."""
    import pyarrow
    from pyarrow import parquet

    names = terminologies(reports)
    schema = _schema(names)
    rows: list[dict[str, Any]] = []
    for report in reports:
        rows += _rows(report, names)
        yield b""
    out = BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), out, compression="zstd")
    yield out.getvalue()


def _schema(names: Sequence[str]) -> pyarrow.Schema:
    import pyarrow

    words, number = pyarrow.string(), pyarrow.int64()
    columns = {name: number if name in _NUMBERS else words for name in COLUMNS}
    columns |= {name: words for name in columns_of(names)[len(COLUMNS) :]}
    columns |= {"note": words, "fragments": pyarrow.list_(pyarrow.list_(number))}
    columns["concepts"] = pyarrow.list_(pyarrow.struct([(name, words) for name in CONCEPT]))
    columns |= {"text_sha256": words, "text": pyarrow.dictionary(pyarrow.int32(), words)}
    return pyarrow.schema(list(columns.items()))


CONCEPT = ("terminology", "release", "code", "label", "uri")


def _rows(report: ReportExport, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    text = report.document.text
    digest = hashlib.sha256(text.encode()).hexdigest()
    for one, row in zip(labelled(report), rows_of(report, names), strict=True):
        yield {
            **dict(zip(columns_of(names), row, strict=True)),
            "note": one.note,
            "fragments": [list(part) for part in one.parts],
            "concepts": concepts_of(one.concepts),
            "text_sha256": digest,
            "text": text,
        }


def concepts_of(given: Sequence[Coding]) -> list[dict[str, str]]:
    """Concepts as plain values."""
    return [{name: getattr(coding, name) for name in CONCEPT} for coding in given]


def _recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """The rows that pandas reads, against those that were to be written."""
    import pandas as pd

    names = terminologies(reports)
    frame = pd.read_parquet(path)
    found = Counter(plain_value(row) for row in frame.to_dict("records"))
    expected = Counter(plain_value(row) for report in reports for row in _rows(report, names))
    keys = {report.key for report in reports if not (report.annotations or report.spans)}
    again = len(set(frame["report"]) | keys)
    missing, unexpected = (expected - found).elements(), (found - expected).elements()
    parts = ([str(row)[:_SHOWN] for row in rows] for rows in (missing, unexpected))
    return read_back("pandas", min(again, len(reports)), (expected & found).total(), *parts)


_SHOWN = 200


def plain_value(value: Any) -> Any:  # noqa: ANN401
    """What a table gives back as values that can be compared: lists as tuples, what is absent as None."""
    if isinstance(value, Mapping):
        return tuple((key, plain_value(one)) for key, one in value.items())
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(map(plain_value, value))
    if isinstance(value, float):
        return None if value != value else int(value)
    return value


FORMAT = Format(
    id="parquet",
    label="Parquet table",
    about="One annotation a row, as in CSV, with text, parts, note and concepts; for pandas, R and SQL.",
    suffixes=(".parquet",),
    write=_write,
    recount=_recount,
    losses=Lacking("Parquet", ("about", "nothing", "rest", "silent"), silent_reports),
)
