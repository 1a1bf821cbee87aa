"""What a reader of a blinded case thought before its next part was shown."""

from __future__ import annotations

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
