"""Quiet checks of a span while somebody annotates: what it cuts or leaves outside, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from extractors.checks.denial import check_cues
from extractors.checks.excerpt import Excerpt, SpanWarning, WarningKind, listed, read_excerpt, shown
from extractors.model.finding import Polarity
from extractors.text.boundaries import cuts_word, trimmed
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
    elif _alone(excerpt):
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


_IDLE = ",;:!…–—"
_SIGNED = ".-‐‑‒–—−"
_PAIRS = {"(": ")", "[": "]"}
_CLOSING = frozenset(_PAIRS.values())
_FIRST_WORD = re.compile(r"([^\W\d_]+)\s+")
_LAST_WORD = re.compile(r"\s+([^\W\d_]+)$")
_LETTERS = re.compile(r"[^\W\d_]+")
_LETTERS_BEFORE = re.compile(r"[^\W\d_]+$")
_LONGEST_WORD = 12
_HYPHENS = "-‐‑"
# Behind a word of this length a digit is a citation's number ("ataxia3"), behind a shorter one not ("CO2").
_CITED = 4

Place = tuple[int, int]


def check_edges(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """Warnings on what stands at the edges of a span."""
    start, end = _without_punctuation(excerpt.text, excerpt.start, excerpt.end)
    if (start, end) != (excerpt.start, excerpt.end):
        yield SpanWarning("edge punctuation", "There is punctuation at the edge.", start, end)
    yield from _check_brackets(excerpt, start, end)
    found = _reference().search(excerpt.text, start, end)
    if found and found.start() > start:
        sentence = f"The reference {shown(found.group())} is no part of the finding."
        place = _without_punctuation(excerpt.text, start, found.start())
        yield SpanWarning("edge reference", sentence, *place)
    words = _without_words(excerpt.text, start, end)
    if words != (start, end):
        dropped = excerpt.text[start : words[0]] + " " + excerpt.text[words[1] : end]
        yield SpanWarning("edge word", f"{shown(dropped)} at the edge says nothing.", *words)


def whole_words(text: str, start: int, end: int) -> Place:
    """The span with the words, accents included, that its edges cut in two, and what a hyphen ties to it."""
    while start > 0 and _cuts(text, start):
        start -= 1
    while end < len(text) and _cuts(text, end):
        end += 1
    return start, end


def _cuts(text: str, place: int) -> bool:
    if cuts_word(text, place):
        return not _cites(text, place)
    hyphen = place if text[place] in _HYPHENS else place - 1
    if text[hyphen] not in _HYPHENS:
        return False
    before = _LETTERS_BEFORE.search(text[max(0, hyphen - _LONGEST_WORD) : hyphen])
    behind = _LETTERS.match(text, hyphen + 1)
    if not before or not behind:
        return False
    lists = listed()
    return before[0].lower() in lists["tied_before"] or behind[0].lower() in lists["tied_behind"]


def _cites(text: str, place: int) -> bool:
    """Whether a number behind a long word is a citation's that lost its superscript."""
    word = text[max(0, place - _CITED) : place]
    return text[place].isdigit() and len(word) == _CITED and word.isalpha() and word.islower()


def _without_punctuation(text: str, start: int, end: int) -> Place:
    """The span without punctuation at its edges, or as it is where nothing else would be left."""
    low, high = start, end
    while low < high and _idle_first(text, low, high):
        low += 1
    while low < high and _idle_last(text, low, high):
        high -= 1
    return (low, high) if low < high else (start, end)


def _idle_first(text: str, start: int, end: int) -> bool:
    """Whether the first sign of a span says nothing; a minus, a decimal point and a doubting "?" do."""
    char = text[start]
    if char in _SIGNED:
        return not text[start + 1 : end][:1].isdigit()
    return char.isspace() or char in _IDLE or char in _CLOSING or start in _unpaired(text, start, end)


def _idle_last(text: str, start: int, end: int) -> bool:
    char = text[end - 1]
    if char == ".":
        return not _abbreviation().search(text[start:end])
    return char.isspace() or char in _IDLE or char in _PAIRS or end - 1 in _closing(text, start, end)


def _unpaired(text: str, start: int, end: int) -> list[int]:
    """The places of opening brackets that are not closed within the span."""
    return _scan(text, start, end)[0]


def _closing(text: str, start: int, end: int) -> list[int]:
    """The places of closing brackets that were not opened within the span."""
    return _scan(text, start, end)[1]


