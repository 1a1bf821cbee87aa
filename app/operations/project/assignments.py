"""Who was given which reports, how far everybody is with theirs, and at what pace."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.store.annotate.listing import seconds_at_work
from app.store.annotate.reviews import reviews

if TYPE_CHECKING:
    from app.store.project import Project


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


def list_assignments(where: Project | Path) -> tuple[Given, ...]:
    """Everybody who was given reports, by name; what is done in a packet is seen once it was brought back."""
    from app.store.annotate.annotators import annotators
    from app.store.unite.packets import assignments

    with opened(where) as project, project.snapshot():
        given = assignments(project)
        state = {(one.document, one.annotator): one.state for one in reviews(project)} if given else {}
        time = seconds_at_work(project) if given else {}
        found = []
        for person in annotators(project):
            own = [one for one in given if one.annotator == person.uuid]
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
