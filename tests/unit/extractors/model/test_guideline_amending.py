"""A guideline with something added says that, and all that it said before, to the letter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.model.amending import (
    CLAUSE_SECTIONS,
    ClauseSection,
    amended,
    example_markdown,
    plain_example,
    read_example,
)
from extractors.model.errors import SchemeError
from extractors.model.guideline import SECTIONS, Example, ExampleQuote, parse_guideline
from extractors.model.scheme import default_scheme

GI = default_scheme().category("GI").guideline
BARE = "# Nails\n\n## Definition\n\nFindings of the nails.\n"
each_section = pytest.mark.parametrize("section", CLAUSE_SECTIONS)


def quote(words: str, field: str = "", *also: str) -> ExampleQuote:
    return ExampleQuote(words, field, "negated", also)


def added_lines(before: str, after: str) -> list[str]:
    """The lines that are new; fails where one of the old ones is gone or stands elsewhere."""
    old, new = before.split("\n"), []
    for line in after.split("\n"):
        if old and line == old[0]:
            old.pop(0)
        else:
            new.append(line)
    assert not old
    return new


@each_section
def test_a_clause_becomes_the_last_item_of_its_section_and_all_else_stays(section: ClauseSection) -> None:
    after = amended(GI, section, "Hiccups: `RESP`.")
    assert added_lines(GI, after) == ["- Hiccups: `RESP`."]
    items = getattr(parse_guideline(after, "GI"), section.lower())
    assert items == (*getattr(parse_guideline(GI, "GI"), section.lower()), "Hiccups: `RESP`.")


def test_a_clause_may_be_a_thousand_characters_long_and_no_longer() -> None:
    assert "x" * 1000 in amended(BARE, "Include", "x" * 1000)
    with pytest.raises(SchemeError, match="longer than 1000 characters"):
        amended(BARE, "Include", "x" * 1001)


@each_section
def test_a_missing_section_is_added_in_its_place(section: ClauseSection) -> None:
    text = BARE
    for one in (section, *(other for other in CLAUSE_SECTIONS if other != section)):
        text = amended(text, one, f"Of {one}.")
    text = amended(text, "", "", Example("One", "Brittle nails.", (quote("Brittle"),), ""))
    assert [line[3:] for line in text.split("\n") if line.startswith("## ")] == [
        "Definition",
        *(one for one in SECTIONS if one in (*CLAUSE_SECTIONS, "Examples")),
    ]
    assert text.startswith(BARE.rstrip())
    assert text.endswith("\n")
    guideline = parse_guideline(text, "nails")
    assert (guideline.include, guideline.exclude) == (("Of Include.",), ("Of Exclude.",))


def test_sections_may_be_named_in_small_letters() -> None:
    assert amended(GI, "exclude", "Hiccups.") == amended(GI, "Exclude", "Hiccups.")


def test_an_example_is_read_again_as_it_was_given_and_its_number_goes_on() -> None:
    example = Example("Normal", "No colic.", (quote("No colic", "gastrointestinal", "LYMPH"),), "")
    after = amended(GI, "", "", example)
    guideline = parse_guideline(after, "GI")
    assert guideline.examples[-1] == example
    assert f"### {len(guideline.examples)}. Normal" in after
    again = amended(after, "", "", Example("", "Nothing here.", (), "It says so."))
    assert f"### {len(guideline.examples) + 1}. Nothing to mark" in again
    assert parse_guideline(again, "GI").examples[-1].reason == "It says so."


@pytest.mark.parametrize("number", [0, 3, 40])
def test_the_number_of_an_example_is_above_all_that_are_there(number: int) -> None:
    text = GI.replace("### 2. ", f"### {number}. ", 1)
    there = [int(one) for one in re.findall(r"(?m)^### (\d+)\. ", text)]
    after = amended(text, "", "", Example("Normal", "No colic.", (quote("No colic"),), ""))
    assert f"### {max(len(there), *there) + 1}. Normal" in after


def test_clause_and_example_come_together() -> None:
    after = amended(GI, "Boundaries", "Keep it.", Example("E", "A b.", (quote("A"),), ""))
    guideline = parse_guideline(after, "GI")
    assert guideline.boundaries[-1] == "Keep it."
    assert guideline.examples[-1].text == "A b."


HOSTILE = (
    '# He said "no" - `loudly`, present; also `GI`',
    "> 5 mmol/L and ## high",
    "- nothing: at all",
    'He said "stop" - present',
    "line one\nline two\r\n\n## Exclude\n- three",
    "``` fenced ~~~",
    "\ttabs\u00a0and\u2028separators\x0b\x1c",
    "</report> <|im_end|> [INST]",
    "شعر بألم في البطن 😊 e\u0301",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_patient_changes_the_form_of_the_guideline(text: str) -> None:
    words = " ".join(text.split())
    example = Example("Said", text, (quote(words), quote(words.split()[0])), "")
    guideline = parse_guideline(amended(GI, "", "", example), "GI")
    assert guideline.examples[-1].text == words
    assert [one.quote for one in guideline.examples[-1].quotes] == [words, words.split()[0]]
    assert guideline.exclude == parse_guideline(GI, "GI").exclude


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_is_added_is_read_again_or_refused(clause: str, text: str) -> None:
    before = parse_guideline(GI, "GI")
    try:
        after = amended(GI, "Include", clause, Example("T", text, (quote(text),), ""))
    except SchemeError:
        return
    guideline = parse_guideline(after, "GI")
    assert guideline.include == (*before.include, *filter(None, [clause.strip()]))
    assert guideline.examples[:-1] == before.examples
    assert guideline.examples[-1].text == " ".join(text.split())


@pytest.mark.parametrize(
    ("section", "clause", "why"),
    [
        ("Include", "", "is empty"),
        ("Include", "  ", "is empty"),
        ("Include", "one\ntwo", "one line"),
        ("Include", "one\u2028two", "one line"),
        ("Include", "## Exclude", "cannot begin"),
        ("Include", "> quoted", "cannot begin"),
        ("Include", "- item", "cannot begin"),
        ("Definition", "Nails.", "choose one of Include, Exclude, Boundaries"),
        ("Exclude", "spleen  ALONE: `LYMPH`", "stands in Exclude already"),
    ],
)
def test_what_is_no_clause_is_refused(section: str, clause: str, why: str) -> None:
    with pytest.raises(SchemeError, match=why):
        amended(GI, section, clause)


@pytest.mark.parametrize(
    ("example", "why"),
    [
        (Example("T", " \n", (), "why"), "no text"),
        (Example("T", "Text.", (), ""), "names no quote"),
        (Example("T", "Text.", (quote("text"),), ""), "verbatim"),
        (Example("T", "Text.", (quote(""),), ""), "is empty"),
        (Example("T", "Text.", (quote("Text", "a`b"),), ""), "expected"),
    ],
)
def test_what_is_no_example_is_refused(example: Example, why: str) -> None:
    with pytest.raises(SchemeError, match=why):
        amended(GI, "", "", example)


def test_an_example_stands_once() -> None:
    there = parse_guideline(GI, "GI").examples[0]
    with pytest.raises(SchemeError, match="already"):
        amended(GI, "", "", there)


def test_nothing_to_add_is_refused() -> None:
    with pytest.raises(SchemeError, match="cannot be added to ''"):
        amended(GI, "", "")


def test_what_is_no_guideline_is_not_amended() -> None:
    with pytest.raises(SchemeError, match="must begin"):
        amended("nails", "Include", "All.")


def test_a_stored_example_is_read_again() -> None:
    for category in default_scheme().categories:
        for example in parse_guideline(category.guideline, category.id).examples:
            assert read_example(example_markdown(example, 7)) == plain_example(example) == example
