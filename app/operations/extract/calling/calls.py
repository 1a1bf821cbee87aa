"""The calls of one run with a model: some in flight at once, each answer written down as it comes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.operations.extract.answers import Clock, Pace, answer_of, prompt_was_cut, unasked_answer, worth
from app.operations.extract.calling.asking import Answered
from app.operations.extract.calling.ledger import begin_run
from app.operations.extract.entry import Entry, Source
from app.operations.extract.work import Work
from app.operations.project.sets import actor
from app.store.act import Act, begin_act
from app.store.extract.prompts import keep_prompt
from app.store.extract.runs import (
    CallRecord,
    GenerationState,
    Run,
    RunState,
    add_generation,
    finish_run,
    go_on_with_run,
)
from extractors.llm.schedule import observe, reused
from extractors.llm.types import Exchange, Outcome, Request
from extractors.model.errors import CasespanError
from extractors.model.interruption import uninterrupted
from extractors.model.progress import Progress
from extractors.tasks.base import Prompt

if TYPE_CHECKING:
    from app.store.project import Project

POLL_SECONDS = 0.2
_MOST_FAILURES = 5
# Calls that end so shortly after one another are written down together.
_TOGETHER_SECONDS = 0.003
# Calls may end so much later than the minutes that a run is given.
_LATE = 1.05
_TOO_LONG = Outcome(error="The model needs more tokens for this text than estimated; it is shown in parts.")


@dataclass(slots=True, eq=False)
class _Flight:
    """A call under way, with what was sent that a record of it needs."""

    entry: Entry
    prompt: Prompt
    exchange: Exchange
    sent: dict[str, object]
    clock: Clock = field(default_factory=Clock)


class Calls:
    """Makes the pending calls of one run and writes down what comes back."""

    def __init__(self, project: Project, work: Work, clock: Clock) -> None:
        """`clock` runs since the run was begun: loading the model is in the minutes that it has."""
        self._project, self._work = project, work
        self._who = actor(project)
        self.made = 0
        self._clock, self._took_seconds = clock, 0.0
        self._pace = Pace(len(work.reports), work.pending, work.asking.noun)
        self._failures = 0
        self._flying: list[_Flight] = []
        self._ended: list[tuple[_Flight, Outcome]] = []
        self._unsaved: list[tuple[CallRecord, Prompt, Entry | None]] = []
        self._news = threading.Event()
        self._before: dict[str, Prompt] = {}
        self._last: Prompt | None = None
        self._run: Run = self._begin()

    def run(self) -> Generator[Progress, None, str]:
        """Make the calls; returns why the run ended early, "" if it did not."""
        state: RunState = "failed"
        stopped = ""
        try:
            yield from self._write_unasked()
            yield from self._write_reused()
            while not stopped:
                yield from self._fill()
                if self._more_have_ended():
                    continue
                stopped = self._land()
                if not stopped and not self._flying and (self._enough or self._work.next() is None):
                    break
                yield from self._wait()
                if self._late:
                    break
            if not stopped and not self._work.failed:
                state = "done"
            elif not stopped and self._enough and self._work.next() is not None:
                state = "cancelled"
        except (GeneratorExit, KeyboardInterrupt):
            state = "cancelled"
            raise
        finally:
            with uninterrupted():
                self._give_up()
                self._finish(state)
        return stopped

    @property
    def _enough(self) -> bool:
        """Whether as many calls were made, or as much time is over, as were given.

        A call that would take as long as others took, and not end in time, is not begun.
        """
        wanted = self._work.options
        ended = self.made - len(self._flying)
        each = self._took_seconds / ended if ended else 0.0
        over = wanted.minutes is not None and self._clock.seconds + each >= wanted.minutes * 60
        return over or (wanted.calls is not None and self.made >= wanted.calls)

    @property
    def _late(self) -> bool:
        """Whether calls are still under way when the time is over; they are given up, and asked again."""
        wanted = self._work.options.minutes
        return bool(self._flying) and wanted is not None and self._clock.seconds >= wanted * 60 * _LATE

    def _begin(self) -> Run:
        work = self._work
        if work.run is None:
            stem = work.asking.name or f"{work.card.name}/{work.asking.label}"
            work.run = begin_run(self._project, stem, work.settings(), self._who)
        else:
            with begin_act(
                self._project, f"go on with run {work.run.name}", self._who, undoable=False
            ) as act:
                work.run = go_on_with_run(
                    act, work.run, {**work.run.settings, **work.asked(), **work.means()}
                )
        return work.run

    def _finish(self, state: RunState) -> None:
        """Record how the run ended; a disk that refuses even that has been complained of already."""
        name = f"end run {self._run.name}"
        with suppress(CasespanError), begin_act(self._project, name, self._who, undoable=False) as act:
            finish_run(act, self._run.uuid, state)

    def _fill(self) -> Generator[Progress, None, None]:
        """Begin calls until as many are in flight as may be.

        Where there are several, the server goes on while what has ended is written down; but what ended in
        an error is looked at first.
        """
        work = self._work
        if self._ended and (work.parallel == 1 or any(outcome.error for _, outcome in self._ended)):
            return
        while len(self._flying) < work.parallel and not self._enough:
            ended = [flight.entry for flight, _ in self._ended]
            entry = work.next([flight.entry for flight in self._flying], ended)
            if entry is None:
                return
            prompt = work.task.prompt(entry.item)
            room = work.reply_room(prompt, entry.call)
            if not room and (work.grow() or self._divide(entry, prompt, _TOO_LONG, Clock(), {})):
                continue
            # Before every call, so that others get their turn also where replies come at once.
            yield self._pace.progress(entry.subject, entry.call.report, 0, 0)
            self._flying.append(self._start(entry, prompt, room or work.context // 4))

    def _start(self, entry: Entry, prompt: Prompt, room: int) -> _Flight:
        work, wanted = self._work, self._work.options
        limits = {"num_ctx": work.context, "num_predict": room}
        # Some forms need those of their tokens; others are the better for them where they are sure to come.
        needed = getattr(prompt.form, "probabilities", False)
        better = wanted.sure or getattr(prompt.form, "better_sure", False)
        probabilities = needed or (better and work.client.capabilities.probabilities)
        if probabilities:
            # Else they would be taken of the likeliest tokens alone.
            limits["top_k"] = 0
        request = Request(
            work.card.name,
            prompt.with_bytes() if prompt.pictures else prompt,
            {**_seeded(wanted.sampling(), entry.item.again), **wanted.machine(), **limits},
            wanted.think,
            entry.subject,
            probabilities=probabilities,
            keep_alive=wanted.keep_alive,
        )
        self.made += 1
        exchange = work.client.start(request, self._news.set)
        return _Flight(entry, prompt, exchange, {**limits, **work.place()})

    def _wait(self) -> Generator[Progress, None, None]:
        """Wait until calls have ended; the others go on."""
        while self._flying and not self._ended and not self._late:
            self._news.clear()
            self._collect()
            if not self._ended and not self._news.wait(POLL_SECONDS):
                first = self._flying[0]
                entry, tokens = first.entry, first.exchange.tokens
                yield self._pace.progress(entry.subject, entry.call.report, tokens, first.clock.seconds)

    def _more_have_ended(self) -> bool:
        """Whether calls end shortly after one another: the next are begun at once, all written together."""
        before = len(self._ended)
        if not self._flying or not 0 < before <= 2 * self._work.parallel:
            return False
        until = time.monotonic() + _TOGETHER_SECONDS
        while self._news.wait(max(0.0, until - time.monotonic())):
            self._news.clear()
            self._collect()
            if len(self._ended) > before:
                return True
        return False

    def _collect(self) -> None:
        """Set those apart that have ended."""
        with uninterrupted():
            for flight in list(self._flying):
                outcome = flight.exchange.poll(0)
                if outcome is not None:
                    self._flying.remove(flight)
                    self._ended.append((flight, worth(outcome, flight.prompt.form, self._work.client)))

    def _land(self) -> str:
        """Take in how calls ended, in one act; returns why no other is to be made, "" where one may be."""
        with uninterrupted():
            ended, self._ended = self._ended, []
            stopped = [self._took(flight, outcome) for flight, outcome in ended]
            self._save()
        return next(filter(None, stopped), "")

    def _took(self, flight: _Flight, outcome: Outcome) -> str:
        """Take in how one call ended; returns why no other is to be made."""
        work = self._work
        if outcome.digest and work.card.digest and outcome.digest != work.card.digest:
            error = (
                f"The model {work.card.name} was replaced on the server during the run; what the other one "
                "replied is on record and not used."
            )
            self._record(flight, replace(outcome, error=error), "cancelled")
            return f"{error} It would make another run; for this one the former must be there again."
        self._take(flight, outcome)
        if outcome.fatal:
            return outcome.error
        if self._failures >= _MOST_FAILURES:
            return f"{self._failures} calls failed one after the other, the last: {outcome.error}"
        return ""

    def _give_up(self) -> None:
        """Take in what has ended, hang up on the other calls, all at once, and keep what came of them."""
        self._collect()
        for flight in self._flying:
            flight.exchange.hang_up()
        with suppress(CasespanError):
            self._land()
        while self._flying:
            flight = self._flying.pop()
            flight.exchange.close()
            self._record(flight, flight.exchange.poll(0) or Outcome(), "cancelled")
        with suppress(CasespanError):
            self._save()

    def _take(self, flight: _Flight, outcome: Outcome) -> None:
        """Record an answer together with what it completes; a prompt that was too long is divided."""
        work, prompt, entry = self._work, flight.prompt, flight.entry
        estimated = work.counter.least(prompt)
        context = int(str(flight.sent["num_ctx"]))
        cut = prompt_was_cut(estimated, context, outcome, exact=work.card.vocabulary is not None)
        if outcome.overflow:
            observe(work.counter, prompt, max(outcome.tokens_in or 0, context))
        elif outcome.tokens_in and not outcome.thinking:
            observe(work.counter, prompt, outcome.tokens_in)
        long = outcome.overflow or cut
        if long and (context < work.context or work.grow()):
            # Given up for a better one; where the run is stopped before that, it is asked again.
            self._record(flight, outcome, "cancelled", cut_prompt=cut)
            entry.pending = True
        elif not (long and self._divide(entry, prompt, outcome, flight.clock, flight.sent)):
            failed = outcome.error and not outcome.reply_only
            self._failures = self._failures + 1 if failed else 0
            self._record(flight, outcome, cut_prompt=cut)

    def _divide(
        self, entry: Entry, prompt: Prompt, outcome: Outcome, clock: Clock, sent: dict[str, object]
    ) -> bool:
        """Put parts in the place of a call that does not fit; False where it cannot be divided."""
        parts = self._work.divide(entry)
        if parts:
            self._pace.stop(outcome, parts)
            with begin_act(
                self._project, f"divide a call of {self._run.name}", self._who, undoable=False
            ) as act:
                self._keep(act, answer_of(entry, prompt, outcome, clock, "divided", sent), prompt)
        return bool(parts)

    def _record(
        self,
        flight: _Flight,
        outcome: Outcome,
        state: GenerationState | None = None,
        *,
        cut_prompt: bool = False,
    ) -> None:
        """Make the record of an answer, for `_save` to write."""
        entry, prompt = flight.entry, flight.prompt
        entry.pending = False
        self._pace.stop(outcome)
        self._took_seconds += flight.clock.seconds
        counter = self._work.counter
        before = self._before.get(entry.report.uuid) or self._last
        self._before.pop(entry.report.uuid, None)
        self._before[entry.report.uuid] = self._last = prompt
        if len(self._before) > self._work.parallel:
            del self._before[next(iter(self._before))]
        details = {
            "estimated_tokens": counter.unscaled(prompt.system + prompt.user) + counter.pictures(prompt),
            "shared_tokens": round(reused(before, prompt, counter) / counter.scale),
            "cut_prompt": cut_prompt,
            **self._of_label(prompt),
        }
        # Of several servers the one that answered.
        flight.sent["host"] = getattr(flight.exchange, "where", flight.sent.get("host", ""))
        recorded = bool(self._work.client.about)
        answer = answer_of(
            entry, prompt, outcome, flight.clock, state, {**flight.sent, **details}, recorded=recorded
        )
        self._unsaved.append((answer, prompt, entry if state is None else None))

    def _of_label(self, prompt: Prompt) -> dict[str, int]:
        """Of a label that is to be written: how many tokens the model's own vocabulary makes of it."""
        label = getattr(prompt.form, "label", "")
        known = label and self._work.card.vocabulary is not None
        return {"own_tokens": int(self._work.counter.unscaled(label))} if known else {}

    def _save(self) -> None:
        """Write answers down, and with the last one to a question what the task makes of them."""
        unsaved, self._unsaved = self._unsaved, []
        if not unsaved:
            return
        with begin_act(self._project, f"answer to {self._run.name}", self._who, undoable=False) as act:
            for answer, prompt, _ in unsaved:
                self._keep(act, answer, prompt)
            for _, _, entry in unsaved:
                if entry is not None:
                    self._write_complete(act, entry)

    def _write_complete(self, act: Act, entry: Entry) -> None:
        """Write down what the questions say whose last answer this was."""
        answered = (self._answered(entry, ask) for ask in entry.item.asks)
        self._write(act, entry.report, [one for one in answered if one is not None])

    def _answered(self, entry: Entry, question: str) -> Answered | None:
        """All that was answered to one of the questions of a call; None where a part is still to come."""
        work, again = self._work, entry.item.again
        entries = work.answering(entry.report.uuid, question, again)
        if any(other.pending for other in entries):
            return None
        calls = tuple((work.ledger.of(other), work.task.form(other.item)) for other in entries)
        return Answered(question, calls, again)

    def _write(self, act: Act, report: Source, answered: list[Answered]) -> None:
        asked = self._work.ledger.questions(report.uuid).union(self._work.wanted)
        self._work.asking.keep(act, self._run, report, answered, asked)

    def _keep(self, act: Act, answer: CallRecord, prompt: Prompt | None) -> None:
        """Put a call on record, with what was asked in it, None where that was nothing."""
        if prompt is not None:
            keep_prompt(act, prompt.system, prompt.pieces, prompt.form.schema(), prompt.pictures_json)
        self._work.ledger.add(answer, add_generation(act, self._run.uuid, answer).uuid)

    def _write_unasked(self) -> Generator[Progress, None, None]:
        """Record the questions for which a report has nothing to show: nothing asked, nothing answered."""
        for report, question in self._work.unrecorded:
            yield Progress(0, self._work.pending, f"{report.key} {question}")
            with begin_act(self._project, f"answer to {self._run.name}", self._who, undoable=False) as act:
                self._keep(act, unasked_answer(report.uuid, question), None)
                self._write(act, report, [Answered(question, ())])

    def _write_reused(self) -> Generator[Progress, None, None]:
        """Record what another run was answered to the very same prompts: nobody is asked twice."""
        while self._work.reused:
            entry, answer = self._work.reused[0]
            yield Progress(0, self._work.pending, f"{entry.report.key} {entry.item.question}")
            with begin_act(self._project, f"answer to {self._run.name}", self._who, undoable=False) as act:
                self._keep(act, answer, self._work.task.prompt(entry.item))
                self._write_complete(act, entry)
            self._work.reused.pop(0)


def _seeded(sampling: Mapping[str, Any], again: str) -> dict[str, Any]:
    """The sampler's options with the seed of that time, where an item is asked with several."""
    more = json.loads(again).get("seed", 0) if again else 0
    return {**sampling, "seed": sampling["seed"] + more} if more else dict(sampling)
