"""Measures of quotes: their words, how many are found, where they stand, and where a side is silent."""

from __future__ import annotations

from collections.abc import Sequence

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, STRICT, TABLES, Measure, Vector, found_nothing
from app.agreement.spans import exact_matches, overlap_matches
from app.agreement.types import Cell


def _no_left(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.right for cell in cells):
        return f"{left} found nothing in any report."
    return found_nothing(cells, left, right)


def _no_right(cells: Sequence[Cell], left: str, right: str) -> str:
    if any(cell.left for cell in cells):
        return f"{right} found nothing in any report."
    return found_nothing(cells, left, right)


PRECISION: Measure = Measure(
    key="precision",
    name="Precision",
    heading=("Preci-", "sion"),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: that sum over the left's quotes, all reports together.",
    contribution=lambda cell: (cell.likeness.items, float(len(cell.left))),
    reason=_no_left,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)
RECALL: Measure = Measure(
    key="recall",
    name="Recall",
    heading=("Recall",),
    paper="",
    strict="The same sum over the right's quotes, all reports together.",
    contribution=lambda cell: (cell.likeness.items, float(len(cell.right))),
    reason=_no_right,
    shown_in={**TABLES, "page": STRICT, "pairs": STRICT},
)
F1: Measure = Measure(
    key="f1",
    name="F1",
    heading=("F1",),
    paper="",
    strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
    "punctuation) is greatest: twice that sum over the quotes of both sides, all reports together.",
    contribution=lambda cell: (2 * cell.likeness.items, float(len(cell.left) + len(cell.right))),
    leads="strict",
    caption="Every quote counts, found or missed; agreed silence is left out.",
    shown_in={
        **TABLES,
        "page": STRICT,
        "interval": STRICT,
        "figure": STRICT,
        "pairs": STRICT,
        "grid": STRICT,
        "contrast": STRICT,
    },
)


ONE_TO_ONE = (
    "quotes are paired one to one in the best possible way, and twice the sum over the pairs is "
    "divided by the number of quotes on both sides. Pairs of report and category that are empty "
    "on both sides are left out."
)
EMPTY_LEFT_OUT = (
    "As in the paper profile, but pairs of report and category that are empty on both sides are left out."
)


def per_report(cell: Comparison, score: float, top: float = 1.0) -> Vector:
    """A report's score: 0 for a miss; for agreed silence full marks, or nothing at all."""
    if cell.silent:
        return (top, 1.0) if cell.profile == "paper" else (0.0, 0.0)
    return (score, 1.0) if cell.full else (0.0, 1.0)


