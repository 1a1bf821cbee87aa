"""WHO's simple tabulation of ICD-11 (MMS): each class with its code, title, URI, chapter, parent and kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from extractors.model.errors import TerminologyError
from extractors.terminology.icd11.rows import LeftOut, TableFile

NAME = "ICD11"
CITATION = (
    "International Classification of Diseases, Eleventh Revision (ICD-11), World Health Organization (WHO) "
    "2019/2021, icd.who.int/browse11, release {release}. Licensed under Creative Commons "
    "Attribution-NoDerivatives 3.0 IGO (CC BY-ND 3.0 IGO)."
)
FETCH = (
    "fetch SimpleTabulation-ICD-11-MMS-en.zip (and other languages, and mapping.zip, as you like) from "
    "https://icd.who.int/browse11 (Info, download), then import them: Project > Terminologies in the window, "
    "or casespan terminology import ICD11 FILE..."
)
_EXTENSIONS = "X"
# Functioning and traditional medicine.
ASIDE = ("V", "26")
_RELEASE = re.compile(r"/release/11/(\d{4}-\d{2})/")
_LANGUAGE = re.compile(r"MMS-([A-Za-z]{2,3})(?![A-Za-z])")
_NEEDED = ("code", "title", "classkind", "isresidual", "chapterno", "isleaf")
_KINDS = ("chapter", "block", "category")
_TRUE, _FALSE = ("True", "TRUE", "true"), ("False", "FALSE", "false")


class Row(NamedTuple):
    """A class as a table has it; a block goes by its identifier, a chapter by its number."""

    code: str
    title: str
    english: str
    uri: str
    chapter: str
    parent: str
    kind: str
    residual: bool


@dataclass(frozen=True, slots=True)
class Tabulation:
    """A table in one language, of a release."""

    release: str
    language: str
    rows: tuple[Row, ...]


def is_tabulation(table: TableFile) -> bool:
    """Whether a file has the columns of one."""
    return set(_NEEDED) <= set(table.heads) and _uri_column(table) is not None


def _uri_column(table: TableFile) -> int | None:
    return next((at for at, head in enumerate(table.heads) if head.startswith("linearization")), None)


def read_tabulation(table: TableFile, left_out: LeftOut) -> Tabulation:
    """All classes of a table; what stands above one is known by the dashes before titles.

    Raises TerminologyError where neither says the release, or the file's name not the language.
    """
    at = {head: place for place, head in enumerate(table.heads)}
    title_at = at["title"]
    columns = [_uri_column(table) or 0, title_at, at.get("titleen", title_at)]
    columns += [at[head] for head in ("code", "classkind", "isresidual", "chapterno")]
    columns.append(at.get("blockid", at["code"]))
    found: list[Row] = []
    above: list[tuple[int, str]] = []
    codes: set[str] = set()
    for number, cells in table.rows(columns, left_out):
        uri, title, english, code, kind, residual, chapter, block = cells
        name = title.lstrip("- ")
        # What is not translated has its title in English alone.
        dashed, shown = (title, name) if name else (english, english.lstrip("- "))
        depth = dashed.count("-", 0, len(dashed) - len(shown))
        if kind == "chapter":
            code = chapter
        elif kind == "block":
            code = block or uri.rpartition("/")[2]
        fault = _fault(kind, code, shown, uri, chapter, residual)
        if not fault and code in codes:
            fault = "a code that stands there twice"
        if fault:
            left_out.add(fault, f"line {number} of {table.name}")
            continue
        while above and above[-1][0] >= depth:
            above.pop()
        parent = above[-1][1] if above else ""
        kind = "extension" if kind == "category" and chapter == _EXTENSIONS else kind
        told = residual in _TRUE
        found.append(Row(code, name, english.lstrip("- "), uri, chapter, parent, kind, told))
        codes.add(code)
        above.append((depth, code))
    if not found:
        raise TerminologyError(f"{table.name} has no classes that can be read.")
    named = next((match[1] for one in found[:50] if (match := _RELEASE.search(one.uri))), "")
    release, language = named or table.release(), _language(table)
    if not release:
        raise TerminologyError(f"{table.name} does not say its release in its head; fetch it again from WHO.")
    return Tabulation(release, language, tuple(found))


def _fault(kind: str, code: str, title: str, uri: str, chapter: str, residual: str) -> str:
    if kind not in _KINDS:
        return "a class of no known kind"
    if not code or " " in code:
        return "a class without a code"
    if not title:
        return "a class without a title"
    if not uri.startswith("http"):
        return "a class without a URI"
    if not chapter:
        return "a class without a chapter"
    return "" if residual in _TRUE or residual in _FALSE else "a class that is neither residual nor not"


def _language(table: TableFile) -> str:
    found = _LANGUAGE.search(table.name)
    if found:
        return found[1].lower()
    if "titleen" in table.heads:
        raise TerminologyError(
            f"The name of {table.name} does not say its language; call it as WHO does "
            "(SimpleTabulation-ICD-11-MMS-es.txt)."
        )
    return "en"
