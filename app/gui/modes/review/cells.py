"""The cards of a review in the order in which they stand, and their words laid out on a few lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from app.gui.widgets.plain import cut_in_middle, one_line, quoted
from app.operations.review.items import ReportReview, ReviewRow, RowRelation, in_place_of, word_differences

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from extractors.model.scheme import Scheme

UNPLACED: tuple[RowRelation, ...] = ("conflict", "ungrounded")
# What a card says of how it stands to the other side, beginning with a sign.
RELATIONS: Mapping[RowRelation, str] = {
    "same": "= same",
    "overlapping": "≈ overlaps",
    "label": "≠ category",
    "polarity": "± polarity",
    "only left": "yours only",
    "only right": "theirs only",
    "conflict": "! conflict",
    "ungrounded": "? not in text",
}
VERDICTS = {"accepted": "✓ accepted", "edited": "✎ edited", "rejected": "✗ rejected"}
Side = Literal["left", "right"]
# Longer quotes are cut on their cards, and not compared word by word.
LONGEST = 600


@dataclass(frozen=True, slots=True)
class Cell:
    """One span of each side, or of one; `heading` where it stands above others and holds no span.

    `replaced` is how many of one's own the right one would take the place of if it was accepted.
    """

    relation: RowRelation
    left: Annotation | None = None
    right: Annotation | None = None
    heading: str = ""
    replaced: int = 0

    @property
    def replaces(self) -> str:
        """What accepting does to one's own, in a few words; "" where it replaces nothing."""
        if not self.replaced:
            return ""
        return "replaces yours" if self.replaced == 1 else f"replaces {self.replaced} of yours"

    @property
    def keeps_both(self) -> bool:
        """Whether it can be accepted beside one's own: one place is not present and negated at once."""
        return self.replaced > 0 and self.relation != "polarity"

    @property
    def key(self) -> str:
        """What it is known by while the review goes on."""
        one = self.right or self.left
        return one.uuid if one is not None else self.heading

    @property
    def start(self) -> int | None:
        """Where it begins in the text, None for what has no place there."""
        if self.relation in UNPLACED:
            return None
        starts = [o.finding.start for o in (self.left, self.right) if o and o.finding.start is not None]
        return min(starts, default=None)

    def words(self, side: Side) -> tuple[tuple[str, bool], ...]:
        """What a side's quote says, in stretches, and whether that side alone has them; "" for no quote."""
        one, other = (self.left, self.right) if side == "left" else (self.right, self.left)
        quote = one_line(one.finding.quote)[:LONGEST] if one is not None else ""
        against = one_line(other.finding.quote)[:LONGEST] if other is not None else quote
        if quote == against:
            return ((quote, False),)
        runs = word_differences(quote, against)
        return tuple((run.text, run.presence == "left") for run in runs if run.presence != "right")


def verdict_words(report_review: ReportReview, uuid: str) -> str:
    """The verdict on an item, and whether what came of it is gone from one's own set; "" for none."""
    verdict = report_review.verdicts.get(uuid)
    if verdict is None:
        return ""
    own = {one.uuid for row in report_review.rows for one in row.left}
    gone = bool(verdict.result) and verdict.result not in own
    return f"{VERDICTS[verdict.verdict]}{', removed since' if gone else ''}"


def cells_of(report_review: ReportReview, category: str = "") -> tuple[Cell, ...]:
    """The cells in text order, or those of one category; what has no place stands last, under a heading."""
    rows = [row for row in report_review.rows if not category or category in row.categories]
    placed = sorted((row for row in rows if row.place is not None), key=lambda row: row.place or (0, 0))
    unplaced = [row for row in rows if row.place is None]
    heading = [Cell("ungrounded", heading=f"Without a place in the text ({len(unplaced)})")]
    return (*_pairs(placed), *(heading if unplaced else ()), *_pairs(unplaced))


def _pairs(rows: Sequence[ReviewRow]) -> list[Cell]:
    return [
        Cell(row.relation, left, right, replaced=_replaced(row, right))
        for row in rows
        for left, right in zip_longest(_in_order(row.left), _in_order(row.right))
    ]


def _replaced(row: ReviewRow, theirs: Annotation | None) -> int:
    placed = theirs is not None and theirs.finding.start is not None
    return len(in_place_of(row, theirs)) if theirs is not None and placed else 0


