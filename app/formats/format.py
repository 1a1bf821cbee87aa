"""What a file format is: how its files are told, read and written, and what it has no place for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from app.formats.packages import Payload
    from app.formats.record import Imported, LeftOut, ReportExport

Reader: TypeAlias = "Callable[[Payload, str, Sequence[str]], Iterator[Imported | LeftOut]]"
Writer: TypeAlias = "Callable[[Path, Sequence[ReportExport]], None]"
Losses: TypeAlias = "Callable[[Sequence[ReportExport]], Iterable[str]]"


def _never(data: bytes) -> int:
    return 0


def _nothing(reports: Sequence[ReportExport]) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    `detect` says of a file's bytes how sure one can be that they are of this format, from 0 (they are not) to
    3; the surest is taken. `read` gives the reports of a payload, whose digest and the scheme's category ids
    it is told. `write` puts reports into a file, or with `folder` into a folder of that name, whole or not at
    all; `losses` are sentences, said beforehand, on what it has no place for.

    `label` is what people call it, `made_by` who makes such files, `about` what they hold. Files of
    `suffixes` are read from folders, together with the file of the same name that ends in `companion`.
    `carries` says whether they bring annotations along, `outside` that they are read in a process of their
    own: libraries that take a file apart may run away with memory and time.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    detect: Callable[[bytes], int] = _never
    read: Reader | None = None
    write: Writer | None = None
    losses: Losses = _nothing
    made_by: str = ""
    about: str = ""
    companion: str = ""
    carries: bool = False
    folder: bool = False
    outside: bool = False

    @property
    def lossless(self) -> bool:
        """Whether it has a place for everything."""
        return self.losses is _nothing
