"""Which differences one decision may settle."""

from __future__ import annotations

from app.reconcile.habits import habit, head_of, singular
from app.reconcile.queue import AlikeIndex, Likeness, cue, likeness
from app.reconcile.types import Difference
from tests.unit.app.reconcile.marks import TEXT, mark, only

TEXTS = {f"uuid-{key}": TEXT for key in ("R1", "R2", "R3")}


def found(one: Difference, *others: Difference) -> list[tuple[str, Likeness]]:
    index, reports = AlikeIndex(), {other.id: other.report for other in others}
    index.add(others, TEXTS)
    return [(reports[name], likeness) for name, likeness in index.alike(one, TEXTS)]


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
    three = only([mark("liver was enlarged 😀 and")], [mark("liver")])
    assert cue(three, TEXTS) == ("", "+was enlarged 😀 and")


def test_polarities_in_question_under_the_same_negation_are_alike() -> None:
    one = only([mark("fever")], [mark("fever", polarity="negated")])
    assert cue(one, TEXTS) == ("present", "negated", "denied")
    outside = only([mark("fever came")], [mark("fever came", polarity="negated")], "R2")
    assert cue(outside, TEXTS) is None
    assert found(one, outside) == [("R2", "scope")]


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


def test_quotes_without_a_place_are_alike_by_their_words_alone() -> None:
    one, other = only([mark("no such words")], []), only([mark("No such words!")], [], "R2")
    assert cue(one, TEXTS) is None
    assert found(one, other) == [("R2", "words")]


def test_plurals_and_case_are_the_same_words() -> None:
    one = only([mark("Skin lesions", "DERM")], [])
    assert found(one, only([mark("skin lesion", "DERM")], [], "R2")) == [("R2", "words")]
    assert [singular(word) for word in ("biopsies", "masses", "biopsy", "diagnosis", "mucus", "gas")] == [
        "biopsy",
        "mass",
        "biopsy",
        "diagnosis",
        "mucus",
        "gas",
    ]


def test_the_same_last_word_in_the_same_category_is_alike() -> None:
    one = only([mark("chest pain")], [])
    other, elsewhere = only([mark("mild back pains")], [], "R2"), only([mark("back pain", "DERM")], [], "R3")
    assert found(one, other, elsewhere) == [("R2", "head")]


def test_the_same_habit_at_an_edge_is_alike_whatever_the_words_and_the_category() -> None:
    one = only([mark("The liver was")], [mark("The liver")])
    assert habit(one, TEXT) == ("+joining",)
    other = only([mark("enlarged 😀 and", "LYMPH")], [mark("enlarged", "LYMPH")], "R2")
    assert found(one, other) == [("R2", "habit")]
    assert habit(only([mark("The liver")], [mark("liver")]), TEXT) == ("+determiner",)
    assert habit(only([mark("enlarged 😀 and the")], [mark("enlarged 😀 and")]), TEXT) == ("+joining",)
    assert habit(only([mark("fever")], [mark("fever.")]), TEXT) == ("-signs",)
    assert habit(only([mark("She denied fever.")], [mark("fever")]), TEXT) is not None
    assert habit(only([mark("liver")], [mark("liver was enlarged 😀 and the")]), TEXT) == ("-clause",)


def test_a_whole_sentence_against_a_phrase_is_a_habit() -> None:
    whole = "The liver was enlarged 😀 and the spleen was not palpable."
    assert habit(only([mark(whole)], [mark("spleen")]), TEXT) == ("+sentence",)
    assert habit(only([mark("the spleen was not palpable.")], [mark("spleen")]), TEXT) != ("+sentence",)


def test_ten_words_that_one_side_alone_has_are_long() -> None:
    ten = "She denied fever. The liver was enlarged 😀 and the spleen"
    assert habit(only([mark(ten)], []), TEXT) == ("+long", "GI", "present")
    assert habit(only([], [mark(ten.removeprefix("She "))]), TEXT) is None


def test_one_span_for_several_is_a_habit() -> None:
    several = [mark("liver"), mark("enlarged")]
    assert habit(only([mark("liver was enlarged")], several), TEXT) == ("+joined",)


def test_numbers_that_one_side_alone_has_are_alike_before_all_it_alone_has() -> None:
    one = only([mark("12 mg/dl", "GI")], [])
    number, other = only([mark("3.4 g", "GI")], [], "R2"), only([mark("no ascites seen", "GI")], [], "R3")
    assert found(one, other, number) == [("R2", "habit"), ("R3", "scope")]


def test_the_widest_is_the_same_category_and_side_alone() -> None:
    one = only([mark("no ascites seen")], [])
    others = [
        only([mark("liver was enlarged")], [], "R2"),
        only([], [mark("spleen was not palpable")], "R2"),
        only([mark("spleen was not palpable", "DERM")], [], "R3"),
    ]
    assert found(one, *others) == [("R2", "scope")]


def test_quotes_without_a_word_have_no_last_one() -> None:
    assert head_of(only([mark("😀")], [])) is None
    assert head_of(only([mark("the spleen")], [])) == ((("GI", "present", "spleen"),), ())
