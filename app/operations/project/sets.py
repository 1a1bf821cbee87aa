"""Whose set an act by hand is about, under whose name it goes into the history, and what may be a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.messages import no_such
from app.store.annotate.annotations import Annotation, find_annotations, read_annotations
from app.store.annotate.annotators import RESERVED, annotators, kind_of, require_one_line
from app.store.annotate.reviews import Review, ReviewState, review_of, set_review
from app.store.reports.counting import places_in
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import POLARITIES, Polarity

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.reports.documents import DocumentSummary, StoredDocument

# Annotators who are not in the project yet have nothing in it.
_NOBODY_YET = ""


def own_annotations(project: Project, uuids: Sequence[str]) -> list[Annotation]:
    """Annotations that may be changed by hand; raises ProjectError where one is a run's."""
    found = find_annotations(project, uuids)
    runs = {one.uuid: one.name for one in annotators(project, every=True) if one.kind == "run"}
    for annotation in found:
        if annotation.annotator in runs:
            raise ProjectError(f"What {runs[annotation.annotator]} found stays as it is; accept it first.")
    return found


def place_of(annotation: Annotation) -> tuple[int, int]:
    """Where an annotation stands; raises ProjectError where it has no place."""
    start, end = annotation.finding.start, annotation.finding.end
    if start is None or end is None:
        raise ProjectError(
            f"{annotation.finding.quote[:60]!r} has no place in its report; give it one first."
        )
    return start, end


def holder_of(project: Project, annotator: str) -> str:
    """The annotator's UUID, `_NOBODY_YET` where there is none of that name."""
    return next((one.uuid for one in annotators(project) if one.name == annotator), _NOBODY_YET)


def name_of(project: Project, uuid: str) -> str:
    """The name of the annotator of that UUID."""
    return next(one.name for one in annotators(project) if one.uuid == uuid)


def spans_of(project: Project, report: StoredDocument, annotator: str) -> list[Annotation]:
    """What an annotator (name) has in a report."""
    return read_annotations(project, report.uuid, holder_of(project, annotator))


def labelled_places(
    project: Project, report: StoredDocument | DocumentSummary, annotator: str, category: str
) -> list[tuple[int, int]]:
    """Where an annotator (name) has spans of a category in a report; quick however many others there are."""
    return places_in(project, report.uuid, holder_of(project, annotator), category)


def review_by(project: Project, report: StoredDocument, annotator: str) -> Review:
    """The review of a report by an annotator (name), untouched where there is none."""
    return review_of(project, report.uuid, holder_of(project, annotator))


def require_person(annotator: str) -> None:
    """Raise ProjectError for what is no name, or is kept for runs; others of a run are told by their kind."""
    require_one_line(annotator)
    kind_of(annotator)


def require_field(project: Project, category: str, field: str) -> None:
    """Raise UnknownNameError for a category, or a field of it, that the scheme lacks."""
    fields = project.scheme.category(category).fields
    if field and field not in fields:
        raise UnknownNameError(f"{category} has no field {field!r}; choose one of {', '.join(fields)}.")


def polarity_named(word: str) -> Polarity:
    """The polarity of that name; raises UnknownNameError."""
    for polarity in POLARITIES:
        if polarity == word:
            return polarity
    raise UnknownNameError(no_such("polarity", word, POLARITIES))


def begun(state: ReviewState) -> ReviewState:
    """The state of a report on which work has begun."""
    return "in progress" if state == "untouched" else state


def without(categories: Sequence[str], *taken: str) -> tuple[str, ...]:
    """The categories but for those taken."""
    return tuple(category for category in categories if category not in taken)


def in_scheme_order(project: Project, categories: set[str]) -> tuple[str, ...]:
    """The category ids in the order of the scheme."""
    return tuple(category for category in project.scheme.ids if category in categories)


def who(project: Project, annotator: str) -> str:
    """Under whose name an act by hand goes into the history."""
    return project.owner or annotator


def count_spans(spans: Sequence[object]) -> str:
    """ "span" or "3 spans", for the name of an act."""
    return "span" if len(spans) == 1 else f"{len(spans)} spans"


def name_reports(keys: Sequence[str]) -> str:
    """The key of the one report, or how many there are, for the name of an act."""
    return keys[0] if len(keys) == 1 else f"{len(keys)} reports"


def follow(act: Act, report: str, holder: str, categories: set[str]) -> list[Review]:
    """What a span in these categories says of the review: work has begun, and something was found."""
    review = review_of(act.project, report, holder)
    nothing_found = without(review.nothing_found, *categories)
    state = begun(review.state)
    if (state, nothing_found) == (review.state, review.nothing_found):
        return []
    return [set_review(act, report, holder, state=state, nothing_found=nothing_found)]


NOBODY = "casespan"


def actor(project: Project) -> str:
    """The person the project was made for; the program itself where none was named."""
    return project.owner or NOBODY


def name_problem(name: str) -> str:
    """Why a person cannot annotate under this name, in a sentence; "" where nothing speaks against it."""
    try:
        require_one_line(name)
    except ProjectError as error:
        return str(error)
    if name.lower() in RESERVED:
        return f"The name {name!r} is kept by the program; choose another."
    return ""


def import_name_problem(name: str) -> str:
    """Why annotations cannot be imported under this name, in a sentence; the gold set may be."""
    try:
        require_one_line(name)
        kind_of(name)
    except ProjectError as error:
        return str(error)
    return "" if name == name.lower() or name.lower() not in RESERVED else f"Write {name!r} in small letters."
