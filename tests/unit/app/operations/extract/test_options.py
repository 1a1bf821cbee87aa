"""What makes two runs of a model the same run, and when a run counts as whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from app.operations.extract.calling.calls import _seeded as seeded
from app.operations.extract.options import (
    ModelOptions,
    ModelSummary,
    identity,
    identity_of_quotes,
    setting,
    total,
)
from app.store.extract.runs import GenerationState
from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.types import SAMPLING, ModelCard
from extractors.tasks import QUOTES

OPTIONS = ModelOptions("tiny", "ucp", "few-shot")
CARD = ModelCard("tiny", digest="d", context=8192, server="0.24.0")
CLIENT = OllamaClient()


def same(
    options: ModelOptions = OPTIONS,
    card: ModelCard = CARD,
    prompts: str = "p",
    client: OllamaClient = CLIENT,
    wanted: tuple[str, ...] = ("GI", "CVS"),
) -> bool:
    return made(options, card, prompts, client, wanted) == made()


def made(
    options: ModelOptions = OPTIONS,
    card: ModelCard = CARD,
    prompts: str = "p",
    client: OllamaClient = CLIENT,
    wanted: tuple[str, ...] = ("GI", "CVS"),
) -> dict[str, Any]:
    return identity(options, card, client, QUOTES, identity_of_quotes(options, prompts, wanted))


@pytest.mark.parametrize(
    "options",
    [
        replace(OPTIONS, strategy="fcsp"),
        replace(OPTIONS, prompting="zero-shot"),
        replace(OPTIONS, seed=2),
        replace(OPTIONS, think=True),
        replace(OPTIONS, context=8192),
        replace(OPTIONS, temperature=0.5),
    ],
)
def test_what_changes_the_replies_makes_another_run(options: ModelOptions) -> None:
    assert not same(options)


@pytest.mark.parametrize(
    "options",
    [
        replace(OPTIONS, resume=True),
        replace(OPTIONS, new_run=True),
        replace(OPTIONS, reply_tokens=4096),
        replace(OPTIONS, documents=("one",)),
        replace(OPTIONS, parallel=8),
        replace(OPTIONS, keep_alive="2h", gpu_layers=3, threads=2),
        # The whole report is shown however its sections were told apart.
        replace(OPTIONS, sections="inferred"),
    ],
)
def test_what_is_asked_of_a_run_this_time_leaves_it_the_same(options: ModelOptions) -> None:
    assert same(options)


def test_inferred_sections_make_another_run_where_sections_are_shown() -> None:
    asked = [replace(OPTIONS, strategy="fcsp", sections=by) for by in ("headings", "inferred")]
    plain, inferred = (made(one, wanted=("GI",)) for one in asked)
    assert plain != inferred


def test_a_run_of_an_older_program_went_by_headings_and_asked_for_quotes() -> None:
    assert setting({}, "task") == QUOTES
    assert setting({}, "sections") == "headings"
    assert setting({"sections": "inferred"}, "sections") == "inferred"
    assert setting({}, "model") is None


def test_another_model_prompt_or_machine_makes_another_run() -> None:
    assert not same(card=replace(CARD, name="other"))
    assert not same(card=replace(CARD, digest="e"))
    assert not same(card=replace(CARD, remote="https://example.org:443"))
    assert not same(prompts="q")
    assert not same(client=OllamaClient("http://192.0.2.1:11434", allow_remote=True))
    assert same(card=replace(CARD, server="0.25.0"), client=OllamaClient("http://127.0.0.1:5000"))


def test_the_categories_count_only_where_one_prompt_asks_for_all_of_them() -> None:
    assert same(wanted=("GI",))
    together = replace(OPTIONS, strategy="ugp")
    few, more = (made(together, wanted=wanted) for wanted in (("GI",), ("GI", "CVS")))
    assert few != more


def test_every_sampler_option_is_sent_and_the_seed_with_them() -> None:
    assert replace(OPTIONS, seed=7).sampling() == {**SAMPLING, "seed": 7}


def summary(planned: int, *states: GenerationState) -> ModelSummary:
    return ModelSummary("run", planned=planned, calls=Counter(states))


def test_a_run_is_whole_only_where_every_planned_call_is_done() -> None:
    assert summary(2, "done", "done").whole
    assert not replace(summary(2, "done", "done"), stopped="The server is gone.").whole
    for told in (summary(2, "done", "incomplete"), summary(2, "done", "failed")):
        assert (told.whole, told.missing) == (False, 0)
    begun = summary(3, "done")
    assert (begun.whole, begun.missing) == (False, 2)


def test_a_sum_over_what_was_never_counted_is_none() -> None:
    assert total([None, None]) is None
    assert total([]) is None
    assert total([None, 2, 3]) == 5


def test_what_is_asked_with_several_seeds_is_sampled_with_each_beyond_the_runs_own() -> None:
    sampling = {"seed": 7, "temperature": 0.7}
    assert seeded(sampling, '{"order":2,"seed":3}') == {"seed": 10, "temperature": 0.7}
    assert seeded(sampling, '{"order":2}') == seeded(sampling, "") == sampling
