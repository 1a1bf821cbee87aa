"""Measures of the quotes' words: a score for each report, or a sum over its quotes."""

from __future__ import annotations

from app.agreement.comparison import Comparison
from app.agreement.measures.measure import BOTH, PAPER, TABLES, Measure, Vector

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


TOKEN_SET_RATIO = Measure(
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
LEVENSHTEIN = Measure(
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
EXACT_MATCH = Measure(
    key="exact_match",
    name="Exact match",
    heading=("Exact", "match"),
    paper="1 where both lists of quotes are equal, order and all, otherwise 0. Both sides empty counts 1.",
    strict=f"By equality, letter by letter: {ONE_TO_ONE}",
    contribution=lambda cell: per_report(cell, cell.likeness.equal),
    shown_in={**TABLES, "page": BOTH, "interval": BOTH, "pairs": PAPER, "grid": PAPER},
)
BLEU_1 = Measure(
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
BLEU_4 = Measure(
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
ROUGE_L = Measure(
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
