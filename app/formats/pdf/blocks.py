"""Lines of a PDF as paragraphs, headings, captions, tables and footnotes, in the order of reading."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import mode
from typing import Literal

from app.formats.documents.html import CAPTION
from app.formats.documents.joining import Hyphens
from app.formats.jats.citations import OPEN
from app.formats.pdf.characters import Piece
from app.formats.pdf.lines import Line, Reading, leading, line_text

Kind = Literal["text", "heading", "caption", "table", "footnote"]
_CAPTION_END = re.compile(r"\s*(?:[.:|–—-]|$)")
_NOTE_MARK = re.compile(r"[*†‡§¶#\x02]|\d{1,2}\b|[a-z]\)")
_ENDED = re.compile(r"[.!?:;…][\"”’')\]\x02\d,\-–\x03]*$")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s+[^\W\d]")
_SMALLER, _LARGER = 0.93, 1.07
# Headings that are not bold are no smaller than this part of the usual size.
_LEAST = 0.85
# A blank that LaTeX sets after such words, as a part of the size.
_QUAD = 0.8
_HEADING_LENGTH, _HEADING_LINES = 160, 4
_RUN_IN_LENGTH, _RUN_IN = 80, re.compile(r"(?:\d+(?:\.\d+)*\.?\s|\(?[a-zA-Z]\)\s)?[A-Z]\w+")


@dataclass(slots=True)
class Block:
    """Lines that belong together, joined to `text`; a table has a line a row; a heading may be run in."""

    kind: Kind
    lines: list[Line]
    text: str = ""
    run_in: bool = False

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def style(self) -> tuple[float, bool, bool, bool]:
        """What headings are ranked by: size, capitals, bold, upright; larger ones stand above."""
        capitals = self.text.upper() == self.text
        return (
            round(self.first.size * 2) / 2 - self.run_in / 4,
            all(line.bold for line in self.lines),
            capitals,
            not all(line.italic for line in self.lines),
        )


def read_blocks(reading: Reading) -> tuple[list[Block], Hyphens]:
    """The blocks in order; those that float within a sentence stand after it, footnotes at the end."""
    hyphens = Hyphens(line_text(line) for line in reading.lines)
    blocks = [Block("text", lines) for lines in _groups(reading)]
    for block in blocks:
        block.kind = _kind(block, reading)
    _find_footnotes(blocks, reading)
    for block in blocks:
        block.text = " ".join(map(line_text, block.lines))
    _find_headings(blocks, reading)
    blocks = list(_run_ins_apart(blocks))
    blocks = _joined(blocks, reading)
    for block in blocks:
        texts = [line_text(line) for line in block.lines]
        block.text = "\n".join(texts) if block.kind == "table" else hyphens.join(texts)
    return [
        *(b for b in blocks if b.kind != "footnote"),
        *(b for b in blocks if b.kind == "footnote"),
    ], hyphens


def _groups(reading: Reading) -> Iterator[list[Line]]:
    """Lines by paragraph."""
    usual: dict[float, float] = {}
    group: list[Line] = []
    for line in reading.lines:
        size = round(line.size * 2) / 2
        if size not in usual:
            usual[size] = leading(reading.lines, line.size)
        if group and _parted(group, line, usual[size], reading.body):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _parted(group: Sequence[Line], line: Line, usual: float, body: float) -> bool:
    """Whether a new block begins with this line."""
    last, size = group[-1], line.size
    # The last words of a title that goes across may be as short as a column.
    across = last.column == -1 and size > _LARGER * body
    if last.page != line.page or (last.column != line.column and not across) or line.y < last.y:
        return True
    if last.apart != line.apart or (_is_marked(group[0]) and _is_marked(line)):
        return True
    if not _SMALLER < line.size / last.size < _LARGER or (last.bold != line.bold and not line.pieces[0].bold):
        return not (last.cells > 1 and line.cells > 1)
    if (last.cells > 1) != (line.cells > 1) or _is_set_off(group, line):
        return True
    if line.y - last.y > 1.25 * usual:
        return True
    # Titles are centred and ragged.
    if line.cells > 1 or size > _LARGER * body:
        return False
    if CAPTION.match(line_text(line)) and line.bold:
        return True
    indent, before = line.x0 - line.left, last.x0 - last.left
    if 0.6 * size < indent < 5 * size and abs(before) < 0.5 * size and _is_flush(group, last):
        return True
    return _is_short(last) and _is_ended(last) and indent < 5 * size


def _is_marked(line: Line) -> bool:
    """Whether it begins with a raised mark, as notes do."""
    return line_text(line).startswith(OPEN)


def _is_set_off(group: Sequence[Line], line: Line) -> bool:
    """Whether the last line or this one is short and in a look of its own, as headings are, or both are."""
    last = group[-1]
    if last.cells > 1 or line.cells > 1:
        return False
    if last.distinct and line.distinct:
        looks = [{one.face for one in each.pieces} for each in (last, line)]
        differ = looks[0] != looks[1] and all(len(look) == 1 for look in looks)
        return differ or _had_room(group, line)
    if last.distinct:
        return _is_short(last)
    return line.distinct and _is_short(line) and (_is_ended(last) or _had_room(group, line))


def _had_room(group: Sequence[Line], line: Line) -> bool:
    """Whether the first word of this line, where a heading may begin, would have gone into the last one."""
    last, piece = group[-1], line.pieces[0]
    # A box may be narrower than the column; its lines but for the last say how wide it is.
    whole = len(group) == 1 and line.x1 < last.x1 - 1
    edge = line.right if whole else max(one.x1 for one in (*group, line))
    word = (piece.x1 - piece.x0) * len(piece.text.split()[0]) / len(piece.text)
    return not piece.text[0].islower() and last.x1 + word + _QUAD * line.size < edge


def _is_ended(line: Line) -> bool:
    return _ENDED.search(line_text(line)) is not None


def _is_short(line: Line) -> bool:
    return line.right - line.x1 > 0.12 * max(line.right - line.left, 1)


def _is_flush(group: Sequence[Line], last: Line) -> bool:
    """Whether a line's indent means a new paragraph: not where a list hangs below its first line."""
    return len(group) > 1 or last.right - last.x1 > 0.5 * last.size or _is_ended(last)


