"""Data under a licence, which leaves this machine only where its licence holder has allowed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.store.items import guards
from extractors.model.errors import RemoteRefusedError

if TYPE_CHECKING:
    from app.store.project import Project


def require_permission(project: Project, remote: str, permitted: Sequence[str]) -> None:
    """Raise RemoteRefusedError where a model on another machine would be sent data that a licence guards.

    `remote` is that machine, "" for this one, `permitted` those for which there is a permission.
    """
    held = guards(project) if remote else []
    if held and remote not in permitted:
        raise RemoteRefusedError(
            f"{project.path} holds data under {', '.join(held)}, and {remote} is another machine; if the "
            f"licence allows it, say so: --allow-remote --i-have-permission-for {remote}."
        )
