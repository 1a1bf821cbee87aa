"""Text garbled by a wrong decoding ("5 Âµg") as what it was, with its places in the text as it came."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from extractors.model.document import Section

Span = tuple[int, int]

# What bytes of UTF-8 look like where they were read as Western letters: one of these, another beyond ASCII.
_LEAD = re.compile(r"[\u00c2-\u00f4][^\x00-\x7f]")
_RUN = re.compile(r"[^\x00-\x7f]{2,}(?: [^\x00-\x7f]{2,})*")


@dataclass(frozen=True, slots=True)
class Repaired:
    """`text` is the repaired copy. Garbled stretches, in order: where each begins in either text and ends."""

    text: str
    garbled: tuple[Span, ...] = ()
    mended: tuple[Span, ...] = ()

    def back(self, start: int, end: int) -> Span:
        """The place in the text as it came of a place in the copy; a mended sign is never cut."""
        if not self.garbled:
            return start, end
        return _moved(self.mended, self.garbled, start, 0), _moved(self.mended, self.garbled, end, 1)

    def forth(self, start: int, end: int) -> Span:
        """The place in the copy of a place in the text as it came."""
        if not self.garbled:
            return start, end
        return _moved(self.garbled, self.mended, start, 0), _moved(self.garbled, self.mended, end, 1)

    def sections(self, sections: Sequence[Section]) -> Sequence[Section]:
        """The sections with their places in the copy."""
        if not self.garbled:
            return sections
        places = [self.forth(one.start, one.end) for one in sections]
        return [replace(one, start=a, end=b) for one, (a, b) in zip(sections, places, strict=True)]


def _moved(here: tuple[Span, ...], there: tuple[Span, ...], place: int, edge: int) -> int:
    """An offset of one text in the other; within a mended stretch, its beginning (0) or end (1)."""
    at = bisect_left(here, (place,)) - 1
    if at < 0:
        return place
    if here[at][0] < place < here[at][1]:
        return there[at][edge]
    return there[at][1] + place - here[at][1]


def repair(text: str) -> Repaired:
    """A copy of `text` with what was garbled read as what it was; the text itself where nothing was."""
    if text.isascii():
        return Repaired(text)
    found = [
        (match.span(), fixed) for match in _RUN.finditer(text) if (fixed := _fixed(match[0])) != match[0]
    ]
    if not found:
        return Repaired(text)
    garbled = tuple(span for span, _ in found)
    grown = accumulate((len(fixed) - (end - start) for (start, end), fixed in found), initial=0)
    mended = tuple(
        (start + more, start + more + len(fixed))
        for ((start, _), fixed), more in zip(found, grown, strict=False)
    )
    parts, at = [], 0
    for (start, end), fixed in found:
        parts += [text[at:start], fixed]
        at = end
    return Repaired("".join([*parts, text[at:]]), garbled, mended)


@lru_cache(maxsize=4096)
def _fixed(run: str) -> str:
    if not _LEAD.search(run):
        return run
    from ftfy import fix_encoding

    return fix_encoding(run)
