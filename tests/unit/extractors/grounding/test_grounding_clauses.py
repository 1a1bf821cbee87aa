"""What the text says of one thing is not placed as said of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractors.grounding import Grounder
from extractors.model.finding import PLACED

TABLE = Path(__file__).parents[3] / "data" / "grounding" / "coordination.tsv"


def read_table() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of text and quote: those that contradict each other, and those that say the same."""
    text, against, alike = "", list[tuple[str, str]](), list[tuple[str, str]]()
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        mark, said = line.split("\t")
        if mark == "text":
            text = said
        else:
            (against if mark == "-" else alike).append((text, said))
    return against, alike


CONTRADICTIONS, PARAPHRASES = read_table()


def test_the_table_holds_enough_of_both() -> None:
    assert len(CONTRADICTIONS) >= 150
    assert len(PARAPHRASES) >= 100


@pytest.mark.parametrize(("text", "quote"), CONTRADICTIONS)
def test_a_quote_that_recombines_clauses_is_not_placed(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status not in PLACED


@pytest.mark.parametrize(("text", "quote"), PARAPHRASES)
def test_a_quote_that_says_the_same_of_the_same_thing_is_placed(text: str, quote: str) -> None:
    found = Grounder(text).ground(quote)
    assert found.status in PLACED, found.reason


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Ejection fraction was 35-40%.", "Ejection fraction was 35"),
        ("TSH was suppressed and free T4 was high.", "suppressed and free T4"),
        ("No fever or cough was reported.", "fever or cough"),
    ],
)
def test_the_very_words_stay_exact_whatever_stands_around_them(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status == "exact"


@pytest.mark.parametrize(
    ("text", "quote", "reason"),
    [
        ("TSH was suppressed and free T4 was high.", "free T4 was suppressed", "says of one thing"),
        ("Ejection fraction was 35-40%.", "ejection fraction 35%", "range"),
        ("Ejection fraction was 35%.", "ejection fraction 35-40%", "range"),
        ("She had no seizures but had ataxia.", "no seizures or ataxia", "negate"),
        ("There was weakness of the right leg.", "weakness of both legs", "legs"),
        ("There was no rash. Fever, chills came.", "no rash, fever, or chills", "negate"),
        ("She had fever, denied.", "no fever", "negate"),
        ("Glucose 7.2 mmol/L, lactate 4.", "lactate 7.2", "belongs to something else"),
        ("Fever preceded the rash.", "rash preceded the fever", "changed places"),
    ],
)
def test_the_reason_says_what_was_recombined(text: str, quote: str, reason: str) -> None:
    found = Grounder(text).ground(quote)
    assert found.status == "conflict"
    assert reason in found.reason


@pytest.mark.parametrize("gap", [" and ", ", while ", "; ", ". ", ", "])
def test_a_predicate_stays_with_its_subject_whatever_joins_the_clauses(gap: str) -> None:
    grounder = Grounder(f"Cortisol was elevated{gap}renin was suppressed.")
    for quote in (
        "renin was elevated",
        "elevated renin",
        "suppressed cortisol",
        "cortisol and renin were elevated",
    ):
        assert grounder.ground(quote).status not in PLACED
    for quote in ("elevated cortisol", "suppressed renin", "renin suppressed"):
        assert grounder.ground(quote).status in PLACED


def test_a_change_from_one_value_to_another_is_no_range() -> None:
    grounder = Grounder("Hb had increased from 54 to 112 g/L. Sodium ranged from 121 to 128 mmol/L.")
    assert grounder.ground("Hb increased to 112 g/L").status in PLACED
    assert grounder.ground("sodium was 121 mmol/L").status not in PLACED
