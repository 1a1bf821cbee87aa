"""Sections and blocks of JATS: walks a body once and hands headings and paragraphs to the text builder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml.etree import _Element as Element

from app.formats.documents.builder import BLOCK, LINE, Outside, TextBuilder
from app.formats.jats.inline import (
    ALTERNATIVES,
    INLINE,
    Handler,
    Inline,
    child_of,
    collapse,
    flat_text,
    named_text,
    note,
    tags,
)
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


_HEADED = frozenset({"title", "label"})
_SECTION_HEADED = _HEADED | {"sec-meta"}
_BULLET = "- "


class Blocks(Inline):
    """An inline walker that also knows blocks: each goes to `builder` where it stands in the source."""

    def __init__(self, builder: TextBuilder) -> None:
        super().__init__(HANDLERS)
        self.builder = builder
        self.place: tuple[str, tuple[str, ...], Outside | None] = ("", (), None)
        self.prefix = ""
        self.separator = BLOCK
        self.listing = False

    def flush(self, out: list[str]) -> None:
        """End the paragraph that `out` holds, if it holds one."""
        if not out:
            return
        text = collapse(out)
        out.clear()
        if text:
            self.add(text)

    def add(self, text: str) -> None:
        """Append a paragraph, or a line of a list."""
        if self.prefix:
            text = self.prefix + text
            self.prefix = ""
        self.builder.add(text, self.separator)
        if self.listing:
            self.separator = LINE

    def settle(self) -> None:
        """Write a label that found nothing to stand before."""
        if not self.prefix:
            return
        text = self.prefix.strip()
        self.prefix = ""
        if text.strip(_BULLET):
            self.builder.add(text, self.separator)

    def content(self, element: Element, without: frozenset[str] = frozenset()) -> None:
        """All blocks of `element` but its children of the tags `without`."""
        text = element.text
        out: list[str] = [text] if text and not text.isspace() else []
        handlers = self.handlers
        for child in element:
            tag = child.tag
            if tag not in without:
                handler = handlers.get(tag)
                if handler is not None:
                    handler(self, child, out)
                else:
                    self.walk(child, out)
            text = child.tail
            if text and (out or not text.isspace()):
                out.append(text)
        self.flush(out)
        self.settle()

    def section(
        self,
        element: Element,
        heading: str,
        outside: Outside | None = None,
        without: frozenset[str] = _HEADED,
    ) -> None:
        """`element` as a section below the present one; without a heading, only its content."""
        if not heading:
            self.content(element, without)
            return
        before = self.place
        line = (self.separator, self.listing, self.prefix)
        self.place = (heading, (*before[1], heading), outside or before[2])
        self.separator, self.listing, self.prefix = BLOCK, False, ""
        self.builder.enter(*self.place)
        self.content(element, without)
        self.place = before
        self.separator, self.listing, self.prefix = line
        self.builder.resume(*before)


def heading_of(element: Element, default: str = "") -> str:
    """Label and title on one line; `default` where there is no title."""
    title = label = ""
    for child in element:
        tag = child.tag
        if tag == "title":
            title = title or flat_text(child)
        elif tag == "label":
            label = label or flat_text(child)
    title = title or default
    return f"{label} {title}".strip() if label else title


def _paragraph(blocks: Blocks, element: Element, out: list[str]) -> None:
    if out:
        blocks.flush(out)
    blocks.walk(element, out)
    blocks.flush(out)


def _line(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A block that is one paragraph whatever is in it."""
    blocks.flush(out)
    text = flat_text(element)
    if text:
        blocks.add(text)


def _container(blocks: Blocks, element: Element, out: list[str]) -> None:
    blocks.flush(out)
    blocks.content(element)


