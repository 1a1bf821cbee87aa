"""What prompts take in tokens, counted block by block, and reports divided until their prompts fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extractors.llm.splitting import split
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.model.errors import ContextError
from extractors.tasks.base import Item, Prompt, Span, Task

# Where the context is short, a reply gives way down to this share of it before the report is divided.
REPLY_SHARE = 3
# Word by word estimates fall short of real tokenizers' counts by up to this share.
MARGIN = 0.04
# Tokens of a report below which a part is too short to be read by itself.
LEAST_PART = 128


@dataclass(frozen=True, slots=True)
class Group:
    """Calls on the same text, one `prompts` for each of `items`: what they show in common takes `tokens`.

    `report` counts the texts of a run from 0.
    """

    report: int
    items: tuple[Item, ...]
    prompts: tuple[Prompt, ...]
    tokens: int

    @property
    def block(self) -> str:
        """What all of them show."""
        return self.prompts[0].block

    @property
    def places(self) -> range:
        """The calls by their place."""
        return range(len(self.items))


class Sizes:
    """Counts prompts by their pieces, each once; `reply_tokens` None takes what the task says."""

    def __init__(self, task: Task, counter: TokenCounter, reply_tokens: int | None) -> None:
        self._task, self._counter, self._reply_tokens = task, counter, reply_tokens
        self._counted: dict[str, int] = {}

    def group(self, report: int, items: Sequence[Item]) -> Group:
        """The calls on the same spans of one report."""
        prompts = tuple(self._task.prompt(item) for item in items)
        return Group(report, tuple(items), prompts, self._counter.count(prompts[0].block))

    def prompt(self, group: Group, place: int) -> int:
        """Tokens of a whole prompt."""
        prompt = group.prompts[place]
        around = (
            self._count(prompt.system) + self._count(prompt.instructions) + self._counter.pictures(prompt)
        )
        return around + group.tokens + TEMPLATE_TOKENS

    def wanted(self, group: Group, place: int) -> int:
        """The reply that a call should have room for."""
        if self._reply_tokens is not None:
            return self._reply_tokens
        return self._task.reply_tokens(group.items[place], group.tokens)

    def needed(self, group: Group) -> int:
        """The context that the longest of the group's calls takes with its reply."""
        return max(with_margin(self.prompt(group, one)) + self.wanted(group, one) for one in group.places)

    def reply(self, group: Group, place: int, num_ctx: int) -> int:
        """What the reply gets of `num_ctx`: what is wanted, or what the prompt leaves.

        Never less than is kept free when a report is divided; a prompt that leaves less is too long.
        """
        left = num_ctx - with_margin(self.prompt(group, place))
        return max(min(self.wanted(group, place), left), self._kept(group, place, num_ctx))

    def shared(self, group: Group, place: int, before: tuple[Group, int] | None) -> int:
        """What the call's prompt has in common with the beginning of the one before."""
        if before is None:
            return 0
        one, other = before[0].prompts[before[1]], group.prompts[place]
        if one.system != other.system:
            return self._counter.count(common(one.system, other.system))
        if one.block == other.block:
            tasks = common(one.instructions, other.instructions)
            return self._count(other.system) + group.tokens + self._counter.count(tasks)
        return self._count(other.system) + self._counter.count(common(one.block, other.block))

    def parts(self, group: Group, num_ctx: int) -> list[Group]:
        """The group, divided where it does not fit; raises ContextError."""
        return [group] if self.fits(group, num_ctx) else self.divided(group, num_ctx)

    def fits(self, group: Group, num_ctx: int) -> bool:
        """Whether every call of the group has room for its prompt and a reply."""
        return all(
            with_margin(self.prompt(group, one)) + self._kept(group, one, num_ctx) <= num_ctx
            for one in group.places
        )

    def divided(self, group: Group, num_ctx: int) -> list[Group]:
        """The group in parts that fit; raises ContextError."""
        first = group.items[0]
        room = min(self._room(group, one, num_ctx) for one in group.places)
        for_text = min(room, group.tokens)
        while for_text >= LEAST_PART:
            parts = self._parts(group, split(first.subject.text, first.spans, self._counter.count, for_text))
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
        first, count = group.items[0], self._counter.unscaled
        text = first.subject.text
        for_text = sum(count(text[start:end]) for start, end in first.spans) * 3 // 5
        if for_text < LEAST_PART:
            raise ContextError(self._too_short(group, num_ctx))
        return self._parts(group, split(text, first.spans, count, for_text))

    def _parts(self, group: Group, shown: Sequence[tuple[Span, ...]]) -> list[Group]:
        return [self._part(group, spans, place, len(shown)) for place, spans in enumerate(shown)]

    def _part(self, group: Group, spans: tuple[Span, ...], place: int, number: int) -> Group:
        return self.group(
            group.report,
            [
                replace(item, spans=spans, part=item.part * number + place, parts=item.parts * number)
                for item in group.items
            ],
        )

    def _kept(self, group: Group, place: int, num_ctx: int) -> int:
        """What is kept free for the reply while the report is divided."""
        return min(self.wanted(group, place), num_ctx // REPLY_SHARE)

    def _room(self, group: Group, place: int, num_ctx: int) -> int:
        """What is left for the report beside the instructions and the reply."""
        free = num_ctx - self._kept(group, place, num_ctx)
        return math.floor(free / (1 + MARGIN)) - (self.prompt(group, place) - group.tokens)

    def _count(self, text: str) -> int:
        if text not in self._counted:
            self._counted[text] = self._counter.count(text)
        return self._counted[text]

    def _too_short(self, group: Group, num_ctx: int) -> str:
        instructions = max(self.prompt(group, one) - group.tokens for one in group.places)
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
