"""JSON, CSV and the terminal table say the same and never invent a number."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from app.agreement.compare import compare
from app.agreement.measures import BY_KEY
from app.agreement.output.charts import bar_chart, heat_map, in_words, strip
from app.agreement.output.tables import measures_in, reports_table, score_table, to_csv, to_json, to_table
from app.agreement.types import Agreement, Confusion, Item, Profile, ReportPair
from app.tables import Cell

REPORTS = [
    ReportPair(
        str(number),
        "Title, with a comma",
        {"Neuro": (Item("ataxia", 0, 6), Item("seizures")), "GI": (), "LYMPH": ()},
        {"Neuro": (Item("ataxia", 0, 6),), "GI": (Item("vomiting", 10, 18),), "LYMPH": ()},
    )
    for number in range(6)
]
CATEGORIES = ("Neuro", "GI", "LYMPH")
CONTRACT = {"tsr", "levenshtein", "exact_match", "bleu_1", "bleu_4", "rouge_l", "omission", "hallucination"}


def agreement(profile: Profile = "strict", reports: list[ReportPair] | None = None) -> Agreement:
    return compare(
        REPORTS if reports is None else reports, CATEGORIES, "rules", "gold", profile, resamples=50
    )


@pytest.mark.parametrize("profile", ["paper", "strict"])
def test_json_keeps_the_contract(profile: Profile) -> None:
    plain = to_json(agreement(profile))
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert [plain[key] for key in ("left", "right", "profile", "documents")] == ["rules", "gold", profile, 6]
    assert list(plain["categories"]) == list(CATEGORIES)
    for row in (*plain["categories"].values(), plain["average"]):
        assert row.keys() >= CONTRACT | {"span_f1", "support"}
        assert row.keys() == plain["average"].keys()
    assert plain["categories"]["Neuro"]["support"] == 6
    assert [report["key"] for report in plain["reports"]] == list("012345")


def test_json_gives_null_and_a_reason_for_the_undefined() -> None:
    lymph = to_json(agreement())["categories"]["LYMPH"]
    undefined = {key for key in (*CONTRACT, "span_f1", "f1") if lymph[key] is None}
    assert undefined == (CONTRACT | {"span_f1", "f1"}) - {"hallucination"}
    assert all(lymph["reasons"][key].endswith(".") for key in undefined)


def test_json_confusion_rows_are_shares_of_the_row() -> None:
    plain = to_json(agreement())
    assert plain["confusion"]["Neuro"] == {"Neuro": 0.5, "GI": 0.0, "LYMPH": 0.0, "NONE": 0.5}
    assert plain["confusion"]["NONE"] == {"Neuro": 0.0, "GI": 1.0, "LYMPH": 0.0, "NONE": None}
    assert set(plain["confusion"]["GI"].values()) == {None}
    assert plain["confusion_counts"]["NONE"]["GI"] == 6


def test_the_heat_map_says_of_each_place_whose_quotes_stand_in_it_but_of_nothing_against_nothing() -> None:
    drawn = heat_map(agreement().confusion, {"Neuro": "Nerves"}, "rules", "gold")
    assert len(drawn.cells) == 4 * 4 - 1
    told = [(one.row, one.column, one.strength, one.text, one.diagonal) for one in drawn.cells if one.text]
    assert told == [
        (0, 0, 0.5, "50 %", True),
        (0, 3, 0.5, "50 %", False),
        (3, 1, 1.0, "100 %", False),
    ]
    assert [drawn.cells[place].sentence for place in (0, 1, 3, 13)] == [
        "6 quotes that rules has in Nerves and gold in Nerves.",
        "0 quotes that rules has in Nerves and gold in GI.",
        "6 quotes that rules has in Nerves and gold nowhere.",
        "6 quotes that gold has in GI and rules nowhere.",
    ]
    assert [row[1:] for row in drawn.rows] == [("Nerves", 12), ("GI", 0), ("LYMPH", 0), ("NONE", 6)]
    shares = Confusion(("A", "NONE"), ((997, 3), (0, 0)))
    assert [one.text for one in heat_map(shares, {}, "l", "r").cells] == ["100 %", "<1 %", ""]
    xs, ys = ([one[0] for one in side] for side in (drawn.columns, drawn.rows))
    assert [(one.x, one.y) for one in drawn.cells] == [(x, y) for y in ys for x in xs][:-1]


def test_bars_and_strip_are_as_long_as_scores_and_in_words_the_same() -> None:
    found, f1 = agreement(), BY_KEY["f1"]
    bars = bar_chart(found, f1, {"Neuro": "Nerves"}, "T", {"GI": "#010203"}).bars
    assert [(one.label, one.colour, one.length, one.text) for one in bars] == [
        ("Nerves", "var(--c0)", 165.3, "0.667"),
        ("GI", "#010203", 0.0, "0.000"),
        ("LYMPH", "var(--c2)", None, "–"),
        ("Average", "var(--accent)", 82.7, "0.333"),
    ]
    assert [one.sentence for one in bars[:3]] == [
        "Nerves: 0.667, 95 % interval 0.667 to 0.667.",
        "GI: 0.000, 95 % interval 0.000 to 0.000.",
        "LYMPH: undefined. Neither rules nor gold found anything in any report.",
    ]
    assert [one.y for one in bars] == [24, 48, 72, 104], "the average stands apart"
    tsr = bar_chart(found, BY_KEY["tsr"], {}, "T")
    assert [text for _, text in tsr.ticks] == ["0", "25", "50", "75", "100"]
    assert (tsr.bars[0].length, tsr.bars[0].high) == (165.3, 165.3)
    few = replace(found.average, intervals={"f1": None})
    assert in_words("Average", few, f1) == "Average: 0.333, without an interval."
    said, unsaid = found.reports[0], replace(found.reports[1], row=found.categories["LYMPH"])
    lower = replace(found.reports[2], row=found.categories["GI"])
    shown = [(one.key, one.share, one.y, one.height) for one in strip([said, unsaid, lower], f1)]
    assert shown == [("2", 0.0, 128.0, 1.0), ("0", 0.5, 68.0, 60.0)]
    (hundred,) = strip([said], BY_KEY["tsr"])
    assert (round(hundred.share, 4), hundred.height) == (0.3333, 40.0), "of its best value"


def test_csv_has_a_line_per_category_and_blanks_where_undefined() -> None:
    told = replace(agreement(), caveats=("No model was asked.", "Ann copied."))
    lines = list(csv.DictReader(io.StringIO(to_csv(told))))
    assert [line["category"] for line in lines] == [*CATEGORIES, "average", "pooled"]
    assert {line["remarks"] for line in lines} == {"No model was asked. Ann copied."}
    assert lines[0]["f1"] == repr(2 / 3)
    assert lines[2]["tsr"] == ""
    assert "Neither rules nor gold found anything" in lines[2]["reasons"]
    assert float(lines[0]["span_f1_low"]) <= float(lines[0]["span_f1"]) <= float(lines[0]["span_f1_high"])
    some = [replace(one, left={**one.left, "Neuro": ()}) if one.key in "01" else one for one in REPORTS]
    unlike = agreement(reports=some)
    (neuro, *_, average, pooled) = csv.DictReader(io.StringIO(to_csv(unlike)))
    low, high = unlike.categories["Neuro"].intervals["f1"] or (0.0, 0.0)
    assert low < 4 / 7 < high
    assert [neuro[f"f1{end}"] for end in ("_low", "", "_high")] == [repr(low), repr(4 / 7), repr(high)]
    assert (average["f1"], pooled["f1"]) == (repr(2 / 7), repr(8 / 20))
    counts = [[line[name] for name in ("n", "empty", "support", "support_left")] for line in (neuro, average)]
    assert counts == [["6", "0", "6", "8"], ["18", "6", "12", "8"]]
    table = score_table(unlike, (BY_KEY["f1"],), {"GI": "Gut"})
    cells = [row[4].value if isinstance(row[4], Cell) else None for row in table.rows]
    rounded = [round(one, 4) if isinstance(one, float) else one for one in cells]
    shown = [(row[0], row[3], one) for row, one in zip(table.rows, rounded, strict=True)]
    assert shown == [
        ("Neuro", "8\u202f/\u202f6", 0.5714),
        ("Gut", "0\u202f/\u202f6", 0.0),
        ("LYMPH", "0\u202f/\u202f0", None),
        ("Average", "8\u202f/\u202f12", 0.2857),
        ("All together", "8\u202f/\u202f12", 0.4),
    ]
    assert table.kinds == {3: "total", 4: "total"}
    words = " ".join(to_table(unlike).split())
    assert "Quotes: 8 left, 12 right, 4 of them without a place." in words
    with_texts = agreement("paper", [replace(one, text="ataxia and vomiting and seizures") for one in some])
    said = [
        re.findall(r"resamples: (.*?)\.(?: |$)", " ".join(to_table(with_texts, tokens=tokens).split()))[0]
        for tokens in (False, True)
    ]
    # Intervals are those of the measures that stand in the table.
    assert [one.count(";") for one in said] == [3, 5]


def test_of_each_report_there_is_a_row_for_every_category_and_one_for_all_of_them() -> None:
    table = reports_table(agreement(reports=[REPORTS[0], replace(REPORTS[1], left={"GI": (), "LYMPH": ()})]))
    assert [row[:5] for row in table.rows] == [
        ("0", "Title, with a comma", "Neuro", 2, 1),
        ("0", "Title, with a comma", "GI", 0, 1),
        ("0", "Title, with a comma", "LYMPH", 0, 0),
        ("0", "Title, with a comma", "all", 2, 2),
        ("1", "Title, with a comma", "GI", 0, 1),
        ("1", "Title, with a comma", "LYMPH", 0, 0),
        ("1", "Title, with a comma", "all", 0, 1),
    ]
    f1 = table.header.index("f1")
    assert [row[f1] for row in table.rows] == [2 / 3, 0.0, None, 0.5, 0.0, None, 0.0]


def test_the_table_shows_a_dash_and_says_why() -> None:
    table = to_table(agreement(), {"Neuro": "Neurology and cognition"})
    lymph = next(line for line in table.splitlines() if line.startswith("LYMPH"))
    assert "–[3]" in lymph
    assert "[3] Neither rules nor gold found anything in any report." in table
    assert "Neurology and cogni…" in table
    assert "an overlap of 50%" in " ".join(table.split())
    fewer = "Omission over 2, Hallucination over 1, Span F1, exact over 2, Span F1, overlap over 2."
    assert f"Averages over fewer than 3 categories: {fewer}" in " ".join(to_table(agreement("paper")).split())
    own = replace(agreement("paper"), left_only=2)
    lines = to_table(own).splitlines()
    assert lines[1] == "2 reports were annotated by rules and not by gold, and are in none of the scores."
    assert "Token set ratio runs from 0 to 100; omission and hallucination are errors" in " ".join(lines)
    measures = measures_in(own, "table")
    found = score_table(own, measures)
    assert found.notes[1:] == (f"Averages over fewer than 3 categories: {fewer}",)
    assert [row[:4] for row in found.rows] == [
        ("Neuro", 6, 0, "12\u202f/\u202f6"),
        ("GI", 6, 0, "0\u202f/\u202f6"),
        ("LYMPH", 6, 6, "0\u202f/\u202f0"),
        ("Average", 18, 6, "12\u202f/\u202f12"),
        ("All together", 18, 6, "12\u202f/\u202f12"),
    ]
    told = [row[4] for row in found.rows]
    assert [one.below for one in told if isinstance(one, Cell)][:3] == [
        "57.0–57.0",
        "0.0–0.0",
        "100.0–100.0",
    ]
    nowhere = compare(REPORTS[:1], ("LYMPH",), "rules", "gold", "strict", resamples=0)
    assert len(score_table(nowhere, measures_in(nowhere, "table")).notes) == 1
    assert "Averages over" not in to_table(nowhere)


def test_the_tables_columns_are_aligned() -> None:
    lines = to_table(agreement("paper")).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("Category"))
    widths = {len(line) for line in lines[start : start + 8]}
    assert len(widths) == 1
    assert widths.pop() <= 110


def test_nothing_to_compare_is_one_sentence() -> None:
    table = to_table(agreement(reports=[]))
    assert "No report was annotated here by both rules and gold." in table
    assert "–" not in table
