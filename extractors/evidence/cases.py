"""Patients with findings and diagnoses: JSON Lines, phenopackets, RareBench rows, Matchmaker Exchange."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from extractors.evidence.phenopackets import findings_of_phenopacket, is_phenopacket, objects_of
from extractors.evidence.published import pubmed_ids
from extractors.model.errors import CallError, NoCaseError, reason_of
from extractors.terminology.index import Terminology

_SUFFIXES = (".jsonl", ".json")
_SPELLINGS = {"MIM": "OMIM", "ORPHANET": "ORPHA", "ORDO": "ORPHA"}
_CODE = re.compile(r"^[A-Za-z]+[:_]\w+$")


@dataclass(frozen=True, slots=True)
class Entity:
    """Words of a case's text and the term they stand for."""

    text: str
    hpo_id: str


@dataclass(frozen=True, slots=True)
class Case:
    """A patient: codes (or, where they could not be resolved, names) of findings present and denied, codes of
    the diagnoses, PubMed ids of the case's own publications."""

    id: str
    set: str = ""
    present: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    diagnoses: tuple[str, ...] = ()
    publications: tuple[int, ...] = ()
    text: str = ""
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """What is no case, and why, as a sentence."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cases:
    """`mapped` counts codes of before by the code in use that was read in their place ("HP:1 -> HP:2"),
    `unknown` are findings that are no terms."""

    cases: tuple[Case, ...]
    unread: tuple[Unread, ...]
    mapped: Mapping[str, int]
    unknown: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    terminology: Terminology
    diseases: Mapping[str, str]
    cases: dict[str, Case] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    mapped: Counter[str] = field(default_factory=Counter)
    unknown: dict[str, None] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)


def read_cases(
    paths: Iterable[Path], terminology: Terminology, diseases: Mapping[str, str] | None = None
) -> Cases:
    """Read files and folders of cases; what cannot be read is listed, and a known id counts once.

    `diseases` gives codes of diseases by their names in small letters, for rows that say names. Raises
    CallError where a path is not there or no file, NoCaseError where nothing at all is a case.
    """
    reading = _Reading(terminology, diseases or {})
    files = [file for path in paths for file in _files(path)]
    if not files:
        raise CallError("There is no .json or .jsonl file to read cases from.")
    for file in files:
        for where, value in _values(file, reading):
            try:
                case = _case(value, where, file.stem, reading)
            except ValueError as error:
                reading.unread.append(Unread(where, str(error)))
                continue
            if case.id in reading.cases:
                reading.unread.append(Unread(where, f"a case “{case.id}” was read before"))
            else:
                reading.cases[case.id] = case
    if not reading.cases:
        one = next(iter(reading.unread), Unread(files[0].name, "is empty"))
        raise NoCaseError(f"No case could be read: {one.where} {one.reason}.")
    cases, unread = tuple(reading.cases.values()), tuple(reading.unread)
    return Cases(cases, unread, dict(reading.mapped), tuple(reading.unknown))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
    if not path.exists():
        raise CallError(f"{path} is not there.")
    return [path]


def _values(file: Path, reading: _Reading) -> Iterator[tuple[str, object]]:
    """The objects of a file, each with where it stands."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        reading.unread.append(Unread(file.name, f"cannot be read: {reason_of(error)}"))
        return
    except UnicodeDecodeError:
        reading.unread.append(Unread(file.name, "is no text in UTF-8"))
        return
    try:
        whole = json.loads(text)
    except RecursionError:
        reading.unread.append(Unread(file.name, "nests too deeply"))
        return
    except ValueError:
        yield from _lines(file, text, reading)
        return
    if isinstance(whole, list):
        yield from ((f"{file.name} ({number})", each) for number, each in enumerate(whole, 1))
    else:
        yield file.name, whole


def _lines(file: Path, text: str, reading: _Reading) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{file.name}:{number}"
            try:
                yield where, json.loads(line)
            except (ValueError, RecursionError):
                reading.unread.append(Unread(where, "is no JSON"))
                if file.suffix.lower() != ".jsonl":
                    return


def _case(value: object, where: str, stem: str, reading: _Reading) -> Case:
    """Raises ValueError with the reason where it is none."""
    if not isinstance(value, dict):
        raise ValueError("is no JSON object")
    number = where.rpartition(":")[2].rpartition("(")[2].rstrip(")")
    counted = f"{stem}-{number}" if number.isdigit() else stem
    if is_phenopacket(value):
        case = _of_phenopacket(value, counted)
    elif "Phenotype" in value or {"input", "output"} <= value.keys():
        case = _of_rarebench(value, counted, stem, reading)
    elif "patient" in value or "features" in value:
        case = _of_matchmaker(value, counted)
    else:
        case = _of_json(value)
    return _with_codes_in_use(case, reading)


