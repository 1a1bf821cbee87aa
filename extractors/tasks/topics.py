"""What paragraphs speak of where headings do not say it: by the words that the built-in rules know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from extractors.model.document import Document, Section

if TYPE_CHECKING:
    from extractors.model.scheme import Scheme
    from extractors.rules import RulesExtractor

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
