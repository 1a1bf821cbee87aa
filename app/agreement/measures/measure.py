"""The measures: their keys, names, scales, and what each number means in words."""

from __future__ import annotations

from dataclasses import dataclass

from app.agreement.types import Profile


@dataclass(frozen=True, slots=True)
class Measure:
    """`top` is the best possible score (100 or 1); for an error, in percent, the worst.

    `short` heads a narrow column. `paper` and `strict` say in words how a profile arrives at the number;
    `strict` is empty where both do the same, `paper` where that profile does not have it.
    """

    key: str
    name: str
    short: str
    top: float
    decimals: int
    paper: str
    strict: str = ""
    error: bool = False

    def explanation(self, profile: Profile) -> str:
        """The sentence that says how `profile` computes this measure."""
        return self.strict if profile == "strict" and self.strict else self.paper

    def range_text(self, interval: tuple[float, float] | None) -> str:
        """An interval to one decimal less than the score, "" where there is none."""
        return "–".join(f"{bound:.{self.decimals - 1}f}" for bound in interval or ())

    def text(self, value: float | None) -> str:
        """The value as shown everywhere, a dash where it is undefined."""
        return "–" if value is None else f"{value:.{self.decimals}f}"


_ONE_TO_ONE = (
    "quotes are paired one to one in the best possible way, and twice the sum over the pairs is "
    "divided by the number of quotes on both sides. Pairs of report and category that are empty "
    "on both sides are left out."
)
_EMPTY_LEFT_OUT = (
    "As in the paper profile, but pairs of report and category that are empty on both sides are left out."
)

MEASURES: tuple[Measure, ...] = (
    Measure(
        key="tsr",
        name="Token set ratio",
        short="TSR",
        top=100,
        decimals=2,
        paper="For every quote on the left, its closest quote on the right by shared words, 0 to 100, "
        "averaged over the left's quotes. Both sides empty counts 100, one side empty 0. What only "
        "the right found costs nothing as long as the left found something.",
        strict=f"By shared words, 0 to 100: {_ONE_TO_ONE}",
    ),
    Measure(
        key="levenshtein",
        name="Levenshtein similarity",
        short="Lev",
        top=1,
        decimals=3,
        paper="For every quote on the left, its closest quote on the right by 1 minus edit distance over the "
        "longer length, capitals told apart, averaged over the left's quotes. Both sides empty counts 1, one "
        "side empty 0.",
        strict=f"By 1 minus edit distance over the longer length: {_ONE_TO_ONE}",
    ),
    Measure(
        key="exact_match",
        name="Exact match",
        short="Exact",
        top=1,
        decimals=3,
        paper="1 where both lists of quotes are equal, order and all, otherwise 0. Both sides empty counts "
        "1.",
        strict=f"By equality, letter by letter: {_ONE_TO_ONE}",
    ),
    Measure(
        key="bleu_1",
        name="BLEU-1",
        short="BLEU1",
        top=1,
        decimals=3,
        paper="Share of the left's words that the right has too, less a penalty where the left is shorter. "
        "The quotes of a side are joined; lower case, no punctuation. Both sides empty counts 1, one "
        "side empty 0.",
        strict=_EMPTY_LEFT_OUT,
    ),
    Measure(
        key="bleu_4",
        name="BLEU-4",
        short="BLEU4",
        top=1,
        decimals=3,
        paper="As BLEU-1, over runs of one to four words. A run length without any match is smoothed "
        "exponentially; run lengths that a short text cannot have are not counted.",
        strict=_EMPTY_LEFT_OUT,
    ),
    Measure(
        key="rouge_l",
        name="ROUGE-L",
        short="ROUGE",
        top=1,
        decimals=3,
        paper="The longest sequence of words that both sides have in the same order, gaps allowed: twice "
        "its length over the words of both sides. The quotes of a side are joined; lower case, no "
        "punctuation. Both sides empty counts 1, one side empty 0.",
        strict=_EMPTY_LEFT_OUT,
    ),
    Measure(
        key="omission",
        name="Omission",
        short="Omit%",
        top=100,
        decimals=1,
        error=True,
        paper="Of the reports in which the right found something, the percentage in which the left found "
        "nothing.",
    ),
    Measure(
        key="hallucination",
        name="Hallucination",
        short="Hall%",
        top=100,
        decimals=1,
        error=True,
        paper="Of the reports in which the right found nothing, the percentage in which the left found "
        "something.",
    ),
    Measure(
        key="span_f1",
        name="Span F1, exact",
        short="Span",
        top=1,
        decimals=3,
        paper="Quotes of both sides with the same first and last character, one to one: twice their number "
        "over the quotes of both sides, all reports together. A quote without a place in the text "
        "matches nothing.",
    ),
    Measure(
        key="span_f1_overlap",
        name="Span F1, overlap",
        short="Span~",
        top=1,
        decimals=3,
        paper="As exact span F1, but two quotes match where the characters they share are at least the "
        "stated part of all the characters they cover.",
    ),
    Measure(
        key="precision",
        name="Precision",
        short="Prec",
        top=1,
        decimals=3,
        paper="",
        strict="Quotes are paired one to one so that the sum of their similarities (Indel, lower case, no "
        "punctuation) is greatest: that sum over the left's quotes, all reports together.",
    ),
    Measure(
        key="recall",
        name="Recall",
        short="Rec",
        top=1,
        decimals=3,
        paper="",
        strict="The same sum over the right's quotes, all reports together.",
    ),
    Measure(
        key="f1",
        name="F1",
        short="F1",
        top=1,
        decimals=3,
        paper="",
        strict="Twice the same sum over the quotes of both sides, all reports together.",
    ),
)

BY_KEY: dict[str, Measure] = {measure.key: measure for measure in MEASURES}


def measures_of(profile: Profile) -> tuple[Measure, ...]:
    """The measures a profile has: precision, recall and F1 over items belong to `strict` alone."""
    return tuple(measure for measure in MEASURES if measure.explanation(profile))
