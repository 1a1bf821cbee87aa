"""What a decision would teach: the clause and the example that it proposes for a guideline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.text import shortened
from extractors.model.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.reconcile.decisions import Decision
    from app.store.reports.documents import StoredDocument
    from extractors.model.finding import Finding
    from extractors.model.guideline import Example, ExampleQuote

_MOST_QUOTED = 120
_SIGNS = " .;:,"


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal for the guideline of `category`, to be edited before it is adopted.

    `section` and `clause` are "" where only the example says something new. `example_text` is the sentence of
    the `report` (key); where there is nothing to mark in it, `reason` says why. `decision` is the UUID.
    """

    category: str
    section: str
    clause: str
    example_text: str
    example_quotes: tuple[ExampleQuote, ...]
    reason: str = ""
    title: str = ""
    report: str = ""
    decision: str = ""

    @property
    def example(self) -> Example | None:
        """The example as guidelines have it, None without a text."""
        from extractors.model.guideline import Example

        if not self.example_text:
            return None
        return Example(self.title, self.example_text, self.example_quotes, self.reason)


@dataclass(frozen=True, slots=True)
class _Case:
    """A decision with what both sides said: `kept` holds, `dropped` was said and does not.

    `settled` is what holds elsewhere in the report, because both sides say it or it was decided.
    """

    decision: Decision
    report: StoredDocument
    kept: tuple[Finding, ...]
    dropped: tuple[Finding, ...]
    settled: tuple[Finding, ...]

    def in_category(self, category: str) -> tuple[Finding, ...]:
        return tuple(one for one in self.kept if one.category == category)


def draft_amendment(where: Project | Path, decision: str) -> Draft:
    """The amendment that a decision proposes; the name is its UUID or the id of the difference it is about.

    Something missing that was kept goes to "Include", what was dropped to "Exclude", a boundary to
    "Boundaries"; of two labels the one that lost gets an exclusion that names the other; a polarity makes an
    example. Raises UnknownNameError where there is no such decision, ProjectError where it leaves the
    question open, or the sides say something else by now and nothing can be told from the decision alone.
    """
    with opened(where) as project, project.snapshot():
        case = _read(project, _find(project, decision))
    if case.decision.choice == "ask":
        raise ProjectError(
            "This decision leaves the question open; there is nothing to put into a guideline."
        )
    if not (case.kept or case.dropped):
        raise ProjectError(
            "An annotation was changed since this decision; decide again, or write the clause yourself."
        )
    category, section, clause = _clause(case)
    return _draft(case, category, section, clause)


def _find(project: Project, name: str) -> Decision:
    from app.store.reconcile.decisions import decisions

    for one in reversed(decisions(project)):
        if name in (one.uuid, one.difference):
            return one
    raise UnknownNameError(f"There is no decision {name!r} in {project.path}.")


def _read(project: Project, decision: Decision) -> _Case:
    from app.reconcile.types import finding_content
    from app.store.reports.documents import document

    report = document(project, decision.document)
    settled, details = _sides(project, decision, report)
    kept = decision.findings
    held = set(map(finding_content, kept))
    dropped = [one for one in details if finding_content(one) not in held]
    return _Case(decision, report, kept, tuple(dropped), tuple(settled))


def _sides(
    project: Project, decision: Decision, report: StoredDocument
) -> tuple[list[Finding], list[Finding]]:
    """What holds elsewhere in the report, and what each side said in the question that was decided."""
    from app.operations.compare.pair import side_cells
    from app.reconcile.alignment import differences
    from app.store.reconcile.decisions import decisions

    left, right = (
        side_cells(project, side, report.uuid).get(report.uuid, {})
        for side in (decision.left, decision.right)
    )
    both = left.keys() & right.keys()
    ours, theirs = (
        [quote for category, quotes in side.items() if category in both for quote in quotes]
        for side in (left, right)
    )
    groups, found = differences(report.key, report.uuid, (decision.left, decision.right), ours, theirs)
    values = {one.id: one.group.quotes for one in found}
    last = {one.difference: one for one in decisions(project, (decision.left, decision.right))}
    others = [last[one] for one in values if one in last and one != decision.difference]
    # Of each group one: both sides say the same.
    settled = [group.left[0].finding for group in groups]
    settled += [finding for one in others for finding in one.findings]
    return settled, [quote.finding for quote in values.get(decision.difference, ())]


