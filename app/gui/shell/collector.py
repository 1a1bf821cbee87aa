"""The collector of circles at work in the thread of the window alone, while no other reads.

By itself it works in whatever thread makes the next object; a widget that it takes apart in another one ends
the program.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 250
_at_work: list[object] = []


def collect_here(parent: QObject) -> None:
    """Have it look for circles in this thread alone, now and then, as long as `parent` lives."""
    gc.disable()
    timer = QTimer(parent, interval=_EVERY_MS)
    timer.timeout.connect(collect_due)
    timer.start()


def collect_due() -> None:
    """Take circles apart where more was made than the thresholds allow, and no other thread is at work."""
    made = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, most) in enumerate(made) if count > most]
    if due and not _at_work:
        gc.collect(due[-1])


@contextmanager
def collector_resting(*, kept: bool = False) -> Iterator[None]:
    """Let it rest while another thread is at work.

    What is read at length stays (`kept`) and holds no circles: it begins anew behind it, so that no thread is
    stopped to go through it.
    """
    mine = object()
    _at_work.append(mine)
    try:
        yield
    finally:
        _at_work.remove(mine)
        if kept:
            gc.freeze()


class OwnThread:
    """Carries out calls one after the other in a thread that the first one begins, for as long as `owner`
    lives."""

    def __init__(self, name: str, owner: QObject) -> None:
        self._name, self._begun = name, False
        calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._calls = calls
        owner.destroyed.connect(lambda: calls.put(None))

    def put(self, call: Callable[[], None]) -> None:
        """Have a call carried out after those that wait."""
        if not self._begun:
            self._begun = True
            Thread(target=_serve, args=(self._calls,), name=self._name, daemon=True).start()
        self._calls.put(call)


def _serve(calls: SimpleQueue[Callable[[], None] | None]) -> None:
    while (call := calls.get()) is not None:
        with collector_resting(kept=True):
            call()
