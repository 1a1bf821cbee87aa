"""What prompts take in tokens, counted block by block, and reports divided until their prompts fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from extractors.llm.splitting import Span, split
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.model.document import Document
from extractors.model.errors import ContextError

if TYPE_CHECKING:
    from extractors.llm.prompts import PromptSet

Ask: TypeAlias = tuple[str, ...]

# A reply may quote half of what is shown, within these bounds; one for all categories at once gets the
# most, and reasoning before the answer is added.
LEAST_REPLY, GREATEST_REPLY, GLOBAL_REPLY, REASONING = 1024, 2048, 4096, 512
# Where the context is short, a reply gives way down to this share of it before the report is divided.
REPLY_SHARE = 3
# Word by word estimates fall short of real tokenizers' counts by up to this share.
MARGIN = 0.04
# Tokens of a report below which a part is too short to be read by itself.
LEAST_PART = 128


@dataclass(frozen=True, slots=True)
class Group:
    """Calls on the same text: `block` shows the spans and takes `tokens`; part `part` (from 0) of `parts`."""

    report: int
    document: Document
    spans: tuple[Span, ...]
    asks: tuple[Ask, ...]
    block: str
    tokens: int
    part: int = 0
    parts: int = 1


class Sizes:
    """Counts prompts by their blocks, each block and each task once; `reply_tokens` None takes the rule."""

    def __init__(self, prompts: PromptSet, counter: TokenCounter, reply_tokens: int | None) -> None:
        self._prompts, self._counter, self._reply_tokens = prompts, counter, reply_tokens
        self._system = counter.count(prompts.system)
        self._tasks: dict[Ask, tuple[str, int]] = {}

    def group(self, report: int, document: Document, spans: tuple[Span, ...], asks: tuple[Ask, ...]) -> Group:
        """The whole of the spans in one block."""
        block = self._prompts.report(document.text, spans)
        return Group(report, document, spans, asks, block, self._counter.count(block))

    def prompt(self, group: Group, ask: Ask) -> int:
        """Tokens of a whole prompt."""
        return self._system + group.tokens + self._task(ask)[1] + TEMPLATE_TOKENS

    def wanted(self, group: Group, ask: Ask) -> int:
        """The reply that a call should have room for."""
        if self._reply_tokens is not None:
            return self._reply_tokens
        reply = GLOBAL_REPLY if len(ask) > 1 else min(max(group.tokens // 2, LEAST_REPLY), GREATEST_REPLY)
        return reply + REASONING if self._prompts.form(ask).analysis else reply

    def needed(self, group: Group) -> int:
        """The context that the longest of the group's calls takes with its reply."""
        return max(with_margin(self.prompt(group, ask)) + self.wanted(group, ask) for ask in group.asks)

    def reply(self, group: Group, ask: Ask, num_ctx: int) -> int:
        """What the reply gets of `num_ctx`: what is wanted, or what the prompt leaves.

        Never less than is kept free when a report is divided; a prompt that leaves less is too long.
        """
        left = num_ctx - with_margin(self.prompt(group, ask))
        return max(min(self.wanted(group, ask), left), self._kept(group, ask, num_ctx))

    def shared(self, group: Group, ask: Ask, before: tuple[Group, Ask] | None) -> int:
        """What the call's prompt has in common with the beginning of the one before."""
        if before is None:
            return 0
        if before[0].block == group.block:
            tasks = self._task(before[1])[0], self._task(ask)[0]
            return self._system + group.tokens + self._counter.count(common(*tasks))
        return self._system + self._counter.count(common(before[0].block, group.block))

    def parts(self, group: Group, num_ctx: int) -> list[Group]:
        """The group, divided where it does not fit; raises ContextError."""
        fits = all(
            with_margin(self.prompt(group, ask)) + self._kept(group, ask, num_ctx) <= num_ctx
            for ask in group.asks
        )
        return [group] if fits else self.divided(group, num_ctx)

    def divided(self, group: Group, num_ctx: int) -> list[Group]:
        """The group in parts that fit; raises ContextError."""
        room = min(self._room(group, ask, num_ctx) for ask in group.asks)
        for_text = min(room, group.tokens)
        while for_text >= LEAST_PART:
            parts = self._parts(group, split(group.document.text, group.spans, self._counter.count, for_text))
            excess = max(part.tokens for part in parts) - room
            if excess <= 0:
                return parts
            # What the marks around a part take, and the joints between its pieces.
            for_text -= excess
        raise ContextError(self._too_short(group, num_ctx))

    def halved(self, group: Group, num_ctx: int) -> list[Group]:
        """The group in two parts or more of at most three fifths of it; raises ContextError.

        They are the same whatever the counter has learnt, so that a run taken up again makes the same calls.
        """
        text, count = group.document.text, self._counter.unscaled
        for_text = sum(count(text[start:end]) for start, end in group.spans) * 3 // 5
        if for_text < LEAST_PART:
            raise ContextError(self._too_short(group, num_ctx))
        return self._parts(group, split(text, group.spans, count, for_text))

    def _parts(self, group: Group, shown: Sequence[tuple[Span, ...]]) -> list[Group]:
        return [self._part(group, spans, place, len(shown)) for place, spans in enumerate(shown)]

    def _part(self, group: Group, spans: tuple[Span, ...], place: int, number: int) -> Group:
        part, parts = group.part * number + place, group.parts * number
        block = self._prompts.report(group.document.text, spans, part, parts)
        tokens = self._counter.count(block)
        return replace(group, spans=spans, block=block, tokens=tokens, part=part, parts=parts)

    def _kept(self, group: Group, ask: Ask, num_ctx: int) -> int:
        """What is kept free for the reply while the report is divided."""
        return min(self.wanted(group, ask), num_ctx // REPLY_SHARE)

    def _room(self, group: Group, ask: Ask, num_ctx: int) -> int:
        """What is left for the report beside the instructions and the reply."""
        free = num_ctx - self._kept(group, ask, num_ctx)
        return math.floor(free / (1 + MARGIN)) - (self.prompt(group, ask) - group.tokens)

    def _task(self, ask: Ask) -> tuple[str, int]:
        if ask not in self._tasks:
            text = self._prompts.task(ask)
            self._tasks[ask] = text, self._counter.count(text)
        return self._tasks[ask]

    def _too_short(self, group: Group, num_ctx: int) -> str:
        instructions = max(self.prompt(group, ask) - group.tokens for ask in group.asks)
        return (
            f"A context of {num_ctx} tokens leaves too little room for a report beside {instructions} tokens "
            "of instructions and the reply; choose a longer context, a model trained for one, or zero-shot "
            "prompting."
        )


def common(one: str, other: str) -> str:
    """The beginning that two texts share, without a word that is cut: its tokens may differ."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    if low == len(one) == len(other):
        return one
    while low and not one[low - 1].isspace():
        low -= 1
    return one[:low]


def with_margin(tokens: int) -> int:
    """What an estimated prompt may take of the model's own tokens."""
    return math.ceil(tokens * (1 + MARGIN))
