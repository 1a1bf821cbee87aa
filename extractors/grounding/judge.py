"""Whether a place says the same as a quote: the conditions under which a fuzzy match is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from rapidfuzz import fuzz

from extractors.grounding.align import Alignment, same_sentence
from extractors.grounding.claims import check_claims, check_doubt, check_negation
from extractors.grounding.values import check_numbers, check_person, check_signs
from extractors.text.terms import CLAUSE, SENTENCE, essential, group, names, parted
from extractors.text.words import ESSENTIAL, Kind, Words, differ_by_prefix, stem

_BESIDE = 6
_SIDED = 3
_SAID_OF_ALL = frozenset({"were", "are"})
_ONE_SIDE = frozenset({"@laterality:left", "@laterality:right", "@laterality:unilateral"})


def check_contrasts(found: Alignment, words: Words) -> str:
    """A sentence saying which contrast disagrees, or "" where none does."""
    quote, text = found.quote, found.text
    unlike = [q for q, kind in enumerate(quote.kinds) if kind == Kind.CONTRAST and q not in found.pairs]
    if not unlike:
        return ""
    near = [
        p for p in range(max(0, found.first - 3), min(len(text), found.last + 4)) if same_sentence(found, p)
    ]
    for at in unlike:
        other = [
            p
            for p in near
            if group(text.forms[p]) == group(quote.forms[at]) and text.forms[p] != quote.forms[at]
        ]
        if at not in found.moved:
            other = [p for p in other if p not in found.matched.values()]
        if other:
            return f'The quote says "{quote.words[at]}", the place "{text.words[other[0]]}".'
        if at not in found.moved and group(quote.forms[at])[1:] in words.strict:
            return f'The quote says "{quote.words[at]}", the place does not.'
        if at in found.moved and not _beside(found, at, words):
            return f'The place says "{quote.words[at]}" of something else.'
    return ""


def check_between_sides(found: Alignment) -> str:
    """Why a side in the right place may still belong to another word: its opposite stands between."""
    order = sorted(q for q in found.pairs if found.quote.kinds[q] in ESSENTIAL)
    taken = set(found.matched.values())
    for left, right in pairwise(order):
        between = [p for p in range(found.pairs[left] + 1, found.pairs[right]) if p not in taken]
        for side in (left, right):
            form = found.quote.forms[side]
            if found.quote.kinds[side] != Kind.CONTRAST:
                continue
            others = [p for p in between if group(found.text.forms[p]) == group(form) != found.text.forms[p]]
            others = [p for p in others if found.text.forms[p] != form]
            if others:
                return (
                    f'The quote says "{found.quote.words[side]}", the place "{found.text.words[others[0]]}".'
                )
    return ""


def check_both(found: Alignment) -> str:
    """Why several of a paired thing are not the one that the place names: "legs" of "the right leg"."""
    quote, text = found.quote, found.text
    taken = found.matched.values()
    for at, place in found.matched.items():
        ours, theirs = quote.words[at], text.words[place]
        if len(ours) <= len(theirs) or ours[-1] != "s" or stem(ours) != stem(theirs):
            continue
        sides = {
            text.forms[p]
            for p in range(max(0, place - _SIDED), place)
            if p not in taken and text.forms[p] in _ONE_SIDE and not any(text.breaks[p + 1 : place + 1])
        }
        both = "both" in quote.words[max(0, at - _SIDED) : at]
        if both or len(sides) == 1:
            return f'The quote says "{ours}", the place "{theirs}".'
    return ""


def check_prefixes(found: Alignment, missing: list[int], words: Words) -> str:
    """A sentence naming a word whose prefix the place turns around, or ""."""
    if not missing:
        return ""
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


def check_qualified(found: Alignment, words: Words) -> str:
    """Why a qualifier may speak of another word in the text: "MRI normal", "MRI with normal sinuses"."""
    text, taken = found.text, set(found.matched.values())
    for at, place in found.matched.items():
        after = place + 1
        if group(found.quote.forms[at])[1:] not in words.qualifying or after >= len(text) or after in taken:
            continue
        follows = any(found.matched.get(at + 1 + i, 0) in range(after + 1, after + 4) for i in range(3))
        stated = place > 0 and text.words[place - 1] in words.be
        if text.kinds[after] == Kind.CONTENT and not (text.breaks[after] or follows or stated):
            return f'The place says "{text.words[place]}" of something else ("{text.words[after]}").'
    return ""


def _beside(found: Alignment, at: int, words: Words) -> bool:
    """Whether a moved word still stands beside one of its neighbours in the quote, or is said of the whole
    list that follows there: "normal tone and power" of "tone and power were normal"."""
    needed = [q for q in essential(found.quote) if q in found.matched]
    rank = needed.index(at)
    place = found.matched[at]
    listed = found.text.words[place - 1] in _SAID_OF_ALL
    for neighbour in (*needed[max(0, rank - 1) : rank], *needed[rank + 1 : rank + 2]):
        low, high = sorted((found.matched[neighbour], place))
        others = [p for p in found.free() if low < p < high and found.text.kinds[p] in ESSENTIAL]
        near = high - low <= _BESIDE and not parted(found.text, low, high, CLAUSE)
        verbs = words.grammar.verbs.intersection(found.text.words[low : place - 1])
        if not others and (near or (listed and low < place and neighbour > at and not verbs)):
            return True
    return len(needed) == 1


_LEAST_SCORE = 50.0
_ONE_MISSING_IN = 8
_LEAST_TO_CONTRADICT = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison came to; `score` is 0-100, `reason` a sentence."""

    status: Literal["fuzzy", "conflict", "ungrounded"]
    score: float
    reason: str


