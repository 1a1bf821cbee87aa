"""Which calls a run makes, in the order that lets the server reuse most of each prompt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from extractors.llm.sizing import Group, Sizes, common
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.llm.types import ModelCard
from extractors.model.document import Document
from extractors.tasks.base import Item, Prompt, Task

STEP = 1024
# What a run takes beside weights and cache: the engine's working buffers, and room for everything else.
RESERVE = 512 * 1024 * 1024
# Below this nothing can be extracted, so it is tried even where memory looks too short.
LEAST = 2048


@dataclass(frozen=True, slots=True)
class Context:
    """`num_ctx` tokens are asked for; `limit` is the most that model and memory allow, 0 where unknown.

    `reasons` are sentences for the user where anything but the need decided.
    """

    num_ctx: int
    limit: int
    reasons: tuple[str, ...] = ()


def free_memory() -> int:
    """Bytes of main memory that a program could take now without swapping."""
    import psutil

    return int(psutil.virtual_memory().available)


def fits(card: ModelCard, memory: int | None) -> int:
    """The longest context, in tokens, that the model was trained for and `memory` bytes hold beside it.

    0 where there is no room for any, or neither limit is known. The memory's share is a whole number of
    STEPs, so that it does not change with every byte.
    """
    held = _held(card, memory)
    if held is None:
        return card.context
    return min(held, card.context) if card.context else held


def choose_context(card: ModelCard, needed: int, memory: int | None) -> Context:
    """The context for a prompt and its reply of at most `needed` tokens together, rounded up to a STEP.

    Never more than the model was trained for (servers cut it back in silence) or `memory` bytes hold beside
    the weights; what is unknown sets no limit.
    """
    limit, short = _limit(card, memory)
    rounded = max(1, -(-needed // STEP)) * STEP
    if not limit or rounded <= limit:
        return Context(rounded, limit, short)
    if needed <= limit:
        return Context(limit, limit, short)
    if limit == card.context:
        reason = f"the model was trained for no more than {limit}"
    else:
        reason = f"the free memory holds no more than about {limit} beside the model"
    decided = f"The longest prompt with its reply needs {needed} tokens, but {reason}."
    return Context(limit, limit, short or (decided,))


def given_context(card: ModelCard, num_ctx: int, memory: int | None) -> Context:
    """The context that the user asked for, cut back to what the model was trained for."""
    limit, short = _limit(card, memory)
    asked = f"A context of {num_ctx} tokens was asked for"
    if card.context and num_ctx > card.context:
        return Context(
            card.context, limit, (f"{asked}, but the model was trained for no more than {card.context}.",)
        )
    if limit and num_ctx > limit:
        return Context(num_ctx, limit, short or (f"{asked}, but the free memory holds about {limit}.",))
    return Context(num_ctx, limit, (f"{asked}.",))


def _limit(card: ModelCard, memory: int | None) -> tuple[int, tuple[str, ...]]:
    """The limit a run goes by, and a sentence where the model does not fit into memory at all."""
    held = _held(card, memory)
    if held is None or held >= LEAST:
        return fits(card, memory), ()
    limit = min(LEAST, card.context) if card.context else LEAST
    return limit, (f"The model hardly fits into the free memory: a context of {limit} tokens is tried.",)


def _held(card: ModelCard, memory: int | None) -> int | None:
    """Tokens whose cache `memory` bytes hold beside the weights, as whole STEPs; None for unknown."""
    if memory is None or card.cache_bytes <= 0:
        return None
    return max(0, memory - card.size - RESERVE) // card.cache_bytes // STEP * STEP


@dataclass(frozen=True, slots=True)
class Call:
    """One prompt, for an `item`. `report` counts the texts of the run from 0.

    `tokens` estimates the whole prompt, `shared` what of it the call before begins with, too; `reply_tokens`
    is the most the reply may take. Part `part` (from 0) of `parts` is the stretch of the report that begins
    at the share part/parts of the parts.
    """

    report: int
    item: Item
    tokens: int
    shared: int
    reply_tokens: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of a run in order; `unasked` are (report, item) of which no text is to be shown, or none but
    a part could be, where the task is about the whole.

    `notes` are sentences for the user: what limits the context, which reports are divided, which replies are
    kept short.
    """

    calls: tuple[Call, ...]
    context: Context
    notes: tuple[str, ...]
    unasked: tuple[tuple[int, Item], ...]

    @property
    def tokens(self) -> int:
        """Tokens of all prompts together."""
        return sum(call.tokens for call in self.calls)

    @property
    def shared(self) -> int:
        """Tokens that prompts have in common with the one before each."""
        return sum(call.shared for call in self.calls)


