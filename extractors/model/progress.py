"""What long work reports between two steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` steps (0 where the total is unknown) and a short note on the step just finished."""

    done: int
    total: int
    note: str = ""
