"""The lines of a PDF in the order of reading, each with its column, its size and its cells."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from app.formats.jats.citations import CLOSE, OPEN
from app.formats.pdf.characters import CAPITALS, Page, Piece
from app.formats.pdf.columns import CELL_GAP, SMALL, body_size, find_gutters, in_order, rows_of, set_apart
from extractors.grouping import grouped

_NUMBER = re.compile(r"\d+")
_OUTER_NUMBER = re.compile(r"^\d{1,6}(?=\s|$)|(?<=\s)\d{1,6}$")
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[\divxl]{1,6}(?:\s*(?:/|of)\s*\d+)?", re.IGNORECASE)
# Heads and feet stand in these parts of a page's height, within so many lines of its edge; a number alone as
# the last line may stand higher.
_HEAD_SHARE, _NUMBER_SHARE, _EDGE_LINES = 0.14, 0.25, 4
# In points, how near two heads are that stand at the same place; in parts of the usual size, how far a head
# is from the text, and how large at most.
_SAME_PLACE, _APART, _HEAD_SIZE = 2.0, 1.6, 1.4
_LEAST_NUMBERS = 5


@dataclass(slots=True)
class Furniture:
    """What was taken away: heads and feet by their words, on how many pages, and how many numbers."""

    heads: Counter[str] = field(default_factory=Counter)
    page_numbers: int = 0
    line_numbers: int = 0


def remove_furniture(pages: Sequence[Page], body: float) -> Furniture:
    """Take it away from the pages, and say what it was."""
    found = Furniture()
    _remove_heads(pages, body, found)
    for page in pages:
        found.line_numbers += _remove_line_numbers(page, body)
    return found


def _remove_heads(pages: Sequence[Page], body: float, found: Furniture) -> None:
    """Take away what stands at the same place of several pages, and page numbers."""
    edges = {page.number: list(_edges(page, body)) for page in pages}
    seen = grouped(
        (_without_numbers(row), (number, row[0].y)) for number, rows in edges.items() for row in rows
    )
    counted = _counted(edges, body)
    gone: set[int] = set()
    repeated = {
        number: [
            (number, row[0].y) in counted
            or any(n != number and abs(row[0].y - y) < 6 for n, y in seen[_without_numbers(row)])
            for row in rows
        ]
        for number, rows in edges.items()
    }
    places = {
        (number, row[0].y)
        for number, rows in edges.items()
        for row, again in zip(rows, repeated[number], strict=True)
        if again
    }
    for number, rows in edges.items():
        heads: dict[str, int] = {}
        for row, is_repeated in zip(rows, repeated[number], strict=True):
            key, y = _without_numbers(row), row[0].y
            # The head of a left page may be there but once; it stands where those of right pages do.
            beside = any(n != number and abs(y - at) < _SAME_PLACE for n, at in places)
            again = is_repeated or (
                beside and row[0].size < _HEAD_SIZE * body and _stands_apart(row, rows, body)
            )
            page_number = _PAGE_NUMBER.fullmatch(_text(row)) is not None
            if again or (page_number and len(pages) == 1):
                gone.update(id(piece) for piece in row)
                if page_number:
                    found.page_numbers += 1
                else:
                    heads[_NUMBER.sub("…", _text(row)) if "#" in key else _text(row)] = 1
        found.heads.update(heads)
    for page in pages:
        page.pieces = [piece for piece in page.pieces if id(piece) not in gone]


def _counted(edges: Mapping[int, Sequence[list[Piece]]], body: float) -> set[tuple[int, float]]:
    """Pages and heights of rows that count the pages at their outer end, whatever else stands in them.

    Heads of left and right pages may have no words in common, and the first page may have its number, then
    alone, at another place than others.
    """
    counting: dict[int, list[tuple[int, float, bool]]] = defaultdict(list)
    for number, rows in edges.items():
        for row in rows:
            text = _text(row)
            for value in _OUTER_NUMBER.findall(text) if _stands_apart(row, rows, body) else ():
                counting[int(value) - number].append((number, row[0].y, value == text))
    return {
        (number, y)
        for places in counting.values()
        for number, y, alone in places
        if any(n != number and (alone or abs(y - at) < _SAME_PLACE) for n, at, _ in places)
    }


def _stands_apart(row: Sequence[Piece], rows: Sequence[Sequence[Piece]], body: float) -> bool:
    """Whether no other row is near."""
    return all(other is row or abs(other[0].y - row[0].y) > _APART * body for other in rows)


def _edges(page: Page, body: float) -> Iterator[list[Piece]]:
    """The first and last rows of a page that lie in its margins."""
    rows = rows_of(page.pieces, body)
    for row in rows[:_EDGE_LINES]:
        if row[0].y < _HEAD_SHARE * page.height:
            yield row
    for row in rows[-_EDGE_LINES:]:
        number = row is rows[-1] and _PAGE_NUMBER.fullmatch(_text(row)) is not None
        if row[0].y > (1 - (_NUMBER_SHARE if number else _HEAD_SHARE)) * page.height:
            yield row


def _without_numbers(row: Sequence[Piece]) -> str:
    return _NUMBER.sub("#", _text(row).casefold())


def _text(row: Sequence[Piece]) -> str:
    return " ".join(piece.text for piece in row)


def _remove_line_numbers(page: Page, body: float) -> int:
    """Take away numbers that count the lines at the left of them; how many there were."""
    others = [piece for piece in page.pieces if not piece.text.isdigit() and piece.size > 0.8 * body]
    if not others:
        return 0
    edges = Counter(round(piece.x0) for piece in others)
    # The first of several columns: what is raised in it stands left of all others.
    left = min((edge for edge, number in edges.items() if number >= _LEAST_NUMBERS), default=0)
    found = [piece for piece in page.pieces if piece.text.isdigit() and piece.x1 < left - 0.3 * body]
    found.sort(key=lambda piece: piece.y)
    values = [int(piece.text[:9]) for piece in found]
    if len(found) < _LEAST_NUMBERS or any(later <= earlier for earlier, later in pairwise(values)):
        return 0
    gone = {id(piece) for piece in found}
    page.pieces = [piece for piece in page.pieces if id(piece) not in gone]
    return len(found)


# In parts of the size: a gap that is a blank, and how far raised characters stand.
_BLANK_GAP, _RAISED = 0.18, 0.12
_DROP_CAP = 1.8
# The largest size that so much of a line has is the line's.
_LINE_SHARE = 0.06
_LEAST_CAPITALS = 3


@dataclass(slots=True)
class Line:
    """Pieces on one baseline of one column, whose edges are `left` and `right`.

    It is `distinct` where all its words are in another font or colour than most of its page, or in capitals,
    of which `capitals` says that they are small ones.
    """

    page: int
    column: int
    left: float
    right: float
    pieces: list[Piece]
    y: float = 0.0
    size: float = 0.0
    cells: int = 1
    capitals: bool = False
    distinct: bool = False

    @property
    def x0(self) -> float:
        return self.pieces[0].x0

    @property
    def x1(self) -> float:
        return max(piece.x1 for piece in self.pieces)

    @property
    def apart(self) -> bool:
        """Whether it lies over other text."""
        return self.pieces[0].apart

    @property
    def bold(self) -> bool:
        """Whether all its words are bold."""
        return all(piece.bold for piece in self.pieces if len(piece.text) > 1 or len(self.pieces) == 1)

    @property
    def italic(self) -> bool:
        """Whether all its words are slanted."""
        return all(piece.italic for piece in self.pieces if len(piece.text) > 1 or len(self.pieces) == 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """Lines in order, the usual size, what was taken away, and the most columns that a page has."""

    lines: list[Line]
    body: float
    furniture: Furniture
    columns: int


def read_lines(pages: Sequence[Page]) -> Reading:
    """The lines of all pages, top to bottom, column by column."""
    body = body_size(pages)
    furniture = remove_furniture(pages, body)
    gutters = find_gutters(pages, body)
    lines: list[Line] = []
    for page in pages:
        set_apart(page.pieces, body)
        _join_drop_caps(page, body)
        rows = in_order(page, gutters.get(page.number, []), body)
        lines += [Line(page.number, column, 0, 0, row) for column, row in rows]
    _measure(lines, body)
    return Reading(lines, body, furniture, 1 + max((len(found) for found in gutters.values()), default=0))


def _join_drop_caps(page: Page, body: float) -> None:
    """Put a large first letter before the line at its upper right."""
    for cap in [
        p for p in page.pieces if len(p.text) == 1 and p.text.isalpha() and p.size > _DROP_CAP * body
    ]:
        beside = [
            piece
            for piece in page.pieces
            if -0.5 * body < piece.x0 - cap.x1 < 2 * body
            and cap.y - cap.size < piece.y <= cap.y + 1
            and abs(piece.size - body) < 0.2 * body
        ]
        if len(beside) > 1:
            first = min(beside, key=lambda piece: piece.y)
            first.text = cap.text + (" " if first.spaced and cap.text in "AI" else "") + first.text
            first.x0 = cap.x0
            page.pieces.remove(cap)


def _measure(lines: Sequence[Line], body: float) -> None:
    """Give each line its size, its baseline and the edges of its column."""
    faces: dict[int, Counter[Hashable]] = defaultdict(Counter)
    for line in lines:
        weights: Counter[float] = Counter()
        for piece in line.pieces:
            weights[piece.size] += len(piece.text)
            if abs(piece.size - body) < 0.1 * body:
                faces[line.page][piece.face] += len(piece.text)
        # Small capitals are many, and the letters before them say how large the words are.
        most = _LINE_SHARE * sum(weights.values())
        line.size = max(
            size for size, number in weights.items() if number >= min(most, max(weights.values()))
        )
        line.y = next(piece.y for piece in line.pieces if piece.size == line.size)
        gaps = pairwise(line.pieces)
        line.cells = 1 + sum(later.x0 - earlier.x1 > CELL_GAP * line.size for earlier, later in gaps)
    _tell_small_capitals(lines)
    for line in lines:
        line.distinct = _is_distinct(line, faces[line.page].most_common(1))
    for group in grouped(((line.page, line.column), line) for line in lines).values():
        left = Counter(round(line.x0) for line in group).most_common(1)[0][0]
        ends = sorted(line.x1 for line in group)
        for line in group:
            line.left, line.right = (
                float(left),
                ends[int(len(ends) * 0.95) - 1] if len(ends) > 2 else ends[-1],
            )
    _keep_tables(lines)


def _tell_small_capitals(lines: Sequence[Line]) -> None:
    """Find lines of small capitals, which files may name by letters of any case, one for both: as told then.

    One that goes on without a capital is as large as the line before.
    """
    before: Line | None = None
    for line in lines:
        if before is not None and before.capitals and _goes_on_small(before, line):
            line.size = before.size
        for piece in line.pieces:
            if not piece.told and piece.size < SMALL * line.size and piece.y == line.y:
                piece.told = piece.text.lower()
        told = "".join(piece.told or piece.text for piece in line.pieces)
        small = sum(map(str.islower, "".join(piece.told for piece in line.pieces)))
        line.capitals = small > _LEAST_CAPITALS and 2 * small > sum(map(str.isalpha, told))
        drawn = "".join(piece.text for piece in line.pieces)
        if line.capitals and not drawn.isupper():
            for piece in line.pieces:
                piece.text = piece.told or piece.text
        before = line


def _goes_on_small(before: Line, line: Line) -> bool:
    first, last = line.pieces[0], before.pieces[-1]
    same_place = (before.page, before.column) == (line.page, line.column)
    return (
        same_place
        and first.face == last.face
        and 0 < line.y - before.y < 2 * before.size
        and CAPITALS[0] < line.size / before.size < CAPITALS[1]
    )


def _is_distinct(line: Line, usual: Sequence[tuple[Hashable, int]]) -> bool:
    letters = [(char, piece) for piece in line.pieces for char in piece.text if char.isalpha()]
    in_capitals = len(letters) > _LEAST_CAPITALS and all(char.isupper() for char, _ in letters)
    faces = {piece.face for _, piece in letters}
    return line.capitals or in_capitals or (bool(usual) and usual[0][0] not in faces)


def _keep_tables(lines: Sequence[Line]) -> None:
    """Gaps part cells where lines below each other have them at the same place; others are wide blanks."""
    rows: set[int] = set()
    for earlier, later in pairwise(lines):
        if earlier.cells > 1 and later.cells > 1 and _aligned(earlier, later):
            rows.update((id(earlier), id(later)))
    for line in lines:
        line.cells = line.cells if id(line) in rows else 1


def _is_stretched(line: Line) -> bool:
    """Whether it may be words that are driven apart, each alone, to the edges of their column."""
    whole = abs(line.x0 - line.left) < 1 and abs(line.x1 - line.right) < 1
    return whole and not any(" " in piece.text for piece in line.pieces)


def _aligned(one: Line, other: Line) -> bool:
    """Whether a cell beyond the first begins, ends or is centred at the same place in both."""
    if one.page != other.page or one.column != other.column:
        return False
    # The last words of lines that are stretched end at one place, and may be as long.
    end = -1 if _is_stretched(one) and _is_stretched(other) else None
    marks = [
        {round(mark) for p in line.pieces[1:end] for mark in (p.x0, p.x1 + 0.1, (p.x0 + p.x1) / 2 + 10_000)}
        for line in (one, other)
    ]
    right = max(one.x1, other.x1)
    return any(
        (abs(mark - again) <= 1 and mark < right - 2) or (mark > 10_000 and mark == again)
        for mark in marks[0]
        for again in marks[1]
    )


def line_text(line: Line) -> str:
    """Its words; raised ones are fenced, cells parted by a bar where there are several."""
    out: list[str] = []
    before: Piece | None = None
    for piece in line.pieces:
        text = piece.text
        small = piece.size < SMALL * line.size
        raised = small and line.y - piece.y > _RAISED * line.size
        if raised:
            text = f"{OPEN}{text}{CLOSE}"
        if before is not None:
            gap = piece.x0 - before.x1
            if line.cells > 1 and gap > CELL_GAP * line.size:
                out.append(" | ")
            elif piece.spaced or gap > _BLANK_GAP * line.size:
                out.append(" ")
        out.append(text)
        before = piece
    return "".join(out)


def leading(lines: Sequence[Line], size: float) -> float:
    """The usual distance between two baselines of text of that size, in points."""
    gaps = [
        later.y - earlier.y
        for earlier, later in pairwise(lines)
        if earlier.page == later.page
        and earlier.column == later.column
        and abs(later.size - size) < 0.06 * size
        and abs(earlier.size - size) < 0.06 * size
        and 0.8 * size < later.y - earlier.y < 3 * size
    ]
    return median(gaps) if gaps else 1.3 * size
