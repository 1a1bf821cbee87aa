"""One table for all: lines for a terminal, CSV for statistics, HTML for pages, records for JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from app.text import one_line, text_of_file
from extractors.assets import asset
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from jinja2 import Environment

DASH = "–"
# Without this mark spreadsheets on Windows take UTF-8 for the local encoding.
BYTE_ORDER_MARK = "\ufeff"
# A spreadsheet takes a cell that begins so for a formula; the apostrophe itself is on the list so that
# `without_guard` is exact.
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "'")
_WIDTH, _WIDEST_HEAD, _WIDEST_ROW = 100, 15, 110

Place = Literal["text", "html"]
Kind = Literal["", "total", "group", "remark", "warning"]
T = TypeVar("T", bound=object)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `title` for people, `key` for programs, `about` in words.

    `heading` stands for the title, in lines, where there is little room. Values are `words`, on the left and
    cut to `width` in a terminal where there is one, or numbers, on the right, with so many `decimals` where
    they have any and the `unit` behind them. `places` show it; `over` heads it and its neighbours.
    """

    title: str
    key: str = ""
    heading: tuple[str, ...] = ()
    kind: Literal["words", "number"] = "number"
    decimals: int = 0
    unit: str = ""
    width: int = 0
    about: str = ""
    over: str = ""
    places: tuple[Place, ...] = ("text", "html")

    def text(self, value: object) -> str:
        """A value as it is shown, a dash where it is undefined."""
        if value is None:
            return DASH
        if isinstance(value, float):
            return f"{value:z,.{self.decimals}f}{self.unit}"
        whole = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}{self.unit}" if whole else str(value)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with more to it: why it is undefined, its range, whether it is the best, what to warn of."""

    value: object
    note: str = ""
    below: str = ""
    best: bool = False
    warning: str = ""


