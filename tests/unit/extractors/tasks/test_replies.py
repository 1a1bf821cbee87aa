"""A model's reply is read for what it holds, whatever it is, and everything wrong with it is named."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.model.scheme import default_scheme
from extractors.tasks.replies import Reply, ReplyForm, ReplyQuote, parse_reply

NEURO = ReplyForm({field: ("Neuro", field) for field in ("neurological", "cognitive")})
REASONED = ReplyForm(NEURO.lists, analysis=True)
ALONE = ReplyForm({"quotes": ("GU", "")})
ALL = ReplyForm({category: (category, "") for category in default_scheme().ids})
FORMS = (NEURO, REASONED, ALONE, ALL, ReplyForm(ALL.lists, analysis=True))


def quotes(reply: Reply) -> list[str]:
    return [quote.quote for quote in reply.quotes]


def named(reply: Reply, *parts: str) -> bool:
    """Whether one of the problems has all the parts."""
    return any(all(part in problem for part in parts) for problem in reply.problems)


def valid(
    form: ReplyForm, lists: Mapping[str, Sequence[str]], analysis: str = "", ascii_only: bool = False
) -> str:
    findings = {key: list(lists.get(key, ())) for key in form.lists}
    whole = {"analysis": analysis, "findings": findings} if form.analysis else findings
    return json.dumps(whole, ensure_ascii=ascii_only)


@st.composite
def valid_replies(draw: st.DrawFn) -> tuple[ReplyForm, str, list[ReplyQuote], str]:
    """A form, a reply that is just as asked, the quotes it gives, and its analysis."""
    form = draw(st.sampled_from(FORMS))
    texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
    lists = {key: draw(st.lists(texts, max_size=3, unique=True)) for key in form.lists}
    analysis = draw(texts) if form.analysis else ""
    text = valid(form, lists, analysis, draw(st.booleans()))
    given = [ReplyQuote(*form.lists[key], quote) for key in form.lists for quote in lists[key]]
    return form, text, given, analysis


@given(valid_replies())
def test_a_valid_reply_is_read_whole_and_without_problems(
    reply: tuple[ReplyForm, str, list[ReplyQuote], str],
) -> None:
    form, text, given, analysis = reply
    last = form.categories[-1] if form.categories else ""
    assert parse_reply(text, form) == Reply(
        tuple(given), form.categories, (), analysis, asked=form.categories, cut=False, last=last
    )
    assert parse_reply(text, form).complete


@given(valid_replies(), st.data())
def test_a_cut_reply_keeps_the_quotes_that_were_closed_and_is_not_complete(
    reply: tuple[ReplyForm, str, list[ReplyQuote], str], data: st.DataObject
) -> None:
    form, text, given, analysis = reply
    end = data.draw(st.integers(0, len(text) - 1))
    cut = parse_reply(text[:end], form)
    assert list(cut.quotes) == given[: len(cut.quotes)]
    assert not cut.complete
    assert cut.problems
    assert analysis.startswith(cut.analysis)
    for category in cut.answered:
        expected = [quote for quote in given if quote.category == category]
        assert [quote for quote in cut.quotes if quote.category == category] == expected
    following = parse_reply(text[: end + 1], form)
    assert following.quotes[: len(cut.quotes)] == cut.quotes
    assert set(cut.answered) <= set(following.answered)


JUNK = st.lists(
    st.sampled_from(
        (
            '{|}|[|]|"|,|:|\\|\\u|\\ud83d|null|NaN|-1e9|"quotes"|"neurological"|"findings"|"analysis"|"a"'
            "| |\n|<think>|</think>|```|\ud83d|\x00|x|é|"
        ).split("|")
    ),
    max_size=60,
).map("".join)


@given(
    st.one_of(st.text(st.characters()), st.text(st.characters(codec=None)), JUNK),
    st.sampled_from(FORMS),
)
def test_no_text_is_refused_and_what_comes_out_can_be_stored(text: str, form: ReplyForm) -> None:
    reply = parse_reply(text, form)
    for kept in (*quotes(reply), *reply.problems, reply.analysis):
        kept.encode("utf-8")
    assert reply.complete or reply.problems
    assert all(quote.strip() for quote in quotes(reply))


@given(JUNK, st.lists(st.text("ab ", min_size=1).filter(str.strip), unique=True, max_size=4))
def test_text_behind_a_whole_answer_never_takes_a_quote_from_it(junk: str, given: list[str]) -> None:
    reply = parse_reply(valid(ALONE, {"quotes": given}) + junk, ALONE)
    assert quotes(reply)[: len(given)] == given


def test_the_text_under_way_at_the_cut_is_named_and_no_quote() -> None:
    reply = parse_reply('{"neurological": ["ataxia", "left-sided weak', NEURO)
    assert quotes(reply) == ["ataxia"]
    assert reply.cut
    assert reply.answered == ()
    assert named(reply, "breaks off", "'left-sided weak'")
    assert named(reply, "Missing", "'cognitive'")


@pytest.mark.parametrize("end", ["\\", "\\u", "\\ud8", "\\ud83d", "\\ud83d\\ude"])
def test_a_cut_within_an_escape_is_a_cut_and_nothing_else(end: str) -> None:
    reply = parse_reply('{"neurological": ["ataxia", "smile ' + end, NEURO)
    assert quotes(reply) == ["ataxia"]
    assert named(reply, "breaks off", "'smile '")
    assert not named(reply, "escape")


def test_of_a_cut_reply_categories_whose_lists_were_closed_are_answered() -> None:
    text = valid(ALL, {"Vitals_Hema": ["pulse 90"], "EENT": ["deaf"], "GI": ["vomiting", "jaundice"]})
    reply = parse_reply(text[: text.index(', "jaundice"')], ALL)
    assert reply.answered == ("Vitals_Hema", "Neuro", "EENT", "CVS", "RESP")
    assert reply.asked == ALL.categories
    assert quotes(reply) == ["pulse 90", "deaf", "vomiting"]


def test_a_category_is_answered_only_when_all_its_fields_are() -> None:
    reply = parse_reply('{"neurological": []}', NEURO)
    assert reply.answered == ()
    assert not reply.cut
    assert named(reply, "Missing", "'cognitive'")


def test_a_reply_that_lacks_only_its_last_bracket_is_answered_but_not_complete() -> None:
    reply = parse_reply('{"quotes": ["a"]', ALONE)
    assert reply.answered == ("GU",)
    assert not reply.complete


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('Here it is:\n{"neurological": ["ataxia"], "cognitive": []}', "'Here it is:'"),
        ('```json\n{"neurological": ["ataxia"], "cognitive": []}\n```', "```json"),
        ('As asked [see below] for {category}: {"neurological": ["ataxia"], "cognitive": []}', "{category}"),
        ('{"neurological": ["ataxia"], "cognitive": []} I hope [this] {helps}.', "'I hope [this] {helps}.'"),
        (
            '<think>{"cognitive": ["draft"]}</think>{"neurological": ["ataxia"], "cognitive": []}',
            "Reasoning of 24",
        ),
        ('Perhaps {"cognitive": ["draft"]}\n</think>\n{"neurological": ["ataxia"], "cognitive": []}', ""),
        ('{"neurological": ["ataxia",], "cognitive": [],}', "comma, colon or bracket"),
        ('{"neurological": "ataxia", "cognitive": []}', "a text alone"),
        ('{"neurological": {"quote": "ataxia"}, "cognitive": []}', "an object"),
        ('{"neurological": [{"quote": "ataxia", "why": "gait"}], "cognitive": []}', "why: 1 text ('gait')"),
        ('{"neurological": [["ataxia"]], "cognitive": {}}', "a list within the list"),
        ('{"neurological": ["ataxia"], "cognitive": null}', "null"),
        ('{"neurological": ["ataxia", null], "cognitive": []}', "null"),
        ('{"neurological": ["ataxia", "", " \\n"], "cognitive": []}', "2 empty texts"),
        ('{"NEUROLOGICAL": ["ataxia"], " Cognitive": []}', "The key ' Cognitive' was read as 'cognitive'"),
        ('{"findings": {"neurological": ["ataxia"], "cognitive": []}}', "within 'findings'"),
        ('{"Neuro": {"neurological": ["ataxia"], "cognitive": []}}', "within 'Neuro'"),
        ('{"neurological": ["ataxia"]}\n{"cognitive": []}', ""),
        ('[{"neurological": ["ataxia"]}, {"cognitive": []}]', "A list stands around"),
        ('{"neurological": ["ataxia"] "cognitive": []}', "comma, colon or bracket"),
        ('{"neurological": ["ataxia"], "cognitive": []}}', "'}'"),
        ('{"neurological": ["ataxia"], "cognitive": [], "motor": ["gait", 1]}', "'motor' was not asked for"),
        ('{"neurological": ["ataxia"], "cognitive": [], "analysis": "so"}', "reasons"),
    ],
)
def test_an_answer_in_another_dress_is_an_answer_and_the_dress_is_named(text: str, fault: str) -> None:
    reply = parse_reply(text, NEURO)
    assert reply.quotes == (ReplyQuote("Neuro", "neurological", "ataxia"),)
    assert reply.answered == ("Neuro",)
    assert reply.complete
    assert not fault or named(reply, fault), reply.problems


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"neurological": ["ataxia", 37.5], "cognitive": []}', ["ataxia"]),
        ('{"neurological": ["ataxia"], "cognitive": NaN}', ["ataxia"]),
        ('{"neurological": ["ataxia"], "cognitive": }', ["ataxia"]),
        ('{"neurological": ["ataxia", true, "tremor"], "cognitive": []}', ["ataxia", "tremor"]),
        ('{"neurological": ["ataxia" "tremor"], "cognitive": []}', ["ataxia", "tremor"]),
        ('{"neurological": ["ataxia"}', ["ataxia"]),
        (
            '{"neurological": ["he said "no" to it", "tremor"], "cognitive": []}',
            ["he said ", " to it", "tremor"],
        ),
        (
            '{"neurological": ["ataxia"], "neurological": ["tremor", 3], "cognitive": []}',
            ["ataxia", "tremor"],
        ),
        ("['ataxia']", []),
        ("I am sorry, but I cannot help with that.", []),
        ('{"motor": ["gait"]}', []),
        ("", []),
        (" \n", []),
        ("null", []),
    ],
)
def test_where_anything_may_be_lost_the_category_is_not_answered(text: str, kept: list[str]) -> None:
    reply = parse_reply(text, NEURO)
    assert quotes(reply) == kept
    assert reply.answered == ()
    assert reply.problems


def test_a_thought_that_never_ends_is_no_answer() -> None:
    reply = parse_reply('<think>{"neurological": ["draft"], "cognitive": []}', NEURO)
    assert reply.quotes == ()
    assert reply.cut
    assert not reply.complete


def test_keys_may_come_in_the_order_of_the_alphabet() -> None:
    reply = parse_reply('{"cognitive": ["normal"], "neurological": ["ataxia"]}', NEURO)
    assert reply.quotes == (
        ReplyQuote("Neuro", "cognitive", "normal"),
        ReplyQuote("Neuro", "neurological", "ataxia"),
    )
    assert reply.problems == ()


def test_both_lists_of_a_repeated_key_are_kept_and_named() -> None:
    reply = parse_reply('{"neurological": ["a"], "cognitive": [], "neurological": ["b"]}', NEURO)
    assert quotes(reply) == ["a", "b"]
    assert reply.answered == ("Neuro",)
    assert named(reply, "'neurological' comes 2 times")


def test_texts_under_an_unknown_key_are_counted_and_named_but_are_no_quotes() -> None:
    reply = parse_reply('{"quotes": [], "others": ["one", "two", "three", "four"]}', ALONE)
    assert reply.quotes == ()
    assert named(reply, "'others'", "4 texts", "'one', 'two', 'three' and 1 more")


@pytest.mark.parametrize(
    "text", ['["a", "b"]', '[{"quote": "a"}, {"quote": "b"}]', '{"findings": ["a", "b"]}']
)
def test_where_one_list_is_asked_for_a_list_will_do(text: str) -> None:
    reply = parse_reply(text, ALONE)
    assert reply.quotes == (ReplyQuote("GU", "", "a"), ReplyQuote("GU", "", "b"))
    assert reply.complete
    assert named(reply, "A list stands in place of the object")


def test_a_list_beside_an_answer_is_named_and_not_taken_for_it() -> None:
    reply = parse_reply('Of ["x", "y"] I choose: {"quotes": ["a"]}', ALONE)
    assert quotes(reply) == ["a"]
    assert named(reply, "beside the answer", "'x', 'y'")


def test_a_quote_that_speaks_of_thought_is_a_quote() -> None:
    reply = parse_reply('{"quotes": ["ataxia </think>", "<think>"]}', ALONE)
    assert quotes(reply) == ["ataxia </think>", "<think>"]
    assert reply.problems == ()


def test_where_several_lists_are_asked_for_one_list_says_nothing() -> None:
    reply = parse_reply('["a", "b"]', NEURO)
    assert reply.quotes == ()
    assert named(reply, "2 texts", "'a', 'b'")


def test_reasoning_is_kept_and_must_stand_before_the_findings() -> None:
    before = parse_reply(
        '{"analysis": "gait", "findings": {"neurological": ["a"], "cognitive": []}}', REASONED
    )
    behind = parse_reply(
        '{"findings": {"neurological": ["a"], "cognitive": []}, "analysis": "gait"}', REASONED
    )
    assert before.analysis == behind.analysis == "gait"
    assert before.quotes == behind.quotes
    assert before.problems == ()
    assert named(behind, "behind the findings")


def test_findings_without_the_wrapper_or_without_reasoning_are_kept_and_named() -> None:
    reply = parse_reply('{"neurological": ["a"], "cognitive": []}', REASONED)
    assert quotes(reply) == ["a"]
    assert named(reply, "outside 'findings'")
    assert named(reply, "Missing", "'analysis'")


@pytest.mark.parametrize("findings", ['["a", "b"]', '"a"', "null"])
def test_findings_that_are_no_object_answer_nothing(findings: str) -> None:
    reply = parse_reply('{"analysis": "gait", "findings": ' + findings + "}", REASONED)
    assert reply.quotes == ()
    assert reply.answered == ()
    assert named(reply, "Under 'findings' stands no object", "'a'" if "a" in findings else "0 texts")


def test_reasoning_that_is_cut_is_kept_as_far_as_it_came() -> None:
    reply = parse_reply('{"analysis": "The gait was \\u00e9', REASONED)
    assert reply.analysis == "The gait was é"
    assert reply.cut
    assert named(reply, "Missing", "'neurological', 'cognitive'")


def test_control_characters_and_unknown_escapes_are_read_and_named() -> None:
    reply = parse_reply('{"quotes": ["two\nlines\tand", "patient\\\'s", "\\u0041\\/\\\\"]}', ALONE)
    assert quotes(reply) == ["two\nlines\tand", "patient's", "A/\\"]
    assert reply.complete
    assert named(reply, "control characters")
    assert named(reply, "escape")
    assert quotes(parse_reply('{"quotes": ["a\\u12"]}', ALONE)) == ["au12"]


def test_half_a_character_is_replaced_and_named() -> None:
    reply = parse_reply('{"quotes": ["a \\ud83d b", "\ude00", "\\ud83d\\ude00", "\ufffd!"]}', ALONE)
    assert quotes(reply) == ["a \ufffd b", "\ufffd", "😀", "\ufffd!"]
    assert named(reply, "half a character", "2 times")


def test_half_a_character_at_the_end_of_a_cut_reply_is_no_fault_of_its_own() -> None:
    reply = parse_reply('{"analysis": "\\ud83d\\ude00 gait \\ud83d', REASONED)
    assert (reply.analysis, reply.cut) == ("😀 gait ", True)
    assert not named(reply, "half a character")


def test_a_quote_that_is_repeated_is_kept_once_and_counted() -> None:
    reply = parse_reply(
        '{"neurological": [' + '"ataxia", ' * 500 + '"tremor"], "cognitive": ["ataxia"]}', NEURO
    )
    assert [(quote.field, quote.quote) for quote in reply.quotes] == [
        ("neurological", "ataxia"),
        ("neurological", "tremor"),
        ("cognitive", "ataxia"),
    ]
    assert named(reply, "500 times", "'ataxia'")


@pytest.mark.parametrize("opening", ["[", "{", '{"quotes":', '{"quotes":[', '[{"a":'])
def test_ten_thousand_brackets_are_read_like_any_other(opening: str) -> None:
    unclosed = parse_reply('{"quotes": ["a", ' + opening * 10_000, ALONE)
    assert quotes(unclosed)[:1] == ["a"]
    assert unclosed.cut
    assert unclosed.answered == ()


def test_texts_within_ten_thousand_lists_are_kept() -> None:
    reply = parse_reply('{"quotes": ' + "[" * 10_000 + '"a"' + "]" * 10_000 + "}", ALONE)
    assert quotes(reply) == ["a"]
    assert not reply.cut
    assert reply.answered == ()


def test_what_stands_behind_ten_thousand_lists_is_kept() -> None:
    reply = parse_reply('{"quotes": [' + "[" * 10_000 + "]" * 10_000 + ', "a"], "quotes": ["b"]}', ALONE)
    assert quotes(reply) == ["a", "b"]
    assert not reply.cut


@pytest.mark.parametrize("noise", ["[", "\\", '"', '{"": ', '{"a":1},', '"\\ud83d",'])
def test_noise_without_end_is_read_once_and_named_in_few_words(noise: str) -> None:
    reply = parse_reply('{"quotes": ["a", ' + noise * (80_000 // len(noise)), ALONE)
    assert quotes(reply)[:1] == ["a"]
    assert sum(map(len, reply.problems)) < 20_000


def test_problems_without_end_are_counted() -> None:
    keys = ", ".join(f'"key {number}": ["{number}"]' for number in range(1000))
    reply = parse_reply('{"quotes": [], ' + keys + "}", ALONE)
    assert len(reply.problems) < 50
    assert named(reply, "Beside these, 960 other things")


def test_random_noise_is_read_alike_every_time() -> None:
    noise = "".join(random.Random(3).choices('[]{}",: ab\\0nu', k=50_000))
    assert parse_reply(noise, ALL) == parse_reply(noise, ALL)


def test_a_reply_is_parsed_once_however_often_it_is_read() -> None:
    text = valid(ALL, {"GU": ["dark urine"]})
    assert ALL.read(text).value is ReplyForm(dict(ALL.lists)).read(text).value
    assert ReplyForm(ALL.lists, analysis=True).read(text).value is not ALL.read(text).value


def test_quotes_without_number_are_bounded_and_those_left_out_are_counted() -> None:
    form = ReplyForm({"skin": ("DERM", ""), "other": ("GI", "")})
    reply = form.read(json.dumps({"skin": [f"rash {n}" for n in range(10_000)], "other": ["colic"]})).value
    assert len(reply.quotes) == 1001
    assert reply.answered == ("GI",)
    assert reply.problems == ("Under 'skin', all but the first 1000 quotes were left out: 9000.",)
