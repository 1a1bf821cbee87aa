"""Whether a place says the same as a quote: the conditions under which a fuzzy match is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rapidfuzz import fuzz

from extractors.grounding.align import ESSENTIAL, Alignment
from extractors.grounding.polarity import check_doubt, check_negation
from extractors.grounding.terms import BRACKET, CLAUSE, SENTENCE, Terms
from extractors.grounding.words import Kind, Words, differ_by_prefix

_LEAST_SCORE = 50.0
_BESIDE = 6
_LEAST_TO_CONTRADICT = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison came to; `score` is 0-100, `reason` a sentence."""

    status: Literal["fuzzy", "conflict", "ungrounded"]
    score: float
    reason: str


def judge(found: Alignment, words: Words) -> Verdict:
    """Compare a quote with a place: values, units, limits, sides, negation, doubt, then words."""
    score = similarity(found)
    missing = [
        q for q in _essential(found.quote) if q not in found.matched and found.quote.kinds[q] != Kind.NUMBER
    ]
    content = [q for q, kind in enumerate(found.quote.kinds) if kind == Kind.CONTENT]
    lacking = [q for q in content if q not in found.matched]
    if len(lacking) > (1 - _LEAST_TO_CONTRADICT) * len(content):
        turned = _check_prefixes(found, lacking, words) if len(lacking) < len(content) else ""
        reason = turned or f"No place has enough of the quote's words; missing: {_list(found, missing)}."
        return Verdict("conflict" if turned else "ungrounded", score, reason)
    reason = (
        _check_contrasts(found, words)
        or _check_between_sides(found)
        or _check_numbers(found)
        or _check_signs(found)
        or _check_prefixes(found, missing, words)
        or check_negation(found, words)
        or check_doubt(found)
    )
    if reason:
        return Verdict("conflict", score, reason)
    reason = _check_words(found, missing, score, words)
    if reason:
        return Verdict("ungrounded", score, reason)
    return Verdict("fuzzy", score, f"Same content in other words (similarity {score:.0f}).")


def similarity(found: Alignment) -> float:
    """Similarity 0-100 of the words of weight on both sides, in order or sorted, whichever is higher."""
    ours = " ".join(found.forms[q] for q in _essential(found.quote))
    theirs = " ".join(found.text.forms[p] for p in _essential(found.text, found.first, found.last + 1))
    if not ours or not theirs:
        ours, theirs = " ".join(found.quote.words), " ".join(found.text.words[found.first : found.last + 1])
    return max(fuzz.ratio(ours, theirs), fuzz.token_sort_ratio(ours, theirs))


def _essential(terms: Terms, low: int = 0, high: int | None = None) -> list[int]:
    return [i for i in range(low, len(terms) if high is None else high) if terms.kinds[i] in ESSENTIAL]


def _list(found: Alignment, missing: list[int]) -> str:
    return ", ".join(f'"{found.quote.words[q]}"' for q in missing[:5])


def _check_numbers(found: Alignment) -> str:
    quote, text = found.quote, found.text
    there = [p for p in range(found.first, found.last + 1) if text.kinds[p] == Kind.NUMBER]
    for at in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NUMBER):
        place = found.pairs.get(at)
        if place is None and at in found.moved and len(there) == 1:
            place = found.moved[at]
        if place is None:
            says = (
                ", ".join(text.words[p] for p in there if p not in found.pairs.values()) or "another or none"
            )
            return f"The quote's number {quote.words[at]} does not stand there like that (the place: {says})."
        reason = (
            _check_owner(found, at, place)
            or _check_between(found, at, place)
            or _check_limit(found, at, place)
            or _check_unit(found, at, place)
        )
        if reason:
            return reason
    return ""


def _check_owner(found: Alignment, at: int, place: int) -> str:
    """Why a value whose name stands elsewhere in the text than in the quote may be another name's."""
    owners = [
        q for q in _essential(found.quote) if q in found.matched and found.quote.kinds[q] != Kind.NUMBER
    ]
    owner = max((q for q in owners if q < at), default=min((q for q in owners if q > at), default=-1))
    if owner not in found.matched or (owner < at and owner in found.pairs and at in found.pairs):
        return ""
    if owner > at and owner in found.pairs and not _has_number(found.text, found.pairs[owner]):
        return ""
    low, high = sorted((found.matched[owner], place))
    others = [p for p in found.free() if low < p < high and found.text.kinds[p] in ESSENTIAL]
    if others or _parted(found.text, low, high):
        return f"The number {found.quote.words[at]} belongs to something else in the text."
    return ""


def _names(terms: Terms, place: int) -> bool:
    """Whether a term names something, other than an abbreviation alone in brackets behind its name."""
    if terms.kinds[place] not in (Kind.CONTENT, Kind.CONTRAST):
        return False
    return not (terms.breaks[place] == BRACKET and place + 1 < len(terms) and terms.breaks[place + 1])


