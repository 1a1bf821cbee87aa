"""A call to a model server under way: its lines put together to one outcome, whatever may go wrong."""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from extractors.llm.clients.feed import Feed
from extractors.llm.clients.sockets import GivenUpError, UnreachableError
from extractors.llm.clients.wire import Json, StatusError, said_in
from extractors.llm.models import count, mapping, plain_words, remote_of, text
from extractors.llm.types import Outcome
from extractors.model.errors import ModelNotFoundError, RemoteRefusedError, ServerError

# As servers from 0.12 to 0.33 and the engines under them say that a prompt does not fit.
_OVERFLOW = re.compile(
    r"(exceed|longer than|too long|too large).*\bcontext|exceed_context_size", re.IGNORECASE
)
_TOKENS = re.compile(r"\b(\d{1,9}) tokens")
_HOPELESS = re.compile(r"does not support|requires more system memory", re.IGNORECASE)
_NO_REASON = (
    "The reply ended without the server saying that it was done, as it does when a model repeats itself or "
    "the server is stopped."
)

_EMPTY = (
    "The model gave an empty reply.",
    "The model only thought and gave no reply: turn thinking off, or give it more tokens (num_predict).",
)


class OllamaExchange:
    """One reply from /api/chat or /api/generate; only `poll` takes in what has come.

    `reasons` are the ends that are no error; a reply from another machine is one unless `allow_remote`.
    """

    def __init__(self, feed: Feed, reasons: tuple[str, ...], *, allow_remote: bool) -> None:
        self._feed = feed
        self._reasons = reasons
        self._allow_remote = allow_remote
        self._remote = ""
        self._texts: list[str] = []
        self._thoughts: list[str] = []
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
                line = self._feed.get(end - time.monotonic())
                self._outcome = self._so_far(_NO_REASON) if line is None else self._take(line)
            except queue.Empty:
                return None
            except ServerError as error:
                self._outcome = self._failed(error)
            except (ModelNotFoundError, RemoteRefusedError) as error:
                self._outcome = self._so_far(str(error), fatal=True)
            if self._outcome is not None:
                self._feed.close()
        return self._outcome

    def close(self) -> None:
        """Give the call up; what came so far stays in the outcome."""
        self._feed.close()
        self.poll(0)
        if self._outcome is None:
            self._outcome = self._failed(GivenUpError("The call was given up."))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, line: Json) -> Outcome | None:
        self._remote = remote_of(line) or self._remote
        if self._remote and not self._allow_remote:
            raise RemoteRefusedError(
                f"The server passed the prompt, and with it the report's text, on to {self._remote}, "
                "although it called the model its own; do not use it, or add --allow-remote if it may."
            )
        if "error" in line:
            said = said_in(line) or "an error without a name"
            raise StatusError(f"The server broke the reply off: {said}.", 0, said)
        message = mapping(line.get("message"))
        said = text(message.get("content")) or text(line.get("response"))
        thought = text(message.get("thinking")) or text(line.get("thinking"))
        self._texts += [said] if said else []
        self._thoughts += [thought] if thought else []
        return self._finished(line) if line.get("done") is True else None

    def _finished(self, line: Mapping[str, Any]) -> Outcome:
        reason = plain_words(text(line.get("done_reason")))
        if reason in self._reasons:
            error = "" if self._texts or reason == "load" else _EMPTY[bool(self._thoughts)]
        elif reason in ("load", "unload"):
            error = f"The server only {reason}ed the model and gave no reply."
        else:
            error = f'The server ended the call with "{reason}" and not with {" or ".join(self._reasons)}.'
        return replace(
            self._so_far(error),
            done_reason=reason,
            tokens_in=count(line.get("prompt_eval_count")) or None,
            tokens_out=count(line.get("eval_count")),
            load_seconds=_seconds(line.get("load_duration")),
            prefill_seconds=_seconds(line.get("prompt_eval_duration")),
            reply_seconds=_seconds(line.get("eval_duration")),
        )

    def _failed(self, error: ServerError) -> Outcome:
        if not isinstance(error, StatusError):
            return self._so_far(str(error), fatal=isinstance(error, UnreachableError))
        overflow = bool(_OVERFLOW.search(error.said))
        fatal = error.status in (401, 403, 404) or 300 <= error.status < 400
        tokens = _TOKENS.search(error.said) if overflow else None
        return replace(
            self._so_far(
                f"The prompt is longer than the model's context: {error.said}." if overflow else str(error)
            ),
            fatal=not overflow and (fatal or bool(_HOPELESS.search(error.said))),
            overflow=overflow,
            tokens_in=int(tokens[1]) if tokens else None,
        )

    def _so_far(self, error: str, fatal: bool = False) -> Outcome:
        return Outcome(
            _joined(self._texts), _joined(self._thoughts), error=error, fatal=fatal, remote=self._remote
        )


def _joined(pieces: list[str]) -> str:
    # A character beyond 16 bits may come as two halves in two pieces, and half a character cannot be stored.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _seconds(nanoseconds: object) -> float | None:
    whole = count(nanoseconds)
    return None if whole is None else whole / 1e9
