"""Tables of JATS as text: one line per row, cells kept in their columns."""

from __future__ import annotations

from collections.abc import Iterator

from lxml.etree import _Element as Element

from app.formats.jats_inline import flat_text

OASIS = "{http://docs.oasis-open.org/ns/oasis-exchange/table}"
CELL = " | "
# Beyond this a span is a slip (or an attack); no table for readers is that wide.
MAX_SPAN = 100

_ROWS = frozenset({"tr", "row", OASIS + "row"})
_CELLS = frozenset({"td", "th", "entry", OASIS + "entry"})
_ONE = (None, "1")
_TABLES = frozenset({"table", OASIS + "table", "array", "tgroup", OASIS + "tgroup"})


def table_lines(table: Element) -> list[str]:
    """The rows of a `table`, `array` or OASIS table, top to bottom; empty rows are left out.

    A cell's text stands once, in its first column and row; the columns it spans stay empty there, so that
    cells below each other belong together.
    """
    columns = _column_numbers(table)
    lines = []
    hanging: dict[int, int] = {}
    for row in _rows(table):
        line, hanging = _row_text(row, columns, hanging)
        if line:
            lines.append(line)
    return lines


def _row_text(row: Element, columns: dict[str, int], hanging: dict[int, int]) -> tuple[str, dict[int, int]]:
    """The line of one row, and for each column how many rows below it are still covered by a cell above."""
    cells: list[str] = []
    below = {column: left - 1 for column, left in hanging.items() if left > 1}
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        while hanging and len(cells) in hanging:
            cells.append("")
        width, height = _spans(cell, columns)
        if height > 1:
            below.update(dict.fromkeys(range(len(cells), len(cells) + width), height - 1))
        cells.append(flat_text(cell))
        if width > 1:
            cells.extend([""] * (width - 1))
    while cells and not cells[-1]:
        cells.pop()
    return CELL.join(cells).strip(), below


def _rows(element: Element) -> Iterator[Element]:
    """Rows in order, without those of tables inside cells."""
    for child in element:
        if child.tag in _ROWS:
            yield child
        elif child.tag not in _CELLS and len(child):
            yield from _rows(child)


def _spans(cell: Element, columns: dict[str, int]) -> tuple[int, int]:
    """Columns and rows that a cell covers, at least one each."""
    width, height = cell.get("colspan"), cell.get("rowspan")
    if columns:
        first, last = columns.get(cell.get("namest", "")), columns.get(cell.get("nameend", ""))
        if first is not None and last is not None:
            width = str(last - first + 1)
        height = str(_number(cell.get("morerows"), 0) + 1)
    if width in _ONE and height in _ONE:
        return 1, 1
    return max(1, min(_number(width, 1), MAX_SPAN)), max(1, min(_number(height, 1), MAX_SPAN * 10))


def _number(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else otherwise


def _column_numbers(table: Element) -> dict[str, int]:
    """Column names of an OASIS table with their places."""
    if not isinstance(table.tag, str) or table.tag == "table":
        return {}
    specs = (spec for spec in table.iter() if str(spec.tag).endswith("colspec"))
    return {spec.get("colname", ""): place for place, spec in enumerate(specs)}


def is_table(element: Element) -> bool:
    """Whether `table_lines` can read it."""
    return element.tag in _TABLES
