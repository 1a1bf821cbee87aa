"""Quotes that leave out what the text has in brackets: "a mass was seen" of "a mass (Fig. 1) was seen"."""

from __future__ import annotations

from collections.abc import Sequence

from extractors.text.tokens import Tokens, tokenise
from extractors.text.words import Kind, Words

_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_GOING_ON = frozenset({"and", "or", "but", "nor"})

# What a bracket has, and how many tokens outside of brackets stand before it.
Bracket = tuple[tuple[str, ...], int]


def bridged(quote: str, text: str, words: Words) -> tuple[int, int] | None:
    """Where in a stretch of text the quote's words stand with nothing but brackets between them, if they do.

    What the quote has in brackets itself must stand there in them, too, and what it leaves out may neither
    deny nor doubt, name a relative or go on with what stands before.
    """
    ours, theirs = tokenise(quote), tokenise(text)
    bare, inside, whole = _parted(ours)
    there, known, _ = _parted(theirs)
    if not whole:
        return None  # "A low count (77" has no bracket that could be compared
    said = [ours.norms[at] for at in bare]
    norms = [theirs.norms[at] for at in there]
    for begin in range(len(norms) - len(said) + 1) if said else ():
        if norms[begin] == said[0] and norms[begin : begin + len(said)] == said:
            # With the brackets beside these words, where the quote itself begins or ends with one.
            leads, ends = bare[0] > 0, bare[-1] < len(ours.norms) - 1
            low, high = (0 if leads else 1), len(said) - (0 if ends else 1)
            here = [(words_in, at - begin) for words_in, at in known if low <= at - begin <= high]
            left_out = [one for one, at in here if (one, at) not in inside]
            if set(inside) <= set(here) and not any(_says_more(one, words) for one in left_out):
                first = (there[begin - 1] + 1 if begin else 0) if leads else there[begin]
                after = [*there, len(theirs.norms)][begin + len(said)]
                return theirs.starts[first], theirs.ends[after - 1 if ends else there[begin + len(said) - 1]]
    return None


def _says_more(bracket: Sequence[str], words: Words) -> bool:
    """Whether a bracket turns what stands around it or goes on with it: "(not)", "(mother)", "(and B)"."""
    kinds = {words.canonical(word)[1] for word in bracket}
    turns = not kinds.isdisjoint({Kind.NEGATION, Kind.UNCERTAIN})
    return turns or not _GOING_ON.isdisjoint(bracket[:1]) or not words.persons.kin.isdisjoint(bracket)


def _parted(tokens: Tokens) -> tuple[list[int], list[Bracket], bool]:
    """The tokens that stand in no bracket, the outer brackets, and whether all are closed."""
    bare, inside, opened = list[int](), list[Bracket](), list[int]()
    for at, norm in enumerate(tokens.norms):
        if norm in _OPENING:
            opened.append(at)
        elif norm in _CLOSING and opened:
            begin = opened.pop()
            if not opened:
                inside.append((tuple(tokens.norms[begin + 1 : at]), len(bare)))
        elif not opened:
            bare.append(at)
    return bare, inside, not opened
