"""A client that answers from recorded replies, so that a finished model run can be shown without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from extractors.llm.clients.recording import Recording, read_recording, write_recording
from extractors.llm.types import ModelCard, Outcome, Request, Subject
from extractors.model.errors import ModelNotFoundError

__all__ = ["Recording", "ReplayClient", "Replayed", "read_recording", "write_recording"]


class ReplayClient:
    """A Client that gives recorded replies by what a request is about and asks no model."""

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
    def remote(self) -> str:
        """Nothing, since no text goes anywhere."""
        return ""

    def card(self, model: str) -> ModelCard:
        """The model's description as recorded; raises ModelNotFoundError for any other model."""
        if model != self._recording.model:
            raise ModelNotFoundError(self._other(model))
        return self._recording.card

    def allocated_context(self, model: str) -> int:
        """0, since no model is loaded."""
        return 0

    def load(self, model: str, options: Mapping[str, int | float]) -> Replayed:
        """Done at once, since there is nothing to load; an error for any other model."""
        return Replayed(self._refusal(model) or Outcome(done_reason="load"))

    def start(self, request: Request) -> Replayed:
        """The recorded reply; where there is none, an outcome whose error says so."""
        refusal = self._refusal(request.model)
        if refusal:
            return Replayed(refusal)
        if request.subject is None:
            return Replayed(Outcome(error="A recorded reply is found by report and category only."))
        found = self._recording.replies.get(request.subject)
        if found is None:
            return Replayed(Outcome(error=f"There is no recorded reply for {_named(request.subject)}."))
        if not found.error and found.done_reason not in ("stop", "length"):
            found = replace(found, error="The recorded reply has no end.")
        return Replayed(found)

    def _refusal(self, model: str) -> Outcome | None:
        return None if model == self._recording.model else Outcome(error=self._other(model), fatal=True)

    def _other(self, model: str) -> str:
        return f"{self._file} holds no replies of {model}; ask for {self._recording.model}."


class Replayed:
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

    def close(self) -> None:
        """Nothing: there is no work to stop."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _named(subject: Subject) -> str:
    categories = subject.categories
    asked = categories[0] if len(categories) == 1 else f"{len(categories)} categories together"
    part = f", part {subject.part + 1} of {subject.parts}" if subject.parts > 1 else ""
    return f"{subject.report}, {asked}{part}"
