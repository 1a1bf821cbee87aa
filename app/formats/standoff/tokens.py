"""Tokens of a text, cut besides wherever a span begins or ends, for formats that label tokens."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from spacy.language import Language


# Start and end in code points, and whether one blank follows it, which is no token then.
Token: TypeAlias = tuple[int, int, bool]


def tokens_of(text: str, spans: Iterable[tuple[int, int]]) -> list[Token]:
    """spaCy's tokens; together they are the text, and every span begins and ends at the edge of one."""
    from spacy.attrs import IDX, LENGTH

    places = list(spans)
    starts, ends = {start for start, _ in places}, {end for _, end in places}
    cut = tokenizer()(text).to_array([IDX, LENGTH])
    cuts = {0, len(text), *starts, *ends, *cut[:, 0].tolist(), *cut.sum(axis=1).tolist()}
    tokens: list[Token] = []
    edges = sorted(cuts)
    for start, end in pairwise(edges):
        if text[start] == " " and end - start == 1 and start not in starts and end not in ends and tokens:
            last = tokens[-1]
            if not last[2] and not text[last[1] - 1].isspace():
                tokens[-1] = (last[0], last[1], True)
                continue
        tokens.append((start, end, False))
    return tokens


@lru_cache(maxsize=1)
def tokenizer() -> Language:
    """English as spaCy cuts it, without a model."""
    import spacy

    return spacy.blank("en")
