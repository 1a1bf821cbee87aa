"""Words in reports, quotes and notes that may tell who a patient is, before they leave the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.checks.identifiers import Identifier


@dataclass(frozen=True, slots=True)
class Suspected:
    """A stretch that may tell who somebody is; `where` is "text", "title", "quote" or "note".

    `start` and `end` are code points of that text; `annotator` is whose quote or note it is, "" otherwise.
    """

    where: str
    kind: str
    text: str
    start: int
    end: int
    annotator: str = ""


def find_identifiers(
    where: Project | Path, only: Collection[str] = ()
) -> Generator[Progress, None, Mapping[str, tuple[Suspected, ...]]]:
    """What may be one, by the key of the report, in every report (of those named) that has any."""
    from app.store.annotate.annotations import read_annotations
    from app.store.annotate.annotators import annotators
    from app.store.reports.documents import document, document_summaries

    found: dict[str, tuple[Suspected, ...]] = {}
    with opened(where) as project:
        names = {one.uuid: one.name for one in annotators(project)}
        reports = [one for one in document_summaries(project) if not only or one.key in only]
        for done, summary in enumerate(reports, start=1):
            report = document(project, summary.key)
            own = [*_told("text", _identifiers_in(report.document.text))]
            own += _told("title", _identifiers_in(summary.title))
            for one in read_annotations(project, summary.uuid, layer=None):
                by = names.get(one.annotator, "")
                # What is the text at its place was found there.
                if one.surface != one.finding.quote:
                    own += _told("quote", _identifiers_in(one.finding.quote), by)
                own += _told("note", _identifiers_in(one.note), by)
            if own:
                found[summary.key] = tuple(own)
            yield Progress(done, len(reports), summary.key)
    return found


# A report is exported many times, for one annotator after the other.
@lru_cache(maxsize=128)
def _identifiers_in(text: str) -> tuple[Identifier, ...]:
    from extractors.checks.identifiers import identifiers

    return tuple(identifiers(text))


def _told(where: str, found: tuple[Identifier, ...], annotator: str = "") -> Iterator[Suspected]:
    for one in found:
        yield Suspected(where, one.kind, one.text, one.start, one.end, annotator)


def identifiers_sentence(found: Mapping[str, tuple[Suspected, ...]]) -> str:
    """How much may tell who patients are, "" where nothing was found."""
    kinds = Counter(one.kind for report in found.values() for one in report)
    if not kinds:
        return ""
    listed = ", ".join(counted(number, kind) for kind, number in kinds.most_common())
    return (
        f"{counted(len(found), 'report')} may tell who a patient is: {listed}. Look at them, and at who gets "
        "this, before it leaves this computer."
    )
