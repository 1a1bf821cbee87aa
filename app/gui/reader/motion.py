"""Where a caret or an edge goes next: words, sentences, paragraphs and sections of a text, in code points."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from extractors.text.boundaries import cuts_character, cuts_word
from extractors.text.tables import cell_at, table_at

Range = tuple[int, int]
Edge = Literal["start", "end"]
_SIGNS = frozenset(".,;:!?…·•、。，；：！？¿¡،؛؟۔*")
_DASHES = frozenset("-‐‑‒–—―")
_CLOSING = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "„": "“", "（": "）", "「": "」", "【": "】"}
_OPENING = {close: opening for opening, close in _CLOSING.items() if close not in _CLOSING}
# Between the cells of a table it stands among blanks.
_BAR = "|"
_QUOTES = frozenset("\"'’‘”")
_PUNCTUATION = _SIGNS | _DASHES | _QUOTES | set(_CLOSING) | set(_OPENING)
# "b.i.d." and "p.o." end in a full stop of their own.
_DOTTED = re.compile(r"(?:^|[^\w.])(?:[^\W\d_]\.)+[^\W\d_]\.$")
_LONGEST_DOTTED = 16
_LONGEST_WORD = 500


def word_at(text: str, offset: int) -> Range:
    """The word, number or sign at `offset`, or the one that ends there; empty between white space.

    Words that hyphens join are one: 41-year-old, X-ray, anti-HBs.
    """
    for place in (offset, offset - 1):
        if 0 <= place < len(text) and not text[place].isspace():
            return _whole_words(text, place, place + 1)
    return offset, offset


def snap(text: str, start: int, end: int) -> Range:
    """The selection outward to whole words and numbers, without white space and punctuation at its edges.

    A word is what `word_at` finds: part of X-ray is X-ray. Punctuation stays where nothing else is selected;
    only a selection of nothing but white space gets empty.
    """
    start, end = _bare(text, start, end)
    if start == end:
        return start, end
    start, end = whole = _whole_words(text, start, end)
    if not _is_word(text, start, end):
        return whole
    while start < end:
        before = start, end
        if _loose_at_start(text, start, end):
            start += 1
        if start < end and _loose_at_end(text, start, end):
            end -= 1
        if end - start > 1 and _wraps(text, start, end):
            start, end = start + 1, end - 1
        start, end = _bare(text, start, end)
        if (start, end) == before:
            return start, end
    return whole


def next_word_edge(text: str, offset: int, edge: Edge) -> int:
    """The next place after `offset` where a word starts or ends; `offset` where there is none."""
    after = (start if edge == "start" else end for start, end in _words_from(text, offset))
    return next((place for place in after if place > offset), offset)


def previous_word_edge(text: str, offset: int, edge: Edge) -> int:
    """The last place before `offset` where a word starts or ends; `offset` where there is none."""
    before = (start if edge == "start" else end for start, end in _words_back_from(text, offset))
    return next((place for place in before if place < offset), offset)


def sentence_at(text: str, offset: int) -> Range:
    """The sentence at `offset`, between two the one before; empty in a text without any."""
    found = _sentences(text)
    if not found:
        return offset, offset
    return found[max(0, bisect_right(found, offset, key=lambda one: one[0]) - 1)]


def next_sentence(text: str, offset: int) -> int:
    """Where the next sentence starts, or the text ends."""
    return _next_start(_sentences(text), offset, len(text))


def previous_sentence(text: str, offset: int) -> int:
    """Where this sentence starts, from there the one before; or the text."""
    return _previous_start(_sentences(text), offset)


def next_section(text: str, sections: Sequence[Range], offset: int) -> int:
    """Where the next of the sections (by start) starts, or the text ends."""
    return _next_start(sections, offset, len(text))


def previous_section(sections: Sequence[Range], offset: int) -> int:
    """Where this section starts, from there the one before; or the text."""
    return _previous_start(sections, offset)


def widen(text: str, sections: Sequence[Range], start: int, end: int) -> Range:
    """The next larger unit that holds the range: word, cell, sentence, paragraph, table, section; else it."""
    for low, high in _units(text, sections, start, end):
        if low <= start and end <= high and high - low > end - start:
            return low, high
    return start, end


def _units(text: str, sections: Sequence[Range], start: int, end: int) -> Iterator[Range]:
    last = max(start, end - 1)
    low, high = word_at(text, start) if start == end else _whole_words(text, start, end)
    # A lone sign is nothing that one would select: its sentence comes next.
    if any(char.isalnum() for char in text[low:high]):
        yield low, high
    cell = cell_at(text, start)
    if cell is not None:
        yield cell
    yield sentence_at(text, start)[0], sentence_at(text, last)[1]
    line_end = text.find("\n", last)
    yield _bare(text, text.rfind("\n", 0, start) + 1, line_end if line_end >= 0 else len(text))
    table = table_at(text, start)
    if table is not None:
        yield table.start, table.end
    touched = [one for one in sections if one[0] <= last and one[1] > start]
    if touched:
        yield _bare(text, touched[0][0], touched[-1][1])


def _joins(text: str, place: int) -> bool:
    """Whether a hyphen stands at `place`, with a word or number right before and behind it."""
    inside = 0 < place < len(text) - 1
    return inside and text[place] in "-‐‑" and text[place - 1].isalnum() and text[place + 1].isalnum()


def _whole_words(text: str, start: int, end: int) -> Range:
    """Outward to the edges of words, hyphens that join being inside of them."""
    start, end = _outward(text, start - _joins(text, start), end + _joins(text, end - 1))
    while _joins(text, end):
        end = _outward(text, end + 1, end + 2)[1]
    while _joins(text, start - 1):
        start = _outward(text, start - 2, start - 1)[0]
    return start, end


def _outward(text: str, start: int, end: int) -> Range:
    return _edge_from(text, start, -1), _edge_from(text, end, 1)


def _edge_from(text: str, place: int, step: int) -> int:
    """The edge of a word at `place` or next in that direction; in a run of letters too long for one, here."""
    for edge in range(place, place + step * _LONGEST_WORD, step):
        if not cuts_word(text, edge):
            return edge
    while cuts_character(text, place):
        place += step
    return place


def _bare(text: str, start: int, end: int) -> Range:
    """Without white space at the edges."""
    while start < end and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _loose_at_start(text: str, start: int, end: int) -> bool:
    char, rest = text[start], text[start + 1 : end]
    if cuts_character(text, start + 1):
        return False
    if char in _DASHES:
        # A minus stays with its number, the hyphen of a word cut in two does not stay with the rest.
        return not rest or rest[0].isspace() or (start > 0 and text[start - 1].isalnum())
    if char in _CLOSING:
        return _CLOSING[char] not in rest
    if char == _BAR:
        return rest[:1].isspace()
    return char in _SIGNS or char in _OPENING or (char in _QUOTES and char not in rest)


def _loose_at_end(text: str, start: int, end: int) -> bool:
    char, rest = text[end - 1], text[start : end - 1]
    if char == "." and _DOTTED.search(text[max(start, end - _LONGEST_DOTTED) : end]):
        return False
    if char in _DASHES:
        return not rest or rest[-1].isspace() or text[end : end + 1].isalnum()
    if char in _OPENING and _OPENING[char] in rest:
        return False
    if char == _BAR:
        return rest[-1:].isspace()
    if char in _QUOTES:
        # Feet, minutes and seconds are written behind a number.
        return char not in rest and not rest[-1:].isdigit()
    return char in _SIGNS or char in _CLOSING or char in _OPENING


def _wraps(text: str, start: int, end: int) -> bool:
    """Whether brackets or quotation marks at both edges belong together."""
    first, last = text[start], text[end - 1]
    if cuts_character(text, start + 1):
        return False
    if first in _QUOTES:
        return first == last and text.count(first, start, end) == 2
    if _CLOSING.get(first) != last:
        return False
    depth = 0
    for place in range(start, end - 1):
        depth += (text[place] == first) - (text[place] == last)
        if depth == 0:
            return False
    return True


def _words_from(text: str, offset: int) -> Iterator[Range]:
    """The words and numbers from the one at `offset` on; what stands between cells is none."""
    end = _edge_from(text, offset, -1)
    while end < len(text):
        start, end = _outward(text, end, end + 1)
        if text[start:end] != _BAR and _is_word(text, start, end):
            yield start, end


def _words_back_from(text: str, offset: int) -> Iterator[Range]:
    start = _edge_from(text, offset, 1)
    while start > 0:
        start, end = _outward(text, start - 1, start)
        if text[start:end] != _BAR and _is_word(text, start, end):
            yield start, end


def _is_word(text: str, start: int, end: int) -> bool:
    return any(_says_something(char) for char in text[start:end])


def _says_something(char: str) -> bool:
    return not char.isspace() and char not in _PUNCTUATION and unicodedata.category(char) != "Cf"


def _next_start(ranges: Sequence[Range], offset: int, length: int) -> int:
    place = bisect_right(ranges, offset, key=lambda one: one[0])
    return ranges[place][0] if place < len(ranges) else length


def _previous_start(ranges: Sequence[Range], offset: int) -> int:
    place = bisect_right(ranges, offset - 1, key=lambda one: one[0])
    return ranges[place - 1][0] if place else 0


@lru_cache(maxsize=4)
def _sentences(text: str) -> list[Range]:
    # Imports the rules, which a window without a report does without.
    from extractors.text.sentences import sentences

    return sentences(text)
