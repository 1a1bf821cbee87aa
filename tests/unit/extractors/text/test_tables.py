"""Tables in a report's text, written as lines and found again."""

from __future__ import annotations

from itertools import product
from random import Random

from extractors.text.tables import Cell, cell_at, table_at, table_lines, tables_in


def words(text: str) -> list[list[list[str]]]:
    return [
        [[text[start:end].strip(" ") for start, end in row] for row in table.rows]
        for table in tables_in(text)
    ]


def written(*rows: list[Cell]) -> str:
    return "Table 1. Results.\n" + "\n".join(table_lines(rows)) + "\nNormal ranges in brackets.\n\nFever."


def test_a_table_is_found_as_it_was_written() -> None:
    text = written(
        [Cell(""), Cell("Before", 2), Cell("After", 2)],
        [Cell("Test"), Cell("Hb"), Cell("WBC"), Cell("Hb"), Cell("WBC")],
        [Cell("Blood", 5)],
        [Cell("Day 1", 1, 2), Cell("7"), Cell(""), Cell("9")],
        [Cell("8"), Cell("4"), Cell("")],
        [],
    )
    assert words(text) == [
        [
            ["", "Before", "", "After"],
            ["Test", "Hb", "WBC", "Hb", "WBC"],
            ["Blood"],
            ["Day 1", "7", "", "9"],
            ["", "8", "4"],
        ]
    ]


def test_bars_and_odd_characters_within_a_cell_part_nothing() -> None:
    cells = ["| x", "a | b", "|", "|z|", "P(A|B)", "e\u0301 😀 שלום", "y |", ""]
    text = written([Cell("h")] * 2, [Cell(cell) for cell in cells], [Cell("1"), Cell("2")])
    found = words(text)[0][1]
    assert [cell.replace("\u00a0", " ").strip() for cell in found] == cells[:-1]
    assert text.count("\u00a0") == 6


def test_cells_stand_in_the_columns_that_cells_above_and_before_them_leave() -> None:
    random = Random(5)
    for _ in range(60):
        wide, high = (1, 1, 1, 2, 3), (1, 1, 2, 3)
        rows = [
            [
                Cell(f"{row}{at}", random.choice(wide), random.choice(high))
                for at in range(random.randrange(1, 4))
            ]
            for row in range(random.randrange(1, 5))
        ]
        grid: dict[tuple[int, int], str] = {}
        for top, cells in enumerate(rows):
            column = 0
            for cell in cells:
                while (top, column) in grid:
                    column += 1
                for down, right in product(range(cell.height), range(cell.width)):
                    grid.setdefault((top + down, column + right), "" if down or right else cell.text)
                column += cell.width
        lines = []
        for top in range(len(rows)):
            last = max(column for (row, column), words in grid.items() if row == top and words)
            lines.append(" | ".join(grid.get((top, column), "") for column in range(last + 1)).strip(" "))
        assert table_lines(rows) == lines


def test_a_span_that_no_reader_means_is_cut() -> None:
    assert len(table_lines([[Cell("a", 10**8), Cell("b")]])[0]) < 500


def test_bars_of_a_single_line_are_no_table() -> None:
    assert tables_in("Keywords: fever | cough | rash\n\nHb | 12") == ()
    assert tables_in("Fever.\nP(A|B)\nx||y") == ()
    # Nor are two among many lines that have none.
    assert tables_in("\n".join(["a | b", *["A line of a list."] * 9, "c | d"])) == ()


def test_the_first_rows_are_headings_unless_they_are_of_figures() -> None:
    def headers(*lines: str) -> int:
        return tables_in("\n".join(lines))[0].headers

    assert headers("Test | Day 1", "Hb | 7") == 1
    assert headers("| 2019 | 2020", "Hb | 7 | 8") == 1
    assert headers("Age | 34", "Hb | 7") == 0
    assert headers("| Before |  | After", "| Hb | WBC | Hb", "Day 1 | 7 | 8 | 9") == 2
    assert headers("Test | Result", "| positive", "Hb | 7") == 1
    assert headers("Day | CRP", "| mean | highest", "1 | 7 | 8") == 2
    assert headers("Day | CRP", "| 7 | 8", "1 | 9 | 10") == 1


def test_a_cell_is_found_by_any_place_in_it() -> None:
    text = "Seen.\nTest | Day 1\nHb | 7 g/dl\nOnly figures.\n\nFever."
    place = text.index("7 g")
    assert [cell_at(text, place + offset) for offset in (-1, 0, 6)] == [(place, place + 6)] * 3
    table = table_at(text, place)
    assert table is not None
    assert text[table.start : table.end] == "Test | Day 1\nHb | 7 g/dl"
    (below,) = tables_in(f"\n\n{text}")
    assert below.block[1] == table.block[1] + 2
    assert text[slice(*table.block)] == text[: text.index("\n\n")]
    assert (cell_at(text, 2), cell_at(text, len(text)), table_at(text, len(text))) == (None, None, None)