def _kind(block: Block, reading: Reading) -> Kind:
    text = line_text(block.first)
    if block.first.cells > 1:
        return "table"
    caption = CAPTION.match(text)
    if caption and (
        block.first.pieces[0].bold
        or block.first.size < _SMALLER * reading.body
        or _CAPTION_END.match(text, caption.end())
    ):
        return "caption"
    return "text"


def _find_footnotes(blocks: Sequence[Block], reading: Reading) -> None:
    """Small text with a mark at the foot of a column, right below text of the usual size."""
    last = {(block.first.page, block.first.column): number for number, block in enumerate(blocks)}
    for end in last.values():
        # What floats to the foot stands below the notes.
        while end > 0 and blocks[end].kind in ("caption", "table"):
            end -= 1
        number = end
        while number > 0 and _is_small(blocks[number], reading):
            number -= 1
        above, below = blocks[number], blocks[number + 1 : end + 1]
        same_column = (above.first.page, above.first.column) == (
            blocks[end].first.page,
            blocks[end].first.column,
        )
        if not below or not same_column or above.kind != "text" or _is_strong(above, reading):
            continue
        marked = _NOTE_MARK.match(line_text(below[0].first)) or below[0].first.x0 - below[0].first.left < 2
        if marked and above.lines[-1].size >= _SMALLER * reading.body and len(above.lines) > 1:
            for block in below:
                if _NOTE_MARK.match(line_text(block.first)):
                    block.kind = "footnote"


def _is_small(block: Block, reading: Reading) -> bool:
    return block.kind == "text" and (block.first.apart or block.first.size < _SMALLER * reading.body)


def _is_strong(block: Block, reading: Reading) -> bool:
    return block.first.size > _LARGER * reading.body or all(line.bold for line in block.lines)


def _joined(blocks: Sequence[Block], reading: Reading) -> list[Block]:
    """Paragraphs that go on over a column, a page, a figure or a table in one; these stand after them."""
    done: list[Block] = []
    open_: Block | None = None
    for block in blocks:
        if block.kind == "text" and open_ is not None and _goes_on(open_, block, reading):
            open_.lines += block.lines
            continue
        done.append(block)
        # Small print between (cells, legends) does not end a sentence.
        if block.kind == "text" and not (
            open_ is not None and _is_small(block, reading) and not _is_small(open_, reading)
        ):
            open_ = None if _is_strong(block, reading) else block
        if block.kind == "heading":
            open_ = None
    return done