TOKEN_SET_RATIO: Measure = Measure(
    key="tsr",
    name="Token set ratio",
    heading=("Token set", "ratio"),
    top=100,
    decimals=2,
    paper="For every quote on the left, its closest quote on the right by shared words, 0 to 100, "
    "averaged over the left's quotes. Both sides empty counts 100, one side empty 0. What only "
    "the right found costs nothing as long as the left found something.",
    strict=f"By shared words, 0 to 100: {ONE_TO_ONE}",
    contribution=lambda cell: per_report(cell, cell.likeness.words, 100.0),
    leads="paper",
    caption="Generous: a long quote that holds the right words scores 100, and agreed silence counts as full "
    "marks.",
    shown_in={
        **TABLES,
        "page": BOTH,
        "interval": BOTH,
        "figure": PAPER,
        "pairs": BOTH,
        "grid": PAPER,
        "contrast": PAPER,
    },
)
LEVENSHTEIN: Measure = Measure(
    key="levenshtein",
    name="Levenshtein similarity",
    heading=("Leven-", "shtein"),
    paper="For every quote on the left, its closest quote on the right by 1 minus edit distance over the "
    "longer length, capitals told apart, averaged over the left's quotes. Both sides empty counts 1, one "
    "side empty 0.",
    strict=f"By 1 minus edit distance over the longer length: {ONE_TO_ONE}",
    contribution=lambda cell: per_report(cell, cell.likeness.letters),
    shown_in={**TABLES, "page": BOTH, "interval": BOTH, "pairs": BOTH, "grid": PAPER},
)
EXACT_MATCH: Measure = Measure(
    key="exact_match",
    name="Exact match",
    heading=("Exact", "match"),
    paper="1 where both lists of quotes are equal, order and all, otherwise 0. Both sides empty counts 1.",
    strict=f"By equality, letter by letter: {ONE_TO_ONE}",
    contribution=lambda cell: per_report(cell, cell.likeness.equal),
    shown_in={**TABLES, "page": BOTH, "interval": BOTH, "pairs": PAPER, "grid": PAPER},
)
BLEU_1: Measure = Measure(
    key="bleu_1",
    name="BLEU-1",
    heading=("BLEU-1",),
    paper="Share of the left's words that the right has too, less a penalty where the left is shorter. "
    "The quotes of a side are joined; lower case, no punctuation. Both sides empty counts 1, one "
    "side empty 0.",
    strict=EMPTY_LEFT_OUT,
    contribution=lambda cell: per_report(cell, cell.joined.bleu_1 if cell.full else 0.0),
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)
BLEU_4: Measure = Measure(
    key="bleu_4",
    name="BLEU-4",
    heading=("BLEU-4",),
    paper="As BLEU-1, over runs of one to four words. A run length without any match is smoothed "
    "exponentially; run lengths that a short text cannot have are not counted.",
    strict=EMPTY_LEFT_OUT,
    contribution=lambda cell: per_report(cell, cell.joined.bleu_4 if cell.full else 0.0),
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)
ROUGE_L: Measure = Measure(
    key="rouge_l",
    name="ROUGE-L",
    heading=("ROUGE-L",),
    paper="The longest sequence of words that both sides have in the same order, gaps allowed: twice "
    "its length over the words of both sides. The quotes of a side are joined; lower case, no "
    "punctuation. Both sides empty counts 1, one side empty 0.",
    strict=EMPTY_LEFT_OUT,
    contribution=lambda cell: per_report(cell, cell.joined.rouge_l if cell.full else 0.0),
    slow=True,
    shown_in={**TABLES, "page": BOTH, "grid": PAPER},
)


def _found_everywhere(cells: Sequence[Cell], left: str, right: str) -> str:
    return f"{right} found something in every report, so there was none in which to find too much."


OMISSION: Measure = Measure(
    key="omission",
    name="Omission",
    heading=("Omission",),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found something, the percentage in which the left found "
    "nothing.",
    contribution=lambda cell: (100.0 * bool(cell.right and not cell.left), float(bool(cell.right))),
    reason=lambda _, left, right: f"{right} found nothing in any report, so there was nothing to omit.",
    caption="Of the reports with something to find in a category, the part where the left found nothing.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": PAPER, "grid": PAPER},
)
HALLUCINATION: Measure = Measure(
    key="hallucination",
    name="Hallucination",
    heading=("Hallu-", "cination"),
    top=100,
    decimals=1,
    error=True,
    paper="Of the reports in which the right found nothing, the percentage in which the left found "
    "something.",
    contribution=lambda cell: (100.0 * bool(cell.left and not cell.right), float(not cell.right)),
    reason=_found_everywhere,
    shown_in={**TABLES, "page": PAPER, "pairs": PAPER, "grid": PAPER},
)


def _of_both(cell: Comparison, matches: int) -> Vector:
    return 2.0 * matches, float(len(cell.left) + len(cell.right))


SPAN_F1: Measure = Measure(
    key="span_f1",
    name="Span F1, exact",
    heading=("Exact", "span"),
    paper="Quotes of both sides with the same first and last character, one to one: twice their number "
    "over the quotes of both sides, all reports together. A quote without a place in the text "
    "matches nothing.",
    contribution=lambda cell: _of_both(cell, exact_matches(cell.left, cell.right)),
    places=True,
    shown_in={**TABLES, "page": PAPER, "interval": BOTH, "pairs": BOTH, "contrast": PAPER},
)
SPAN_F1_OVERLAP: Measure = Measure(
    key="span_f1_overlap",
    name="Span F1, overlap",
    heading=("Overlap", "span"),
    paper="As exact span F1, but two quotes match where the characters they share are at least the "
    "stated part of all the characters they cover.",
    contribution=lambda cell: _of_both(cell, overlap_matches(cell.left, cell.right, cell.overlap)),
    places=True,
    caption="Spans that share at least {overlap:.0f} % of what they cover.",
    note="Overlapping spans have an overlap of {overlap:.0f}% or more of the text that they cover.",
    shown_in={**TABLES, "page": PAPER, "figure": STRICT, "pairs": BOTH, "chart": BOTH},
)
