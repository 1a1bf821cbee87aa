"""What a file format is: how its files are told, read and written, and what it has no place for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from app.formats.pictures.packages import Payload
    from app.formats.record import Imported, LeftOut, ReadBack, ReportExport

Reader: TypeAlias = "Callable[[Payload, str, Sequence[str]], Iterator[Imported | LeftOut]]"
Writer: TypeAlias = "Callable[[Sequence[ReportExport]], Iterator[str] | Iterator[bytes]]"
FolderWriter: TypeAlias = "Callable[[Sequence[ReportExport]], Iterator[Mapping[str, str | bytes]]]"
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
    it is told. `write` gives the text (or the bytes) of a file in pieces, about one for each report;
    where there is a folder of files, `write_folder` gives their texts by name, likewise. `write_beside` gives
    texts of files beside the one that is written, by what their names have behind its own. `losses` are
    sentences, said beforehand, on what it has no place for; `recount` reads back what was written where there
    is no reader.

    `label` is what people call it, `made_by` who makes such files, `about` what they hold. Files of
    `suffixes` are read from folders, together with the file of the same name that ends in `companion`.
    `carries` says whether they bring annotations along, `outside` that they are read in a process of their
    own: libraries that take a file apart may run away with memory and time. `profile` says that the terms of
    reports are written, not annotations of categories.
    """

    id: str
    label: str
    suffixes: tuple[str, ...]
    detect: Callable[[bytes], int] = _never
    read: Reader | None = None
    write: Writer | None = None
    write_folder: FolderWriter | None = None
    write_beside: Callable[[Sequence[ReportExport]], Mapping[str, str]] | None = None
    losses: Losses = _nothing
    recount: Callable[[Path, Sequence[ReportExport]], ReadBack] | None = None
    made_by: str = ""
    about: str = ""
    companion: str = ""
    carries: bool = False
    outside: bool = False
    profile: bool = False

    @property
    def folder(self) -> bool:
        """Whether it is written into a folder of its own."""
        return self.write_folder is not None

    @property
    def lossless(self) -> bool:
        """Whether it has a place for everything."""
        return self.losses is _nothing

    @property
    def lacks(self) -> tuple[str, ...]:
        """The kinds of things (app/formats/losses.py) that it has no place for."""
        return tuple(getattr(self.losses, "lacks", ()))
