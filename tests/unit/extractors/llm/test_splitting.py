"""A report in parts: every character is shown, every part fits, and parts overlap by whole sentences."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from extractors.llm.splitting import Span, split
from extractors.llm.tokens import TokenCounter

WORDS = st.sampled_from(
    "fever He She 39.2 °C Dr. no vomiting. rash; seizures, \n \n\n x e.g. 患者。 ".split(" ")
)
TEXTS = st.lists(WORDS, min_size=1, max_size=120).map(" ".join)
COUNTER = TokenCounter(None)


@st.composite
def reports(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """A text with some of the sections that tile it."""
    text = draw(TEXTS)
    edges = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=6))})
    spans = list(pairwise(edges))
    return text, [span for span in spans if draw(st.integers(0, 3))] or spans[:1]


def characters(spans: list[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def size(text: str, part: tuple[Span, ...]) -> int:
    return COUNTER.count("".join(text[start:end] for start, end in part))


@given(reports(), st.integers(1, 80), st.integers(0, 100))
def test_the_parts_together_are_the_spans(report: tuple[str, list[Span]], room: int, overlap: int) -> None:
    text, spans = report
    parts = split(text, spans, COUNTER.count, room, overlap)
    assert characters([span for part in parts for span in part]) == characters(spans)


@given(reports(), st.integers(3, 80), st.integers(0, 100))
def test_every_part_fits_into_the_room(report: tuple[str, list[Span]], room: int, overlap: int) -> None:
    text, spans = report
    assert all(size(text, part) <= room for part in split(text, spans, COUNTER.count, room, overlap))


@given(reports(), st.integers(3, 80), st.integers(0, 30))
def test_spans_of_a_part_stay_in_order_and_within_the_sections(
    report: tuple[str, list[Span]], room: int, overlap: int
) -> None:
    text, spans = report
    for part in split(text, spans, COUNTER.count, room, overlap):
        assert all(one[1] <= other[0] for one, other in pairwise(part))
        assert all(any(s <= start < end <= e for s, e in spans) for start, end in part)


@given(reports(), st.integers(3, 80))
def test_parts_say_no_more_than_the_overlap_twice(report: tuple[str, list[Span]], room: int) -> None:
    text, spans = report
    parts = split(text, spans, COUNTER.count, room, 10)
    for one, other in pairwise(parts):
        common = characters(list(one)) & characters(list(other))
        assert COUNTER.count("".join(text[place] for place in sorted(common))) <= min(10, room // 4)


def test_what_fits_is_one_part() -> None:
    text = "Fever.\n\nA rash."
    assert split(text, [(0, 8), (8, 15)], COUNTER.count, 20, 5) == [((0, 8), (8, 15))]


def test_sections_stay_whole_where_they_fit_into_a_part_of_their_own() -> None:
    first, second = "The boy had fever for days. " * 4, "The girl had a rash for weeks. " * 4
    text = first + second
    border = len(first)
    room = COUNTER.count(second) + 12
    parts = split(text, [(0, border), (border, len(text))], COUNTER.count, room, 12)
    assert parts[0] == ((0, border),)
    assert parts[1] == ((border - 28, border), (border, len(text)))


def test_the_overlap_takes_its_tokens_from_the_room() -> None:
    first, second = "The boy had fever for days. " * 4, "The girl had a rash for weeks. " * 4
    room = COUNTER.count(second)
    parts = split(
        first + second, [(0, len(first)), (len(first), len(first + second))], COUNTER.count, room, 12
    )
    assert parts[1][0][0] < parts[0][-1][1]
    assert all(size(first + second, part) <= room for part in parts)


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraph = "A first sentence here. And a second one.\n\n"
    text = paragraph * 6
    parts = split(text, [(0, len(text))], COUNTER.count, COUNTER.count(paragraph) * 3, 0)
    assert len(parts) > 1
    assert all(part[0][0] % len(paragraph) == 0 for part in parts)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentence = "Dr. A. Smith saw the boy at 3.5 years. "
    text = sentence * 12
    parts = split(text, [(0, len(text))], COUNTER.count, COUNTER.count(sentence) * 5, COUNTER.count(sentence))
    assert len(parts) > 1
    assert all(part[0][0] % len(sentence) == 0 for part in parts)
    assert all(one[-1][1] - other[0][0] == len(sentence) for one, other in pairwise(parts))


def test_a_long_sentence_is_cut_between_words_and_its_end_said_again() -> None:
    text = "fever " * 100
    parts = split(text, [(0, len(text))], COUNTER.count, 40, 10)
    assert len(parts) > 1
    assert all(
        text[start:end].split() == ["fever"] * len(text[start:end].split()) for ((start, end),) in parts
    )
    assert all(one[0][1] > other[0][0] for one, other in pairwise(parts))


def test_a_word_too_long_is_cut_between_characters() -> None:
    text = "ACGT" * 100
    parts = split(text, [(0, len(text))], COUNTER.count, 20, 0)
    assert len(parts) > 1
    assert characters([span for part in parts for span in part]) == set(range(400))


def test_the_overlap_does_not_reach_into_what_is_left_out() -> None:
    shown = "The boy had fever. "
    text = shown * 4 + "Funding was ours. " + shown * 5
    left_out = range(4 * len(shown), 4 * len(shown) + 18)
    spans = [(0, left_out.start), (left_out.stop, len(text))]
    parts = split(text, spans, COUNTER.count, COUNTER.count(shown) * 8, COUNTER.count(shown) * 2)
    assert len(parts) > 1
    assert not characters([span for part in parts for span in part]) & set(left_out)
    assert parts[1] == ((2 * len(shown), left_out.start), (left_out.stop, len(text)))


def test_importing_the_splitter_does_not_load_the_rules() -> None:
    script = "import sys, extractors.llm.splitting; sys.exit('extractors.rules' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
