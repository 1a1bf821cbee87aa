"""Every way into a project and out of it as files: which formats there are, and which one a file is in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from extractors.model.errors import CasespanError, FormatError, UnknownNameError

if TYPE_CHECKING:
    from app.formats.packages import Payload
    from app.formats.record import Imported, LeftOut, ReportExport

    Reader = Callable[[Payload, str, Sequence[str]], Iterator[Imported | LeftOut]]

READ_FORMATS = ("auto", "jats", "text", "crb", "jsonl")
WRITE_FORMATS = ("crb", "jsonl", "csv")


def read(
    path: Path, format: str = "auto", categories: Sequence[str] | None = None
) -> Iterator[Imported | LeftOut]:
    """The reports in a file, a folder (with all below it) or a `.tar.gz` package, in a fixed order.

    `categories` are the scheme's ids (those of the built-in scheme for None). What cannot be read is one
    LeftOut with a sentence, and the rest goes on. Raises UnknownNameError for a format that does not exist.
    """
    if format not in READ_FORMATS:
        raise UnknownNameError(
            f"There is no import format {format!r}; choose one of {', '.join(READ_FORMATS)}."
        )
    return _read(path, format, categories)


def write(path: Path, format: str, reports: Sequence[ReportExport]) -> tuple[str, ...]:
    """Write reports with their annotations to `path`, which stays as it was unless all of it is written.

    Returns sentences on what the format has no place for; none where everything is written.

    Raises UnknownNameError for a format that does not exist, StorageError where the file cannot be written.
    """
    if format == "crb":
        from app.formats.crb import write_crb as writer
    elif format == "jsonl":
        from app.formats.jsonl import write_jsonl as writer
    elif format == "csv":
        from app.formats.csv_table import write_csv as writer
    else:
        raise UnknownNameError(
            f"There is no export format {format!r}; choose one of {', '.join(WRITE_FORMATS)}."
        )
    return writer(path, reports)


def _read(path: Path, format: str, categories: Sequence[str] | None) -> Iterator[Imported | LeftOut]:
    from app.formats.packages import payloads
    from app.formats.record import LeftOut, fit

    if categories is None:
        categories = _default_categories()
    for payload in payloads(path):
        if isinstance(payload, LeftOut):
            yield payload
            continue
        for record in _records(payload, format, categories):
            yield fit(record, payload.name)


def _records(payload: Payload, format: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    from app.formats.record import LeftOut, unforeseen

    try:
        reader = _reader(format if format != "auto" else _detected(payload))
        yield from reader(payload, hashlib.sha256(payload.data).hexdigest(), categories)
    except FormatError as error:
        yield LeftOut(payload.source, payload.name, str(error), failed=True)
    except CasespanError:
        raise
    except (
        Exception
    ) as error:  # a fault in a reader costs this file and must not cost those that come after it
        yield unforeseen(payload.source, payload.name, error)


@lru_cache(maxsize=1)
def _default_categories() -> tuple[str, ...]:
    from extractors.model.scheme import default_scheme

    return default_scheme().ids


def _detected(payload: Payload) -> str:
    from app.formats.detection import detect

    return detect(payload.data)


def _reader(format: str) -> Reader:
    """The reader of a format, imported only when a file needs it."""
    if format == "jats":
        from app.formats.jats import read_payload
    elif format == "crb":
        from app.formats.crb import read_payload
    elif format == "jsonl":
        from app.formats.jsonl import read_payload
    else:
        from app.formats.text import read_payload
    return read_payload