def plan(
    documents: Sequence[Document],
    task: Task,
    counter: TokenCounter,
    card: ModelCard,
    memory: int | None,
    reply_tokens: int | None = None,
    num_ctx: int | None = None,
) -> Plan:
    """Every call that the task asks about `documents`, one report after the other.

    `memory` is in free bytes; `reply_tokens` and `num_ctx` take the place of the rules for them. Raises
    ContextError where the context cannot hold even a short part of a report.
    """
    sizes = Sizes(task, counter, reply_tokens)
    groups: list[Group] = []
    unasked: list[tuple[int, Item]] = []
    for report, document in enumerate(documents):
        for spans, items in groupby(task.items(document), lambda item: item.spans):
            if spans:
                groups.append(sizes.group(report, list(items)))
            else:
                unasked += [(report, item) for item in items]
    needed = max((sizes.needed(group) for group in groups), default=0)
    if num_ctx is None:
        context = choose_context(card, needed, memory)
    else:
        context = given_context(card, num_ctx, memory)
    if getattr(task, "whole", False):
        long = [group for group in groups if not sizes.fits(group, context.num_ctx)]
        unasked += [(group.report, item) for group in long for item in group.items]
        groups = [group for group in groups if group not in long]
    parts = [part for group in groups for part in sizes.parts(group, context.num_ctx)]
    calls = tuple(_calls(parts, sizes, context.num_ctx))
    notes = (*context.reasons, *_notes(parts, calls, sizes, context.num_ctx))
    return Plan(calls, context, notes, tuple(unasked))


def divide(call: Call, task: Task, counter: TokenCounter, num_ctx: int) -> list[Call]:
    """A call that is too long after all, as two or more for smaller parts: the same whatever was learnt.

    Part 1 (from 0) of 3 becomes, in two pieces, parts 2 and 3 of 6. A part that is still too long can be
    divided again. Raises ContextError where its text is too short for that.
    """
    sizes = Sizes(task, counter, call.reply_tokens)
    parts = sizes.halved(sizes.group(call.report, [call.item]), num_ctx)
    return list(_calls(parts, sizes, num_ctx))


def reused(previous: Prompt | None, prompt: Prompt, counter: TokenCounter) -> int:
    """Tokens that `prompt` has in common with the beginning of the one sent before; 0 for the first."""
    if previous is None:
        return 0
    if previous.system != prompt.system:
        return counter.count(common(previous.system, prompt.system))
    return counter.count(prompt.system) + counter.count(common(previous.user, prompt.user))


def observe(counter: TokenCounter, prompt: Prompt, counted: int) -> None:
    """Let the counter learn from the tokens that the server counted for a whole prompt."""
    estimated = counter.unscaled(prompt.system) + counter.unscaled(prompt.user) + TEMPLATE_TOKENS
    if prompt.pictures:
        counter.learn_pictures(prompt, counted - math.ceil(estimated * counter.scale))
    else:
        counter.learn(estimated, counted)


def _calls(parts: Iterable[Group], sizes: Sizes, num_ctx: int) -> Iterator[Call]:
    before: tuple[Group, int] | None = None
    for part in parts:
        for place in part.places:
            yield Call(
                report=part.report,
                item=part.items[place],
                tokens=sizes.prompt(part, place),
                shared=sizes.shared(part, place, before),
                reply_tokens=sizes.reply(part, place, num_ctx),
            )
            before = part, place


def _notes(parts: Sequence[Group], calls: Sequence[Call], sizes: Sizes, num_ctx: int) -> Iterator[str]:
    divided = len({part.report for part in parts if part.items[0].parts > 1})
    if divided:
        yield (
            f"Reports read in parts that overlap, since the context of {num_ctx} tokens does not hold them "
            f"with the instructions and a reply: {divided}."
        )
    wanted = [sizes.wanted(part, place) for part in parts for place in part.places]
    short = sum(call.reply_tokens < tokens for call, tokens in zip(calls, wanted, strict=True))
    if short:
        yield (
            f"The context of {num_ctx} tokens leaves {short} of {len(calls)} replies less room than they "
            f"should have, {min(call.reply_tokens for call in calls)} tokens at the least."
        )
