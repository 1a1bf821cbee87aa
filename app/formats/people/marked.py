"""A report with its marks as people read it: lines and tables cut where spans begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from app.formats.record import ReportExport
from app.palette import PagePalette, Rgb, page_palette
from app.text import counted
from extractors.model.coding import Coding
from extractors.model.scheme import Category, Scheme, default_scheme
from extractors.text.tables import TextTable, tables_in

Range: TypeAlias = tuple[int, int]
# Labels that the scheme lacks have no colour of their own.
FOREIGN = ""
TINT = 0.2
_LONGEST_LABEL = 24
_NOT_A_NEW_LINE = re.compile(r"[^\n]|\Z")


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """An annotation: its number in the report, its category ("" for a label that the scheme lacks).

    `code` stands with it in the text; `parts` are its places in code points, none where it has no place.
    `lane` keeps the underlines of spans that overlap apart, `crossed` says that another span overlaps.
    """

    number: int
    category: str
    code: str
    polarity: str
    quote: str
    parts: tuple[Range, ...]
    field: str = ""
    note: str = ""
    concepts: tuple[Coding, ...] = ()
    differs: bool = False
    lane: int = 0
    crossed: bool = False

    @property
    def opening(self) -> str:
        """What stands before its words: code, number, and what is not simply present."""
        return f"{self.code} {self.number}{'' if self.polarity == 'present' else f' {self.polarity}'}"

    @property
    def details(self) -> list[str]:
        """What is known of it beside its words, in words."""
        parts = [self.field] if self.field else []
        parts += [self.polarity] if self.polarity != "present" else []
        parts += [" ".join(filter(None, (one.terminology, one.code, one.label))) for one in self.concepts]
        parts += ["no place in the text"] if not self.parts else []
        parts += ["in several parts"] if len(self.parts) > 1 else []
        parts += ["not in the words of the text"] if self.differs else []
        return parts + ([f"note: {self.note}"] if self.note else [])


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a part of a mark begins or ends: what is written there."""

    mark: MarkedSpan
    words: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text on which the same marks lie, with what begins before and what ends behind it."""

    text: str
    marks: tuple[MarkedSpan, ...] = ()
    opens: tuple[Edge, ...] = ()
    closes: tuple[Edge, ...] = ()

    @property
    def categories(self) -> tuple[str, ...]:
        """Those of its marks, each once."""
        return tuple(dict.fromkeys(mark.category for mark in self.marks))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, and the text between it and the next."""

    pieces: tuple[Piece, ...]
    behind: str


@dataclass(frozen=True, slots=True)
class Block:
    """A line (a heading, or text) or a table: `rows`, the first `headers` of them headings."""

    pieces: tuple[Piece, ...] = ()
    heading: bool = False
    rows: tuple[tuple[Cell, ...], ...] = ()
    headers: int = 0
    behind: str = ""

    @property
    def all_pieces(self) -> list[Piece]:
        """Those of the line, or of all cells."""
        return [*self.pieces, *(piece for row in self.rows for cell in row for piece in cell.pieces)]

    @property
    def depth(self) -> int:
        """How many underlines lie below each other."""
        return max((mark.lane + 1 for piece in self.all_pieces for mark in piece.marks), default=0)


@dataclass(frozen=True)
class MarkedReport:
    """A report and its marks: by place, then those without one."""

    report: ReportExport
    scheme: Scheme

    @cached_property
    def marks(self) -> tuple[MarkedSpan, ...]:
        """Numbered from 1, lanes given."""
        found = sorted(_marks(self.report, self.scheme), key=_order)
        placed = _laned([mark for mark in found if mark.parts])
        marks = (*placed, *(mark for mark in found if not mark.parts))
        return tuple(replace(mark, number=number) for number, mark in enumerate(marks, start=1))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The text, all of it, in order."""
        return tuple(_blocks(self.report, self.marks))

    @property
    def body(self) -> str:
        """The words of the text, without what stands between lines and cells."""
        return "".join(piece.text for block in self.blocks for piece in block.all_pieces)

    @property
    def edges(self) -> list[Edge]:
        """What is written into the text, in order."""
        pieces = (piece for block in self.blocks for piece in block.all_pieces)
        return [edge for piece in pieces for edge in (*piece.opens, *piece.closes) if edge.words]

    def listed(self) -> list[tuple[str, list[MarkedSpan]]]:
        """The marks by what they are called: categories in the scheme's order, then labels that it lacks."""
        groups = [
            (one.name, [m for m in self.marks if m.category == one.id]) for one in self.scheme.categories
        ]
        others = [mark for mark in self.marks if mark.category == FOREIGN]
        groups.append(("Labels that the scheme lacks", others))
        return [(name, marks) for name, marks in groups if marks]

    @property
    def nothing(self) -> list[str]:
        """Categories (names) that were looked at without finding anything."""
        found = {mark.category for mark in self.marks}
        names = {one.id: one.name for one in self.scheme.categories}
        return [names.get(one, one) for one in self.report.looked_at if one not in found]

    @property
    def facts(self) -> str:
        """What there is to know of the report: its id, identifiers, licence, words and annotations."""
        document = self.report.document
        named = [f"{kind.upper()} {value}" for kind, value in document.identifiers.items()]
        licence = [f"licence: {document.metadata['licence']}"] if document.metadata.get("licence") else []
        numbers = [counted(len(document.text.split()), "word"), counted(len(self.marks), "annotation")]
        return " · ".join((self.report.key, *named, *numbers, *licence))


