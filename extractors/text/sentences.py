"""Sentences of clinical prose: abbreviations, decimals and initials do not end one, a line end does."""

from __future__ import annotations

import re

from extractors.text.boundaries import trimmed

# A citation's number may cling to the full stop ("... in childhood.4 A sister").
_END = re.compile(
    r"[.!?。！？\n](?:(?<=\n)\n*|(?<=[。！？])|(?<=[.!?])(?<![.!?][.!?])[.!?]*+[\"'”’)\]]*+"
    r"(?:(?<=[a-z)][.])\d{1,2}+(?:[,–-]?\s?\d{1,2}+)*(?=\s+[A-Z]))?(?:\s+|$))"
)
# What stands before a full stop that does not end the sentence.
_OPEN = re.compile(
    r"(?:\b(?:fig|figs|vs|dr|mr|mrs|ms|prof|e\.g|i\.e|i\.v|i\.m|p\.o|s\.c|approx|ca|cf|et al|resp"
    r"|ref|refs|st|sp|spp|inc|ltd|co|eq|tab|suppl|var|subsp|ex|incl)|\b[A-Z])$",
    re.IGNORECASE,
)
# These end no sentence before a number ("max. 40"), but as units they may before a word ("60/min. He ...").
_OPEN_TO_NUMBERS = re.compile(r"\b(?:wt|vol|max|min|temp|no|nos)$", re.IGNORECASE)
_INITIAL = re.compile(r"(?:^|[\s(])[A-Z]$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences in text order, outer white space left out; they hold all other characters."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] != "\n" and not _ends(text, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _ends(text: str, match: re.Match[str]) -> bool:
    after = text[match.end() : match.end() + 1]
    if "\n" in match.group() or not after:
        return True
    if after in ",;:)]" or (after.islower() and not text[match.end() + 1 : match.end() + 2].isupper()):
        return False
    if match.group()[0] != ".":
        return True
    before = text[max(0, match.start() - 8) : match.start()]
    if after.isdigit() and _OPEN_TO_NUMBERS.search(before):
        return False
    found = _OPEN.search(before)
    if found is None:
        return True
    # A single capital is an initial or a species ("P. multocida") only if it is a word of its own.
    return len(found.group()) == 1 and not _INITIAL.search(before)


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    start, end = trimmed(text, start, end)
    if start < end:
        spans.append((start, end))
