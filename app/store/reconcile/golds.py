"""From whose sets a gold set was built, and how much was undecided then."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.values import new_uuid

if TYPE_CHECKING:
    from app.store.project import Project


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
