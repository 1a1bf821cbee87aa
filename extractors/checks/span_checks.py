"""Quiet checks of a span while somebody annotates: what it cuts or leaves outside, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterator

from extractors.checks.cues import check_cues
from extractors.checks.edges import check_edges, trimmed, whole_words
from extractors.checks.excerpt import Excerpt, SpanWarning, WarningKind, read_excerpt, shown
from extractors.checks.values import check_values, values
from extractors.model.finding import Polarity

__all__ = ["SpanWarning", "WarningKind", "check_span"]


def check_span(text: str, start: int, end: int, polarity: Polarity) -> tuple[SpanWarning, ...]:
    """What may be wrong with a span (code points of `text`), the gravest first; () where nothing is.

    Each warning suggests a place within the text that holds more than white space and, where it is mended by
    it, a polarity; taking a suggestion leaves no warning of its kind that suggests yet another place. Of what
    is no span of the text, or white space only, nothing is said.
    """
    if not 0 <= start < end <= len(text):
        return ()
    low, high = trimmed(text, start, end)
    if low == high:
        return ()
    excerpt = read_excerpt(text, low, high)
    warnings = [
        *_check_words(excerpt),
        *check_values(excerpt),
        *check_cues(excerpt, polarity),
        *check_edges(excerpt),
    ]
    if (low, high) != (start, end) and not any(one.kind == "edge punctuation" for one in warnings):
        warnings.append(SpanWarning("edge punctuation", "There is white space at the edge.", low, high))
    return tuple(warnings)


def _check_words(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """A warning on words cut in two, other than numbers and their units."""
    parts = values(excerpt)
    start, end = whole_words(excerpt.text, excerpt.start, excerpt.end)
    if any(low < excerpt.start < high for low, _, high in parts):
        start = excerpt.start
    if any(low < excerpt.end < high for low, _, high in parts):
        end = excerpt.end
    if (start, end) != (excerpt.start, excerpt.end):
        whole = shown(excerpt.text[start:end])
        yield SpanWarning("cut word", f"A word is cut: {whole}.", start, end)
