"""Tables, pages and figures of a study, of scores that are made by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.studies import charts, pages
from app.studies.charts import Bar, Panel, Picture, Step
from app.studies.mmrarebench import tables
from app.studies.mmrarebench.tracks import T1, T2
from app.studies.results import Item, Measure, Pair, RaterScore, Row, RunScores, Score, Scores
from app.studies.study import Beside
from app.tables import Cell
from tests.toy_study.study import STUDY

HIT = Measure("hit", "Hit", lambda row: None, decimals=2)
RANK = Measure("rank@1/x", "Rank", lambda row: None, decimals=1)
HIDDEN = Measure("hidden", "Hidden", lambda row: None, listed=False)


def scores(
    runs: Mapping[str, RunScores],
    by: Mapping[str, Mapping[str, Mapping[str, RunScores]]] | None = None,
    pairs: Sequence[Pair] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,  # noqa: ANN401 (what else there is of scores)
) -> Scores:
    return Scores(
        (HIT, RANK, HIDDEN), "strict", more.pop("rows", {}), runs, by or {}, pairs, settings or {}, **more
    )


def rated(n: int = 2, f1: float | None = None, **raters: float | None) -> RunScores:
    given = {name: RaterScore(value, n if value is not None else 0, 0) for name, value in raters.items()}
    return RunScores(n, 0, {} if f1 is None else {"f1": Score(f1)}, given)


def test_pictures_less_a_control_are_that_whichever_of_the_two_came_first() -> None:
    settings = {"seen": {"model": "m", "arm": "pictures"}, "none": {"model": "m", "arm": "none"}}
    settings |= {"blank": {"model": "m", "arm": "blank"}, "other": {"model": "o", "arm": "none"}}
    settings |= {"again": {"model": "m"}, "ana": {}, "bea": {"arm": "none"}}
    f1 = {"f1": Score(0.1, (0.05, 0.2))}
    ana = {"Ana": Score(-0.2, (-0.3, -0.1)), "Bea": Score(None, None, "Nothing.")}
    pairs = [
        Pair("none", "seen", "task", T1, 6, f1, {}, ana),
        Pair("seen", "blank", "task", T2, 5, f1, {}, {"Ana": Score(0.3, (0.1, 0.5))}),
        # All tracks together, two controls, another model, twice the same arm, two people.
        Pair("none", "seen", "", "", 9, f1, {}, ana),
        Pair("none", "blank", "task", T1, 9, f1, {}, ana),
        Pair("seen", "other", "task", T1, 9, f1, {}, ana),
        Pair("seen", "again", "task", T1, 9, f1, {}, ana),
        Pair("ana", "bea", "task", T1, 9, f1, {}, ana),
    ]
    found = tables.arms(scores({}, pairs=pairs, settings=settings))
    assert found is not None
    assert found.rows == (
        ("m", T1, "none", "Ana", 6, Cell(0.2, "", "0.100 to 0.300")),
        ("m", T1, "none", "Bea", 6, Cell(None, "Nothing.", "")),
        ("m", T1, "none", "F1", 6, Cell(-0.1, "", "-0.200 to -0.050")),
        ("m", T2, "blank", "Ana", 5, Cell(0.3, "", "0.100 to 0.500")),
    )
    assert tables.arms(scores({}, pairs=pairs[2:], settings=settings)) is None


def test_each_run_stands_by_each_rater_with_what_was_rated_in_full() -> None:
    runs = {
        "m": replace(rated(4, 0.5), raters={"Bea": RaterScore(None, 0, 4), "Ana": RaterScore(0.8, 3, 1)}),
        "silent": rated(4),
    }
    of_first = {"Ana": RaterScore(0.9, 2, 0, (0.7, 1.0)), "Bea": RaterScore(None, 0, 2)}
    first = {"m": replace(rated(), raters=of_first)}
    given = scores(runs, {"task": {T1: first}, "group": {"heart": {"m": rated(3, 0.25, Ana=0.5)}}})
    found = tables.tracks(given)
    assert found is not None
    nothing, unrated = Cell(None), Cell(None, "Nothing was rated in full.")
    assert found.rows == (
        ("m", "Ana", 3, 1, Cell(0.9, "", "0.700 to 1.000"), nothing, nothing, nothing, Cell(0.5, "", "")),
        ("m", "Bea", 0, 4, unrated, nothing, nothing, nothing, Cell(0.5, "", "")),
        ("silent", "nobody", 0, 4, nothing, nothing, nothing, nothing, nothing),
    )
    assert tables.tracks(scores({})) is None
    published = tables.tracks(replace(given, published=True))
    assert published is not None
    assert len(published.rows) == 3 + len(tables.published())
    assert published.rows[3][0] == f"{next(iter(tables.published()))} (published)"
    (by_group,) = (table.make(given) for table in tables.TABLES if table.number == "4")
    assert by_group is not None
    assert by_group.rows == (("heart", "m", 3, Cell(0.5, "", ""), unrated, Cell(0.25, "", "")),)


def test_models_are_ranked_and_grouped_by_what_they_gave_with_pictures() -> None:
    models = {"q": "qwen3:8b", "g": "gpt-5", "g-none": "gpt-5", "s": "medgemma:27b"}
    settings = {name: {"model": model, "arm": "pictures"} for name, model in models.items()}
    settings["g-none"] = {"model": "gpt-5", "arm": "none"}
    by = {
        T1: {"q": rated(Ana=0.25), "g": rated(Ana=0.75), "g-none": rated(Ana=1.0), "s": rated(Ana=0.5)},
        T2: {"q": rated(Ana=0.5), "s": rated(Ana=0.5)},
    }
    given = scores({name: rated(Ana=0.5) for name in models}, {"task": by}, settings=settings)
    ranks = tables.ranks(given)
    assert ranks is not None
    assert ranks.rows == (
        ("q, rated by Ana", 3, 1, None, None, T1),
        ("g, rated by Ana", 1, None, None, None, T1),
        ("s, rated by Ana", 2, 1, None, None, T1),
    )
    groups = tables.groups(given)
    assert groups is not None
    assert groups.rows == (
        ("weights", "closed", 1, 0.75, None, None, None),
        ("weights", "open", 2, 0.375, 0.5, None, None),
        ("weights", "closed less open", None, 0.375, None, None, None),
        ("made for", "everything", 2, 0.5, 0.5, None, None),
        ("made for", "medicine", 1, 0.5, 0.5, None, None),
        ("made for", "everything less medicine", None, 0.0, 0.0, None, None),
        ("size", "10 to 30 B", 1, 0.5, 0.5, None, None),
        ("size", "under 10 B", 1, 0.25, 0.5, None, None),
        ("size", "10 to 30 B less under 10 B", None, 0.25, 0.0, None, None),
    )
    alone = replace(given, runs={"q": rated(Ana=0.5)})
    assert (tables.ranks(alone), tables.groups(alone)) == (None, None)


def test_runs_stand_with_their_measures_and_what_the_paper_says_below_where_it_is_asked_for() -> None:
    runs = {
        "m": RunScores(3, 0, {"hit": Score(0.5, (0.25, 0.75)), "hidden": Score(1.0)}),
        "n": RunScores(2, 0, {"hit": Score(None, None, "None counts.")}),
        "other": RunScores(2, 0, {"hidden": Score(0.0)}),
    }
    given = scores(runs, {"set": {"b": {"n": runs["n"]}, "a": {"m": runs["m"]}}}, published=True)
    own = Cell(0.5, "", "0.250 to 0.750"), Cell(None, "None counts.", "")
    make = pages.by_run(["hit"], {"GPT": {"hit": 0.7}, "Other": {}})
    table = make(given)
    assert table is not None
    whole = (("m", 3, own[0]), ("n", 2, own[1]))
    assert table.rows == (*whole, ("GPT (published)", None, 0.7), ("Other (published)", None, None))
    unpublished = make(replace(given, published=False))
    assert unpublished is not None
    assert unpublished.rows == whole
    by_set = pages.by_run(["hit"], {"GPT": {"hit": 0.7}}, label="set")(given)
    assert by_set is not None
    assert by_set.rows == (("b", "n", 2, own[1]), ("a", "m", 3, own[0]))
    assert pages.by_run(["rank@1/x"])(given) is None
    # Measures that a run has and that are listed, with both ends for files.
    shown = pages.scores_table(given)
    assert shown.header == ("Run", "n", "Hit", "hit_low", "hit_high")
    assert shown.rows == (("m", 3, own[0], 0.25, 0.75), ("n", 2, own[1], None, None))
    of_two = replace(runs["m"], n=80, scores={"hit": Score(0.5, (0.25, 0.75), n=40)})
    shown = pages.scores_table(scores({"two": of_two, "n": runs["n"]}, {}))
    assert shown.header == ("Run", "n", "Hit", "hit_low", "hit_high", "hit_n")
    assert shown.rows[0] == ("two", 80, Cell(0.5, "n 40", "0.250 to 0.750"), 0.25, 0.75, 40)
    assert shown.rows[1] == ("n", 2, own[1], None, None, 2)


def test_differences_stand_by_group_where_there_are_groups_and_pictures_by_measure() -> None:
    pairs = [
        Pair("m", "n", "", "", 4, {"hit": Score(0.5), "hidden": Score(1.0)}),
        Pair("m", "n", "set", "a", 2, {"hit": Score(-0.5, (-1.0, 0.0))}),
    ]
    table = pages.pairs_table(scores({}, pairs=pairs))
    assert table is not None
    assert table.header == ("Run", "less", "of", "n", "Hit")
    assert table.rows == (
        ("m", "n", "all", 4, Cell(0.5, "", "")),
        ("m", "n", "set a", 2, Cell(-0.5, "", "-1.000 to 0.000")),
    )
    plain = pages.pairs_table(scores({}, pairs=pairs[:1]))
    assert plain is not None
    assert plain.rows == (("m", "n", 4, Cell(0.5, "", "")),)
    only_hidden = [Pair("m", "n", "", "", 4, {"hidden": Score(1.0)})]
    assert pages.pairs_table(scores({}, pairs=only_hidden)) is None
    measured = {"rank@1/x": Score(2.0, (1.0, 3.0)), "hidden": Score(1.0), "hit": Score(None, None, "None.")}
    drawn = pages.charts(scores({"a<b": RunScores(2, 0, measured)}))
    assert list(drawn) == ["rank-at-1-x"]
    picture = drawn["rank-at-1-x"]
    # The axis goes from 0 to the upper end of the widest interval.
    assert re.findall(r'fill="#555">([\d.]+)</text>', picture) == ["0", "3"]
    assert re.findall(r'<circle cx="([\d.]+)"', picture) == ["540.0"]
    assert '<line x1="400.0" x2="680.0"' in picture
    assert ">a&lt;b</text>" in picture
    assert ">2.0</text>" in picture


def test_cases_are_the_first_that_were_answered_each_with_a_table_for_every_run() -> None:
    items = [Item(f"i{n}", "organ", {"text": f"words {n}", "codes": []}) for n in range(52)]
    beside = Beside(
        "Ranking", ("", "Name", "Right"), [(str(n), "x", "✓" if n == 12 else "") for n in range(14)]
    )
    study = replace(
        STUDY, item_words=None, beside=lambda item, row, built, told: beside if row and row.value else None
    )
    rows = {
        "m": [Row(item, "a") for item in items[1:]],
        "n": [Row(item, "b") for item in (*items[50:], items[1])],
    }
    rows["n"].insert(0, Row(items[0]))
    found, number = pages.cases_of(study, scores({}, rows=rows, settings={"m": {}, "n": {"built": None}}))
    assert number == 52
    # Answered first by the first run; the last item is one too many, and the unanswered one is none.
    assert [case.name for case in found] == [f"i{n}" for n in range(1, 51)]
    assert [len(case.tables) for case in found] == [2, *[1] * 48, 2]
    assert found[0].words == [("Text", "words 1")]
    first, second = found[0].tables
    assert (first.title, second.title) == ("m: ranking", "n: ranking")
    # Ten lines, and of those further down the one that is right.
    assert [row[0] for row in first.rows] == [*map(str, range(10)), "12"]
    assert pages.cases_of(replace(study, beside=None), scores({}, rows=rows)) == ([], 0)


def assert_within(drawn: str) -> None:
    """Nothing that is drawn begins beyond the edges of its picture."""
    sides = re.findall(r'viewBox="0 0 (-?\d+) (-?\d+)"', drawn)[0]
    for side, names in zip(map(float, sides), ("x2?|cx", "y2?|cy"), strict=True):
        assert max(map(float, re.findall(rf' (?:{names})="([\d.]+)"', drawn))) < side


def test_bars_are_as_long_as_their_values_and_groups_and_series_are_named_once() -> None:
    bars = [
        Bar("One", "a", 0.5, (0.25, 0.75), line=0.1, dot=1.0),
        Bar("One", "b", 1.5),
        Bar("Two", "a", None),
    ]
    panels = [Panel("Shares", bars), Panel("Numbers", [Bar("One", "a", 8.0), Bar("Two", "a", 2.0)], False, 1)]
    panels.append(Panel("Nothing", [Bar("One", "a", 0.0)], shares=False))
    drawn = charts.svg("T", Picture("How.", panels))
    widths = re.findall(r'<rect x="240" y="\d+" width="([\d.]+)" height="12" fill="(#\w+)"', drawn)
    blue, orange = charts.COLOURS[:2]
    assert widths == [
        ("200.0", blue),
        ("400.0", orange),
        ("400.0", blue),
        ("100.0", blue),
        ("0.0", blue),
    ]
    assert_within(drawn)
    assert 'aria-label="T. How."' in drawn
    assert drawn.count(">nothing to show<") == 1
    assert '<path d="M340.0 ' in drawn
    assert '<circle cx="640.0"' in drawn
    assert '<line x1="280.0" x2="280.0"' in drawn
    assert re.findall(r'font-size="10" fill-opacity=".7">([^<]+)<', drawn) == [
        *("0%", "50%", "100%"),
        *("0.0", "8.0"),
        *("0", "1"),
    ]
    assert re.findall(r'font-weight="bold">(\w+)<', drawn) == ["Shares", "Numbers", "Nothing"]
    heads = re.findall(r'<text x="8" y="(\d+)">(\w+)</text>', drawn)
    assert heads == [("88", "One"), ("124", "Two"), ("198", "One"), ("220", "Two"), ("294", "One")]
    assert re.findall(r'<text x="26" y="\d+">(\w)</text>', drawn) == ["a", "b"]
    assert '<text x="26"' not in charts.svg("T", Picture("", panels[1:]))
    many = [Bar("One", str(n), 0.5) for n in range(8)]
    assert charts.svg("T", Picture("", [Panel("", many)])).count(f'height="12" fill="{blue}"') == 4
    table = charts.figure_table("T", Picture("", panels[:1]))
    assert table.rows[0] == ("Shares", "One", "a", 0.5, 0.25, 0.75, 0.1, 1.0)
    assert table.rows[2] == ("Shares", "Two", "a", None, None, None, None, None)


def test_a_flow_leads_from_box_to_box_and_to_a_branch_leads_no_arrow() -> None:
    steps = [
        Step(("All",)),
        Step(("Some", "of them"), ("lost", "gone", "none")),
        Step(("A",), (), True),
        Step(()),
    ]
    drawn = charts.svg("T", Picture("", (), steps))
    assert_within(drawn)
    boxes = re.findall(r'<rect x="8" y="(\d+)" width="330" height="(\d+)"', drawn)
    assert boxes == [("8", "28"), ("56", "60"), ("122", "28"), ("170", "28")]
    assert re.findall(r'<path d="M173 (\d+)v18', drawn) == ["36", "150"]
    assert re.findall(r'<text x="354" y="(\d+)"', drawn) == ["74", "90", "106"]
    table = charts.figure_table("T", Picture("", (), steps))
    assert table.rows[1] == (2, "Some of them", "lost; gone; none")
