"""Delete reports and rename them; who was given which, and how far everybody is with theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.operations.project.sets import actor, name_reports
from app.store.act import begin_act
from app.store.annotate.anchors import anchors
from app.store.annotate.annotators import annotators
from app.store.annotate.carried import kept_counts
from app.store.annotate.listing import seconds_at_work
from app.store.annotate.reviews import reviews
from app.store.reports.counting import count_by_annotator
from app.store.reports.documents import DocumentSummary, document_summary
from app.store.reports.housekeeping import remove_document, rename_document, rows_about
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.store.project import Project

# What goes with a report besides spans, some of it by the table that holds it.
_BESIDES = {
    "term": ("term of a profile", "terms of profiles"),
    "label": ("annotation under another label", "annotations under other labels"),
    "diagnosis": ("diagnosis", "diagnoses"),
    "guess": ("guess of a reader", "guesses of readers"),
    "decision": ("decision", "decisions"),
    "verdict": ("verdict of a review", "verdicts of reviews"),
    "rating": ("rating", "ratings"),
    "region": ("region of a picture", "regions of pictures"),
    "generation": ("call of a model", "calls of models"),
}


@dataclass(frozen=True, slots=True)
class Contents:
    """A report, how many spans everybody has in it by name, and what else is about it, in words."""

    key: str
    title: str
    spans: dict[str, int]
    besides: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What goes with the report, "" where nothing does."""
        spans = [f"{counted(number, 'span')} of {name}" for name, number in self.spans.items()]
        return ", ".join([*spans, *self.besides])


def contents_of(project: Project, report: str) -> Contents:
    """What would go with a report (key or UUID); raises UnknownNameError where it is not there."""
    stored = document_summary(project, report)
    found = count_by_annotator(project, stored.uuid).get(stored.uuid, {})
    spans = {one.name: found[one.uuid] for one in annotators(project) if found.get(one.uuid)}
    number = {table: len(rows) for table, rows in rows_about(project, stored.uuid).items()}
    number |= {
        "term": number["annotation"] - sum(found.values()),
        "label": sum(kept_counts(project, stored.uuid).values()),
        "diagnosis": len(anchors(project, stored.uuid)),
    }
    besides = [counted(number[what], *nouns) for what, nouns in _BESIDES.items() if number[what]]
    return Contents(stored.key, stored.title, spans, tuple(besides))


def delete_reports(where: Project | Path, reports: Sequence[str]) -> tuple[Contents, ...]:
    """Delete reports (keys or UUIDs) with all that is about them, in one act; returns what went.

    Spans, reviews, decisions, verdicts, ratings and the calls of models about them count nowhere any more and
    are in no export; the history keeps them, and undo brings all back. Who looked at whose spans stays on
    record. Raises UnknownNameError where one is not there, CallError where none is named.
    """
    if not reports:
        raise CallError("Name at least one report to delete.")
    with opened(where, write=True) as project:
        gone = {one.uuid: one for one in (document_summary(project, report) for report in reports)}
        contents = tuple(contents_of(project, uuid) for uuid in gone)
        noun = "report" if len(gone) == 1 else ""
        name = " ".join(filter(None, ("delete", noun, name_reports([one.key for one in gone.values()]))))
        with begin_act(project, name, actor(project)) as act:
            for uuid in gone:
                remove_document(act, uuid)
    return contents


def rename_report(where: Project | Path, report: str, *, title: str = "", key: str = "") -> DocumentSummary:
    """Give a report (key or UUID) another title, another key, or both; returns it as it is then.

    Nothing is done where both are what they were. Raises UnknownNameError where it is not there, ProjectError
    for a key that is taken or cannot be one, CallError where nothing is given.
    """
    title, key = " ".join(title.split()), key.strip()
    if not title and not key:
        raise CallError("Say what the report is to be called: a title, a short name, or both.")
    with opened(where, write=True) as project:
        before = document_summary(project, report)
        wanted = (key or before.key, title or before.title)
        if wanted != (before.key, before.title):
            after = f" to {wanted[0]}" if wanted[0] != before.key else ""
            with begin_act(project, f"rename report {before.key}{after}", actor(project)) as act:
                rename_document(act, before.uuid, *wanted)
        return document_summary(project, before.uuid)


@dataclass(frozen=True, slots=True)
class Given:
    """What an annotator (name) was given and has done of it; `words` are those of the reports' texts.

    `hours` are the time at work on all reports, `pace` words of done reports in an hour, None where no time
    is known.
    """

    annotator: str
    reports: int
    words: int
    done: int
    in_progress: int
    hours: float
    pace: float | None

    @property
    def sentence(self) -> str:
        pace = f", {self.pace:,.0f} words an hour" if self.pace is not None else ""
        return (
            f"given to {self.annotator}: {counted(self.reports, 'report')}, {counted(self.words, 'word')}; "
            f"{self.done} done, {self.in_progress} begun{pace}"
        )


def list_assignments(where: Project | Path) -> tuple[Given, ...]:
    """Everybody who was given reports, by name; what is done in a packet is seen once it was brought back."""
    from app.store.unite.packets import assignments

    with opened(where) as project, project.snapshot():
        assigned = assignments(project)
        state = {(one.document, one.annotator): one.state for one in reviews(project)} if assigned else {}
        time = seconds_at_work(project) if assigned else {}
        found = []
        for person in annotators(project):
            own = [one for one in assigned if one.annotator == person.uuid]
            if not own:
                continue
            states = Counter(state.get((one.document, person.uuid), "untouched") for one in own)
            hours = sum(time.get(person.uuid, {}).values()) / 3600
            finished = sum(one.words for one in own if state.get((one.document, person.uuid)) == "done")
            found.append(
                Given(
                    annotator=person.name,
                    reports=len(own),
                    words=sum(one.words for one in own),
                    done=states["done"],
                    in_progress=states["in progress"] + states["parked"],
                    hours=hours,
                    pace=finished / hours if hours else None,
                )
            )
        return tuple(found)
