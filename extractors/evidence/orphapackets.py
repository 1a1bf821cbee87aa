"""Reading Orphanet's ORPHApackets: prevalence and incidence by place, findings, names elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from extractors.model.errors import FormatError

# Orphanet's have some 10 kB, few of them 100.
_LARGEST = 20_000_000
# Ends of each class, and of how many it speaks: "1-9 / 100 000" is (1, 9, 100000).
PREVALENCES = {
    ">1 / 1000": (1, 1000, 1000),
    "6-9 / 10 000": (6, 9, 10_000),
    "1-5 / 10 000": (1, 5, 10_000),
    "1-9 / 100 000": (1, 9, 100_000),
    "1-9 / 1 000 000": (1, 9, 1_000_000),
    "<1 / 1 000 000": (0, 1, 1_000_000),
}
# What Orphanet's words for a frequency are called in HPO.
FREQUENCIES = {
    "Obligate": "HP:0040280",
    "Very frequent": "HP:0040281",
    "Frequent": "HP:0040282",
    "Occasional": "HP:0040283",
    "Very rare": "HP:0040284",
    "Excluded": "HP:0040285",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """How many have or get a disease somewhere: `kind` as Orphanet calls it, `of_class` one of PREVALENCES.

    `mean` is Orphanet's mean value per 100,000 in its own digits, "" for none.
    """

    kind: str
    place: str
    of_class: str
    mean: str
    source: str


@dataclass(frozen=True, slots=True)
class OrphaPacket:
    """A disease of Orphanet: `findings` are HPO codes with classes of frequency, `omim` exact references,
    `kind` its type as Orphanet calls it, `date` when the packet was made, `genes` the symbols of causal ones.
    """

    code: str
    name: str
    version: str
    statements: tuple[Statement, ...]
    findings: tuple[tuple[str, str], ...]
    omim: tuple[str, ...]
    synonyms: tuple[str, ...] = ()
    kind: str = ""
    parents: tuple[str, ...] = ()
    definition: str = ""
    genes: tuple[str, ...] = ()
    date: str = ""


def read_orphapackets(folder: Path, unread: Counter[str]) -> Iterator[OrphaPacket]:
    """The packets of a folder (or one file), one in memory at a time; files that are none are counted.

    Raises FormatError at the end where nothing was one.
    """
    found = False
    for path in sorted(folder.rglob("*.json")) if folder.is_dir() else [folder]:
        try:
            if path.stat().st_size > _LARGEST:
                raise ValueError("too large")
            packet = _packet(json.loads(path.read_text(encoding="utf-8-sig")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            unread["files that are no ORPHApackets"] += 1
        else:
            found = True
            yield packet
    if not found:
        most = f"none is larger than {_LARGEST // 1_000_000} MB"
        raise FormatError(f"{folder} has no ORPHApackets ({most}); name the folder of ORPHApacket_*.json.")


def _packet(value: Mapping[str, Any]) -> OrphaPacket:
    one = value["Orphapacket"]
    if not (str(one["ORPHAcode"]).isdecimal() and isinstance(one["Label"], str)):
        raise ValueError("no code or no name")
    # JSON may hold half a sign, which no file can.
    json.dumps(one, ensure_ascii=False).encode()
    references = list(_entries(one.get("ExternalReferences"), "ExternalReference"))
    return OrphaPacket(
        f"ORPHA:{one['ORPHAcode']}",
        str(one["Label"]),
        str(one.get("version") or ""),
        tuple(_statement(entry) for entry in _entries(one.get("Prevalences"), "Prevalence")),
        tuple(
            (str(entry["HPOId"]), FREQUENCIES.get(str(entry.get("HPOFrequency")).partition(" (")[0], ""))
            for entry in _entries(one.get("Phenotypes"), "Phenotype")
        ),
        tuple(
            f"OMIM:{entry['Reference']}"
            for entry in references
            if entry.get("Source") == "OMIM"
            and str(entry.get("DisorderMappingRelation", "")).startswith("E ")
        ),
        tuple(
            str(given)
            for entry in _entries(one.get("Synonyms"), "")
            for given in _listed(entry.get("Synonym"))
            if given
        ),
        str(_value(one.get("DisorderType"), "value")),
        tuple(f"ORPHA:{entry['ORPHAcode']}" for entry in _entries(one.get("Parents"), "Parent")),
        str(_value(one.get("TextSection"), "Contents")),
        tuple(
            str(entry["Symbol"])
            for entry in _entries(one.get("Genes"), "Gene")
            if "causing" in str(entry.get("DisorderGeneAssociationType"))
        ),
        str(one.get("creationDate") or "")[:10],
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _value(entry: object, key: str) -> object:
    return (entry.get(key) if isinstance(entry, dict) else None) or ""


def _statement(entry: Mapping[str, Any]) -> Statement:
    mean = str(entry.get("ValMoy") or "")
    return Statement(
        str(entry.get("PrevalenceType") or ""),
        str(entry.get("PrevalenceGeographic") or ""),
        str(entry.get("PrevalenceClass") or ""),
        mean if mean.replace(".", "", 1).isdigit() and float(mean) > 0 else "",
        str(entry.get("Source") or ""),
    )


def _entries(value: object, key: str) -> Iterator[Mapping[str, Any]]:
    """Entries of a list, or of an object that holds one or many, wrapped in `key` or bare."""
    if isinstance(value, list):
        for each in value:
            yield from _entries(each, key)
    elif isinstance(value, dict):
        if key in value:
            yield from _entries(value[key], key)
        elif value:
            yield value
