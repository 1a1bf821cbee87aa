"""Which differences one decision may settle."""

from __future__ import annotations

from app.reconcile.alike import Likeness, alike, cue, likeness
from app.reconcile.types import Difference
from tests.unit.app.reconcile.marks import TEXT, mark, only

TEXTS = {f"uuid-{key}": TEXT for key in ("R1", "R2", "R3")}


def found(one: Difference, *others: Difference) -> list[tuple[str, Likeness]]:
    return [(other.difference.report, other.likeness) for other in alike(one, others, TEXTS)]


def test_the_same_words_missing_on_the_same_side_are_alike_wherever_they_stand() -> None:
    one = only([mark("fever")], [])
    there, on_the_other_side = only([mark("fever", nth=1)], [], "R2"), only([], [mark("fever", nth=1)], "R3")
    assert found(one, there, on_the_other_side) == [("R2", "words")]


def test_another_category_or_polarity_is_not_alike() -> None:
    one = only([mark("fever")], [])
    assert (
        found(one, only([mark("fever", "DERM")], [], "R2"), only([mark("fever", "GI", "negated")], [], "R3"))
        == []
    )


def test_the_same_words_at_an_edge_are_the_same_cue() -> None:
    one = only([mark("The liver")], [mark("liver")])
    assert cue(one, TEXTS) == ("+the", "")
    other = only([mark("the spleen")], [mark("spleen")], "R2")
    turned = only([mark("spleen")], [mark("the spleen")], "R3")
    assert found(one, other, turned) == [("R2", "cue")]


def test_whole_clauses_at_an_edge_are_no_cue() -> None:
    one = only([mark("liver was enlarged 😀 and the spleen")], [mark("liver")])
    assert cue(one, TEXTS) is None


def test_polarities_in_question_under_the_same_negation_are_alike() -> None:
    one = only([mark("fever")], [mark("fever", polarity="negated")])
    assert cue(one, TEXTS) == ("present", "negated", "denied")
    outside = only([mark("fever came")], [mark("fever came", polarity="negated")], "R2")
    assert cue(outside, TEXTS) is None
    assert found(one, outside) == []


def test_the_same_pair_of_labels_is_alike_whatever_the_words() -> None:
    one = only([mark("liver", "GI")], [mark("liver", "LYMPH")])
    same_pair = only([mark("spleen", "GI")], [mark("spleen", "LYMPH")], "R2")
    turned = only([mark("spleen", "LYMPH")], [mark("spleen", "GI")], "R3")
    assert found(one, same_pair, turned) == [("R2", "labels")]


def test_the_most_alike_come_first_and_each_once() -> None:
    one = only([mark("liver", "GI")], [mark("liver", "LYMPH")])
    by_labels = only([mark("spleen", "GI")], [mark("spleen", "LYMPH")], "R2")
    by_words = only([mark("liver", "GI")], [mark("liver", "LYMPH")], "R3")
    assert found(one, by_labels, by_words, one) == [("R3", "words"), ("R2", "labels")]


def test_quotes_of_signs_alone_are_alike_by_their_signs() -> None:
    assert likeness(only([mark("😀")], [])) != likeness(only([mark(".")], []))


def test_less_and_more_at_an_edge_are_different_cues() -> None:
    less = only([mark("liver")], [mark("The liver")])
    assert cue(less, TEXTS) == ("-the", "")
    assert cue(only([mark("The liver")], [mark("liver")]), TEXTS) == ("+the", "")


def test_quotes_without_a_place_are_alike_by_their_words_alone() -> None:
    one, other = only([mark("no such words")], []), only([mark("No such words!")], [], "R2")
    assert cue(one, TEXTS) is None
    assert found(one, other) == [("R2", "words")]
