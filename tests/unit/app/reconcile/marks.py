"""Quotes of two sides in one text, for the tests of this room."""

from __future__ import annotations

from itertools import count

from app.reconcile.alignment import differences
from app.reconcile.queue import ComparedReport
from app.reconcile.types import Difference, SideQuote
from extractors.model.finding import Finding, Polarity

TEXT = "She denied fever. The liver was enlarged 😀 and the spleen was not palpable. Later, fever came."
CATEGORIES = ("Neuro", "GI", "DERM", "LYMPH")
_numbers = count()


def mark(
    quote: str, category: str = "GI", polarity: Polarity = "present", field: str = "", *, nth: int = 0
) -> SideQuote:
    """A quote at its `nth` place in TEXT, without a place where it is not there."""
    start = -1
    for _ in range(nth + 1):
        start = TEXT.find(quote, start + 1)
    if start < 0:
        finding = Finding(category, quote, None, None, field, polarity, "ungrounded", "Not found.")
    else:
        finding = Finding(category, quote, start, start + len(quote), field, polarity)
    return SideQuote(f"mark-{next(_numbers)}", finding)


def compared(
    left: list[SideQuote], right: list[SideQuote], *, key: str = "R1", tsr: dict[str, float] | None = None
) -> ComparedReport:
    """A report in which both looked at all CATEGORIES; the token set ratios are given, 100 by default."""
    agreed, found = differences(key, f"uuid-{key}", ("ana", "ben"), left, right)
    return ComparedReport(
        key,
        f"uuid-{key}",
        f"Report {key}",
        {category: (tsr or {}).get(category, 100.0) for category in CATEGORIES},
        _by_category(left),
        _by_category(right),
        tuple(agreed),
        tuple(found),
    )


def only(left: list[SideQuote], right: list[SideQuote], key: str = "R1") -> Difference:
    """The one difference of two sides."""
    (found,) = compared(left, right, key=key).differences
    return found


def _by_category(marks: list[SideQuote]) -> dict[str, tuple[SideQuote, ...]]:
    return {
        category: tuple(one for one in marks if one.finding.category == category) for category in CATEGORIES
    }
