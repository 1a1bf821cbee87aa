"""What long work reports between two steps."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` steps (0 where the total is unknown) and a short note on the step just finished."""

    done: int
    total: int
    note: str = ""


def stage(
    steps: Generator[Progress, None, T], number: int, stages: int, note: str = ""
) -> Generator[Progress, None, T]:
    """Work that is one of several stages (from 0): how far all of them are, in the steps of this one."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        done = (number * step.total + step.done) // stages
        yield Progress(done, step.total, note or step.note)


def finished(steps: Generator[Progress, None, T]) -> T:
    """What long work comes to, taken to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
