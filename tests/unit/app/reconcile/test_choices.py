"""What may be decided on a difference, and what then holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.reconcile.gold import CHOICES, as_text_has_it, choices_for, concepts_after, each_code_once, outcome
from extractors.model.coding import Coding
from extractors.model.finding import Finding
from tests.unit.app.reconcile.marks import TEXT, mark, only


def quotes(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(one.category, one.quote) for one in findings]


def test_each_side_can_be_taken_or_both_or_none() -> None:
    one = only([mark("liver was enlarged", "GI")], [mark("liver was enlarged", "DERM")])
    assert quotes(outcome(one, "left", TEXT)) == [("GI", "liver was enlarged")]
    assert quotes(outcome(one, "right", TEXT)) == [("DERM", "liver was enlarged")]
    assert len(outcome(one, "both", TEXT)) == 2
    assert outcome(one, "neither", TEXT) == outcome(one, "ask", TEXT) == ()


def test_the_silent_side_taken_leaves_nothing() -> None:
    one = only([mark("fever")], [])
    assert outcome(one, "right", TEXT) == ()
    assert quotes(outcome(one, "both", TEXT)) == [("GI", "fever")]


def test_merged_keeps_the_lefts_polarity_and_whichever_field_there_is() -> None:
    one = only(
        [mark("spleen was not", polarity="negated")], [mark("was not palpable", field="gastrointestinal")]
    )
    (merged,) = outcome(one, "merged", TEXT)
    assert (merged.quote, merged.polarity, merged.field) == (
        "spleen was not palpable",
        "negated",
        "gastrointestinal",
    )


def test_of_a_code_that_both_sides_give_the_lefts_release_and_onset_stay() -> None:
    left = Coding("HPO", "2026-01", "HP:0001945", "Fever", "", "human", "P3D")
    right = replace(left, release="2025-01", onset="")
    marks = [replace(mark("fever"), concepts=(one,)) for one in (left, right)]
    assert each_code_once(marks) == (replace(left, origin="accepted"),)


def test_each_of_several_spans_keeps_its_own_concepts_and_one_for_both_has_them_all() -> None:
    codes = tuple(Coding("HPO", "", f"HP:{number}", "", "", "accepted") for number in "12")
    ours = [
        replace(mark(word), concepts=(one,))
        for word, one in zip(("liver", "was enlarged"), codes, strict=True)
    ]
    one = only(ours, [mark("The liver was")])
    own = [concepts_after(one, "left", finding) for finding in outcome(one, "left", TEXT)]
    assert own == [codes[:1], codes[1:]]
    assert concepts_after(one, "merged", outcome(one, "merged", TEXT)[0]) == codes


@pytest.mark.parametrize(
    ("one", "refused"),
    [
        (only([mark("fever")], [mark("fever", polarity="negated")]), {"both", "merged"}),
        (only([mark("fever")], []), {"merged"}),
        (only([mark("fever", "GI")], [mark("fever", "DERM")]), {"merged"}),
        (only([mark("liver was")], [mark("liver")]), set()),
    ],
)
def test_what_cannot_stand_together_is_not_offered(one: object, refused: set[str]) -> None:
    from app.reconcile.types import Difference

    assert isinstance(one, Difference)
    assert set(CHOICES) - set(choices_for(one)) == refused


def test_a_choice_that_is_not_offered_has_no_outcome() -> None:
    with pytest.raises(ValueError, match="merged"):
        outcome(only([mark("fever")], []), "merged", TEXT)


def test_a_quote_that_was_placed_loosely_becomes_what_the_text_says() -> None:
    start = TEXT.index("The liver")
    loose = Finding("GI", "the  Liver", start, start + 9, grounding="normalised", reason="White space.")
    (exact,) = as_text_has_it([loose, loose], TEXT)
    assert (exact.quote, exact.grounding, exact.reason) == ("The liver", "exact", "")


def test_a_quote_without_a_place_stays_as_it_is() -> None:
    lost = mark("jaundice of the sclerae").finding
    assert as_text_has_it([lost], TEXT) == (lost,)