def _of_json(value: Mapping[str, Any]) -> Case:
    name = value.get("id")
    if not isinstance(name, str | int) or not str(name):
        raise ValueError("has no id")
    text = value.get("text") or ""
    case = Case(
        str(name),
        str(value.get("set") or ""),
        _strings(value, "present"),
        _strings(value, "excluded"),
        _strings(value, "diagnoses"),
        pubmed_ids([*_strings(value, "publications"), f"id {name}"]),
        text if isinstance(text, str) else "",
        tuple(
            Entity(str(one.get("text", "")), str(one.get("hpo_id", "")))
            for one in objects_of(value, "entities")
        ),
    )
    if not (case.present or case.excluded or case.text or case.entities):
        raise ValueError("has neither findings (present) nor text")
    return case


def _of_phenopacket(value: Mapping[str, Any], counted: str) -> Case:
    found = findings_of_phenopacket(value)
    return Case(
        found.id or counted,
        present=found.present,
        excluded=found.excluded,
        diagnoses=found.diagnoses,
        publications=found.publications,
    )


def _of_rarebench(value: Mapping[str, Any], counted: str, stem: str, reading: _Reading) -> Case:
    """A row with codes (Phenotype, RareDisease), or with names joined by commas (input, output)."""
    if "Phenotype" in value:
        present, diagnoses = _strings(value, "Phenotype"), _strings(value, "RareDisease")
    else:
        present = _by_names(str(value["input"]), _terms(reading))
        diagnoses = _by_names(str(value["output"]), reading.diseases)
    if not present:
        raise ValueError("has no findings")
    return Case(str(value.get("id") or counted), stem, present, diagnoses=diagnoses)


def _of_matchmaker(value: Mapping[str, Any], counted: str) -> Case:
    patient = value.get("patient", value)
    if not isinstance(patient, dict):
        raise ValueError("has a patient that is no JSON object")
    features = [one for one in objects_of(patient, "features") if one.get("id")]
    present, excluded = (
        tuple(str(one["id"]) for one in features if (one.get("observed") == "no") is denied)
        for denied in (False, True)
    )
    if not features:
        raise ValueError("has no findings")
    disorders = tuple(str(one["id"]) for one in objects_of(patient, "disorders") if one.get("id"))
    return Case(str(patient.get("id") or counted), "MME", present, excluded, disorders)


def _strings(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key)
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(one, str | int) for one in found):
        raise ValueError(f"has a “{key}” that is no list of texts")
    return tuple(str(one).strip() for one in found)


def _terms(reading: _Reading) -> Mapping[str, str]:
    """Codes by names in small letters; a label before another concept's synonym."""
    if not reading.terms:
        terminology = reading.terminology
        kinds, obsolete = terminology.name_kinds.tolist(), terminology.obsolete.tolist()
        ordered = sorted(
            zip(terminology.names, terminology.name_rows.tolist(), kinds, strict=True),
            key=lambda one: (obsolete[one[1]], one[2]),
        )
        for name, row, _ in ordered:
            reading.terms.setdefault(name.casefold(), terminology.codes[row])
    return reading.terms


def _by_names(joined: str, codes: Mapping[str, str]) -> tuple[str, ...]:
    """Names joined by ", ", some of which have commas themselves: the longest known one first. What is no
    name is kept as it stands."""
    parts = joined.split(", ")
    found, at = [], 0
    while at < len(parts):
        for end in range(len(parts), at, -1):
            name = ", ".join(parts[at:end]).strip()
            if name.casefold() in codes or end == at + 1:
                found.append(codes.get(name.casefold(), name))
                at = end
                break
    return tuple(one for one in found if one)


def _with_codes_in_use(case: Case, reading: _Reading) -> Case:
    return replace(
        case,
        present=_current(case.present, reading),
        excluded=_current(case.excluded, reading),
        diagnoses=tuple(dict.fromkeys(map(_disease, case.diagnoses))),
    )


def _current(codes: Sequence[str], reading: _Reading) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for code in codes:
        plain = code.upper().replace("_", ":") if _CODE.match(code) else code
        current = reading.terminology.current(plain)
        if current is None:
            reading.unknown.setdefault(plain)
        elif current != plain:
            reading.mapped[f"{plain} -> {current}"] += 1
        found.setdefault(current or plain)
    return tuple(found)


def _disease(code: str) -> str:
    prefix, colon, number = code.partition(":")
    return (
        f"{_SPELLINGS.get(prefix.upper(), prefix.upper())}:{number}" if colon and _CODE.match(code) else code
    )
