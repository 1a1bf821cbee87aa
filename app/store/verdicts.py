"""What a reviewer said of each span that a run had found; the run itself stays as it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.store.act import Act
from app.store.values import new_uuid

if TYPE_CHECKING:
    from app.store.project import Project

VerdictWord: TypeAlias = Literal["accepted", "edited", "rejected"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One reviewer's word on one span (`annotation`) of a run; all but `relation` and `verdict` are UUIDs.

    `relation` says how the span stood to the reviewer's own at that moment, `result` is the reviewer's span
    that came of it, "" for none, `seconds` how long it took, None where nobody measured.
    """

    uuid: str
    document: str
    run: str
    reviewer: str
    annotation: str
    relation: str
    verdict: VerdictWord
    result: str
    seconds: float | None
    judged_at: str


def set_verdict(
    act: Act,
    document: str,
    run: str,
    reviewer: str,
    annotation: str,
    relation: str,
    verdict: VerdictWord,
    *,
    result: str = "",
    seconds: float | None = None,
) -> Verdict:
    """Record a verdict; an earlier one of the same reviewer on the same span is replaced."""
    rows = act.project.query(
        "SELECT uuid FROM verdict WHERE annotation = ? AND reviewer = ?", [annotation, reviewer]
    )
    uuid = rows[0]["uuid"] if rows else new_uuid()
    made = Verdict(
        uuid, document, run, reviewer, annotation, relation, verdict, result, seconds, judged_at=act.at
    )
    if rows:
        act.update("verdict", uuid, asdict(made))
    else:
        act.insert("verdict", asdict(made))
    return made


def remove_verdict(act: Act, uuid: str) -> None:
    """Take a verdict (UUID) away; raises UnknownNameError where there is none."""
    act.delete("verdict", uuid)


def verdicts(
    project: Project, document: str | None = None, run: str | None = None, reviewer: str | None = None
) -> list[Verdict]:
    """All verdicts, or those of a document, run or reviewer (UUIDs), by document, the earliest first."""
    wanted = {"document": document, "run": run, "reviewer": reviewer}
    given: dict[str, Any] = {column: value for column, value in wanted.items() if value is not None}
    where = " AND ".join(f"v.{column} = ?" for column in given) or "1"
    rows = project.query(
        f"SELECT v.* FROM verdict v JOIN document d ON d.uuid = v.document WHERE {where} "
        "ORDER BY d.position, v.judged_at, v.rowid",
        list(given.values()),
    )
    return [Verdict(**row) for row in rows]
