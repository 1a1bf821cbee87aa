"""What a run with a model has to ask: the plan, and what the project has been told already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.ledger import Ledger, find_run, take_over
from app.operations.extract.entry import Entry, Source
from app.operations.extract.notes import about_model, require_permission
from app.operations.extract.options import RunOptions, identity
from app.store.reports.documents import document, documents
from extractors.grouping import grouped
from extractors.llm.schedule import (
    RESERVE,
    STEP,
    Call,
    Context,
    Plan,
    choose_context,
    divide,
    free_memory,
    plan,
)
from extractors.llm.sizing import REPLY_SHARE, with_margin
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.llm.types import Client, LoadedModel
from extractors.model.errors import CasespanError, ContextError

if TYPE_CHECKING:
    from app.operations.extract.calling.asking import Asking
    from app.store.extract.runs import CallRecord
    from app.store.project import Project
    from extractors.tasks.base import Prompt, Task

# Shares of a report that make up the whole of it, but for what is lost in adding them up.
_ALL_PARTS = 0.999


class Work:
    """The calls that the reports need, in order, each with whether it is still to be made.

    How reports are divided is settled once per run, by the context and the length of replies that it began
    with, so that a run taken up again makes the same calls. `context`, in tokens, is what the server is asked
    for; it may grow. `refusal` is why the run cannot be made unless a graphics card holds the model, which
    is known once it is loaded. Raises UnknownNameError for a report that is not there, ContextError, and
    what `Client.card` raises.
    """

    def __init__(self, project: Project, client: Client, options: RunOptions, asking: Asking) -> None:
        everything: Sequence[Source] = documents(project) if asking.sources is None else asking.sources
        named = [document(project, key).uuid for key in options.documents]
        self.client, self.options, self.asking, self._project = client, options, asking, project
        self._named = named
        self.task, self.wanted = asking.task, asking.questions
        self.reports = [report for report in everything if not named or report.uuid in named]
        self.card = client.card(options.model)
        require_permission(project, self.client.remote or self.card.remote, options.permitted)
        self.counter = TokenCounter(self.card.vocabulary, self.card.sight or self.card.family)
        self.identity = identity(options, self.card, client, asking.task.id, asking.identity)
        self.run = None if options.new_run else find_run(project, self.identity)
        self.ledger = Ledger(project, self.run)
        self.notes = about_model(self.card, options, recorded=bool(client.about))
        self.notes += asking.caveats(self.identity, self.run, [report.document for report in self.reports])
        self.context = self.limit = 0
        self._on_gpu = self._main_memory = False
        self._everything = everything
        self._begin()

    @property
    def pending(self) -> int:
        """How many calls are to be made."""
        return sum(entry.pending for entry in self.entries)

    @property
    def failed(self) -> bool:
        """Whether any call has failed or is still without an answer."""
        answers = map(self.ledger.of, self.entries)
        return any(answer is None or answer.state in ("failed", "cancelled") for answer in answers)

    @property
    def unasked(self) -> list[tuple[Source, str]]:
        """Reports and questions for which these have nothing to show to the model."""
        return [(self.reports[report], ask) for report, item in self.plan.unasked for ask in item.asks]

    @property
    def unrecorded(self) -> list[tuple[Source, str]]:
        """Those of `unasked` of which the ledger does not know."""
        return [pair for pair in self.unasked if not self.ledger.answer(pair[0].uuid, pair[1], "")]

    @property
    def unwritten(self) -> bool:
        """Whether there is anything that the ledger does not know yet."""
        return bool(self.pending or self.unrecorded or self.reused)

    @property
    def parallel(self) -> int:
        """How many calls may be in flight: what was asked for, as far as the server can do it."""
        return min(self.options.parallel, self.client.capabilities.parallel or self.options.parallel)

    def next(self, flying: Sequence[Entry] = (), ended: Sequence[Entry] = ()) -> Entry | None:
        """The first call that is to be made beside those `flying`; what was never asked goes first.

        Those `ended` are as good as made, though not yet on record.

        A call that failed may fail again: were it asked first, a run could never get past it. Beside others
        a call is about another report, unless the server gains by calls about one.
        """
        within = self.client.capabilities.within_report
        busy = set() if within else {entry.report.uuid for entry in flying}
        again: Entry | None = None
        # What ended before the first that is pending need not be looked at again: there may be thousands.
        while self._begun < len(self.entries) and not self.entries[self._begun].pending:
            self._begun += 1
        for entry in islice(self.entries, self._begun, None):
            if entry.pending and entry not in flying and entry not in ended and entry.report.uuid not in busy:
                if not entry.repeated:
                    return entry
                again = again or entry
        return again

    def answering(self, report: str, question: str, again: str) -> list[Entry]:
        """The calls that answer a question about a report (UUID), part by part."""
        own = self._entries_of.get(report, ())
        return [entry for entry in own if question in entry.item.asks and entry.item.again == again]

    def settings(self) -> dict[str, Any]:
        """Everything a record of the run needs to be made again."""
        return {
            **self.identity,
            "quantisation": self.card.quantisation,
            "parameters": self.card.parameters,
            "size": self.card.size,
            "prompts_version": self.task.version,
            **self.asking.settings,
            "num_ctx": self.context,
            "reply_tokens": self.options.reply_tokens,
            **self.asked(),
            **self.place(),
            **self.means(),
        }

    def asked(self) -> dict[str, Any]:
        """What the run is asked for, this time and before: questions, and reports (UUIDs, none for all)."""
        earlier = self.run.settings if self.run else {"asked": (), "documents": self._named}
        questions = {*earlier["asked"], *self.wanted}
        before = earlier.get("documents", ())
        return {
            "asked": [one for one in self.asking.every or self.wanted if one in questions],
            "documents": [*dict.fromkeys([*before, *self._named])] if before and self._named else [],
        }

    def place(self) -> dict[str, str]:
        """Who answers, and where: what may change while a run goes on."""
        return {"host": self.client.where, "server": self.card.server}

    def means(self) -> dict[str, Any]:
        """How the server is used, which changes no answer: what may change while a run goes on, too."""
        sent = self.client.capabilities.sets_context
        return {
            **({"keep_alive": self.options.keep_alive} if sent else {}),
            "machine": self.options.machine() if sent else {},
            "parallel": self.parallel,
            "schema": self.client.capabilities.schema,
        }

    def reply_room(self, prompt: Prompt, call: Call) -> int:
        """Tokens that the reply gets, by what was learnt of the model's; 0 where the prompt is too long."""
        taken = self.counter.count(prompt.system + prompt.user) + self.counter.pictures(prompt)
        left = self.context - taken - TEMPLATE_TOKENS
        wanted = self._reply(call)
        return min(wanted, left) if left >= min(wanted, self.context // REPLY_SHARE) else 0

    def grow(self) -> bool:
        """Ask for twice the context from now on, or for all there is; False where there is no more."""
        more = min(2 * self.context, self.limit) if self.limit else 2 * self.context
        fixed = self.options.context is not None or not self.client.capabilities.sets_context
        if more <= self.context or fixed:
            return False
        self.context = more
        if not self.client.about:
            self.notes.append(
                f"The context was raised to {more} tokens: the model needs more than estimated."
            )
        return True

    def shrink(self, context: int, reason: str) -> None:
        """Ask for less context from now on; a run that has not begun is planned anew."""
        self.context = self.limit = context
        if self.run is None:
            self._plan(context)
        self.notes.append(f"The context is {context} tokens: {reason}.")

    def keep_within(self, loaded: LoadedModel | None) -> None:
        """Ask for no more context than the server holds the model with."""
        if loaded and 0 < loaded.context < self.context:
            self.shrink(loaded.context, "the server gave no more")

    def divide(self, entry: Entry) -> int:
        """Put smaller calls in the place of one that was too long; their number, 0 where there are none."""
        parts = self._divided(entry.call)
        at = self.entries.index(entry)
        if parts:
            self.entries[at : at + 1] = parts
            self._index()
        return len(parts)

    def widen(self) -> bool:
        """Choose the context anew without regard to main memory, where a graphics card holds the model.

        Known once the model is loaded. Whether the context is another one now.
        """
        if not self._main_memory or self.options.context is not None:
            return False
        before, self._on_gpu = self.context, True
        notes = self.notes
        self.notes = notes[: self._noted]
        self._begin()
        return self.context != before

    def _begin(self) -> None:
        """Settle the context: that of the run, or one for the project's longest report and longest prompt."""
        widest = self.asking.widest or self.task
        self._noted = len(self.notes)
        self.refusal: ContextError | None = None
        can = self.client.capabilities
        loaded = self.client.loaded_model(self.card.name)
        allocated = loaded.context if loaded else 0
        # The weights of a loaded model have their place in memory already, and so has its context.
        self._fitting = replace(self.card, size=0) if allocated else self.card
        taken = RESERVE + allocated * self.card.cache_bytes if allocated else 0
        elsewhere = self.client.remote or not can.sets_context or (loaded and loaded.on_gpu)
        memory = None if elsewhere or self._on_gpu else max(free_memory(), taken)
        self._main_memory = memory is not None
        if self.run is None:
            chosen = self._chosen(widest, memory, loaded=loaded is not None)
            self.notes += chosen.reasons
            base = chosen.num_ctx if can.sets_context else self.card.context or chosen.num_ctx
        else:
            base = self.run.settings["num_ctx"]
            chosen = choose_context(self._fitting, base, memory)
            if self.run.settings["reply_tokens"] and self.options.reply_tokens is None:
                limit = self.run.settings["reply_tokens"]
                self.notes.append(f"Replies have at most {limit} tokens, as when the run began.")
        self.limit = max(chosen.limit, base) if chosen.limit else 0
        self.context = base
        self._plan(base)
        self._grow_for_longer_replies()

    def _chosen(self, widest: Task, memory: int | None, *, loaded: bool) -> Context:
        """The context of a new run; one for a graphics card where main memory is too short for any."""
        reply, context = self.options.reply_tokens, self.options.context
        try:
            return self._planned(self._everything, widest, reply, context, memory).context
        except ContextError as error:
            if memory is None or context is not None or loaded:
                raise
            self.refusal = error
            self.notes.append(f"{error} Where a graphics card holds the model, that is no hindrance.")
        return self._planned(self._everything, widest, reply, context, None).context

    def _plan(self, base: int) -> None:
        reply = self.run.settings["reply_tokens"] if self.run else self.options.reply_tokens
        self.plan = self._planned(self.reports, self.task, reply, base, None)
        self.notes += self.plan.notes[len(self.plan.context.reasons) :]
        self.entries = [entry for call in self.plan.calls for entry in self._entered(call)]
        self._index()
        self.reused: list[tuple[Entry, CallRecord]] = []
        missing = [entry for entry in self.entries if entry.pending and not entry.repeated]
        if missing and self.card.digest and not self.options.new_run:
            self.reused, notes = take_over(self._project, self.identity, self.run, missing)
            self.notes += notes

    def _index(self) -> None:
        """Take note of which entries are about what, and begin to look for the next one at the first."""
        self._begun = 0
        self._entries_of = grouped((entry.report.uuid, entry) for entry in self.entries)

    def _planned(
        self,
        reports: Sequence[Source],
        task: Task,
        reply: int | None,
        context: int | None,
        memory: int | None,
    ) -> Plan:
        texts = [report.document for report in reports]
        return plan(texts, task, self.counter, self._fitting, memory, reply, context)

    def _grow_for_longer_replies(self) -> None:
        """Make room for replies that may be longer than the run began with."""
        lengths = (with_margin(e.call.tokens) + self._reply(e.call) for e in self.entries if e.pending)
        needed = max(lengths, default=0)
        free = self.run is not None and self.options.context is None
        if free and self.options.reply_tokens and needed > self.context:
            # A whole number of steps, and room for an estimate that falls short: what is too narrow by a
            # few tokens looks as if the server had cut the prompt, and would be doubled.
            needed = -(-needed // STEP) * STEP
            self.context = min(needed, self.limit) if self.limit else needed

    def _reply(self, call: Call) -> int:
        return max(call.reply_tokens, self.options.reply_tokens or 0)

    def _most_reply(self, call: Call) -> int:
        """The longest reply that the call can be given, with all the context there may be."""
        most = self.context if self.options.context is not None else self.limit
        wanted = self._reply(call)
        return min(wanted, most - call.tokens) if most else wanted

    def _entered(self, call: Call) -> Iterator[Entry]:
        """The call as an entry; where it was divided before, the calls that took its place."""
        shown = self._as_shown(call)
        for part in shown:
            yield from self._entry(part)
        if not shown or sum(1 / part.item.parts for part in shown) < _ALL_PARTS:
            yield from self._entry(call)

    def _entry(self, call: Call) -> Iterator[Entry]:
        entry = Entry(call, self.reports[call.report], self.task.prompt(call.item).sha256, True)
        answer = self.ledger.of(entry)
        parts = self._divided(call) if answer and answer.state == "divided" else []
        entry.pending = answer is None or self._worth_repeating(answer, call)
        entry.repeated = answer is not None and answer.state != "cancelled"
        yield from parts or [entry]

    def _as_shown(self, call: Call) -> list[Call]:
        """A call for a whole report in the parts in which a recording has it; none where it is not in parts.

        None either where these are of a longer text. A recording may lack parts that were never answered.
        """
        report = self.reports[call.report]
        item = call.item
        shown = self.client.shown_parts(report.key, item.asks) if item.parts == 1 else ()
        if not shown or any(part.spans[-1][1] > len(report.document.text) for part in shown):
            return []
        share = max(1, call.tokens // len(shown))
        items = [replace(item, part=part.part, parts=part.parts, spans=part.spans) for part in shown]
        return [replace(call, item=one, tokens=share, shared=0) for one in items]

    def _divided(self, call: Call) -> list[Entry]:
        """The call's parts, none where it cannot be divided or the instructions alone are too long."""
        prompt = self.task.prompt(call.item)
        kept = min(call.reply_tokens, self.context // REPLY_SHARE)
        instructions = self.counter.count(prompt.system + prompt.instructions) + self.counter.pictures(prompt)
        if instructions + TEMPLATE_TOKENS + kept > self.context:
            return []
        try:
            parts = divide(call, self.task, self.counter, self.context)
        except CasespanError:
            return []
        return [entry for part in parts for entry in self._entered(part)] if len(parts) > 1 else []

    def _worth_repeating(self, answer: CallRecord, call: Call) -> bool:
        """A call given up is; on demand one that failed, was read in part, or may reply at more length."""
        if answer.state == "cancelled":
            return True
        cut = answer.state == "incomplete" and answer.done_reason == "length"
        longer = cut and self._most_reply(call) > answer.details.get("num_predict", 0)
        broken = answer.state == "failed" or bool(answer.details.get("cut_prompt"))
        return self.options.resume and (broken or longer)
