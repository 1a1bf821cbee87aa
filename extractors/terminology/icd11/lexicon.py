"""Everyday words, abbreviations and older names of ours, put beside the classes whose titles say them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from extractors.assets import asset
from extractors.terminology.concept import Concept, Name
from extractors.terminology.index import folded_phrase


@lru_cache(maxsize=1)
def lexicon() -> dict[str, tuple[str, ...]]:
    """What is said, by what it means as a title has it, folded; no codes."""
    found: dict[str, tuple[str, ...]] = {}
    for line in asset("resources", "terminology", "icd11.tsv").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            meant, _, details = line.partition("\t")
            found[folded_phrase(meant)] = tuple(one.strip() for one in details.split(";") if one.strip())
    return found


def with_lexicon(concepts: Sequence[Concept]) -> list[Concept]:
    """The classes with what the lexicon says for one of their names; a title's class goes before others."""
    given = lexicon()
    titled: dict[str, int] = {}
    others: dict[str, int] = {}
    for row, concept in enumerate(concepts):
        if concept.kind == "category":
            for name in concept.names:
                if name.language == "en" and (key := folded_phrase(name.text)) in given:
                    (titled if name.kind == "title" else others).setdefault(key, row)
    found = list(concepts)
    for meant, words in given.items():
        row = titled.get(meant, others.get(meant, -1))
        if row >= 0:
            names = tuple(Name(word, "lexicon") for word in words)
            found[row] = replace(found[row], names=(*found[row].names, *names))
    return found
