"""Checks while annotating: what may be wrong with one's own spans of a report; nothing is changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.project.sets import holder_of, place_of
from app.store.annotate.annotations import Annotation, find_annotations, read_annotations
from app.store.annotate.labels import Label, labels_on, same_words, uuids_there
from app.store.reports.documents import StoredDocument, document

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.checks.span_checks import SpanWarning


@dataclass(frozen=True, slots=True)
class OtherLabel:
    """Another category (id) of the same words elsewhere, on `places` places, the first in `report` (key)."""

    category: str
    report: str
    places: int


@dataclass(frozen=True, slots=True)
class CheckedSpan:
    """An annotation (UUID) and what may be wrong with it, the gravest first.

    `others` has one entry for each warning of the kind "labelled otherwise", in their order.
    """

    uuid: str
    warnings: tuple[SpanWarning, ...]
    others: tuple[OtherLabel, ...]


def check_spans(
    project: Project, report_key: str, annotator: str, uuids: Sequence[str] | None = None
) -> tuple[CheckedSpan, ...]:
    """Check those annotations (UUIDs) of the annotator (name) in a report, or all of them.

    Each comes back, with or without warnings; left out is what has no place, and what is not there any more.
    Raises UnknownNameError for a report that is not there.
    """
    holder = holder_of(project, annotator)
    with project.snapshot():
        report = document(project, report_key)
        found = [span for span in _spans(project, report, holder, uuids) if span.surface is not None]
        labels = labels_on(project, holder, {_words(report, span) for span in found})
    return tuple(
        _checked(project, report, span, labels.get(same_words(_words(report, span)), ())) for span in found
    )


def _spans(
    project: Project, report: StoredDocument, holder: str, uuids: Sequence[str] | None
) -> list[Annotation]:
    if uuids is None:
        return read_annotations(project, report.uuid, holder)
    return find_annotations(project, uuids_there(project, report.uuid, holder, uuids))


def _words(report: StoredDocument, span: Annotation) -> str:
    start, end = place_of(span)
    return report.document.text[start:end]


def _checked(
    project: Project, report: StoredDocument, span: Annotation, labels: Sequence[Label]
) -> CheckedSpan:
    # Grounding's words come with it, which the window does without until the first span is checked.
    from extractors.checks.span_checks import SpanWarning, check_span

    start, end = place_of(span)
    warnings = check_span(report.document.text, start, end, span.finding.polarity)
    others = _other_labels(span.finding.category, (report.key, start, end), labels)
    given = tuple(
        SpanWarning("labelled otherwise", _sentence(project, other), start, end) for other in others
    )
    return CheckedSpan(span.uuid, (*warnings, *given), others)


def _other_labels(
    category: str, here: tuple[str, int, int], labels: Sequence[Label]
) -> tuple[OtherLabel, ...]:
    """Other categories of the same words elsewhere, but where both stand on both places."""
    places: dict[tuple[str, int, int], set[str]] = defaultdict(set)
    for label in labels:
        places[label.report, label.start, label.end].add(label.category)
    own = places.pop(here, set())
    found: dict[str, list[str]] = defaultdict(list)
    for (report, _, _), there in places.items():
        for other in sorted(there - {category}):
            if not (other in own and category in there):
                found[other].append(report)
    return tuple(OtherLabel(other, reports[0], len(reports)) for other, reports in found.items())


def _sentence(project: Project, other: OtherLabel) -> str:
    name = project.scheme.category(other.category).name
    if other.places == 1:
        return f"The same words are labelled {name} in {other.report}."
    return f"The same words are labelled {name} on {other.places} other places, first in {other.report}."
