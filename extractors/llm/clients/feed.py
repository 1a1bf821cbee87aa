"""Lines of an answer, read by a thread of its own: whoever wants them never waits on the network."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

from extractors.llm.clients.sockets import Patience
from extractors.llm.clients.wire import Json


class Feed:
    """Runs `read(patience)` in a thread and hands over its lines in order, then how it ended."""

    def __init__(self, read: Callable[[Patience], Iterator[Json]], patience: Patience) -> None:
        self._patience = patience
        self._lines: queue.SimpleQueue[Json | _End] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(read,), name="model server", daemon=True)
        self._thread.start()

    def get(self, seconds: float) -> Json | None:
        """The next line; None at the end. Raises queue.Empty after `seconds`, or what the reading raised."""
        line = self._lines.get(timeout=max(0.0, seconds))
        if not isinstance(line, _End):
            return line
        if line.error is not None:
            raise line.error
        return None

    def close(self) -> None:
        """Give up and hang up, within a second."""
        self._patience.stop.set()
        self._thread.join(timeout=1.0)

    def _run(self, read: Callable[[Patience], Iterator[Json]]) -> None:
        error: Exception | None = None
        try:
            for line in read(self._patience):
                self._lines.put(line)
        except Exception as raised:  # whatever it is belongs to whoever asks for the lines
            error = raised
        self._lines.put(_End(error))


class _End:
    def __init__(self, error: Exception | None) -> None:
        self.error = error
