"""Quotes that leave out what the text has in brackets: "a mass was seen" of "a mass (Fig. 1) was seen"."""

from __future__ import annotations

from extractors.text.tokens import Tokens, tokenise

_OPENING, _CLOSING = frozenset("(["), frozenset(")]")


def bridged(quote: str, text: str) -> tuple[int, int] | None:
    """Where in a stretch of text the quote's words stand with nothing but brackets between them, if they do.

    What the quote has in brackets itself must stand there in them, too.
    """
    ours, theirs = tokenise(quote), tokenise(text)
    bare, inside, whole = _parted(ours)
    there, known, _ = _parted(theirs)
    if not whole:
        return None  # "A low count (77" has no bracket that could be compared
    words = [ours.norms[at] for at in bare]
    norms = [theirs.norms[at] for at in there]
    for begin in range(len(norms) - len(words) + 1) if words else ():
        if norms[begin] == words[0] and norms[begin : begin + len(words)] == words:
            first, last = there[begin], there[begin + len(words) - 1]
            # With the brackets beside these words, where the quote itself begins or ends with one.
            first = first if bare[0] == 0 else (there[begin - 1] + 1 if begin else 0)
            after = [*there, len(theirs.norms)][begin + len(words)]
            last = last if bare[-1] == len(ours.norms) - 1 else after - 1
            if {said for said, _ in inside} <= {said for said, at in known if first <= at <= last}:
                return theirs.starts[first], theirs.ends[last]
    return None


def _parted(tokens: Tokens) -> tuple[list[int], list[tuple[tuple[str, ...], int]], bool]:
    """The tokens that stand in no bracket, what each outer bracket has with where it begins, and whether all
    are closed."""
    bare, inside = list[int](), list[tuple[tuple[str, ...], int]]()
    opened = list[int]()
    for at, norm in enumerate(tokens.norms):
        if norm in _OPENING:
            opened.append(at)
        elif norm in _CLOSING and opened:
            begin = opened.pop()
            if not opened:
                inside.append((tuple(tokens.norms[begin + 1 : at]), begin))
        elif not opened:
            bare.append(at)
    return bare, inside, not opened
