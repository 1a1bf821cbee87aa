"""Where the data files are: source tree, installed wheel and frozen program alike."""

from __future__ import annotations

import sys
from pathlib import Path

from extractors.model.errors import AssetError


def _roots() -> tuple[Path, ...]:
    """Places to look, best first: frozen bundle, wheel, source tree."""
    package = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    frozen = (Path(bundle),) if bundle else ()
    return (*frozen, package / "_data", package.parent)


def asset(*parts: str) -> Path:
    """Path of a shipped file or folder, e.g. `asset("resources", "sections.toml")`.

    Raises AssetError where no root has it.
    """
    for root in _roots():
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise AssetError(f"The program's file {'/'.join(parts)} is missing; please install Casespan again.")
