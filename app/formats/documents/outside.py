"""Files from outside are taken apart in a process of their own, ended where it takes too much."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from app.formats.record import Imported, LeftOut, Pause
from extractors.model.errors import CasespanError, FormatError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    import psutil

    from app.formats.pictures.packages import Payload

# Makes, in that process, what answers questions.
Prepare: TypeAlias = "Callable[[], Callable[[Any], Any]]"
# Libraries and lexicons are loaded before the first question's time begins.
_READY_SECONDS = 300.0
_LOOK_SECONDS = 0.02


class BrokenDownError(Exception):
    """The process ended without an answer; `ready` says whether it had been ready for questions."""

    def __init__(self, ready: bool = True) -> None:
        super().__init__(ready)
        self.ready = ready


class NotBegunError(CasespanError):
    """The process cannot be made ready for questions."""

    def __init__(self, trouble: object) -> None:
        super().__init__(f"A process apart could not be begun ({type(trouble).__name__}); is memory left?")


class TooLargeError(Exception):
    """The process took more memory than it may."""


class TooLongError(Exception):
    """The process took more time than it may."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take for one question, in seconds and bytes; one that has `grown` is renewed."""

    seconds: float
    memory: int
    grown: int


class Apart:
    """One process, begun for the first question and used for those that follow; close it at the end.

    `prepare` is a function of a module, or a `partial` of one, with values that can be pickled.
    """

    def __init__(self, prepare: Prepare, limits: Limits, name: str) -> None:
        self._prepare, self._limits, self._name = prepare, limits, name
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._watched: psutil.Process | None = None
        self.asked = 0

    def ask(self, question: object) -> Generator[None, None, Any]:
        """The answer; yields now and then while it is waited for. An exception that is the answer is raised.

        Raises CasespanErrors of `prepare`, NotBegunError for its others, BrokenDownError, TooLargeError or
        TooLongError; the next question gets another process then.
        """
        try:
            pipe = self._begun()
            if not self.asked:
                yield from self._wait(pipe, _READY_SECONDS)
                trouble = pipe.recv()
                if trouble is not None:
                    raise trouble if isinstance(trouble, CasespanError) else NotBegunError(trouble)
            self.asked += 1
            pipe.send(question)
            yield from self._wait(pipe, self._limits.seconds)
            answer = pipe.recv()
        except (EOFError, OSError):
            ready = self.asked > 0
            self.close()
            raise BrokenDownError(ready) from None
        except BaseException:
            self.close()
            raise
        if self.size() > self._limits.grown:
            self.close()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """End the process, if there is one."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = self._watched = None
        self.asked = 0
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if pipe is not None:
            pipe.close()

    def size(self) -> int:
        """The memory that the process has, in bytes; 0 where it has ended."""
        import psutil

        try:
            if self._watched is None and self._process is not None:
                self._watched = psutil.Process(self._process.pid)
            return int(self._watched.memory_info().rss) if self._watched is not None else 0
        except psutil.Error:
            return 0

    def _begun(self) -> Connection:
        from multiprocessing import current_process, get_context

        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.close()
            spawn = get_context("spawn")
            # A process that ends with its parent may have none by itself, and so are workers of a cluster.
            if current_process().daemon:
                current_process().daemon = False
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(
                target=_serve, args=(theirs, self._prepare), name=self._name, daemon=True
            )
            try:
                self._process.start()
            except Exception as error:
                self._process = None
                raise NotBegunError(error) from None
            finally:
                theirs.close()
        return self._pipe

    def _wait(self, pipe: Connection, seconds: float) -> Generator[None, None, None]:
        until = time.monotonic() + seconds
        while not pipe.poll(_LOOK_SECONDS):
            if self.size() > self._limits.memory:
                raise TooLargeError
            yield
            if time.monotonic() > until:
                raise TooLongError


def _serve(pipe: Connection, prepare: Prepare) -> None:
    """Answer question after question until nobody asks any more; the other process runs this."""
    # Ctrl+C is for the program, which then ends this one; where the program was killed, nobody would.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        answer = prepare()
    except Exception as error:
        pipe.send(error)
        return
    pipe.send(None)
    while True:
        try:
            question = pipe.recv()
        except EOFError:
            return
        try:
            found = answer(question)
        except MemoryError:
            found = TooLargeError()
        except Exception as error:  # a fault costs this question alone
            found = error
        try:
            pipe.send(found)
        except BrokenPipeError:  # who asked was ended
            return


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


MAX_MEMORY = 400_000_000
MAX_SECONDS = 60.0
_GIVEN_UP = "it was given up. Save the report's own pages as a file of their own."


class Outside:
    """One process, begun for the first file and used for those that follow; close it at the end."""

    def __init__(self, seconds: float = MAX_SECONDS, memory: int = MAX_MEMORY) -> None:
        self._limits = Limits(seconds, memory, memory // 2)
        self._apart = Apart(reader, self._limits, "reader of files")

    def read(
        self, name: str, payload: Payload, digest: str, categories: Sequence[str]
    ) -> Iterator[Imported | LeftOut | Pause]:
        """The records of a file of the format `name`; before them a pause now and then.

        Raises FormatError where the format's reader does, where reading takes too much memory or time, and
        where the process breaks down.
        """
        answer = self._apart.ask((name, payload, digest, tuple(categories)))
        try:
            while True:
                try:
                    next(answer)
                except StopIteration as end:
                    yield from end.value
                    return
                yield Pause(payload.source)
        except BrokenDownError:
            raise FormatError("Reading the file broke down; it is damaged, or made to do harm.") from None
        except TooLargeError:
            most = self._limits.memory // 1_000_000
            raise FormatError(f"Reading the file takes more than {most} MB of memory; {_GIVEN_UP}") from None
        except TooLongError:
            seconds = self._limits.seconds
            raise FormatError(f"Reading the file takes over {seconds:.0f} seconds; {_GIVEN_UP}") from None
        finally:
            answer.close()

    def close(self) -> None:
        """End the process, if there is one."""
        self._apart.close()


def reader() -> Callable[[Any], list[Imported | LeftOut]]:
    """What reads files in the other process."""
    from app.formats import format_of

    def read(question: tuple[str, Payload, str, Sequence[str]]) -> list[Imported | LeftOut]:
        name, payload, digest, categories = question
        known = format_of(name).read
        try:
            return [] if known is None else list(known(payload, digest, categories))
        except (FormatError, MemoryError):
            raise
        except Exception as error:  # which may not be one that can be handed over
            raise RuntimeError(type(error).__name__) from None

    return read
