"""Tables for the agreement tests: a large one of the dataset's shape and a way to write small ones."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from app.agreement.types import Item, ReportPair

Quotes = Mapping[str, Sequence[str]]

# Category -> (share of reports with content in percent, words where there are any), as in the dataset.
SHAPE = {
    "Vitals_Hema": (59.42, 81),
    "Neuro": (68.84, 104),
    "EENT": (49.28, 85),
    "CVS": (35.51, 84),
    "RESP": (17.39, 55),
    "GI": (45.65, 37),
    "GU": (41.3, 87),
    "MSK": (47.83, 83),
    "DERM": (49.28, 111),
    "Lab_Image": (98.55, 271),
    "LYMPH": (1.45, 48),
    "History": (98.55, 205),
    "ENDO": (28.99, 92),
    "Pregnancy": (31.16, 144),
}


def side(seed: int, reports: int) -> list[dict[str, list[str]]]:
    """One annotator's quotes; sides of other seeds keep and change other words of the same reports."""
    chance = random.Random(seed)
    vocabulary = [f"w{number:03d}" for number in range(600)]
    rows = []
    for report in range(reports):
        content = random.Random(report)
        row: dict[str, list[str]] = {}
        for category, (coverage, length) in SHAPE.items():
            if content.random() * 100 > coverage:
                row[category] = []
                continue
            text = [content.choice(vocabulary) for _ in range(length)]
            kept = [word for word in text if chance.random() > 0.15]
            kept += [chance.choice(vocabulary) for _ in range(length // 10)]
            step = max(1, len(kept) // max(1, length // 25))
            row[category] = [" ".join(kept[at : at + step]) for at in range(0, len(kept), step)]
        rows.append(row)
    return rows


def items(quotes: Sequence[str]) -> tuple[Item, ...]:
    return tuple(Item(quote) for quote in quotes)


def pair(left: Quotes, right: Quotes, key: str = "1", title: str = "A report") -> ReportPair:
    """A report pair of quotes without places."""
    return ReportPair(
        key,
        title,
        {category: items(quotes) for category, quotes in left.items()},
        {category: items(quotes) for category, quotes in right.items()},
    )


def large_table(reports: int = 138) -> list[ReportPair]:
    """Two sides of the dataset's shape: 138 reports, 14 categories, several quotes of about 25 words each."""
    return [
        pair(left, right, str(number))
        for number, (left, right) in enumerate(zip(side(1, reports), side(2, reports), strict=True))
    ]
