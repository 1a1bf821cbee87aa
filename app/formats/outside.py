"""Files from outside are taken apart in a process of their own, ended where it takes too much.

Libraries that read PDFs and Word documents are large and written for speed. What a file does to them, a
bomb or a fault, ends with that process, and costs this file alone.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.formats.record import Pause
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from app.formats.packages import Payload
    from app.formats.record import Imported, LeftOut

MAX_MEMORY = 400_000_000
MAX_SECONDS = 60.0
_GIVEN_UP = "it was given up. Save the report's own pages as a file of their own."
_LOOK_SECONDS = 0.02
# A process that has grown to this is not used for another file.
_GROWN = MAX_MEMORY // 2


class Outside:
    """One process, begun for the first file and used for those that follow; close it at the end.

    Spawned on every platform, so that it has nothing of this one's: neither the project nor the window.
    """

    def __init__(self, seconds: float = MAX_SECONDS, memory: int = MAX_MEMORY) -> None:
        self._seconds, self._memory = seconds, memory
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def read(
        self, name: str, payload: Payload, digest: str, categories: Sequence[str]
    ) -> Iterator[Imported | LeftOut | Pause]:
        """The records of a file of the format `name`; before them a pause now and then.

        Raises FormatError where the format's reader does, where reading takes too much memory or time, and
        where the process breaks down.
        """
        pipe = self._begun()
        try:
            pipe.send((name, payload, digest, tuple(categories)))
            for _ in self._watch(pipe):
                yield Pause(payload.source)
            found = pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise FormatError("Reading the file broke down; it is damaged, or made to do harm.") from None
        except BaseException:
            self.close()
            raise
        if self._size() > _GROWN:
            self.close()
        if isinstance(found, Exception):
            raise found
        yield from found

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _begun(self) -> Connection:
        from multiprocessing import get_context

        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.close()
            spawn = get_context("spawn")
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=serve, args=(theirs,), name="reader of files", daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def _watch(self, pipe: Connection) -> Iterator[None]:
        """Wait for an answer, moment by moment; raises FormatError where it takes too much."""
        until = time.monotonic() + self._seconds
        while not pipe.poll(_LOOK_SECONDS):
            if self._size() > self._memory:
                most = self._memory // 1_000_000
                raise FormatError(f"Reading the file takes more than {most} MB of memory; {_GIVEN_UP}")
            yield
            if time.monotonic() > until:
                raise FormatError(f"Reading the file takes over {self._seconds:.0f} seconds; {_GIVEN_UP}")

    def _size(self) -> int:
        """The memory that the process has, in bytes; 0 where it has ended."""
        import psutil

        try:
            return int(psutil.Process(self._process.pid).memory_info().rss) if self._process else 0
        except psutil.Error:
            return 0


def serve(pipe: Connection) -> None:
    """Read file after file until nobody asks any more; the other process runs this."""
    from app.formats import format_of

    # Ctrl+C is for the program, which then ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            name, payload, digest, categories = pipe.recv()
        except EOFError:
            return
        read = format_of(name).read
        said: object
        try:
            said = [] if read is None else list(read(payload, digest, categories))
        except FormatError as error:
            said = FormatError(str(error))
        except MemoryError:
            said = FormatError("Reading the file takes more memory than there is; it was given up.")
        except Exception as error:  # a fault in a reader costs this file alone
            said = RuntimeError(type(error).__name__)
        try:
            pipe.send(said)
        except BrokenPipeError:  # who asked was ended
            return
