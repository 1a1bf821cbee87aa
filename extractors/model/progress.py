"""What long work reports between two steps."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` steps (0 where the total is unknown) and a short note on the step just finished."""

    done: int
    total: int
    note: str = ""


def stage(steps: Generator[Progress, None, T], number: int, stages: int) -> Generator[Progress, None, T]:
    """Work that is one of several stages (from 0): how far all of them are, in the steps of this one."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        done = (number * step.total + step.done) // stages
        yield Progress(done, step.total, step.note)


def finished(steps: Generator[Progress, None, T]) -> T:
    """What long work comes to, taken to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def at_once(steps: Callable[P, Generator[Progress, None, T]]) -> Callable[P, T]:
    """The same long work as one call, for those who wait for it and ask nothing meanwhile."""

    @wraps(steps)
    def work(*args: P.args, **kwargs: P.kwargs) -> T:
        return finished(steps(*args, **kwargs))

    return work
