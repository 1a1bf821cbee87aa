"""A category's guideline, taken apart: the same Markdown is shown to annotators and fed to prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from extractors.model.errors import SchemeError
from extractors.model.finding import POLARITIES, Polarity

SECTIONS = ("Definition", "Fields", "Include", "Exclude", "Boundaries", "Examples")
_ITEM = re.compile(r"- (?P<text>\S.*)")
_FIELD = re.compile(r"`(?P<name>[^`]+)`: (?P<note>.+)")
_EXAMPLE = re.compile(r"### (?:\d+\. )?(?P<title>\S.*)")
_NOTHING = re.compile(r"nothing: (?P<reason>.+)")
_QUOTE = re.compile(
    r'"(?P<quote>.+)" - (?:`(?P<field>[^`]+)`, )?(?P<polarity>present|negated|uncertain)'
    r"(?:; also (?P<also>`[^`]+`(?:, `[^`]+`)*))?"
)


@dataclass(frozen=True, slots=True)
class ExampleQuote:
    """A quote to mark. `field` is "" where none is given; `also` are the other categories it belongs to."""

    quote: str
    field: str
    polarity: Polarity
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example. `quotes` stand verbatim in `text`; where there are none, `reason` says why."""

    title: str
    text: str
    quotes: tuple[ExampleQuote, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Guideline:
    """The sections of one guideline; `fields` are (name, note). All but the definition may be empty."""

    name: str
    definition: str
    fields: tuple[tuple[str, str], ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    boundaries: tuple[str, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading and the lines below it that are not blank."""

    heading: _Line
    lines: tuple[_Line, ...]


def parse_guideline(markdown: str, name: str) -> Guideline:
    """Take a guideline apart; `name` (usually the file) stands in error messages.

    The form, with only the title and the definition required: `# Name`, then the sections of SECTIONS, each
    under its `## ` heading; the definition is one paragraph, the others are lists. Each example is a
    `### 1. Title`, its text as a block quote, then per quote an item such as

        - "no hepatosplenomegaly" - `gastrointestinal`, negated; also `LYMPH`

    or, where nothing is to be marked, the one item `- nothing: reason`. Lines may be wrapped as Markdown
    allows. Raises SchemeError with file and line where the text departs from this form.
    """
    return _Parser(name).guideline(markdown)


def _blocks(lines: Sequence[_Line], mark: str) -> tuple[tuple[_Line, ...], list[_Block]]:
    """The lines before the first heading with that mark, and one block for each heading."""
    edges = [*(index for index, line in enumerate(lines) if line.text.startswith(mark)), len(lines)]
    blocks = [_Block(lines[start], tuple(lines[start + 1 : end])) for start, end in pairwise(edges)]
    return tuple(lines[: edges[0]]), blocks


@dataclass(frozen=True, slots=True)
class _Parser:
    name: str

    def guideline(self, markdown: str) -> Guideline:
        numbered = (_Line(number, line) for number, line in enumerate(markdown.split("\n"), start=1))
        lines = [replace(line, text=line.text.rstrip()) for line in numbered if line.text.strip()]
        before, blocks = _blocks(lines, "## ")
        if not before or not before[0].text.startswith("# "):
            raise self._error(
                lines[0].number if lines else 1, 'the guideline must begin with "# " and its name'
            )
        if len(before) > 1:
            raise self._error(
                before[1].number, 'between the title and the first "## " heading there may be nothing'
            )
        sections = self._sections(blocks)
        if "Definition" not in sections:
            raise self._error(before[0].number, 'the section "## Definition" is missing')
        return Guideline(
            name=before[0].text[2:].strip(),
            definition=self._definition(sections["Definition"]),
            fields=self._fields(sections.get("Fields")),
            include=self._texts(sections.get("Include")),
            exclude=self._texts(sections.get("Exclude")),
            boundaries=self._texts(sections.get("Boundaries")),
            examples=self._examples(sections.get("Examples")),
        )

    def _sections(self, blocks: Sequence[_Block]) -> dict[str, _Block]:
        sections: dict[str, _Block] = {}
        for block in blocks:
            title, number = block.heading.text[3:].strip(), block.heading.number
            if title not in SECTIONS:
                raise self._error(number, f'"{title}" is not a section; choose one of {", ".join(SECTIONS)}')
            if title in sections:
                raise self._error(number, f'the section "{title}" stands here a second time')
            if not block.lines:
                raise self._error(number, f'the section "{title}" is empty')
            sections[title] = block
        return sections

    def _definition(self, block: _Block) -> str:
        for line in block.lines:
            if line.text.startswith(("#", ">", "- ")):
                raise self._error(line.number, "the definition must be one paragraph")
        return " ".join(line.text.strip() for line in block.lines)

    def _items(self, lines: Sequence[_Line]) -> list[_Line]:
        """List items with the line each begins at; an indented line continues the item before it."""
        items: list[_Line] = []
        for line in lines:
            match = _ITEM.fullmatch(line.text)
            if match:
                items.append(_Line(line.number, match["text"]))
            elif items and line.text.startswith(" "):
                items[-1] = replace(items[-1], text=f"{items[-1].text} {line.text.strip()}")
            else:
                raise self._error(line.number, 'expected a list item, "- " and its text')
        return items

    def _texts(self, block: _Block | None) -> tuple[str, ...]:
        return tuple(item.text for item in self._items(block.lines)) if block else ()

    def _fields(self, block: _Block | None) -> tuple[tuple[str, str], ...]:
        fields: list[tuple[str, str]] = []
        for item in self._items(block.lines) if block else ():
            match = _FIELD.fullmatch(item.text)
            if match is None:
                raise self._error(item.number, "expected a field as - `name`: what belongs there")
            fields.append((match["name"], match["note"]))
        return tuple(fields)

    def _examples(self, block: _Block | None) -> tuple[Example, ...]:
        if block is None:
            return ()
        before, blocks = _blocks(block.lines, "### ")
        if before:
            raise self._error(before[0].number, 'an example must begin with "### " and its title')
        return tuple(self._example(example) for example in blocks)

    def _example(self, block: _Block) -> Example:
        heading = _EXAMPLE.fullmatch(block.heading.text)
        if heading is None:
            raise self._error(block.heading.number, "the example has no title")
        cited = [line for line in block.lines if line.text.startswith(">")]
        if not cited or block.lines[: len(cited)] != tuple(cited):
            raise self._error(
                block.heading.number, 'below its title an example needs its text in lines that begin with ">"'
            )
        text = " ".join(line.text[1:].strip() for line in cited)
        items = self._items(block.lines[len(cited) :])
        nothing = _NOTHING.fullmatch(items[0].text) if len(items) == 1 else None
        if nothing is not None:
            return Example(heading["title"], text, (), nothing["reason"])
        if not items:
            raise self._error(
                block.heading.number, "the example names no quote; if there is none, say - nothing: reason"
            )
        return Example(heading["title"], text, tuple(self._quote(item, text) for item in items), "")

    def _quote(self, item: _Line, text: str) -> ExampleQuote:
        match = _QUOTE.fullmatch(item.text)
        if match is None:
            raise self._error(
                item.number, 'expected - "quote" - `field`, present (or negated, uncertain); also `OTHER`'
            )
        if match["quote"] not in text:
            raise self._error(
                item.number, f'"{match["quote"]}" does not stand verbatim in the text of the example'
            )
        polarity = next(known for known in POLARITIES if known == match["polarity"])
        also = tuple(re.findall(r"`([^`]+)`", match["also"] or ""))
        return ExampleQuote(match["quote"], match["field"] or "", polarity, also)

    def _error(self, line: int, what: str) -> SchemeError:
        return SchemeError(f"{self.name}, line {line}: {what}.")
