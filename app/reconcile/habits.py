"""What of a difference would come again elsewhere: its last word, how its edges differ, who is silent."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache

from app.reconcile.types import Difference, SideQuote, words_of

_PLURALS = re.compile(r"(?<=[^aeiou])ies$|(?<=s)es$|(?<=[xz])es$|(?<=[cs]h)es$|(?<![suio])s$")
_ENDS = frozenset(".!?\n")
# Fewer words at an edge are a modifier or a complement, more are a clause.
_PHRASE = 3
# A quote of so many words is as good as a sentence.
_LONG = 10


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """An English noun without the ending of its plural, other words nearly always as they are."""
    if len(word) < 4:
        return word
    return _PLURALS.sub(lambda ending: "y" if ending[0] == "ies" else "", word)


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a quote without signs, case and plurals."""
    return tuple(map(singular, words_of(text)))


def head_of(difference: Difference) -> Hashable | None:
    """The last word of each side's quotes with their categories and polarities, None without words.

    In English that is the noun of which something is said: chest *pain*, mild *pain*.
    """
    both = difference.left, difference.right
    sides = tuple(tuple(sorted({_head(quote) for quote in side})) for side in both)
    return sides if all(word for side in sides for _, _, word in side) else None


def _head(quote: SideQuote) -> tuple[str, str, str]:
    words = plain_words(quote.finding.quote)
    return quote.finding.category, quote.finding.polarity, words[-1] if words else ""


def habit(difference: Difference, text: str) -> tuple[str, ...] | None:
    """How the edges of a boundary differ, or what the one side's quote is like, whatever the words.

    Each part is a sign, + for what the left has more and - for what it has less, and a name. None where that
    is nothing that would come again, and for other kinds.
    """
    if difference.kind == "missing":
        return _form(difference)
    left, right = difference.left, difference.right
    if difference.kind != "boundary" or len(left) == len(right) != 1:
        return None
    if len(left) != len(right):
        return (f"{_sign(len(right) - len(left))}joined",)
    (left_start, left_end), (right_start, right_end) = _place(left), _place(right)
    outer = min(left_start, right_start), max(left_end, right_end)
    for sign, place in (("+", (left_start, left_end)), ("-", (right_start, right_end))):
        if place == outer and _is_sentence(text, *place):
            return (f"{sign}sentence",)
    before = _extra(text, left_start, right_start, first=True)
    after = _extra(text, right_end, left_end, first=False)
    return tuple(filter(None, (before, after))) or None


def _form(difference: Difference) -> tuple[str, ...] | None:
    """What a quote is like that one side alone has, with its category and polarity."""
    quotes = difference.group.quotes
    words = words_of(quotes[0].finding.quote)
    forms = (
        ("measured", any(word[0].isdigit() for word in words)),
        ("single", len(words) == 1),
        ("long", len(words) >= _LONG),
    )
    form = next((name for name, there in forms if there), "")
    if not form or len(quotes) > 1:
        return None
    finding = quotes[0].finding
    return f"{'+' if difference.left else '-'}{form}", finding.category, finding.polarity


def _extra(text: str, one: int, other: int, *, first: bool) -> str:
    """What kind of words stand between two edges; "" where there are none."""
    sign = _sign(other - one)
    between = text[min(one, other) : max(one, other)]
    if not sign or not between.strip():
        return ""
    return f"{sign}{_kind(words_of(between), first=first)}"


def _kind(words: tuple[str, ...], *, first: bool) -> str:
    # Imported here: the words are read when the first edge is looked at.
    from extractors.text.words import Kind, load_words

    known = load_words()
    if not words:
        return "signs"
    if first and all(word in known.grammar.determiners for word in words):
        return "determiner"
    if all(word.isdigit() or word in known.units for word in words):
        return "value"
    if all(known.canonical(word)[1] in (Kind.FUNCTION, Kind.LIGHT) for word in words):
        return "joining"
    if len(words) > _PHRASE:
        return "clause"
    return "before" if first else "after"


def _is_sentence(text: str, start: int, end: int) -> bool:
    """Whether [start, end) is a whole sentence, with or without its full stop."""
    before = text[:start].rstrip(" ")[-1:]
    closes = text[end - 1 : end] in _ENDS or text[end : end + 1] in _ENDS or end >= len(text)
    return closes and (not before or before in _ENDS) and len(words_of(text[start:end])) > _PHRASE


def scope(difference: Difference) -> Hashable:
    """The widest that one decision may settle: one kind in one category, with the same side the one.

    That is the side that is silent, or whose span is the longer; the two polarities; the two categories; what
    it stands for on either side.
    """
    left, right = difference.left, difference.right
    codes_of_both: tuple[Hashable, Hashable] = _sets(left), _sets(right)
    if difference.kind == "concept":
        codes_of_both = codes(left), codes(right)
    longer = _sign(_length(left) - _length(right)) if difference.kind == "boundary" else ""
    return difference.kind, *codes_of_both, longer


def codes(quotes: Iterable[SideQuote]) -> frozenset[tuple[str, str]]:
    """Terminology and code of all that quotes stand for."""
    return frozenset(code for quote in quotes for code in quote.codes)


def _sets(quotes: Iterable[SideQuote]) -> frozenset[tuple[str, str]]:
    return frozenset((quote.finding.category, quote.finding.polarity) for quote in quotes)


def _length(quotes: Iterable[SideQuote]) -> int:
    return sum(len(quote.finding.quote) for quote in quotes)


def _place(quotes: tuple[SideQuote, ...]) -> tuple[int, int]:
    return quotes[0].place or (0, 0)


def _sign(number: int) -> str:
    return "+" if number > 0 else "-" if number < 0 else ""
