"""When a prompt counts as cut, and how lengths of time are told."""

from __future__ import annotations

import pytest

from app.operations.extract.answers import prompt_was_cut, storable
from app.text import duration
from extractors.llm.types import Outcome

CONTEXT = 4096


def cut(
    tokens_in: int | None,
    tokens_out: int | None = 100,
    *,
    estimated: int = 2000,
    thinking: str = "",
    exact: bool = False,
) -> bool:
    outcome = Outcome("{}", thinking, "stop", tokens_in=tokens_in, tokens_out=tokens_out)
    return prompt_was_cut(estimated, CONTEXT, outcome, exact=exact)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("thinking", ["", "Let me see."])
def test_a_context_that_is_full_or_more_than_full_was_cut(thinking: str, exact: bool) -> None:
    assert cut(CONTEXT, 0, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert cut(CONTEXT + 1, None, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert not cut(CONTEXT - 1, None, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert cut(CONTEXT - 100, 101, thinking=thinking, exact=exact, estimated=CONTEXT)
    assert not cut(CONTEXT - 100, 100, thinking=thinking, exact=exact, estimated=CONTEXT)


@pytest.mark.parametrize(
    ("counted", "exactly", "roughly"), [(1600, False, False), (1400, True, False), (700, True, True)]
)
def test_what_comes_far_below_the_estimate_was_cut_the_farther_the_rougher_it_is(
    counted: int, exactly: bool, roughly: bool
) -> None:
    assert cut(counted, exact=True) == exactly
    assert cut(counted, exact=False) == roughly


def test_a_prompt_shorter_than_estimated_is_no_cut_where_the_model_thinks() -> None:
    # Templates of thinking models may leave out what was there before; only the context's brim tells.
    assert not cut(100, thinking="Let me see.", exact=True)


@pytest.mark.parametrize("exact", [True, False])
def test_a_server_that_counts_nothing_cannot_be_checked(exact: bool) -> None:
    assert not cut(None, 5000, exact=exact)
    assert not cut(0, exact=exact)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "0 s"),
        (89, "89 s"),
        (90, "2 min"),
        (3600, "60 min"),
        (5400, "1 h 30 min"),
        (11_100, "3 h 5 min"),
    ],
)
def test_times_are_told_as_people_do(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_half_a_character_is_kept_as_its_escape() -> None:
    assert storable("a\ud83d") == "a\\ud83d"
    assert storable("é😊") == "é😊"
