"""How much each annotator marked: the share of reports with something in a category, and how many words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement.likeness.pairs import words
from app.agreement.types import Item

Looked = Mapping[str, tuple[Item, ...]]


@dataclass(frozen=True, slots=True)
class CategoryShare:
    """One annotator in one category.

    Of `looked_at` reports `found` have at least one quote; `words` is the mean number of annotated words of
    these reports, None where there are none. Words of quotes that overlap count for each of them.
    """

    looked_at: int
    found: int
    words: float | None

    @property
    def share(self) -> float | None:
        """Percentage of the reports looked at that have a quote, None where none was looked at."""
        return 100 * self.found / self.looked_at if self.looked_at else None


@dataclass(frozen=True, slots=True)
class AnnotatedShares:
    """One annotator: shares by category id, the reports looked at, and the mean annotated words of these."""

    name: str
    reports: int
    words: float | None
    categories: Mapping[str, CategoryShare]


def annotated_shares(name: str, reports: Sequence[Looked], categories: Sequence[str]) -> AnnotatedShares:
    """What an annotator marked; `reports` are quotes by category looked at, one mapping per report."""
    counts = [
        {category: _words(found) for category, found in report.items() if category in categories}
        for report in reports
    ]
    counts = [report for report in counts if report]
    total = sum(sum(filter(None, report.values())) for report in counts)
    return AnnotatedShares(
        name=name,
        reports=len(counts),
        words=total / len(counts) if counts else None,
        categories={
            category: _share([report[category] for report in counts if category in report])
            for category in categories
        },
    )


def _words(found: Sequence[Item]) -> int | None:
    """Words of the quotes of one report in one category, None where it has no quote."""
    return sum(len(words(item.quote)) for item in found) if found else None


def _share(counts: Sequence[int | None]) -> CategoryShare:
    marked = [number for number in counts if number is not None]
    return CategoryShare(len(counts), len(marked), sum(marked) / len(marked) if marked else None)
