"""Whether a quote and a place name the same side of every contrast: left, not right; normal, not abnormal."""

from __future__ import annotations

from itertools import pairwise

from extractors.grounding.align import Alignment, same_sentence
from extractors.text.terms import CLAUSE, essential, group, parted
from extractors.text.words import ESSENTIAL, Kind, Words, differ_by_prefix, stem

_BESIDE = 6
_SIDED = 3
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
        if at in found.moved and not _beside(found, at):
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


def _beside(found: Alignment, at: int) -> bool:
    """Whether a moved word still stands beside one of its neighbours in the quote."""
    needed = [q for q in essential(found.quote) if q in found.matched]
    rank = needed.index(at)
    place = found.matched[at]
    for neighbour in (*needed[max(0, rank - 1) : rank], *needed[rank + 1 : rank + 2]):
        low, high = sorted((found.matched[neighbour], place))
        others = [p for p in found.free() if low < p < high and found.text.kinds[p] in ESSENTIAL]
        if high - low <= _BESIDE and not others and not parted(found.text, low, high, CLAUSE):
            return True
    return len(needed) == 1
