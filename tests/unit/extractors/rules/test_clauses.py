"""Where one clause of a sentence ends and the next begins."""

from __future__ import annotations

import pytest

from extractors.rules.clauses import clauses
from extractors.rules.lexicon import load_lexicon
from extractors.rules.reading import read


def cut(text: str) -> list[str]:
    reading = read(text, load_lexicon())
    found = clauses(reading, 0, len(reading.words))
    return [text[reading.starts[one.first] : reading.ends[one.last - 1]] for one in found]


@pytest.mark.parametrize(
    ("told", "parts"),
    [
        # Behind an aside on a relative a clause on the patient begins, behind another none.
        ("He, whose mother has fits, had ataxia.", ["He, whose mother has fits,", "had ataxia."]),
        ("He, whose cough was dry, had ataxia.", ["He, whose cough was dry, had ataxia."]),
        ("The boy whose mother has fits, had ataxia.", ["The boy whose mother has fits, had ataxia."]),
        # A verb behind "who" is none of the clause's own; an adverbial without one behind it ends nowhere.
        ("She was pale, a girl who had fits.", ["She was pale, a girl who had fits."]),
        ("After weaning, the same fits.", ["After weaning, the same fits."]),
        # Nor is one behind another sign.
        (
            "She was pale, her skin, cold to touch, was red.",
            ["She was pale, her skin, cold to touch, was red."],
        ),
        ("She was pale, her skin: it was red.", ["She was pale, her skin: it was red."]),
        ("She was pale, her skin; it was red.", ["She was pale, her skin;", "it was red."]),
    ],
)
def test_only_an_aside_on_a_relative_ends_a_clause_with_its_comma(told: str, parts: list[str]) -> None:
    assert cut(told) == parts


def test_behind_an_adverbial_a_list_begins_with_its_first_member() -> None:
    told = "TSH, T3 and T4 were low."
    assert cut(f"On May 5, {told}") == ["On May 5,", told]
    assert cut("On May 5, 2019, T3 and T4 fell.") == ["On May 5, 2019,", "T3 and T4 fell."]
    assert cut("After weaning, at school, T3 and T4 fell.") == [
        "After weaning, at school,",
        "T3 and T4 fell.",
    ]


@pytest.mark.parametrize("begun", ["She was pale,", "She was pale and", "After weaning,"])
@pytest.mark.parametrize("aside", ["", "(16 cm)", "(16 (12), tender)", "[16 (8 (4)), soft]", "16 cm)"])
def test_what_stands_in_brackets_cuts_no_clause_however_deep(begun: str, aside: str) -> None:
    told = f"her liver {aside} was enlarged."
    assert cut(f"{begun} {told}") == [begun, told]


def test_members_keep_their_link_and_who_was_admitted_is_no_subject_of_what_follows() -> None:
    for told, verb, chunks in (
        ("fever and cough", -1, ["fever", "and cough"]),
        ("A girl with fits was admitted pale", 0, ["A girl", "with fits", "was admitted pale"]),
    ):
        reading = read(told, load_lexicon())
        (found,) = clauses(reading, 0, len(reading.words))
        assert found.verb == verb
        assert [told[reading.starts[a] : reading.ends[b - 1]] for a, b in found.chunks] == chunks
