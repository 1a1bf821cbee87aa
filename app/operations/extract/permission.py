"""Data under a licence, which leaves this machine only where its licence holder has allowed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.store.study.items import guards
from extractors.model.errors import RemoteRefusedError

if TYPE_CHECKING:
    from app.store.project import Project


def require_permission(project: Project, remote: str, permitted: Sequence[str], licence: str = "") -> None:
    """Raise RemoteRefusedError where a model on another machine would be sent data that a licence guards.

    `remote` is that machine, "" for this one, `permitted` the hosts for which there is a permission,
    `licence` one that guards what is to be sent though the project does not hold it yet.
    """
    held = sorted({*guards(project), *filter(None, [licence])}) if remote else []
    if held and _host(remote) not in map(_host, permitted):
        raise RemoteRefusedError(
            f"{project.path} holds data under {', '.join(held)}, and {remote} is another machine; if the "
            f"licence allows it, say so: --allow-remote --i-have-permission-for {_host(remote)}."
        )


def _host(place: str) -> str:
    """The name of the machine in an address, or the words themselves where it is none."""
    try:
        return urlsplit(place if "//" in place else f"//{place}").hostname or place
    except ValueError:
        return place
