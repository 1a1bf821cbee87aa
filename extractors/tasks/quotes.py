"""The first task: passages of a case report, word for word, category by category."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from extractors.grouping import grouped
from extractors.model.document import Document, Section
from extractors.tasks import QUOTES
from extractors.tasks.base import Item, Prompt, Span
from extractors.tasks.prompting.prompts import PromptSet
from extractors.tasks.prompting.variants import PROMPTINGS, STRATEGIES, Prompting, SectionsBy, Strategy

if TYPE_CHECKING:
    from extractors.model.scheme import Scheme
    from extractors.rules import RulesExtractor
    from extractors.tasks.replies import ReplyForm

_PARAGRAPH = re.compile(r"\n+")
# A line of no more words is a heading or the like.
_SHORT = 8


class Topics:
    """Divides broad sections into paragraphs with categories of their own; the rules are loaded once."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._rules: RulesExtractor | None = None

    def sectioned(self, document: Document) -> Document:
        """The same text, with each paragraph of a section that speaks of every category as a section.

        A paragraph speaks of the categories that the rules find something for; where they find nothing at
        all, of every one, as it does of those that the rules do not know. What the rules overlook in a
        paragraph is not shown to its category: this is a guess, for who asks for it.
        """
        every = set(self._scheme.ids)
        broad = [one for one in document.sections if one.role != "excluded" and every <= set(one.categories)]
        if not any(len(_paragraphs(document.text, one)) > 1 for one in broad):
            return document
        if self._rules is None:
            # Only here: the rules take a second to load.
            from extractors.rules import RulesExtractor

            self._rules = RulesExtractor(self._scheme)
        unknown = every - set(self._rules.categories)
        found = [(one.start or 0, one.category) for one in self._rules.extract(document)]
        sections: list[Section] = []
        for section in document.sections:
            if section not in broad:
                sections.append(section)
                continue
            for start, end in _paragraphs(document.text, section):
                topics = {category for place, category in found if start <= place < end}
                shown = topics | unknown if topics else every
                in_order = tuple(category for category in self._scheme.ids if category in shown)
                sections.append(replace(section, start=start, end=end, categories=in_order))
        return replace(document, sections=tuple(sections))


def _paragraphs(text: str, section: Section) -> list[tuple[int, int]]:
    """The section's text, cut behind line ends; all of it, so that sections go on tiling the report."""
    return list(_cut(text, section.start, section.end))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _PARAGRAPH.finditer(text, start, end):
        # A heading and other short lines belong to what follows them.
        if match.end() < end and len(text[first : match.start()].split()) > _SHORT:
            yield first, match.end()
            first = match.end()
    yield first, end


# A reply may quote half of what is shown, within these bounds; one for all categories at once gets the
# most, and reasoning before the answer is added.
LEAST_REPLY, GREATEST_REPLY, GLOBAL_REPLY, REASONING = 1024, 2048, 4096, 512


class QuotesTask:
    """Asks for `categories` (ids, in the scheme's order) by a strategy and a kind of prompting.

    Category by category, or for all of them at once by the strategy "ugp". "fcsp" shows a category the
    sections that speak of it, which `sections` tells apart: "headings", or "inferred" for what paragraphs are
    found to speak of as well. Raises AssetError or SchemeError as PromptSet does.
    """

    id = QUOTES

    def __init__(
        self,
        scheme: Scheme,
        strategy: Strategy,
        prompting: Prompting,
        categories: Sequence[str],
        sections: SectionsBy = "headings",
    ) -> None:
        self.prompts = PromptSet(scheme, prompting)
        self._strategy, self._categories = strategy, tuple(categories)
        self._topics = Topics(scheme) if strategy == "fcsp" and sections == "inferred" else None
        self._inferred: dict[str, Document] = {}
        self._block: tuple[object, str] = None, ""

    @property
    def version(self) -> str:
        """That of the templates."""
        return self.prompts.version

    @staticmethod
    def variants() -> tuple[str, ...]:
        """Every strategy with every kind of prompting."""
        return tuple("/".join(pair) for pair in product(STRATEGIES, PROMPTINGS))

    def about(self, categories: Sequence[str]) -> QuotesTask:
        """The same task for other categories."""
        other = copy(self)
        other._categories = tuple(categories)  # noqa: SLF001 (its own kind)
        return other

    def items(self, source: Document) -> Iterator[Item]:
        """The calls about a report; those that show the same, or begin alike, are neighbours."""
        if self._strategy != "fcsp":
            spans = shown_spans(source, None, self._strategy)
            at_once = [self._categories] if self._strategy == "ugp" else [(one,) for one in self._categories]
            yield from (Item(source, asks, spans) for asks in at_once)
            return
        document = self._sectioned(source)
        shown = grouped((shown_spans(document, one, "fcsp"), one) for one in self._categories)
        for spans, categories in sorted(shown.items()):
            yield from (Item(source, (category,), spans) for category in categories)

    def shows_all(self, source: Document) -> bool:
        """Whether "fcsp" shows each of the categories the same text as "ucp" does."""
        return shows_all(self._sectioned(source), self._categories)

    def prompt(self, item: Item) -> Prompt:
        """The report between marks, then the task."""
        shown = item.subject.text, item.spans, item.part, item.parts
        if self._block[0] != shown:
            self._block = shown, self.prompts.report(*shown)
        return self.prompts.prompt(self._block[1], item.asks)

    def form(self, item: Item) -> ReplyForm:
        """One list of quotes for each field of the category, or for each category."""
        return self.prompts.form(item.asks)

    def reply_tokens(self, item: Item, shown: int) -> int:
        """Half of what is shown, within bounds."""
        several = len(item.asks) > 1
        reply = GLOBAL_REPLY if several else min(max(shown // 2, LEAST_REPLY), GREATEST_REPLY)
        return reply + REASONING if self.form(item).analysis else reply

    def _sectioned(self, document: Document) -> Document:
        """The same text with the sections that the strategy goes by."""
        if self._topics is None:
            return document
        if document.text not in self._inferred:
            self._inferred[document.text] = self._topics.sectioned(document)
        return self._inferred[document.text]


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
