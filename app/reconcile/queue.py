"""The work list of reconciliation: pairs of report and category far apart, then single differences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.reconcile.alike import likeness
from app.reconcile.types import Difference, Group, Relation, SideQuote

BELOW = 30.0
ItemKind: TypeAlias = Relation | Literal["pair"]
Order: TypeAlias = Literal["worst", "frequent"]
ORDERS: tuple[Order, ...] = ("worst", "frequent")


@dataclass(frozen=True, slots=True)
class ComparedReport:
    """One report as both sides see it, in the categories that both looked at.

    `key` and `document` (UUID) name it; `tsr` is the paper's token set ratio, 0-100, by category, empty where
    nobody asked. Where no difference is left in a category, both agree there.
    """

    key: str
    document: str
    title: str
    tsr: Mapping[str, float]
    left: Mapping[str, tuple[SideQuote, ...]]
    right: Mapping[str, tuple[SideQuote, ...]]
    agreed: tuple[Group, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class QueueItem:
    """What is to be decided: one difference, or all that touch one category of one report ("pair").

    `id` is the difference's, or REPORT/CATEGORY for a pair. `tsr` is that of report and category (the lowest
    where several are touched). `left` and `right` are the quotes in question; of a pair, all there are.
    """

    id: str
    kind: ItemKind
    report: str
    title: str
    category: str
    tsr: float
    left: tuple[SideQuote, ...]
    right: tuple[SideQuote, ...]
    differences: tuple[Difference, ...]


def build_queue(
    reports: Sequence[ComparedReport], below: float = BELOW, order: Order = "worst"
) -> list[QueueItem]:
    """Every difference in at least one item, what both sides agree on in none as a difference.

    Pairs of report and category with a token set ratio under `below` come first, the worst first, among
    equals those with more to decide; a difference of two categories may stand in both their pairs. Then come
    the other differences one by one: the worst first, or those first whose kind is the most "frequent" in the
    whole queue (see `likeness`), the pairs in between by their most frequent one.
    """
    pairs, single = [], []
    for report in reports:
        in_pairs: set[str] = set()
        touching: dict[str, list[Difference]] = defaultdict(list)
        for one in report.differences:
            for category in one.group.categories:
                touching[category].append(one)
        for category, tsr in report.tsr.items():
            if tsr < below and touching[category]:
                in_pairs |= {one.id for one in touching[category]}
                pairs.append(_pair(report, category, tsr, tuple(touching[category])))
        single += [_single(report, one) for one in report.differences if one.id not in in_pairs]
    items = [*sorted(pairs, key=_distance), *sorted(single, key=lambda item: item.tsr)]
    return items if order == "worst" else _frequent_first(items, reports)


def _distance(item: QueueItem) -> tuple[float, int]:
    return item.tsr, -len(item.differences)


def _frequent_first(items: list[QueueItem], reports: Sequence[ComparedReport]) -> list[QueueItem]:
    often = Counter(likeness(one) for report in reports for one in report.differences)
    # Sorted by kind of likeness as well, so that equally frequent ones do not mix.

    def rank(item: QueueItem) -> tuple[int, str]:
        return max((often[like], repr(like)) for like in map(likeness, item.differences))

    return sorted(items, key=rank, reverse=True)


def _pair(
    report: ComparedReport, category: str, tsr: float, differences: tuple[Difference, ...]
) -> QueueItem:
    return QueueItem(
        id=f"{report.key}/{category}",
        kind="pair",
        report=report.key,
        title=report.title,
        category=category,
        tsr=tsr,
        left=report.left[category],
        right=report.right[category],
        differences=differences,
    )


def _single(report: ComparedReport, difference: Difference) -> QueueItem:
    return QueueItem(
        id=difference.id,
        kind=difference.kind,
        report=report.key,
        title=report.title,
        category=difference.category,
        tsr=min(report.tsr[category] for category in difference.group.categories),
        left=difference.left,
        right=difference.right,
        differences=(difference,),
    )
