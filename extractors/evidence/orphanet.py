"""Importing Orphanet's nomenclature: ORPHApackets, product 1, a plain table, and OMIM's names beside them."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

from extractors.evidence.hpoa import disease_names
from extractors.evidence.orphapackets import OrphaPacket, read_orphapackets
from extractors.model.errors import FormatError, TerminologyError, reason_of
from extractors.terminology.concept import Concept, Name
from extractors.terminology.library import FETCH_ORPHANET, ORPHANET, InstalledRelease, keep_release

_LICENCE = "(c) Orphanet (INSERM), CC BY 4.0"
_GROUPS = ("category", "clinical group", "group of disorders")
_MARKED = re.compile(r"^(NON RARE IN EUROPE|OBSOLETE)\s*:\s*", re.IGNORECASE)
_URI = "http://www.orpha.net/ORDO/Orphanet_"
_CODE = re.compile(r"(?:ORPHA(?:NET)?[:_ ]?)?(\d{1,7})", re.IGNORECASE)
_LONGEST = 400
# Entries, and names of all of them: a million fill gigabytes and minutes.
_MOST, _MOST_NAMES = 50_000, 100_000
# Elements of product 1 within one disorder.
_MOST_ELEMENTS = 100_000
# What a gene's symbol begins with among a concept's references.
GENE = "GENE:"


@dataclass(frozen=True, slots=True)
class KeptNames:
    """What was kept, what was left out by reason, and how many parents the files name but do not hold."""

    installed: InstalledRelease
    disorders: int
    names: int
    left_out: dict[str, int]
    loose: int


@dataclass(slots=True)
class _Reading:
    concepts: dict[str, Concept] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    sources: list[str] = field(default_factory=list)
    releases: list[str] = field(default_factory=list)
    omim: dict[str, set[str]] = field(default_factory=dict)

    def add(self, path: Path, concepts: Iterable[Concept]) -> int:
        """Take over what one file or folder holds; what others hold of the same code is put together."""
        here: set[str] = set()
        names = 0
        for one in concepts:
            if one.code in here:
                raise TerminologyError(f"{path.name} is damaged: {one.code} stands there twice.")
            here.add(one.code)
            names += len(one.names)
            if len(here) > _MOST or names > _MOST_NAMES:
                raise _too_much(path)
            if not one.label:
                self.left_out["entries without a name"] += 1
                continue
            known = self.concepts.get(one.code)
            self.concepts[one.code] = one if known is None else _merged(known, one)
        return len(here)


def _too_much(path: Path) -> TerminologyError:
    what = f"more than {_MOST:,} entries or {_MOST_NAMES:,} names; {ORPHANET} has some 11,000 and 30,000"
    return TerminologyError(f"{path.name} is no nomenclature of diseases: it holds {what}.")


def import_orphanet(paths: Sequence[Path]) -> KeptNames:
    """Keep what these files hold as one release in the user's folder; nothing is kept where one is wrong.

    Raises TerminologyError.
    """
    reading = _Reading()
    for path in paths:
        try:
            _read(path, reading)
        except FormatError as error:
            raise TerminologyError(str(error)) from None
        except (OSError, UnicodeError, csv.Error, RecursionError) as error:
            raise TerminologyError(f"{path.name} cannot be read: {reason_of(error)}.") from None
    if not reading.concepts:
        raise TerminologyError(f"There is no disorder of Orphanet in these files; {FETCH_ORPHANET}.")
    loose = sum(up not in reading.concepts for one in reading.concepts.values() for up in one.parents)
    concepts = [_finished(one, reading) for one in reading.concepts.values()]
    _require_no_circle(concepts)
    release = max(reading.releases, default="unknown")
    source = f"{ORPHANET}: {'; '.join(reading.sources)}; {_LICENCE}"
    installed = keep_release(ORPHANET, release, source, concepts, level=1)
    names = sum(len(one.names) for one in concepts)
    return KeptNames(installed, len(concepts), names, dict(reading.left_out), loose)


def _read(path: Path, reading: _Reading) -> None:
    if path.is_dir():
        return _read_packets(path, reading)
    with path.open("rb") as file:
        head = file.read(200).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        return _read_product(path, reading)
    if head.startswith(b"{"):
        return _read_packets(path, reading)
    if head.startswith((b"PK", b"#", b"database_id")):
        return _read_hpoa(path, reading)
    return _read_table(path, reading)


def _read_packets(path: Path, reading: _Reading) -> None:
    version, date = "", ""

    def entries() -> Iterator[Concept]:
        nonlocal version, date
        for one in read_orphapackets(path, reading.left_out):
            version, date = version or one.version, max(date, one.date)
            yield _of_packet(one)

    count = reading.add(path, entries())
    reading.releases.append(date or version or "unknown")
    reading.sources.append(f"ORPHApackets {version} of {date}, {count:,} entries")


def _of_packet(one: OrphaPacket) -> Concept:
    references = (*one.omim, *(GENE + symbol for symbol in one.genes))
    return _concept(one.code, one.name, one.synonyms, one.kind, one.parents, one.definition, references)


def _concept(
    code: str,
    label: str,
    synonyms: Iterable[str],
    kind: str,
    parents: Sequence[str] = (),
    definition: str = "",
    references: Sequence[str] = (),
    *,
    obsolete: bool = False,
) -> Concept:
    words = " ".join(label.split())
    bare = _MARKED.sub("", words)[:_LONGEST]
    names = {bare.casefold(): Name(bare, "label")}
    for text in synonyms:
        one = " ".join(text.split())[:_LONGEST]
        if one:
            short = " " not in one and one.upper() == one
            names.setdefault(one.casefold(), Name(one, "abbreviation" if short else "exact"))
    low = kind.lower()
    told = "group" if low in _GROUPS else "subtype" if "subtype" in low else "disorder"
    return Concept(
        code,
        tuple(names.values()),
        tuple(dict.fromkeys(parents)),
        " ".join(definition.split()),
        _URI + code.partition(":")[2],
        obsolete=obsolete or words.upper().startswith("OBSOLETE"),
        xrefs=tuple(reference for reference in dict.fromkeys(references) if " " not in reference),
        kind=told,
    )


def _read_product(path: Path, reading: _Reading) -> None:
    """Orphanet's product 1: all entries with names, types and references, without their hierarchy."""
    from lxml import etree

    about = {"version": "", "date": ""}

    def entries() -> Iterator[Concept]:
        kinds = ("start", "end")
        events = etree.iterparse(file, events=kinds, resolve_entities=False, no_network=True)
        within = 0
        for event, element in events:
            within += 1
            if within > _MOST_ELEMENTS:
                raise _too_much(path)
            if event == "start":
                if element.tag == "JDBOR":
                    about.update({key: element.get(key) or "" for key in about})
            elif element.tag == "Disorder" and (parent := element.getparent()) is not None:
                if parent.tag == "DisorderList":
                    yield _of_product(element)
                    parent.remove(element)
                    within = 0

    try:
        with path.open("rb") as file:
            count = reading.add(path, entries())
    except etree.XMLSyntaxError as error:
        raise TerminologyError(f"{path.name} is damaged: {error}.") from None
    if not count:
        raise TerminologyError(f"{path.name} holds no disorders; is it Orphanet's product 1?")
    reading.releases.append(about["date"][:10] or about["version"] or "unknown")
    reading.sources.append(f"product 1, {about['version']} of {about['date'][:10]}, {count:,} entries")