def _clause(case: _Case) -> tuple[str, str, str]:
    """Category, section and clause that the decision proposes."""
    kind, first = case.decision.kind, case.decision.category
    if not case.kept:
        return first, "Exclude", _because(case, f"Passages such as {_quoted(case.dropped)}: no category.")
    if kind == "label":
        return _of_labels(case)
    if kind == "boundary":
        return case.kept[0].category, "Boundaries", _because(case, _of_boundary(case))
    if kind == "polarity":
        return _of_polarity(case)
    clause = f"Passages such as {_quoted(case.kept)}."
    return case.kept[0].category, "Include", _because(case, clause)


def _of_labels(case: _Case) -> tuple[str, str, str]:
    """The category that lost sends the passage to the other; where both hold, each names the other."""
    won = tuple(dict.fromkeys(one.category for one in case.kept))
    lost = [one for one in case.dropped if one.category not in won]
    if lost:
        category = lost[0].category
        clause = f"Passages such as {_quoted([one for one in lost if one.category == category])}: "
        return category, "Exclude", _because(case, f"{clause}{_coded(won)}.")
    others = _coded(won[1:])
    clause = f"Passages such as {_quoted(case.in_category(won[0]))}"
    return won[0], "Include", _because(case, f"{clause}, {others} too." if others else f"{clause}.")


def _of_polarity(case: _Case) -> tuple[str, str, str]:
    """The example shows it, unless there is a rule to say or no place to show."""
    first = case.kept[0]
    if first.start is not None and not case.decision.note.strip():
        return first.category, "", ""
    return first.category, "Boundaries", _because(case, f"{_quoted([first])} is {first.polarity}.")


def _of_boundary(case: _Case) -> str:
    bad = f" Bad: {_quoted(case.dropped)}." if case.dropped else ""
    return f"Good: {_quoted(case.kept)}.{bad}"


def _because(case: _Case, clause: str) -> str:
    """The clause behind the adjudicator's note, which says the rule in a person's words."""
    note = " ".join(case.decision.note.split()).lstrip("#>-*+` ").rstrip(_SIGNS)
    return f"{note[:1].upper()}{note[1:]}. {clause}" if note else clause


def _quoted(findings: Sequence[Finding]) -> str:
    quotes = dict.fromkeys(" ".join(one.quote.split()) for one in findings)
    return " and ".join(f'"{shortened(quote, _MOST_QUOTED)}"' for quote in quotes)


def _coded(categories: Iterable[str]) -> str:
    return ", ".join(f"`{one}`" for one in categories)


# The example


def _draft(case: _Case, category: str, section: str, clause: str) -> Draft:
    start, end = _stretch(case)
    text = " ".join(case.report.document.text[start:end].split())
    quotes = _quotes(case, category, start, end)
    reason = _reason(case, category) if text and not quotes else ""
    title = f"From {case.report.key}" if text else ""
    return Draft(category, section, clause, text, quotes, reason, title, case.report.key, case.decision.uuid)


def _stretch(case: _Case) -> tuple[int, int]:
    """The sentences that hold what was decided, in code points of the report; empty without any place."""
    from extractors.text.sentences import sentences

    places = [
        (one.start, one.end)
        for one in (*case.kept, *case.dropped)
        if one.start is not None and one.end is not None
    ]
    if not places:
        return 0, 0
    first, last = min(start for start, _ in places), max(end for _, end in places)
    held = [one for one in sentences(case.report.document.text) if one[0] < last and one[1] > first]
    return min(first, *(one[0] for one in held)), max(last, *(one[1] for one in held))


def _quotes(case: _Case, category: str, start: int, end: int) -> tuple[ExampleQuote, ...]:
    """All that holds of the category there: an example that leaves out what both sides mark would mislead."""
    from extractors.model.guideline import ExampleQuote

    text = case.report.document.text
    held: dict[tuple[int, int], Finding] = {}
    for one in (*case.in_category(category), *case.settled):
        inside = one.start is not None and one.end is not None and start <= one.start and one.end <= end
        if inside and one.category == category:
            held.setdefault((one.start or 0, one.end or 0), one)
    others = [*case.kept, *case.settled]
    return tuple(
        ExampleQuote(
            " ".join(text[place[0] : place[1]].split()),
            one.field,
            one.polarity,
            tuple(
                dict.fromkeys(
                    each.category
                    for each in others
                    if (each.start, each.end) == place and each.category != category
                )
            ),
        )
        for place, one in sorted(held.items())
    )


def _reason(case: _Case, category: str) -> str:
    """Why there is nothing of the category in the sentence."""
    others = dict.fromkeys(one.category for one in case.kept if one.category != category)
    if others:
        return f"{_quoted(case.kept)} is {_coded(others)}."
    return f"{_quoted(case.dropped)} is not marked."
