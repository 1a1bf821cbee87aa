"""What the inspector says of a span, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.widgets.plain import cut_in_middle, quoted

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.carried import Carried
    from extractors.checks.span_checks import SpanWarning

_ORIGINS = {
    "human": "Labelled by hand.",
    "accepted": "Accepted as it was.",
    "edited": "Edited by hand.",
    "imported": "Imported.",
    "model": "Found by the program.",
}
_PLACES = {
    "normalised": "The quote stands in the text with other spaces or signs",
    "fuzzy": "The quote stands in the text in similar words",
    "conflict": "The quote has no place: several would do, or the text contradicts it",
    "ungrounded": "The quote was not found in the text",
}


def listed(span: Annotation, holder: str) -> str:
    """A span in a list: whose it is unless one's own, field and polarity where they say something, quote."""
    finding = span.finding
    polarity = "" if finding.polarity == "present" else finding.polarity
    words = " · ".join(filter(None, [holder, finding.field, polarity]))
    quote = quoted(cut_in_middle(finding.quote))
    return f"{words}: {quote}" if words else quote


def in_full(span: Annotation, category: str, holder: str) -> str:
    """A span for a tool tip and for screen readers; `category` is the name."""
    finding = span.finding
    parts = [category, finding.field or "no field", finding.polarity, f"by {holder}" if holder else "yours"]
    return f"{', '.join(parts)}: {quoted(finding.quote)}{stands_for(span, ', that is ')}"


def kept_words(one: Carried) -> str:
    """What stays under a label of another program, for a tool tip."""
    return f"{one.label}, a label that the scheme lacks: {quoted(cut_in_middle(one.quote))}"


def stands_for(span: Annotation, before: str = "") -> str:
    """Code and label of each concept of a span, after words that come before them; "" for none."""
    words = "; ".join(f"{one.code} {one.label}" for one in span.concepts)
    return f"{before}{words}" if words else ""


def about(span: Annotation, warnings: tuple[SpanWarning, ...], *, own: bool) -> str:
    """What a span stands for, what the checks say, how it was found and where it comes from: a line each."""
    finding = span.finding
    lines = list(filter(None, [stands_for(span)]))
    lines += [f"▸ {warning.sentence}" for warning in warnings]
    if finding.grounding != "exact":
        likeness = f" ({span.score:.0f} of 100)" if finding.grounding == "fuzzy" and span.score else ""
        reason = f": {finding.reason}" if finding.reason else "."
        lines.append(f"{_PLACES[finding.grounding]}{likeness}{reason}")
    if span.surface is not None and span.surface != finding.quote:
        lines.append(f"As quoted: {quoted(cut_in_middle(finding.quote))}")
    if own or span.origin != "model":
        lines.append(_ORIGINS[span.origin])
    return "\n".join(lines)


def can_repair(span: Annotation, warnings: tuple[SpanWarning, ...]) -> bool:
    """Whether a warning suggests another place or polarity than the span has."""
    finding = span.finding
    return any(
        (one.start, one.end) != (finding.start, finding.end) or one.polarity not in (None, finding.polarity)
        for one in warnings
    )
