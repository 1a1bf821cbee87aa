"""Tokens of a text, cut besides wherever a span begins or ends, for formats that label tokens."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.language import Language


class Token(NamedTuple):
    """A stretch of the text in code points; `ws` says that one blank follows it, which is no token then."""

    start: int
    end: int
    ws: bool


def tokens_of(text: str, spans: Iterable[tuple[int, int]]) -> list[Token]:
    """spaCy's tokens; together they are the text, and every span begins and ends at the edge of one."""
    starts, ends = set[int](), set[int]()
    for start, end in spans:
        starts.add(start)
        ends.add(end)
    cuts = {0, len(text)} | starts | ends
    for token in tokenizer()(text):
        cuts |= {token.idx, token.idx + len(token)}
    tokens: list[Token] = []
    for start, end in pairwise(sorted(cuts)):
        if text[start] == " " and end - start == 1 and start not in starts and end not in ends and tokens:
            last = tokens[-1]
            if not last.ws and not text[last.start : last.end].isspace():
                tokens[-1] = Token(last.start, last.end, True)
                continue
        tokens.append(Token(start, end, False))
    return tokens


@lru_cache(maxsize=1)
def tokenizer() -> Language:
    """English as spaCy cuts it, without a model."""
    import spacy

    return spacy.blank("en")
