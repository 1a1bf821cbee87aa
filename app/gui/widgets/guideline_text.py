"""A category's guideline as set text: built piece by piece, so that nothing in it is taken for markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextListFormat,
)

from app.palette import PagePalette
from extractors.model.amending import read_example
from extractors.model.errors import SchemeError
from extractors.model.guideline import Example, ExampleQuote, Guideline, parse_guideline
from extractors.model.scheme import Category, Scheme

if TYPE_CHECKING:
    from app.store.reconcile.amendments import Amendment

_CODE = re.compile(r"`([^`]+)`")
_STRENGTH = 0.25
_LINES = {
    "present": QTextCharFormat.UnderlineStyle.SingleUnderline,
    "negated": QTextCharFormat.UnderlineStyle.DashUnderline,
    "uncertain": QTextCharFormat.UnderlineStyle.DotLine,
}


@lru_cache(maxsize=64)
def read_guideline(category: Category) -> Guideline | str:
    """The category's guideline taken apart, or the sentence that says why it could not be; read once."""
    try:
        return parse_guideline(category.guideline, f"{category.id}.md")
    except SchemeError as error:
        return str(error)


def definition_of(category: Category) -> str:
    """The definition in the category's guideline, "" where the guideline cannot be read."""
    guideline = read_guideline(category)
    return guideline.definition if isinstance(guideline, Guideline) else ""


@dataclass(frozen=True, slots=True)
class Added:
    """A clause in a section, an example's text, or both; `caption` stands behind it, an anchor named `id`."""

    id: str
    section: str
    clause: str
    example: str
    caption: str


def added_by(amendment: Amendment) -> Added:
    """What an amendment added; it says when and by whom."""
    example = read_example(amendment.example).text if amendment.example else ""
    return Added(amendment.uuid, amendment.section, amendment.clause, example, amended_on(amendment))


def amended_on(amendment: Amendment) -> str:
    """When and by whom, as it stands behind what was added: "amended 22 Nov 2026, Dr Ruiz"."""
    return f"amended {day_of(amendment.amended_at)}, {' '.join(amendment.author.split())}"


def as_read(clause: str, scheme: Scheme) -> str:
    """A clause as the page shows it: category ids by their names."""
    names = {one.id: one.name for one in scheme.categories}
    return _CODE.sub(lambda code: names.get(code[1], code[1]), clause)


def day_of(at: str) -> str:
    """The day of a time in UTC as it is here: "22 Nov 2026"."""
    return QDateTime.fromString(at, Qt.DateFormat.ISODate).toLocalTime().toString("d MMM yyyy")


def guideline_document(
    category: Category,
    scheme: Scheme,
    palette: PagePalette,
    font: QFont,
    added: Sequence[Added] = (),
) -> QTextDocument:
    """The guideline as a document in that font; a broken one as it is written, below a sentence.

    What was `added` by amendment says so.
    """
    guideline = read_guideline(category)
    setter = _Setter(category, scheme, palette, font, added)
    if isinstance(guideline, Guideline):
        setter.set_guideline(guideline)
    else:
        setter.set_raw(guideline)
    return setter.document


