"""The collector of circles rests while a thread other than the window's is at work."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_at_work: list[object] = []


@contextmanager
def collector_resting(*, kept: bool = False) -> Iterator[None]:
    """Keep it from working in this thread, where it would take apart widgets that are the window's to take.

    What is read at length stays (`kept`) and holds no circles: it begins anew behind it, so that no thread is
    stopped to go through it.
    """
    mine = object()
    with _lock:
        _at_work.append(mine)
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _at_work.remove(mine)
            if kept:
                gc.freeze()
            if not _at_work:
                gc.enable()
