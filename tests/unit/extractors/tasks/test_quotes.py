"""The first task: which calls it makes of a report, what they say, and what their replies are."""

from __future__ import annotations

import pytest

from extractors.model.document import Document, Section
from extractors.model.scheme import default_scheme
from extractors.tasks.base import Prompt
from extractors.tasks.prompting.prompts import PromptSet
from extractors.tasks.prompting.variants import PROMPTINGS, STRATEGIES, Strategy
from extractors.tasks.quotes import QuotesTask
from extractors.tasks.replies import ReplyQuote, parse_reply

SCHEME = default_scheme()
TEXT = "The heart was enlarged.\n\nThe skin was red.\n"
HEART, SKIN = (0, 25), (25, len(TEXT))
REPORT = Document(
    "A report",
    TEXT,
    (Section("Heart", ("Heart",), *HEART, ("CVS",)), Section("Skin", ("Skin",), *SKIN, ("DERM",))),
)


def task(strategy: Strategy, *categories: str) -> QuotesTask:
    return QuotesTask(SCHEME, strategy, "zero-shot", categories or SCHEME.ids)


def test_it_can_be_asked_by_every_strategy_with_every_prompting() -> None:
    variants = task("ucp").variants()
    assert len(set(variants)) == len(STRATEGIES) * len(PROMPTINGS)
    assert "fcsp/zero-shot-cot" in variants


@pytest.mark.parametrize(
    ("strategy", "asked"),
    [
        ("ucp", [("CVS", (HEART, SKIN)), ("DERM", (HEART, SKIN)), ("GI", (HEART, SKIN))]),
        ("fcsp", [("GI", ()), ("CVS", (HEART,)), ("DERM", (SKIN,))]),
        ("ugp", [("", (HEART, SKIN))]),
    ],
)
def test_a_report_is_asked_about_category_by_category_or_at_once(
    strategy: Strategy, asked: list[tuple[str, object]]
) -> None:
    items = list(task(strategy, "CVS", "DERM", "GI").items(REPORT))
    assert [(item.question, item.spans) for item in items] == asked
    assert {category for item in items for category in item.asks} == {"CVS", "DERM", "GI"}


def test_prompts_about_a_report_have_their_first_piece_in_common() -> None:
    whole = task("ucp")
    prompts = [whole.prompt(item) for item in whole.items(REPORT)]
    assert len({prompt.block for prompt in prompts}) == 1
    assert len({prompt.instructions for prompt in prompts}) == len(SCHEME.ids)
    assert prompts[0].block == whole.prompts.report(TEXT, (HEART, SKIN))
    for prompt, category in zip(prompts, SCHEME.ids, strict=True):
        assert "".join(prompt.pieces) == prompt.user
        assert prompt == PromptSet(SCHEME, "zero-shot").prompt(prompt.block, (category,))


def test_a_prompt_that_shows_nothing_is_of_one_piece() -> None:
    form = task("ucp").prompts.form(("GI",))
    assert Prompt("Rules", "Say something.", form).pieces == ("Say something.",)


def test_asked_about_others_it_is_the_same_task_and_stays_itself() -> None:
    narrow = task("ucp", "GI")
    wide = narrow.about(SCHEME.ids)
    assert len(list(wide.items(REPORT))) == len(SCHEME.ids)
    assert len(list(narrow.items(REPORT))) == 1
    assert wide.prompts is narrow.prompts


@pytest.mark.parametrize("text", ['{"quotes": ["colic"]}', '{"quotes": ["col', "nothing"])
def test_a_reply_is_read_by_its_form_as_ever(text: str) -> None:
    (item,) = task("ucp", "LYMPH").items(REPORT)
    form = task("ucp", "LYMPH").form(item)
    key = next(iter(form.lists))
    said = text.replace("quotes", key)
    reading, reply = form.read(said), parse_reply(said, form)
    assert (reading.complete, reading.problems, reading.value) == (reply.complete, reply.problems, reply)


def test_what_is_read_names_category_and_field() -> None:
    form = task("ucp").prompts.form(("LYMPH",))
    key, (category, name) = next(iter(form.lists.items()))
    others = ", ".join(f'"{other}": []' for other in list(form.lists)[1:])
    reading = form.read(f'{{"{key}": ["a node"]{", " + others if others else ""}}}')
    assert reading.complete
    assert reading.value.quotes == (ReplyQuote(category, name, "a node"),)
