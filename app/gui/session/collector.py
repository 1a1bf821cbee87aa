"""The collector of circles rests while a thread other than the window's reads much."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_at_work: list[object] = []


@contextmanager
def collector_resting() -> Iterator[None]:
    """Keep it from stopping every thread to go through what is read, which stays and holds no circles.

    It would also take apart, in this thread, widgets that are the window's thread's to take apart. It begins
    anew behind what was read, once nobody else reads.
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
            gc.freeze()
            if not _at_work:
                gc.enable()
