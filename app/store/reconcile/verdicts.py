"""What a reviewer said of each span that a run had found; the run itself stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.store.act import Act
from app.store.annotate.annotations import remove_annotations
from app.store.chain import as_left
from app.store.faults import sound
from app.store.history import changes_for
from app.store.values import Cell, Row, json_object, matching

if TYPE_CHECKING:
    from app.store.project import Project

# How a term of a run stands to the reviewer's own: not compared, as spans of categories are.
SUGGESTED = "suggested"
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
    made = Verdict(
        "", document, run, reviewer, annotation, relation, verdict, result, seconds, judged_at=act.at
    )
    cells = {name: cell for name, cell in asdict(made).items() if name != "uuid"}
    key = {"annotation": annotation, "reviewer": reviewer}
    return replace(made, uuid=act.put("verdict", key, cells))


def verdicts(
    project: Project, document: str | None = None, run: str | None = None, reviewer: str | None = None
) -> list[Verdict]:
    """All verdicts, or those of a document, run or reviewer (UUIDs), by document, the earliest first."""
    where, given = matching(document=document, run=run, reviewer=reviewer)
    rows = project.query(
        f"SELECT v.* FROM verdict v JOIN document d ON d.uuid = v.document WHERE {where} "
        "ORDER BY d.position, v.judged_at, v.rowid",
        given,
    )
    return [Verdict(**row) for row in rows]


def find_verdict(project: Project, annotation: str, reviewer: str) -> Verdict | None:
    """What a reviewer (name) said of a run's span (UUID), None where nothing."""
    rows = project.query(
        "SELECT v.* FROM verdict v JOIN annotator a ON a.uuid = v.reviewer "
        "WHERE v.annotation = ? AND a.name = ?",
        [annotation, reviewer],
    )
    return Verdict(**rows[0]) if rows else None


def gone_spans(project: Project, uuids: Collection[str]) -> dict[str, tuple[Cell, ...]]:
    """What those of the spans (UUIDs) said that are gone: category, start, end and polarity, by UUID.

    Raises DamagedProjectError where the history cannot be read.
    """
    if not uuids:
        return {}
    rows = project.query(
        "SELECT row, before FROM history WHERE table_name = 'annotation' AND verb = 'delete' ORDER BY seq"
    )
    wanted = frozenset(uuids)
    with sound(project.path, "a row of the history"):
        gone = {row["row"]: json_object(row["before"]) for row in rows if row["row"] in wanted}
        columns = ("category", "span_start", "span_end", "polarity")
        return {uuid: tuple(before[name] for name in columns) for uuid, before in gone.items()}


def count_unjudged(project: Project, run: str, reviewer: str, category: str = "") -> Counter[str]:
    """The number of a run's spans that a reviewer has not judged (annotators by UUID), by document (UUID);
    of one category (id) where that is given."""
    rows = project.query(
        "SELECT a.document, count(*) AS number FROM annotation a WHERE a.annotator = ? "
        "AND a.layer = 'category' AND ? IN ('', a.category) AND NOT EXISTS "
        "(SELECT 1 FROM verdict v WHERE v.annotation = a.uuid AND v.reviewer = ?) GROUP BY a.document",
        [run, category, reviewer],
    )
    return Counter({row["document"]: row["number"] for row in rows})


def take_back(act: Act, verdict: Verdict) -> None:
    """Set the reviewer's spans back to what they were before a verdict, if all of them are as it left them.

    Where one was changed since, all stay as they are. Raises DamagedProjectError where the history cannot be
    read.
    """
    first: dict[str, Row | None] = {}
    last: dict[str, Row | None] = {}
    for change in changes_for(act.project, verdict.uuid, "annotation"):
        first.setdefault(change.row, change.before)
        last[change.row] = change.after
    present = {
        row["uuid"]: row
        for row in act.project.query("SELECT * FROM annotation WHERE document = ?", [verdict.document])
        if row["uuid"] in last
    }
    if any(not as_left(present.get(uuid), after) for uuid, after in last.items()):
        return
    meant = changes_for(act.project, verdict.uuid, "concept")
    given = {one.row for one in meant if one.before is None}
    rows = act.project.query("SELECT uuid FROM concept WHERE document = ?", [verdict.document])
    act.delete_all("concept", [row["uuid"] for row in rows if row["uuid"] in given])
    for uuid, before in first.items():
        if before is None:
            if uuid in present:
                remove_annotations(act, [uuid])
        elif uuid in present:
            columns = act.project.columns("annotation")
            act.update("annotation", uuid, {name: before[name] for name in before if name in columns})
        else:
            act.restore_all("annotation", [before])
    there = {row["uuid"] for row in rows}
    taken = {one.row: one.before for one in meant if one.before is not None and one.row not in given}
    act.restore_all("concept", [row for uuid, row in taken.items() if uuid not in there])
