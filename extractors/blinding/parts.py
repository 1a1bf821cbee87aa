"""A view in parts, as a teacher would show it: some sentences at a time."""

from __future__ import annotations

from extractors.blinding.view import View
from extractors.text.sentences import sentences

_WORDS = 70


def part_ends(view: View) -> tuple[int, ...]:
    """Where each part of a view ends, in code points; the last at its end."""
    ends: list[int] = []
    words = 0
    for block in view.blocks:
        for start, end in sentences(view.text[block.start : block.end]):
            words += len(view.text[block.start + start : block.start + end].split())
            if words >= _WORDS:
                ends.append(block.start + end)
                words = 0
    if ends and words < _WORDS // 2:
        ends.pop()
    return (*ends, len(view.text))


def sentence_at(view: View, at: int) -> int:
    """Where in the report (code points) the sentence begins that a place of its view is in."""
    starts = (
        block.start + start
        for block in view.blocks
        for start, _ in sentences(view.text[block.start : block.end])
    )
    return view.source(max((one for one in starts if one <= at), default=0))
