"""One spelling per word: case, accents, British and American forms and plurals fold together for look-up."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# British to American, and older to newer, spellings; whole-word meaning is never changed by these.
_FOLDS = (
    ("ae", "e"),
    ("oe", "e"),
    ("sulph", "sulf"),
    ("leuco", "leuko"),
    ("tumour", "tumor"),
    ("behaviour", "behavior"),
    ("colour", "color"),
    ("odour", "odor"),
    ("labour", "labor"),
    ("fibre", "fiber"),
    ("litre", "liter"),
    ("isation", "ization"),
    ("ised", "ized"),
    ("ising", "izing"),
    ("ysed", "yzed"),
    ("grey", "gray"),
)
_KEEP_S = ("ss", "us", "is", "as", "os")
# Of the words in -as only these are plurals: "ataxias", "angiomas".
_PLURAL_AS = ("ias", "mas")
_ES = ("ches", "shes", "sses", "xes", "zes")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def fold_stem(stem: str) -> str:
    """A word's beginning in folded spelling, without accents, plural endings left alone."""
    folded = stem.lower()
    if not folded.isascii():
        parted = unicodedata.normalize("NFD", folded)
        folded = "".join(sign for sign in parted if not unicodedata.combining(sign))
    for old, new in _FOLDS:
        if old in folded:
            folded = folded.replace(old, new)
    return folded


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """The look-up form of one word: `fold("Anaemias") == fold("anemia")`."""
    folded = fold_stem(word.replace("’", "'"))
    if folded.endswith("'s"):
        folded = folded[:-2]
    plural = folded.endswith("s") and (not folded.endswith(_KEEP_S) or folded.endswith(_PLURAL_AS))
    if len(folded) > 3 and plural:
        if folded.endswith("ies") and len(folded) > 4:
            return folded[:-3] + "y"
        return folded[:-2] if folded.endswith(_ES) else folded[:-1]
    return folded


def fold_phrase(phrase: str) -> str:
    """The look-up form of a phrase: folded words joined by single spaces, punctuation gone."""
    return " ".join(fold(word) for word in _WORD.findall(phrase))