@dataclass(frozen=True)
class Marked:
    """An export for people: reports with their marks, and the colours that they share."""

    reports: Sequence[ReportExport]

    @cached_property
    def scheme(self) -> Scheme:
        """The scheme of the project, or the built-in one."""
        given = next((one.whole.scheme for one in self.reports if one.whole.scheme), None)
        return given or default_scheme()

    @cached_property
    def palette(self) -> PagePalette:
        """Dark on white, as paper is."""
        page = page_palette(self.scheme, dark=False)
        return replace(page, colours={**page.colours, FOREIGN: page.quiet})

    def marked(self) -> Iterator[MarkedReport]:
        """Report by report."""
        return (MarkedReport(report, self.scheme) for report in self.reports)

    @property
    def title(self) -> str:
        """What all of it is called."""
        names = sorted({one.annotator for one in self.reports if one.annotator})
        return f"Annotations of {', '.join(names)}" if names else "Annotated reports"

    @property
    def summary(self) -> str:
        """How much it is, by which scheme."""
        number = sum(len(one.annotations) + len(one.spans) for one in self.reports)
        total = f"{counted(number, 'annotation')} in {counted(len(self.reports), 'report')}"
        return f"{total} · {self.scheme.name}, version {self.scheme.version}"

    def legend(self) -> list[tuple[str, str, str, int]]:
        """Category, code, name and number of annotations, of each category that there is something of."""
        numbers = dict.fromkeys(self.scheme.ids, 0)
        for report in self.reports:
            for one in report.annotations:
                numbers[one.finding.category] = numbers.get(one.finding.category, 0) + 1
        kept = [one for one in self.scheme.categories if numbers[one.id]]
        rows = [(one.id, one.code, one.name, numbers[one.id]) for one in kept]
        foreign = sum(len(report.spans) for report in self.reports)
        more = [(FOREIGN, "own", "Under labels of their own, which the scheme lacks", foreign)]
        return rows + (more if foreign else [])

    def tint(self, piece: Piece) -> Rgb | None:
        """The ground of a piece; None where nothing is marked."""
        return self.palette.tint(piece.categories, TINT) if piece.marks else None


READING = (
    "Each span begins with its category's code and its number in the list below the report; words after the"
    " number say that it is negated or uncertain. Where spans overlap, each has a line of its own or its"
    " number again where it ends."
)


def _order(mark: MarkedSpan) -> tuple[int, int]:
    return (mark.parts[0][0], -mark.parts[-1][1]) if mark.parts else (0, 0)


def _marks(report: ReportExport, scheme: Scheme) -> Iterator[MarkedSpan]:
    known: dict[str, Category] = {category.id: category for category in scheme.categories}
    text = report.document.text
    for one in report.annotations:
        finding = one.finding
        category = known.get(finding.category)
        code = category.code if category else finding.category[:_LONGEST_LABEL]
        differs = bool(one.parts) and " ".join(text[a:b] for a, b in one.parts) != finding.quote
        values = (finding.polarity, finding.quote, one.parts, finding.field, one.note, one.concepts, differs)
        yield MarkedSpan(0, finding.category if category else FOREIGN, code, *values)
    for span in report.spans:
        parts = span.parts(*span.place) if span.place else ()
        more = (span.polarity or "present", span.quote, parts, span.field, span.note, span.concepts)
        yield MarkedSpan(0, FOREIGN, span.label[:_LONGEST_LABEL], *more)


