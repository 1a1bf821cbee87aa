"""What an annotator does to a report by hand: one function per act, each one step of undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.messages import no_such
from app.operations.annotate.edits import edited, exact_finding, moved, relabelled, taken_over
from app.operations.project.sets import (
    begun,
    count_spans,
    follow,
    in_scheme_order,
    labelled_places,
    name_of,
    name_reports,
    own_annotations,
    place_of,
    polarity_named,
    require_field,
    require_person,
    review_by,
    spans_of,
    who,
    without,
)
from app.store.act import begin_act
from app.store.annotate.annotations import (
    Annotation,
    Origin,
    add_annotations,
    edit_annotation,
    find_annotations,
    remove_annotations,
)
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.annotate.reviews import Review, ReviewState, set_review
from app.store.reports.documents import StoredDocument, document
from app.store.reports.documents import set_section_categories as store_section_categories
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.coding import Coding
    from extractors.model.document import Section

STATES: tuple[ReviewState, ...] = ("untouched", "in progress", "parked", "done")


@dataclass(frozen=True, slots=True)
class SpanPlace:
    """Where a span is to be: `report` by key or UUID, `start` and `end` in code points of its text."""

    report: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Changed:
    """What one act did: annotations as they are now (removed ones as they were) and reviews as they are now.

    All empty where there was nothing to change; then the act left no trace. `notes` are sentences on what was
    taken otherwise than it was asked for.
    """

    added: tuple[Annotation, ...] = ()
    edited: tuple[Annotation, ...] = ()
    removed: tuple[Annotation, ...] = ()
    reviews: tuple[Review, ...] = ()
    notes: tuple[str, ...] = ()


def add_span(
    project: Project,
    annotator: str,
    place: SpanPlace,
    category: str,
    *,
    field: str = "",
    polarity: Polarity = "present",
    note: str = "",
    uuid: str = "",
    concepts: tuple[Coding, ...] = (),
) -> Changed:
    """Label one span, which stands for `concepts`; as `add_spans`, which names what is raised."""
    whole = (project, annotator, [place], category)
    uuids = (uuid,) if uuid else ()
    return add_spans(*whole, field=field, polarity=polarity, note=note, uuids=uuids, concepts=concepts)


def add_spans(
    project: Project,
    annotator: str,
    places: Sequence[SpanPlace],
    category: str,
    *,
    field: str = "",
    polarity: Polarity = "present",
    note: str = "",
    uuids: Sequence[str] = (),
    concepts: tuple[Coding, ...] = (),
) -> Changed:
    """Label spans of one or many reports in one act, under new UUIDs or the given ones (one to one).

    A place that the annotator has in that category already is passed over. An untouched report becomes "in
    progress", and "nothing found" in the category is taken back. Raises UnknownNameError for a report,
    category or field that is not there, ProjectError for a span that is empty, blank or outside the text, and
    where the annotator is a run.
    """
    if uuids and len(uuids) != len(places):
        raise ValueError("UUIDs go with the places one to one")
    require_field(project, category, field)
    reports = {key: document(project, key) for key in dict.fromkeys(place.report for place in places)}
    wanted: list[_New] = []
    for number, place in enumerate(places):
        report = reports[place.report]
        finding = exact_finding(
            report, place.start, place.end, Finding(category, "", None, None, field, polarity)
        )
        wanted.append(_New(report, finding, note, uuids[number] if uuids else "", concepts))
    named = project.scheme.category(category).name
    return _add(project, annotator, wanted, "human", lambda new: f"label {count_spans(new)} as {named}")


def accept_spans(project: Project, annotator: str, uuids: Sequence[str]) -> Changed:
    """Copy spans of a run or of somebody else into the annotator's own set, as the text has them.

    Their origin is "accepted" until they are edited. Raises UnknownNameError for a span that is not there,
    ProjectError for one without a place and where the annotator is a run.
    """
    theirs = find_annotations(project, list(dict.fromkeys(uuids)))
    reports = {uuid: document(project, uuid) for uuid in {one.document for one in theirs}}
    wanted = []
    for annotation in theirs:
        report = reports[annotation.document]
        finding = exact_finding(report, *place_of(annotation), annotation.finding)
        wanted.append(_New(report, finding, concepts=taken_over(annotation.concepts)))
    return _add(project, annotator, wanted, "accepted", lambda new: f"accept {count_spans(new)}")


def move_span(
    project: Project, uuid: str, start: int, end: int, *, polarity: Polarity | None = None
) -> Changed:
    """Set the edges of a span, or give a quote without a place one; its quote is then the text there.

    With a `polarity` that is set in the same act. Raises UnknownNameError for a span that is not there,
    ProjectError for a place that is empty, blank, outside the text or labelled so already, and where the span
    is a run's.
    """
    annotation = own_annotations(project, [uuid])[0]
    after = moved(annotation.finding, document(project, annotation.document), start, end, polarity)
    return _edit(project, annotation, after, "move span")


def relabel_span(project: Project, uuid: str, category: str) -> Changed:
    """Put a span into another category; its field goes where that category has none of the name.

    "Nothing found" in that category is taken back. Raises as `move_span`, and UnknownNameError for a category
    that is not there.
    """
    annotation = own_annotations(project, [uuid])[0]
    finding = relabelled(annotation.finding, category, project.scheme)
    before, after = (project.scheme.category(one.category).name for one in (annotation.finding, finding))
    return _edit(project, annotation, finding, f"relabel {before} as {after}")


def set_span_field(project: Project, uuid: str, field: str) -> Changed:
    """Set the field of a span, "" for none.

    Raises UnknownNameError for a span or field that is not there, ProjectError where the span is a run's.
    """
    annotation = own_annotations(project, [uuid])[0]
    if field != annotation.finding.field:
        require_field(project, annotation.finding.category, field)
    return _edit(project, annotation, replace(annotation.finding, field=field), "set field")


def set_span_polarity(project: Project, uuid: str, polarity: Polarity) -> Changed:
    """Set whether a span speaks of something present, negated or uncertain; raises as `set_span_field`."""
    polarity = polarity_named(polarity)
    annotation = own_annotations(project, [uuid])[0]
    return _edit(project, annotation, replace(annotation.finding, polarity=polarity), f"set {polarity}")


def set_span_note(project: Project, uuid: str, note: str) -> Changed:
    """Set the remark on a span, "" for none; it says nothing of the finding, whose origin stays.

    Raises UnknownNameError for a span that is not there, ProjectError where it is a run's.
    """
    annotation = own_annotations(project, [uuid])[0]
    if note == annotation.note:
        return Changed()
    report = document(project, annotation.document)
    name = name_of(project, annotation.annotator)
    with begin_act(project, f"set note in {report.key}", who(project, name)) as act:
        return Changed(edited=(edit_annotation(act, uuid, note=note),))


def remove_spans(project: Project, uuids: Sequence[str]) -> Changed:
    """Remove spans in one act.

    Raises UnknownNameError for a span that is not there, ProjectError where one is a run's.
    """
    removed = own_annotations(project, list(dict.fromkeys(uuids)))
    if not removed:
        return Changed()
    keys = [document(project, uuid).key for uuid in dict.fromkeys(one.document for one in removed)]
    name = name_of(project, removed[0].annotator)
    with begin_act(
        project, f"remove {count_spans(removed)} in {name_reports(keys)}", who(project, name)
    ) as act:
        remove_annotations(act, [one.uuid for one in removed])
    return Changed(removed=tuple(removed))


def state_nothing_found(
    project: Project, annotator: str, report: str, category: str, *, stated: bool = True
) -> Changed:
    """State that a report (key or UUID) says nothing of a category, or take the statement back.

    An untouched report becomes "in progress". Raises UnknownNameError for a report or category that is not
    there, ProjectError where the annotator has a span in that category or is a run.
    """
    named = project.scheme.category(category).name
    stored = document(project, report)
    review = review_by(project, stored, annotator)
    if (category in review.nothing_found) == stated:
        return Changed()
    if not stated:
        looked_at = set(review.looked_at) - (set() if review.state == "done" else {category})
        after = replace(review, nothing_found=without(review.nothing_found, category))
        after = replace(after, looked_at=in_scheme_order(project, looked_at))
        return _set_review(project, annotator, stored, after, f"take back nothing found in {named}")
    if any(one.finding.category == category for one in spans_of(project, stored, annotator)):
        raise ProjectError(f"{stored.key} has spans in {named}; remove them to state that it has none.")
    after = replace(
        review,
        state=begun(review.state),
        nothing_found=in_scheme_order(project, {*review.nothing_found, category}),
        looked_at=in_scheme_order(project, {*review.looked_at, category}),
    )
    return _set_review(project, annotator, stored, after, f"state nothing found in {named}")


def state_nothing_in_rest(project: Project, annotator: str, report: str) -> Changed:
    """State in one act that nothing was found in every category left open in a report.

    Raises UnknownNameError for a report that is not there, ProjectError where the annotator is a run.
    """
    stored = document(project, report)
    review = review_by(project, stored, annotator)
    found = {one.finding.category for one in spans_of(project, stored, annotator)}
    rest = [one for one in project.scheme.ids if one not in found and one not in review.nothing_found]
    if not rest:
        return Changed()
    after = replace(
        review,
        state=begun(review.state),
        nothing_found=in_scheme_order(project, {*review.nothing_found, *rest}),
        looked_at=in_scheme_order(project, {*review.looked_at, *rest}),
    )
    named = ", ".join(project.scheme.category(one).name for one in rest[:2])
    what = named if len(rest) < 3 else f"{len(rest)} categories"
    return _set_review(project, annotator, stored, after, f"state nothing found in {what}")


def set_review_state(project: Project, annotator: str, report: str, state: ReviewState) -> Changed:
    """Set how far the annotator is with a report (key or UUID).

    "done" says that every category was looked at; without it only those with a span or a statement were.
    Raises UnknownNameError for a report or state that is not there, ProjectError where the annotator is a
    run.
    """
    if state not in STATES:
        raise UnknownNameError(no_such("review state", state, STATES))
    stored = document(project, report)
    review = review_by(project, stored, annotator)
    if state == review.state:
        return Changed()
    looked_at = review.looked_at
    if state == "done":
        looked_at = project.scheme.ids
    elif review.state == "done":
        found = {one.finding.category for one in spans_of(project, stored, annotator)}
        looked_at = in_scheme_order(project, {*found, *review.nothing_found})
    after = replace(review, state=state, looked_at=looked_at)
    return _set_review(project, annotator, stored, after, f"mark {state}")


def set_section_categories(
    project: Project, annotator: str, report: str, position: int, categories: Iterable[str]
) -> Section:
    """Set which categories the section at that position (from 0) of a report (key or UUID) speaks of.

    Returns the section as it is then. Raises UnknownNameError for what is not there.
    """
    stored = document(project, report)
    with begin_act(project, f"set section categories in {stored.key}", who(project, annotator)) as act:
        return store_section_categories(act, stored.uuid, position, categories)


@dataclass(frozen=True, slots=True)
class _New:
    """A span to be added."""

    report: StoredDocument
    finding: Finding
    note: str = ""
    uuid: str = ""
    concepts: tuple[Coding, ...] = ()


def _add(
    project: Project,
    annotator: str,
    wanted: Sequence[_New],
    origin: Origin,
    name: Callable[[list[_New]], str],
) -> Changed:
    """Add spans that the annotator does not have yet, in one act, with what follows for the reviews."""
    require_person(annotator)
    new: list[_New] = []
    taken: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for one in wanted:
        category, place = one.finding.category, (one.finding.start or 0, one.finding.end or 0)
        if (one.report.uuid, category) not in taken:
            there = labelled_places(project, one.report, annotator, category)
            taken[one.report.uuid, category] = set(there)
        if place not in taken[one.report.uuid, category]:
            taken[one.report.uuid, category].add(place)
            new.append(one)
    if not new:
        return Changed()
    reports = {one.report.uuid: one.report for one in new}
    title = f"{name(new)} in {name_reports([report.key for report in reports.values()])}"
    added: list[Annotation] = []
    reviews: list[Review] = []
    with begin_act(project, title, who(project, annotator)) as act:
        holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
        for report in reports.values():
            here = [one for one in new if one.report.uuid == report.uuid]
            findings = [one.finding for one in here]
            notes = [one.note for one in here]
            uuids = [one.uuid for one in here] if here[0].uuid else ()
            meant = [one.concepts for one in here]
            added += add_annotations(
                *(act, report.uuid, holder, findings, origin), notes=notes, uuids=uuids, concepts=meant
            )
            reviews += follow(act, report.uuid, holder, {finding.category for finding in findings})
    return Changed(added=tuple(added), reviews=tuple(reviews))


def _edit(project: Project, annotation: Annotation, finding: Finding, name: str) -> Changed:
    """Give a span another finding; what was not made by hand here counts as edited from then on."""
    if finding == annotation.finding:
        return Changed()
    report = document(project, annotation.document)
    holder = name_of(project, annotation.annotator)
    old = annotation.finding
    elsewhere = (finding.category, finding.start, finding.end) != (old.category, old.start, old.end)
    if elsewhere and (finding.start, finding.end) in labelled_places(
        project, report, holder, finding.category
    ):
        named = project.scheme.category(finding.category).name
        raise ProjectError(f"{finding.quote[:60]!r} is labelled {named} there already.")
    after = edited(annotation, finding, report.document.text)
    with begin_act(project, f"{name} in {report.key}", who(project, holder)) as act:
        stored = edit_annotation(act, annotation.uuid, finding=finding, origin=after.origin)
        reviews = follow(act, annotation.document, annotation.annotator, {finding.category})
    return Changed(edited=(stored,), reviews=tuple(reviews))


def _set_review(
    project: Project, annotator: str, report: StoredDocument, review: Review, name: str
) -> Changed:
    require_person(annotator)
    with begin_act(project, f"{name} in {report.key}", who(project, annotator)) as act:
        holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
        after = set_review(
            act,
            report.uuid,
            holder,
            state=review.state,
            nothing_found=review.nothing_found,
            looked_at=review.looked_at,
        )
    return Changed(reviews=(after,))