def _scan(text: str, start: int, end: int) -> tuple[list[int], list[int]]:
    opened: list[int] = []
    unopened: list[int] = []
    for place in range(start, end):
        if text[place] in _PAIRS:
            opened.append(place)
        elif text[place] in _CLOSING:
            if opened and _PAIRS[text[opened[-1]]] == text[place]:
                opened.pop()
            else:
                unopened.append(place)
    return opened, unopened


def _check_brackets(excerpt: Excerpt, start: int, end: int) -> Iterator[SpanWarning]:
    """A bracket that is closed or opened outside: the span is widened to it, or cut where it only refers."""
    text = excerpt.text
    opened, unopened = _scan(text, start, end)
    if opened and not unopened:
        closed = _scan(text, opened[-1] + 1, excerpt.sentence_end)[1]
        if len(opened) > 1 or not closed or opened[0] == start:
            return
        if _refers().match(text, opened[0]):
            place = _without_punctuation(text, start, opened[0])
            yield SpanWarning(
                "edge reference", "The reference at the edge is no part of the finding.", *place
            )
        else:
            yield SpanWarning("open bracket", "The bracket is closed outside.", start, closed[0] + 1)
    elif len(unopened) == 1 and not opened:
        before = _scan(text, excerpt.base, unopened[0])[0]
        if before:
            yield SpanWarning("open bracket", "The bracket is opened outside.", before[-1], end)


def _without_words(text: str, start: int, end: int) -> Place:
    """The span without words at its edges that say nothing, or as it is where no other would be left."""
    leading, trailing = listed()["leading"], listed()["trailing"]
    low, high = start, end
    while low < high:
        before = low, high
        if (found := _FIRST_WORD.match(text, low, high)) and found[1].lower() in leading:
            low = found.end()
        # Small letters only: "vitamin A" ends in no article.
        last = _LAST_WORD.search(text, max(low, high - _LONGEST_WORD), high)
        if last and last[1] in trailing:
            high = last.start()
        if (low, high) == before:
            return low, high
        low, high = _without_punctuation(text, low, high)
    return start, end


@lru_cache(maxsize=1)
def _abbreviation() -> re.Pattern[str]:
    """A full stop at the end that belongs to its word: "approx.", "b.i.d.", "S."."""
    known = "|".join(re.escape(word) for word in listed()["abbreviations"])
    return re.compile(rf"(?:^|(?<!\d)[\s(])(?:{known}|(?:[A-Za-z]\.)*[A-Za-z])\.$", re.IGNORECASE)


@lru_cache(maxsize=1)
def _refers() -> re.Pattern[str]:
    """The beginning of a bracket that refers to a figure or table, or cites: (see Fig., [12."""
    names = "|".join(listed()["references"])
    return re.compile(rf"[(\[]\s*(?:{names})\b|\[\s*\d", re.IGNORECASE)


@lru_cache(maxsize=1)
def _reference() -> re.Pattern[str]:
    """A whole such bracket at the end."""
    return re.compile(rf"\s*(?:{_refers().pattern})[^()\[\]]*[)\]]$", re.IGNORECASE)


__all__ = ["SpanWarning", "WarningKind", "check_span"]


def check_span(text: str, start: int, end: int, polarity: Polarity) -> tuple[SpanWarning, ...]:
    """What may be wrong with a span (code points of `text`), the gravest first; () where nothing is.

    Each warning suggests a place within the text that holds more than white space and, where it is mended by
    it, a polarity; taking a suggestion leaves no warning of its kind that suggests yet another place. Of what
    is no span of the text, or white space only, nothing is said.
    """
    if not 0 <= start < end <= len(text):
        return ()
    low, high = trimmed(text, start, end)
    if low == high:
        return ()
    excerpt = read_excerpt(text, low, high)
    warnings = [
        *_check_words(excerpt),
        *check_values(excerpt),
        *check_cues(excerpt, polarity),
        *check_edges(excerpt),
    ]
    if (low, high) != (start, end) and not any(one.kind == "edge punctuation" for one in warnings):
        warnings.append(SpanWarning("edge punctuation", "There is white space at the edge.", low, high))
    return tuple(warnings)


def _check_words(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """A warning on words cut in two, other than numbers and their units."""
    parts = values(excerpt)
    start, end = whole_words(excerpt.text, excerpt.start, excerpt.end)
    if any(low < excerpt.start < high for low, _, high in parts):
        start = excerpt.start
    if any(low < excerpt.end < high for low, _, high in parts):
        end = excerpt.end
    if (start, end) != (excerpt.start, excerpt.end):
        whole = shown(excerpt.text[start:end])
        yield SpanWarning("cut word", f"A word is cut: {whole}.", start, end)
