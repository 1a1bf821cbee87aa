"""What a report is about (its anchor); what readers of its blinded views guessed, and saw in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from app.store.faults import sound
from app.store.values import canonical, json_object, new_uuid
from extractors.model.coding import Coding

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

AnchorState = Literal["proposed", "confirmed", "none"]
_CODING = "terminology", "release", "code", "label", "uri", "origin"


@dataclass(frozen=True, slots=True)
class StoredAnchor:
    """What a report (UUID) is about; `details`: by whom, names, hints, evidence, others."""

    uuid: str
    document: str
    state: AnchorState
    coding: Coding
    details: dict[str, Any] = field(default_factory=dict)


def anchors(project: Project, document: str | None = None) -> dict[str, StoredAnchor]:
    """The anchors of all reports or one (UUID), by UUID of the report; of several that copies brought the
    one that a person confirmed, else the last.

    Raises DamagedProjectError where one cannot be read.
    """
    rows = project.query(
        "SELECT * FROM concept WHERE state <> '' AND document = ifnull(?, document) "
        "ORDER BY state <> 'proposed', rowid",
        [document],
    )
    found = {}
    for row in rows:
        with sound(project.path, f"the diagnosis of document {row['document']}"):
            coding = Coding(*(row[name] for name in _CODING))
            found[row["document"]] = StoredAnchor(
                row["uuid"], row["document"], row["state"], coding, json_object(row["said"])
            )
    return found


def put_anchor(
    act: Act, document: str, state: AnchorState, coding: Coding, details: dict[str, Any]
) -> StoredAnchor:
    """Let a report (UUID) be about a concept, in the place of what it was about before."""
    remove_anchor(act, document)
    uuid = new_uuid()
    of_report = {"document": document, "annotation": None, "state": state, "said": canonical(details)}
    act.insert("concept", {"uuid": uuid, **of_report, **asdict(coding)})
    return StoredAnchor(uuid, document, state, coding, details)


def remove_anchor(act: Act, document: str) -> None:
    """Let nothing be said of what a report (UUID) is about."""
    before = act.project.query("SELECT uuid FROM concept WHERE state <> '' AND document = ?", [document])
    act.delete_all("concept", [row["uuid"] for row in before])


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
