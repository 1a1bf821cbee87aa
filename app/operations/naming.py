"""Which names an annotator may have, so that a window can say so while one is being typed."""

from __future__ import annotations

from app.store.annotators import RESERVED, require_one_line
from extractors.errors import ProjectError


def name_trouble(name: str) -> str:
    """Why a person cannot annotate under this name, in a sentence; "" where nothing speaks against it."""
    try:
        require_one_line(name)
    except ProjectError as error:
        return str(error)
    if name.lower() in RESERVED:
        return f"The name {name!r} is kept by the program; choose another."
    return ""
