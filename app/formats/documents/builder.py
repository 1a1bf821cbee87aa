"""Puts a document's text together block by block, with the sections that tile it."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.documents.marks import MARK, Marks, trimmed, unmarked
from app.formats.plain import without_controls
from extractors.model.document import Section, SectionRole
from extractors.text.sections import SectionRules, classify, default_section_rules

Outside = tuple[SectionRole, str]
_RANK: dict[SectionRole, int] = {"case": 0, "background": 1, "excluded": 2}
BLOCK = "\n\n"
LINE = "\n"


class TextBuilder:
    """Collects blocks and headings; `finish` gives the text and its sections.

    A section is opened by its heading (`enter`), or goes on without one after a section inside it ended
    (`resume`). `outside` is the least that a section's surroundings make of it, whatever its heading says: an
    abstract is background, back matter is excluded. `marks` are the places of what was marked in the text.
    """

    def __init__(self, categories: Sequence[str], rules: SectionRules | None = None) -> None:
        self._categories = tuple(categories)
        self._rules = rules or default_section_rules()
        self._parts: list[str] = []
        self._length = 0
        self.marks: Marks = {}
        self._starts: list[tuple[int, str, tuple[str, ...], Outside | None]] = []
        self._pending: tuple[str, tuple[str, ...], Outside | None] | None = ("", (), None)

    def add(self, block: str, separator: str = BLOCK) -> None:
        """Append a block (not empty); `separator` stands before it unless it is the first."""
        places: Marks = {}
        if MARK in block:
            block, places = unmarked(block)
            if not block:
                return
        if self._pending is not None:
            separator = BLOCK
        if self._parts:
            self._parts.append(separator)
            self._length += len(separator)
        if self._pending is not None:
            self._starts.append((self._length, *self._pending))
            self._pending = None
        for name, place in places.items():
            start, end = trimmed(block, place)
            self.marks[name] = (self._length + start, self._length + end)
        self._parts.append(block)
        self._length += len(block)

    def enter(self, heading: str, path: tuple[str, ...], outside: Outside | None = None) -> None:
        """Begin the section of that heading, which becomes a line of its own."""
        self.resume(heading, path, outside)
        line = heading if MARK in heading else without_controls(heading)
        if line:
            self.add(line)

    def resume(self, heading: str, path: tuple[str, ...], outside: Outside | None = None) -> None:
        """Let the next block, if one comes, belong to this section again; no heading is written."""
        self._pending = (_plain(heading), tuple(map(_plain, path)), outside)

    def finish(self) -> tuple[str, tuple[Section, ...]]:
        """The text, and the sections from its first to its last code point; "" and none of nothing."""
        if not self._starts:
            return "", ()
        sections = []
        ends = [start for start, *_ in self._starts[1:]] + [self._length]
        for (start, heading, path, outside), end in zip(self._starts, ends, strict=True):
            categories, role, reason = classify(path, self._rules, self._categories)
            if outside is not None and _RANK[outside[0]] > _RANK[role]:
                role, reason = outside
            sections.append(Section(heading, path, start, end, categories, role, reason))
        return "".join(self._parts), tuple(sections)


def _plain(heading: str) -> str:
    return without_controls(unmarked(heading)[0] if MARK in heading else heading)
