"""What a wrong span may be made of."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from app.operations.bias.seeding_rules import SourceReport, make_mistakes
from app.operations.project.seeded_errors import is_mistaken, overlap
from app.store.annotate.annotations import Annotation
from extractors.model.document import Section
from extractors.model.finding import Finding

TEXT = "The roof was red. Snow fell early, snow had closed the road. Snow fell early. All was calm."


def test_spurious_words_stand_once_in_the_text() -> None:
    report = SourceReport("", TEXT, (), (), (), frozenset())
    shown = {TEXT[start:end] for start, end in report.fragments}
    assert {"The roof was red", "snow had closed the road", "All was calm."} <= shown
    assert "Snow fell early" not in shown
    assert "Snow fell early." in shown
    assert all(TEXT.count(one) == 1 for one in shown)
    section = Section("Snow", ("Snow",), 0, TEXT.index("Snow"), (), "excluded")
    inside = SourceReport("", TEXT, (section,), (), (), frozenset()).fragments
    assert {TEXT[start:end] for start, end in inside} == shown - {"The roof was red", "The roof was red."}
    named = replace(section, heading="All was calm.", role="case")
    kept = SourceReport("", TEXT, (named,), (), (), frozenset()).fragments
    assert {TEXT[start:end] for start, end in kept} == shown - {"All was calm."}


def test_spurious_words_share_none_that_tells_with_what_anybody_has_in_the_category() -> None:
    finding = Finding("GI", "Snow fell", 18, 27)
    own = Annotation("a", "", "", finding, finding.quote, "model", 0, "", None, (), None, "")
    report = SourceReport("", TEXT, (), (own, own), (finding,), frozenset())
    made = [make_mistakes([report], 9, ["spurious"], Random(seed)) for seed in range(8)]
    # No words are given out twice.
    assert all({one.finding.quote for one in some} == {"The roof was red", "All was calm"} for some in made)


def test_what_anybody_says_of_a_place_is_told_by_category_polarity_and_overlap() -> None:
    said = (
        Finding("GI", "roof", 4, 8, "", "negated"),
        Finding("CVS", "x", None, None, grounding="ungrounded"),
    )
    report = SourceReport("", TEXT, (), (), said, frozenset())
    assert report.says("GI", (7, 9))
    assert report.says("GI", (7, 9), "negated")
    assert not report.says("GI", (7, 9), "present")
    assert not report.says("GI", (8, 9))
    assert not report.says("CVS", (4, 8))
    assert [report.count_words(*place) for place in ((0, 16), (1, 16), (0, 0), (4, 9))] == [4, 3, 0, 1]


def test_a_span_whose_category_is_the_only_one_asked_for_gets_no_wrong_label() -> None:
    def mistakes(looked_at: frozenset[str], *everybody: Finding) -> list[str]:
        own = tuple(
            Annotation(str(at), "", "", one, one.quote, "model", at, "", None, (), None, "")
            for at, one in enumerate((Finding("GI", "roof", 4, 8), Finding("CVS", "Snow", 18, 22)))
        )
        report = SourceReport("", TEXT, (), own, (*(one.finding for one in own), *everybody), looked_at)
        return sorted(one.finding.category for one in make_mistakes([report], 4, ["label"], Random(1)))

    assert mistakes(frozenset({"GI"})) == ["GI"]
    assert mistakes(frozenset({"GI", "CVS"})) == ["CVS", "GI"]
    assert mistakes(frozenset({"GI", "CVS"}), Finding("CVS", "roof was", 4, 12)) == ["GI"]
    assert mistakes(frozenset()) == []


def test_a_span_made_of_a_wrong_one_is_wrong_as_long_as_it_has_what_is_wrong() -> None:
    planted = Finding("GI", "roof", 4, 8, "", "negated")
    category, polarity = replace(planted, category="CVS"), replace(planted, polarity="present")
    longer, elsewhere = replace(planted, end=9), replace(planted, start=9, end=12)
    assert {
        kind: [is_mistaken(kind, planted, now) for now in (planted, category, polarity, longer, elsewhere)]
        for kind in ("label", "boundary", "polarity", "spurious")
    } == {
        "label": [True, False, True, True, True],
        "boundary": [True, True, True, False, False],
        "polarity": [True, True, False, True, True],
        "spurious": [True, False, True, True, False],
    }


def test_a_boundary_is_moved_within_the_sentence_to_either_side() -> None:
    def moved(start: int, end: int) -> set[str]:
        finding = Finding("GI", TEXT[start:end], start, end)
        own = Annotation("a", "", "", finding, finding.quote, "model", 0, "", None, (), None, "")
        report = SourceReport("", TEXT, (), (own,), (finding,), frozenset())
        made = [make_mistakes([report], 1, ["boundary"], Random(seed)) for seed in range(8)]
        return {one.finding.quote for some in made for one in some}

    assert moved(4, 8) == {"roof was red"}
    assert moved(13, 16) == {"roof was red", "The roof was red"}
    assert moved(4, 16) == {"roof", "roof was", "was red", "red"}


def test_stretches_overlap_that_share_a_character() -> None:
    assert overlap((0, 5), (4, 9))
    assert overlap((4, 9), (0, 5))
    assert not overlap((0, 5), (5, 9))
    assert not overlap((5, 9), (0, 5))