def _laned(marks: Sequence[MarkedSpan]) -> list[MarkedSpan]:
    """Marks in order of their places, each in the first lane that is free there."""
    ends: list[int] = []
    laned = []
    behind = 0
    for at, mark in enumerate(marks):
        start, end = mark.parts[0][0], mark.parts[-1][1]
        lane = next((one for one, taken in enumerate(ends) if taken <= start), len(ends))
        ends[lane : lane + 1] = [end]
        following = at + 1 < len(marks) and marks[at + 1].parts[0][0] < end
        laned.append(replace(mark, lane=lane, crossed=start < behind or following))
        behind = max(behind, end)
    return laned


def _blocks(report: ReportExport, marks: Sequence[MarkedSpan]) -> Iterator[Block]:
    text = report.document.text
    tables = {table.start: table for table in tables_in(text)}
    headings = {one.start for one in report.document.sections if one.heading}
    cutter = _Cutter(text, marks)
    at = len(text) - len(text.lstrip("\n"))
    if at:
        yield Block(cutter.pieces(0, 0, at), behind=text[:at])
    while at < len(text):
        table = tables.get(at)
        line = text.find("\n", at)
        end = table.end if table else line if line >= 0 else len(text)
        following = _behind_breaks(text, end)
        behind = text[end:following]
        if table:
            yield Block((), False, tuple(_rows(text, table, following, cutter)), table.headers, behind)
        else:
            yield Block(cutter.pieces(at, end, following), at in headings, behind=behind)
        at = following


def _behind_breaks(text: str, at: int) -> int:
    found = _NOT_A_NEW_LINE.search(text, at)
    return found.start() if found else len(text)


def _rows(text: str, table: TextTable, following: int, cutter: _Cutter) -> Iterator[tuple[Cell, ...]]:
    cells = [cell for row in table.rows for cell in row]
    follows = {cell: later[0] for cell, later in pairwise(cells)}
    for row in table.rows:
        yield tuple(
            Cell(
                cutter.pieces(*cell, follows.get(cell, following)), text[cell[1] : follows.get(cell, cell[1])]
            )
            for cell in row
        )


class _Cutter:
    """Cuts stretches of a text, in their order, where marks begin and end."""

    def __init__(self, text: str, marks: Sequence[MarkedSpan]) -> None:
        self._text = text
        parts = ((part, mark) for mark in marks for part in mark.parts)
        self._waiting = sorted(parts, key=lambda one: (one[0][0], one[1].number), reverse=True)
        self._open: list[tuple[Range, MarkedSpan]] = []
        self._begun: set[tuple[int, Range]] = set()

    def pieces(self, start: int, end: int, until: int) -> tuple[Piece, ...]:
        """The pieces from `start` to `end`; what stands from there `until` the next stretch is not shown."""
        while self._waiting and self._waiting[-1][0][0] < until:
            self._open.append(self._waiting.pop())
        here = [edge for part, _ in self._open for edge in part if start < edge < end]
        cuts = sorted({start, end, *here})
        pieces = [self._piece(a, b, until if b == end else b) for a, b in pairwise(cuts)]
        # A span of blanks alone that are not shown.
        if any(part[1] <= until and (mark.number, part) not in self._begun for part, mark in self._open):
            pieces.append(self._piece(end, until, until, shown=False))
        self._open = [one for one in self._open if one[0][1] > until]
        return tuple(pieces)

    def _piece(self, start: int, end: int, until: int, shown: bool = True) -> Piece:
        lying = [(part, mark) for part, mark in self._open if part[0] < end and start < part[1]]
        new = [(part, mark) for part, mark in lying if (mark.number, part) not in self._begun]
        self._begun.update((mark.number, part) for part, mark in new)
        opens = [Edge(m, m.opening if part == m.parts[0] else f"… {m.number}") for part, m in new]
        ends = [mark for part, mark in lying if part[1] <= until]
        closes = [Edge(mark, str(mark.number) if mark.crossed else "") for mark in reversed(ends)]
        marks = tuple(sorted((mark for _, mark in lying), key=lambda mark: mark.lane))
        return Piece(self._text[start:end] if shown else "", marks, tuple(opens), tuple(closes))
