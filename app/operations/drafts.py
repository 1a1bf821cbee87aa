"""A span as it will be once it is on disk, so that it can be shown before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.operations.project.sets import exact_finding
from app.store.annotations import Annotation
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport


def draft_span(
    report: OpenReport,
    uuid: str,
    start: int,
    end: int,
    category: str,
    *,
    field: str = "",
    polarity: Polarity = "present",
) -> Annotation:
    """What `add_span` with that UUID will store, but for rank and time.

    Raises ProjectError for a span that is empty, blank or outside the text.
    """
    finding = exact_finding(report.stored, start, end, Finding(category, "", None, None, field, polarity))
    return Annotation(
        uuid=uuid,
        document=report.stored.uuid,
        annotator=report.review.annotator,
        finding=finding,
        surface=finding.quote,
        origin="human",
        rank=0,
        note="",
        score=None,
        places=(),
        candidate=None,
        created_at="",
    )
