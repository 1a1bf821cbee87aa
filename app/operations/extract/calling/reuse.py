"""Answers that another run got to the very same prompts: nobody is asked twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import ASKS, Ledger, alike_runs

if TYPE_CHECKING:
    from app.operations.extract.entry import Entry
    from app.store.extract.runs import CallRecord, Run
    from app.store.project import Project


def take_over(
    project: Project, identity: Mapping[str, Any], run: Run | None, missing: Sequence[Entry]
) -> tuple[list[tuple[Entry, CallRecord]], list[str]]:
    """Whole answers of other runs of the same model to the prompts of the `missing` entries.

    Those entries are no longer pending. With a sentence for each run that gave some.
    """
    found: list[tuple[Entry, CallRecord]] = []
    taken: Counter[str] = Counter()
    for other in alike_runs(project, identity, run):
        answers = Ledger(project, other)
        for entry in [one for one in missing if one.pending]:
            answer = answers.of(entry)
            if answer is not None and answer.state == "done":
                entry.pending = False
                taken[other.name] += 1
                found.append((entry, _taken_over(answer, entry, answers.first(answer))))
    return found, [
        f"The answers of {name} to the very same prompts were taken over, {number} of them."
        for name, number in taken.items()
    ]


def _taken_over(answer: CallRecord, entry: Entry, first: str) -> CallRecord:
    """Another run's answer (the call `first`, UUID) as this run's."""
    item = entry.item
    details = {**answer.details, ASKS: list(item.asks), "spans": [list(span) for span in item.spans]}
    return replace(answer, part=item.part, parts=item.parts, reused=first, details=details)
