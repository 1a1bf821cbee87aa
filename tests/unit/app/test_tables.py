"""One table says the same in every form, and nothing from outside does harm in any of them."""

from __future__ import annotations

import codecs
import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.tables import (
    Cell,
    Column,
    Table,
    csv_text,
    footnote,
    guarded,
    html_table,
    lines_in,
    numbered,
    read_csv,
    records,
    text_lines,
    without_guard,
)
from app.text import duration, size_in_words
from extractors.model.errors import FormatError

SCORES: Table[object] = Table(
    columns=(
        Column("Run", "run", kind="words", width=12),
        Column("Reports", "reports", places=("html",)),
        Column("Token set ratio", "tsr", ("TSR",), decimals=2, about="By words."),
    ),
    rows=(
        ("llama",),
        ("first", 10, Cell(81.5, below="70–90", best=True)),
        ("second, with a long name", 1200, Cell(None, "Nothing was found.", warning="")),
        ("Both are invented.",),
        ("Average", 5, 7.0),
    ),
    title="Scores",
    notes=("Higher is better.",),
    kinds={0: "group", 3: "remark", 4: "total"},
)
EVIL = "<script>\x1b[2J\u202e\n=1+2"


def page(table: Table[object]) -> str:
    source = '{% from "table.html.j2" import table with context %}{{ table(given) }}'
    return re.sub(r"\s+", " ", render_source(source, given=table))


def render_source(source: str, **values: object) -> str:
    from jinja2 import Environment, FileSystemLoader

    from extractors.assets import asset

    environment = Environment(loader=FileSystemLoader(asset("resources", "report")), autoescape=True)
    return environment.from_string(source).render(values, html_table=html_table)


def test_a_terminal_has_aligned_columns_marks_and_reasons_below() -> None:
    assert text_lines(SCORES) == [
        "  Run              TSR",
        "----------------------",
        "llama",
        "  first         81.50*",
        "  second, wit…    –[1]",
        "      Both are invented.",
        "----------------------",
        "  Average        7.00",
        "",
        "[1] Nothing was found.",
    ]


def test_several_tables_share_their_footnotes() -> None:
    notes = ["Another reason."]
    assert "–[2]" in "\n".join(text_lines(SCORES, notes))
    assert numbered(notes) == ["[1] Another reason.", "[2] Nothing was found."]
    assert [footnote(reason, notes) for reason in ("", "A third.", "Another reason.")] == ["", "3", "1"]


def test_a_page_has_the_same_and_what_a_terminal_has_no_room_for() -> None:
    html = page(SCORES)
    assert '<th scope="row">first</th><td>10</td><td><b><span class="star" role="img"' in html
    assert "81.50</b><small>70–90</small>" in html
    assert "–<sup>1</sup>" in html
    assert '<ol class="notes"><li>Nothing was found.</li></ol>' in html
    assert "second, with a long name" in html
    assert "<td>1,200</td>" in html
    assert '<tbody class="total">' in html
    assert "Higher is better." in html


def test_csv_and_records_have_bare_values_under_their_keys() -> None:
    table: Table[object] = Table(SCORES.columns, SCORES.rows[1:3])
    assert csv_text(table) == 'run,reports,tsr\nfirst,10,81.5\n"second, with a long name",1200,\n'
    assert records(table)[1] == {"run": "second, with a long name", "reports": 1200, "tsr": None}
    assert csv_text(table, mark=True).encode().startswith(codecs.BOM_UTF8)


def test_headings_alone_are_words_and_then_numbers() -> None:
    table = Table(("Error", "Planted"), (("Wrong edges", "3"), ("All", "12")))
    assert text_lines(table, rule=False) == [
        "Error        Planted",
        "Wrong edges        3",
        "All               12",
    ]


def test_long_headings_stand_on_two_lines() -> None:
    lines = text_lines(Table(("Error", "Outputs rated by two or more"), (("x", 1),)), rule=False)
    assert [line.strip() for line in lines[:2]] == ["Outputs rated by", "Error       two or more"]


