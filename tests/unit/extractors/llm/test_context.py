"""The context is what is needed, unless the model or the memory allows less."""

from __future__ import annotations

from dataclasses import replace

import pytest

from extractors.llm.schedule import LEAST, RESERVE, choose_context, fits, free_memory, given_context
from extractors.llm.types import ModelCard

CARD = ModelCard("m", size=1_000_000, context=32_000, cache_bytes=1000)


def memory(tokens: int) -> int:
    """Free bytes that hold CARD with so many tokens."""
    return CARD.size + RESERVE + tokens * CARD.cache_bytes


@pytest.mark.parametrize(("needed", "asked"), [(1, 1024), (1024, 1024), (1025, 2048), (6000, 6144)])
def test_the_need_is_rounded_up_to_whole_steps_and_no_further(needed: int, asked: int) -> None:
    chosen = choose_context(CARD, needed, None)
    assert chosen.num_ctx == asked
    assert chosen.reasons == ()


def test_a_need_that_just_fits_takes_the_exact_limit() -> None:
    chosen = choose_context(CARD, 32_000, None)
    assert chosen.num_ctx == chosen.limit == 32_000
    assert chosen.reasons == ()


def test_the_model_s_limit_is_kept_and_named() -> None:
    chosen = choose_context(CARD, 40_000, memory(100_000))
    assert chosen.num_ctx == 32_000
    assert "trained for no more than 32000" in chosen.reasons[0]


def test_where_memory_is_short_no_more_is_tried_than_the_model_was_trained_for() -> None:
    for trained, tried in ((1024, 1024), (32_000, LEAST), (0, LEAST)):
        chosen = choose_context(replace(CARD, context=trained), 9000, memory(10))
        assert (chosen.num_ctx, chosen.limit) == (tried, tried)


def test_the_memory_s_limit_is_kept_and_named() -> None:
    chosen = choose_context(CARD, 20_000, memory(10_000))
    assert chosen.num_ctx == 9 * 1024
    assert "free memory holds no more than about 9216" in chosen.reasons[0]


def test_what_is_unknown_sets_no_limit() -> None:
    unknown = ModelCard("m")
    assert choose_context(unknown, 50_000, 1).num_ctx == 49 * 1024
    assert fits(unknown, 1) == 0
    assert fits(CARD, None) == 32_000
    assert fits(ModelCard("m", cache_bytes=1000), RESERVE + 5_000_000) == 4096


def test_a_model_that_does_not_fit_is_said_to_fit_with_no_context_and_tried_with_the_least() -> None:
    assert fits(CARD, 10) == 0
    assert choose_context(CARD, LEAST, memory(LEAST)).reasons == ()
    chosen = choose_context(CARD, 20_000, 10)
    assert chosen.num_ctx == LEAST
    assert chosen.reasons == (
        "The model hardly fits into the free memory: a context of 2048 tokens is tried.",
    )


def test_a_context_asked_for_is_taken_but_not_beyond_the_model_s_training() -> None:
    assert given_context(CARD, 5000, None).num_ctx == 5000
    cut = given_context(CARD, 64_000, None)
    assert cut.num_ctx == 32_000
    assert "trained for no more than 32000" in cut.reasons[0]
    over = given_context(CARD, 20_000, memory(10_000))
    assert over.num_ctx == 20_000
    assert "free memory holds about 9216" in over.reasons[0]


def test_free_memory_is_in_bytes() -> None:
    assert free_memory() > 2**20
