"""Numbers cut from their other half, their sign or their unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from extractors.checks.excerpt import Excerpt, SpanWarning, listed, shown
from extractors.text.values import value_extent
from extractors.text.words import Kind, load_words

_COMPARING = frozenset("<>≤≥⩽⩾")


def check_values(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """Warnings on the values that an edge cuts, on one without its name, and on a range left outside."""
    touched = [value for value in values(excerpt) if value[0] < excerpt.end and value[2] > excerpt.start]
    cut = [value for value in touched if value[0] < excerpt.start or value[2] > excerpt.end]
    if cut:
        start, end = min(excerpt.start, cut[0][0]), max(excerpt.end, cut[-1][2])
        low, numbers_end, high = cut[-1]
        if len(cut) == 1 and low >= excerpt.start and excerpt.end >= numbers_end:
            unit = shown(excerpt.text[numbers_end:high])
            yield SpanWarning("cut unit", f"The unit {unit} is cut off.", start, end)
        else:
            whole = shown(excerpt.text[cut[0][0] : cut[0][2]])
            yield SpanWarning("cut value", f"The value {whole} is cut.", start, end)
    elif touched and _alone(excerpt):
        sentence = "A value alone: what was measured is left outside."
        yield SpanWarning("value alone", sentence, excerpt.start, excerpt.end)
    if touched and touched[-1][2] == excerpt.end:
        found = _range().match(excerpt.text, excerpt.end, excerpt.sentence_end)
        if found:
            sentence = f"The range {shown(found.group())} is left outside."
            yield SpanWarning("range outside", sentence, excerpt.start, found.end())


def values(excerpt: Excerpt) -> list[tuple[int, int, int]]:
    """The values of the sentences: where each begins, where its last number ends, where it ends itself.

    Ranges, ratios, powers of ten, signs and units belong to a value: "120/80 mmHg", "< 4.1 × 10^9/L".
    """
    terms, words = excerpt.terms, load_words()
    found: list[tuple[int, int, int]] = []
    at = 0
    while at < len(terms):
        if terms.kinds[at] != Kind.NUMBER:
            at += 1
            continue
        last, number = value_extent(terms, at, words)
        start = _with_sign(excerpt, at)
        found.append((start, excerpt.place(number, number)[1], excerpt.place(last, last)[1]))
        at = last + 1
    return found


def _with_sign(excerpt: Excerpt, number: int) -> int:
    """Where a number begins with the minus or the sign of comparison before it."""
    start, _ = excerpt.place(number, number)
    if excerpt.terms.forms[number].startswith("#-"):
        start -= 1
    before = number - 1
    if before >= 0 and excerpt.terms.kinds[before] == Kind.COMPARATOR and not excerpt.terms.breaks[number]:
        sign, _ = excerpt.place(before, before)
        if excerpt.text[sign] in _COMPARING:
            return sign
    return start


def _alone(excerpt: Excerpt) -> bool:
    """Whether there is a number with a unit and no word beside them."""
    kinds = set(excerpt.terms.kinds[excerpt.first : excerpt.last + 1])
    return {Kind.NUMBER, Kind.UNIT} <= kinds <= {Kind.NUMBER, Kind.UNIT, Kind.COMPARATOR, Kind.FUNCTION}


@lru_cache(maxsize=1)
def _range() -> re.Pattern[str]:
    """A bracket that gives a range: (normal < 50), (62-106 µmol/L), (<1.8 ng/mL)."""
    names = "|".join(sorted(listed()["ranges"], key=len, reverse=True))
    return re.compile(
        rf"\s*[(\[]\s*(?:(?:{names})\b[^()\[\]]*\d|[<>≤≥]\s*\d|\d[\d.,·]*\s*[-–−]\s*\d)[^()\[\]]*[)\]]",
        re.IGNORECASE,
    )
