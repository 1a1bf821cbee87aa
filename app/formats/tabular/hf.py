"""Write a data set as model hubs have them: Parquet files of splits, and a card."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from app import __version__
from app.formats.format import Format
from app.formats.losses import Lacking, read_back
from app.formats.record import ReadBack, ReportExport
from app.formats.standoff.places import labelled
from app.formats.tabular.csv_table import COLUMNS, rows_of
from app.formats.tabular.parquet import CONCEPT, concepts_of, plain_value
from app.tables import render
from app.text import counted, one_line

_SPLITS = ("train", "validation", "test")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LARGER = "100K<n<1M"
_UNKNOWN = "unknown"
_WORDS = ("label", "text", "field", "polarity", "grounding", "origin", "note")
# Those that are called otherwise in tables of annotations.
_CALLED = {"label": "category", "text": "quote"}


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a data set."""

    name: str
    reports: tuple[ReportExport, ...]

    @property
    def path(self) -> str:
        return f"data/{self.name}-00000-of-00001.parquet"

    @property
    def words(self) -> int:
        """Of all its texts."""
        return sum(len(one.document.text.split()) for one in self.reports)

    @property
    def spans(self) -> int:
        """Of all its reports."""
        return sum(len(one.annotations) + len(one.spans) for one in self.reports)


def split(reports: Sequence[ReportExport]) -> list[Split]:
    """The reports in the order of a hash of seed and text, cut by the shares; a split of none is left out.

    A text that is there twice is on one side of each cut.
    """
    whole = reports[0].whole if reports else None
    shares = whole.splits if whole else (1,)
    seed = whole.seed if whole else 0
    groups: dict[str, list[ReportExport]] = {}
    for report in reports:
        digest = hashlib.sha256(f"{seed}:{report.document.text}".encode()).hexdigest()
        groups.setdefault(digest, []).append(report)
    cuts = [sum(shares[:part]) * len(reports) / sum(shares) for part in range(1, len(shares) + 1)]
    parts: list[list[ReportExport]] = [[] for _ in shares]
    part = done = 0
    for digest in sorted(groups):
        while part + 1 < len(shares) and done >= round(cuts[part]):
            part += 1
        parts[part] += groups[digest]
        done += len(groups[digest])
    return [Split(name, tuple(part)) for name, part in zip(_SPLITS, parts, strict=False) if part]


def _write(reports: Sequence[ReportExport]) -> Iterator[Mapping[str, str | bytes]]:
    import pyarrow
    from pyarrow import parquet

    splits = split(reports)
    for one in splits:
        rows = []
        for report in one.reports:
            rows.append(_row(report))
            yield {}
        out = BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(rows, _schema()), out, compression="zstd")
        yield {one.path: out.getvalue()}
    yield {"README.md": _card(reports, splits)}


def _schema() -> Any:  # noqa: ANN401
    import pyarrow

    words, number = pyarrow.string(), pyarrow.int64()
    concepts = pyarrow.list_(pyarrow.struct([(name, words) for name in CONCEPT]))
    span = [("start", number), ("end", number), *((name, words) for name in _WORDS)]
    span += [("fragments", pyarrow.list_(pyarrow.list_(number))), ("concepts", concepts)]
    section = pyarrow.struct([("heading", words), ("start", number), ("end", number)])
    columns = [(name, words) for name in ("id", "title", "text", "annotator", "licence")]
    lists = [("spans", pyarrow.struct(span)), ("looked_at", words), ("sections", section)]
    return pyarrow.schema([*columns, *((name, pyarrow.list_(kind)) for name, kind in lists)])


def _row(report: ReportExport) -> dict[str, Any]:
    document = report.document
    return {
        "id": report.key,
        "title": document.title,
        "text": document.text,
        "annotator": report.annotator,
        "licence": document.metadata.get("licence", ""),
        "spans": list(_spans(report)),
        "looked_at": list(report.looked_at),
        "sections": [
            {"heading": one.heading, "start": one.start, "end": one.end} for one in document.sections
        ],
    }


