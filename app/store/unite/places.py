"""Where rows with an order stand once those of copies have come: the same, whichever copy came first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.unite.histories import ALL, UNMOVED

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.values import Cell

# The tables in which no two rows may have the same position.
ORDERED = frozenset(
    "document run generation decision amendment gold_build build answer item_rating carried".split()
)
_FIRST = f"""
SELECT row, json_extract(after, '$.position') FROM {ALL}
WHERE table_name = ?1 AND verb = 'insert' AND {UNMOVED}
"""


def _first_places(act: Act, table: str, same: Mapping[str, str]) -> dict[str, tuple[int, str, int]]:
    """Where each row was made first, itself or by the name that it has elsewhere, the least such name, and
    where it was made itself."""
    least: dict[str, tuple[int, str]] = {}
    own: dict[str, int] = {}
    for row, position in act.project.tuples(_FIRST, [table]):
        key = same.get(row, row)
        least[key] = min((position, row), least.get(key, (position, row)))
        own[row] = min(position, own.get(row, position))
    return {row: (*least[same.get(row, row)], place) for row, place in own.items()}


def make_room(act: Act, table: str, coming: Sequence[dict[str, Cell]], same: Mapping[str, str]) -> None:
    """Set the positions of rows that are to come, and move those there out of their way.

    `same` has one name for all the UUIDs of rows that are the same, made apart.

    Each row keeps the place it was made with (the first, where it was made more than once), or takes the next
    free one after rows made with the same or an earlier one; so the order follows from all rows together.
    """
    there: dict[str, int] = dict(act.project.tuples(f"SELECT uuid, position FROM {table}"))
    first = _first_places(act, table, same)
    new = {str(row["uuid"]): row for row in coming}
    asked = {**there, **{uuid: int(row["position"] or 0) for uuid, row in new.items()}}
    last, moved = -1, []
    for uuid in sorted(asked, key=lambda one: first.get(one, (asked[one], one, 0))):
        last = max(first[uuid][0] if uuid in first else asked[uuid], last + 1)
        if uuid in new:
            new[uuid]["position"] = last
        elif last != there[uuid]:
            moved.append((uuid, last))
    # Those that move up from above, so that each finds its place free, once the others are out of the way.
    down = [one for one in moved if one[1] < there[one[0]]]
    behind = max([last, *there.values()]) + 1
    aside = [(uuid, behind + place) for place, (uuid, _) in enumerate(down)]
    up = [one for one in reversed(moved) if one not in down]
    for uuid, position in (*aside, *up, *down):
        act.update(table, uuid, {"position": position})
