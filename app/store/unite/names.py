"""Annotators of one name in two projects: the same person, or two runs that only share a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

_SETTINGS = "SELECT settings FROM run WHERE annotator = ?"


def same_annotators(
    act: Act, other: Project, pairs: Mapping[str, str], names: dict[str, str]
) -> dict[str, str]:
    """Of pairs of annotators (UUIDs, theirs and ours) of one name those that are the same.

    People are the same by their names, runs by their settings as well. Of two runs that differ the one of the
    greater UUID gets a name of its own: ours at once, theirs by an entry in `names`.
    """
    same: dict[str, str] = {}
    for theirs, ours in pairs.items():
        row = act.rows("annotator", [ours])[0]
        here = {settings for (settings,) in act.project.tuples(_SETTINGS, [ours])}
        there = {settings for (settings,) in other.tuples(_SETTINGS, [theirs])}
        if row["kind"] != "run" or not (here and there) or here & there:
            same[theirs] = ours
        elif theirs > ours:
            names[theirs] = f"{row['name']} ({theirs[:6]})"
        else:
            name = f"{row['name']} ({ours[:6]})"
            act.update("annotator", ours, {"name": name})
            for (run,) in act.project.tuples("SELECT uuid FROM run WHERE annotator = ?", [ours]):
                act.update("run", run, {"name": name})
    return same