def judge(found: Alignment, words: Words) -> Verdict:
    """Compare a quote with a place: sides, persons, values, units, limits, negation, doubt, then words."""
    score = similarity(found)
    missing = [
        q for q in essential(found.quote) if q not in found.matched and found.quote.kinds[q] != Kind.NUMBER
    ]
    content = [q for q, kind in enumerate(found.quote.kinds) if kind == Kind.CONTENT]
    lacking = [q for q in content if q not in found.matched]
    if len(lacking) > (1 - _LEAST_TO_CONTRADICT) * len(content):
        turned = check_prefixes(found, lacking, words) if len(lacking) < len(content) else ""
        reason = turned or f"No place has enough of the quote's words; missing: {_list(found, missing)}."
        return Verdict("conflict" if turned else "ungrounded", score, reason)
    reason = (
        check_contrasts(found, words)
        or check_person(found, words.persons)
        or check_between_sides(found)
        or check_both(found)
        or check_numbers(found, words)
        or check_signs(found)
        or check_prefixes(found, missing, words)
        or check_negation(found, words)
        or check_doubt(found, words)
    )
    if reason:
        return Verdict("conflict", score, reason)
    reason = _check_words(found, missing, score, words)
    if reason:
        return Verdict("ungrounded", score, reason)
    reason = check_claims(found, words)
    if reason:
        return Verdict("conflict", score, reason)
    return Verdict("fuzzy", score, f"Same content in other words (similarity {score:.0f}).")


def similarity(found: Alignment) -> float:
    """Similarity 0-100 of the words of weight on both sides, in order or sorted, whichever is higher."""
    ours = " ".join(found.forms[q] for q in essential(found.quote))
    theirs = " ".join(found.text.forms[p] for p in essential(found.text, found.first, found.last + 1))
    if not ours or not theirs:
        ours, theirs = " ".join(found.quote.words), " ".join(found.text.words[found.first : found.last + 1])
    return max(fuzz.ratio(ours, theirs), fuzz.token_sort_ratio(ours, theirs))


def _list(found: Alignment, missing: list[int]) -> str:
    return ", ".join(f'"{found.quote.words[q]}"' for q in missing[:5])


def _check_words(found: Alignment, missing: list[int], score: float, words: Words) -> str:
    """Why the wording differs too much, "" where it does not."""
    needed = essential(found.quote)
    joined = [q for q in needed if q in found.matched]
    if not joined:
        return _check_small_words(found)
    if len(missing) > len(needed) // _ONE_MISSING_IN:
        return f"The place lacks words of the quote: {_list(found, missing)}."
    if any(_replaced(found, q) for q in missing):
        return f"The place has other words instead of {_list(found, missing)}."
    extra = [p for p in found.free() if found.text.kinds[p] in ESSENTIAL]
    if len(extra) > max(1, 2 if len(joined) == 3 else 0.75 * len(joined)):
        return "The quote's words stand too far apart: the place says much more."
    moved = [q for q in found.moved if found.quote.kinds[q] in ESSENTIAL]
    crosses = any(found.text.breaks[p] == SENTENCE for p in range(found.first + 1, found.last + 1))
    if crosses and SENTENCE not in found.quote.breaks and (missing or extra or moved or len(joined) < 4):
        return "The quote's words stand in different sentences."
    whole = not missing and 5 * len(extra) <= len(joined)
    if len(moved) > max(1, (len(needed) + 1) // 2 if whole else len(needed) // 3):
        return "The quote's words stand in another order."
    if score < _LEAST_SCORE:
        return "The place is too unlike the quote."
    return check_qualified(found, words) or _check_hinge(found, joined, words)


def _check_hinge(found: Alignment, joined: list[int], words: Words) -> str:
    """Why a short quote is wrong to join words: "liver normal" from "liver big, spleen normal"."""
    if len(joined) > 4:
        return ""
    places = sorted(found.matched[q] for q in joined)
    for before, after in pairwise(places):
        between = [p for p in range(before + 1, after) if names(found.text, p)]
        parts = [
            p
            for p in range(before + 1, after + 1)
            if found.text.breaks[p] >= CLAUSE or found.text.words[p] == "and"
        ]
        if between and parts and max(parts) > min(between) and not _said_too(found, before, after, words):
            return "The quote joins words that the text keeps apart."
    return ""


def _said_too(found: Alignment, before: int, after: int, words: Words) -> bool:
    """Whether a word is the second thing said of one before it: swollen of "tongue was red and swollen"."""
    text = found.text.words
    ends = after + 1 == len(text) or bool(found.text.breaks[after + 1])
    return ends and after == before + 4 and text[before + 1] in words.be and text[after - 1] == "and"


def _replaced(found: Alignment, at: int) -> bool:
    """Whether the place has words of its own where the quote has the missing one."""
    text = found.text
    before = [p for q, p in found.pairs.items() if q < at and found.quote.kinds[q] > Kind.FUNCTION]
    after = [p for q, p in found.pairs.items() if q > at and found.quote.kinds[q] > Kind.FUNCTION]
    low = max(before) + 1 if before else found.first - 2
    high = min(after) if after else found.last + 3
    taken = set(found.matched.values())
    inside = [
        p for p in range(max(0, low), min(len(text), high)) if p not in taken and same_sentence(found, p)
    ]
    return any(text.kinds[p] in ESSENTIAL for p in inside)


def _check_small_words(found: Alignment) -> str:
    """For quotes of small words only: all of them must stand there together."""
    light = [q for q, kind in enumerate(found.quote.kinds) if kind != Kind.FUNCTION]
    if light and all(q in found.matched for q in light) and found.last - found.first < 2 * len(found.quote):
        return ""
    return "The quote has no word that could tell its place."
