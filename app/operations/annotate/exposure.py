"""What annotators may read of others, blind first, and what may be wrong with their own spans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.operations.project.sets import holder_of, name_reports, place_of, require_person, who
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, find_annotations, read_annotations
from app.store.annotate.annotators import Annotator, AnnotatorKind, annotators, ensure_annotator, kind_of
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.carried import Carried, kept_counts, kept_under_labels
from app.store.annotate.disclosures import add_disclosure, disclosures
from app.store.annotate.listing import Label, labels_on, same_words, uuids_there
from app.store.annotate.reviews import ReviewState, reviews
from app.store.reconcile.decisions import decisions
from app.store.reconcile.verdicts import verdicts
from app.store.reports.counting import count_by_annotator
from app.store.reports.documents import StoredDocument, document, document_summaries, document_summary

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.checks.span_checks import SpanWarning


@dataclass(frozen=True, slots=True)
class OtherSet:
    """Somebody else who has `quotes` in a report, with a place or without, and so many under other labels."""

    name: str
    kind: AnnotatorKind
    quotes: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Disclosed:
    """What was shown, by the name of whoever has it; `kept` is under labels that the scheme lacks."""

    annotations: Mapping[str, tuple[Annotation, ...]]
    kept: Mapping[str, tuple[Carried, ...]] = field(default_factory=dict)


def list_others(project: Project, key: str, annotator: str) -> tuple[OtherSet, ...]:
    """Everybody but the annotator (name) who has something in a report (key or UUID); shows none of it.

    Raises UnknownNameError where the report is not there.
    """
    report = document_summary(project, key).uuid
    number_of = count_by_annotator(project, report).get(report, {})
    kept = kept_counts(project, report)
    return tuple(
        OtherSet(other.name, other.kind, number_of.get(other.uuid, 0), kept.get(other.uuid, 0))
        for other in annotators(project)
        if other.name != annotator and (other.uuid in number_of or other.uuid in kept)
    )


def disclose(
    project: Project, annotator: str, key: str, names: Sequence[str], *, named: bool = True
) -> Disclosed:
    """Show the annotator what others (names) have in a report (key or UUID), and record the look for good.

    A look at the same set in the same review state is recorded once; one's own set is none. Undo passes over
    it. Unless `named`, the act's title keeps the names from who is to judge blindly. Raises UnknownNameError
    for a report or name that is not there, ProjectError where the annotator is a run, and where the look is
    new and the project open for reading.
    """
    report = document(project, key)
    disclose_all(project, annotator, [report.key], names, named=named)
    others = _others(project, annotator, names)
    shown = {other.name: tuple(read_annotations(project, report.uuid, other.uuid)) for other in others}
    kept = {other.name: kept_under_labels(project, other.uuid, report.uuid) for other in others}
    return Disclosed(shown, kept)


def unseen_reports(
    project: Project, annotator: str, keys: Sequence[str], names: Sequence[str]
) -> tuple[str, ...]:
    """Those of the reports (keys) in which one of these sets (names) was never shown to the annotator.

    Whoever has judged a set's quotes in a report, or decided on them, has seen them, and the gold that is
    made of it, whatever the record of looks has. One's own set needs no look. Raises UnknownNameError for a
    name that is not there.
    """
    seen = {(look.document, look.shown) for look in disclosures(project) if look.annotator == annotator}
    holder = holder_of(project, annotator)
    seen |= {(one.document, one.run) for one in verdicts(project, reviewer=holder)} if holder else set()
    gold = [one.uuid for one in annotators(project) if one.kind == "gold"]
    for one in decisions(project):
        if one.decided_by == annotator:
            seen |= {(one.document, decided) for decided in (one.left, one.right, *gold)}
    missing = _missing_looks(project, annotator, keys, names)
    found = {look.report for look in missing if (look.document, look.shown) not in seen}
    return tuple(key for key in keys if key in found)


def disclose_all(
    project: Project, annotator: str, keys: Sequence[str], names: Sequence[str], *, named: bool = True
) -> None:
    """Put on record for good that these sets (names) were shown to the annotator in all these reports (keys).

    `named` and what is raised are those of `disclose`.
    """
    require_person(annotator)
    looks = _missing_looks(project, annotator, keys, names)
    if not looks:
        return
    new = {look.shown for look in looks}
    what = ", ".join(one.name for one in _others(project, annotator, names) if one.uuid in new)
    reports = name_reports(list(dict.fromkeys(look.report for look in looks)))
    name = f"show {what if named else 'what is to be rated'} in {reports}"
    with begin_act(project, name, who(project, annotator), undoable=False) as act:
        ensure_annotator(act, annotator, kind_of(annotator))
        for one in looks:
            add_disclosure(act, one.document, annotator, one.shown, one.state)


def _others(project: Project, annotator: str, names: Sequence[str]) -> list[Annotator]:
    return [annotator_of(project, name) for name in dict.fromkeys(names) if name != annotator]


@dataclass(frozen=True, slots=True)
class _Look:
    """A look that is not on record: at a set (UUID) in a report, in the looker's state with it."""

    report: str
    document: str
    shown: str
    state: ReviewState


def _missing_looks(
    project: Project, annotator: str, keys: Sequence[str], names: Sequence[str]
) -> list[_Look]:
    others, holder = _others(project, annotator, names), holder_of(project, annotator)
    states = {review.document: review.state for review in reviews(project, holder)} if holder else {}
    # Of one report, as most often, the others are not read.
    alone = [document_summary(project, keys[0])] if len(keys) == 1 else []
    seen = disclosures(project, alone[0].uuid if alone else None)
    known = {(one.document, one.shown, one.state) for one in seen if one.annotator == annotator}
    wanted = set(keys)
    looks = [
        _Look(report.key, report.uuid, other.uuid, states.get(report.uuid, "untouched"))
        for report in alone or document_summaries(project)
        if report.key in wanted
        for other in others
    ]
    return [look for look in looks if (look.document, look.shown, look.state) not in known]


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
