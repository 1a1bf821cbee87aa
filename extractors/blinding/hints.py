"""Words that point to a diagnosis without naming it: its own rare words, its genes, what stands above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from extractors.blinding.forms import Alias
from extractors.blinding.words import WORD, plain, stem

# A distinctive word has so many letters, and stands in the names of so many codes at most.
LETTERS, CODES = 6, 25
_NO_HINT = frozenset(map(stem, "disease syndrome disorder deficiency familial congenital hereditary".split()))


@dataclass(frozen=True, slots=True)
class Hint:
    """A word of the name, a causal gene, or a disorder right above."""

    text: str
    kind: Literal["word", "gene", "parent"]


def hints_of(
    aliases: Sequence[Alias], counts: Mapping[str, int], genes: Sequence[str], parents: Sequence[str]
) -> tuple[Hint, ...]:
    """The hints to a diagnosis by these names; `counts` says in the names of how many codes a stem stands."""
    words: dict[str, str] = {}
    for alias in aliases:
        for found in WORD.findall(alias.text):
            word = plain(found)
            given = stem(word)
            if len(word) >= LETTERS and given not in _NO_HINT and counts.get(given, 0) <= CODES:
                words.setdefault(given, word)
    return (
        *(Hint(word, "word") for word in words.values()),
        *(Hint(gene, "gene") for gene in dict.fromkeys(genes)),
        *(Hint(parent, "parent") for parent in dict.fromkeys(parents)),
    )