def _label(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A label goes before what follows it."""
    blocks.flush(out)
    text = flat_text(element)
    if text:
        blocks.prefix += text + " "


def _section(blocks: Blocks, element: Element, out: list[str]) -> None:
    blocks.flush(out)
    blocks.settle()
    # What is said of a section before its title stays before its heading.
    if len(element) and element[0].tag == "sec-meta":
        _line(blocks, element[0], out)
    blocks.section(element, heading_of(element), without=_SECTION_HEADED)


def _boxed_text(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A box is a section of its own where it has a title, its own or its caption's."""
    blocks.flush(out)
    blocks.settle()
    caption = child_of(element, "caption")
    title = child_of(element, "title")
    if title is None and caption is not None:
        title = child_of(caption, "title")
        if title is not None and len(caption) == 1:
            label = flat_text(child_of(element, "label"))
            blocks.section(element, f"{label} {flat_text(title)}".strip(), without=_HEADED | {"caption"})
            return
    blocks.section(element, heading_of(element))


def _references(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A list of references inside the text is kept, as a section that is left out of extraction."""
    blocks.flush(out)
    blocks.section(element, heading_of(element, "References"))


def _list(blocks: Blocks, element: Element, out: list[str]) -> None:
    """Items one a line, those of lists inside items too."""
    blocks.flush(out)
    outer = (blocks.listing, blocks.separator)
    blocks.listing = True
    for child in element:
        if child.tag == "list-item":
            blocks.prefix = blocks.prefix or _BULLET
            blocks.content(child)
        elif child.tag == "def-item":
            _definition(blocks, child)
        else:
            blocks.handlers.get(child.tag, _line)(blocks, child, out)
            blocks.flush(out)
    if not outer[0]:
        blocks.listing, blocks.separator = outer


def _definition(blocks: Blocks, element: Element) -> None:
    """A term and its definition on one line."""
    pieces = [text for text in (flat_text(child) for child in element) if text]
    if pieces:
        blocks.add(
            _BULLET + ": ".join((pieces[0], " ".join(pieces[1:]))) if len(pieces) > 1 else _BULLET + pieces[0]
        )


def _float(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A figure or the like: "Figure 1. Caption" as a paragraph, what else it holds around it."""
    blocks.flush(out)
    label = ""
    for child in element:
        if child.tag == "label":
            label = flat_text(child)
        elif child.tag == "caption":
            _add(blocks, captioned(label, named_text(child)))
            label = ""
        else:
            _add(blocks, label if child.tag != "object-id" else "")
            label = label if child.tag == "object-id" else ""
            blocks.handlers.get(child.tag, _line)(blocks, child, out)
            blocks.flush(out)
    _add(blocks, label)


def _add(blocks: Blocks, text: str) -> None:
    if text:
        blocks.add(text)


def captioned(label: str, caption: str) -> str:
    """Label and caption as one sentence after the other."""
    if not label or not caption:
        return label or caption
    return f"{label} {caption}" if label[-1] in ".:;,)–—-" else f"{label}. {caption}"


def _table_wrap_lines(element: Element) -> Iterator[str]:
    label = ""
    for child in element:
        if child.tag == "label":
            label = flat_text(child)
            continue
        if child.tag == "caption":
            yield captioned(label, flat_text(child))
        elif child.tag == "object-id":
            yield flat_text(child)
            continue
        else:
            yield label
            yield from _table_part(child)
        label = ""
    yield label


def _table_part(element: Element) -> Iterator[str]:
    if is_table(element):
        for child in element:
            if child.tag in ("caption", "title", "label"):
                yield flat_text(child)
        yield from rows_of(element)
    elif element.tag == "alternatives":
        best = next((found for tag in ALTERNATIVES if (found := child_of(element, tag)) is not None), None)
        if best is None:
            best = child_of(element, OASIS + "table")
        yield from _table_part(best) if best is not None else [flat_text(element)]
    elif element.tag in ("table-wrap-foot", "fn-group"):
        for child in element:
            yield from _table_part(child)
    elif element.tag == "table-wrap":
        yield from _table_wrap_lines(element)
    else:
        yield flat_text(element)


def _table(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A table is one block: label and caption, a line per row, notes."""
    blocks.flush(out)
    lines = [line for line in _table_part(element) if line]
    if lines:
        blocks.add(LINE.join(lines))


def _footnote(blocks: Blocks, element: Element, out: list[str]) -> None:
    """A footnote in a group is a paragraph; elsewhere it stands in brackets where it is called."""
    parent = element.getparent()
    if parent is not None and parent.tag in ("fn-group", "author-notes"):
        _line(blocks, element, out)
    else:
        note(blocks, element, out)


HANDLERS: dict[Any, Handler] = {
    **INLINE,
    **tags(
        _paragraph, ("p", "title", "subtitle", "caption", "preformat", "explanation", "answer", "object-id")
    ),
    **tags(
        _line,
        "disp-formula verse-line speech speaker attrib ref sec-meta alt-text long-desc kwd-group".split(),
    ),
    **tags(_line, ("permissions", "contrib-group", "address", "inline-graphic")),
    **tags(_container, "disp-quote verse-group statement fn-group question-wrap question-wrap-group".split()),
    **tags(
        _container, "question answer-set option disp-formula-group table-wrap-group list-item notes".split()
    ),
    **tags(
        _float,
        "fig fig-group supplementary-material media graphic chem-struct-wrap chem-struct-wrapper".split(),
    ),
    **tags(_section, ("sec", "app", "ack", "app-group", "glossary", "bio")),
    **tags(_table, ("table", "array", OASIS + "table")),
    "label": _label,
    "boxed-text": _boxed_text,
    "ref-list": _references,
    "list": _list,
    "def-list": _list,
    "table-wrap": _table,
    "fn": _footnote,
}
