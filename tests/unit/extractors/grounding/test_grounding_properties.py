"""Whatever the text, a place found is a place that has the quote."""

from __future__ import annotations

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from extractors.grounding import Grounder
from extractors.model.finding import PLACED
from extractors.text.boundaries import cuts_number, is_edge
from extractors.text.repair import repair
from extractors.text.tokens import tokenise

WORDS = st.sampled_from(
    (
        "fever|Fever|no|left|right|9.8|mg/dL|1,200|ﬁbrosis|café|cafe\u0301|İstanbul|😀|(|)|,|. |—|-|“"
        "|5.48 × 10⁹/L|<5|µmol|of|the|so\u00adft|\n|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|½|140/90|क्षि"
    ).split("|")
)
# What a wrong decoding garbled is never cut (test_repair.py).
TEXTS = st.one_of(
    st.lists(WORDS, min_size=1, max_size=40).map(" ".join), st.text(min_size=1, max_size=80)
).filter(lambda text: not repair(text).garbled)


@given(TEXTS, st.data())
def test_a_stretch_between_token_edges_is_found_exactly(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    assume(re.search(r"\w", quote))
    assume(not cuts_number(text, start) and not cuts_number(text, end))
    assume(start == 0 or not text[start - 1].isalpha() or not text[start].isalpha())
    found = Grounder(text).ground(quote)
    assert found.status in ("exact", "normalised")
    assert found.start is not None
    assert found.end is not None
    if is_edge(text, start) and is_edge(text, end):
        assert found.status == "exact"
    if found.status == "exact":
        assert text[found.start : found.end] == quote


@given(TEXTS, st.data())
def test_white_space_dashes_and_quotes_may_differ(text: str, data: st.DataObject) -> None:
    tokens = tokenise(text)
    assume(tokens.starts)
    first = data.draw(st.integers(0, len(tokens.starts) - 1))
    last = data.draw(st.integers(first, min(len(tokens.starts) - 1, first + 12)))
    start, end = tokens.starts[first], tokens.ends[last]
    assume(is_edge(text, start) and is_edge(text, end) and re.search(r"\w", text[start:end]))
    quote = re.sub(r"\s+", "\u00a0 ", text[start:end]).replace("-", "‑").replace("“", '"')
    quote = re.sub(r"([(),—])", r" \1 ", quote) if data.draw(st.booleans()) else quote
    # "Î" and a hard blank are what a wrong decoding makes of a Greek letter.
    assume(not repair(quote).garbled)
    assume(
        tokenise(quote).key
        == tokens.key[tokens.places[first] : tokens.places[last] + len(tokens.norms[last])]
    )
    found = Grounder(text).ground(quote)
    assert found.status in ("exact", "normalised")
    assert found.start is not None
    assert found.end is not None
    assert is_edge(text, found.start)
    assert is_edge(text, found.end)
    assert tokenise(text[found.start : found.end]).key == tokenise(quote).key


@given(TEXTS, st.one_of(TEXTS, st.lists(WORDS, max_size=8).map(" ".join)))
def test_every_answer_lies_in_the_text_and_cuts_no_token(text: str, quote: str) -> None:
    found = Grounder(text).ground(quote)
    assert 0 <= found.score <= 100
    assert (found.status in PLACED) == (found.start is not None and found.end is not None)
    assert bool(found.reason) == (found.status != "exact")
    spans = [*found.places, *([found.candidate] if found.candidate else [])]
    if found.start is not None and found.end is not None:
        spans.append((found.start, found.end))
        assert not found.places or (found.start, found.end) in found.places
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        if found.status in ("normalised", "fuzzy"):
            assert is_edge(text, start)
            assert is_edge(text, end)


@given(TEXTS, st.lists(TEXTS, max_size=6))
def test_no_quote_is_dropped(text: str, quotes: list[str]) -> None:
    assert len(Grounder(text).ground_all(quotes)) == len(quotes)
