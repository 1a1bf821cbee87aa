"""What the adjudicator decided where two annotators differ, and the gold sets built of that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
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
    `decided_by` is a name, `seconds` how long it took, None where nobody measured. UUID and time come with
    the record.
    """

    document: str
    category: str
    left: str
    right: str
    choice: str
    findings: tuple[Finding, ...] = ()
    reason_code: str = ""
    note: str = ""
    clause: str = ""
    confidence: float | None = None
    difference: str = ""
    kind: str = ""
    decided_by: str = ""
    seconds: float | None = None
    uuid: str = ""
    decided_at: str = ""


# Columns of a decision that are called otherwise, or hold JSON.
_OTHERWISE = ("left", "right", "findings")
_PLAIN = tuple(name for name in Decision.__dataclass_fields__ if name not in _OTHERWISE)


def add_decision(act: Act, decided: Decision) -> Decision:
    """Record a decision; a later one on the same difference stands beside the earlier, the last holds.

    Returns it with its UUID and time. Raises UnknownNameError for a category that the scheme lacks.
    """
    act.project.scheme.category(decided.category)
    decision = replace(decided, uuid=new_uuid(), decided_at=act.at)
    act.insert(
        "decision",
        {
            **{name: getattr(decision, name) for name in _PLAIN},
            "annotator_left": decision.left,
            "annotator_right": decision.right,
            "position": act.next_position("decision"),
            "findings": canonical([asdict(finding) for finding in decision.findings]),
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
    own = {name: row[name] for name in _PLAIN}
    return Decision(**own, left=row["annotator_left"], right=row["annotator_right"], findings=findings)


def _findings(text: str) -> tuple[Finding, ...]:
    """Findings from their JSON; raises ValueError or TypeError where it does not hold findings."""
    found = tuple(Finding(**finding) for finding in json.loads(text))
    for finding in found:
        for name, value in asdict(finding).items():
            place = name in ("start", "end")
            if not (value is None or type(value) is int if place else isinstance(value, str)):
                raise ValueError(f"{name} of a finding is {value!r}")
    return found


@dataclass(frozen=True, slots=True)
class GoldBuild:
    """One building of a gold set (`annotator`) from two others; annotators by UUID, `built_by` a name.

    `agreed` spans both sides had, `decided` differences were settled and `undecided` were not.
    """

    annotator: str
    annotator_left: str
    annotator_right: str
    built_by: str
    agreed: int
    decided: int
    undecided: int
    uuid: str = ""
    position: int = 0
    built_at: str = ""


def add_gold_build(act: Act, built: GoldBuild) -> None:
    """Record that a gold set was built, with UUID, position and time of the record."""
    place = act.next_position("gold_build")
    act.insert("gold_build", asdict(replace(built, uuid=new_uuid(), position=place, built_at=act.at)))


def gold_builds(project: Project) -> list[GoldBuild]:
    """Every building of a gold set, the earliest first."""
    return [GoldBuild(**row) for row in project.query("SELECT * FROM gold_build ORDER BY position")]


def undecided_cells(project: Project) -> frozenset[tuple[str, str, str]]:
    """(document, annotator, category) where a gold set that was built has quotes but is not complete."""
    rows = project.query(
        "SELECT DISTINCT a.document, a.annotator, a.category FROM annotation a "
        "WHERE a.layer = 'category' AND a.annotator IN (SELECT annotator FROM gold_build) AND NOT EXISTS ("
        "SELECT 1 FROM review r, json_each(r.looked_at) "
        "WHERE r.document = a.document AND r.annotator = a.annotator AND value = a.category)"
    )
    return frozenset((row["document"], row["annotator"], row["category"]) for row in rows)
