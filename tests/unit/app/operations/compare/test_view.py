"""What the window shows of an agreement: each number in words, and the reports behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from app.agreement.shares import Looked
from app.agreement.types import Item
from app.operations.compare.agreement import compare_sides
from app.operations.compare.annotation_sets import SideSets
from app.operations.compare.concepts import _up as lifted_to
from app.operations.compare.pair import Cells, shared_cells
from app.operations.compare.view import (
    AgreementView,
    Evidence,
    first_pair,
    list_confused,
    list_drilled_reports,
    pair_figure,
    share_lines,
    stopped_view,
    viewing_agreement,
)
from app.reconcile.types import SideQuote
from extractors.model.coding import Coding
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding
from extractors.model.progress import finished
from extractors.model.scheme import default_scheme

if TYPE_CHECKING:
    from extractors.terminology.icd11.classes import Classes

CATEGORIES = tuple(one for one in default_scheme().categories if one.id in ("Neuro", "GI", "CVS"))
NEURO, GI = "Neurology and cognition", "Gastrointestinal"


def items(*places: int) -> tuple[Item, ...]:
    return tuple(Item(f"word {place} here", place, place + 10) for place in places)


def sets() -> SideSets:
    """Both the same in R1, all of R2 in other categories, the right alone something in R3; of R4 only the
    left and a run know."""
    both: Looked = {"Neuro": items(0, 20), "GI": (), "CVS": ()}
    left: dict[str, Looked] = {
        "u1": both,
        "u2": both,
        "u3": {"Neuro": (), "GI": (), "CVS": ()},
        "u4": {"Neuro": items(5)},
    }
    right: dict[str, Looked] = {
        "u1": both,
        "u2": {"Neuro": (), "GI": items(0, 20), "CVS": ()},
        "u3": {"Neuro": items(40), "GI": ()},
    }
    return SideSets(
        CATEGORIES,
        tuple((f"u{number}", f"R{number}", f"Title {number}") for number in range(1, 6)),
        {"gold": right, "Zoe": left, "Ann": {}, "run": {"u3": right["u3"], "u4": left["u4"]}},
        {"gold": ("Gold.",), "Zoe": ("Shown the run.", "Gold."), "Ann": (), "run": ()},
        frozenset({"run"}),
    )


@pytest.fixture(scope="module")
def view() -> AgreementView:
    return finished(viewing_agreement(sets(), "Zoe", "gold", "strict", joined=False))


def behind(evidence: Evidence) -> list[tuple[str, str, int, int, list[tuple[str, int, int]]]]:
    return [
        (
            *(row.key, row.value, row.left, row.right),
            [(block.heading, len(block.left), len(block.right)) for block in row.blocks],
        )
        for row in evidence.rows
    ]


def test_a_line_is_a_category_with_its_quotes_and_every_measure_the_leading_one_first(
    view: AgreementView,
) -> None:
    assert [one.key for one in view.measures[:2]] == ["f1", "tsr"]
    assert view.main is view.measures[0]
    assert [
        (one.label, one.category, one.n, one.empty, one.left, one.right, one.figures[0].text)
        for one in view.lines
    ] == [
        (NEURO, "Neuro", 3, 0, 4, 3, "0.571"),
        ("Cardio- and cerebrovascular", "CVS", 2, 2, 0, 0, "–"),
        (GI, "GI", 3, 2, 0, 2, "0.000"),
        ("Average", "", 8, 4, 4, 5, "0.286"),
        ("All together", "", 8, 4, 4, 5, "0.444"),
    ]
    whole = {one.key: view.lines[-1].figures[place] for place, one in enumerate(view.measures)}
    assert (whole["tsr"].text, whole["tsr"].share) == ("25.00", 0.25)
    assert [key for key, one in whole.items() if one.error] == ["omission", "hallucination"]
    assert [key for key, one in whole.items() if one.text == "…"] == ["bleu_1", "bleu_4", "rouge_l"]
    assert whole["rouge_l"].share is None
    assert view.lines[1].figures[0].share is None
    stopped = [one.text for one in stopped_view(view).lines[0].figures]
    assert stopped == [one.text.replace("…", "stopped") for one in view.lines[0].figures]
    assert view.sentences == (
        "3 reports annotated by both, 8 pairs of report and category, 4 of them empty on both sides; "
        "4 quotes of Zoe (left), 5 of gold (right).",
        "1 report was annotated by Zoe and not by gold, and is in none of the scores.",
        "Shown the run.",
        "Gold.",
    )
    with pytest.raises(ProjectError):
        finished(viewing_agreement(sets(), "Zoe", "Ann", "strict"))
    itself = finished(viewing_agreement(sets(), "run", "run", "paper", joined=False))
    assert itself.sentences[0].startswith("run is on both sides")


def test_an_interval_is_drawn_as_parts_of_the_scale() -> None:
    chosen = sets()
    reports = {f"u{number}": chosen.sets["Zoe"][f"u{number % 3 + 1}"] for number in range(12)}
    gold = {f"u{number}": chosen.sets["gold"][f"u{number % 3 + 1}"] for number in range(12)}
    many = SideSets(
        CATEGORIES,
        tuple((uuid, uuid, "") for uuid in reports),
        {"Zoe": reports, "gold": gold},
        {"Zoe": (), "gold": ()},
        frozenset(),
    )
    figure = finished(viewing_agreement(many, "Zoe", "gold", "paper", joined=False)).lines[-1].figures[0]
    assert (figure.text, figure.share) == ("62.50", 0.625)
    assert figure.sentence == "All together, Token set ratio: 62.50, 95 % interval 45.16 to 78.79."
    assert [figure.low, figure.high] == pytest.approx([0.4516, 0.7879], abs=1e-4)


def test_behind_a_number_stand_the_reports_worst_first_with_the_quotes_of_both(view: AgreementView) -> None:
    whole = list_drilled_reports(view, "f1", "", sets())
    assert (whole.left, whole.right, whole.column, whole.category) == ("Zoe", "gold", "Score", "")
    assert whole.sentence == "All categories: F1 of 3 reports, lowest first."
    assert behind(whole) == [
        ("R2", "0.000", 2, 2, [(NEURO, 2, 0), (GI, 0, 2)]),
        ("R3", "0.000", 0, 1, [(NEURO, 0, 1)]),
        ("R1", "1.000", 2, 2, [(NEURO, 2, 2)]),
    ]
    missed = list_drilled_reports(view, "omission", "GI", sets())
    assert missed.sentence == f"{GI}: Omission of 3 reports, highest first."
    assert missed.category == "GI"
    assert behind(missed)[0] == ("R2", "100.0 %", 0, 2, [(GI, 0, 2)])
    assert [one.key for one in missed.rows] == ["R2", "R1", "R3"]


def test_behind_a_place_of_the_heat_map_stand_its_quotes_by_the_category_that_has_them(
    view: AgreementView,
) -> None:
    assert view.ids == ("Neuro", "CVS", "GI", "NONE")
    other, missed = list_confused(view, 0, 2), list_confused(view, 3, 0)
    assert other.sentence == f"2 quotes that Zoe has in {NEURO} and gold in {GI}."
    assert behind(other) == [("R2", "2", 2, 2, [("1 of 2", 1, 1), ("2 of 2", 1, 1)])]
    assert other.category == "Neuro"
    assert missed.sentence == f"1 quote that gold has in {NEURO} and Zoe nowhere."
    assert behind(missed) == [("R3", "1", 0, 1, [("1 of 1", 0, 1)])]
    assert missed.category == "Neuro"
    assert list_confused(view, 1, 3).rows == ()


def test_behind_a_place_the_report_with_the_most_quotes_is_the_first() -> None:
    def looked(*places: int) -> Looked:
        return {"Neuro": items(*places), "GI": (), "CVS": ()}

    known = SideSets(
        CATEGORIES,
        (("u1", "R1", "T"), ("u2", "R2", "T")),
        {"gold": {"u1": looked(0), "u2": looked(0, 20)}, "Zoe": {"u1": looked(), "u2": looked()}},
        {"gold": (), "Zoe": ()},
        frozenset(),
    )
    seen = finished(viewing_agreement(known, "Zoe", "gold", "strict", joined=False))
    assert [row[:2] for row in behind(list_confused(seen, 3, 0))] == [("R2", "2"), ("R1", "1")]


def test_sets_have_in_common_what_both_looked_at_and_reports_that_are_named_narrow_a_comparison() -> None:
    known = sets()
    assert known.alone("Zoe", "gold") == (1, 0)
    assert known.alone("run", "Zoe") == (0, 2)
    assert [pair.key for pair in known.pairs("gold", "run")] == ["R3"]
    assert (known.have_common("Zoe", "run"), known.have_common("Zoe", "Ann")) == (True, False)
    assert known.caveats_on("gold", "Zoe") == ("Gold.", "Shown the run.")
    whole, one = (compare_sides(known, "run", "gold", "strict", keys) for keys in ((), ("R3", "R4")))
    assert (whole.documents, whole.left_only, whole.right_only) == (1, 1, 2)
    assert (one.documents, one.left_only, one.right_only) == (1, 0, 0)
    assert [cell.key for cell in compare_sides(known, "Zoe", "gold", "paper", ["R2"]).cells] == ["R2"] * 3
    for keys in ((), ("R1",)):
        with pytest.raises(ProjectError, match="Zoe and Ann"):
            compare_sides(known, "Zoe", "Ann", "strict", keys)


def test_both_sides_share_the_categories_that_both_looked_at_or_that_a_copy_stands_for() -> None:
    ours: Cells = {"GI": (), "CVS": (), "Neuro": ()}
    mark = SideQuote("q", Finding("RESP", "cough", 0, 5))
    theirs: Cells = {"GI": (), "RESP": (mark,)}
    sides = ("a", "b")
    assert shared_cells(sides, ours, theirs, []) == ({"GI": ()}, {"GI": ()})
    assert shared_cells(sides, ours, theirs, ["b"]) == ({"GI": (), "RESP": ()}, {"GI": (), "RESP": (mark,)})
    assert [*shared_cells(sides, ours, theirs, ["a"])[1]] == ["GI", "CVS", "Neuro"]


def test_a_code_is_lifted_by_its_stems_that_are_known_else_it_stays() -> None:
    class Known(frozenset[str]):
        def lifted(self, code: str, level: str) -> str:
            return f"{level} of {code}"

    classes = cast("Classes", Known({"1A00", "2B10"}))
    for code, codes in (
        ("1A00", ["block of 1A00"]),
        ("1A00/2B10", ["block of 1A00", "block of 2B10"]),
        ("1A00/9Z99", ["block of 1A00"]),
        ("9Z99", ["9Z99"]),
    ):
        given = Coding("ICD11", "2026-01", code, "label", "", "human")
        assert lifted_to(classes, given, "block") == [replace(given, code=one) for one in codes]


def test_the_annotator_comes_first_then_people_then_runs_and_gold_stands_on_the_right() -> None:
    chosen, looked = sets(), sets().sets
    assert first_pair(chosen, "Ann") == ("Zoe", "gold")
    chosen = replace(chosen, sets={**looked, "Ann": looked["run"]})
    assert first_pair(chosen, "Ann") == ("Ann", "Zoe")
    assert first_pair(chosen, "gold") == first_pair(chosen, "run") == ("Zoe", "Ann")
    few = {name: looked[name] for name in ("gold", "run")}
    assert first_pair(replace(chosen, sets=few), "gold") == ("run", "gold")
    assert first_pair(replace(chosen, sets={**few, "run": {}}), "run") is None


def test_what_each_marked_is_said_by_category_and_where_nobody_looked() -> None:
    chosen = sets()
    neuro, hearts, bowels, words = share_lines([chosen.shares(one) for one in chosen.names], CATEGORIES)
    assert [neuro[0], hearts[0], bowels[0], words[0]] == [
        *(NEURO, "Cardio- and cerebrovascular", GI),
        "Words per report",
    ]
    assert [one.text for one in neuro[1]] == ["2 / 3   66.7 %", "3 / 4   75.0 %", "–", "2 / 2   100.0 %"]
    assert [one.share for one in neuro[1]] == [pytest.approx(2 / 3), 0.75, None, 1.0]
    assert [one.sentence for one in neuro[1][1:3]] == [
        f"Zoe annotated {NEURO} in 3 of 4 reports, on average with 5 annotated words.",
        f"Ann annotated no report for {NEURO}.",
    ]
    assert hearts[1][0].sentence == "gold annotated Cardio- and cerebrovascular in 0 of 2 reports."
    assert [one.text for one in words[1]] == ["5", "4", "–", "3"]
    assert [one.sentence for one in words[1][1:3]] == [
        "Zoe: 3.8 annotated words per report, 4 reports.",
        "Ann: no report annotated.",
    ]
    assert share_lines([], CATEGORIES) == ()
    figure = pair_figure(chosen.compared("Zoe", "gold", "paper"))
    assert figure.text == "66.67 (3)"
    assert figure.share == pytest.approx(2 / 3)
    assert figure.sentence == "Zoe (left) with gold (right): Token set ratio 66.67 (3 reports)."
    nothing = pair_figure(chosen.compared("Zoe", "Ann", "strict"))
    assert (nothing.text, nothing.share) == ("– (0)", None)
    assert nothing.sentence.startswith("Zoe (left) with Ann (right): F1 undefined. No report was annotated")
