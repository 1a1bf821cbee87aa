"""Lines joined into paragraphs, words divided at their ends made whole; hyphens of the words' own stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.text import counted
from extractors.assets import asset

_ENDS = (".", ":", "!", "?", ";")
_FEW_LINES = 5
# One in so many divided words is met elsewhere, too.
_SOME = 6
# Words are no longer; to look for their end in more takes endless time where there are no blanks.
_LONGEST = 60
_AT_END = re.compile(r"([^\W\d_]+)[-‐\u00ad]$")
_ENDS_IN_DASH = re.compile(r"[\w)][-‐–—/]$")
_WITHIN = re.compile(r"\w‐\w")
_AT_START = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
# What stands before a hyphen that belongs to the word; also what is written without one ("postoperative").
_OWN = frozenset(
    "non well self follow anti year month week day high low long short half right left one two three"
    " four five six seven eight nine ten full small large x t b cross co pre post mid ill first"
    " second third fourth all so up on off in out over under old new late early e i open free single"
    " double multi semi vice side end time case life evidence age sex dose".split()
)
# What hardly begins a word that was divided: its hyphen stays whatever follows, unless that is an ending.
_FIRM = _OWN & frozenset(
    "non well self high low short half right left one two three four five six seven eight nine ten full large"
    " year month week day mid ill second third fourth double evidence x t b".split()
)
_ENDINGS = frozenset(
    "ness nesses less ly er ers est ed ing ings en ened ening ens eness ish th hood line lines dle".split()
)
_NAMED = 3


class Hyphens:
    """Knows the words of a document, and counts what it joins.

    `undecided` are the words, as they now stand, of which neither the document nor any list says whether the
    hyphen is theirs.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.joined: list[str] = []
        self.undecided: list[str] = []
        self._words: Counter[str] = Counter()
        self._soft = False
        within = False
        ends: list[tuple[str, str]] = []
        last = ""
        for line in lines:
            end, start = _AT_END.search(last[-_LONGEST:]), _AT_START.match(line)
            if end is not None and start is not None:
                ends.append((end[1], start[0]))
            last = line
            self._soft = self._soft or line.endswith("‐")
            within = within or _WITHIN.search(line) is not None
            # Parts of divided words are no words.
            whole = line.rsplit(" ", 1)[0] if _AT_END.search(line[-_LONGEST:]) else line
            whole = whole[start.end() :] if end is not None and start is not None else whole
            self._words.update(word.casefold().replace("‐", "-") for word in _WORD.findall(whole))
        # A hyphen of another kind at the lines' ends alone was put there by who divided the words.
        self._soft = self._soft and not within
        # Where hardly any line ends in a part of a known word, words were not divided at all.
        divided = sum(self._is_known(before + after) for before, after in ends)
        self._divides = divided * _SOME >= len(ends)

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one paragraph."""
        done = list(lines[:1])
        for line in lines[1:]:
            last = done[-1]
            end, start = _AT_END.search(last[-_LONGEST:]), _AT_START.match(line)
            if end is not None and start is not None:
                whole = last[-1] == "\u00ad" or self._is_one_word(end[1], start[0], soft=last[-1] == "‐")
                if whole:
                    self.joined.append(end[1] + start[0])
                done[-1] = last[:-1] + ("" if whole else "-")
            elif _ENDS_IN_DASH.search(last) and not line[:1].isspace():
                done[-1] = last.replace("‐", "-") if last.endswith("‐") else last
            else:
                done.append(" ")
            done.append(line)
        return "".join(done)

    def notes(self) -> Iterator[str]:
        """What was joined, and what somebody should look at."""
        if self.joined:
            words = f"{counted(len(self.joined), 'word')} divided at a line's end"
            yield f"{words} joined ({_some(self.joined)})."
        if self.undecided:
            words = f"{counted(len(self.undecided), 'word')} ({_some(self.undecided, most=20)})"
            yield f"Not sure whether a hyphen at a line's end is the word's own: {words}."

    def _is_one_word(self, before: str, after: str, *, soft: bool) -> bool:
        one, with_hyphen = (before + after).casefold(), f"{before}-{after}".casefold()
        if soft and self._soft:
            return True
        if after[0].isupper() or (before.isupper() and len(before) > 1):
            return False
        if self._words[with_hyphen] or self._words[one]:
            return self._words[one] >= self._words[with_hyphen]
        if one in _lexicon():
            return True
        known = [self._words[half.casefold()] or half.casefold() in _lexicon() for half in (before, after)]
        firm = before.casefold() in _FIRM and after.casefold() not in _ENDINGS
        if firm or (before.casefold() in _OWN and (known[1] or self._soft)):
            return False
        if self._soft or not self._divides:
            return False
        whole = not all(known)
        self.undecided.append(before + after if whole else f"{before}-{after}")
        return whole

    def _is_known(self, word: str) -> bool:
        return self._words[word.casefold()] > 0 or word.casefold() in _lexicon()


def has_broken_lines(text: str) -> bool:
    """Whether many lines end in mid-sentence, as they do when they are copied out of a printed page."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    broken = sum(not line.endswith(_ENDS) and 30 < len(line) < 130 for line in lines)
    return len(lines) > _FEW_LINES and broken > 0.4 * len(lines)


def join_lines(text: str) -> tuple[str, list[str]]:
    """The text with lines that were broken joined into paragraphs, and notes on the words that were divided.

    A paragraph ends at an empty line, and where a line that ends a sentence is much shorter than the others.
    """
    lines = [line.strip() for line in text.split("\n")]
    usual = sorted(map(len, filter(None, lines)))[int(0.8 * sum(map(bool, lines)))] if any(lines) else 0
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        short = len(line) < 0.6 * usual and (line.endswith(_ENDS) or len(paragraphs[-1]) == 1)
        if paragraphs[-1] and (not line or (short and not _AT_END.search(line))):
            paragraphs.append([])
    hyphens = Hyphens(line for line in lines if line)
    joined = "\n\n".join(hyphens.join(paragraph) for paragraph in paragraphs if paragraph)
    return joined, list(hyphens.notes())


def _some(words: Sequence[str], most: int = _NAMED) -> str:
    return ", ".join(words[:most]) + (" …" if len(words) > most else "")


@lru_cache(maxsize=1)
def _lexicon() -> frozenset[str]:
    """Words of phenotypes; they are many of those that are divided."""
    text = asset("resources", "lexicons", "hpo.tsv").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() for word in line.split("\t", 1)[0].split())