def _of_product(element: object) -> Concept:
    from lxml.etree import _Element as Element

    assert isinstance(element, Element)

    def said(where: str) -> str:
        return element.findtext(where) or ""

    number = said("OrphaCode").strip()
    if not number.isdigit():
        raise TerminologyError("A disorder of product 1 has no OrphaCode; the file is damaged.")
    references = [
        f"OMIM:{(one.findtext('Reference') or '').strip()}"
        for one in element.iterfind("ExternalReferenceList/ExternalReference")
        if one.findtext("Source") == "OMIM"
        and (one.findtext("DisorderMappingRelation/Name") or "").startswith("E ")
    ]
    flags = " ".join(one.text or "" for one in element.iterfind("DisorderFlagList/DisorderFlag/Label"))
    return _concept(
        f"ORPHA:{number}",
        said("Name"),
        [one.text or "" for one in element.iterfind("SynonymList/Synonym")],
        said("DisorderType/Name") or said("DisorderGroup/Name"),
        definition=said(".//TextSection/Contents"),
        references=references,
        obsolete="obsolete" in flags.lower() or "inactive" in flags.lower(),
    )


def _read_hpoa(path: Path, reading: _Reading) -> None:
    release, names = disease_names(path)
    for disease, given in names.items():
        reading.omim.setdefault(disease, set()).update(given)
    reading.sources.append(f"names of exactly matching OMIM entries from phenotype.hpoa {release}")


