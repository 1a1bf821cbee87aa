"""A call to a model server under way: its pieces put together to one outcome, whatever may go wrong."""

from __future__ import annotations

import asyncio
import queue
import re
import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import wait
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar

from extractors.llm import models
from extractors.llm.backends.transport import GivenUpError, StatusError, UnreachableError
from extractors.llm.types import Exchange, Outcome, TokenProbability
from extractors.model.errors import ModelNotFoundError, RemoteRefusedError, ServerError

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


# As Ollama from 0.12 to 0.33, llama.cpp, vLLM and LM Studio say that a prompt does not fit.
_OVERFLOW = re.compile(
    r"(exceed|longer than|too long|too large|loaded with).*\bcontext|exceed_context_size"
    r"|maximum context length|context the overflows",
    re.IGNORECASE,
)
# The prompt's length, which some say beside the context's.
_LENGTHS = (
    re.compile(r"\((\d{1,9}) in the messages"),
    re.compile(r"(?:resulted in|contains|has) (?:at least )?(\d{1,9}) (?:input )?tokens"),
    re.compile(r"\b(\d{1,9}) tokens"),
)
_HOPELESS = re.compile(r"does not support|requires more system memory", re.IGNORECASE)
# As servers say that they broke a reply off because it said the same over and over.
_LOOPED = re.compile(r"repeat limit|repetition|looping", re.IGNORECASE)
_NO_REASON = (
    "The reply ended without the server saying that it was done, as it does when a model repeats itself or "
    "the server is stopped."
)
_EMPTY = (
    "The model gave an empty reply.",
    "The model only thought and gave no reply: let it write more (--reply-tokens), or not think.",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """What came of a reply; `remote` where it named another machine as its source."""

    text: str = ""
    thinking: str = ""
    remote: str = ""
    probabilities: tuple[TokenProbability, ...] = ()


class ServerExchange(Exchange):
    """One reply from a server; only `poll` takes in what has come: pieces, then how the server said that it
    ended, with its counts and times.

    `reasons` are the ends that are no error; a reply from another machine is one unless `allow_remote`.
    """

    def __init__(
        self,
        read: AsyncGenerator[Piece | Outcome, None],
        reasons: tuple[str, ...],
        *,
        allow_remote: bool,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self._feed = Feed(read, wake)
        self._reasons = reasons
        self._allow_remote = allow_remote
        self._remote = ""
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._probabilities: list[TokenProbability] = []
        self._outcome: Outcome | None = None

    @property
    def tokens(self) -> int:
        """Pieces of the reply and of the thinking that `poll` has seen so far."""
        return len(self._texts) + len(self._thoughts)

    def poll(self, seconds: float) -> Outcome | None:
        """Wait up to `seconds` for the end; None while the call goes on."""
        end = time.monotonic() + seconds
        while self._outcome is None:
            try:
                given = self._feed.get(end - time.monotonic())
                self._outcome = self._without_reason() if given is None else self._take(given)
            except queue.Empty:
                return None
            except ServerError as error:
                self._outcome = self._failed(error)
            except (ModelNotFoundError, RemoteRefusedError) as error:
                self._outcome = self._so_far(str(error), fatal=True)
            if self._outcome is not None:
                self._feed.close()
        return self._outcome

    def hang_up(self) -> None:
        """Begin to give the call up."""
        if self._outcome is None:
            self._feed.hang_up()

    def close(self) -> None:
        """Give the call up; what came so far stays in the outcome."""
        self._feed.close()
        self.poll(0)
        if self._outcome is None:
            self._outcome = self._failed(GivenUpError("The call was given up."))

    def _take(self, given: Piece | Outcome) -> Outcome | None:
        if isinstance(given, Outcome):
            return self._finished(given)
        self._remote = given.remote or self._remote
        if self._remote and not self._allow_remote:
            raise RemoteRefusedError(
                f"The server passed the prompt, and with it the report's text, on to {self._remote}, "
                "although it called the model its own; do not use it, or add --allow-remote if it may."
            )
        self._texts += [given.text] if given.text else []
        self._thoughts += [given.thinking] if given.thinking else []
        self._probabilities += given.probabilities
        return None

    def _finished(self, end: Outcome) -> Outcome:
        error, reply_only, reason = "", False, end.done_reason
        if reason in self._reasons:
            if not self._texts and reason != "load":
                error, reply_only = _EMPTY[bool(self._thoughts)], True
        elif reason in ("load", "unload"):
            error = f"The server only {reason}ed the model and gave no reply."
        else:
            error = f'The server ended the call with "{reason}" and not with {" or ".join(self._reasons)}.'
        return replace(self._so_far(error, end=end), reply_only=reply_only)

    def _without_reason(self) -> Outcome:
        """The stream ended in good order but too early: with text before, the reply ran in circles."""
        return replace(self._so_far(_NO_REASON), reply_only=bool(self._texts or self._thoughts))

    def _failed(self, error: ServerError) -> Outcome:
        if not isinstance(error, StatusError):
            return self._so_far(str(error), fatal=isinstance(error, UnreachableError))
        overflow = bool(_OVERFLOW.search(error.detail))
        fatal = error.status in (401, 403, 404) or 300 <= error.status < 400
        found = [match for length in _LENGTHS if overflow and (match := length.search(error.detail))]
        looped = not overflow and error.status in (0, 500) and bool(_LOOPED.search(error.detail))
        return replace(
            self._so_far(
                f"The prompt is longer than the model's context: {error.detail}." if overflow else str(error)
            ),
            fatal=not overflow and (fatal or bool(_HOPELESS.search(error.detail))),
            overflow=overflow,
            reply_only=looped,
            tokens_in=int(found[0][1]) if found else None,
        )

    def _so_far(self, error: str, fatal: bool = False, end: Outcome | None = None) -> Outcome:
        return replace(
            end or Outcome(),
            text=_joined(self._texts),
            thinking=_joined(self._thoughts),
            error=error,
            fatal=fatal,
            remote=self._remote,
            probabilities=tuple(self._probabilities),
        )


def probabilities_in(listed: object) -> tuple[TokenProbability, ...]:
    """What a server's list of {"token", "logprob"} says, what is none left out."""
    found = [models.mapping(one) for one in models.sequence(listed)]
    return tuple(
        TokenProbability(models.text(one.get("token")), float(one["logprob"]))
        for one in found
        if isinstance(one.get("logprob"), (int, float))
    )


def _joined(pieces: list[str]) -> str:
    # A character beyond 16 bits may come as two halves in two pieces, and half a character cannot be stored.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
