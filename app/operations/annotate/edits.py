"""What acts by hand make of spans, as pure functions: the window's forecast and the disk say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.store.annotate.annotations import Annotation, with_finding
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.operations.annotate.report import OpenReport
    from app.store.reports.documents import StoredDocument
    from extractors.model.coding import Coding
    from extractors.model.scheme import Scheme


def exact_finding(report: StoredDocument, start: int, end: int, like: Finding) -> Finding:
    """A finding as a person makes it: the quote is the text at its place. Raises ProjectError."""
    text = report.document.text
    if not 0 <= start < end <= len(text):
        raise ProjectError(f"{start}-{end} is no span of {report.key}, which has {len(text)} characters.")
    quote = text[start:end]
    if not quote.strip():
        raise ProjectError(f"There is only white space at {start}-{end} of {report.key}; choose some text.")
    return Finding(like.category, quote, start, end, like.field, like.polarity)


def moved(
    finding: Finding, report: StoredDocument, start: int, end: int, polarity: Polarity | None = None
) -> Finding:
    """The finding at another place, with another polarity where one is given; raises ProjectError."""
    after = finding if polarity is None else replace(finding, polarity=polarity)
    if (finding.start, finding.end) == (start, end):
        return after
    return exact_finding(report, start, end, after)


def relabelled(finding: Finding, category: str, scheme: Scheme) -> Finding:
    """The finding in another category; its field goes where that category has none of the name.

    Raises UnknownNameError for a category that is not there.
    """
    kept = finding.field if finding.field in scheme.category(category).fields else ""
    return replace(finding, category=category, field=kept)


def edited(span: Annotation, finding: Finding, text: str) -> Annotation:
    """The span with another finding; what was not made by hand counts as edited from then on."""
    return replace(with_finding(span, finding, text), origin="human" if span.origin == "human" else "edited")


def taken_over(concepts: Sequence[Coding]) -> tuple[Coding, ...]:
    """What a span stands for in the set of whoever accepts it."""
    return tuple(replace(one, origin="accepted") for one in concepts)


def coded(span: Annotation, coding: Coding, *, beside: bool = False) -> Annotation:
    """The span as it stands for a concept, in the place of or beside what it had of that terminology.

    What stands for it already, and for nothing else of the kind unless `beside`, stays as it is.
    """
    same = [one for one in span.concepts if one.terminology == coding.terminology]
    there = any((one.release, one.code) == (coding.release, coding.code) for one in same)
    if there and (beside or len(same) == 1):
        return span
    kept = [one for one in span.concepts if one not in same or (beside and one.code != coding.code)]
    return replace(span, concepts=(*kept, coding))


def uncoded(span: Annotation, terminology: str, code: str = "") -> Annotation:
    """The span without a code of a terminology, "" for all that it has of it."""
    kept = [one for one in span.concepts if one.terminology != terminology or code not in ("", one.code)]
    return replace(span, concepts=tuple(kept))


def new_span(
    report: OpenReport,
    uuid: str,
    start: int,
    end: int,
    category: str,
    polarity: Polarity = "present",
    concepts: tuple[Coding, ...] = (),
) -> Annotation:
    """What `add_span` with that UUID will store, but for rank and time.

    Raises ProjectError for a span that is empty, blank or outside the text.
    """
    finding = exact_finding(report.stored, start, end, Finding(category, "", None, None, "", polarity))
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
        concepts=concepts,
    )