def _has_number(terms: Terms, name: int) -> bool:
    """Whether a name is followed by a number of its own."""
    return any(terms.kinds[p] == Kind.NUMBER for p in range(name + 1, min(len(terms), name + 4)))


def _parted(terms: Terms, low: int, high: int, least: int = BRACKET) -> bool:
    """Whether a bracket, a comma, a sentence end or "and" stands between two terms."""
    return max(terms.breaks[low + 1 : high + 1], default=0) >= least or "and" in terms.words[low + 1 : high]


def _check_between(found: Alignment, at: int, place: int) -> str:
    """Why a value may belong to another name in the text: something is named or measured in between."""
    quote, text = found.quote, found.text
    named = (Kind.LIGHT, Kind.CONTENT, Kind.CONTRAST, Kind.NUMBER, Kind.UNIT)
    names = [q for q in found.pairs if q < at and quote.kinds[q] in named]
    if not names or quote.kinds[max(names)] in (Kind.NUMBER, Kind.UNIT):
        return ""
    between = range(found.pairs[max(names)] + 1, place)
    numbers = [p for p in between if text.kinds[p] == Kind.NUMBER]
    words = [text.words[p] for p in between]
    if numbers and not ("from" in words and words[-1] in ("to", "-")):
        return f"Another number stands before {quote.words[at]} in the text ({text.words[numbers[0]]})."
    others = [p for p in between if _names(text, p)]
    if len(others) > 2 or (others and _parted(text, min(others), place)):
        return f"Other things are named between the words and the number {quote.words[at]}."
    return ""


def _limit(terms: Terms, number: int) -> str:
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


def _check_limit(found: Alignment, at: int, place: int) -> str:
    ours, theirs = _limit(found.quote, at), _limit(found.text, place)
    if ours == theirs:
        return ""
    number = found.quote.words[at]
    return f"The quote says {ours or 'just '}{number}, the place {theirs or 'just '}{number}."


def _unit(terms: Terms, number: int) -> str:
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


def _check_unit(found: Alignment, at: int, place: int) -> str:
    ours, theirs = _unit(found.quote, at), _unit(found.text, place)
    if not ours or not theirs or ours == theirs:
        return ""
    return f"The quote gives {found.quote.words[at]} in {ours[2:]}, the place in {theirs[2:]}."


def _group(form: str) -> str:
    return form.partition(":")[0]


def _check_contrasts(found: Alignment, words: Words) -> str:
    quote, text = found.quote, found.text
    near = [
        p for p in range(max(0, found.first - 3), min(len(text), found.last + 4)) if _same_sentence(found, p)
    ]
    for at in (q for q, kind in enumerate(quote.kinds) if kind == Kind.CONTRAST and q not in found.pairs):
        other = [
            p
            for p in near
            if _group(text.forms[p]) == _group(quote.forms[at]) and text.forms[p] != quote.forms[at]
        ]
        if at not in found.moved:
            other = [p for p in other if p not in found.matched.values()]
        if other:
            return f'The quote says "{quote.words[at]}", the place "{text.words[other[0]]}".'
        if at not in found.moved and _group(quote.forms[at])[1:] in words.strict:
            return f'The quote says "{quote.words[at]}", the place does not.'
        if at in found.moved and not _beside(found, at):
            return f'The place says "{quote.words[at]}" of something else.'
    return ""


def _check_between_sides(found: Alignment) -> str:
    """Why a side in the right place may still belong to another word: its opposite stands between."""
    order = sorted(q for q in found.pairs if found.quote.kinds[q] in ESSENTIAL)
    taken = set(found.matched.values())
    for left, right in pairwise(order):
        between = [p for p in range(found.pairs[left] + 1, found.pairs[right]) if p not in taken]
        for side in (left, right):
            form = found.quote.forms[side]
            if found.quote.kinds[side] != Kind.CONTRAST:
                continue
            others = [
                p for p in between if _group(found.text.forms[p]) == _group(form) != found.text.forms[p]
            ]
            others = [p for p in others if found.text.forms[p] != form]
            if others:
                return (
                    f'The quote says "{found.quote.words[side]}", the place "{found.text.words[others[0]]}".'
                )
    return ""


def _check_signs(found: Alignment) -> str:
    """Why signs of comparison away from numbers disagree, as in variants of genes."""
    there = [p for p in found.free() if found.text.kinds[p] == Kind.COMPARATOR]
    for at in (
        q for q, kind in enumerate(found.quote.kinds) if kind == Kind.COMPARATOR and q not in found.pairs
    ):
        if there:
            return f"The quote says {found.quote.words[at]}, the place {found.text.words[there[0]]}."
    return ""


def _beside(found: Alignment, at: int) -> bool:
    """Whether a moved word still stands beside one of its neighbours in the quote."""
    essential = [q for q in _essential(found.quote) if q in found.matched]
    rank = essential.index(at)
    place = found.matched[at]
    for neighbour in (*essential[max(0, rank - 1) : rank], *essential[rank + 1 : rank + 2]):
        low, high = sorted((found.matched[neighbour], place))
        others = [p for p in found.free() if low < p < high and found.text.kinds[p] in ESSENTIAL]
        if high - low <= _BESIDE and not others and not _parted(found.text, low, high, CLAUSE):
            return True
    return len(essential) == 1


