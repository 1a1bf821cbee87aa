"""Columns: the empty stretches between them, and the order in which a page is read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

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


Gutter = tuple[float, float]
# Of a column's text: how wide a line is at least, as a part of the page's text, and how many there are.
_COLUMN_LINE, _COLUMN_LINES = 0.2, 6
# In points: gutters that begin so near each other are the same one.
_NEAR_STARTS = range(-4, 5)
# Baselines farther apart than this have room for something between them, in parts of the size.
_ROOM = 1.9
# So many cells make a table; between them are gaps as wide as this, in parts of the size.
_CELLS = 6
CELL_GAP = 1.8


def find_gutters(pages: Sequence[Page], body: float) -> dict[int, list[Gutter]]:
    """By page the empty stretches between its columns, also those of its neighbours where they are empty."""
    usual = [[piece for piece in page.pieces if abs(piece.size - body) < 0.3 * body] for page in pages]
    found = [_page_gutters(page, pieces) for page, pieces in zip(pages, usual, strict=True)]
    starts = Counter(round(start) for gutters in found for _, start in gutters)
    least = sum(map(bool, found)) / 2
    # A page with little text, or with many figures, has not lines enough of its own.
    forth = list(pairwise(range(len(pages))))
    for beside, at in (*forth, *((later, earlier) for earlier, later in reversed(forth))):
        ours = found[at]
        found[at] = sorted(
            ours
            + [
                (edge, start)
                for edge, start in found[beside]
                if all(start <= left or right <= edge for left, right in ours)
                and (not ours or sum(starts[round(start) + away] for away in _NEAR_STARTS) >= least)
                and _fits(usual[at], [(edge, start)])
            ]
        )
    return {page.number: gutters for page, gutters in zip(pages, found, strict=True) if gutters}


def _page_gutters(page: Page, pieces: Sequence[Piece]) -> list[Gutter]:
    """Stretches with many lines that end before and begin after them, over the same height."""
    if not pieces:
        return []
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    wide = [piece for piece in pieces if piece.x1 - piece.x0 > _COLUMN_LINE * (right - left)]
    # Within a line another font may begin and end anywhere.
    drawn_on = [both for both in pairwise(page.pieces) if _is_drawn_on(*both)]
    later, earlier = {id(piece) for _, piece in drawn_on}, {id(before) for before, _ in drawn_on}
    begun = [piece for piece in wide if id(piece) not in later]
    ended = [piece for piece in wide if id(piece) not in earlier]
    starts = Counter(round(piece.x0) for piece in begun)
    gutters: list[Gutter] = []
    for start, _ in sorted(starts.items()):
        after = [piece for piece in begun if abs(piece.x0 - start) <= 2]
        # What stands before the column to the left says nothing of the one after it.
        least = gutters[-1][1] - 2 if gutters else left
        before = [piece for piece in ended if least <= piece.x0 and piece.x1 <= start - 3]
        if min(len(after), len(before)) < _COLUMN_LINES:
            continue
        # Beside a figure or a box lines may end farther right, where there are several.
        ends = Counter(round(p.x1) for p in before)
        edge = max(
            (p.x1 for p in before if _between(p.y, after) or ends[round(p.x1)] >= _COLUMN_LINES),
            default=start,
        )
        level = [p for p in before if any(abs(p.y - q.y) < 100 for q in after)]
        crossing = [p for p in wide if p.x0 < edge - 2 and p.x1 > start + 2 and _between(p.y, after)]
        if len(level) >= _COLUMN_LINES and len(crossing) * 2 <= len(after) and start - edge > 4:
            # Lists hang; a few lines may begin farther left than most.
            gutters.append((edge, min(piece.x0 for piece in begun if edge < piece.x0 <= start + 2)))
    return gutters[:3]


def _is_drawn_on(before: Piece, piece: Piece) -> bool:
    gap = piece.x0 - before.x1
    level = abs(piece.y - before.y) < piece.size
    return piece.order == before.order + 1 and level and -0.5 * piece.size < gap < piece.size


def _between(y: float, pieces: Sequence[Piece]) -> bool:
    return min(piece.y for piece in pieces) <= y <= max(piece.y for piece in pieces)


def _fits(pieces: Sequence[Piece], gutters: Sequence[Gutter]) -> bool:
    crossing = sum(any(p.x0 < edge - 4 and p.x1 > start + 4 for edge, start in gutters) for p in pieces)
    return crossing * 3 < len(pieces)


def in_order(page: Page, gutters: Sequence[Gutter], body: float) -> Iterator[tuple[int, list[Piece]]]:
    """Column by column, down to a line that goes across; then that, and on below it.

    Each row with the number of its column, -1 for one that goes across.
    """
    waiting: list[list[Piece]] = [[] for _ in range(len(gutters) + 1)]
    edges = [(start + end) / 2 for start, end in gutters]
    runs = [run for row in rows_of(page.pieces, body) for run in _runs(row, gutters)]
    over = _lying_over(page, [run for run in runs if _goes_across(run, gutters)], body)
    for run in runs:
        across = _goes_across(run, gutters)
        if across and id(run) not in over:
            yield from _flushed(waiting, body)
            yield -1, run
        else:
            centre = run[0].x0 + 1 if across else (run[0].x0 + max(one.x1 for one in run)) / 2
            waiting[_column(centre, edges)] += run
    yield from _flushed(waiting, body)


def _lying_over(page: Page, runs: Sequence[list[Piece]], body: float) -> set[int]:
    """Which rows belong to a table that is too wide for its column, over text of the next.

    Where one does, all rows of cells do that go across on this page: some lie in gaps of the text.
    """
    large = [p for p in page.pieces if not is_small(p, body)]
    over = [run[0].apart or _lies_over(run, large, body) for run in runs]
    there = any(over)
    return {id(run) for run, one in zip(runs, over, strict=True) if one or (there and _has_cells(run))}


def _has_cells(run: Sequence[Piece]) -> bool:
    return any(later.x0 - earlier.x1 > CELL_GAP * later.size for earlier, later in pairwise(run))


def _lies_over(run: Sequence[Piece], large: Sequence[Piece], body: float) -> bool:
    """Whether other text of the usual size stands at the same height and place."""
    y, end, ours = run[0].y, max(one.x1 for one in run), {id(piece) for piece in run}
    return any(
        -0.4 * body < p.y - y < 0.9 * body and p.x0 < end and p.x1 > run[0].x0 and id(p) not in ours
        for p in large
    )


def _goes_across(run: Sequence[Piece], gutters: Sequence[Gutter]) -> bool:
    """Whether it reaches well into two columns; a cell that juts out a little does not."""
    start, end, reach = run[0].x0, max(one.x1 for one in run), 2 * run[0].size
    return any(start < left - reach and end > right + reach for left, right in gutters)


def _runs(row: Sequence[Piece], gutters: Sequence[Gutter]) -> list[list[Piece]]:
    """A row in parts that lie in one column each, or go across without a gap at the columns' edge."""
    runs: list[list[Piece]] = [[row[0]]]
    for before, piece in pairwise(row):
        gap = piece.x0 - before.x1
        drawn_on = _is_drawn_on(before, piece)
        for edge, start in gutters:
            begins = abs(piece.x0 - start) <= 2 and not drawn_on
            beyond = before.x1 <= start + 2 and piece.x0 >= start - 2
            other = abs(before.size - piece.size) > 0.1 * piece.size
            clear = before.x1 <= edge + 2 < piece.x0 and gap > 0.5 * piece.size
            # A heading over a list stands left of where that begins.
            if begins or (beyond and clear) or (other and (beyond or clear)):
                runs.append([piece])
                break
        else:
            runs[-1].append(piece)
    return runs


