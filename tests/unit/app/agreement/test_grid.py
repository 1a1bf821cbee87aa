"""The grid shows every run in every form, marks only what can be compared, and never invents a number."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from app.agreement.compare import compare
from app.agreement.grid import (
    GRID_MEASURES,
    Grid,
    GridCell,
    grid_lines,
    grid_sentences,
    seconds_per_report,
    with_best,
)
from app.agreement.output.grid_tables import grid_csv, grid_html, grid_json, grid_table, work_table
from app.agreement.types import ReportPair
from app.tables import Cell
from tests.unit.app.agreement.table import pair

CATEGORIES = ("Neuro", "GI", "LYMPH")
NAMES = {"Neuro": "Neurology & cognition", "GI": "Gastrointestinal", "LYMPH": "Lymphatic"}
EVIL = '<script>alert("x")</script>'
HAND = "Replies written by hand for the demonstration; no model was asked."
LONG = "hf.co/bartowski/Meta-Llama-3.1-{}-Instruct-GGUF:Q4_K_M"
GOOD, FAIR, POOR = ("ataxia of gait",), ("ataxia of the gait",), ("seizures",)


def reports(found: Sequence[str], number: int = 6) -> list[ReportPair]:
    """Reports whose reference has a quote in two of three categories; both sides are silent on LYMPH."""
    return [
        pair(
            {"Neuro": found, "GI": (), "LYMPH": ()}, {"Neuro": GOOD, "GI": ["vomiting"], "LYMPH": ()}, str(n)
        )
        for n in range(number)
    ]


@cache
def cell(
    prompting: str,
    found: tuple[str, ...] = GOOD,
    *,
    model: str = "qwen2.5:7b",
    pairs: int = 6,
    about: str = "",
) -> GridCell:
    run, of = f"{model}/ucp/{prompting}", reports(found, pairs)
    paper, strict = (
        compare(of, CATEGORIES, run, "gold", profile, resamples=50) for profile in ("paper", "strict")
    )
    quotes = pairs if found else 0
    return GridCell(
        run=run, model=model, strategy="ucp", prompting=prompting, paper=paper, strict=strict, quotes=quotes,
        exact=quotes, normalised=0, fuzzy=0, conflicts=0, ungrounded=0, calls=3 * pairs, incomplete=0,
        failed=0, missing=0, tokens_in=3_000_000, tokens_out=1000, seconds=90.0, shared=0.875, about=about,
    )  # fmt: skip


def grid(*cells: GridCell, left_out: tuple[str, ...] = ()) -> Grid:
    return Grid("gold", 6, cells, left_out)


def best(of: Grid) -> list[frozenset[str]]:
    return [line.best for line in grid_lines(of)]


def shown(html: str) -> str:
    return re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)


def words(text: str) -> str:
    return " ".join(text.split())


@cache
def three() -> Grid:
    return grid(cell("few-shot"), cell("zero-shot", FAIR), cell("zero-shot-cot", POOR))


# Made when a test asks: comparing takes longer than collecting the tests of a room.
EDGES: dict[str, Callable[[], Grid]] = {
    "three": three,
    "one": lambda: grid(cell("few-shot")),
    "silent": lambda: grid(cell("few-shot", ())),
    "nothing in common": lambda: grid(cell("few-shot", pairs=0)),
    "empty": lambda: grid(left_out=("llama3:70b was not run: the server does not have it.",)),
    "uncounted": lambda: grid(replace(cell("few-shot"), tokens_in=None, seconds=None, shared=None)),
    "incomplete": lambda: grid(
        cell("few-shot"), replace(cell("zero-shot"), incomplete=3, failed=2, missing=1)
    ),
}


def test_scores_are_the_average_of_the_paper_profile_and_the_strict_f1() -> None:
    of = three().cells[1]
    run = grid_json(three())["runs"][1]
    assert run["tsr"] == of.paper.average.scores["tsr"] != of.strict.average.scores["tsr"]
    assert run["f1"] == of.strict.average.scores["f1"]
    assert {m.key for m in GRID_MEASURES} <= run.keys()
    assert (run["reports"], run["n"]) == (6, 18)
    assert run["seconds_per_report"] == 15.0
    # A report of which one side alone looked at something is none of those measured over.
    first, *rest = of.paper.reports
    alone = replace(of.paper, reports=(replace(first, row=replace(first.row, n=0)), *rest))
    assert grid_lines(grid(replace(of, paper=alone)))[0].reports == 5


def test_the_best_is_the_highest_score_but_the_lowest_error() -> None:
    invented = replace(cell("few-shot"), exact=3, ungrounded=3)
    silent = cell("zero-shot", ())
    first, second = best(grid(invented, silent))
    assert {"tsr", "exact_match", "f1", "omission"} <= first
    assert "omission" not in second
    assert grid_lines(grid(invented, silent))[0].row.scores["omission"] == 50.0
    assert "grounded" not in first | second


def test_equal_scores_share_the_mark_and_where_all_are_equal_there_is_none() -> None:
    marks = best(grid(cell("few-shot"), cell("zero-shot"), cell("zero-shot-cot", POOR)))
    assert "tsr" in marks[0] & marks[1]
    assert "omission" not in marks[0] | marks[1] | marks[2]
    assert best(grid(cell("few-shot"), cell("zero-shot"))) == [frozenset(), frozenset()]
    assert "No score is marked as best" in grid_table(grid(cell("few-shot"), cell("zero-shot")))
    # What looks equal is equally good.
    lines = [
        replace(line, row=replace(line.row, scores={**line.row.scores, "tsr": tsr}))
        for line, tsr in zip(grid_lines(three()), (80.001, 80.004, 79.99), strict=True)
    ]
    assert ["tsr" in line.best for line in with_best(lines)] == [True, True, False]


def test_a_row_measured_over_less_is_never_the_best_and_the_difference_is_said() -> None:
    of = grid(cell("few-shot", FAIR), cell("zero-shot", POOR), cell("zero-shot-cot", GOOD, pairs=2))
    first, second, third = best(of)
    assert first >= {"tsr", "f1"}
    assert second | third == frozenset()
    said = "The rows do not rest on the same: 2 to 6 reports, 6 to 18 pairs of report and category."
    assert said in words(grid_table(of))
    assert said in grid_html(of, NAMES)
    assert "do not rest on the same" not in words(grid_table(three()))
    # Also where as many reports have fewer pairs; a row with a remark does not say how many there are.
    lines = grid_lines(three())
    fewer = [*lines[:2], replace(lines[2], row=replace(lines[2].row, n=12))]
    assert next(iter(grid_sentences(three(), fewer, "*"))).startswith(
        "The rows do not rest on the same: 6 reports, 12 to 18 pairs of report and category."
    )
    remarked = grid(cell("few-shot", about=HAND), *(cell("zero-shot", one, pairs=2) for one in (FAIR, POOR)))
    assert [bool(one) for one in best(remarked)] == [False, True, False]


def test_sentences_say_what_rows_stand_on_which_are_equal_and_over_what_averages_run() -> None:
    over = "Omission over 2, Hallucination over 1, Strict F1 over 2."
    undefined = f"Averages over fewer than 3 categories, the others undefined: {over}"
    equal = replace(cell("few-shot"), run="q#2", equal_to="q")
    of = grid(cell("few-shot", about=HAND), equal)
    assert list(grid_sentences(of, grid_lines(of), "*")) == [
        "Measured over 6 reports, 18 pairs of report and category.",
        "No score is marked as best: no two rows over the most pairs and no remark differ.",
        "= q#2 was asked the very same prompts as q and has the same replies: one result, not two.",
        undefined,
    ]
    assert [one.label for one in of.cells] == ["UCP few-shot", "UCP few-shot #2 ="]
    of = three()
    assert list(grid_sentences(of, grid_lines(of), "*")) == [
        "Measured over 6 reports, 18 pairs of report and category.",
        "* marks the best score of a column among the 3 rows over 18 pairs; of errors the lowest is best.",
        undefined,
    ]
    nowhere = EDGES["nothing in common"]()
    assert not [one for one in grid_sentences(nowhere, grid_lines(nowhere), "*") if "Averages" in one]
    some = grid(cell("few-shot"), cell("few-shot", pairs=0))
    assert list(grid_sentences(some, grid_lines(some), "*"))[-1] == undefined


def test_what_a_run_took_is_told_where_all_of_it_is_known() -> None:
    one = replace(cell("few-shot"), quotes=7, exact=2, normalised=1, fuzzy=2, conflicts=1, ungrounded=1)
    of = grid(one)
    assert (one.grounded, one.tokens, seconds_per_report(of, one)) == (5 / 7, 3_001_000, (15.0, ""))
    assert work_table(of, grid_lines(of)).rows[1] == (
        Cell("UCP few-shot"),
        *(7, 2, 1, 2, 1, 1, 18, 0, 0, 0),
        *(Cell(3_000_000), Cell(1_000), Cell("88\u202f%"), Cell(90.0), Cell(15.0)),
    )
    for read, shown_as in ((8_999, "9999"), (9_000, "10k"), (9_998_400, "9999k"), (9_999_000, "10.0M")):
        row = next(
            line for line in grid_table(grid(replace(one, tokens_in=read))).splitlines() if "  UCP" in line
        )
        assert row.split()[-3:] == [shown_as, "90", "15.0"]
    assert (replace(one, tokens_in=None).tokens, replace(one, tokens_out=None).tokens) == (None, None)
    lost = "Calls failed or were never answered, so the time is not that of whole reports."
    assert seconds_per_report(of, replace(one, seconds=None)) == (None, "No time was recorded.")
    assert seconds_per_report(of, replace(one, calls=0)) == (None, "No call was made.")
    assert seconds_per_report(replace(of, documents=0), one) == (None, "No call was made.")
    assert seconds_per_report(of, replace(one, failed=1)) == (None, lost)
    assert seconds_per_report(of, replace(one, missing=1)) == (None, lost)


@pytest.mark.parametrize("per_category", [False, True])
def test_a_remark_stands_wherever_its_row_stands_and_such_a_row_is_never_the_best(per_category: bool) -> None:
    of = grid(cell("few-shot", about=HAND), cell("zero-shot", FAIR), cell("zero-shot-cot", POOR))
    assert best(of)[0] == frozenset()
    assert "tsr" in best(of)[1]
    lines = grid_table(of, per_category=per_category).splitlines()
    rows = [place for place, line in enumerate(lines) if line.startswith("  UCP few-shot")]
    assert len(rows) == (4 if per_category else 1)
    assert {lines[place + 1].strip() for place in rows} == {HAND}
    html = grid_html(of, NAMES, per_category=per_category)
    assert html.count(HAND) == html.count('<th scope="row">UCP few-shot') == (5 if per_category else 2)
    table = csv.DictReader(io.StringIO(grid_csv(of, per_category=per_category)))
    assert {line["about"] for line in table if line["prompting"] == "few-shot"} == {HAND}
    assert grid_json(of)["runs"][0]["about"] == HAND


def test_a_page_of_nothing_but_such_rows_says_so_above_them() -> None:
    html = grid_html(grid(cell("few-shot", about=HAND)), NAMES)
    assert html.index(HAND) < html.index("<table>")


def test_incomplete_failed_and_missing_calls_are_named_with_their_number() -> None:
    of = EDGES["incomplete"]()
    said = (
        "Incomplete: 3 of 18 calls cut or malformed, 2 of 18 calls failed, "
        "1 of 19 planned calls never answered; the scores rest on less."
    )
    table = grid_table(of)
    assert said in words(table)
    assert re.search(r"^! UCP zero-shot ", table, re.MULTILINE)
    assert said in grid_html(of, NAMES)
    assert [run["warning"] for run in grid_json(of)["runs"]] == ["", said]
    assert said in grid_csv(of).splitlines()[2]
    assert grid_json(of)["runs"][1]["seconds_per_report"] is None


def test_an_incomplete_run_is_marked_in_the_tables_by_category_too() -> None:
    of = EDGES["incomplete"]()
    assert len(re.findall(r"^! UCP zero-shot ", grid_table(of, per_category=True), re.MULTILINE)) == 4
    html = grid_html(of, NAMES, per_category=True)
    assert html.count("<em>incomplete</em>") == 3
    # In words it is said of the averages alone.
    assert words(grid_table(of, per_category=True)).count("Incomplete: 3 of 18 calls") == 1
    assert "! Some calls have no whole answer." in grid_table(of)
    assert "! Some calls" not in grid_table(three())
    # Of a category the quotes of the run, then those of the reference.
    assert html.count("0\u202f/\u202f6") == 2
    assert html.count("Measured over 6 reports") == 1


def test_the_undefined_is_a_dash_with_a_reason_and_never_a_number() -> None:
    of = grid(replace(cell("few-shot", ()), tokens_out=None, seconds=None, shared=None))
    run = grid_json(of)["runs"][0]
    assert (run["grounded"], run["seconds_per_report"]) == (None, None)
    assert run["reasons"]["grounded"] == "qwen2.5:7b/ucp/few-shot has no quotes."
    for text in (words(grid_table(of)), grid_html(of, NAMES)):
        assert "–" in text
        for reason in ("has no quotes.", "The tokens were not counted.", "No time was recorded."):
            assert reason in text
    line = next(csv.DictReader(io.StringIO(grid_csv(of))))
    assert (line["grounded"], line["tokens_out"], line["seconds"]) == ("", "", "")
    assert "grounded: qwen2.5:7b/ucp/few-shot has no quotes." in line["reasons"]


def test_an_undefined_average_gives_the_reason_that_holds_for_all_reports() -> None:
    reasons = grid_json(EDGES["nothing in common"]())["runs"][0]["reasons"]
    assert reasons["tsr"] == "No report was annotated here by both qwen2.5:7b/ucp/few-shot and gold."


@pytest.mark.parametrize("case", EDGES)
@pytest.mark.parametrize("per_category", [False, True])
def test_no_form_shows_a_programs_word_for_nothing(case: str, per_category: bool) -> None:
    of = EDGES[case]()
    page = grid_html(of, NAMES, per_category=per_category)
    for text in (
        grid_table(of, per_category=per_category),
        grid_csv(of, per_category=per_category),
        shown(page),
    ):
        assert not re.search(r"\b(None|nan|NaN|inf|Undefined)\b", text)
    assert not re.search(r"https?:|url\(|@import|<script|<link|src=|javascript:", page)
    plain = grid_json(of, per_category=per_category)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_an_empty_grid_is_one_sentence_and_what_was_left_out() -> None:
    assert grid_table(grid()) == "There is no run of a model to compare with gold.\n"
    of = EDGES["empty"]()
    for text in (grid_table(of), grid_html(of, NAMES)):
        assert "No run could be compared with gold." in text
        assert of.left_out[0] in text
    assert "<table>" not in grid_html(of, NAMES)
    assert grid_json(of)["left_out"] == list(of.left_out)


def test_rows_are_grouped_by_model_and_columns_aligned() -> None:
    of = grid(cell("few-shot"), cell("few-shot", FAIR, model="llama3:8b"), cell("zero-shot-cot", POOR))
    lines = grid_table(of).splitlines()
    rule = next(place for place, line in enumerate(lines) if line.startswith("---"))
    block = lines[rule + 1 : rule + 6]
    assert [line.split()[0] for line in block] == ["qwen2.5:7b", "UCP", "UCP", "llama3:8b", "UCP"]
    assert {len(line) for line in (lines[rule], lines[rule - 1], block[1], block[2], block[4])} == {
        len(lines[rule])
    }
    assert max(map(len, lines)) <= 140
    assert re.findall(r'class="model"[^>]*><span>([^<]*)', grid_html(of, NAMES))[:2] == [
        "qwen2.5:7b",
        "llama3:8b",
    ]


def test_by_category_every_run_stands_under_every_category() -> None:
    table = grid_table(three(), per_category=True, names=NAMES)
    assert [table.count(f"\n{name}\n") for name in NAMES.values()] == [1, 1, 1]
    lines = list(csv.DictReader(io.StringIO(grid_csv(three(), per_category=True))))
    assert [line["category"] for line in lines] == [c for c in ("average", *CATEGORIES) for _ in range(3)]
    assert {line["calls"] for line in lines[3:]} == {""}
    neuro = grid_json(three(), per_category=True)["runs"][1]["categories"]["Neuro"]
    assert neuro["f1"] == three().cells[1].strict.categories["Neuro"].scores["f1"] == float(lines[4]["f1"])
    assert "grounded" not in neuro
    html = grid_html(three(), NAMES, per_category=True)
    assert all(
        f"<caption>{name}</caption>" in html for name in ("Neurology &amp; cognition", "Gastrointestinal")
    )


def test_long_names_are_cut_in_the_terminal_alone_and_never_to_the_same() -> None:
    one = grid(cell("few-shot", model=LONG.format("8B")))
    assert "hf.co/bartowski/Meta-Llama" in grid_table(one)
    assert f"\n{LONG.format('8B')}\n" not in grid_table(one)
    assert re.search(r"^hf\.co/bart\S*…\S*Q4_K_M$", grid_table(one), re.MULTILINE), "the end has the version"
    two = grid(*(cell("few-shot", model=LONG.format(size)) for size in ("8B", "70B")))
    headings = [line for line in grid_table(two).splitlines() if line.startswith("hf.co")]
    assert len(set(headings)) == 2
    for text in (grid_csv(one), grid_html(one, NAMES), json.dumps(grid_json(one))):
        assert LONG.format("8B") in text


def test_what_models_and_annotators_are_called_does_no_harm() -> None:
    name = f"{EVIL}\x1b[2J\n\u202e\ud800"
    of = replace(grid(cell(EVIL, (), model=name, about=name), left_out=(name,)), against=name)
    html = grid_html(of, {"Neuro": EVIL}, per_category=True)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    for text in (html, grid_table(of, per_category=True, names={"GI": name}), grid_csv(of)):
        assert not re.search("[\x1b\u202e\ud800]", text)
        text.encode()
    assert len(list(csv.reader(io.StringIO(grid_csv(of))))) == 2
    assert grid_json(of)["runs"][0]["model"] == name


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "'"])
def test_a_name_never_becomes_a_formula(start: str) -> None:
    line = next(csv.DictReader(io.StringIO(grid_csv(grid(cell("few-shot", model=f"{start}1+2"))))))
    assert line["model"] == f"'{start}1+2"
    assert line["run"] == f"'{start}1+2/ucp/few-shot"


def test_a_run_without_a_strategy_stands_under_its_own_name() -> None:
    rules = replace(cell("", model="rules"), run="rules", strategy="", calls=0, tokens_in=None, seconds=1.0)
    assert re.search(r"^  rules  +6 ", grid_table(grid(rules)), re.MULTILINE)
    assert '<th scope="row">rules</th>' in grid_html(grid(rules), NAMES)
    assert "No call was made." in grid_table(grid(rules))


def test_the_mark_of_the_best_is_more_than_a_colour() -> None:
    html = grid_html(three(), NAMES)
    assert re.search(r'<b><span class="star" role="img" aria-label="best">★</span>[\d.]+</b>', html)
    assert re.search(r"\d\.\d{3}\*", grid_table(three()))
    assert "* marks the best score of a column among the 3 rows over 18 pairs;" in words(grid_table(three()))
    assert "<b>" not in shown(grid_html(EDGES["one"](), NAMES))


def test_the_page_can_be_read_aloud_and_printed_across() -> None:
    html = grid_html(three(), NAMES, per_category=True)
    assert html.count("<table>") == html.count("<caption>") == 5
    assert not re.search(r"<th(?![^>]*scope=)[ >]", html)
    assert "size: A4 landscape" in html
    assert "prefers-color-scheme: dark" in html
