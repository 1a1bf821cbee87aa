"""Puts a document's text together block by block, with the sections that tile it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from app.formats.plain import without_controls
from extractors.model.document import Section, SectionRole
from extractors.text.boundaries import trimmed
from extractors.text.sections import SectionRules, classify, default_section_rules

Marks: TypeAlias = dict[str, tuple[int, int]]

# Control characters that cannot occur in XML; citations have others (app/formats/jats/citations.py).
MARK, _NAMED, _END = "\x0e", "\x0f", "\x10"
_ANY = re.compile(rf"{MARK}([^{_NAMED}]*){_NAMED}|{_END}")


def mark(pieces: list[str], name: str) -> None:
    """Mark the text that the pieces are, blanks at its ends apart, so that its place is known by `name`.

    Raises ValueError where they are nothing but blanks.
    """
    first = next((at for at, piece in enumerate(pieces) if piece and not piece.isspace()), None)
    last = next((at for at in reversed(range(len(pieces))) if pieces[at].strip()), None)
    if first is None or last is None:
        raise ValueError("there is nothing to mark")
    bare = pieces[first].lstrip()
    pieces[first] = f"{pieces[first][: len(pieces[first]) - len(bare)]}{MARK}{name}{_NAMED}{bare}"
    bare = pieces[last].rstrip()
    pieces[last] = f"{bare}{_END}{pieces[last][len(bare) :]}"


def unmarked(text: str) -> tuple[str, Marks]:
    """The text without its marks, and the place of each."""
    if MARK not in text and _END not in text:
        return text, {}
    pieces: list[str] = []
    length = at = 0
    begun: list[tuple[str, int]] = []
    places: Marks = {}
    for found in _ANY.finditer(text):
        pieces.append(text[at : found.start()])
        length += found.start() - at
        at = found.end()
        if found[0] != _END:
            begun.append((found[1], length))
        elif begun:
            name, start = begun.pop()
            if start < length:
                places[name] = (start, length)
    return "".join((*pieces, text[at:])), places


def tidied(text: str, tidy: Callable[[str], str]) -> str:
    """What `tidy` makes of a text as if it had no marks, with them again where their words now stand.

    `tidy` takes words out and changes blanks, and adds nothing else.
    """
    if MARK not in text and _END not in text:
        return tidy(text)
    plain, places = unmarked(text)
    done, through = tidy(plain), tidy(text)
    if through == text and done == plain:
        return text
    source, kept = unmarked(through)
    if source == done:
        return through
    # Where marks are no hindrance, the words that were taken out are the same ones with and without them.
    source, places = (source, kept) if _bare(source) == _bare(done) else (plain, places)
    standing = [place for place, char in enumerate(done) if not char.isspace()]
    tokens: list[tuple[int, int, str]] = []
    for name, (start, end) in places.items():
        begin, until = _ordinal(source, done, start), _ordinal(source, done, end)
        if begin >= until or until > len(standing):
            continue
        first, last = standing[begin], standing[until - 1] + 1
        tokens += [(first, -last, f"{MARK}{name}{_NAMED}"), (last, 1 - first, _END)]
    # Of marks at one place ends come first, then those that reach further.
    tokens.sort(key=lambda one: (one[0], one[2] != _END, one[1]))
    pieces: list[str] = []
    at = 0
    for place, _, token in tokens:
        pieces += [done[at:place], token]
        at = place
    return "".join((*pieces, done[at:]))


def _bare(text: str) -> str:
    return "".join(text.split())


def _ordinal(source: str, done: str, place: int) -> int:
    """How many characters, blanks apart, stand in `done` before what stands at a place of `source`."""
    before, whole = _bare(source[:place]), _bare(done)
    if whole.startswith(before):
        return len(before)
    at = 0
    for char in before:
        at += at < len(whole) and whole[at] == char
    return at


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
            start, end = trimmed(block, *place)
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
