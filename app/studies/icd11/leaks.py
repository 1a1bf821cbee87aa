"""What a patient's own words must not say: the name of a diagnosis, a measured value, a dose, a mask."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from extractors.text.folding import fold_phrase

MASK = "___"
# Words that name nothing, those of residual classes among them.
_EMPTY = frozenset(
    fold_phrase(
        "a an and as at by due elsewhere for from in into is its not of on or other otherwise site "
        "specified than the to type unspecified with without classified"
    ).split()
)
_NUMBER = r"(?<![\w.])\d+(?:[.,]\d+)?(?:\s*/\s*\d+)?\s*"
_VALUE = re.compile(
    _NUMBER + r"(?:mm\s?hg|%|°\s?[cf]?\b|degrees?\b|bpm\b|kg\b|cm\b|mm\b|"
    r"(?:[mµμun]?g|mcg|[mµμnp]?mol|m?eq|[mk]?i?u|cells|k)\s?/\s?(?:[dmµμu]?l|kg|hr?|min|24\s?h|mm3)\b)",
    re.IGNORECASE,
)
_DOSE = re.compile(
    _NUMBER + r"(?:mg|mcg|µg|μg|micrograms?|milligrams?|g|grams?|ml|meq|units?|iu|tablets?|pills?|capsules?|"
    r"puffs?|drops?)\b(?!\s?/)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def content_words(label: str) -> frozenset[str]:
    """The words of a label that say what it names, in one spelling."""
    return frozenset(fold_phrase(label).split()) - _EMPTY


def leak_of(report: str, labels: Iterable[str]) -> str:
    """The first of LEAKS that a self-report with these labels has, "" for none."""
    words = frozenset(fold_phrase(report).split())
    if any((named := content_words(label)) and named <= words for label in labels):
        return "name"
    if _VALUE.search(report):
        return "value"
    if _DOSE.search(report):
        return "dose"
    return "mask" if MASK in report else ""


def described(leak: str) -> str:
    """What was given away, for whoever is asked again."""
    words = {"name": "the name of a diagnosis", "value": "a measured value", "dose": "the dose of a drug"}
    return words.get(leak, f"a masked word ({MASK})")
