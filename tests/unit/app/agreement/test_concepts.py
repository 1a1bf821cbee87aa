"""Agreement on what quotes stand for: exact, and by distance in the hierarchy."""

from __future__ import annotations

import pytest

from app.agreement.compare import compare
from app.agreement.output.tables import to_json, to_table
from app.agreement.types import Item, ReportPair
from extractors.model.coding import Coding
from extractors.model.finding import Polarity
from extractors.terminology.hierarchy import distance
from extractors.terminology.library import open_terminology

SEIZURE, FOCAL, FEVER, ATAXIA = "HP:0001250", "HP:0007359", "HP:0001945", "HP:0001251"


def item(code: str = "", polarity: Polarity = "present", terminology: str = "HPO") -> Item:
    coded = (Coding(terminology, "2025-01-16", code, code, "", "human"),) if code else ()
    return Item(f"words of {code}", 0, 5, polarity, "", coded)


def scores(left: list[Item], right: list[Item]) -> tuple[float | None, ...]:
    report = ReportPair("R", "R", {"Neuro": tuple(left)}, {"Neuro": tuple(right)}, "some text")
    found = compare([report], ["Neuro"], "Ann", "Ben", "paper").pooled.scores
    return found["concept_f1"], found["concept_nearness"]


def test_without_any_concept_both_are_undefined_and_say_why() -> None:
    assert scores([item()], [item()]) == (None, None)
    report = ReportPair("R", "R", {"Neuro": (item(),)}, {"Neuro": (item(),)}, "some text")
    agreement = compare([report], ["Neuro"], "Ann", "Ben", "paper")
    assert to_json(agreement)["pooled"]["reasons"]["concept_f1"] == "Neither Ann nor Ben has a concept here."
    assert "concepts" not in to_table(agreement)


def test_equal_concepts_count_once_and_denied_ones_are_others() -> None:
    assert scores([item(SEIZURE), item(SEIZURE)], [item(SEIZURE)]) == (1.0, 1.0)
    assert scores([item(SEIZURE)], [item(SEIZURE, "negated")]) == (0.0, 0.0)
    assert scores([item(SEIZURE), item(FEVER)], [item(SEIZURE)])[0] == pytest.approx(2 / 3)
    assert scores([item(SEIZURE)], []) == (0.0, 0.0)


def test_other_concepts_count_by_their_way_through_the_hierarchy_one_to_one() -> None:
    hpo = open_terminology("HPO")
    rows = {code: hpo.row(code) or 0 for code in (SEIZURE, FOCAL, ATAXIA)}
    near, far = distance(hpo, rows[SEIZURE], rows[FOCAL]), distance(hpo, rows[ATAXIA], rows[FOCAL])
    assert near == 1
    assert scores([item(SEIZURE)], [item(FOCAL)]) == pytest.approx((0.0, 0.5))
    both = scores([item(SEIZURE), item(ATAXIA)], [item(FOCAL), item(ATAXIA)])
    assert both == pytest.approx((0.5, (2 * 1 + 2 * 0.5) / 4))
    assert far is not None
    assert scores([item(ATAXIA)], [item(FOCAL)]) == pytest.approx((0.0, 1 / (1 + far)))
    # A cluster stands where its first stem does, and a code that is not there nowhere.
    assert scores([item(SEIZURE)], [item(f"{FOCAL}&X/{FEVER}")]) == pytest.approx((0.0, 0.5))
    assert scores([item(SEIZURE)], [item("HP:X")]) == scores([item("HP:X")], [item(SEIZURE)]) == (0.0, 0.0)
    assert scores([item("X1", terminology="none")], [item("X2", terminology="none")]) == (0.0, 0.0)


def test_the_table_has_them_where_there_are_concepts() -> None:
    report = ReportPair("R", "R", {"Neuro": (item(SEIZURE),)}, {"Neuro": (item(FOCAL),)}, "some text")
    assert "concepts" in to_table(compare([report], ["Neuro"], "Ann", "Ben", "paper"))
