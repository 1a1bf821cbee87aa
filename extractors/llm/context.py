"""How long a context to ask the server for: once per run, from the model, the memory and the need."""

from __future__ import annotations

from dataclasses import dataclass

from extractors.llm.types import ModelCard

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
