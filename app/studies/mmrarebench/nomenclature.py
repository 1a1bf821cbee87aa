"""What Orphanet says of names and codes, where its nomenclature was imported; else what the items say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from extractors.model.errors import CasespanError
from extractors.terminology.exact import exact_names
from extractors.terminology.index import Terminology, folded_phrase
from extractors.terminology.library import open_terminology

if TYPE_CHECKING:
    from app.studies.results import Item

_CODE = re.compile(r"\bORPHA(?:code|net)?[\s:#]*(\d+)\b", re.IGNORECASE)
# "Diagnosis: Fabry disease", "Fabry disease (ORPHA:324)", "**Fabry disease**".
_BEFORE = re.compile(r"^.*?\bdiagnos[ie]s(?:\s+is)?\s*[:,]?\s+", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[{][^)\]}]*[)\]}]")


def orphanet() -> Terminology | None:
    """The nomenclature, None where it is not on this computer."""
    try:
        return open_terminology("orphanet")
    except CasespanError:
        return None


class Names:
    """Codes of diseases by the names that items and nomenclature give them."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._told: dict[str, set[str]] = {}
        for item in items:
            reference = item.reference
            for name in (reference.get("answer"), *reference.get("aliases", ())):
                if reference.get("code") and name:
                    self._told.setdefault(folded_phrase(str(name)), set()).add(str(reference["code"]))
        known = orphanet()
        self._known = exact_names(known) if known is not None else None

    def codes_in(self, line: str) -> set[str]:
        """The codes that a line names, by themselves or by one of their names as the whole of it."""
        codes = {f"ORPHA:{digits}" for digits in _CODE.findall(line)}
        bare = _BRACKET.sub(" ", line)
        for name in {line, bare, _BEFORE.sub("", line), _BEFORE.sub("", bare)}:
            codes |= self._told.get(folded_phrase(name), set())
            found = self._known.of_name(name) if self._known is not None else None
            codes |= {found.code} if found else set()
        return codes


def kin_of(code: str) -> frozenset[str] | None:
    """The codes right above and below; None where the nomenclature is not here, or does not know the code."""
    known = orphanet()
    if known is None or (row := known.row(code)) is None:
        return None
    return frozenset(known.codes[one] for one in (*known.parents(row), *known.children[row]))


def group_of(code: str) -> str:
    """The group of disease at the top above a code, by its name; "" where the nomenclature does not say."""
    known = orphanet()
    if known is None or (row := known.row(code)) is None:
        return ""
    seen = {row}
    while above := [
        one for one in sorted(known.parents(row), key=lambda one: known.codes[one]) if one not in seen
    ]:
        row = above[0]
        seen.add(row)
    return known.label(row) if len(seen) > 1 else ""
