"""Whoever or whatever holds a set of annotations: a person, the gold set, a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.store.act import Act
from app.store.values import new_uuid, uuid_of
from extractors.model.errors import ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project

AnnotatorKind: TypeAlias = Literal["person", "gold", "run"]
# Names that say what kind of annotator has them; nobody else may be called so.
_LONGEST, _SHOWN = 200, 60
# Line ends, other controls, and what turns the direction of writing: a name could be read as another.
_OBEYED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
RESERVED: Mapping[str, AnnotatorKind] = {"gold": "gold", "rules": "run"}


@dataclass(frozen=True, slots=True)
class Annotator:
    """A holder of annotations; `name` is unique in the project."""

    uuid: str
    name: str
    kind: AnnotatorKind


def kind_of(name: str) -> AnnotatorKind:
    """The kind of annotator that a name given by the user stands for: "gold" the gold set, others a person.

    Raises ProjectError for a name that is kept for runs.
    """
    kind = RESERVED.get(name.lower(), "person")
    if kind == "run":
        raise _reserved(name)
    return kind


def annotators(project: Project, *, every: bool = False) -> list[Annotator]:
    """All annotators of categories, people first, then gold, then runs, by name; with `every` those of other
    layers, too.

    Raises what `Project.query` raises.
    """
    rows = project.query(
        "SELECT uuid, name, kind FROM annotator a WHERE ? OR NOT EXISTS (SELECT 1 FROM run "
        "WHERE run.annotator = a.uuid AND json_valid(settings) "
        "AND json_extract(settings, '$.layer') = 'phenotype')",
        [int(every)],
    )
    return _in_order(Annotator(row["uuid"], row["name"], row["kind"]) for row in rows)


def coders(project: Project, terminology: str) -> list[Annotator]:
    """All whose annotations, of whatever layer, stand for concepts of a terminology; in that order."""
    rows = project.query(
        "SELECT uuid, name, kind FROM annotator a WHERE EXISTS (SELECT 1 FROM concept c "
        "JOIN annotation n ON n.uuid = c.annotation WHERE n.annotator = a.uuid "
        "AND c.terminology = ?)",
        [terminology],
    )
    return _in_order(Annotator(row["uuid"], row["name"], row["kind"]) for row in rows)


def _in_order(found: Iterable[Annotator]) -> list[Annotator]:
    order = {"person": 0, "gold": 1, "run": 2}
    return sorted(found, key=lambda one: (order[one.kind], one.name))


def annotator(project: Project, name: str) -> Annotator:
    """The annotator of that name. Raises UnknownNameError listing those there are."""
    known = annotators(project)
    for candidate in known:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in known)
    choice = f"choose one of {names}" if names else "the project has none yet"
    raise UnknownNameError(f"There is no annotator {name!r}; {choice}.")


def ensure_annotator(act: Act, name: str, kind: AnnotatorKind, settings: str = "") -> Annotator:
    """The annotator of that name, added where there is none: people of one name are the same in every copy,
    and so are runs of one name that begin with the same `settings`.

    Raises ProjectError for an empty name or where the name belongs to an annotator of another kind or is
    kept for one; `kind_of` tells the kind of a name that the user gave.
    """
    require_one_line(name)
    reserved = name.lower() in RESERVED
    if reserved and (name.lower() != name or RESERVED[name] != kind):
        raise _reserved(name)
    rows = act.project.query("SELECT uuid, name, kind FROM annotator WHERE name = ?", [name])
    if not rows:
        same = uuid_of("annotator", name, settings) if kind != "run" or settings else new_uuid()
        added = Annotator(act.fresh("annotator", same), name, kind)
        act.insert("annotator", {"uuid": added.uuid, "name": name, "kind": kind, "created_at": act.at})
        return added
    found = Annotator(rows[0]["uuid"], rows[0]["name"], rows[0]["kind"])
    if found.kind != kind:
        raise ProjectError(
            f"The name {name!r} belongs to an annotator of the kind {found.kind}; choose another."
        )
    return found


def require_one_line(name: str) -> None:
    """Raise ProjectError for what cannot be anybody's name: nothing, several lines, blanks around it."""
    if not name.strip():
        raise ProjectError("An annotator needs a name; give it one.")
    if name != name.strip() or len(name) > _LONGEST or _OBEYED.search(name):
        raise ProjectError(
            f"An annotator's name is one line without blanks around it, of at most {_LONGEST} characters, "
            f"unlike {name[:_SHOWN]!r}."
        )


def _reserved(name: str) -> ProjectError:
    holder = "the gold set" if RESERVED[name.lower()] == "gold" else "runs"
    return ProjectError(f"The name {name!r} is kept for {holder}; choose another.")
