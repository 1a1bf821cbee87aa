"""What a corpus is on disk: a manifest, and four data sets of Parquet files, one file of each for a part.

    DIR/manifest.json   task, by whom, settings, versions, inputs and finished parts (`Manifest`)
    DIR/reports/part-00000.parquet   the reports of a part; written last: the part counts once it is there
    DIR/quotes/  DIR/calls/  DIR/left_out/   the same names: found in them, asked about them, left out

A part's other files count only where `reports` has that part: a run that was killed may have left one behind.
Offsets are code points of `text`; `sha256` is that of its UTF-8. Other programs read the folders as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from app.formats.writing import write_atomically
from extractors.model.errors import DamagedCorpusError, FormatError

if TYPE_CHECKING:
    import pyarrow

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
TableName = Literal["reports", "quotes", "calls", "left_out"]
TABLES: tuple[TableName, ...] = ("reports", "quotes", "calls", "left_out")

# By data set its columns, each with the name of its Arrow type. A new column is a new SCHEMA_VERSION.
COLUMNS: dict[TableName, dict[str, str]] = {
    "reports": {
        "report": "string",  # unique in the corpus
        "title": "string",
        "journal": "string",
        "year": "int32",  # null where it is not known
        "text": "string",
        "sha256": "string",
        "characters": "int32",
        "words": "int32",
        "licence": "string",
        "source": "string",  # path, and member or line in it
    },
    "quotes": {
        "report": "string",
        "number": "int32",  # from 0, in order
        "category": "string",
        "field": "string",
        "quote": "string",
        "start": "int32",  # null without a place
        "end": "int32",
        "grounding": "string",  # extractors.model.finding.GroundingStatus
        "polarity": "string",
        "concepts": "concepts",  # of code, system and label
        "confidence": "float64",  # of a code, else of the reply's tokens; null where nobody said
    },
    "calls": {
        "report": "string",
        "number": "int32",  # from 0, in order
        "asks": "string",  # the categories asked about, separated by a blank
        "model": "string",
        "server": "string",
        "prompt_sha256": "string",
        "reply": "string",
        "state": "string",  # extractors' GenerationState
        "error": "string",
        "seconds": "float64",
        "tokens_in": "int32",
        "tokens_out": "int32",
    },
    "left_out": {
        "source": "string",
        "report": "string",  # null where it was not read that far
        "reason": "string",  # one of REASONS
        "detail": "string",  # a sentence
    },
}
# Why something is not among the reports. FAILED: begun, and set aside.
FAILED = ("crashed", "time limit", "memory limit")
REASONS = ("unreadable", "not a case report", "repeated", "not read", *FAILED)
# How reports are counted about which a model has not answered everything; they are among the reports.
NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read; `sha256` is "" for an archive, which size and time of change tell apart."""

    path: str
    bytes: int
    sha256: str = ""
    mtime: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part; `sha256` is that of all that went into it."""

    part: int
    reports: int
    sha256: str


@dataclass(slots=True)
class Manifest:
    """What made a corpus. `by` is "rules" or a model's name; `state` is "begun", or "done"."""

    task: str
    by: str
    settings: dict[str, Any]
    versions: dict[str, Any]
    inputs: list[Input] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    state: str = "begun"
    schema: int = SCHEMA_VERSION


def arrow_schema(name: TableName) -> pyarrow.Schema:
    """The columns of a data set as Arrow has them."""
    import pyarrow

    concept = pyarrow.struct([(one, pyarrow.string()) for one in ("code", "system", "label")])
    kinds = {"concepts": pyarrow.list_(concept)}
    fields = [(one, kinds.get(kind) or pyarrow.type_for_alias(kind)) for one, kind in COLUMNS[name].items()]
    return pyarrow.schema(fields, metadata={"casespan": str(SCHEMA_VERSION)})


def manifest(folder: Path) -> Manifest:
    """What made the corpus there; raises FormatError where there is none, or one of another version."""
    try:
        told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if told["schema"] != SCHEMA_VERSION:
            raise FormatError(
                f"{folder} is a corpus of version {told['schema']}, this program reads {SCHEMA_VERSION}."
            )
        inputs = [Input(**one) for one in told.pop("inputs")]
        parts = [Part(**one) for one in told.pop("parts")]
        return Manifest(**told, inputs=inputs, parts=parts)
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError(f"{folder} holds no corpus; make one with casespan corpus extract.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(
            f"{folder / MANIFEST} is damaged ({type(error).__name__}); bring it back from a copy, or extract "
            "into another folder."
        ) from None


def write_manifest(folder: Path, told: Manifest) -> None:
    """Put the manifest in the place of the one before, whole."""
    # In ASCII, since a path may have bytes that are no text.
    write_atomically(folder / MANIFEST, json.dumps(asdict(told), indent=1) + "\n")


def part_file(folder: Path, name: TableName, part: int) -> Path:
    """Where a part of a data set stands."""
    return folder / name / f"part-{part:05}.parquet"


def finished_parts(folder: Path) -> list[int]:
    """The numbers of the parts that are there, in order."""
    return sorted(int(one.stem.removeprefix("part-")) for one in (folder / "reports").glob("part-*.parquet"))


def read_parts(
    folder: Path, name: TableName, columns: Sequence[str] | None = None
) -> Iterator[tuple[int, pyarrow.Table]]:
    """A data set part by part, with their numbers: what a corpus of any size is gone through by."""
    for part in finished_parts(folder):
        yield part, read_part(folder, name, part, columns)


def read_part(
    folder: Path, name: TableName, part: int, columns: Sequence[str] | None = None
) -> pyarrow.Table:
    """One part of a data set; raises DamagedCorpusError where its file is damaged or gone."""
    from pyarrow import ArrowException, parquet

    file, wanted = part_file(folder, name, part), list(columns) if columns else None
    try:
        return parquet.read_table(file, columns=wanted, partitioning=None, page_checksum_verification=True)
    except (OSError, ArrowException):
        raise DamagedCorpusError(
            f"{file} cannot be read; the same casespan corpus extract makes it anew."
        ) from None


def read_table(folder: Path, name: TableName) -> pyarrow.Table:
    """A data set whole, in the order of its parts."""
    import pyarrow

    schema = arrow_schema(name)
    found = [table.cast(schema) for _, table in read_parts(folder, name)]
    return pyarrow.concat_tables(found) if found else schema.empty_table()
