"""Values in a text: ranges, limits, units, and where a value ends."""

from __future__ import annotations

from extractors.text.terms import SENTENCE, Terms
from extractors.text.words import Kind, Words

_BEFORE_RANGE = 4
_JOINTS = frozenset({"/", "±", "+/-", "x", "×", "*"})
_NEXT = 4


def other_end(terms: Terms, number: int, words: Words) -> str:
    """The other end of the range (35-40, 2 to 3, between 4 and 6) that a number is an end of, "" for none."""
    ahead = next_number(terms, number)
    if ahead is not None and _spans(terms, number, ahead, words):
        return terms.forms[ahead]
    behind = number_before(terms, number)
    if behind is not None and _spans(terms, behind, number, words):
        return terms.forms[behind]
    return ""


def next_number(terms: Terms, number: int) -> int | None:
    return next(
        (p for p in range(number + 1, min(len(terms), number + 5)) if terms.kinds[p] == Kind.NUMBER), None
    )


def number_before(terms: Terms, number: int) -> int | None:
    return next(
        (p for p in range(number - 1, max(-1, number - 5), -1) if terms.kinds[p] == Kind.NUMBER), None
    )


def _spans(terms: Terms, low: int, high: int, words: Words) -> bool:
    """Whether two numbers, with nothing but a unit between them, are the ends of one range."""
    if terms.forms[low].startswith("#e") or terms.forms[high].startswith("#e"):
        return False
    link = [terms.words[p] for p in range(low + 1, high) if terms.kinds[p] != Kind.UNIT]
    before = terms.words[max(0, low - _BEFORE_RANGE) : low]
    if link == ["to"]:
        return before[-1:] != ["from"] or not words.grammar.ranging.isdisjoint(before)
    if link == ["and"]:
        return before[-1:] == ["between"]
    between = terms.tokens.norms[terms.lasts[high - 1] + 1 : terms.firsts[high]]
    return not link and between == ["-"] and not terms.forms[high].startswith("#-")


def has_number(terms: Terms, name: int) -> bool:
    """Whether a name is followed by a number of its own."""
    return any(terms.kinds[p] == Kind.NUMBER for p in range(name + 1, min(len(terms), name + 4)))


def limit(terms: Terms, number: int) -> str:
    """The comparator that governs a number, "" for none."""
    before = number - 1
    while (
        before >= 0
        and number - before <= 3
        and terms.kinds[before] == Kind.FUNCTION
        and not terms.breaks[before + 1]
    ):
        before -= 1
    if before >= 0 and terms.kinds[before] == Kind.COMPARATOR and terms.breaks[number] != SENTENCE:
        return terms.forms[before]
    return ""


def unit(terms: Terms, number: int) -> str:
    """The unit of a number: what stands behind it, or behind the other end of its range (3 to 5 mg)."""
    after = number + 1
    while after < len(terms) and after <= number + 4 and terms.breaks[after] != SENTENCE:
        if terms.kinds[after] == Kind.UNIT:
            return terms.forms[after]
        power = terms.kinds[after] == Kind.NUMBER
        if not power and terms.words[after] not in ("to", "and", "-", "by", "or"):
            break
        after += 1
    return ""


def value_extent(terms: Terms, first: int, words: Words) -> tuple[int, int]:
    """The last term of the value that begins with the number `first`, and its last number."""
    number = last = first
    while last + 1 < len(terms):
        if terms.kinds[last + 1] == Kind.UNIT and terms.kinds[last] == Kind.NUMBER:
            last += 1
            continue
        following = next(
            (p for p in range(last + 1, min(len(terms), last + _NEXT)) if terms.kinds[p] == Kind.NUMBER), None
        )
        if following is None or not _one_value(terms, number, following, words):
            break
        number = last = following
    return last, number


def _one_value(terms: Terms, number: int, following: int, words: Words) -> bool:
    """Whether two numbers are parts of one value: 120/80, 4.1 × 10^9, 3-5, between 3 and 5."""
    between = "".join(terms.tokens.norms[terms.lasts[number] + 1 : terms.firsts[following]])
    power = terms.forms[following].startswith("#e")
    if following == number + 1 and (between in _JOINTS or (power and not terms.breaks[following])):
        return True
    return other_end(terms, number, words) == terms.forms[following]
