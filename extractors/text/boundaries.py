"""Where a text may be cut: edges of characters as a reader sees them, of words and of numbers."""

from __future__ import annotations

import re
import unicodedata

# Invisible inside words: soft hyphens, marks of direction, zero-width signs, variation selectors.
IGNORED = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
MARKS = "\u0300-\u036f"
_IGNORED = re.compile(f"[{IGNORED}]")
_STRIP = re.compile(f"[{IGNORED}{MARKS}]")
_JOINER = "\u200d"
# What clings to the sign before it beside Unicode's own marks: skin tones and the letters of flags' tags.
_CLINGING = re.compile("[\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG_LETTERS = re.compile("[\U0001f1e6-\U0001f1ff]+$")
_LONGEST_RUN = 64
# Thai, Lao, Burmese, Khmer, Japanese and Chinese are written without spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A place without the white space at its ends; empty where it is all white space."""
    words = text[start:end].rstrip()
    end = start + len(words)
    return end - len(words.lstrip()), end


def cuts_number(text: str, place: int) -> bool:
    """Whether an edge at `place` would part the digits of one number: 1|3, 9|.8, 1,|200."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    if left.isdigit() and right.isdigit():
        return True
    if left.isdigit() and right in ".·,":
        after = text[place + 1 : place + 5]
        return (
            after[:1].isdigit()
            if right != ","
            else after[:3].isdigit() and len(after) > 2 and not after[3:].isdigit()
        )
    if left in ".·," and right.isdigit() and place > 1 and text[place - 2].isdigit():
        after = text[place : place + 4]
        return left != "," or (after[:3].isdigit() and len(after) > 2 and not after[3:].isdigit())
    return False


def is_edge(text: str, place: int) -> bool:
    """Whether `place` lies between tokens: not inside a word, a number or a letter with its accents."""
    if not 0 < place < len(text):
        return True
    if _joins(text[place - 1]) and _joins(text[place]):
        return False
    return not cuts_number(text, place)


def cuts_character(text: str, place: int) -> bool:
    """Whether an edge at `place` would part what is read as one sign: a letter and its accent, an emoji."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    if left.isspace():
        return (left, right) == ("\r", "\n")
    if _is_mark(right) or _CLINGING.match(right):
        return True
    if left == _JOINER:
        return unicodedata.category(right) == "So"
    # Two such letters make a flag.
    flags = _FLAG_LETTERS.search(text[max(0, place - _LONGEST_RUN) : place])
    return flags is not None and len(flags[0]) % 2 == 1 and _FLAG_LETTERS.match(right) is not None


def cuts_word(text: str, place: int) -> bool:
    """Whether an edge at `place` would part a word, a number or a sign.

    Writing without spaces is never parted, but for its signs: where its words end cannot be seen.
    """
    if not 0 < place < len(text):
        return False
    if cuts_character(text, place) or cuts_number(text, place):
        return True
    before, after = place - 1, place
    while before >= 0 and _IGNORED.match(text[before]):
        before -= 1
    while after < len(text) and _IGNORED.match(text[after]):
        after += 1
    if before < 0 or after >= len(text):
        return False
    left, right = text[before], text[after]
    if _UNSPACED.match(left) or _UNSPACED.match(right):
        return False
    return _joins(left) and _joins(right)


def _joins(char: str) -> bool:
    return char.isalnum() or char == "_" or _is_mark(char) or bool(_STRIP.match(char))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"
