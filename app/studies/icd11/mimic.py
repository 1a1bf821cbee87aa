"""MIMIC's compressed tables, read row by row: what is kept does not grow with the length of the notes."""

from __future__ import annotations

import csv
import gzip
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.studies.lines import source_of
from extractors.model.errors import CallError

_DISCHARGE = "DS"


@dataclass(slots=True)
class Notes:
    """The discharge note of each admission (`note_id` by hadm_id); what else there was, counted."""

    chosen: dict[str, str] = field(default_factory=dict)
    further: int = 0
    addenda: int = 0


class Mimic:
    """The folder with `hosp` and `note`; raises CallError where one of them is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        missing = [name for name in ("hosp", "note") if not (folder / name).is_dir()]
        if missing:
            raise CallError(
                f"{folder} has no folder {' and no '.join(missing)}; name the one with MIMIC-IV's hosp and "
                "MIMIC-IV-Note's note."
            )
        self.read: dict[Path, int] = {}

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Sequence[str]]:
        """These columns of every row of a table ("hosp/admissions"); raises CallError."""
        path = next(
            (found for end in (".csv.gz", ".csv") if (found := self.folder / f"{table}{end}").is_file()), None
        )
        if path is None:
            raise CallError(f"{self.folder} has no {table}.csv.gz; download it again from PhysioNet.")
        number = 0
        for number, row in enumerate(csv_rows(path, columns, "download it again"), start=1):  # noqa: B007
            yield row
        self.read[path] = number

    def titles(self) -> dict[tuple[str, str], str]:
        """The long title of each code and version."""
        columns = ("icd_code", "icd_version", "long_title")
        rows = self.rows("hosp/d_icd_diagnoses", columns)
        return {(code.strip(), version.strip()): title.strip() for code, version, title in rows}

    def diagnoses(self) -> Iterator[Sequence[str]]:
        """subject_id, hadm_id, seq_num, icd_code, icd_version of every diagnosis."""
        return self.rows(
            "hosp/diagnoses_icd", ("subject_id", "hadm_id", "seq_num", "icd_code", "icd_version")
        )

    def notes(self, wanted: Mapping[str, object]) -> Notes:
        """The discharge note with the lowest number of each admission that is `wanted`."""
        notes, lowest = Notes(), dict[str, float]()
        rows = self.rows("note/discharge", ("note_id", "hadm_id", "note_type", "note_seq"))
        for note, hadm, kind, number in rows:
            if hadm not in wanted:
                continue
            if kind.strip() != _DISCHARGE:
                notes.addenda += 1
                continue
            place = float(number) if number.strip().isdigit() else float("inf")
            notes.further += hadm in lowest
            if place < lowest.get(hadm, float("inf")) or hadm not in lowest:
                lowest[hadm], notes.chosen[hadm] = place, note
        return notes

    def texts(self, chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """hadm_id and text of the notes chosen (note_id by hadm_id), in the order of the file."""
        for note, hadm, text in self.rows("note/discharge", ("note_id", "hadm_id", "text")):
            if chosen.get(hadm) == note:
                yield hadm, text

    def sources(self) -> list[dict[str, object]]:
        """The files that were read, by the digest of their bytes."""
        licence = "MIMIC: PhysioNet Credentialed Health Data License"
        return [
            source_of(path.relative_to(self.folder).as_posix(), [path], licence, number)
            for path, number in self.read.items()
        ]


def csv_rows(path: Path, columns: Sequence[str], advice: str) -> Iterator[Sequence[str]]:
    """These columns of a CSV file, compressed or not; raises CallError, which quotes nothing of a row."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream)
            head = next(reader, [])
            missing = [name for name in columns if name not in head]
            if missing:
                raise CallError(f"{path} has no column {', '.join(missing)}; {advice}.")
            places = [head.index(name) for name in columns]
            last = max(places)
            for row in reader:
                if len(row) <= last:
                    if not row:
                        continue
                    raise CallError(f"{path}, line {reader.line_num}, has too few columns; {advice}.")
                yield [row[place] for place in places]
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise CallError(f"{path} ends too early or is damaged; {advice}.") from None
    except UnicodeDecodeError:
        raise CallError(f"{path} is not UTF-8; {advice}.") from None
    except csv.Error:
        raise CallError(f"{path} is no CSV file that can be read; {advice}.") from None
    except OSError as error:
        raise CallError(f"{path} cannot be read ({error.strerror}).") from None