def _same_sentence(found: Alignment, place: int) -> bool:
    low, high = min(place, found.first), max(place, found.last)
    if found.first <= place <= found.last:
        return True
    edge = range(low + 1, found.first + 1) if place < found.first else range(found.last + 1, high + 1)
    return all(found.text.breaks[p] != SENTENCE for p in edge)


def _check_prefixes(found: Alignment, missing: list[int], words: Words) -> str:
    near = range(max(0, found.first - 3), min(len(found.text), found.last + 4))
    free = [
        p
        for p in near
        if p not in found.matched.values() and found.text.kinds[p] in (Kind.CONTENT, Kind.CONTRAST)
    ]
    for at in missing:
        for place in free:
            if differ_by_prefix(found.quote.words[at], found.text.words[place], words.opposed):
                return f'The quote says "{found.quote.words[at]}", the place "{found.text.words[place]}".'
    return ""


def _check_words(found: Alignment, missing: list[int], score: float, words: Words) -> str:
    """Why the wording differs too much, "" where it does not."""
    essential = _essential(found.quote)
    joined = [q for q in essential if q in found.matched]
    if not joined:
        return _check_small_words(found)
    if len(missing) > len(essential) // 5:
        return f"The place lacks words of the quote: {_list(found, missing)}."
    if any(_replaced(found, q) for q in missing):
        return f"The place has other words instead of {_list(found, missing)}."
    extra = [p for p in found.free() if found.text.kinds[p] in ESSENTIAL]
    if len(extra) > max(1, 2 if len(joined) == 3 else 0.75 * len(joined)):
        return "The quote's words stand too far apart: the place says much more."
    parted = any(found.text.breaks[p] == SENTENCE for p in range(found.first + 1, found.last + 1))
    if parted and SENTENCE not in found.quote.breaks and (len(joined) < 4 or 3 * len(extra) > len(joined)):
        return "The quote's words stand in different sentences."
    moved = [q for q in found.moved if found.quote.kinds[q] in ESSENTIAL]
    whole = not missing and 5 * len(extra) <= len(joined)
    if len(moved) > max(1, (len(essential) + 1) // 2 if whole else len(essential) // 3):
        return "The quote's words stand in another order."
    if score < _LEAST_SCORE:
        return "The place is too unlike the quote."
    return _check_qualified(found, words) or _check_hinge(found, joined)


def _check_qualified(found: Alignment, words: Words) -> str:
    """Why a qualifier may speak of another word in the text: "MRI normal", "MRI with normal sinuses"."""
    text, taken = found.text, set(found.matched.values())
    for at, place in found.matched.items():
        after = place + 1
        if _group(found.quote.forms[at])[1:] not in words.qualifying or after >= len(text) or after in taken:
            continue
        follows = any(found.matched.get(at + 1 + i, 0) in range(after + 1, after + 4) for i in range(3))
        stated = place > 0 and text.words[place - 1] in words.be
        if text.kinds[after] == Kind.CONTENT and not (text.breaks[after] or follows or stated):
            return f'The place says "{text.words[place]}" of something else ("{text.words[after]}").'
    return ""


def _check_hinge(found: Alignment, joined: list[int]) -> str:
    """Why a short quote is wrong to join words: "liver normal" from "liver big, spleen normal"."""
    if len(joined) > 4:
        return ""
    places = sorted(found.matched[q] for q in joined)
    for before, after in pairwise(places):
        between = [p for p in range(before + 1, after) if _names(found.text, p)]
        parts = [
            p
            for p in range(before + 1, after + 1)
            if found.text.breaks[p] >= CLAUSE or found.text.words[p] == "and"
        ]
        if between and parts and max(parts) > min(between):
            return "The quote joins words that the text keeps apart."
    return ""


def _replaced(found: Alignment, at: int) -> bool:
    """Whether the place has words of its own where the quote has the missing one."""
    text = found.text
    before = [p for q, p in found.pairs.items() if q < at and found.quote.kinds[q] > Kind.FUNCTION]
    after = [p for q, p in found.pairs.items() if q > at and found.quote.kinds[q] > Kind.FUNCTION]
    low = max(before) + 1 if before else found.first - 2
    high = min(after) if after else found.last + 3
    taken = set(found.matched.values())
    inside = [
        p for p in range(max(0, low), min(len(text), high)) if p not in taken and _same_sentence(found, p)
    ]
    return any(text.kinds[p] in ESSENTIAL for p in inside)


def _check_small_words(found: Alignment) -> str:
    """For quotes of small words only: all of them must stand there together."""
    light = [q for q, kind in enumerate(found.quote.kinds) if kind != Kind.FUNCTION]
    if light and all(q in found.matched for q in light) and found.last - found.first < 2 * len(found.quote):
        return ""
    return "The quote has no word that could tell its place."
