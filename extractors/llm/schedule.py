"""Which calls a run makes, in the order that lets the server reuse most of each prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from extractors.llm.context import Context, choose_context, given_context
from extractors.llm.sizing import Ask, Group, Sizes, common
from extractors.llm.splitting import Span
from extractors.llm.tokens import TEMPLATE_TOKENS, TokenCounter
from extractors.llm.types import ModelCard, Prompt, Strategy
from extractors.model.document import Document

if TYPE_CHECKING:
    from extractors.llm.prompts import PromptSet


@dataclass(frozen=True, slots=True)
class Call:
    """One prompt. `report` counts the documents from 0; `spans` are what is shown of its text.

    `tokens` estimates the whole prompt, `shared` what of it the call before begins with, too; `reply_tokens`
    is the most the reply may take. Part `part` (from 0) of `parts` is the stretch of the report that begins
    at the share part/parts of the parts.
    """

    report: int
    categories: tuple[str, ...]
    part: int
    parts: int
    spans: tuple[Span, ...]
    tokens: int
    shared: int
    reply_tokens: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of a run in order; `unasked` are (report, category) of which no text is to be shown.

    `notes` are sentences for the user: what limits the context, which reports are divided, which replies are
    kept short.
    """

    calls: tuple[Call, ...]
    context: Context
    notes: tuple[str, ...]
    unasked: tuple[tuple[int, str], ...]

    @property
    def tokens(self) -> int:
        """Tokens of all prompts together."""
        return sum(call.tokens for call in self.calls)

    @property
    def shared(self) -> int:
        """Tokens that prompts have in common with the one before each."""
        return sum(call.shared for call in self.calls)


def shown_spans(document: Document, category: str | None, strategy: Strategy) -> tuple[Span, ...]:
    """What a prompt shows of a report: one span per section, in text order.

    Sections whose role is "excluded" are never shown; `fcsp` shows a category only the sections that its
    headings speak of. Text outside of sections is shown to all; blank stretches are not.
    """
    spans: list[Span] = []
    end = 0
    for section in document.sections:
        spans.append((end, section.start))
        filtered = strategy == "fcsp" and category not in section.categories
        if section.role != "excluded" and not filtered:
            spans.append((section.start, section.end))
        end = section.end
    spans.append((end, len(document.text)))
    return tuple((start, end) for start, end in spans if document.text[start:end].strip())


def shows_all(document: Document, categories: Sequence[str]) -> bool:
    """Whether "fcsp" shows each of the categories the same text as "ucp" does."""
    whole = shown_spans(document, None, "ucp")
    return all(shown_spans(document, category, "fcsp") == whole for category in categories)


def plan(
    documents: Sequence[Document],
    prompts: PromptSet,
    strategy: Strategy,
    categories: Sequence[str],
    counter: TokenCounter,
    card: ModelCard,
    memory: int | None,
    reply_tokens: int | None = None,
    num_ctx: int | None = None,
) -> Plan:
    """Every call that extracts `categories` from `documents`, one report after the other.

    `memory` is in free bytes; `reply_tokens` and `num_ctx` take the place of the rules for them. Raises
    ContextError where the context cannot hold even a short part of a report.
    """
    sizes = Sizes(prompts, counter, reply_tokens)
    groups: list[Group] = []
    unasked: list[tuple[int, str]] = []
    for report, document in enumerate(documents):
        for spans, asks in _asks(document, strategy, categories):
            if spans:
                groups.append(sizes.group(report, document, spans, asks))
            else:
                unasked += [(report, category) for ask in asks for category in ask]
    needed = max((sizes.needed(group) for group in groups), default=0)
    if num_ctx is None:
        context = choose_context(card, needed, memory)
    else:
        context = given_context(card, num_ctx, memory)
    parts = [part for group in groups for part in sizes.parts(group, context.num_ctx)]
    calls = tuple(_calls(parts, sizes, context.num_ctx))
    notes = (*context.reasons, *_notes(parts, calls, sizes, context.num_ctx))
    return Plan(calls, context, notes, tuple(unasked))


def divide(
    document: Document, call: Call, prompts: PromptSet, counter: TokenCounter, num_ctx: int
) -> list[Call]:
    """A call that is too long after all, as two or more for smaller parts: the same whatever was learnt.

    Part 1 (from 0) of 3 becomes, in two pieces, parts 2 and 3 of 6. A part that is still too long can be
    divided again. Raises ContextError where its text is too short for that.
    """
    sizes = Sizes(prompts, counter, call.reply_tokens)
    group = sizes.group(call.report, document, call.spans, (call.categories,))
    parts = sizes.halved(replace(group, part=call.part, parts=call.parts), num_ctx)
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
    counter.learn(estimated, counted)


def _asks(
    document: Document, strategy: Strategy, categories: Sequence[str]
) -> Iterator[tuple[tuple[Span, ...], tuple[Ask, ...]]]:
    """What is shown, and what is asked on it, call by call; sections that begin alike are neighbours."""
    if strategy != "fcsp":
        spans = shown_spans(document, None, strategy)
        yield spans, (tuple(categories),) if strategy == "ugp" else tuple((one,) for one in categories)
        return
    shown: dict[tuple[Span, ...], list[Ask]] = {}
    for category in categories:
        shown.setdefault(shown_spans(document, category, strategy), []).append((category,))
    for spans, asks in sorted(shown.items()):
        yield spans, tuple(asks)


def _calls(parts: Iterable[Group], sizes: Sizes, num_ctx: int) -> Iterator[Call]:
    before: tuple[Group, Ask] | None = None
    for part in parts:
        for ask in part.asks:
            yield Call(
                report=part.report,
                categories=ask,
                part=part.part,
                parts=part.parts,
                spans=part.spans,
                tokens=sizes.prompt(part, ask),
                shared=sizes.shared(part, ask, before),
                reply_tokens=sizes.reply(part, ask, num_ctx),
            )
            before = part, ask


def _notes(parts: Sequence[Group], calls: Sequence[Call], sizes: Sizes, num_ctx: int) -> Iterator[str]:
    divided = len({part.report for part in parts if part.parts > 1})
    if divided:
        yield (
            f"Reports read in parts that overlap, since the context of {num_ctx} tokens does not hold them "
            f"with the instructions and a reply: {divided}."
        )
    wanted = [sizes.wanted(part, ask) for part in parts for ask in part.asks]
    short = sum(call.reply_tokens < tokens for call, tokens in zip(calls, wanted, strict=True))
    if short:
        yield (
            f"The context of {num_ctx} tokens leaves {short} of {len(calls)} replies less room than they "
            f"should have, {min(call.reply_tokens for call in calls)} tokens at the least."
        )