class _Setter:
    """Sets one document from top to bottom."""

    def __init__(
        self,
        category: Category,
        scheme: Scheme,
        palette: PagePalette,
        font: QFont,
        added: Sequence[Added],
    ) -> None:
        self.document = QTextDocument()
        self.document.setDefaultFont(font)
        self.document.setUndoRedoEnabled(False)
        self.document.setDocumentMargin(8)
        self.document.setIndentWidth(float(font.pointSizeF() * 1.4 if font.pointSizeF() > 0 else 16))
        self._category, self._palette = category, palette
        self._names = {one.id: one.name for one in scheme.categories}
        self._gap = float(max(font.pointSizeF(), 6) * 0.5)
        self._cursor = QTextCursor(self.document)
        self._plain, self._strong, self._slanted = (QTextCharFormat() for _ in range(3))
        self._strong.setFontWeight(QFont.Weight.Bold)
        self._slanted.setFontItalic(True)
        self._clauses = {(one.section, one.clause): one for one in added if one.clause}
        self._examples = {one.example: one for one in added if one.example}

    def set_guideline(self, guideline: Guideline) -> None:
        self._begin(0)
        self._write(guideline.definition)
        if self._category.habit:
            self._begin(self._gap)
            self._write(self._category.habit)
        if guideline.fields:
            self._heading("Fields")
            self._list((f"`{name}`: {note}" for name, note in guideline.fields))
        for title, items in (
            ("Include", guideline.include),
            ("Exclude", guideline.exclude),
            ("Boundaries", guideline.boundaries),
        ):
            if items:
                self._heading(title)
                self._list(items, title)
        if guideline.examples:
            self._heading("Examples")
        for example in guideline.examples:
            self._example(example)

    def set_raw(self, why: str) -> None:
        self._begin(0)
        self._cursor.insertText(f"This guideline is shown as it is written: {why}", self._strong)
        for line in self._category.guideline.split("\n"):
            self._begin(0)
            self._cursor.insertText(line, self._plain)

    def _begin(self, above: float, indent: int = 0) -> None:
        block = QTextBlockFormat()
        block.setTopMargin(above)
        block.setIndent(indent)
        block.setLineHeight(115, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self.document.isEmpty():
            self._cursor.setBlockFormat(block)
        else:
            self._cursor.insertBlock(block)

    def _heading(self, title: str) -> None:
        self._begin(self._gap * 2)
        self._cursor.insertText(title, self._strong)

    def _list(self, items: Iterable[str], section: str = "") -> None:
        shape = QTextListFormat()
        shape.setStyle(QTextListFormat.Style.ListDisc)
        shape.setIndent(1)
        listed = None
        for item in items:
            self._begin(self._gap / 2)
            if listed is None:
                listed = self._cursor.createList(shape)
            else:
                listed.add(self._cursor.block())
            self._write(item)
            self._say_added(self._clauses.get((section, item)))

    def _say_added(self, added: Added | None) -> None:
        """Say behind what stands in this block that it was added; the whole block is the anchor."""
        if added is None:
            return
        quiet = QTextCharFormat()
        quiet.setForeground(QColor(*self._palette.quiet))
        self._cursor.insertText(f" – {added.caption}", quiet)
        anchor = QTextCharFormat()
        anchor.setAnchor(True)
        anchor.setAnchorNames([added.id])
        block = QTextCursor(self._cursor)
        block.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        block.mergeCharFormat(anchor)

    def _write(self, text: str) -> None:
        """Plain text, with what stands in backticks slanted; category ids by their names."""
        for number, part in enumerate(_CODE.split(text)):
            named = self._names.get(part, part) if number % 2 else part
            self._cursor.insertText(named, self._slanted if number % 2 else self._plain)

    def _example(self, example: Example) -> None:
        self._begin(self._gap * 1.5)
        self._cursor.insertText(example.title, self._slanted)
        self._say_added(self._examples.get(example.text))
        self._begin(self._gap / 2, 1)
        position = 0
        for start, end, quote in _marked(example):
            self._cursor.insertText(example.text[position:start], self._plain)
            self._cursor.insertText(example.text[start:end], self._mark(quote))
            position = end
        self._cursor.insertText(example.text[position:], self._plain)
        for quote in example.quotes:
            self._begin(self._gap / 2, 1)
            self._cursor.insertText(f"“{quote.quote}”", self._mark(quote))
            self._cursor.insertText(f" – {self._quote_details(quote)}", self._plain)
        if not example.quotes:
            self._begin(self._gap / 2, 1)
            self._cursor.insertText("Nothing to mark: ", self._strong)
            self._write(example.reason)

    def _mark(self, quote: ExampleQuote) -> QTextCharFormat:
        mark = QTextCharFormat()
        mark.setBackground(QColor(*self._palette.tint([self._category.id], _STRENGTH)))
        mark.setForeground(QColor(*self._palette.ink))
        mark.setUnderlineStyle(_LINES[quote.polarity])
        mark.setUnderlineColor(QColor(*self._palette.lettering(self._category.id)))
        return mark

    def _quote_details(self, quote: ExampleQuote) -> str:
        parts = [quote.field] if quote.field else []
        parts.append(quote.polarity)
        also = " and ".join(self._names.get(one, one) for one in quote.also)
        return ", ".join(parts) + (f"; also {also}" if also else "")


def _marked(example: Example) -> list[tuple[int, int, ExampleQuote]]:
    """Where the quotes stand in the example's text, by start; of two that overlap the first."""
    found: list[tuple[int, int, ExampleQuote]] = []
    places = [(example.text.find(one.quote), one) for one in example.quotes]
    for start, quote in sorted(places, key=lambda place: place[0]):
        if start >= 0 and (not found or start >= found[-1][1]):
            found.append((start, start + len(quote.quote), quote))
    return found
