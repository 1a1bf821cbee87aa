"""Where rows with an order stand once those of copies have come: the same, whichever copy came first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.values import Cell

# The tables in which no two rows may have the same position.
ORDERED = frozenset(
    {
        "document",
        "run",
        "generation",
        "decision",
        "amendment",
        "gold_build",
        "build",
        "answer",
        "item_rating",
    }
)
# Where rows stood when they were made: acts that bring copies together, and cut packets, only moved them.
_FIRST = """
SELECT row, min(json_extract(after, '$.position')) FROM (
    SELECT act, verb, table_name, row, after FROM history
    UNION ALL SELECT act, verb, table_name, row, after FROM branch_row
    WHERE branch IN (SELECT uuid FROM branch)
) WHERE table_name = ?1 AND verb = 'insert' AND act NOT IN (
    SELECT act FROM history WHERE table_name IN ('branch', 'packet')
    UNION SELECT act FROM branch_row WHERE table_name IN ('branch', 'packet')
) GROUP BY row
"""


def make_room(act: Act, table: str, coming: Sequence[dict[str, Cell]]) -> None:
    """Set the positions of rows that are to come, and move those there out of their way.

    Each row keeps the place it was made with, or takes the next free one after rows made with the same or an
    earlier one; so rows only ever move up, and the order follows from all rows together.
    """
    if table not in ORDERED or not coming:
        return
    there: dict[str, int] = dict(act.project.tuples(f"SELECT uuid, position FROM {table}"))
    first: dict[str, int] = dict(act.project.tuples(_FIRST, [table]))
    new = {str(row["uuid"]): row for row in coming}
    asked = {**there, **{uuid: _number(row["position"]) for uuid, row in new.items()}}
    last, moved = -1, []
    for uuid in sorted(asked, key=lambda one: (first.get(one, asked[one]), one)):
        last = max(first.get(uuid, asked[uuid]), last + 1)
        if uuid in new:
            new[uuid]["position"] = last
        elif last != there[uuid]:
            moved.append((uuid, last))
    # From above, so that each finds its place free.
    for uuid, position in reversed(moved):
        act.update(table, uuid, {"position": position})


def _number(cell: Cell) -> int:
    return int(cell or 0)
