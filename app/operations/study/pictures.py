"""The pictures that items show: kept once each, by the SHA-256 of their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from app.store.reports.figures import keep_picture, picture_bytes
from extractors.checks.pictures import inspect
from extractors.model.errors import FormatError, ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


def keep_pictures(act: Act, pictures: Mapping[str, bytes]) -> None:
    """Keep pictures by SHA-256, each once; raises FormatError where one is none, or not what it is called."""
    for sha256, data in pictures.items():
        if hashlib.sha256(data).hexdigest() != sha256:
            raise FormatError(f"The picture {sha256[:12]} is not what its name says.")
        facts = inspect(data, "")
        keep_picture(act, sha256, data, facts.format, facts.width, facts.height)


def picture_names(items: Iterable[Mapping[str, Any]]) -> list[str]:
    """The SHA-256 of every picture that items (as JSON) show, each once, in order."""
    found: dict[str, None] = {}
    for one in items:
        listed = one["input"].get("pictures")
        for picture in listed if isinstance(listed, list) else ():
            name = picture.get("sha256") if isinstance(picture, dict) else None
            found |= {name: None} if isinstance(name, str) and name else {}
    return list(found)


def find_picture(project: Project, sha256: str) -> bytes | None:
    """The bytes of a picture, None where the project has none of that name; raises DamagedProjectError."""
    try:
        return picture_bytes(project, sha256)
    except UnknownNameError:
        return None


def picture_of(project: Project, sha256: str) -> bytes:
    """The bytes of a picture; raises ProjectError where the project has none of that name."""
    data = find_picture(project, sha256)
    if data is None:
        raise ProjectError(f"{project.path} has no picture {sha256[:12]} any more; build the items anew.")
    return data