def test_headings_in_lines_stand_at_the_foot() -> None:
    columns = (Column("Category", kind="words"), Column("Both empty", heading=("Both", "empty")))
    table: Table[object] = Table((*columns, Column("Omission", heading=("a", "b", "c"))), (("x", 1, 2),))
    lines = text_lines(table)
    assert [line.split() for line in lines[:3]] == [["a"], ["Both", "b"], ["Category", "empty", "c"]]
    assert lines[3] == "-" * len(lines[2])


def test_a_unit_stands_behind_every_number_people_see() -> None:
    column = Column("Omission", "omission", decimals=1, unit=" %")
    table: Table[object] = Table((Column("x", kind="words"), column), (("a", 12.5), ("b", None), ("c", 3)))
    assert [line.split("  ")[-1].strip() for line in text_lines(table)[2:]] == ["12.5 %", "–", "3 %"]
    assert "12.5 %" in page(table)
    assert csv_text(table).splitlines()[1] == "a,12.5"
    assert [column.text(-tiny) for tiny in (0.04, 0.06)] == ["0.0 %", "-0.1 %"], "no nought below nought"


def test_what_comes_from_outside_does_no_harm() -> None:
    table: Table[object] = Table(
        (Column(EVIL, kind="words"), Column(EVIL, heading=(EVIL,))), ((EVIL, Cell(None, EVIL)),)
    )
    html, text = page(table), "\n".join(text_lines(table))
    assert "<script" not in html
    for shown in (html, text):
        assert not re.search("[\x1b\u202e]", shown)
    assert len(text.splitlines()) == 5


@given(st.text(max_size=8))
def test_a_guarded_cell_comes_back_and_is_no_formula(value: str) -> None:
    assert without_guard(guarded(value)) == value
    assert not guarded(value).startswith(("=", "+", "-", "@", "\t", "\r"))


# Texts have one newline for every end of a line.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=6)


@given(rows=st.lists(st.tuples(TEXTS, st.integers()), max_size=4))
def test_every_row_of_csv_comes_back(
    rows: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    path.write_text(csv_text(Table[object](("a", "b"), tuple(rows)), mark=True), "utf-8", newline="")
    assert [(row["a"], int(row["b"])) for row in read_csv(path, ("a", "b"))] == rows


def test_columns_stand_where_they_are_to_stand() -> None:
    notes: list[str] = []
    assert [len(line.cells) for line in lines_in(SCORES, "text", notes)] == [1, 2, 2, 1, 2]
    assert [line.noted for line in lines_in(SCORES, "html", notes)] == [False, False, True, False, False]
    assert html_table(SCORES).footnotes == ("Nothing was found.",)


def test_a_cell_longer_than_any_table_has_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(f"item,value\n1,{'A' * 200_000}\n", "utf-8")
    # Reading MIMIC's notes lifts the limit for the whole process.
    before = csv.field_size_limit(131_072)
    try:
        with pytest.raises(FormatError, match="line 2, is no row of a table"):
            read_csv(path)
    finally:
        csv.field_size_limit(before)


def test_cells_that_lack_are_empty_and_columns_that_lack_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,\n1\n'=2,3,4,5\n", "utf-8")
    assert read_csv(path, ("b",)) == [{"a": "1", "b": ""}, {"a": "=2", "b": "3"}]
    with pytest.raises(FormatError, match=r"t\.csv has no column c, d; its first line"):
        read_csv(path, ("a", "c", "d"))
    path.write_text('a;b\n"1;2";3,4\n', "utf-8")
    assert read_csv(path, ("a", "b")) == [{"a": "1;2", "b": "3,4"}], "as a German spreadsheet saves it"
    path.write_text("", "utf-8")
    assert read_csv(path) == []


@pytest.mark.parametrize(
    ("size", "words"), [(0, "?"), (1, "0.0 MB"), (99_900_000, "99.9 MB"), (150_000_000, "0.1 GB")]
)
def test_sizes_are_said_in_the_unit_that_fits(size: int, words: str) -> None:
    assert size_in_words(size) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(89.4, "89 s"), (90, "2 min"), (89.4 * 60, "89 min"), (90 * 60, "1 h 30 min"), (185 * 60, "3 h 5 min")],
)
def test_times_are_said_in_the_unit_that_fits(seconds: float, words: str) -> None:
    assert duration(seconds) == words
