"""Clinicians' ratings of what a run made of a report, on scales from 1 to 5."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.faults import sound
from app.store.values import Row, canonical, json_object

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Rating:
    """One rater (name) on what a run (UUID) has in a document (UUID): item -> 1 to 5; items may be left out.

    `blind` says that the rater was not shown the run's name.
    """

    uuid: str
    document: str
    run: str
    rater: str
    scores: Mapping[str, int]
    note: str
    blind: bool
    rated_at: str


def set_rating(
    act: Act,
    document: str,
    run: str,
    rater: str,
    scores: Mapping[str, int],
    *,
    note: str = "",
    blind: bool = False,
) -> Rating:
    """Record a rating; an earlier one by the same rater of the same report and run is replaced."""
    key = {"document": document, "run": run, "rater": rater}
    cells: Row = {"scores": canonical(dict(scores)), "note": note, "blind": int(blind), "rated_at": act.at}
    uuid = act.put("rating", key, cells)
    return Rating(uuid, document, run, rater, dict(scores), note, blind, act.at)


def remove_rating(act: Act, uuid: str) -> None:
    """Take a rating (UUID) away; raises UnknownNameError where there is none."""
    act.delete("rating", uuid)


def ratings(project: Project, run: str | None = None, rater: str | None = None) -> list[Rating]:
    """All ratings, or those of a run (UUID) or by a rater (name), by document in import order, then rater.

    Raises DamagedProjectError where one cannot be read.
    """
    rows = project.query(
        "SELECT r.* FROM rating r JOIN document d ON d.uuid = r.document JOIN annotator a ON a.uuid = r.run "
        "WHERE r.run = ifnull(?, r.run) AND r.rater = ifnull(?, r.rater) "
        "ORDER BY d.position, a.name, r.rater",
        [run, rater],
    )
    found = []
    for row in rows:
        with sound(project.path, "a rating"):
            scores = _scores(row["scores"])
        found.append(Rating(**{**row, "scores": scores, "blind": bool(row["blind"])}))
    return found


def sets_by_age(project: Project) -> list[str]:
    """Every holder of annotations (UUID) that there ever was, the earliest first, also those gone by now.

    The history only grows: neither later sets nor undo and redo ever move one. Raises what `Project.query`
    raises.
    """
    rows = project.query(
        "SELECT row FROM history WHERE table_name = 'annotator' GROUP BY row ORDER BY min(seq)"
    )
    return [row["row"] for row in rows]


def _scores(text: str) -> dict[str, int]:
    """Scores from their JSON; raises ValueError for anything but whole numbers."""
    scores = json_object(text)
    if not all(type(value) is int for value in scores.values()):
        raise ValueError(f"not whole numbers: {json.dumps(scores)}")
    return scores
