"""What of both sides is painted in the text: all they have, what is not in question stepping back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.gui.reader.spans import ShownSpan

if TYPE_CHECKING:
    from app.operations.reconcile.decisions import EditedSpan
    from app.reconcile.queue import ComparedReport
    from app.reconcile.types import Difference, SideQuote


def shown_spans(
    report: ComparedReport, targets: Sequence[Difference], edited: Sequence[EditedSpan]
) -> list[ShownSpan]:
    """The left's as one's own, the right's as another's; where both agree, the left's alone."""
    concerned = {quote.uuid for one in targets for quote in one.group.quotes}
    agreed = {quote.uuid for group in report.agreed for quote in group.right}
    spans = [
        _span(quote, mine=mine, dimmed=quote.uuid not in concerned)
        for side, mine in ((report.left, True), (report.right, False))
        for quotes in side.values()
        for quote in quotes
        if quote.place is not None and quote.uuid not in agreed
    ]
    spans += [
        ShownSpan(f"edited {number}", one.start, one.end, one.category, one.polarity)
        for number, one in enumerate(edited)
    ]
    return spans


def _span(quote: SideQuote, *, mine: bool, dimmed: bool) -> ShownSpan:
    start, end = quote.place or (0, 0)
    finding = quote.finding
    return ShownSpan(quote.uuid, start, end, finding.category, finding.polarity, dimmed, mine)
