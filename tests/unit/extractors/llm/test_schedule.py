"""The calls of a run: what they show, how they are ordered, and that nothing is cut or forgotten."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TypeAlias

import pytest

from extractors.llm.schedule import Call, Plan, divide, observe, plan, reused
from extractors.llm.sizing import Sizes
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.llm.types import ModelCard
from extractors.model.document import Document, Section, SectionRole
from extractors.model.errors import ContextError
from extractors.model.scheme import default_scheme
from extractors.tasks.base import Prompt
from extractors.tasks.prompting.prompts import PromptSet
from extractors.tasks.prompting.variants import STRATEGIES, Prompting, Strategy
from extractors.tasks.quotes import QuotesTask, shown_spans

SCHEME = default_scheme()
ALL = SCHEME.ids
PROMPTS = PromptSet(SCHEME, "zero-shot")
TASK = QuotesTask(SCHEME, "ucp", "zero-shot", ALL)
CARD = ModelCard("any", context=131_072)

# A sentence, the categories its section speaks of, and the section's role.
Told: TypeAlias = tuple[str, tuple[str, ...], SectionRole]
HISTORY: Told = ("The boy was well until the age of three. ", ("History",), "case")
HEART: Told = ("The heart was enlarged, and a murmur was heard. ", ("CVS",), "case")
COURSE: Told = ("He was discharged after two weeks without complaints. ", ALL, "case")
FUNDING: Told = ("Funded by a society. ", ALL, "excluded")


def report(*sections: Told, times: int = 1) -> Document:
    text, found = "", []
    for sentence, categories, role in sections:
        body = f"Heading\n\n{sentence * times}\n\n"
        found.append(Section("Heading", ("Heading",), len(text), len(text) + len(body), categories, role))
        text += body
    return Document("A report", text, tuple(found))


def planned(
    strategy: Strategy,
    *documents: Document,
    categories: tuple[str, ...] = ALL,
    counter: TokenCounter | None = None,
    card: ModelCard = CARD,
    prompting: Prompting = "zero-shot",
    reply_tokens: int | None = None,
    num_ctx: int | None = None,
) -> Plan:
    counter = counter or TokenCounter(None)
    task = QuotesTask(SCHEME, strategy, prompting, categories)
    return plan(documents, task, counter, card, None, reply_tokens, num_ctx)


def prompt(document: Document, call: Call, prompts: PromptSet = PROMPTS) -> Prompt:
    block = prompts.report(document.text, call.item.spans, call.item.part, call.item.parts)
    return prompts.prompt(block, call.item.asks)


def unasked(plan_: Plan) -> tuple[tuple[int, str], ...]:
    return tuple((report, ask) for report, item in plan_.unasked for ask in item.asks)


def shown(document: Document, calls: list[Call]) -> set[int]:
    return {place for call in calls for start, end in call.item.spans for place in range(start, end)}


def test_uniform_prompts_show_the_whole_report_but_what_is_excluded() -> None:
    document = report(HISTORY, FUNDING, COURSE)
    wanted = tuple((one.start, one.end) for one in document.sections if one.role != "excluded")
    assert shown_spans(document, "CVS", "ucp") == wanted
    assert shown_spans(document, None, "ugp") == wanted


def test_filtered_prompts_show_the_sections_of_the_category() -> None:
    document = report(HISTORY, HEART, COURSE, FUNDING)
    history, heart, course, _ = ((one.start, one.end) for one in document.sections)
    assert shown_spans(document, "CVS", "fcsp") == (heart, course)
    assert shown_spans(document, "History", "fcsp") == (history, course)
    assert shown_spans(document, "RESP", "fcsp") == (course,)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_report_without_sections_is_shown_whole(strategy: Strategy) -> None:
    assert shown_spans(Document("Letter", "He had a rash.", ()), "DERM", strategy) == ((0, 14),)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_text_between_sections_is_shown_to_all(strategy: Strategy) -> None:
    section = Section("Heart", ("Heart",), 10, 20, ("CVS",))
    document = Document("A", "He had an\nHeart was.\n\nIt healed.\n", (section,))
    assert (0, 10) in shown_spans(document, "CVS", strategy)
    assert (20, len(document.text)) in shown_spans(document, "CVS", strategy)


def test_specific_prompts_ask_for_one_category_each_and_global_ones_for_all() -> None:
    document = report(HISTORY, COURSE)
    assert [call.item.asks for call in planned("ucp", document).calls] == [(name,) for name in ALL]
    assert [call.item.asks for call in planned("ugp", document).calls] == [ALL]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_category_with_nothing_to_be_shown_is_named_and_not_asked(strategy: Strategy) -> None:
    plan_ = planned(strategy, report(COURSE), report(FUNDING), Document("Empty", "", ()))
    assert {call.report for call in plan_.calls} == {0}
    assert unasked(plan_) == tuple((number, name) for number in (1, 2) for name in ALL)


def test_filtered_prompts_name_the_categories_that_no_heading_speaks_of() -> None:
    plan_ = planned("fcsp", report(HISTORY, HEART), categories=("CVS", "History", "EENT"))
    assert {call.item.asks for call in plan_.calls} == {("CVS",), ("History",)}
    assert unasked(plan_) == ((0, "EENT"),)


def test_one_report_comes_after_the_other() -> None:
    documents = [report(HISTORY, HEART, COURSE), report(HEART, COURSE), report(COURSE)]
    reports = [call.report for call in planned("fcsp", *documents).calls]
    assert reports == sorted(reports)


def test_categories_that_see_the_same_sections_are_asked_in_a_row() -> None:
    document = report(HISTORY, HEART, COURSE, HEART)
    runs = [spans for spans, _ in groupby(planned("fcsp", document).calls, key=lambda call: call.item.spans)]
    assert len(runs) == len(set(runs)) == 3


def test_sets_of_sections_that_begin_alike_are_neighbours() -> None:
    first: Told = ("He coughed. ", ("RESP", "GU", "CVS"), "case")
    second: Told = ("He had a rash. ", ("DERM", "RESP"), "case")
    third: Told = ("He had pain. ", ("DERM", "GU", "CVS"), "case")
    calls = planned("fcsp", report(first, second, third), categories=("RESP", "DERM", "GU", "CVS")).calls
    assert [call.item.asks for call in calls] == [("RESP",), ("GU",), ("CVS",), ("DERM",)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_prompt_s_tokens_and_what_it_shares_are_those_of_the_texts_sent(strategy: Strategy) -> None:
    documents = [report(HISTORY, HEART, COURSE, times=20), report(HEART, FUNDING, times=9)]
    counter = TokenCounter(None)
    calls = planned(strategy, *documents, counter=counter).calls
    before = None
    for call in calls:
        said = prompt(documents[call.report], call)
        tokens = counter.count(said.system) + counter.count(said.user) + TEMPLATE_TOKENS
        assert tokens <= call.tokens <= tokens + 1
        assert call.shared == pytest.approx(reused(before, said, counter), abs=2)
        before = said


def test_prompts_on_a_long_report_share_most_of_their_tokens() -> None:
    plan_ = planned("ucp", report(HISTORY, HEART, COURSE, times=150))
    assert plan_.calls[0].shared == 0
    assert all(call.shared > 0.85 * call.tokens for call in plan_.calls[1:])
    assert plan_.shared == sum(call.shared for call in plan_.calls) < plan_.tokens


def test_the_context_is_that_of_the_longest_prompt_with_its_reply() -> None:
    plan_ = planned("ucp", report(COURSE), report(COURSE, times=300))
    need = max(call.tokens + call.reply_tokens for call in plan_.calls)
    assert need <= plan_.context.num_ctx <= 1.04 * need + 1024
    assert plan_.notes == ()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("num_ctx", [4096, 6000])
def test_what_does_not_fit_is_divided_and_nothing_is_left_out(strategy: Strategy, num_ctx: int) -> None:
    document = report(HISTORY, HEART, FUNDING, COURSE, times=150)
    plan_ = planned(strategy, document, num_ctx=num_ctx, reply_tokens=500)
    assert max(call.item.parts for call in plan_.calls) > 1
    assert [note for note in plan_.notes if "read in parts that overlap" in note and note.endswith(": 1.")]
    for call in plan_.calls:
        assert call.reply_tokens == 500
        assert 1.04 * call.tokens + 500 <= num_ctx + 1
    for name in ALL:
        calls = [call for call in plan_.calls if name in call.item.asks]
        assert [call.item.part for call in calls] == list(range(calls[0].item.parts))
        whole = shown_spans(document, name, strategy)
        assert shown(document, calls) == {place for span in whole for place in range(*span)}


def test_all_categories_are_asked_on_a_part_before_the_next_part() -> None:
    calls = planned("ucp", report(COURSE, times=300), num_ctx=4096).calls
    parts = [call.item.part for call in calls]
    assert parts == sorted(parts)
    assert parts.count(0) == len(ALL)
    assert all(
        one.shared > one.tokens / 2 for other, one in pairwise(calls) if other.item.part == one.item.part
    )


def test_a_context_too_short_for_any_part_is_refused_with_what_to_do() -> None:
    with pytest.raises(ContextError, match="choose a longer context"):
        planned("ucp", report(COURSE, times=300), num_ctx=1024)


def test_replies_have_room_for_half_of_what_is_shown_within_bounds() -> None:
    short, long = (planned("ucp", report(COURSE, times=times)).calls[0] for times in (1, 900))
    assert (short.reply_tokens, long.reply_tokens) == (1024, 2048)
    assert planned("ugp", report(COURSE)).calls[0].reply_tokens == 4096
    assert planned("ucp", report(COURSE), prompting="zero-shot-cot").calls[0].reply_tokens == 1536
    assert planned("ucp", report(COURSE), reply_tokens=300).calls[0].reply_tokens == 300


def test_a_reply_gives_way_to_a_third_of_the_context_before_the_report_is_divided() -> None:
    plan_ = planned("ugp", report(COURSE, times=20), num_ctx=5500)
    (call,) = plan_.calls
    assert call.item.parts == 1
    assert 5500 // 3 <= call.reply_tokens < 4096
    assert any("leaves 1 of 1 replies less room" in note for note in plan_.notes)


@pytest.mark.parametrize("missing", range(0, 900, 50))
def test_a_reply_never_gets_less_than_a_third_of_the_context_unless_less_is_wanted(missing: int) -> None:
    document = report(COURSE, times=80)
    longest = max(call.tokens for call in planned("ucp", document).calls)
    num_ctx = longest + 1000 - missing
    for call in planned("ucp", document, num_ctx=num_ctx).calls:
        assert call.reply_tokens >= min(1024, num_ctx // 3)
        assert 1.04 * call.tokens + call.reply_tokens <= num_ctx + 1


def test_what_limits_the_context_is_noted() -> None:
    card = ModelCard("any", context=4096)
    plan_ = planned("ucp", report(COURSE, times=300), card=card)
    assert plan_.context.num_ctx == 4096
    assert "trained for no more than 4096" in plan_.notes[0]


def test_nothing_to_ask_makes_no_calls() -> None:
    assert planned("ucp").calls == ()


def test_a_refused_call_becomes_smaller_ones_that_show_the_same() -> None:
    document = report(HISTORY, HEART, FUNDING, COURSE, times=60)
    counter = TokenCounter(None)
    call = planned("ucp", document, counter=counter).calls[3]
    made = divide(call, TASK, counter, 8192)
    places = [(place, len(made)) for place in range(len(made))]
    assert [(one.item.part, one.item.parts) for one in made] == places
    assert len(made) > 1
    assert shown(document, made) == shown(document, [call])
    assert all(one.item.asks == call.item.asks for one in made)
    assert all(one.tokens < 0.9 * call.tokens for one in made)


def test_parts_of_a_part_keep_their_place_in_the_report() -> None:
    document = report(COURSE, times=300)
    counter = TokenCounter(None)
    calls = planned("ugp", document, counter=counter, num_ctx=6000).calls
    made = divide(calls[1], TASK, counter, 6000)
    whole, first, last = calls[1].item, made[0].item, made[-1].item
    assert first.part / first.parts == pytest.approx(whole.part / whole.parts)
    assert (last.part + 1) / last.parts == pytest.approx((whole.part + 1) / whole.parts)
    assert shown(document, made) == shown(document, [calls[1]])


def test_a_refused_call_is_divided_alike_whatever_was_learnt() -> None:
    document = report(HISTORY, COURSE, times=100)
    counter = TokenCounter(None)
    call = planned("ucp", document, counter=counter).calls[0]
    made = divide(call, TASK, counter, call.tokens)
    observe(counter, prompt(document, call), 2 * call.tokens)
    assert counter.scale == pytest.approx(2, rel=0.01)
    again = divide(call, TASK, counter, call.tokens)
    assert [one.item.spans for one in again] == [one.item.spans for one in made]
    assert all(one.reply_tokens >= min(call.reply_tokens, call.tokens // 3) for one in again)


def test_a_text_too_short_to_be_divided_is_refused() -> None:
    document = report(COURSE)
    call = planned("ucp", document).calls[0]
    with pytest.raises(ContextError):
        divide(call, TASK, TokenCounter(None), 8192)


def test_a_prompt_shares_with_the_one_before_up_to_the_first_word_that_differs() -> None:
    counter = TokenCounter(None)
    form = PROMPTS.form(("CVS",))
    first = Prompt("The rules.", "A report. Find the heart.", form)
    second = Prompt("The rules.", "A report. Find the hearing.", form)
    assert reused(None, first, counter) == 0
    assert reused(first, first, counter) == counter.count("The rules.") + counter.count(first.user)
    same = counter.count("The rules.") + counter.count("A report. Find the ")
    assert reused(first, second, counter) == same
    other = Prompt("The rule.", first.user, form)
    assert reused(first, other, counter) == counter.count("The ")


def test_what_is_asked_whole_or_not_at_all_is_never_shown_in_parts() -> None:
    class Whole(QuotesTask):
        whole = True

    task = Whole(SCHEME, "ucp", "zero-shot", ("GI", "CVS"))
    long, short = report(COURSE, times=300), report(COURSE)
    plan_ = plan([long, short], task, TokenCounter(None), CARD, None, None, 4096)
    assert [(number, item.parts) for number, item in plan_.unasked] == [(0, 1), (0, 1)]
    assert [(call.report, call.item.parts) for call in plan_.calls] == [(1, 1), (1, 1)]
    # A longer reply than there is room for gives way.
    assert not plan([short], task, TokenCounter(None), CARD, None, 9000, 4096).unasked


def test_a_context_that_holds_prompt_and_reply_to_the_token_is_enough() -> None:
    sizes = Sizes(TASK, TokenCounter(None), 10)
    group = sizes.group(0, list(TASK.items(report(HISTORY))))
    needed = sizes.needed(group)
    assert [sizes.fits(group, num_ctx) for num_ctx in (needed, needed - 1)] == [True, False]


def test_a_report_is_divided_by_the_room_that_the_longest_of_its_prompts_leaves() -> None:
    task = QuotesTask(SCHEME, "ucp", "few-shot", ("RESP", "LYMPH"))
    sizes = Sizes(task, TokenCounter(None), None)
    group = sizes.group(0, list(task.items(report(HISTORY, COURSE, times=300))))
    parts = sizes.divided(group, 4096)
    assert len(parts) > 1
    assert all(sizes.fits(part, 4096) for part in parts)
