"""Tables and figures of the studies on evidence and on ICD-11, of scores that are made by hand."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.studies.charts import Bar, Picture, Step
from app.studies.ebmqa import tables as ebmqa
from app.studies.ebmqa.asking import ANSWERED, IDK_SAID, INVALID
from app.studies.ebmqa.words import CONTROL, NUMERIC, called
from app.studies.icd11 import scores as measured
from app.studies.icd11 import tables as icd11
from app.studies.results import Item, Row, RunScores, Score
from app.tables import Cell, Table


def scores(**given: object) -> Any:  # noqa: ANN401 (as far as they are asked for)
    plain: dict[str, object] = {"runs": {}, "rows": {}, "by": {}, "items": (), "built": (), "settings": {}}
    return SimpleNamespace(**{**plain, **given})


def figure(figures: Sequence[Any], number: str, given: Any) -> Picture | None:  # noqa: ANN401 (scores)
    made: list[Picture | None] = [one.make(given) for one in figures if one.number == number]
    return made[0]


def bars(picture: Picture | None) -> dict[str, list[tuple[str, str, float | None]]]:
    assert picture is not None
    return {one.title: [(bar.group, bar.series, bar.value) for bar in one.bars] for one in picture.panels}


def columns(table: Table[Any] | None, *names: str) -> list[tuple[object, ...]]:
    """What stands in these columns, row by row; of cells their values."""
    assert table is not None
    keys = [one.key for one in table.columns if not isinstance(one, str)]
    plain = [[one.value if isinstance(one, Cell) else one for one in row] for row in table.rows]
    return [tuple(row[keys.index(name)] for name in names) for row in plain]


def answered(
    accuracy: float | None, without: float | None, above: float | None, rate: float | None
) -> RunScores:
    names = ("accuracy", "accuracy_without_idk", "above_guess", "answer_rate")
    values = zip(names, (accuracy, without, above, rate), strict=True)
    return RunScores(2, 0, {name: Score(value, (0.0, 1.0) if value else None) for name, value in values})


def test_a_bar_is_accuracy_with_idk_where_it_was_offered_beside_what_a_guesser_gets() -> None:
    offered, never = answered(0.75, 0.5, 0.25, 0.9), answered(None, 0.5, 0.125, None)
    silent = answered(None, None, None, 0.0)
    runs = {"a": offered, "b": never, "c": silent}
    assert list(ebmqa.bars_of("G", list(runs.items()))) == [
        Bar("G", "a", 0.75, (0.0, 1.0), 0.5, 0.9),
        Bar("G", "b", 0.5, (0.0, 1.0), 0.375, None),
        Bar("G", "c", None, None, None, 0.0),
    ]
    by = {
        "type": {"plr": {"a": offered}, "x_y": {"b": never}},
        "category": {"GI": {"b": never}},
        "task": {"t": runs},
    }
    drawn = figure(ebmqa.FIGURES, "3", scores(runs=runs, by=by))
    assert bars(drawn) == {
        "All questions": [("all", "a", 0.75), ("all", "b", 0.5), ("all", "c", None)],
        "D  By type": [("positive likelihood ratio", "a", 0.75), ("x y", "b", 0.5)],
        "G  By category": [(called("category", "GI"), "b", 0.5)],
    }


def test_the_flow_goes_from_evidence_over_what_was_left_out_to_each_runs_answers() -> None:
    built = [
        {"sources": [{"file": "a", "version": "1", "rows": 12345}], "left_out": {"few": 2, "odd": 3}},
        {"sources": [{"file": f"f{n}", "rows": n} for n in range(9)], "left_out": {"few": 4}},
    ]

    def row(state: str, *, exact: bool = False, main: bool = True, offered: bool = True) -> Row:
        given = {
            "state": state,
            "exact": exact,
            "main": main,
            "offered": offered,
            "second": False,
            "credit": 1.0,
        }
        return Row(Item(f"{state}{exact}{main}", NUMERIC, {}), "A", graded=given)

    mine = [row(ANSWERED, exact=True), row(ANSWERED, exact=True, main=False), row(ANSWERED), row(IDK_SAID)]
    items = [Item("1", NUMERIC, {}), Item("2", CONTROL, {}), Item("3", NUMERIC, {})]
    picture = figure(
        ebmqa.FIGURES, "1", scores(items=items, built=built, rows={"m": mine, "n": [row(INVALID)]})
    )
    assert picture is not None
    sources = ["a 1: 12,345 rows", *(f"f{n} : {n} rows" for n in range(7))]
    assert picture.steps == [
        Step(["Evidence"], sources),
        Step(["9 left out"], ["6  few", "3  odd"]),
        Step(["3 questions"], ["1 control", "2 numeric"]),
        Step(["m", "4 questions put"],
             ["3 answered, 1 of them all right", "1 “I do not know”", "0 invalid or missing"]),
        Step(["n", "1 question put"],
             ["0 answered, 0 of them all right", "0 “I do not know”", "1 invalid or missing"], branches=True),
    ]  # fmt: skip


def test_questions_are_counted_by_every_label_and_those_in_numbers_beside_what_the_benchmark_drew() -> None:
    labels: tuple[Mapping[str, object], ...] = (
        {"subject": "symptom", "range": "low"},
        {"subject": "symptom"},
        {"subject": "disorder", "category": ["GI", "GU"]},
    )
    items = [Item(str(n), NUMERIC if n else "semantic", {}, {}, one) for n, one in enumerate(labels)]
    numbers = bars(figure(ebmqa.FIGURES, "S2", scores(items=items)))
    assert numbers["A  Subject"] == [("disorder", "questions", 1.0), ("symptom", "questions", 2.0)]
    assert [len(numbers[title]) for title in ("F  Range", "G  Category")] == [1, 2]
    assert list(numbers) == ["A  Subject", "F  Range", "G  Category"]
    drawn = figure(ebmqa.FIGURES, "S1", scores(items=items))
    assert drawn is not None
    assert [(bar.group, bar.value, bar.line) for bar in drawn.panels[0].bars] == [
        ("disorder", 1.0, 1000.0),
        ("symptom", 1.0, 1000.0),
        ("laboratory", 0.0, 1000.0),
        ("imaging", 0.0, 1000.0),
    ]
    assert figure(ebmqa.FIGURES, "S1", scores(items=items[:1])) is None
    assert figure(ebmqa.FIGURES, "S2", scores()) is None


def test_people_are_drawn_with_one_sd_each_way() -> None:
    options = {"question": "q", "options": [{"key": "A", "text": "a"}, {"key": "B", "text": "b"}]}
    item = Item("i", "existence", options, {"correct": ["A"], "guess": {"majority": 0.25}})

    def row(credit: float, *, offered: bool = True) -> Row:
        return Row(item, "A", graded={"state": ANSWERED, "credit": credit, "offered": offered, "kept": False,
                                      "second": False})  # fmt: skip

    rows = {"ann": [row(1.0)], "ben": [row(0.0)], "cas": [row(0.5, offered=False)]}
    given = scores(rows=rows, settings={name: {"kind": "person"} for name in rows})
    picture = figure(ebmqa.FIGURES, "2", given)
    assert picture is not None
    sd = pytest.approx((0.5 - 0.5**0.5, 0.5 + 0.5**0.5))
    assert [(one.series, one.value, one.interval, one.line) for one in picture.panels[0].bars] == [
        ("with IDK", 0.5, sd, 0.25),
        ("without IDK", 0.5, None, 0.25),
    ]
    table = ebmqa.people_and_prompts(given)
    assert columns(table, "left", "left_arm", "right", "right_arm", "right_mean") == [
        ("people", "idk", "majority", None, 0.25),
        ("people", "no idk", "majority", None, 0.25),
        ("people", "idk", "people", "no idk", 0.5),
    ]
    # Where a question does not say what the most frequent answer gets, that is counted.
    own = Item("j", "existence", options, {"correct": ["B"]})
    more = {**rows, "cas": [*rows["cas"], Row(own, "A", graded=rows["cas"][0].graded)]}
    assert ebmqa.majority_of(scores(rows=more)) == 0.5
    # What people got does not count for a run of theirs that is none.
    assert figure(ebmqa.FIGURES, "2", scores(rows={"m": [row(1.0)]}, settings={"m": {}})) is None


CLASSES = [{"name": name, "admissions": number} for name, number in (("gout", 5), ("ague", 2))]
BUILT = {"min_count": 1, "classes": CLASSES}


def of_run(**values: float) -> RunScores:
    keys = ("hit@1", "macro_f1", "micro_f1", "sample_f1", "predicted", "valid", "random_sample_f1")
    return RunScores(3, 0, {key: Score(values.get(key, 0.5)) for key in keys})


def test_each_view_is_counted_once_the_largest_threshold_first() -> None:
    items = [
        Item("1", "coding", {"report": "one two three"}, {"names": ["gout", "ague"]}),
        Item("2", "coding", {"report": "one"}, {"names": ["ague"]}),
        Item("3", "coding", {"report": "one two"}, {"names": ["gout", "other"]}),
    ]
    settings = {name: {"built": BUILT, "min_count": least} for name, least in (("a", 1), ("b", 3), ("c", 1))}
    table = icd11.statistics_table(scores(items=items, settings=settings))
    assert columns(table, "min_count", "samples", "classes", "classes_mean", "words_median", "words_max") == [
        (3, 2, 1, 1, 2.5, 3),
        (1, 3, 2, pytest.approx(4 / 3), 2, 3),
    ]


def test_runs_stand_with_their_sd_and_by_order_only_those_that_have_a_long_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sd = {"m": 0.1, "n": None}
    monkeypatch.setattr(measured, "sds", lambda rows: dict.fromkeys(icd11._OVERALL, sd[rows]))
    runs = {"m": of_run(**{"hit@1": 0.75}), "n": of_run()}
    settings: dict[str, dict[str, object]] = {
        "m": {"arm": "generate", "order": "random"}, "n": {"arm": "choose", "list": "short"},
    }  # fmt: skip
    given = scores(runs=runs, rows={"m": "m", "n": "n"}, settings=settings)
    table = icd11.overall(given)
    assert columns(table, "run", "n", "hit@1", "hit@1_sd") == [("m", 3, 0.75, 0.1), ("n", 3, 0.5, None)]
    assert table is not None
    assert table.rows[1][3] == Cell(None, "One sample has no SD; run with --repeats 2 or more.")
    assert columns(icd11.orders(given), "run", "order", "hit@1") == [("m", "random", 0.75)]
    settings["n"] = {"arm": "choose"}
    assert columns(icd11.orders(given), "run", "order") == [("m", "random"), ("n", "origin")]
    assert bars(figure(icd11.FIGURES, "2", given))["Hit@1"] == [("random", "m", 0.75), ("origin", "n", 0.5)]
    settings |= {"m": {"arm": "rank"}, "n": {"arm": "genmap"}}
    assert icd11.orders(given) is None
    assert icd11.overall(scores()) is None


def test_a_short_list_is_held_against_the_long_one_of_the_same_run_and_order() -> None:
    plain: dict[str, object] = {"built": BUILT, "model": "m", "arm": "choose"}
    settings = {
        "other": {**plain, "model": "o"},
        "freq": {**plain, "order": "freq-first"},
        "usual": plain,
        "short": {**plain, "list": "short"},
        "short freq": {**plain, "list": "short", "order": "freq-first"},
        "alone": {**plain, "list": "short", "seed": 7},
        "short last": {**plain, "list": "short", "order": "correct-last"},
    }
    runs = {name: of_run(**{"hit@1": at / 8}) for at, name in enumerate(settings)}
    table = icd11.long_and_short(scores(runs=runs, settings=settings))
    assert columns(table, "run", "list", "hit@1", "valid") == [
        *(("usual", "long", 0.25, 0.5), ("short", "short", 0.375, 0.5), ("short", "change", 0.125, 0.0)),
        *(
            ("freq", "long", 0.125, 0.5),
            ("short freq", "short", 0.5, 0.5),
            ("short freq", "change", 0.375, 0.0),
        ),
        *(("alone", "short", 0.625, 0.5), ("alone", "change", None, None)),
        # Where there is none in its own order, the usual one.
        *(("usual", "long", 0.25, 0.5), ("short last", "short", 0.75, 0.5)),
        ("short last", "change", 0.5, 0.0),
    ]
    assert table is not None
    assert table.rows[7][2] == Cell(None, "There is no such run with the long list.")
    assert icd11.long_and_short(scores(runs=runs, settings={"usual": plain})) is None


def test_groups_of_classes_are_drawn_side_by_side_the_commonest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def group(classes: str, f1: float) -> dict[str, Any]:
        return {"classes": [*classes], "share": 0.25, "precision": 0.5, "recall": None, "f1": f1}

    groups = measured.groups
    found = {"m": [group("ab", 0.5), group("c", 0.25)], "n": [group("a", 1.0)]}
    monkeypatch.setattr(measured, "groups", lambda rows: found.get(rows, []))
    given = scores(runs={"m": 0, "n": 0}, rows={"m": "m", "n": "n"})
    assert columns(icd11.by_group(given), "run", "group", "classes", "share", "recall", "f1") == [
        ("m", 1, 2, 0.25, None, 0.5),
        ("m", 2, 1, 0.25, None, 0.25),
        ("n", 1, 1, 0.25, None, 1.0),
    ]
    drawn = bars(figure(icd11.FIGURES, "3", given))
    assert list(drawn) == ["Precision", "Recall", "F1", "Share of the reports"]
    assert drawn["F1"] == [
        ("Group 1 (2 classes)", "m", 0.5), ("Group 1 (1 class)", "n", 1.0), ("Group 2 (1 class)", "m", 0.25),
    ]  # fmt: skip
    unjudged = Row(Item("1", "coding", {}), graded={"_judged": None})
    assert (groups([unjudged]), groups([])) == ([], []), "no group of what was never judged"
    nothing = scores(runs={"x": 0}, rows={"x": "x"})
    assert (icd11.by_group(nothing), figure(icd11.FIGURES, "3", nothing)) == (None, None)


def test_words_are_drawn_as_means_over_ten_groups_of_diseases(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = [{**dict.fromkeys(icd11._COLUMNS_4, float(at)), "name": str(at)} for at in range(12)]
    told[1] |= {"mtes_mean": None}
    told[11] |= {"mtes_mean": None}
    monkeypatch.setattr(icd11, "term_finder", lambda _: ("lexicon", None))
    counted = [told, []]
    monkeypatch.setattr(icd11, "vocabularies", lambda *_: counted.pop(0))
    given = scores(settings={"m": {"built": BUILT}}, items=[Item("1", "coding", {})])
    table = icd11.by_disease(given)
    assert columns(table, "name", "df", "mtes_mean")[:2] == [("0", 0.0, 0.0), ("1", 1.0, None)]
    assert table is not None
    assert table.rows[1][6] == Cell(None, "It takes a report with a medical term, and another disease.")
    drawn = bars(figure(icd11.FIGURES, "4", given))
    assert [value for _, _, value in drawn["Reports"]] == [0.5, 2.5, 4.5, 6.5, 8.5, 10.5]
    means = drawn["MTES, mean (low: the terms are its own)"]
    assert (means[0], means[-1]) == (
        ("Group 1 (2 classes)", "mean", 0.0),
        ("Group 6 (2 classes)", "mean", 10.0),
    )
    # Of other items all is counted anew.
    other = scores(settings={"m": {"built": BUILT}}, items=[Item("2", "coding", {})])
    assert columns(icd11.by_disease(other), "name") == []
    # So it is where the terms of reports, which stand in a file, have changed.
    terms = tmp_path / "terms.jsonl"
    other.settings["m"]["terms"] = str(terms)
    for number, name in enumerate(("first", "second")):
        terms.touch()
        os.utime(terms, ns=(number, number))
        counted.append([told[0] | {"name": name}])
        assert columns(icd11.by_disease(other), "name") == [(name,)]
    assert (icd11.by_disease(scores()), figure(icd11.FIGURES, "4", scores())) == (None, None)


def test_ablations_rank_the_same_answers_again_with_other_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def again(rows: object, own: object, others: Sequence[Mapping[str, object]], top: int) -> list[object]:
        asked.append((rows, own, top))
        return [one["alpha"] if one["normalise"] == "mean" else one["normalise"] for one in others]

    monkeypatch.setattr(measured, "ranked_again", again)
    monkeypatch.setattr(
        measured, "scored", lambda found, repeats, keys: dict.fromkeys(keys, (found, repeats))
    )
    settings: dict[str, dict[str, object]] = {
        "a": {"arm": "rank"},
        "b": {"arm": "rank", "alpha": 0.0, "repeats": 5, "top": 7},
        "c": {"arm": "choose"},
    }
    given = scores(rows={name: name for name in settings}, settings=settings)
    assert columns(icd11.alphas(given), "run", "alpha", "hit@1") == [
        *(("a", "0.0", (0.0, 3)), ("a", "0.5", (0.5, 3)), ("a", "1.0", (1.0, 3))),
        *(("b", "0.0", (0.0, 5)), ("b", "0.5", (0.5, 5)), ("b", "1.0", (1.0, 5))),
    ]
    assert asked == [
        ("a", {"alpha": 1.0, "normalise": "mean"}, 3),
        ("b", {"alpha": 0.0, "normalise": "mean"}, 7),
    ]
    settings["a"]["alpha"] = 0.75
    assert [row[1] for row in columns(icd11.alphas(given), "run", "alpha")][:4] == [
        "0.0",
        "0.5",
        "1.0",
        "0.75",
    ]
    assert columns(icd11.lengths(given), "run", "normalise", "sample_f1")[:2] == [
        ("a", "mean", (0.75, 3)),
        ("a", "sum", ("sum", 3)),
    ]
    assert icd11.alphas(scores(settings={"c": {"arm": "choose"}})) is None


def test_answers_are_lifted_level_by_level_from_the_classes_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = ("hit@1", "micro_f1", "sample_f1")
    levels = measured.LEVELS
    lifted = {level: dict.fromkeys(keys, float(at)) for at, level in enumerate(levels, start=2)}
    monkeypatch.setattr(measured, "lifted_scores", lambda _: lifted)
    drawn = bars(figure(icd11.FIGURES, "lifted", scores(runs={"m": of_run()}, rows={"m": ()})))
    assert list(drawn) == ["Hit@1", "Micro F1", "Sample F1"]
    assert drawn["Hit@1"] == [
        ("Class", "m", 0.5), ("Category", "m", 2.0), ("Block", "m", 3.0), ("Chapter", "m", 4.0),
    ]  # fmt: skip
    empty = {"m": RunScores(0, 0, {})}
    assert figure(icd11.FIGURES, "lifted", scores(runs=empty, rows={"m": ()})) is None
