"""Under whose name an act goes into the history where nobody is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.project import Project

NOBODY = "casespan"


def actor(project: Project) -> str:
    """The project's first person; the program itself where there is none yet."""
    from app.store.annotators import annotators

    return next((annotator.name for annotator in annotators(project) if annotator.kind == "person"), NOBODY)
