"""A client that answers from recorded replies, so that a finished model run can be shown without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from extractors.llm.backends.recording import Recording, read_recording, write_recording
from extractors.llm.types import (
    KEEP_ALIVE,
    Capabilities,
    Client,
    Exchange,
    ModelCard,
    ModelEntry,
    Outcome,
    PullProgress,
    Request,
    ShownPart,
    Subject,
)
from extractors.model.errors import CallError, ModelNotFoundError

__all__ = ["Recording", "ReplayClient", "Replayed", "read_recording", "write_recording"]


class ReplayClient(Client):
    """A Client that gives recorded replies by what a request is about and asks no model."""

    label = "Recording"

    def __init__(self, recording: Recording, file: str) -> None:
        """`file` is the name of the recording's file, for records and messages."""
        self._recording = recording
        self._file = file

    @property
    def where(self) -> str:
        kind = "invented replies" if self._recording.invented else "replies"
        return f"{kind} recorded in {self._file}"

    @property
    def about(self) -> str:
        """What the recording says of its replies."""
        return self._recording.about

    @property
    def recorded(self) -> frozenset[str]:
        return frozenset(ask for subject in self._recording.replies for ask in subject.asks)

    def card(self, model: str) -> ModelCard:
        """The model's description as recorded; raises ModelNotFoundError for any other model."""
        if model != self._recording.model:
            raise ModelNotFoundError(self._other(model))
        return self._recording.card

    @property
    def capabilities(self) -> Capabilities:
        """What the recorded server may have been able to do is of no use any more."""
        return Capabilities(sets_context=True, schema="recorded", parallel=1)

    def version(self) -> str:
        """That of the server that was recorded."""
        return self._recording.card.server

    def models(self) -> tuple[ModelEntry, ...]:
        """The one model whose replies there are."""
        card = self._recording.card
        return (ModelEntry(card.name, card.digest, quantisation=card.quantisation, context=card.context),)

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Nothing that a recording can do; raises CallError."""
        raise CallError(f"{self._file} is a recording and fetches no models.")

    def shown_parts(self, report: str, asks: tuple[str, ...]) -> tuple[ShownPart, ...]:
        """The parts of the report that the recorded replies answer, where it was shown in parts."""
        return self._recording.shown.get((report, asks), ())

    def load(self, model: str, options: Mapping[str, int | float], keep_alive: str = KEEP_ALIVE) -> Replayed:
        """Done at once, since there is nothing to load; an error for any other model."""
        return Replayed(self._refusal(model) or Outcome(done_reason="load"))

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> Replayed:
        """The recorded reply; where there is none, an outcome whose error says so.

        Neither is a failure of a server: whatever was recorded, the next reply can be played.
        """
        replayed = Replayed(self._refusal(request.model) or self._found(request.subject))
        if wake is not None:
            wake()
        return replayed

    def _found(self, subject: Subject | None) -> Outcome:
        if subject is None:
            return Outcome(error="A recorded reply is found by report and category only.", reply_only=True)
        found = self._recording.replies.get(subject)
        if found is None:
            return Outcome(error=f"There is no recorded reply for {_named(subject)}.", reply_only=True)
        if not found.error and found.done_reason not in ("stop", "length"):
            return replace(found, error="The recorded reply has no end.", reply_only=True)
        return replace(found, reply_only=bool(found.error))

    def _refusal(self, model: str) -> Outcome | None:
        return None if model == self._recording.model else Outcome(error=self._other(model), fatal=True)

    def _other(self, model: str) -> str:
        return f"{self._file} holds no replies of {model}; ask for {self._recording.model}."


class Replayed(Exchange):
    """An Exchange that had ended before it began."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    @property
    def tokens(self) -> int:
        """The recorded number of the reply's tokens, 0 where none was recorded."""
        return self._outcome.tokens_out or 0

    def poll(self, seconds: float) -> Outcome:
        """The outcome, without waiting."""
        return self._outcome

    def hang_up(self) -> None:
        """Nothing: there is no work to stop."""

    def close(self) -> None:
        """Nothing: there is no work to stop."""


def _named(subject: Subject) -> str:
    asks = subject.asks
    asked = asks[0] if len(asks) == 1 else f"{len(asks)} categories together"
    part = f", part {subject.part + 1} of {subject.parts}" if subject.parts > 1 else ""
    return f"{subject.report}, {asked}{part}"
