"""Tables in a report's text, a line for each row and bars between cells: written and read here alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

# Beyond this a span is a slip (or an attack); no table for readers is that wide.
MAX_SPAN = 100
CELL = " | "
# What a figure or table is called, at the start of the line that says what it shows.
CAPTION = re.compile(r"(?:supplementary )?(?:fig(?:ure)?\.?|table)\s*\w+[.:|]", re.IGNORECASE)
# A line that says what a table's short forms stand for.
LEGEND = re.compile(r"(?:legend|abbreviations|key)\s*:", re.IGNORECASE)

_BAR = re.compile(r"(?<![^ \n])\|(?= )")
_BAR_IN_CELL = re.compile(r" ?\| ?")
_FIGURES = re.compile(r"[<>≤≥~±+−-]?\s*\d")
_CAPTION_LINE = re.compile(rf"^({CAPTION.pattern}).*$", re.IGNORECASE | re.MULTILINE)
# A row of one cell is a heading among rows; what is longer is prose.
_LONGEST_LABEL = 160
_MOST_NOTES = 9
_FEWEST_ROWS = 2
Range = tuple[int, int]


class Cell(NamedTuple):
    """A cell as a source gives it: its text on one line, and the columns and rows it covers."""

    text: str
    width: int = 1
    height: int = 1


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table in a text, in code points: its rows, each with its cells (start, end).

    A cell reaches up to the bar after it, and begins behind the blank after the bar before it. Of the rows,
    `headers` are headings of the columns. `block` is the paragraph around it: captions, rows and notes.
    """

    rows: tuple[tuple[Range, ...], ...]
    headers: int
    block: Range

    @property
    def start(self) -> int:
        """Where the first row begins."""
        return self.rows[0][0][0]

    @property
    def end(self) -> int:
        """Where the last row ends."""
        return self.rows[-1][-1][1]

    @property
    def columns(self) -> int:
        """How many cells the longest row has."""
        return max(map(len, self.rows))


def table_lines(rows: Iterable[Iterable[Cell]]) -> list[str]:
    """The rows of a table as lines, top to bottom; empty rows are left out.

    A cell's text stands once, in its first column and row; the columns and rows it covers stay empty there,
    so that cells below each other belong together. Empty cells at the end of a row are left out.
    """
    lines = []
    hanging: dict[int, int] = {}
    for row in rows:
        line, hanging = _row_line(row, hanging)
        if line:
            lines.append(line)
    return lines


def _row_line(row: Iterable[Cell], hanging: dict[int, int]) -> tuple[str, dict[int, int]]:
    """The line of one row, and for each column how many rows below it are still covered by a cell above."""
    cells: list[str] = []
    below = {column: left - 1 for column, left in hanging.items() if left > 1}
    for text, width, height in row:
        while hanging and len(cells) in hanging:
            cells.append("")
        wide, high = max(1, min(width, MAX_SPAN)), max(1, min(height, MAX_SPAN * 10))
        if high > 1:
            below.update(dict.fromkeys(range(len(cells), len(cells) + wide), high - 1))
        cells.append(_in_cell(text) if "|" in text else text)
        if wide > 1:
            cells.extend([""] * (wide - 1))
    while cells and not cells[-1]:
        cells.pop()
    return CELL.join(cells).strip(" "), below


def _in_cell(text: str) -> str:
    """Bars within a cell keep off blanks that would make them bars between cells."""
    if text == "|":
        return "\u00a0|\u00a0"
    return _BAR_IN_CELL.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


@lru_cache(maxsize=4)
def tables_in(text: str) -> tuple[TextTable, ...]:
    """The tables of a text in their order; two rows at least, since a bar is a sign like others, too."""
    return tuple(_tables(text)) if _BAR.search(text) else ()


def table_at(text: str, offset: int) -> TextTable | None:
    """The table that holds an offset."""
    return next((table for table in tables_in(text) if table.start <= offset <= table.end), None)


def cell_at(text: str, offset: int) -> Range | None:
    """The words of the table's cell at an offset, without the blanks beside them; None outside tables."""
    table = table_at(text, offset)
    if table is None:
        return None
    cells = (cell for row in table.rows for cell in row)
    return next((bare_cell(text, cell) for cell in cells if offset <= cell[1]), None)


def bare_cell(text: str, cell: Range) -> Range:
    """A cell without the blanks beside its words."""
    start, end = cell
    while start < end and text[end - 1] == " ":
        end -= 1
    while start < end and text[start] == " ":
        start += 1
    return start, end


def _tables(text: str) -> Iterator[TextTable]:
    for start, end in _blocks(text):
        if text.find("|", start, end) < 0:
            continue
        rows: list[tuple[Range, ...]] = []
        for line in (*_lines(text, start, end), None):
            if line is not None and (line[1] - line[0] <= _LONGEST_LABEL or text.find("|", *line) >= 0):
                rows.append(_cells(text, *line))
                continue
            barred = [number for number, row in enumerate(rows) if len(row) > 1]
            if len(barred) >= _FEWEST_ROWS:
                found = rows[barred[0] : barred[-1] + 1]
                # Lines without a bar are rows of one cell, unless hardly any have one.
                if len(found) <= 3 * len(barred):
                    yield TextTable(tuple(found), _headers(text, found), (start, end))
            rows = []


def _blocks(text: str) -> Iterator[Range]:
    """What blank lines part."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        end = len(text) if end < 0 else end
        if start < end:
            yield start, end
        start = max(end, start) + 1


def _lines(text: str, start: int, end: int) -> Iterator[Range]:
    while start <= end:
        line_end = text.find("\n", start, end)
        line_end = end if line_end < 0 else line_end
        if start < line_end:
            yield start, line_end
        start = line_end + 1


def _cells(text: str, start: int, end: int) -> tuple[Range, ...]:
    bars = [bar.start() for bar in _BAR.finditer(text, start, end)]
    return tuple(zip([start, *(bar + 2 for bar in bars)], [*bars, end], strict=True))


def _headers(text: str, rows: Sequence[tuple[Range, ...]]) -> int:
    """How many rows are headings: the first, unless it has figures beside its label, and one that goes on
    below headings over several columns."""
    words = [[text[slice(*bare_cell(text, cell))] for cell in row] for row in rows[:3]]
    if words[0][0] and any(_FIGURES.match(cell) for cell in words[0][1:]):
        return 0
    # A heading over several columns leaves gaps, which the row below it fills.
    longer = len(words[0]) < len(words[1]) and not (words[0][0] and words[1][0])
    gap = longer or "" in words[0][1:]
    return 2 if gap and len(words) > 2 and not any(map(_FIGURES.match, words[1])) else 1


def captions_in(text: str) -> list[tuple[int, int, int]]:
    """What stands around figures and tables: for each line start, end of the label ("Table 1."), and end."""
    found = [(line.start(), line.end(1), line.end()) for line in _CAPTION_LINE.finditer(text)]
    for table in tables_in(text):
        notes = list(_lines(text, table.end + 1, table.block[1]))
        if len(notes) <= _MOST_NOTES:
            found += [(start, start, end) for start, end in notes]
    return found
