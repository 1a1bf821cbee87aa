"""What a reader of a blinded case thought before its next part, and which pictures tell nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.values import new_uuid

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess about a report (UUID) by a reader (name) with the first `part` parts of a view shown."""

    uuid: str
    document: str
    reader: str
    track: str
    part: int
    guess: str
    view_sha256: str
    guessed_at: str


def add_guess(act: Act, document: str, reader: str, track: str, part: int, guess: str, view: str) -> Guess:
    """Keep a guess; those of before stay."""
    kept = Guess(new_uuid(), document, reader, track, part, guess, view, act.at)
    act.insert("guess", asdict(kept))
    return kept


def guesses(project: Project, document: str) -> list[Guess]:
    """The guesses about a report (UUID), the earliest first; raises what `Project.query` raises."""
    rows = project.query("SELECT * FROM guess WHERE document = ? ORDER BY rowid", [document])
    return [Guess(**row) for row in rows]


def tick_pictures(act: Act, document: str, pictures: Sequence[str], reader: str) -> int:
    """Say that somebody looked at pictures (SHA-256) of a report (UUID) and found no telling words burned
    into them; how many were not ticked before."""
    new = [one for one in dict.fromkeys(pictures) if one not in ticked(act.project, document)]
    for one in new:
        cells = {"document": document, "picture": one, "reader": reader, "ticked_at": act.at}
        act.insert("picture_tick", {"uuid": new_uuid(), **cells})
    return len(new)


def ticked(project: Project, document: str) -> frozenset[str]:
    """The pictures (SHA-256) of a report (UUID) that were found free of telling words."""
    rows = project.tuples("SELECT picture FROM picture_tick WHERE document = ?", [document])
    return frozenset(picture for (picture,) in rows)
