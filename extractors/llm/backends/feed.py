"""The bridge from the event loop, in a thread of its own, to callers that stay synchronous."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import wait
from contextlib import aclosing
from functools import cache
from typing import Any, Generic, TypeVar

from extractors.llm.backends.transport import GivenUpError

T = TypeVar("T")
# How long a caller that hangs up waits for the call to end.
LEAVE_SECONDS = 1.0
TICK = 0.2
_STARTING = threading.Lock()


class Feed(Generic[T]):
    """Runs an asynchronous reader and hands over what it gives in order, then how it ended.

    `wake` is called, on the loop's thread, when the reader has ended.
    """

    def __init__(self, read: AsyncGenerator[T, None], wake: Callable[[], None] | None = None) -> None:
        self._read, self._wake = read, wake
        self._given: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._given_up = False
        self._task: asyncio.Task[None] | None = None
        self._loop = _loop()
        self._loop.call_soon_threadsafe(self._begin)

    def get(self, seconds: float) -> T | None:
        """The next piece; None at the end. Raises queue.Empty after `seconds`, or what the reading raised."""
        given = self._given.get(timeout=max(0.0, seconds))
        if not isinstance(given, _End):
            return given
        if given.error is not None:
            raise given.error
        return None

    def hang_up(self) -> None:
        """Give up, without waiting until it is done."""
        if not self._ended.is_set() and not self._given_up:
            self._given_up = True
            self._loop.call_soon_threadsafe(self._cancel)

    def close(self) -> None:
        """Give up and hang up, within a second."""
        self.hang_up()
        self._ended.wait(LEAVE_SECONDS)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._run())
        self._task.add_done_callback(self._finish)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        async with aclosing(self._read) as pieces:
            async for piece in pieces:
                self._given.put(piece)

    def _finish(self, task: asyncio.Task[None]) -> None:
        error = GivenUpError("The call was given up.") if task.cancelled() else task.exception()
        self._given.put(_End(error))
        self._ended.set()
        if self._wake is not None:
            self._wake()


class _End:
    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def wait_for(answer: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, waited for in this thread; Ctrl-C gives it up on every platform."""
    future = asyncio.run_coroutine_threadsafe(answer, _loop())
    try:
        while not wait([future], TICK).done:
            pass
    except BaseException:
        future.cancel()
        raise
    return future.result()


def _loop() -> asyncio.AbstractEventLoop:
    with _STARTING:
        return _started()


@cache
def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model servers", daemon=True).start()
    return loop
