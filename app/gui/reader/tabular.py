"""What is copied of a text: its characters, and cells of a table as a table, too."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from PySide6.QtCore import QMimeData

from extractors.text.tables import TextTable, bare_cell, tables_in

_TSV = "text/tab-separated-values"


def table_data(text: str, start: int, end: int) -> QMimeData:
    """[start, end) of a text for the clipboard: as it stands, and cells in HTML and by tabs, too."""
    data = QMimeData()
    data.setText(text[start:end])
    tables = [table for table in tables_in(text) if _cells_in(table, start, end) > 1]
    if tables:
        data.setHtml("".join(_html(text, tables, start, end)))
        data.setData(_TSV, "\n".join(_lines(text, tables, start, end)).encode("utf-8", "replace"))
    return data


def _cells_in(table: TextTable, start: int, end: int) -> int:
    return sum(low < end and start < high for row in table.rows for low, high in row)


def _html(text: str, tables: list[TextTable], start: int, end: int) -> Iterator[str]:
    yield '<meta charset="utf-8">'
    place = start
    for table in tables:
        yield from _paragraphs(text[place : max(place, min(table.start, end))])
        yield "<table>"
        for number, row in _rows(table, start, end):
            tag = "th" if number < table.headers else "td"
            cells = (escape(words, quote=False) for words in _words(text, table, row, start, end))
            yield "<tr>" + "".join(f"<{tag}>{words}</{tag}>" for words in cells) + "</tr>"
        yield "</table>"
        place = max(place, table.end)
    yield from _paragraphs(text[place:end])


def _paragraphs(words: str) -> Iterator[str]:
    return (f"<p>{escape(line, quote=False)}</p>" for line in words.split("\n") if line.strip())


def _lines(text: str, tables: list[TextTable], start: int, end: int) -> Iterator[str]:
    place = start
    for table in tables:
        yield from _kept(text[place : max(place, min(table.start, end))])
        for _, row in _rows(table, start, end):
            yield "\t".join(_words(text, table, row, start, end))
        place = max(place, table.end)
    yield from _kept(text[place:end])


def _kept(words: str) -> list[str]:
    words = words.strip("\n")
    return words.split("\n") if words else []


def _rows(table: TextTable, start: int, end: int) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    return ((n, row) for n, row in enumerate(table.rows) if row[0][0] < end and start < row[-1][1])


def _words(text: str, table: TextTable, row: tuple[tuple[int, int], ...], start: int, end: int) -> list[str]:
    """What is taken of the cells of a row, each in its column."""
    cells = [bare_cell(text, (max(low, start), min(high, end))) for low, high in row]
    return [text[low:high].replace("\t", " ") for low, high in cells] + [""] * (table.columns - len(row))
