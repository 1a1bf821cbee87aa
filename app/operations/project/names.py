"""Which names an annotator may have, so that a window can say so while one is being typed."""

from __future__ import annotations

from app.store.annotate.annotators import RESERVED, kind_of, require_one_line
from extractors.model.errors import ProjectError


def name_problem(name: str) -> str:
    """Why a person cannot annotate under this name, in a sentence; "" where nothing speaks against it."""
    try:
        require_one_line(name)
    except ProjectError as error:
        return str(error)
    if name.lower() in RESERVED:
        return f"The name {name!r} is kept by the program; choose another."
    return ""


def import_name_problem(name: str) -> str:
    """Why annotations cannot be imported under this name, in a sentence; the gold set may be."""
    try:
        require_one_line(name)
        kind_of(name)
    except ProjectError as error:
        return str(error)
    return "" if name == name.lower() or name.lower() not in RESERVED else f"Write {name!r} in small letters."
