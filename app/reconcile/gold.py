"""What the gold set says of a report: what both sides say, and what was decided where they differ."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.reconcile.choices import as_text_has_it, concepts_after, each_code_once
from app.reconcile.queue import ComparedReport
from app.reconcile.types import Group, finding_content
from extractors.model.coding import Coding
from extractors.model.finding import Finding


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision that holds: its UUID, which of CHOICES was taken, and the findings that hold then."""

    uuid: str
    choice: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """One quote of the gold set and what it stands for; `ruling` is None where both sides agreed on it.

    `origin` is "edited" where the adjudicator made a span that no side had.
    """

    finding: Finding
    origin: Literal["accepted", "edited"]
    ruling: Ruling | None
    concepts: tuple[Coding, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldReport:
    """The gold set of one report, by category and place.

    `complete` are the categories both sides looked at and in which nothing is undecided. `fields_differ`
    counts agreed quotes to which the sides give different fields: the left's is taken.
    """

    document: str
    spans: tuple[GoldSpan, ...]
    complete: tuple[str, ...]
    agreed: int
    decided: int
    undecided: int
    fields_differ: int


def plan_gold(report: ComparedReport, rulings: Mapping[str, Ruling], text: str) -> GoldReport:
    """Agreed quotes as the report's `text` has them, and the findings of `rulings` (by difference).

    A quote that comes twice, agreed and decided or by two decisions, stands once, the agreed before the
    decided. What is undecided leaves nothing in the gold set.
    """
    spans = [
        GoldSpan(_agreed(group, text), "accepted", None, each_code_once(group.quotes))
        for group in report.agreed
    ]
    agreed = len(spans)
    open_ones = [one for one in report.differences if one.id not in rulings]
    for one in report.differences:
        ruling = rulings.get(one.id)
        if ruling is not None:
            made = ruling.choice in ("merged", "edited")
            spans += [
                GoldSpan(
                    finding,
                    "edited" if made else "accepted",
                    ruling,
                    concepts_after(one, ruling.choice, finding),
                )
                for finding in as_text_has_it(ruling.findings, text)
            ]
    undecided_in = {category for one in open_ones for category in one.group.categories}
    return GoldReport(
        document=report.document,
        spans=_each_once(spans),
        complete=tuple(category for category in report.left if category not in undecided_in),
        agreed=agreed,
        decided=len(report.differences) - len(open_ones),
        undecided=len(open_ones),
        fields_differ=sum(_fields_differ(group) for group in report.agreed),
    )


def _agreed(group: Group, text: str) -> Finding:
    """The left's finding, with the right's field where the left names none."""
    first = group.left[0].finding
    field = first.field or next((quote.finding.field for quote in group.right if quote.finding.field), "")
    return as_text_has_it([replace(first, field=field)], text)[0]


def _fields_differ(group: Group) -> bool:
    return len({quote.finding.field for quote in group.quotes} - {""}) > 1


def _each_once(spans: Sequence[GoldSpan]) -> tuple[GoldSpan, ...]:
    found: dict[Hashable, GoldSpan] = {}
    for span in spans:
        found.setdefault(finding_content(span.finding), span)
    return tuple(sorted(found.values(), key=_text_order))


def _text_order(span: GoldSpan) -> tuple[bool, int, int]:
    one = span.finding
    return one.start is None, one.start or 0, one.end or 0
