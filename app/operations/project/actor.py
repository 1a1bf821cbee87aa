"""Under whose name an act goes into the history."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.project import Project

NOBODY = "casespan"


def actor(project: Project) -> str:
    """The person the project was made for; the program itself where none was named."""
    return project.owner or NOBODY