def _goes_on(before: Block, block: Block, reading: Reading) -> bool:
    last, line = before.lines[-1], block.first
    same_place = (last.page, last.column) == (line.page, line.column)
    if (
        not _SMALLER < line.size / last.size < _LARGER
        or _is_strong(block, reading)
        or last.apart != line.apart
    ):
        return False
    if _is_ended(last):
        return False
    # A short line within a column ends what it stands in: a name, an address.
    full, more = _is_full(last), line_text(line)
    if same_place and line.y - last.y < 3 * line.size:
        return full and more[:1].islower()
    return (full or more[:1].islower()) and not CAPTION.match(more)


def _run_ins_apart(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, bold or slanted words that begin a paragraph and end as a sentence does as headings."""
    for block in blocks:
        pieces = [piece for line in block.lines for piece in line.pieces]
        usual = mode(piece.face for piece in pieces for _ in piece.text)
        strong = [_is_as_strong(piece, pieces[0], usual) for piece in pieces]
        number = strong.index(False) if False in strong else 0
        if block.kind == "text" and number and _ends_run_in(pieces[number - 1], pieces[number]):
            lead, rest = _cut(block.lines, number)
            text = " ".join(map(line_text, lead))
            if len(text) <= _RUN_IN_LENGTH and _RUN_IN.match(text) and not CAPTION.match(text):
                yield Block("heading", lead, text, run_in=True)
                block.lines = rest
        yield block


def _is_as_strong(piece: Piece, first: Piece, usual: Hashable) -> bool:
    """Whether it has the look in which its paragraph begins; drawn fonts do not say that they are bold."""
    if first.bold or first.italic:
        return piece.bold if first.bold else piece.italic
    return piece.face == first.face != usual


def _ends_run_in(last: Piece, after: Piece) -> bool:
    wide = after.x0 - last.x1 > _QUAD * last.size or after.y > last.y
    return last.text.endswith((".", ":")) or (last.bold and wide and after.text[0].isupper())


def _cut(lines: Sequence[Line], number: int) -> tuple[list[Line], list[Line]]:
    """The first pieces of the lines, and the others."""
    before: list[Line] = []
    after: list[Line] = []
    for line in lines:
        cut = max(number, 0)
        before += [replace(line, pieces=line.pieces[:cut])] if cut else []
        after += [replace(line, pieces=line.pieces[cut:])] if cut < len(line.pieces) else []
        number -= len(line.pieces)
    return before, after


def _is_full(line: Line) -> bool:
    return line.right - line.x1 < 0.25 * max(line.right - line.left, 1)


def _find_headings(blocks: Sequence[Block], reading: Reading) -> None:
    before: Block | None = None
    for block, after in zip(blocks, [*blocks[1:], None], strict=False):
        if block.kind == "text" and after is not None and _is_heading(block, reading, before, after):
            block.kind = "heading"
        before = block


def _is_own(block: Block, before: Block | None) -> bool:
    """Whether its font is its own, and not that of what stands before it, as of cells before notes."""
    if not all(line.distinct for line in block.lines) or block.text.endswith("."):
        return False
    if before is None or before.kind == "heading":
        return True
    faces = [{piece.face for line in one.lines for piece in line.pieces} for one in (before, block)]
    return faces[0].isdisjoint(faces[1])


def _is_heading(block: Block, reading: Reading, before: Block | None, after: Block) -> bool:
    """Whether it looks so, by what comes after it and whether a sentence had ended before."""
    running = before is not None and before.kind == "text"
    ended = before is None or not running or _is_ended(before.lines[-1]) or not _is_full(before.lines[-1])
    text = block.text
    letters = [char for char in text if char.isalpha()]
    if len(text) > _HEADING_LENGTH or len(block.lines) > _HEADING_LINES or len(letters) < 3:
        return False
    size, words = block.first.size, len(text.split())
    if block.first.apart or text.endswith((",", ";")) or (text.endswith(".") and words > 12):
        return False
    below = after.first.y - block.lines[-1].y
    alone = below < 4 * max(size, reading.body) or after.first.page != block.first.page
    if size < _SMALLER * reading.body:
        # The lowest headings may be smaller than the text that they stand over.
        over = after.kind == "text" and not _is_small(after, reading) and not _is_strong(after, reading)
        own = block.style[1] or (_is_own(block, before) and size > _LEAST * reading.body)
        return alone and over and ended and own and letters[0].isupper()
    if _is_strong(block, reading):
        return not text[0].islower()
    if not (alone and ended) or text.split()[0].islower():
        return False
    if all(line.distinct for line in block.lines):
        return words <= 25 and 2 * len(letters) > len(text)
    numbered = _NUMBERED.match(text) is not None and not text.endswith(".")
    return numbered and len(block.lines) == 1 and words <= 12