@dataclass(frozen=True)
class Table(Generic[T]):
    """Rows under columns, of plain values or cells; a heading alone is a column of words, if it is the first.

    `kinds` go by the number of a row: a total stands out, a group heads the rows below it, remarks and
    warnings are on the row above them; these three have one cell. `notes` are sentences below.
    """

    columns: tuple[Column | str, ...]
    rows: tuple[tuple[T, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    kinds: Mapping[int, Kind] = field(default_factory=dict)

    @property
    def header(self) -> tuple[str, ...]:
        """The columns' titles."""
        return tuple(column.title for column in self.heads)

    @property
    def heads(self) -> tuple[Column, ...]:
        """The columns."""
        return tuple(
            Column(one, kind="number" if place else "words") if isinstance(one, str) else one
            for place, one in enumerate(self.columns)
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell as texts; `mark` is the number of its note."""

    text: str
    mark: str = ""
    below: str = ""
    best: bool = False
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row as it is shown; `noted` where remarks follow it."""

    kind: Kind
    cells: tuple[Shown, ...]
    noted: bool = False


def footnote(reason: str, notes: list[str]) -> str:
    """The number of a reason among `notes`, which it joins if it is new; "" for no reason."""
    if not reason:
        return ""
    if reason not in notes:
        notes.append(reason)
    return str(notes.index(reason) + 1)


def columns_in(table: Table[Any], place: Place) -> list[Column]:
    """The columns that stand in a place."""
    return [column for column in table.heads if place in column.places]


def lines_in(table: Table[Any], place: Place, notes: list[str]) -> list[Line]:
    """The rows as a place shows them; reasons of what is undefined join `notes`."""
    lines = []
    for number, row in enumerate(table.rows):
        kind = table.kinds.get(number, "")
        below = table.kinds.get(number + 1, "")
        columns = table.heads if kind in ("", "total") else table.heads[:1]
        cells = [
            _shown(column, cell, notes)
            for column, cell in zip(columns, row, strict=True)
            if place in column.places
        ]
        lines.append(Line(kind, tuple(cells), below in ("remark", "warning")))
    return lines


def _shown(column: Column, value: object, notes: list[str]) -> Shown:
    if not isinstance(value, Cell):
        return Shown(one_line(column.text(value)))
    mark = footnote(one_line(value.note), notes)
    return Shown(one_line(column.text(value.value)), mark, value.below, value.best, value.warning)


def text_lines(
    table: Table[Any], notes: list[str] | None = None, *, rule: bool = True, gap: str = "  "
) -> list[str]:
    """The table aligned for a terminal: headings, a rule, rows; what comes from outside does no harm there.

    The footnotes stand below it, unless they go to the `notes` that are given.
    """
    own: list[str] = []
    columns, lines = columns_in(table, "text"), lines_in(table, "text", own if notes is None else notes)
    plain = [line for line in lines if line.kind in ("", "total")]
    marked = [any(line.cells[place].best for line in plain) for place in range(len(columns))]
    warned = any(line.cells[0].warning for line in plain)
    grouped = warned or "group" in table.kinds.values()
    body = {
        id(line): [
            _terminal(column, cell, spare, grouped and not place)
            for place, (column, cell, spare) in enumerate(zip(columns, line.cells, marked, strict=True))
        ]
        for line in plain
    }
    heads = _stacked([_head(column) for column in columns])
    if grouped and heads:
        heads[0] = (*heads[0][:-1], f"  {heads[0][-1]}")
    widths = [
        max(map(len, (*head, *(cells[place] for cells in body.values())))) for place, head in enumerate(heads)
    ]

    def laid(cells: Sequence[str]) -> str:
        sides = zip(cells, widths, columns, strict=True)
        return gap.join(
            cell.ljust(width) if one.kind == "words" else cell.rjust(width) for cell, width, one in sides
        ).rstrip()

    top = [laid(row) for row in zip(*heads, strict=True)]
    line_of = "-" * max(map(len, top), default=0)
    result = [*top, *([line_of] if rule else [])]
    for before, line in zip([None, *lines], lines, strict=False):
        if line.kind == "total" and rule and (before is None or before.kind != "total"):
            result.append(line_of)
        if line.kind in ("", "total"):
            result.append(laid(body[id(line)]))
        elif line.kind == "group":
            result.append(line.cells[0].text)
        else:
            result += wrapped(line.cells[0].text, "      ")
    return [*result, *([""] if own else []), *numbered(own)]


def _terminal(column: Column, cell: Shown, spare: bool, grouped: bool) -> str:
    """A cell's text with its mark; numbers beside a best one keep a column for its star."""
    text = cell.text
    if column.width and len(text) > column.width:
        text = text[: column.width - 1].rstrip() + "…"
    if grouped:
        text = f"{'! ' if cell.warning else '  '}{text}"
    if cell.mark:
        return f"{text}[{cell.mark}]"
    return f"{text}{'*' if cell.best else ' '}" if spare else text


def _head(column: Column) -> tuple[str, ...]:
    """A heading in lines; a long title takes two."""
    if column.heading:
        return tuple(map(one_line, column.heading))
    width = max(_WIDEST_HEAD, (len(column.title) + 1) // 2 + 2)
    lines = textwrap.wrap(one_line(column.title), width, break_long_words=False, break_on_hyphens=False)
    return (*lines[:1], " ".join(lines[1:])) if len(lines) > 1 else tuple(lines) or ("",)


def _stacked(heads: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Headings of as many lines each; shorter ones stand at the foot."""
    high = max(map(len, heads), default=0)
    return [(*[""] * (high - len(head)), *head) for head in heads]


def wrapped(text: str, head: str = "", width: int = _WIDEST_ROW) -> list[str]:
    """A sentence on lines of a terminal, the first after `head`, the others below it."""
    return textwrap.wrap(
        text, width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )


def numbered(notes: Sequence[str], width: int = 10_000) -> list[str]:
    """Footnotes by their number."""
    return [line for place, note in enumerate(notes, 1) for line in wrapped(note, f"[{place}] ", width)]


def csv_text(table: Table[Any], *, mark: bool = False) -> str:
    """The values of all columns as CSV that no spreadsheet runs, under their keys; numbers stay numbers.

    With `mark` it begins with a byte order mark, for spreadsheets on Windows.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.key or column.title for column in table.heads])
    for row in table.rows:
        writer.writerow([guarded(value) if isinstance(value, str) else value for value in map(_plain, row)])
    return (BYTE_ORDER_MARK if mark else "") + out.getvalue()


def read_csv(path: Path, needed: Sequence[str] = ()) -> list[dict[str, str]]:
    """The rows of a CSV file as `csv_text` writes it, by the names in its first line, "" where a cell lacks.

    Commas or semicolons divide cells, as the spreadsheet of a country saves it. Raises FormatError for a file
    that cannot be read or lacks one of the `needed` columns.
    """
    text = text_of_file(path)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=divider(text))
    try:
        lacking = [name for name in needed if name not in (reader.fieldnames or ())]
        if lacking:
            raise FormatError(f"{path} has no column {', '.join(lacking)}; its first line names the columns.")
        return [{name: without_guard(value or "") for name, value in row.items() if name} for row in reader]
    except csv.Error as error:
        raise FormatError(f"{path}, line {reader.line_num + 1}, is no row of a table ({error}).") from None


def divider(text: str) -> str:
    """What divides the cells of a CSV file by its first line: a comma or a semicolon."""
    first = text.partition("\n")[0]
    return ";" if first.count(";") > first.count(",") else ","


def records(table: Table[Any]) -> list[dict[str, Any]]:
    """The values of all columns, row by row, by the columns' keys: plain values for JSON."""
    keys = [column.key or column.title for column in table.heads]
    return [dict(zip(keys, map(_plain, row), strict=True)) for row in table.rows]


def _plain(value: object) -> object:
    return value.value if isinstance(value, Cell) else value


def guarded(value: str) -> str:
    """The value as a cell that no spreadsheet takes for a formula."""
    return "'" + value if value.startswith(_DANGEROUS) else value


def without_guard(cell: str) -> str:
    """The value that `guarded` was given for this cell."""
    return cell[1:] if cell.startswith("'") else cell


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """What table.html.j2 is given: `over` are (heading, columns), `bodies` the lines from group to group."""

    title: str
    columns: tuple[Column, ...]
    over: tuple[tuple[str, int], ...]
    bodies: tuple[tuple[Line, ...], ...]
    footnotes: tuple[str, ...]
    notes: tuple[str, ...]


def html_table(table: Table[Any]) -> HtmlTable:
    """The table for `table` of table.html.j2, which escapes it."""
    notes: list[str] = []
    columns, bodies = columns_in(table, "html"), list[list[Line]]()
    for line in lines_in(table, "html", notes):
        begins = not bodies or line.kind == "group" or (line.kind == "total" != bodies[-1][-1].kind)
        bodies += [[]] if begins else []
        bodies[-1].append(line)
    over: list[tuple[str, int]] = []
    for column in columns:
        if over and over[-1][0] == column.over:
            over[-1] = (column.over, over[-1][1] + 1)
        else:
            over.append((column.over, 1))
    return HtmlTable(
        one_line(table.title),
        tuple(replace(column, title=one_line(column.title)) for column in columns),
        tuple((one_line(words), number) for words, number in over) if any(words for words, _ in over) else (),
        tuple(map(tuple, bodies)),
        tuple(notes),
        tuple(map(one_line, table.notes)),
    )


def render(template: str, **values: object) -> str:
    """A template of resources/report/ filled in; everything is escaped, and a missing value is an error."""
    return _environment().get_template(template).render(values, html_table=html_table)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(asset("resources", "report")),
        autoescape=lambda name: not str(name).endswith(".md.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
