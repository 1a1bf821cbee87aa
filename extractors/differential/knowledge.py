"""What the ranker that comes along knows, opened once."""

from __future__ import annotations

from functools import lru_cache

from extractors.assets import asset
from extractors.differential.index import Diseases
from extractors.differential.naming import Naming
from extractors.differential.ranking import Ranker
from extractors.terminology.library import shipped_hpo


@lru_cache(maxsize=1)
def shipped_ranker() -> Ranker:
    """Ranks the diseases of the release that comes along. Raises TerminologyError where it is damaged."""
    return Ranker(Diseases(asset("resources", "terminology", "diseases.zip"), shipped_hpo()))


@lru_cache(maxsize=1)
def shipped_naming() -> Naming:
    """Finds the diseases of the knowledge that comes along by name."""
    return Naming(shipped_ranker().diseases)


def codes_of_names(diseases: Diseases) -> dict[str, str]:
    """The leading code of each disease by its names in small letters, the first of two of one name; what it
    is called by another source goes behind the names of all."""
    codes: dict[str, str] = {}
    for name, (code, *_) in zip(diseases.names, diseases.codes, strict=True):
        codes.setdefault(name.casefold(), code)
    for names, (code, *_) in zip(diseases.other_names, diseases.codes, strict=True):
        for name in names:
            codes.setdefault(name.casefold(), code)
    return codes
