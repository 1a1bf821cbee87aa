"""What is on every page and in no report: running heads and feet, page numbers, line numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.formats.pdf.characters import Page, Piece
from app.formats.pdf.rows import rows_of

_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[\divxl]{1,6}(?:\s*(?:/|of)\s*\d+)?", re.IGNORECASE)
# Heads and feet stand in these parts of a page's height, within so many lines of its edge.
_HEAD_SHARE, _EDGE_LINES = 0.14, 4
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
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, rows in edges.items():
        for row in rows:
            seen[_without_numbers(row)].append((number, row[0].y))
    gone: set[int] = set()
    repeated = {
        number: [
            any(n != number and abs(row[0].y - y) < 6 for n, y in seen[_without_numbers(row)]) for row in rows
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
        told: dict[str, int] = {}
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
                    told[_NUMBER.sub("…", _text(row)) if "#" in key else _text(row)] = 1
        found.heads.update(told)
    for page in pages:
        page.pieces = [piece for piece in page.pieces if id(piece) not in gone]


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
        if row[0].y > (1 - _HEAD_SHARE) * page.height:
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
