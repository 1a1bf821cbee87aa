"""What the adjudicator decided where two annotators differ, and why; the originals stay as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.store.act import Act
from app.store.faults import sound
from app.store.values import canonical, new_uuid
from extractors.model.finding import Finding

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome of one difference between two annotators (UUIDs) in a document (UUID).

    `difference` names the difference by its content, `kind` says of what kind it is, `category` is the first
    it touches. `choice` says which side or what else was taken, `reason_code` and `note` why, `clause` which
    part of the guideline it touches, `confidence` 0-1 or None; `findings` is what holds from now on.
    `decided_by` is a name, `seconds` how long it took, None where nobody measured.
    """

    uuid: str
    document: str
    category: str
    left: str
    right: str
    choice: str
    reason_code: str
    note: str
    clause: str
    confidence: float | None
    decided_at: str
    findings: tuple[Finding, ...]
    difference: str = ""
    kind: str = ""
    decided_by: str = ""
    seconds: float | None = None


def add_decision(
    act: Act,
    document: str,
    category: str,
    left: str,
    right: str,
    choice: str,
    findings: Sequence[Finding],
    *,
    reason_code: str = "",
    note: str = "",
    clause: str = "",
    confidence: float | None = None,
    difference: str = "",
    kind: str = "",
    decided_by: str = "",
    seconds: float | None = None,
) -> Decision:
    """Record a decision; a later one on the same difference stands beside the earlier, the last holds.

    Raises UnknownNameError for a category that the scheme lacks.
    """
    act.project.scheme.category(category)
    decision = Decision(
        uuid=new_uuid(),
        document=document,
        category=category,
        left=left,
        right=right,
        choice=choice,
        reason_code=reason_code,
        note=note,
        clause=clause,
        confidence=confidence,
        decided_at=act.at,
        findings=tuple(findings),
        difference=difference,
        kind=kind,
        decided_by=decided_by,
        seconds=seconds,
    )
    row = {name: getattr(decision, name) for name in Decision.__dataclass_fields__}
    del row["left"], row["right"]
    act.insert(
        "decision",
        {
            **row,
            "annotator_left": left,
            "annotator_right": right,
            "position": act.next_position("decision"),
            "findings": canonical([asdict(finding) for finding in findings]),
        },
    )
    return decision


def decisions(project: Project, between: tuple[str, str] | None = None) -> list[Decision]:
    """All decisions in the order they were taken, or those between two annotators (UUIDs, either way round).

    Raises DamagedProjectError where one cannot be read.
    """
    first, second = between or (None, None)
    rows = project.query(
        "SELECT * FROM decision WHERE ? IS NULL OR (annotator_left, annotator_right) IN ((?, ?), (?, ?)) "
        "ORDER BY position",
        [first, first, second, second, first],
    )
    return [_decision(project, row) for row in rows]


def _decision(project: Project, row: Mapping[str, Any]) -> Decision:
    with sound(project.path, "a decision"):
        findings = _findings(row["findings"])
    return Decision(
        uuid=row["uuid"],
        document=row["document"],
        category=row["category"],
        left=row["annotator_left"],
        right=row["annotator_right"],
        choice=row["choice"],
        reason_code=row["reason_code"],
        note=row["note"],
        clause=row["clause"],
        confidence=row["confidence"],
        decided_at=row["decided_at"],
        findings=findings,
        difference=row["difference"],
        kind=row["kind"],
        decided_by=row["decided_by"],
        seconds=row["seconds"],
    )


def _findings(text: str) -> tuple[Finding, ...]:
    """Findings from their JSON; raises ValueError or TypeError where it does not hold findings."""
    found = tuple(Finding(**finding) for finding in json.loads(text))
    for finding in found:
        for name, value in asdict(finding).items():
            place = name in ("start", "end")
            if not (value is None or type(value) is int if place else isinstance(value, str)):
                raise ValueError(f"{name} of a finding is {value!r}")
    return found
