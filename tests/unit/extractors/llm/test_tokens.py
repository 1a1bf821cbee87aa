"""Estimates of tokens: by a vocabulary, by rule, and corrected by the server's counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.llm.tokens import GREATEST_SCALE, TokenCounter
from extractors.llm.types import Vocabulary

PRINTING = {*range(33, 127), *range(161, 173), *range(174, 256)}
SILENT = [byte for byte in range(256) if byte not in PRINTING]
# The letters that byte-level tokenizers write for the 256 bytes.
LETTERS = [chr(byte) if byte in PRINTING else chr(256 + SILENT.index(byte)) for byte in range(256)]
BYTES = Vocabulary("gpt2", frozenset(LETTERS), frozenset())


def gpt2(*tokens: str, control: tuple[str, ...] = ()) -> TokenCounter:
    return TokenCounter(Vocabulary("gpt2", frozenset([*LETTERS, *tokens, *control]), frozenset(control)))


def llama(*tokens: str) -> TokenCounter:
    return TokenCounter(Vocabulary("llama", frozenset(tokens), frozenset()))


@given(st.text())
def test_a_byte_level_model_has_one_token_per_byte(text: str) -> None:
    assert TokenCounter(BYTES).count(text) == len(text.encode("utf-8", "surrogatepass"))


def test_a_word_is_one_token_with_the_space_before_it() -> None:
    counter = gpt2("Ġfever", "fever", "ĠC")
    assert counter.count("fever fever fever") == 3
    assert counter.count(" fever  fever") == 3


def test_the_longest_known_token_comes_first() -> None:
    assert gpt2("Ġhepato", "Ġhe", "megaly", "mega").count(" hepatomegaly") == 2
    assert gpt2("Ġhepato", "Ġhe", "megaly", "mega").count(" hepatomega") == 2
    assert gpt2("Ġhe").count(" hepat") == 4


def test_letters_beyond_ascii_are_spelled_as_their_bytes() -> None:
    assert gpt2("Ã¤").count("ä") == 1
    assert gpt2().count("ä") == 2
    assert gpt2("ĠÎ±").count(" α") == 1


def test_line_ends_and_indents_are_tokens_of_their_own() -> None:
    assert gpt2("ĊĊ", "Ġa").count("x\n\nx a") == 4
    assert gpt2("ĊĊ", "Ġa").count("x\n\n a") == 3


def test_other_tokenizers_write_a_space_as_a_low_line_and_unknown_characters_as_bytes() -> None:
    counter = llama("▁", "▁fever", "f", "▁α", "é")
    assert counter.count("f fever α é") == 5
    assert counter.count("患") == 3
    assert counter.count("\n") == 1


def test_a_control_token_written_in_a_report_is_not_taken_for_one() -> None:
    assert gpt2(control=("<|end|>",)).count("<|end|>") == 7


def test_an_empty_vocabulary_is_none() -> None:
    nothing = TokenCounter(Vocabulary("gpt2", frozenset(), frozenset()))
    assert nothing.count("A fever of 39.2 °C") == TokenCounter(None).count("A fever of 39.2 °C")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("the child was admitted with vomiting", 10, 12),
        ("1234567890", 9, 10),
        ("140/90", 5, 6),
        ("患者女性", 6, 6),
        ("ü", 1, 1),
        ("", 0, 0),
    ],
)
def test_without_a_vocabulary_prose_digits_and_other_scripts_have_their_own_rates(
    text: str, least: int, most: int
) -> None:
    assert least <= TokenCounter(None).count(text) <= most


@given(st.text(), st.text(), st.sampled_from([None, BYTES]))
def test_a_text_never_counts_more_than_its_pieces(left: str, right: str, known: Vocabulary | None) -> None:
    counter = TokenCounter(known)
    assert counter.count(left + right) <= counter.count(left) + counter.count(right)


def test_estimates_follow_the_greatest_ratio_the_server_has_shown() -> None:
    counter = TokenCounter(BYTES)
    counter.learn(100, 120)
    assert counter.scale == pytest.approx(1.2)
    assert counter.count("x" * 100) == 120
    counter.learn(100, 110)
    assert counter.count("x" * 100) == 120
    assert counter.unscaled("x" * 100) == 100


def test_no_count_lowers_estimates_or_sends_them_beyond_all_reason() -> None:
    counter = TokenCounter(BYTES)
    counter.learn(100, 50)
    counter.learn(100, 0)
    counter.learn(0, 100)
    assert counter.scale == 1.0
    counter.learn(1, 1000)
    assert counter.scale == GREATEST_SCALE
