"""From the end of a call to its record: what state it is in, and how fast the run goes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import ASKS
from app.store.extract.runs import CallRecord, GenerationState
from app.store.values import now
from app.text import duration
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.entry import Entry
    from extractors.llm.types import Client, Outcome, Subject
    from extractors.tasks.base import Form, Prompt

# How far the server's count may fall below the estimate before the prompt counts as cut by the server: an
# estimate from the model's own vocabulary is close, one from characters on the safe side by construction.
_LEAST_COUNTED, _LEAST_COUNTED_ROUGHLY = 0.75, 0.4


def prompt_was_cut(estimated: int, context: int, outcome: Outcome, *, exact: bool) -> bool:
    """Whether the server must have cut the prompt, from the tokens that it counted.

    Servers before 0.12.6 cut in silence and keep the end, or push the beginning out while the reply grows:
    then the `context` is full to the brim, or more was read and written than it holds. What comes far below
    the estimate was cut, too. A server that counts nothing cannot be checked; thinking is counted along.
    `exact` where the estimate stands on the model's own vocabulary.
    """
    if not outcome.tokens_in:
        return False
    full = outcome.tokens_in >= context or outcome.tokens_in + (outcome.tokens_out or 0) > context
    least = _LEAST_COUNTED if exact else _LEAST_COUNTED_ROUGHLY
    return full or (not outcome.thinking and outcome.tokens_in < least * estimated)


def no_probabilities(client: Client) -> str:
    """Why labels cannot be ranked there."""
    return (
        f"{client.label} at {client.where} gives no log-probabilities of what a model writes, by which "
        "labels are ranked; use another server (Ollama 0.12.11 or newer gives them)."
    )


def worth(outcome: Outcome, form: Form, client: Client) -> Outcome:
    """How a call ended; with an error that ends the run where a server leaves out, unlike what its kind can
    do, the probabilities without which a reply is worth nothing."""
    needed = getattr(form, "probabilities", False) and not client.about
    if not needed or outcome.error or outcome.probabilities or not outcome.text:
        return outcome
    return replace(outcome, error=no_probabilities(client), fatal=True)


class Clock:
    """When a call began, and how long it has been under way."""

    def __init__(self) -> None:
        self.started_at = now()
        self._begun = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._begun


class Pace:
    """How far a run is: calls made, tokens per second, time left."""

    def __init__(self, reports: int, calls: int, noun: str = "report") -> None:
        self._reports, self._calls, self._noun = reports, calls, noun
        self._made = 0
        self._tokens = 0
        self._writing = 0.0
        self._begun = time.monotonic()

    def stop(self, outcome: Outcome, more: int = 0) -> None:
        """The call has ended, and `more` calls than planned are to come."""
        self._made += 1
        self._calls += more
        if outcome.tokens_out and outcome.reply_seconds:
            self._tokens += outcome.tokens_out
            self._writing += outcome.reply_seconds

    def progress(self, subject: Subject, report: int, tokens: int, seconds: float) -> Progress:
        """Calls made of all, and a note: which report and category, speed, time left.

        `tokens` have come of the reply in the `seconds` that the call has been under way.
        """
        what = subject.asks[0] if len(subject.asks) == 1 else "all categories"
        notes = [f"{subject.report} {what}", f"{self._noun} {report + 1} of {self._reports}"]
        if subject.parts > 1:
            notes.append(f"part {subject.part + 1} of {subject.parts}")
        notes.append(f"{tokens} tokens" if tokens else f"reading, {seconds:.0f} s")
        if self._writing:
            notes.append(f"{self._tokens / self._writing:.0f} tokens/s")
        if self._made:
            left = (time.monotonic() - self._begun) / self._made * (self._calls - self._made)
            notes.append(f"{duration(left)} left")
        return Progress(self._made, self._calls, " · ".join(notes))


def answer_of(
    entry: Entry,
    prompt: Prompt,
    outcome: Outcome,
    clock: Clock,
    state: GenerationState | None,
    details: Mapping[str, Any],
    *,
    recorded: bool = False,
) -> CallRecord:
    """The record of a call; its state is read off the outcome where none is given.

    What is answered from a recording (`recorded`) took no time worth writing down. A call whose reply came to
    its end and says all that was asked is done; one that ended but is cut or malformed is incomplete; one
    that the server or the line broke off has failed, whatever came before.
    """
    reading = prompt.form.read(outcome.text)
    problems = [] if outcome.error and not outcome.text else list(reading.problems)
    if state is None:
        whole = reading.complete and outcome.done_reason == "stop" and not details.get("cut_prompt")
        state = "failed" if outcome.error else "done" if whole else "incomplete"
    item = entry.item
    return CallRecord(
        subject=entry.report.uuid,
        question=item.question,
        prompt_sha256=entry.sha256,
        raw_reply=storable(outcome.text) or None,
        started_at=clock.started_at,
        finished_at=now(),
        seconds=None if recorded else round(clock.seconds, 3),
        tokens_in=outcome.tokens_in,
        tokens_out=outcome.tokens_out,
        done_reason=outcome.done_reason,
        error=storable(outcome.error),
        state=state,
        part=item.part,
        parts=item.parts,
        again=item.again,
        details={
            ASKS: list(item.asks),
            "spans": [list(span) for span in item.spans],
            "load_seconds": outcome.load_seconds,
            "prefill_seconds": outcome.prefill_seconds,
            "reply_seconds": outcome.reply_seconds,
            "problems": [storable(problem) for problem in problems],
            **({"thinking": storable(outcome.thinking)} if outcome.thinking else {}),
            **({"remote": outcome.remote} if outcome.remote else {}),
            **({"probabilities": _pairs(outcome)} if outcome.probabilities else {}),
            **details,
        },
    )


def _pairs(outcome: Outcome) -> list[list[object]]:
    return [[storable(one.token), one.logarithm] for one in outcome.probabilities]


def storable(text: str) -> str:
    """The text with every half character, which no file can hold, as its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def unasked_answer(report: str, question: str) -> CallRecord:
    """The record that a report (UUID) has nothing to show for a question, so that it was not asked."""
    at = now()
    details = {"problems": [], "unasked": "No section of the report speaks of this category."}
    return CallRecord(report, question, "", None, at, at, details=details)