def _column(x: float, edges: Sequence[float]) -> int:
    return sum(x > edge for edge in edges)


def _flushed(waiting: list[list[Piece]], body: float) -> Iterator[tuple[int, list[Piece]]]:
    for column, pieces in enumerate(waiting):
        for row in _small_print_apart(rows_of(pieces, body), body):
            yield column, row
        pieces.clear()


def _small_print_apart(rows: Sequence[list[Piece]], body: float) -> Iterator[list[Piece]]:
    """Rows in order; small print that lies over text, where there is no room for it, comes after that."""
    held: list[list[Piece]] = []
    last: float | None = None
    for row in rows:
        if all(is_small(piece, body) for piece in row):
            held.append(row)
            continue
        if last is None or baseline(row) - last > _ROOM * body:
            yield from held
            held.clear()
        last = baseline(row)
        yield row
    yield from held


def set_apart(pieces: Sequence[Piece], body: float) -> None:
    """Mark short pieces that are drawn one after the other, as cells are, where some lie over other text."""
    if not pieces:
        return
    width = max(piece.x1 for piece in pieces) - min(piece.x0 for piece in pieces)
    by_height = sorted(pieces, key=lambda one: one.y)
    heights = [piece.y for piece in by_height]
    before: Piece | None = None
    for short, group in groupby(pieces, lambda p: p.x1 - p.x0 < 0.25 * width):
        drawn = list(group)
        ends = short and before is not None and _goes_on_below(before, drawn[0])
        cells = _without_headings(drawn[1:] if ends else drawn, body) if short else []
        before = drawn[-1]
        # Words in another font within a line are as short.
        many = 1 + sum(not _is_drawn_on(*both) for both in pairwise(cells)) >= _CELLS
        ours = {id(piece) for piece in cells}
        for cell in cells:
            near = by_height[
                bisect_left(heights, cell.y - 0.6 * cell.size) : bisect_right(
                    heights, cell.y + 0.6 * cell.size
                )
            ]
            if many and any(
                id(p) not in ours and p.x0 < cell.x1 - cell.size and p.x1 > cell.x0 + cell.size for p in near
            ):
                for piece in cells:
                    piece.apart = True
                break


def _goes_on_below(before: Piece, piece: Piece) -> bool:
    """Whether it is the last line of the paragraph that was drawn before."""
    near = 0 < piece.y - before.y < _ROOM * piece.size and abs(piece.size - before.size) < 0.1 * piece.size
    return near and piece.face == before.face and piece.x0 < before.x0 + 1


def _without_headings(cells: list[Piece], body: float) -> list[Piece]:
    """The pieces without those before and after a table that look like headings."""
    while cells and (cells[0].bold or cells[0].size > 1.05 * body):
        cells = cells[1:]
    while cells and (cells[-1].bold or cells[-1].size > 1.05 * body):
        cells = cells[:-1]
    return cells