def _spans(report: ReportExport) -> Iterator[dict[str, Any]]:
    for one, row in zip(labelled(report), rows_of(report), strict=True):
        told = {**dict(zip(COLUMNS, row, strict=True)), "note": one.note}
        yield {
            "start": told["start"],
            "end": told["end"],
            **{name: told[_CALLED.get(name, name)] for name in _WORDS},
            "fragments": [list(part) for part in one.parts],
            "concepts": concepts_of(one.concepts),
        }


def _card(reports: Sequence[ReportExport], splits: Sequence[Split]) -> str:
    """README.md, with what a hub reads in its head."""
    whole = reports[0].whole if reports else None
    names = {one.id: one.name for one in whole.scheme.categories} if whole and whole.scheme else {}
    numbers = Counter(span["label"] for report in reports for span in _spans(report))
    known = [label for label in names if numbers[label]]
    others = sorted(label for label in numbers if label not in names)
    licences = {one.document.metadata.get("licence", "") for one in reports}
    annotators = ", ".join(sorted({one.annotator for one in reports if one.annotator}))
    total = f"{counted(numbers.total(), 'span')} in {counted(len(reports), 'report')}"
    return render(
        "dataset_card.md.j2",
        name=f"Case reports annotated by {annotators}" if annotators else "Annotated case reports",
        licence=_licence(licences),
        size=next((size for most, size in _SIZES if len(reports) < most), _LARGER),
        summary=total,
        version=__version__,
        splits=splits,
        seed=whole.seed if whole else 0,
        shares="/".join(map(str, whole.splits)) if whole else "",
        labels=[
            (label, names.get(label, "not in the scheme"), numbers[label]) for label in (*known, *others)
        ],
        agreement=whole.agreement if whole else (),
        one_line=one_line,
        cell=_cell,
    )


def _cell(value: object) -> str:
    """A value in a table of the card, where nothing in it is markup."""
    return one_line(str(value)).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")


def _licence(licences: set[str]) -> str:
    """A hub's name for the licence that all reports have; `other` for several, `unknown` for none."""
    if licences <= {""}:
        return _UNKNOWN
    kinds = {_CREATIVE_COMMONS.get(one.lower().rstrip("/").split("://")[-1], "other") for one in licences}
    return kinds.pop() if len(kinds) == 1 else "other"


_CREATIVE_COMMONS = {
    f"creativecommons.org/licenses/{kind}/4.0": f"cc-{kind}-4.0"
    for kind in ("by", "by-sa", "by-nc", "by-nc-sa", "by-nd", "by-nc-nd")
} | {"creativecommons.org/publicdomain/zero/1.0": "cc0-1.0"}


def _recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """The rows that pandas reads, against those that were to be written."""
    import pandas as pd

    expected = {report.key: _row(report) for report in reports}
    kept = again = 0
    missing, unexpected = list[str](), list[str]()
    for file in sorted((path / "data").glob("*.parquet")):
        for row in pd.read_parquet(file).to_dict("records"):
            wanted = expected.pop(str(row["id"]), None)
            if wanted is None:
                unexpected.append(f"{row['id']}: the report")
                continue
            again += 1
            ours, theirs = Counter(plain_value(wanted["spans"])), Counter(plain_value(row.pop("spans")))
            kept += (ours & theirs).total()
            missing += [f"{row['id']}: {one}" for one in (ours - theirs).elements()]
            unexpected += [f"{row['id']}: {one}" for one in (theirs - ours).elements()]
            others = {name: value for name, value in wanted.items() if name != "spans"}
            missing += [f"{row['id']}: its text"] * (plain_value(others) != plain_value(row))
    missing += [f"{key}: the report" for key in expected]
    return read_back("pandas", again, kept, missing, unexpected)


FORMAT = Format(
    id="hf",
    label="Data set folder (Hugging Face)",
    about="Reports with their spans as Parquet, divided for training and test, with a card on what is in it.",
    suffixes=(),
    write_folder=_write,
    recount=_recount,
    losses=Lacking("The data set", ("rest",)),
)
