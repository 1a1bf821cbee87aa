"""A list of findings is read as the same entries however a model writes it down."""

from __future__ import annotations

import json
from typing import Any

import pytest

from extractors.tasks.listed import listed

FIRST, SECOND = ("long fingers", "Arachnodactyly"), ("fits", "Seizure")


def objects(words: str, name: str, state: str, values: tuple[Any, Any]) -> str:
    """Both as JSON, under these keys; `values` say that the one is there and the other is not."""
    pairs = zip((FIRST, SECOND), values, strict=True)
    return json.dumps([{words: one[0], name: one[1], state: said} for one, said in pairs])


KEYED = [
    objects("quote", "term", "polarity", ("present", "negated")),
    objects("entity", "name", "excluded", (False, True)),
    objects("Text", "HPO term", "negated", ("no", "yes")),
    objects("span", "label", "present", (True, False)),
    f"```json\n{objects('evidence', 'standard', 'observed', ('yes', 'absent'))}\n```",
    f'{{"findings": {objects("mention", "phenotype", "status", ("affirmed", "denied"))}}}',
    '{"analysis": "He has long fingers.", "findings": '
    f"{objects('quote', 'hpo_name', 'negated', (False, True))}}}",
    f'{objects("phrase", "hpo_name", "status", ("positive", "excluded"))[:-1]}, {{"phrase": ',
]
WRITTEN = [
    "1. long fingers: Arachnodactyly\n2. fits: Seizure: absent",
    "- long fingers -> Arachnodactyly\n- fits -> Seizure -> negated",
    "long fingers\tArachnodactyly\tpresent\nfits\tSeizure\tabsent",
    "| entity | term | status |\n|---|---|---|\n| long fingers | Arachnodactyly | present |\n"
    "| fits | Seizure | no |",
    "| # | Text | HPO id | Label | Excluded |\n|---|---|---|---|---|\n"
    "| 1 | long fingers | HP:0001166 | Arachnodactyly | present |\n| 2 | fits | | Seizure | denied |",
    "<think>1. no</think>Answer:\n* long fingers => Arachnodactyly\n* fits => **Seizure** | false\n\n"
    "I hope so:",
    "1. The fingers are long. So I name it.\n2. Then he fits. I name it, too.\n\n"
    "1) long fingers - Arachnodactyly\n2) fits - Seizure - excluded",
]


@pytest.mark.parametrize("reply", KEYED)
def test_keys_tell_what_the_report_says_what_it_is_and_whether_it_is_denied(reply: str) -> None:
    found = listed(reply)
    assert [(one.quote, one.words, one.denied) for one in found.entries] == [(*FIRST, False), (*SECOND, True)]
    assert found.whole == (not reply.endswith(": "))
    assert not found.problems or not found.whole


def test_reasoning_beside_pairs_is_no_entry() -> None:
    found = listed('{"analysis": "He has them.", "long fingers": "Arachnodactyly"}').entries
    assert [(one.quote, one.words) for one in found] == [FIRST]


@pytest.mark.parametrize("reply", WRITTEN)
def test_lines_bullets_arrows_and_tables_are_entries_without_their_head_and_talk(reply: str) -> None:
    found = listed(reply)
    assert [(one.parts, one.denied) for one in found.entries] == [(FIRST, False), (SECOND, True)]
    steps = ("2 lines beside the list were left out.",) if "So I" in reply else ()
    assert (found.whole, found.problems) == (True, steps)


@pytest.mark.parametrize(
    ("reply", "whole"),
    [("", False), ("None.", True), ("[]", True), ("There are no phenotypes.", True), ("N/A", True)],
)
def test_nothing_is_an_answer_where_it_is_said(reply: str, *, whole: bool) -> None:
    found = listed(reply)
    assert (found.entries, found.whole) == ((), whole)
