"""What an adjudicator may decide on a difference, and what the gold set then says of a report."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from app.reconcile.queue import ComparedReport
from app.reconcile.types import Difference, Group, SideQuote, finding_content
from extractors.model.coding import Coding
from extractors.model.finding import Finding

Choice: TypeAlias = Literal["left", "right", "both", "merged", "edited", "neither", "ask"]
Reason: TypeAlias = Literal["guideline-gap", "slip", "ambiguous-text", "model-error", "preference"]
# "ask" puts the question again, to somebody else or on another day: the difference stays undecided.
CHOICES: tuple[Choice, ...] = ("left", "right", "both", "merged", "edited", "neither", "ask")
REASONS: tuple[Reason, ...] = ("guideline-gap", "slip", "ambiguous-text", "model-error", "preference")


def choices_for(difference: Difference) -> tuple[Choice, ...]:
    """What can be chosen: the same words are not "both" present and negated, one place cannot be "merged"."""
    refused: set[Choice] = set()
    if difference.kind == "polarity":
        refused.add("both")
    if not _can_merge(difference):
        refused.add("merged")
    return tuple(choice for choice in CHOICES if choice not in refused)


def _can_merge(difference: Difference) -> bool:
    places = {quote.place for quote in difference.group.quotes}
    two_sided = bool(difference.left and difference.right)
    return two_sided and len(places) > 1 and None not in places


def outcome(difference: Difference, choice: Choice, text: str) -> tuple[Finding, ...]:
    """What holds after a choice, as the report's `text` has it; nothing after "neither" and "ask".

    Where the two differ in what a span stands for alone, the span holds after "neither", too, and stands for
    nothing. "merged" is one span in each category from the first character of both sides to the last, with
    the left's polarity and field where it has them. What was "edited" is given by the adjudicator, not made
    here. Raises ValueError for it, and for a choice that `choices_for` does not offer.
    """
    if choice not in choices_for(difference) or choice == "edited":
        raise ValueError(f"{choice} is no outcome of {difference.id}")
    if choice == "merged":
        return _merged(difference, text)
    if choice == "neither" and difference.kind == "concept":
        choice = "left"
    taken: dict[Choice, tuple[SideQuote, ...]] = {
        "left": difference.left,
        "right": difference.right,
        "both": difference.group.quotes,
    }
    return as_text_has_it((quote.finding for quote in taken.get(choice, ())), text)


def concepts_after(difference: Difference, choice: str, finding: Finding) -> tuple[Coding, ...]:
    """What one of the findings that hold after a choice stands for: what those of its category did.

    Of both sides the left's come first. What was "edited" where only the concept was in question stands for
    nothing.
    """
    if difference.kind == "concept" and choice in ("neither", "edited"):
        return ()
    quotes = {"left": difference.left, "right": difference.right}.get(choice, difference.group.quotes)
    near = [quote for quote in quotes if quote.finding.category == finding.category]
    same = [quote for quote in near if finding_content(quote.finding) == finding_content(finding)]
    return each_code_once(same or near)


def each_code_once(quotes: Iterable[SideQuote]) -> tuple[Coding, ...]:
    """What quotes stand for, each code once, as taken over from them."""
    found = {(one.terminology, one.code): one for quote in reversed([*quotes]) for one in quote.concepts}
    return tuple(replace(found[key], origin="accepted") for key in sorted(found))


def _merged(difference: Difference, text: str) -> tuple[Finding, ...]:
    start, end = difference.place or (0, 0)
    found = []
    for category in difference.group.categories:
        first, *others = [
            quote.finding for quote in difference.group.quotes if quote.finding.category == category
        ]
        field = first.field or next((other.field for other in others if other.field), "")
        found.append(replace(first, start=start, end=end, field=field))
    return as_text_has_it(found, text)


def as_text_has_it(findings: Iterable[Finding], text: str) -> tuple[Finding, ...]:
    """Findings whose quotes are the text at their places; of equal ones one. Those without a place stay."""
    exact: dict[Hashable, Finding] = {}
    for one in findings:
        exact.setdefault(finding_content(one), _exact(one, text))
    return tuple(exact.values())


def _exact(one: Finding, text: str) -> Finding:
    quote = text[one.start : one.end]
    if one.start is None or (one.quote, one.grounding, one.reason) == (quote, "exact", ""):
        return one
    return replace(one, quote=quote, grounding="exact", reason="")


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


def plan_gold(report: ComparedReport, rulings: Mapping[str, Ruling], text: Callable[[], str]) -> GoldReport:
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
                for finding in as_text_has_it(ruling.findings, text())
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


def _agreed(group: Group, text: Callable[[], str]) -> Finding:
    """The left's finding, with the right's field where the left names none; an exact one is as the text."""
    first = group.left[0].finding
    field = first.field or next((quote.finding.field for quote in group.right if quote.finding.field), "")
    one = first if field == first.field else replace(first, field=field)
    return one if (one.grounding, one.reason) == ("exact", "") else _exact(one, text())


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