def _read_table(path: Path, reading: _Reading) -> None:
    """A table of code, name and aliases (parted by "|" or ";"), with commas or tabs, heading or not."""
    digest = hashlib.sha256()

    def lines(file: Iterable[str]) -> Iterator[str]:
        for line in file:
            digest.update(line.encode())
            yield line

    def entries(file: Iterator[str]) -> Iterator[Concept]:
        first = next(file, "")
        comma = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
        for number, row in enumerate(csv.reader(chain([first], file), delimiter=comma)):
            code = _CODE.fullmatch(row[0].strip()) if row else None
            if code is None or len(row) < 2:
                if number and any(row):
                    reading.left_out["rows without code and name"] += 1
                continue
            aliases = [one.strip() for cell in row[2:] for one in re.split(r"[|;]", cell)]
            yield _concept(f"ORPHA:{code[1]}", row[1], aliases, "")

    with path.open(encoding="utf-8-sig") as file:
        count = reading.add(path, entries(lines(file)))
    if not count:
        raise TerminologyError(
            f"{path.name} is no ORPHApacket, product 1, phenotype.hpoa or table of code, name and aliases."
        )
    told = digest.hexdigest()[:8]
    reading.releases.append(f"table-{told}")
    reading.sources.append(f"the table {path.name} ({told}), {count:,} entries")


def _merged(one: Concept, other: Concept) -> Concept:
    names = {name.text.casefold(): name for name in (*other.names[1:], other.names[0], *reversed(one.names))}
    label = one.names[0]
    more = [replace(name, kind="exact") if name.kind == "label" else name for name in names.values()]
    return replace(
        one,
        names=(label, *(name for name in more if name.text.casefold() != label.text.casefold())),
        parents=tuple(dict.fromkeys((*one.parents, *other.parents))),
        definition=one.definition or other.definition,
        xrefs=tuple(dict.fromkeys((*one.xrefs, *other.xrefs))),
        obsolete=one.obsolete and other.obsolete,
        # What says no type, as a plain table, is taken for a disorder.
        kind=other.kind if one.kind == "disorder" else one.kind,
    )


def _finished(one: Concept, reading: _Reading) -> Concept:
    """With the names of OMIM entries that match exactly, and without parents that are not there."""
    known = {name.text.casefold() for name in one.names}
    listed = sorted(name for code in one.xrefs for name in reading.omim.get(code, ()))
    more = {
        text.casefold(): Name(text, "omim")
        for name in listed
        for part in name.split(";")
        if (text := " ".join(part.split())[:_LONGEST]) and text.casefold() not in known
    }
    parents = tuple(up for up in one.parents if up in reading.concepts)
    return replace(one, names=(*one.names, *more.values()), parents=parents)


def _require_no_circle(concepts: Sequence[Concept]) -> None:
    try:
        TopologicalSorter({one.code: one.parents for one in concepts}).prepare()
    except CycleError as error:
        words = f"{min(error.args[1])} stands above or below itself"
        raise TerminologyError(f"The nomenclature is damaged: {words}.") from None
