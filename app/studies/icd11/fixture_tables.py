"""An invented classification in the columns of WHO's files, with maps to it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["leaf", "alias", "parent", "unmapped"]
_VERSION = "Version:2024 Jan 21 - 22:30 UTC"
_FIRST = ("Velmor", "Tarsin", "Brell", "Quandor", "Ostrel", "Mirvan", "Dorrow", "Pellin", "Garth", "Sorvin")
_LAST = ("fever", "palsy", "colic", "pox", "wasting", "tremor")
_HEADS = (
    "Foundation URI,Linearization URI,Code,BlockId,Title,ClassKind,DepthInKind,IsResidual,ChapterNo,"
    f"BrowserLink,isLeaf,Primary tabulation,Grouping1,Grouping2,Grouping3,Grouping4,Grouping5,{_VERSION}"
).split(",")
_MAP_HEADS = (
    "10ClassKind,10DepthInKind,icd10Code,icd10Chapter,icd10Title,11ClassKind,11DepthInKind,"
    "ICD-11 FoundationURI,Linearization (releaseURI),icd11Code,icd11Chapter,icd11Title,2024-Jan-21"
).split(",")
_GEM_HEADS = ("icd9cm", "icd10cm", "flags", "approximate", "no_map", "combination", "scenario", "choice_list")


@dataclass(frozen=True, slots=True)
class Invented:
    """A diagnosis as a hospital codes it; `icd11` is the class that it is mapped to, "" for none."""

    title: str
    icd9: str
    icd10: str
    kind: Kind
    icd11: str
    target: str


@dataclass(frozen=True, slots=True)
class _Class:
    code: str
    block_id: str
    title: str
    kind: str
    depth: int
    chapter: str
    leaf: bool
    groups: tuple[str, ...] = ()
    residual: bool = False
    level: int = 0


def invent() -> tuple[list[Invented], dict[str, str]]:
    """Diagnoses of every kind, the commonest first, and the files of the classification by name."""
    classes: list[_Class] = []
    diagnoses: list[Invented] = []
    for chapter, system in enumerate(("Marsh", "Ridge", "Coast"), start=1):
        number = f"{chapter:02d}"
        classes.append(_Class("", "", f"{system} ailments", "chapter", 1, number, False))
        for block, part in enumerate(("upper", "lower")):
            name = f"BlockL1-{chapter}A{block}"
            title = f"{system} ailments of the {part} body"
            classes.append(_Class("", name, title, "block", 1, number, False, level=1))
            _fill(classes, diagnoses, number, name, chapter, block)
    diagnoses += [
        Invented(f"Waiting {where} for somebody", f"V{one}00", f"Z9{one}0", "unmapped", "", "")
        for one, where in enumerate(("ashore", "indoors", "aboard"))
    ]
    first = next(one for one in diagnoses if one.kind == "leaf")
    words = first.title.split()
    again = f"{words[1].capitalize()}, {words[0].lower()}"
    diagnoses.append(Invented(again, "00199", "A999", "alias", first.icd11, first.target))
    files = {
        "SimpleTabulation-ICD-11-MMS-en.txt": "\ufeff" + _tabulation(classes),
        "10To11MapToOneCategory.txt": _map(diagnoses, classes),
        "icd9toicd10cmgem.csv": _gem(diagnoses),
    }
    return diagnoses, files


def _fill(
    classes: list[_Class], diagnoses: list[Invented], number: str, name: str, chapter: int, block: int
) -> None:
    """A block's categories: four leaves, one with three leaves below it, and a residual one."""
    for place in range(5):
        at = (chapter - 1) * 10 + block * 5 + place
        code = f"{chapter}A{block}{place}"
        title = f"{_FIRST[at % len(_FIRST)]}{'ian' if at >= len(_FIRST) else 'ic'} {_LAST[at % len(_LAST)]}"
        title = title if at < 2 * len(_FIRST) else f"Distal {title.lower()}"
        icd10 = f"{'ABC'[chapter - 1]}{block}{place}"
        parent = place == 4
        classes.append(_Class(code, "", title, "category", 1, number, not parent, (name,), level=2))
        kind: Kind = "parent" if parent else "leaf"
        icd9 = f"{chapter - 1:02d}{block}{place}1"
        diagnoses.append(Invented(title, icd9, f"{icd10}1", kind, code, title.lower()))
        for child, words in enumerate(("Nocturnal", "Diurnal") if parent else ()):
            below = f"{words} {_FIRST[(at + 3) % len(_FIRST)].lower()}ent {_LAST[(at + 2) % len(_LAST)]}"
            own, end = f"{code}.{child}", child + 2
            classes.append(_Class(own, "", below, "category", 2, number, True, (name,), level=3))
            diagnoses.append(Invented(below, f"{icd9[:4]}{end}", f"{icd10}{end}", "leaf", own, below.lower()))
        if parent:
            rest = f"{title}, unspecified"
            classes.append(
                _Class(f"{code}.Z", "", rest, "category", 2, number, True, (name,), residual=True, level=3)
            )


def _uri(one: _Class, *, release: bool) -> str:
    number = "".join(str(ord(sign)) for sign in one.code or one.block_id or one.chapter)
    return f"http://example.org/{'release/11/mms/' if release else 'entity/'}{number}"


def _tabulation(classes: Sequence[_Class]) -> str:
    lines = ["\t".join(_HEADS)]
    for one in classes:
        groups = [*one.groups, *[""] * (5 - len(one.groups))]
        title = "- " * one.level + one.title
        primary = "True" if one.kind == "category" else ""
        link = f'"=hyperlink(""{_uri(one, release=False)}"",""browser"")"'
        cells = [_uri(one, release=False), _uri(one, release=True), one.code, one.block_id, f'"{title}"']
        cells += [one.kind, str(one.depth), str(one.residual), one.chapter, link, str(one.leaf), primary]
        lines.append("\t".join([*cells, *groups, ""]))
    return "\r\n".join(lines) + "\r\n"


def _map(diagnoses: Sequence[Invented], classes: Sequence[_Class]) -> str:
    of_code = {one.code: one for one in classes if one.code}
    lines = ["\t".join(_MAP_HEADS)]
    for given in diagnoses:
        if given.icd11:
            to = of_code[given.icd11]
            dotted = f"{given.icd10[:3]}.{given.icd10[3:]}"
            cells = ["category", "2", dotted, "I", given.title, to.kind, str(to.depth)]
            cells += [_uri(to, release=False), _uri(to, release=True), to.code, to.chapter, to.title, ""]
            lines.append("\t".join(cells))
    return "\r\n".join(lines) + "\r\n"


def _gem(diagnoses: Sequence[Invented]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(_GEM_HEADS)
    writer.writerows((one.icd9, one.icd10, "00000", 0, 0, 0, 0, 0) for one in diagnoses)
    return out.getvalue()
