"""Where words stand on the pages of a PDF says what they are: each layout with all that is read of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from app.formats.pdf.blocks import read_blocks
from app.formats.pdf.characters import Page, Piece
from app.formats.pdf.lines import read_lines

# What stands beside each other, and how: bold, slanted, in colour, right after what was drawn before.
BOLD, SLANTED, RED, SPACED = "bold", "slanted", "red", "spaced"
Word = tuple[Any, ...]
# Raised characters are fenced.
_SHORT = {2: "^", 3: None}
# Lines of a page and of a column, as they are told here.
_L, _M = "This sentence goes on over the line", "is told here and over"


def word(x: float, y: float, text: str, *more: Any) -> Word:  # noqa: ANN401 (a size, and looks)
    return x, y, text, *more


def para(y: float, *rows: str, x: float = 60) -> list[Word]:
    """Lines below each other."""
    return [word(x, y + 12 * at, row) for at, row in enumerate(rows)]


def pages(*drawn: Sequence[Word]) -> Iterator[Page]:
    for number, words in enumerate(drawn, start=1):
        order, pieces = count(), []
        for x, y, text, *more in words:
            looks = [one for one in more if isinstance(one, str)]
            size = next((one for one in more if not isinstance(one, str)), 10)
            piece = Piece(
                text, x, x + 0.6 * size * len(text),
                y, size, BOLD in looks, SLANTED in looks, SPACED in looks,
                next(order), face=RED in looks,
            )  # fmt: skip
            pieces.append(piece)
        yield Page(number, 595, 842, pieces)


def told(*drawn: Sequence[Word]) -> list[str]:
    """Each block with its kind, then what was taken away, and how many columns there are if several."""
    reading = read_lines(list(pages(*drawn)))
    blocks, _ = read_blocks(reading)
    away = reading.furniture
    heads = [f"head {number} {text}" for text, number in away.heads.items()]
    counts = [("page numbers", away.page_numbers), ("line numbers", away.line_numbers)]
    counts += [("columns", reading.columns if reading.columns > 1 else 0)]
    return [
        *(
            f"{one.kind} {one.text}".translate(_SHORT).replace(_L, "~").replace(f" {_M}", "")
            for one in blocks
        ),
        *heads,
        *(f"{name} {number}" for name, number in counts if number),
    ]


BODY = para(300, f"{_L} a", f"{_L} b", f"{_L} c", "and ends here.")
LOW = para(500, f"{_L} a", f"{_L} b", "it ends.")
HEAD = "Annals of cases"
LAYOUTS: dict[str, tuple[Sequence[Word], ...]] = {
    "heads of pages": (
        [word(60, 30, "Annals 2020 7"), *BODY, word(290, 820, "7")],
        [word(60, 32, "Annals 2020 8"), *BODY, word(290, 820, "8")],
        [word(60, 50, "Annals 2020 9"), *BODY, word(290, 620, "9")],
    ),
    "numbers of pages stand high, and that of the first page elsewhere": (
        [*BODY, word(290, 640, "4")], [word(60, 30, "Annals 5"), *BODY],
        [word(60, 30, "6 Nobody"), *BODY, word(290, 640, "6"), word(290, 820, "5")],
    ),
    "a head that is there once stands where those of other pages do": (
        [word(60, 30, HEAD), *BODY],
        [word(60, 30, "Nobody and others"), *BODY],
        [word(60, 30, HEAD), *BODY],
        [word(60, 33, "Elsewhere, nobody"), *BODY],
        [word(60, 30, "Large beginning", 15), *BODY],
        [word(60, 30, "Near the text"), *para(42, "that begins at once and goes on."), *BODY],
    ),
    "heads of three pages have no words in common but count them": (
        [word(60, 30, "Doi 10.1"), *BODY],
        [word(60, 30, "212"), word(400, 30, "Nobody and others"), *BODY],
        [word(60, 30, "A head of words"), word(500, 30, "213"), *BODY],
    ),
    "numbers at the top of the text count no pages": (
        [word(60, 60, "2 boys had fever"), *para(72, "and were told", "of it."), *BODY],
        [word(60, 60, "3 girls had none"), *para(72, "as all know", "by now."), *BODY],
    ),
    "four numbers count no lines": ([*para(300, *[_L] * 6), *[word(30, 300 + 12 * n, str(n + 1),
    8) for n in range(4)]],),
    "numbers that count all lines": ([*para(300, *[_L] * 6), *[word(30, 300 + 12 * n, str(5 * n + 1),
    8) for n in range(6)]],),
    "numbers in no order": (
        [*para(300, *[_L] * 6), *[word(30, 300 + 12 * n, "3", 8) for n in range(6)]],
    ),
    "numbers near the text": (
        [*para(300, *[_L] * 6), *[word(53, 300 + 12 * n, str(n + 1), 8) for n in range(6)]],
    ),
    "marks beside the numbers of lines": (
        [
            *para(300, *[_L] * 6), *[word(30, 300 + 12 * n, str(n + 1), 8) for n in range(6)],
            *[word(26, 300 + 12 * n, "*", 6) for n in range(6)],
        ],
    ),
    "large first letters": (
        [word(60, 312, "T", 24), *para(300, "hey told of him and of", "his mother, who", x=75), *BODY[2:]],
        [word(60, 312, "A", 24), word(75, 300, "boy was told of", SPACED), *para(312, "by all", x=75)],
        [word(60, 312, "B", 24), word(75, 300, "boy was told of", SPACED), *para(312, "by all", x=75)],
        [word(60, 312, "T", 24), word(75, 312, "hat is one line alone.")],
        [word(60, 312, "T", 24), *para(300, "hey stand far off", "and so on", x=96)],
    ),
    "cells below each other": (
        [
            *(word(x, 300 + 12 * row, text) for row, cells in enumerate(("Day CRP Hb", "1 120 9",
            "2 80 11"))
              for x, text in zip((60, 150, 240), cells.split(), strict=True)),
            *para(360, f"{_L} a", f"{_L} b", "and ends."),
        ],
    ),
    "cells that end or are centred at the same place": (
        [
            word(60, 300, "Day"), word(150, 300, "12345"), word(230, 300, "x"),
            word(60, 312, "one"), word(168, 312, "67"), word(250, 312, "y"),
            word(60, 400, "Day"), word(150, 400, "12345"), word(60, 412, "one"), word(162, 412, "6"),
            word(60, 424, "far"), word(260, 424, "off"),
        ],
    ),
    "cells of two pages are no table": (
        [*para(300, f"{_L} a"), word(60, 312, "day"), word(200, 312, "two")],
        [word(60, 100, "one"), word(200, 100, "ten"), *para(112, f"{_L} b")],
    ),
    "wide blanks are no cells": (
        [word(60, 300, "Alone it"), word(200, 300, "stands in a line"), word(60, 312, "and so it"),
        word(181, 312, "ends")],
    ),
    "raised and lowered": (
        [
            word(60, 300, "x 10"), word(84, 296, "9", 6), word(90, 300, "/l of CO"), word(138, 302, "2", 6),
            word(144, 300, "here"), word(170, 300, "and", SPACED), word(189.5, 300, "so", SPACED),
            word(201.5, 300, "on."),
        ],
    ),
    "headings by what they look like": (
        [
            word(60, 276, "Case report", 12), *BODY, word(60, 372, "OUTCOME"),
            *para(384, f"{_L} d", f"{_L} e", "it ends."),
            word(60, 432, "In red", RED), *para(444, f"{_L} f", f"{_L} g", "it ends."),
            word(60, 492, "2.1 Numbered one"), *para(516, f"{_L} h", f"{_L} i", "it ends."),
            word(60, 564, "2.2 Numbered two."), *para(588, f"{_L} j", f"{_L} k", "it ends."),
            word(60, 636, "lower in bold", BOLD), *para(648, f"{_L} l", f"{_L} m", "it ends."),
            word(60, 696, "CRP 120, 130 and 90", RED), *para(708, f"{_L} n", "it ends."),
            word(60, 744, "3. A b c d e f g h i j k lmn"), *para(768, f"{_L} o", "it ends."),
        ],
    ),
    "bold lines that are none": (
        [
            word(60, 276, "Bold before a comma,", BOLD), *BODY,
            word(60, 372, "A B", BOLD), *para(396, f"{_L} d", f"{_L} e", "it ends."),
            *[word(60, 444 + 12 * n, f"{_M} {_M}" , BOLD) for n in range(5)],
            *para(528, f"{_L} f", f"{_L} g", "it ends."),
            word(60, 576, "One of a b c d e f g h i j k l m.", BOLD), *para(600, f"{_L} h", "it ends."),
        ],
    ),
    "small bold headings stand over text": (
        [
            word(60, 276, "Small heading", 9, BOLD), *BODY, word(60, 372, "small lower", 9, BOLD),
            *para(390, f"{_L} d", f"{_L} e", "it ends."), word(60, 438, "Small plain", 9),
            *para(456, f"{_L} f", "it ends."),
            word(60, 492, "Small and far", 9, BOLD), *para(560, f"{_L} g", "it ends."),
        ],
    ),
    "words that begin a paragraph": (
        [
            word(60, 300, "Patient 3.", BOLD), word(126, 300, "A man was well"),
            *para(312, f"{_L} a", "it ends."),
            word(60, 360, "History:", SLANTED), word(114, 360, "he was well"),
            *para(372, f"{_L} b", "it ends."),
            word(60, 420, "Outcome", BOLD), word(120, 420, "He was well"),
            *para(432, f"{_L} c", "it ends."),
            word(60, 480, "Outcome", BOLD), word(108, 480, "He was well"),
            *para(492, f"{_L} d", "it ends."),
            word(60, 540, "Figure 1.", BOLD), word(120, 540, "He was well"),
            *para(552, f"{_L} e", "it ends."),
            word(60, 600, "Course.", RED), word(108, 600, "He was well"), *para(612, f"{_L} f", "it ends."),
            word(60, 660, "lower.", BOLD), word(108, 660, "He was well"), *para(672, f"{_L} g", "it ends."),
        ],
        [
            word(60, 300, "Months of the boy who swam in the sea", BOLD),
            word(60, 312, "and fell ill.", BOLD), word(144, 312, "He was well"),
            *para(324, f"{_L} h", "it ends."),
            word(60, 372, "Figure 1 shows him.", SLANTED), word(180, 372, "He was well"),
            *para(384, f"{_L} i", "it ends."),
            word(60, 432, "Outcome", BOLD), word(120, 432, "he was well"),
            *para(444, f"{_L} j", "it ends."),
        ],
    ),
    "captions": (
        [
            *BODY, word(60, 372, "Table 1 shows what he was given"), *para(384, f"{_L} d", "it ends."),
            word(60, 420, "Table 2. What he was given"), *para(450, f"{_L} e", "it ends."),
            word(60, 486, "Figure 3 What he was given", 8), *para(516, f"{_L} f", "it ends."),
            word(60, 552, "Table 4 What he was given", BOLD), *para(580, f"{_L} g", "it ends."),
        ],
    ),
    "notes at the foot": (
        [*BODY, word(60, 372, "* Seen in a pool.", 8), word(60, 386, "1 Seen at sea.", 8),
        word(60, 400, "No mark.", 8)],
        [word(60, 300, "One line alone."), word(60, 330, "* Seen in a pool.", 8)],
        [*BODY, word(60, 372, "No mark.", 8), word(60, 386, "† Seen at sea.", 8)],
        [*BODY[:2], word(60, 372, "Usual", BOLD), word(60, 390, "* Below a heading.", 8)],
    ),
    "a sentence goes on over a page": (
        [*para(300, f"{_L} a", f"{_L} b", f"{_L} c")],
        [*para(60, "and ends there. Then", f"{_L} d", "it ends.")],
        [*para(60, "A new one begins", f"{_L} e", f"{_L} f")], [word(60, 100, "Table 1. Between"),
        *para(160, "And more of it.")],
    ),
    "two columns": (
        [
            word(60, 100, "A line that goes across both of the columns there are", 12),
            *para(140, *[f"l{n} {_M}" for n in range(8)]),
            *para(140, *[f"r{n} {_M}" for n in range(8)], x=310),
            *para(260, "Across it goes from the left to the right, and so it ends."),
            *para(290, *[f"d{n} {_M}" for n in range(7)]),
            *para(290, *[f"u{n} {_M}" for n in range(7)], x=310),
        ],
    ),
    "three columns": (
        [
            word
            for at, name in enumerate(("left", "mid", "right"))
            for word in para(140, *[f"{name[0]}{n} {_M}" for n in range(8)], x=40 + 180 * at)
        ],
    ),
    "what hangs in the middle one of three columns begins no column": (
        [*(word for at, name in enumerate("lr")
           for word in para(140, *[f"{name}{n} {_M}" for n in range(14)], x=40 + 360 * at)),
         *(word for at in range(14)
           for word in para(140 + 12 * at, f"m{at} {_M}", x=220 + 12 * (at % 2)))],
    ),
    "five lines beside each other are no columns": (
        [*para(140, *[f"l{n} {_M}" for n in range(5)]),
         *para(140, *[f"r{n} {_M}" for n in range(5)], x=310)],
    ),
    "a page with little text has the columns of the one before": (
        [*para(140, *[f"l{n} {_M}" for n in range(8)]),
         *para(140, *[f"r{n} {_M}" for n in range(8)], x=310)],
        [*para(140, "left lines", "of page two"), *para(140, "right lines", "of page two", x=310)],
    ),
    "a page with little text has the columns of the one behind": (
        [*para(140, "left lines", "of page one"), *para(140, "right lines", "of page one", x=310)],
        [*para(140, *[f"l{n} {_M}" for n in range(8)]),
         *para(140, *[f"r{n} {_M}" for n in range(8)], x=310)],
    ),
    "a page of three columns lacks lines in one": (
        [word for at, name in enumerate("lmr")
         for word in para(140, *[f"{name}{n} {_M}" for n in range(8)], x=40 + 180 * at)],
        [word for at, name in enumerate("lmr")
         for word in para(140, *[f"{name}{n} {_M}" for n in range(2 if at else 8)], x=40 + 180 * at)],
        [word for at, name in enumerate("lmr")
         for word in para(140, *[f"{name}{n} {_M}" for n in range(8 if at != 1 else 2)], x=40 + 180 * at)],
    ),
    "a name within a line high above begins no column": (
        [
            word(60, 80, "By somebody who has the name of all of his"), word(312, 77, "1", 6),
            word(316, 80, "and by somebody who has another name"),
            *para(100, *[f"{_L} from the left to the right and on it goes, and a{n}" for n in range(9)]),
            *para(220, *[f"l{n} {_M}" for n in range(8)]),
             *para(220, *[f"r{n} {_M}" for n in range(8)], x=316),
        ],
    ),
    "a box hangs in from the column beside it": (
        [
            *para(140, *[f"l{n} {_M}" for n in range(7)]),
             *para(140, *[f"r{n} {_M}" for n in range(7)], x=316),
            *para(240, *[f"u{n} {_M} and there on" for n in range(7)]),
            *para(240, "* first point of all", "and its other words", x=326),
        ],
    ),
    "what ends a paragraph and what does not": (
        [
            word(60, 100, "A short name"), word(60, 112, "of a house"),
            *para(124, f"{_L} a", f"{_L} b", "it ends."),
            *para(160, "Short, it ends.", f"{_L} c", "and ends."),
            *para(196, f"{_L} d", "Upper case goes on", f"{_L} e"),
            word(75, 232, "Indented it begins and goes on"), *para(244, f"{_L} f", f"{_L} g"),
            *para(292, "farther down it goes on", f"{_L} h", "it ends."),
            word(60, 352, f"1. {_L} i"), word(78, 364, "hangs below its number"),
        ],
        [
            word(52, 100, "Outside it stands."), *para(130, f"{_L} j", f"{_L} k"),
            word(75, 154, f"Indented it {_M}"), *para(166, f"{_L} l", "it ends."),
        ],
    ),
    "a line in capitals or red within a paragraph": (
        [
            *para(100, f"{_L} a", f"{_L} b"), word(60, 124, _L.upper(), RED),
            *para(136, f"{_L} c", "it ends."),
            *para(172, f"{_L} d", "it had CRP and"), word(60, 196, "CRP", RED),
            *para(208, f"{_L} e", "it ends."),
            *para(244, f"{_L} f", f"{_L} g and"), word(60, 268, "Red but within", RED),
            *para(280, f"{_L} h", "it ends."),
            word(60, 316, "MRI"), *para(328, f"{_L} i", "it ends."),
        ],
    ),
    "a table and small print do not end a sentence": (
        [
            *para(100, f"{_L} a", f"{_L} b", f"{_L} c"),
            word(60, 160, "day"), word(200, 160, "two"), word(60, 172, "one"), word(200, 172, "ten"),
            *para(200, "which goes on", f"{_L} d", f"{_L} e"), word(60, 260, "small print.", 8),
            *para(290, "and goes on.", f"{_L} f", "it ends."), word(60, 350, "Heading", 12, BOLD),
            *para(370, "below it."),
        ],
    ),
    "references in smaller print are more than the report": (
        [*para(100, f"{_L} a", f"{_L} b", "it ends."),
         *[word(60, 200 + 10 * n, f"{n}. Somebody. A long title of a paper.", 8) for n in range(6)]],
    ),
    "more small print than text on a page makes the text no heading": (
        [*BODY, *LOW],
        [*para(100, "He was well"), *para(130, f"{_L} a", f"{_L} b", "it ends."),
         *[word(60, 300 + 10 * n, f"{_L} {_L}.", 8, RED) for n in range(6)]],
    ),
    "a title of two lines goes across": (
        [
            word(60, 100, "A boy with fever after a swim in the sea that was", 14),
            word(60, 118, "very rare", 14),
            *para(150, *[f"l{n} {_M}" for n in range(8)]),
            *para(150, *[f"r{n} {_M}" for n in range(8)], x=310),
        ],
    ),
    "large first signs that are none": (
        [word(60, 312, "7", 24), *para(300, "boys were told", "of it.", x=76), *LOW],
        [word(60, 312, "Of", 24), *para(300, "boys were told", "of it.", x=90), *LOW],
        [word(60, 312, "T", 17), *para(300, "boys were told", "of it.", x=72), *LOW],
        [word(60, 312, "T", 24), word(75, 300, "boys were told", 7), word(75, 312, "of it.", 7), *LOW],
    ),
    "small capitals": (
        [
            word(60, 100, "D"), word(66, 100, "ISCUSSION", 7.5), *para(120, f"{_L} a", "it ends."),
            word(60, 156, "R"), word(66, 156, "eSuLtS oF aLL", 7.5), word(60, 168, "oF tHeM", 7.5),
            *para(184, f"{_L} b", "it ends."),
            word(60, 220, "Hb"), word(72, 220, "a", 7.5), word(78, 220, "was low."),
        ],
        [
            *para(260, f"{_L} c", "it ends."), word(60, 300, "D"), word(66, 300, "ISCUSSION", 7.5),
            word(60, 340, "* far below in small print.", 7.5), *para(360, f"{_L} d", "it ends."),
            word(60, 396, "T"), word(66, 396, "NFAB", 7.5), word(87, 396, "was high in all of the boys."),
        ],
    ),
    "a table that is too wide lies over the next column": (
        [
            *para(100, *[f"l{n} {_M}" for n in range(8)]),
            *para(100, *[f"r{n} {_M}" for n in range(12)], x=310),
            word(60, 206, "Counts", 10, BOLD),
            *[word(60 + 90 * at, 220 + 10 * row, "abcd"[at], 8) for row in range(3) for at in range(4)],
            word(60, 256, "Values", 10, BOLD),
            *para(270, *[f"d{n} {_M}" for n in range(7)]),
            *para(270, *[f"u{n} {_M}" for n in range(7)], x=310),
        ],
    ),
    "headings in a smaller font of their own": (
        [
            word(60, 258, "Case report", 12, RED), word(60, 276, "2. Slanted", 9, SLANTED, RED), *BODY,
            word(60, 372, "In red", 9, RED),
            *para(390, f"{_L} d", "it ends."), word(60, 430, "small print", 9, RED),
            word(60, 448, "Note of it", 9, RED), *para(462, f"{_L} e", "it ends."),
            word(60, 492, "Too small", 8, RED), *para(506, f"{_L} f", "it ends."),
            word(60, 536, "Ends so.", 9, RED), *para(550, f"{_L} g", "it ends."),
        ],
    ),
    "notes over a figure at the foot, each with its mark": (
        [
            *BODY, word(60, 372, "1", 5), word(64, 376, "Seen in a pool", 8), word(60, 385, "2", 5),
            word(64, 389, "Seen at sea.", 8), word(60, 420, "Figure 1. A pool.", 8),
        ],
    ),
    "a note over a table at the foot": (
        [
            *BODY, word(60, 372, "* Seen in a pool.", 8), word(60, 400, "Table 1. What he was given", 8),
            *(word(x, y, cell, 8) for y in (412, 424) for x, cell in ((60, "Iron"), (200, "Zinc"))),
        ],
    ),
    "lines of two long words are no table": (
        [
            *para(300, f"{_L}a", f"{_L}b"), word(60, 324, "p.F20S(c.T59C),"), word(258, 324, "EPHA3"),
            word(60, 336, "p.A389V(c.C1166T),"), word(258, 336, "FGFR2"), *para(348, f"{_L}c", "it ends."),
        ],
    ),
    "what is short beside a table that lies over it is none of its cells": (
        [
            *para(100, *[f"l{n} {_M}" for n in range(8)], "short one."),
            *[word(60 + 84 * at, 220 + 12 * row, "abcd"[at] * 8) for row in range(3) for at in range(4)],
            *[word(60 + 72 * at, 256, "abcd"[at] * 10) for at in range(4)],
            *para(290, *[f"d{n} {_M}" for n in range(7)]),
            *para(100, *[f"r{n} {_M}" for n in range(10)], x=310),
            word(310, 220, "of"), word(326, 220, "an", RED), word(342, 220, "ill", SPACED),
            word(364, 220, "man", RED), word(386, 220, "who", SPACED), word(408, 220, "told", RED),
            word(436, 220, "all", SPACED),
            *para(232, f"s {_M}", f"t {_M}", x=310), *para(290, *[f"u{n} {_M}" for n in range(7)], x=310),
        ],
    ),
    "a heading over a list and a number at the edge of a column": (
        [
            *para(100, *[f"l{n} {_M}" for n in range(8)]),
            word(300, 100, "Points of note", 12), *para(112, *[f"r{n} {_M}" for n in range(9)], x=310),
            word(60, 196, "x 10"), word(84, 192, "9", 6), word(89, 196, "/l and"), word(60, 208, "last."),
            word(296, 124, "3", 6),
        ],
    ),
}  # fmt: skip


READ: dict[str, tuple[str, ...]] = {
    "heads of pages": (
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text Annals 2020 9",
        "text ~ a ~ b ~ c and ends here.",
        "text 9",
        "head 2 Annals … …",
        "page numbers 2",
    ),
    "numbers of pages stand high, and that of the first page elsewhere": (
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text 6 5",
        "head 1 Annals …",
        "head 1 … Nobody",
        "page numbers 1",
    ),
    "a head that is there once stands where those of other pages do": (
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text Elsewhere, nobody",
        "text ~ a ~ b ~ c and ends here.",
        "heading Large beginning",
        "text ~ a ~ b ~ c and ends here.",
        "text Near the text that begins at once and goes on.",
        "text ~ a ~ b ~ c and ends here.",
        "head 2 Annals of cases",
        "head 1 Nobody and others",
    ),
    "heads of three pages have no words in common but count them": (
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b ~ c and ends here.",
        "head 1 Doi ….…",
        "head 1 … Nobody and others",
        "head 1 A head of words …",
    ),
    "numbers at the top of the text count no pages": (
        "text 2 boys had fever and were told of it.",
        "text ~ a ~ b ~ c and ends here.",
        "text 3 girls had none as all know by now.",
        "text ~ a ~ b ~ c and ends here.",
    ),
    "four numbers count no lines": (
        "text ~ ~ ~ ~ ~ ~",
        "footnote 1 2 3 4",
    ),
    "numbers that count all lines": (
        "text ~ ~ ~ ~ ~ ~",
        "line numbers 6",
    ),
    "numbers in no order": (
        "text ~ ~ ~ ~ ~ ~",
        "footnote 3 3 3 3 3 3",
    ),
    "numbers near the text": (
        "text ~ ~ ~ ~ ~ ~",
        "footnote 1 2 3 4 5 6",
    ),
    "marks beside the numbers of lines": (
        "text ~ ~ ~ ~ ~ ~",
        "footnote * * * * * *",
        "line numbers 6",
    ),
    "large first letters": (
        "text They told of him and of his mother, who ~ c and ends here.",
        "text A boy was told of by all",
        "text Bboy was told of by all",
        "text That is one line alone.",
        "text hey stand far off",
        "text T and so on",
    ),
    "cells below each other": (
        "table Day | CRP | Hb\n1 | 120 | 9\n2 | 80 | 11",
        "text ~ a ~ b and ends.",
    ),
    "cells that end or are centred at the same place": (
        "table Day | 12345 | x\none | 67 | y",
        "table Day | 12345\none | 6",
        "text far off",
    ),
    "cells of two pages are no table": ("text ~ a day two one ten ~ b",),
    "wide blanks are no cells": ("text Alone it stands in a line and so it ends",),
    "raised and lowered": ("text x 10^9 /l of CO2 here and soon.",),
    "headings by what they look like": (
        "heading Case report",
        "text ~ a ~ b ~ c and ends here.",
        "heading OUTCOME",
        "text ~ d ~ e it ends.",
        "heading In red",
        "text ~ f ~ g it ends.",
        "heading 2.1 Numbered one",
        "text ~ h ~ i it ends.",
        "text 2.2 Numbered two.",
        "text ~ j ~ k it ends.",
        "text lower in bold",
        "text ~ l ~ m it ends.",
        "text CRP 120, 130 and 90",
        "text ~ n it ends.",
        "text 3. A b c d e f g h i j k lmn",
        "text ~ o it ends.",
    ),
    "bold lines that are none": (
        "text Bold before a comma,",
        "text ~ a ~ b ~ c and ends here.",
        "text A B",
        "text ~ d ~ e it ends.",
        "text",
        "text ~ f ~ g it ends.",
        "text One of a b c d e f g h i j k l m.",
        "text ~ h it ends.",
    ),
    "small bold headings stand over text": (
        "heading Small heading",
        "text ~ a ~ b ~ c and ends here.",
        "text small lower",
        "text ~ d ~ e it ends.",
        "text Small plain",
        "text ~ f it ends.",
        "text Small and far",
        "text ~ g it ends.",
    ),
    "words that begin a paragraph": (
        "heading Patient 3.",
        "text A man was well ~ a it ends.",
        "heading History:",
        "text he was well ~ b it ends.",
        "heading Outcome",
        "text He was well ~ c it ends.",
        "text Outcome He was well ~ d it ends.",
        "caption Figure 1. He was well ~ e it ends.",
        "heading Course.",
        "text He was well ~ f it ends.",
        "text lower. He was well ~ g it ends.",
        "heading Months of the boy who swam in the sea and fell ill.",
        "text He was well ~ h it ends.",
        "text Figure 1 shows him. He was well ~ i it ends.",
        "text Outcome he was well ~ j it ends.",
    ),
    "captions": (
        "text ~ a ~ b ~ c and ends here.",
        "text Table 1 shows what he was given ~ d it ends.",
        "caption Table 2. What he was given",
        "text ~ e it ends.",
        "caption Figure 3 What he was given",
        "text ~ f it ends.",
        "caption Table 4 What he was given",
        "text ~ g it ends.",
    ),
    "notes at the foot": (
        "text ~ a ~ b ~ c and ends here.",
        "text No mark.",
        "text One line alone.",
        "text * Seen in a pool.",
        "text ~ a ~ b ~ c and ends here.",
        "text No mark.",
        "text ~ a ~ b",
        "heading Usual",
        "text * Below a heading.",
        "footnote * Seen in a pool.",
        "footnote 1 Seen at sea.",
        "footnote † Seen at sea.",
    ),
    "a sentence goes on over a page": (
        "text ~ a ~ b ~ c and ends there. Then ~ d it ends.",
        "text A new one begins ~ e ~ f And more of it.",
        "caption Table 1. Between",
    ),
    "two columns": (
        "heading A line that goes across both of the columns there are",
        "text l0 l1 l2 l3 l4 l5 l6 l7 r0 r1 r2 r3 r4 r5 r6 r7 "
        "Across it goes from the left to the right, and so it ends.",
        "text d0 d1 d2 d3 d4 d5 d6 u0 u1 u2 u3 u4 u5 u6",
        "columns 2",
    ),
    "three columns": (
        "text l0 l1 l2 l3 l4 l5 l6 l7 m0 m1 m2 m3 m4 m5 m6 m7 r0 r1 r2 r3 r4 r5 r6 r7",
        "columns 3",
    ),
    "what hangs in the middle one of three columns begins no column": (
        f"text {' '.join(f'{name}{n}' for name in 'lmr' for n in range(14))}",
        "columns 3",
    ),
    "five lines beside each other are no columns": ("table l0 | r0\nl1 | r1\nl2 | r2\nl3 | r3\nl4 | r4",),
    "a page with little text has the columns of the one before": (
        "text l0 l1 l2 l3 l4 l5 l6 l7 r0 r1 r2 r3 r4 r5 r6 r7 left lines of page two right lines of page two",
        "columns 2",
    ),
    "a page with little text has the columns of the one behind": (
        "text left lines of page one right lines of page one l0 l1 l2 l3 l4 l5 l6 l7 r0 r1 r2 r3 r4 r5 r6 r7",
        "columns 2",
    ),
    "a page of three columns lacks lines in one": (
        "text l0 l1 l2 l3 l4 l5 l6 l7 m0 m1 m2 m3 m4 m5 m6 m7 r0 r1 r2 r3 r4 r5 r6 r7 "
        "l0 l1 l2 l3 l4 l5 l6 l7 m0 m1 r0 r1 l0 l1 l2 l3 l4 l5 l6 l7 m0 m1 r0 r1 r2 r3 r4 r5 r6 r7",
        "columns 3",
    ),
    "a name within a line high above begins no column": (
        "text By somebody who has the name of all of his^1 and by somebody who has another name "
        + " ".join(f"~ from the left to the right and on it goes, and a{n}" for n in range(9))
        + " l0 l1 l2 l3 l4 l5 l6 l7 r0 r1 r2 r3 r4 r5 r6 r7",
        "columns 2",
    ),
    "a box hangs in from the column beside it": (
        "text l0 l1 l2 l3 l4 l5 l6",
        "text " + " ".join(f"u{n} and there on" for n in range(7)) + " r0 r1 r2 r3 r4 r5 r6",
        "text * first point of all and its other words",
        "columns 2",
    ),
    "what ends a paragraph and what does not": (
        "text A short name of a house ~ a ~ b it ends.",
        "text Short, it ends.",
        "text ~ c and ends.",
        "text ~ d Upper case goes on ~ e",
        "text Indented it begins and goes on ~ f ~ g farther down it goes on ~ h it ends.",
        "text 1. ~ i hangs below its number",
        "text Outside it stands.",
        "text ~ j ~ k",
        "text Indented it ~ l it ends.",
    ),
    "a line in capitals or red within a paragraph": (
        "text ~ a ~ b THIS SENTENCE GOES ON OVER THE LINE ~ c it ends.",
        "text ~ d it had CRP and",
        "heading CRP",
        "text ~ e it ends.",
        "text ~ f ~ g and Red but within",
        "text ~ h it ends.",
        "text MRI ~ i it ends.",
    ),
    "a table and small print do not end a sentence": (
        "text ~ a ~ b ~ c which goes on ~ d ~ e and goes on.",
        "table day | two\none | ten",
        "text small print.",
        "text ~ f it ends.",
        "heading Heading",
        "text below it.",
    ),
    "references in smaller print are more than the report": (
        "text ~ a ~ b it ends.",
        "footnote 0. Somebody. A long title of a paper.",
        "footnote 1. Somebody. A long title of a paper.",
        "footnote 2. Somebody. A long title of a paper.",
        "footnote 3. Somebody. A long title of a paper.",
        "footnote 4. Somebody. A long title of a paper.",
        "footnote 5. Somebody. A long title of a paper.",
    ),
    "more small print than text on a page makes the text no heading": (
        "text ~ a ~ b ~ c and ends here.",
        "text ~ a ~ b it ends.",
        "text He was well",
        "text ~ a ~ b it ends.",
        "text ~ ~. ~ ~. ~ ~. ~ ~. ~ ~. ~ ~.",
    ),
    "a title of two lines goes across": (
        "heading A boy with fever after a swim in the sea that was very rare",
        "text l0 l1 l2 l3 l4 l5 l6 l7 r0 r1 r2 r3 r4 r5 r6 r7",
        "columns 2",
    ),
    "large first signs that are none": (
        "text boys were told",
        "heading 7of it.",
        "text ~ a ~ b it ends.",
        "text boys were told",
        "heading Ofof it.",
        "text ~ a ~ b it ends.",
        "text boys were told",
        "heading Tof it.",
        "text ~ a ~ b it ends.",
        "heading T^boys were told",
        "text of it.",
        "text ~ a ~ b it ends.",
    ),
    "small capitals": (
        "heading DISCUSSION",
        "text ~ a it ends.",
        "heading Results of all of them",
        "text ~ b it ends.",
        "text Hbawas low.",
        "text ~ c it ends.",
        "text DISCUSSION",
        "text * far below in small print.",
        "text ~ d it ends.",
        "text TNFAB was high in all of the boys.",
    ),
    "a table that is too wide lies over the next column": (
        "text l0 l1 l2 l3 l4 l5 l6 l7",
        "heading Counts",
        "table a | b | c | d\na | b | c | d\na | b | c | d",
        "heading Values",
        "text d0 d1 d2 d3 d4 d5 d6 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 u0 u1 u2 u3 u4 u5 u6",
        "columns 2",
    ),
    "headings in a smaller font of their own": (
        "heading Case report",
        "heading 2. Slanted",
        "text ~ a ~ b ~ c and ends here.",
        "heading In red",
        "text ~ d it ends.",
        "text small print",
        "text Note of it",
        "text ~ e it ends.",
        "text Too small",
        "text ~ f it ends.",
        "text Ends so.",
        "text ~ g it ends.",
    ),
    "notes over a figure at the foot, each with its mark": (
        "text ~ a ~ b ~ c and ends here.",
        "caption Figure 1. A pool.",
        "footnote ^1Seen in a pool",
        "footnote ^2Seen at sea.",
    ),
    "a note over a table at the foot": (
        "text ~ a ~ b ~ c and ends here.",
        "caption Table 1. What he was given",
        "table Iron | Zinc\nIron | Zinc",
        "footnote * Seen in a pool.",
    ),
    "lines of two long words are no table": (
        "text ~a ~b p.F20S(c.T59C), EPHA3 p.A389V(c.C1166T), FGFR2 ~c it ends.",
    ),
    "what is short beside a table that lies over it is none of its cells": (
        "text l0 l1 l2 l3 l4 l5 l6 l7 short one.",
        "table " + "\n".join(3 * ["aaaaaaaa | bbbbbbbb | cccccccc"]),
        "text aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd",
        "text d0 d1 d2 d3 d4 d5 d6 r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 of an ill man who told all "
        "s t u0 u1 u2 u3 u4 u5 u6",
        "text dddddddd dddddddd dddddddd",
        "columns 2",
    ),
    "a heading over a list and a number at the edge of a column": (
        "text l0 l1 l2 l3 l4 l5 l6 l7 x 10^9/l and last.",
        "heading Points of note",
        "text r0 r1 r2 r3 r4 r5 r6 r7 r8",
        "footnote 3",
        "columns 2",
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_where_words_stand_says_what_they_are(layout: str) -> None:
    assert told(*LAYOUTS[layout]) == [*READ[layout]]
