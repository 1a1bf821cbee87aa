"""Pieces of a page by baseline; small print apart, raised and lowered characters with their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from app.formats.pdf.characters import Page, Piece

# Print smaller than this part of the usual size is small; so many pieces may be raised beside each other.
SMALL, _NEAR = 0.95, 6
_BODY_SHARE = 0.25


def body_size(pages: Iterable[Page]) -> float:
    """The largest size, in points, that a good part of the characters have: references may be many."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for piece in page.pieces:
            sizes[round(piece.size * 4) / 4] += len(piece.text)
    most = sum(sizes.values()) * _BODY_SHARE
    common = [size for size, number in sizes.items() if number >= most]
    return max(common) if common else max(sizes, key=lambda size: sizes[size], default=10.0)


def rows_of(pieces: Iterable[Piece], body: float) -> list[list[Piece]]:
    """Pieces by baseline, top to bottom; small print has its own rows, unless it is raised or lowered."""
    ordered = sorted(pieces, key=lambda one: (one.y, one.x0))
    large = [piece for piece in ordered if not is_small(piece, body)]
    neighbours = {piece.order: piece for piece in ordered}
    rows = _clustered(large)
    row_of = {piece.order: row for row in rows for piece in row}
    small: list[Piece] = []
    for piece in ordered:
        if is_small(piece, body):
            row = None if piece.apart else _beside(piece, neighbours, row_of)
            if row is None:
                small.append(piece)
            else:
                row.append(piece)
    # Small print has raised characters, too; what remains is by baseline.
    rows += (
        _clustered(small) if len(small) == len(ordered) else rows_of(small, body_size([Page(0, 0, 0, small)]))
    )
    for row in rows:
        row.sort(key=lambda one: one.x0)
    return sorted(rows, key=baseline)


def is_small(piece: Piece, body: float) -> bool:
    return piece.apart or piece.size < SMALL * body


def _clustered(ordered: Sequence[Piece]) -> list[list[Piece]]:
    rows: list[list[Piece]] = []
    for piece in ordered:
        for row in reversed(rows[-4:]):
            if abs(piece.y - row[0].y) <= 0.25 * max(row[0].size, piece.size):
                row.append(piece)
                break
        else:
            rows.append([piece])
    return rows


def _beside(
    piece: Piece, neighbours: Mapping[int, Piece], row_of: dict[int, list[Piece]]
) -> list[Piece] | None:
    """The row of the words right after or before which a small piece is drawn, a little higher or lower."""
    for step in (-1, 1):
        order = piece.order + step
        while (other := neighbours.get(order)) is not None and abs(order - piece.order) < _NEAR:
            away = abs(other.y - piece.y)
            gap = piece.x0 - other.x1 if step < 0 else other.x0 - piece.x1
            if order in row_of and away < 0.6 * other.size and -0.5 * other.size < gap < 0.5 * other.size:
                row_of[piece.order] = row_of[order]
                return row_of[order]
            if order in row_of or away > other.size:
                break
            order += step
    return None


def baseline(row: Sequence[Piece]) -> float:
    return max(row, key=lambda one: one.size).y
