"""The cards of a review as they stand, and what is said of each: no window is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.gui.modes.review.cards import CardModel, CardSizes, _below
from app.gui.modes.review.cells import Cell, Side, about, cells_of, verdict_words
from app.operations.review.items import ReportReview, ReviewRow, RowRelation
from app.store.annotate.annotations import Annotation
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme


def span(uuid: str, start: int | None, quote: str = "gout", category: str = "MSK") -> Annotation:
    end = None if start is None else start + len(quote)
    finding = Finding(category, quote, start, end, grounding="exact" if start is not None else "ungrounded")
    return Annotation(uuid, "d", "a", finding, quote, "human", 0, "", None, (), None, "")


def row(relation: RowRelation, left: Sequence[Annotation], right: Sequence[Annotation]) -> ReviewRow:
    return ReviewRow(relation, tuple(left), tuple(right))


def review(*rows: ReviewRow, **verdicts: object) -> ReportReview:
    return ReportReview("PMC1", "d", "me", "rules", rows, cast(Any, verdicts))


def test_cells_stand_in_the_texts_order_and_what_has_no_place_below_a_heading() -> None:
    late, early, lost = span("late", 90), span("early", 10), span("lost", None)
    mine, other = span("mine", 50), span("other", 40)
    there = review(
        row("ungrounded", (), (lost,)),
        row("only right", (), (late,)),
        row("overlapping", (mine, other), (span("theirs", 45),)),
        row("only left", (span("skin", 5, category="DERM"),), ()),
        row("only right", (), (early,)),
    )
    cells = cells_of(there)
    assert [(cell.left and cell.left.uuid, cell.right and cell.right.uuid) for cell in cells] == [
        ("skin", None), (None, "early"), ("other", "theirs"), ("mine", None), (None, "late"),
        (None, None), (None, "lost"),
    ]  # fmt: skip
    assert [cell.key for cell in cells][-3:] == ["late", "Without a place in the text (1)", "lost"]
    assert [cell.start for cell in cells] == [5, 10, 40, 50, 90, None, None]
    assert [cell.key for cell in cells_of(there, "DERM")] == ["skin"]
    # What both put into different categories is gone through with either.
    label = review(row("label", (span("heart", 5, category="CVS"),), (span("lung", 5, category="RESP"),)))
    assert [len(cells_of(label, one)) for one in ("CVS", "RESP", "DERM")] == [1, 1, 0]
    assert not any(cell.heading for cell in cells_of(review(row("only right", (), (late,)))))


def test_what_accepting_takes_the_place_of_is_said_by_its_number() -> None:
    for replaced, relation, words, both in (
        (0, "overlapping", "", False),
        (1, "overlapping", "replaces yours", True),
        (2, "overlapping", "replaces 2 of yours", True),
        (1, "polarity", "replaces yours", False),
    ):
        cell = Cell(cast(RowRelation, relation), replaced=replaced)
        assert (cell.replaces, cell.keeps_both) == (words, both)


def test_a_verdict_is_told_of_and_whether_what_came_of_it_is_gone() -> None:
    verdicts = {
        "none": SimpleNamespace(verdict="rejected", result=""),
        "there": SimpleNamespace(verdict="accepted", result="mine"),
        "gone": SimpleNamespace(verdict="edited", result="theirs"),
    }
    there = review(row("same", (span("mine", 5),), (span("theirs", 5),)), **verdicts)
    assert [verdict_words(there, uuid) for uuid in ("other", *verdicts)] == [
        "",
        "✗ rejected",
        "✓ accepted",
        "✎ edited, removed since",
    ]


def test_what_parts_the_two_sides_is_said_in_a_sentence() -> None:
    scheme = default_scheme()
    mine, theirs = span("mine", 10, "acute gout"), span("theirs", 16, "gout here")
    skin = replace(mine, finding=replace(mine.finding, category="DERM"))
    denied = replace(theirs, finding=replace(theirs.finding, polarity="negated"))
    lost = span("lost", None)
    reasoned = replace(lost, candidate=cast(Any, (1, 2)), finding=replace(lost.finding, reason="Twice."))
    names = tuple(scheme.category(one).name for one in ("DERM", "MSK"))
    edges = "only your set has “acute”; only the other set has “here”"
    for relation, left, right, words in (
        ("only right", None, theirs, "Only theirs: “gout here”"),
        ("only left", mine, None, "Only yours: “acute gout”"),
        ("label", skin, theirs, f"The category differs: yours {names[0]}, theirs {names[1]}: “gout here”"),
        ("polarity", mine, denied, "The polarity differs: yours present, theirs negated: “gout here”"),
        ("same", mine, theirs, "The same: “gout here”"),
        ("overlapping", mine, theirs, f"The edges differ: {edges}"),
        ("overlapping", mine, span("theirs", 11, "acute gout "), "The edges differ: in white space"),
        ("ungrounded", None, lost, "This quote was not found in the text."),
        ("conflict", None, reasoned, "Twice. A place is proposed; editing begins there."),
    ):
        assert about(Cell(cast(RowRelation, relation), left, right), scheme) == words
    # Below a quote stands what it would take the place of, and polarity where that says something.
    said = replace(reasoned, finding=replace(reasoned.finding, field="joint", grounding="fuzzy"))
    for relation, one, side, replaced, words in (
        ("overlapping", theirs, "right", 0, ""),
        ("overlapping", theirs, "right", 2, "accepting replaces 2 of yours"),
        ("overlapping", mine, "left", 2, ""),
        ("polarity", theirs, "right", 0, "present"),
        ("overlapping", denied, "left", 0, "negated"),
        ("conflict", reasoned, "right", 0, "Twice."),
        ("conflict", reasoned, "left", 0, ""),
        ("conflict", said, "right", 0, "joint · fuzzy\u2028Twice."),
    ):
        shown = Cell(cast(RowRelation, relation), replaced=replaced)
        assert _below(shown, one, cast(Side, side)) == words
    cell = Cell("overlapping", mine, theirs)
    sides = [cell.words(side) for side in ("left", "right")]
    assert [[one for one, alone in side if alone] for side in sides] == [["acute "], ["here"]]
    assert Cell("same", mine, mine).words("right") == (("acute gout", False),)
    assert Cell("only right", None, theirs).words("left") == ()


def test_why_a_quote_has_no_place_is_said_of_what_is_reviewed_and_has_none() -> None:
    for start, side, words in ((None, "right", "not there"), (5, "right", ""), (None, "left", "")):
        one = span("x", start)
        one = replace(one, finding=replace(one.finding, reason="not there"))
        cell: Any = SimpleNamespace(relation="only right", replaces="")
        assert _below(cell, one, cast(Side, side)) == words


class Reviewed(QObject):
    """As much of a review as lists ask for."""

    changed = Signal()
    cells: tuple[Any, ...] = ()


def test_a_list_of_cards_tells_of_what_changed_and_lays_it_out_anew(qapp: QApplication) -> None:
    reviewed, told = Reviewed(), list[tuple[int, int]]()
    given: Any = reviewed
    model = CardModel(given, default_scheme(), "left", reviewed)
    model.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    for marks in ("aaaa", "abac"):
        reviewed.cells = tuple(SimpleNamespace(key=at, mark=mark) for at, mark in enumerate(marks))
        reviewed.changed.emit()
    assert told == [(1, 3)]
    sizes = CardSizes(given, reviewed)
    sizes._known = cast(Any, {"a": 1})
    sizes.set_width("left", 50)
    assert sizes._known == {}
