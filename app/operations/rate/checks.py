"""What may be rated and by whom, and by which letters a blind rater knows the outputs of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from string import ascii_uppercase
from typing import TYPE_CHECKING

from app.store.annotate.annotators import Annotator, annotators, kind_of, require_one_line
from app.store.annotate.annotators import annotator as annotator_of
from app.store.annotate.reviews import reviews
from app.store.reports.counting import count_by_annotator
from app.store.reports.documents import DocumentSummary, document_summary
from app.store.study import ratings as store
from extractors.model.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.agreement.ratings.summary import OutputRating
    from app.store.project import Project


class RatingCheck:
    """What ratings are held against; who looked at what is read once, however many are checked."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _there(self) -> dict[str, set[str]]:
        return looked_at(self._project)

    @cached_property
    def _ages(self) -> list[str]:
        return store.sets_by_age(self._project)

    def checked(self, given: OutputRating) -> OutputRating:
        """The rating by the report's key and the run's own name; raises what `rate_output` raises."""
        report, holder = self.find(given.rater, given.run, given.report, blind=given.blind)
        _require_said(given.scores, given.note)
        return replace(given, report=report.key, run=holder.name, note=given.note.strip())

    def find(
        self, rater: str, run: str, report: str, *, blind: bool = False
    ) -> tuple[DocumentSummary, Annotator]:
        """The report and the set that is rated; raises as `rate_output`."""
        require_rater(self._project, rater)
        document_ = document_summary(self._project, report)
        holder = self._unmasked(rater, run, document_) if blind else None
        holder = holder or annotator_of(self._project, run)
        require_other(holder, rater)
        if holder.uuid not in self._there.get(document_.uuid, set()):
            raise ProjectError(f"{run} has not annotated {document_.key}; there is no output to rate.")
        return document_, holder

    def _unmasked(self, rater: str, label: str, report: DocumentSummary) -> Annotator | None:
        """Whose output has that label for the rater in a report, None for what is no label."""
        places = places_for(rater, report.uuid, self._ages)
        uuid = next((one for one, place in places.items() if label_at(place) == label), None)
        if uuid is None:
            return None
        holder = next((one for one in annotators(self._project) if one.uuid == uuid), None)
        if holder is None:
            raise UnknownNameError(f"{label} of {report.key} was taken out of the project; leave it out.")
        return holder


def looked_at(project: Project) -> dict[str, set[str]]:
    """Who looked at each document, all UUIDs."""
    there = {uuid: set(number_of) for uuid, number_of in count_by_annotator(project).items()}
    for review in reviews(project):
        if review.looked_at or review.nothing_found or review.state == "done":
            there.setdefault(review.document, set()).add(review.annotator)
    return there


def require_rater(project: Project, rater: str) -> None:
    """Raise ProjectError for a name that stands for no person."""
    require_one_line(rater)
    holder = next((one for one in annotators(project) if one.name == rater), None)
    if kind_of(rater) != "person" or (holder is not None and holder.kind != "person"):
        raise ProjectError(
            f"{rater!r} is the name of a set of annotations; give the name of a person who rates."
        )


def require_other(holder: Annotator, rater: str) -> None:
    """Raise ProjectError for one's own set."""
    if holder.name == rater:
        raise ProjectError(f"What {rater} has is {rater}'s own; one rates what others have.")


def _require_said(scores: Mapping[str, int], note: str) -> None:
    from app.agreement.ratings.summary import require_scores

    require_scores(scores)
    if not scores and not note.strip():
        raise ProjectError("A rating needs a score or a note; give at least one.")


def places_for(rater: str, document_: str, sets: Sequence[str]) -> dict[str, int]:
    """A place by set (UUID), drawn from rater and document; each alphabet takes as many as it has letters.

    A set goes on from the place that it draws to the next free one, so that later sets move no earlier one.
    """
    letters = len(ascii_uppercase)
    places: dict[str, int] = {}
    for number, uuid in enumerate(sets):
        begin = number // letters * letters
        drawn = int.from_bytes(sha256("\0".join((rater, document_, uuid)).encode()).digest()[:8])
        taken = set(places.values())
        turns = (begin + (drawn + step) % letters for step in range(letters))
        places[uuid] = next(place for place in turns if place not in taken)
    return places


def label_at(place: int) -> str:
    """What a blind rater reads in the place of a name."""
    letters = len(ascii_uppercase)
    return "Output " + ascii_uppercase[place % letters] * (place // letters + 1)
