"""In which words two quotes differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Presence = Literal["both", "left", "right"]
# A word with the white space after it, or a sign that stands by itself.
_TOKEN = re.compile(r"\s*(?:\w+|[^\w\s])\s*|\s+")
# Beyond that a quote is a page, and comparing it word by word would hold up the window.
_MOST = 400


class WordRun(NamedTuple):
    """A stretch of words, the white space beside them included: in both quotes, or in one of them alone."""

    presence: Presence
    text: str


def word_differences(left: str, right: str) -> tuple[WordRun, ...]:
    """Both quotes as stretches of words that both have (as the left writes them) or one alone has.

    The stretches that are not only right make up `left`; those that are not only left make up `right`, but
    for upper and lower case and white space, which are no difference.
    """
    ours, theirs = _TOKEN.findall(left), _TOKEN.findall(right)
    if max(len(ours), len(theirs)) > _MOST:
        return _by_ends(left, right)
    runs: list[WordRun] = []
    matcher = SequenceMatcher(None, _plain(ours), _plain(theirs), autojunk=False)
    for tag, start, end, low, high in matcher.get_opcodes():
        if tag == "equal":
            runs.append(WordRun("both", "".join(ours[start:end])))
            continue
        if start < end:
            runs.append(WordRun("left", "".join(ours[start:end])))
        if low < high:
            runs.append(WordRun("right", "".join(theirs[low:high])))
    return tuple(runs)


def _plain(tokens: list[str]) -> list[str]:
    return [token.strip().casefold() for token in tokens]


def _by_ends(left: str, right: str) -> tuple[WordRun, ...]:
    """What long quotes have in common from their first and from their last word on."""
    ours, theirs = _TOKEN.findall(left), _TOKEN.findall(right)
    one, other = _plain(ours), _plain(theirs)
    shorter = min(len(one), len(other))
    head = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    tail = next((n for n in range(shorter - head) if one[-1 - n] != other[-1 - n]), shorter - head)
    middle = (ours[head : len(ours) - tail], theirs[head : len(theirs) - tail])
    runs = (
        WordRun("both", "".join(ours[:head])),
        WordRun("left", "".join(middle[0])),
        WordRun("right", "".join(middle[1])),
        WordRun("both", "".join(ours[len(ours) - tail :])),
    )
    return tuple(run for run in runs if run.text)
