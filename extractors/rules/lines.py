"""What is no sentence: headings and captions that stick to one, and examinations told as labels in a row."""

from __future__ import annotations

import re

from extractors.rules.lexicon import CUE, Lexicon
from extractors.rules.reading import Reading
from extractors.text.folding import fold

Span = tuple[int, int]

_CASE = re.compile(
    r"(?:case|patient)(?: (?:report|presentation|description))?(?: (?:no\.? ?)?\d+)?\s+(?=[A-Z])",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"(?:supplementary )?(?:table|fig(?:ure)?\.?)\s*\w{1,3}[.:]?\s+", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z][\w&/-]*(?: [\w&/-]+){0,7}")
_BOUNDARY = re.compile(r" (?<=\w )(?=[A-Z])")
_CAPITAL = re.compile(r" (?<=\w )(?=[A-Z][A-Za-z])")
_LONGEST_HEADING, _LONGEST_CAPTION = 60, 120
# So many labels make a row of them.
_ROW = 3
_HEADING, _LABEL = CUE["heading"], CUE["organ"] | CUE["heading"] | CUE["label"]
_NO_HEADING = CUE["finite"] | CUE["stop"] | CUE["site"]
# "Her laboratory findings" is no heading.
_DETERMINERS = frozenset("The A An His Her Their Our This These There He She It We No".split())


def heading_end(text: str, start: int, end: int, lexicon: Lexicon) -> int:
    """Where the sentence begins behind a heading or a table's caption that no line end parts from it."""
    if not _BOUNDARY.search(text, start, min(end, start + _LONGEST_HEADING)):
        return start
    caption = _CAPTION.match(text, start, end)
    if caption:
        found = _BOUNDARY.search(text, caption.end() + 1, min(end, caption.end() + _LONGEST_CAPTION))
        return found.end() if found else caption.end()
    case = _CASE.match(text, start, end)
    if case and text[start].isupper():
        return case.end()
    words = _WORDS.match(text, start, min(end, start + _LONGEST_HEADING))
    if words is None:
        return start
    for found in _BOUNDARY.finditer(text, start, words.end()):
        prefix = [lexicon.cues.masks.get(fold(word), 0) for word in text[start : found.start()].split(" ")]
        if (
            prefix[0] & _NO_HEADING
            or words[0].split(" ")[0] in _DETERMINERS
            or any(mask & CUE["finite"] for mask in prefix)
        ):
            return start
        if prefix[-1] & _HEADING and not text[found.end() : found.end() + 2].isupper():
            return found.end()
    return start


def labelled(reading: Reading, first: int, last: int) -> list[Span]:
    """The sentence at tokens `first` to `last`, cut at its labels where it is a row of them.

    "Chest Clear Spine Mild scoliosis Abdomen Soft": organs with a capital letter that no sign parts from
    what stands before them.
    """
    if first >= last:
        return []
    if len(_CAPITAL.findall(reading.text, reading.starts[first], reading.ends[last - 1])) < _ROW - 1:
        return [(first, last)]
    cuts = [first] + [at for at in range(first + 1, last) if _is_label(reading, at)]
    if len(cuts) < _ROW:
        return [(first, last)]
    return list(zip(cuts, [*cuts[1:], last], strict=True))


def _is_label(reading: Reading, at: int) -> bool:
    text, start = reading.text, reading.starts[at]
    if not text[start].isupper() or not reading.cues[at] & _LABEL or reading.signs[at - 1]:
        return False
    capitals = text[start : start + 2].isupper() and not reading.cues[at] & CUE["label"]
    if capitals or reading.ends[at - 1] + 1 != start:
        return False
    # "Clear Spine": what ends the label before begins with no label itself.
    return at + 1 < len(reading.words) and not reading.cues[at - 1] & _LABEL and not reading.signs[at + 1]
