"""Takes citation markers out of a sentence so that it stays one."""

from __future__ import annotations

import re

# Control characters cannot occur in XML, so that they can fence markers while a paragraph is put together.
OPEN, CLOSE = "\x02", "\x03"
REMOVED = OPEN + CLOSE

_MARKER = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_SEPARATOR = re.compile(r"[\s,;/&^()\[\]–—‐‑−-]*(?:(?:and|und|et|y|e|to)[\s^(\[]+)?")
_LEADING = re.compile(r"[\[(]\s*(?:\d{1,3}\s*[,;–—-]\s*)*$")
_TRAILING = re.compile(r"(?:\s*[,;–—-]\s*\d{1,3}\b)*\s*[\])]")
_LEAD_IN = re.compile(
    r"(?:\b(?:refs?|references?|in|by|from|see|of|cf|e\.g|also)\b[.,]{0,2})\s*$", re.IGNORECASE
)
_LEAD_IN_LENGTH = len(" references.,")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_WORD = re.compile(r"[^\W\d_]{2}")
_PAIRS = {"[": "]", "(": ")"}


def fence(marker: str) -> str:
    """A citation marker as it travels through a paragraph until `drop_citations`."""
    return f"{OPEN}{marker}{CLOSE}"


def only_markers(text: str) -> bool:
    """Whether `text` is nothing but fenced markers, numbers and signs."""
    return OPEN in text and not any(char.isalpha() for char in _MARKER.sub("", text))


def without_fences(text: str) -> str:
    return _MARKER.sub("", text)


def drop_citations(text: str) -> str:
    """`text` without fenced markers, their brackets and the signs between them.

    What the sentence needs is kept: names and years outside brackets ("Smith et al. (2010) found"), numbers
    after a word that calls for them ("see ref. 12").
    """
    pieces = _MARKER.split(text)
    before = pieces[0]
    done: list[str] = []
    index = 1
    while index < len(pieces):
        marker = cluster = pieces[index]
        after = pieces[index + 1]
        index += 2
        while index < len(pieces) and _SEPARATOR.fullmatch(after):
            cluster += after + pieces[index]
            marker += " " + pieces[index]
            after = pieces[index + 1]
            index += 2
        head, tail = _cut(before, cluster, marker.strip(), after)
        done.append(head)
        before = tail
        # What follows may have to look back past an empty piece to see what it stands after.
        if not before.strip() and index < len(pieces):
            before = done.pop() + before
    done.append(before)
    return "".join(done)


def _cut(before: str, cluster: str, marker: str, after: str) -> tuple[str, str]:
    """What stands before and after one cluster of markers once it is gone (or kept).

    `marker` is the text of its markers alone, without the signs and words between them.
    """
    if after and _PAIRS.get(before[-1:]) == after[0]:
        return _close_gap(before[:-1], after[1:])
    brackets = _brackets(before, after)
    if brackets is not None:
        return _close_gap(before[: brackets[0]], after[brackets[1] :])
    if _is_needed(marker, before):
        return before + cluster, after
    return _close_gap(before, after)


def _brackets(before: str, after: str) -> tuple[int, int] | None:
    """Where the bracket around a cluster begins in `before` and ends in `after`, if there is one."""
    trailing = _TRAILING.match(after)
    leading = _LEADING.search(before) if trailing else None
    if leading is None or trailing is None:
        return None
    if _PAIRS[leading[0][0]] != trailing[0][-1]:
        return None
    return leading.start(), trailing.end()


def _is_needed(marker: str, before: str) -> bool:
    """Whether an unbracketed marker is part of the sentence."""
    if not marker or _PAIRS.get(marker[0]) == marker[-1]:
        return False
    return bool(
        _WORD.search(marker) or _YEAR.search(marker) or _LEAD_IN.search(before.rstrip()[-_LEAD_IN_LENGTH:])
    )


def _close_gap(before: str, after: str) -> tuple[str, str]:
    """Join the two sides of a removed cluster: no blank before a stop, none missing between words."""
    head = before.rstrip()
    tail = after.lstrip()
    if not tail:
        return head, tail
    if head[-1:] in _PAIRS:
        if tail[0] == _PAIRS[head[-1]]:
            return _close_gap(head[:-1], tail[1:])
        if tail[0] in ",;":
            tail = tail[1:].lstrip()
    elif tail[0] in ".,;:)]":
        if head[-1:] in (",", ";") or (head[-1:] == "." and tail[0] == "."):
            head = head[:-1].rstrip()
    elif after[0].isspace() or tail[0].isalnum() or tail[0] in _PAIRS:
        tail = " " + tail
    return head, tail