def _in_order(spans: Sequence[Annotation]) -> list[Annotation]:
    return sorted(spans, key=lambda one: (one.finding.start or 0, one.finding.end or 0))


def relation_words(relation: RowRelation, fits: Callable[[str], bool]) -> str:
    """How a card stands to the other side: in full where that fits, else as short as need be, or nothing."""
    return next(filter(fits, (RELATIONS[relation], RELATIONS[relation].split()[0])), "")


def about(cell: Cell, scheme: Scheme) -> str:
    """What stands between the two sides, in a sentence."""
    if cell.relation in UNPLACED and cell.right is not None:
        place = " A place is proposed; editing begins there." if cell.right.candidate else ""
        return f"{cell.right.finding.reason or 'This quote was not found in the text.'}{place}"
    one = cell.right or cell.left
    words = quoted(cut_in_middle(one.finding.quote, 80)) if one is not None else ""
    if cell.left is None or cell.right is None:
        return f"{'Only theirs' if cell.left is None else 'Only yours'}: {words}"
    ours, theirs = cell.left.finding, cell.right.finding
    if cell.relation == "label":
        mine, other = (scheme.category(one.category).name for one in (ours, theirs))
        return f"The category differs: yours {mine}, theirs {other}: {words}"
    if cell.relation == "polarity":
        return f"The polarity differs: yours {ours.polarity}, theirs {theirs.polarity}: {words}"
    if cell.relation == "same":
        return f"The same: {words}"
    return f"The edges differ: {_alone(cell)}"


def _alone(cell: Cell) -> str:
    """The words that one side alone has."""
    parts = []
    sides: tuple[tuple[Side, str], ...] = (("left", "your set"), ("right", "the other set"))
    for side, name in sides:
        words = [text.strip() for text, alone in cell.words(side) if alone and text.strip()]
        if words:
            parts.append(f"only {name} has {', '.join(quoted(cut_in_middle(one, 60)) for one in words)}")
    return "; ".join(parts) or "in white space"


class CardText:
    """At most `lines` lines of `width` pixels; `parts` are texts and whether each is emphasised."""

    def __init__(self, parts: Sequence[tuple[str, bool]], font: QFont, width: int, lines: int) -> None:
        self._font, self._width = font, max(width, 1)
        left: Sequence[tuple[str, bool]] | None = parts
        # A word that only just had room may have none with an ellipsis behind it.
        while left is not None:
            left, self.height = self._lay_out(left, lines)

    def draw(self, painter: QPainter, place: QPointF) -> None:
        self._layout.draw(painter, place)

    def _lay_out(
        self, parts: Sequence[tuple[str, bool]], lines: int
    ) -> tuple[list[tuple[str, bool]] | None, float]:
        """Lay the parts out; returns what there is room for where that is not all, and the height."""
        text = "".join(part for part, _ in parts)[:LONGEST]
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(_formats(parts))
        layout.beginLayout()
        height, room = 0.0, 0
        for _ in range(lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self._width)
            line.setPosition(QPointF(0, height))
            height += line.height()
            room = line.textStart() + line.textLength()
        layout.endLayout()
        self._layout = layout
        return (_cut(parts, room - 2) if room < _units(text) else None), height


def _formats(parts: Sequence[tuple[str, bool]]) -> list[QTextLayout.FormatRange]:
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.Bold)
    strong.setFontUnderline(True)
    found, start = [], 0
    for text, emphasised in parts:
        # White space at the end of an underlined word is no part of it.
        if emphasised and text.strip():
            one = QTextLayout.FormatRange()
            one.start, one.length = start, _units(text.rstrip())
            one.format = strong
            found.append(one)
        start += _units(text)
    return found


def _cut(parts: Sequence[tuple[str, bool]], room: int) -> list[tuple[str, bool]]:
    """The parts up to `room` UTF-16 units, and an ellipsis."""
    kept: list[tuple[str, bool]] = []
    for text, emphasised in parts:
        units = text.encode("utf-16-le", "surrogatepass")[: 2 * max(room, 0)]
        kept.append((units.decode("utf-16-le", "ignore"), emphasised))
        room -= _units(text)
    return [*kept, ("…", False)]


def _units(text: str) -> int:
    """The length of a text as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
