"""Tables of JATS as text: reads their rows, cells and spans."""

from __future__ import annotations

from collections.abc import Iterator

from lxml.etree import _Element as Element

from app.formats.jats.inline import flat_text
from extractors.text.tables import Cell, table_lines

OASIS = "{http://docs.oasis-open.org/ns/oasis-exchange/table}"

_ROWS = frozenset({"tr", "row", OASIS + "row"})
_CELLS = frozenset({"td", "th", "entry", OASIS + "entry"})
_ONE = (None, "1")
_TABLES = frozenset({"table", OASIS + "table", "array", "tgroup", OASIS + "tgroup"})


def rows_of(table: Element) -> list[str]:
    """The rows of a `table`, `array` or OASIS table as lines of text, top to bottom."""
    columns = _column_numbers(table)
    return table_lines(
        (Cell(flat_text(cell), *_spans(cell, columns)) for cell in row if cell.tag in _CELLS)
        for row in _rows(table)
    )


def _rows(element: Element) -> Iterator[Element]:
    """Rows in order, without those of tables inside cells."""
    for child in element:
        if child.tag in _ROWS:
            yield child
        elif child.tag not in _CELLS and len(child):
            yield from _rows(child)


def _spans(cell: Element, columns: dict[str, int]) -> tuple[int, int]:
    """Columns and rows that a cell says it covers."""
    width, height = cell.get("colspan"), cell.get("rowspan")
    if columns:
        first, last = columns.get(cell.get("namest", "")), columns.get(cell.get("nameend", ""))
        if first is not None and last is not None:
            width = str(last - first + 1)
        height = str(_number(cell.get("morerows"), 0) + 1)
    if width in _ONE and height in _ONE:
        return 1, 1
    return _number(width, 1), _number(height, 1)


def _number(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else otherwise


def _column_numbers(table: Element) -> dict[str, int]:
    """Column names of an OASIS table with their places."""
    if not isinstance(table.tag, str) or table.tag == "table":
        return {}
    specs = (spec for spec in table.iter() if str(spec.tag).endswith("colspec"))
    return {spec.get("colname", ""): place for place, spec in enumerate(specs)}


def is_table(element: Element) -> bool:
    """Whether `rows_of` can read it."""
    return element.tag in _TABLES
