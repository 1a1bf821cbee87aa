"""A report's anchor: the concept that it is about as a whole, proposed, confirmed, or said to be none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from app.store.faults import sound
from app.store.values import canonical, json_object, new_uuid
from extractors.model.coding import Coding

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

AnchorState = Literal["proposed", "confirmed", "none"]
_CODING = ("terminology", "release", "code", "label", "uri", "origin")


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
    concept = {name: getattr(coding, name) for name in (*_CODING, "onset")}
    of_report = {"document": document, "annotation": None, "state": state, "said": canonical(details)}
    act.insert("concept", {"uuid": uuid, **of_report, **concept})
    return StoredAnchor(uuid, document, state, coding, details)


def remove_anchor(act: Act, document: str) -> None:
    """Let nothing be said of what a report (UUID) is about."""
    before = act.project.query("SELECT uuid FROM concept WHERE state <> '' AND document = ?", [document])
    act.delete_all("concept", [row["uuid"] for row in before])
