"""What a run with a model has to ask: the plan, and what the project has been told already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.operations.ledger import Ledger, find_run
from app.operations.model_options import ModelOptions, identity
from app.store.documents import StoredDocument, document, documents
from extractors.errors import CasespanError
from extractors.llm.context import free_memory
from extractors.llm.prompts import PromptSet
from extractors.llm.schedule import Call, Plan, divide, plan
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.llm.types import Client, Prompt

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.runs import Answer

_OLD_SERVER = (
    "This server is older than 0.12.6 and cuts long prompts in silence; what it counts is checked, but a "
    "newer one refuses them openly."
)


@dataclass(slots=True, eq=False)
class Entry:
    """A call of the plan about a report; `sha256` is its prompt's, by which the ledger knows it."""

    call: Call
    report: StoredDocument
    sha256: str
    pending: bool

    @property
    def category(self) -> str:
        """As the ledger has it: "" for a call that asks for several."""
        return self.call.categories[0] if len(self.call.categories) == 1 else ""


class Work:
    """The calls that the reports need, in order, each with whether it is still to be made.

    Raises UnknownNameError for a report or category that is not there, and what `Client.card` raises.
    """

    def __init__(self, project: Project, client: Client, options: ModelOptions) -> None:
        scheme = project.scheme
        asked = {scheme.category(category).id for category in options.categories} or set(scheme.ids)
        found = [document(project, key) for key in options.documents] or documents(project)
        self.client, self.options = client, options
        self.wanted = tuple(category for category in scheme.ids if category in asked)
        self.reports = list({report.uuid: report for report in found}.values())
        self.card = client.card(options.model)
        self.prompts = PromptSet(scheme, options.prompting)
        self.counter = TokenCounter(self.card.vocabulary)
        self.identity = identity(options, self.card, self.prompts.sha256, client.about)
        self.run = None if options.new_run else find_run(project, self.identity)
        self.ledger = Ledger(project, self.run)
        self.notes: list[str] = [_OLD_SERVER] if _cuts_silently(self.card.server) else []
        # Reports that were divided in this run keep their parts only while the context stays.
        self._replan(options.context or self.ledger.split_context)

    @property
    def pending(self) -> int:
        """How many calls are to be made."""
        return sum(entry.pending for entry in self.entries)

    @property
    def failed(self) -> bool:
        """Whether any call has failed or is still without an answer."""
        answers = (self.answer(entry) for entry in self.entries)
        return any(answer is None or answer.state in ("failed", "cancelled") for answer in answers)

    @property
    def unasked(self) -> list[tuple[StoredDocument, str]]:
        """Reports and categories that have nothing to show to the model, as far as that is not recorded."""
        pairs = [(self.reports[report], category) for report, category in self.plan.unasked]
        return [pair for pair in pairs if not self.ledger.answer(pair[0].uuid, pair[1], "")]

    def next(self) -> Entry | None:
        """The first call that is to be made."""
        return next((entry for entry in self.entries if entry.pending), None)

    def of_category(self, report: str, category: str) -> list[Entry]:
        """The calls that answer for a category of a report (UUID), part by part."""
        own = (entry for entry in self.entries if entry.report.uuid == report)
        return [entry for entry in own if category in entry.call.categories]

    @property
    def context(self) -> int:
        """The context, in tokens, that every call asks for."""
        return self.plan.context.num_ctx

    def settings(self) -> dict[str, Any]:
        """Everything a record of the run needs to be made again."""
        card, client = self.card, self.client
        return {
            **self.identity,
            "quantisation": card.quantisation,
            "parameters": card.parameters,
            "size": card.size,
            "server": card.server,
            "host": client.where,
            "remote": client.remote or card.remote,
            "prompts_version": self.prompts.version,
            "num_ctx": self.context,
        }

    def too_long(self, prompt: Prompt, call: Call) -> bool:
        """Whether a prompt with its reply no longer fits, after what was learnt of the model's tokens."""
        tokens = self.counter.count(prompt.system + prompt.user) + TEMPLATE_TOKENS
        return tokens + call.reply_tokens > self.context

    def shrink(self, context: int, why: str) -> None:
        """Plan again with a smaller context."""
        self._replan(context)
        self.notes.append(f"The context is {context:,} tokens: {why}.")

    def prompt(self, call: Call) -> Prompt:
        """The call in words."""
        text = self.reports[call.report].document.text
        block = self.prompts.report(text, call.spans, call.part, call.parts)
        return self.prompts.prompt(block, call.categories)

    def answer(self, entry: Entry) -> Answer | None:
        """What the ledger has for an entry."""
        return self.ledger.answer(entry.report.uuid, entry.category, entry.sha256)

    def divide(self, entry: Entry) -> int:
        """Put smaller calls in the place of one that was too long; their number, 0 where there are none."""
        parts = self._divided(entry.call)
        at = self.entries.index(entry)
        if parts:
            self.entries[at : at + 1] = parts
        return len(parts)

    def _replan(self, context: int | None) -> None:
        self.plan: Plan = plan(
            [report.document for report in self.reports],
            self.prompts,
            self.options.strategy,
            self.wanted,
            self.counter,
            self.card,
            None if self.client.remote else free_memory(),
            self.options.reply_tokens,
            context,
        )
        self.entries = [entry for call in self.plan.calls for entry in self._entered(call)]

    def _entered(self, call: Call) -> Iterator[Entry]:
        """The call as an entry; where it was divided before, the calls that took its place."""
        entry = Entry(call, self.reports[call.report], self.prompt(call).sha256, True)
        answer = self.answer(entry)
        parts = self._divided(call) if answer and answer.state == "divided" else []
        entry.pending = answer is None or self._worth_repeating(answer, call)
        yield from parts or [entry]

    def _divided(self, call: Call) -> list[Entry]:
        document = self.reports[call.report].document
        try:
            parts = divide(document, call, self.prompts, self.counter, self.context)
        except CasespanError:
            return []
        return [entry for part in parts for entry in self._entered(part)] if len(parts) > 1 else []

    def _worth_repeating(self, answer: Answer, call: Call) -> bool:
        """A call given up is; a failed one on demand; a cut one if the reply may now be longer."""
        if answer.state == "failed":
            return self.options.resume
        cut = answer.state == "incomplete" and answer.done_reason == "length"
        longer = self.options.resume and call.reply_tokens > answer.details.get("num_predict", 0)
        return answer.state == "cancelled" or (cut and longer)


def _cuts_silently(server: str) -> bool:
    """Whether a server of that version has no way to be told not to cut prompts; unknown versions may."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", server)
    return numbers is not None and (0, 0, 0) < tuple(map(int, numbers.groups())) < (0, 12, 6)
