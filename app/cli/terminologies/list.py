"""`casespan terminology list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from extractors.terminology.icd11.tables import FETCH, NAME

if TYPE_CHECKING:
    import argparse

    from extractors.terminology.library import InstalledRelease


def list_(options: argparse.Namespace) -> int:
    """Show every release."""
    from extractors.terminology.library import (
        FETCH_ORPHANET,
        ORPHANET,
        installed_releases,
        terminology_folder,
    )

    found = installed_releases()
    if options.json:
        echo_json([release_json(one) for one in found])
        return 0
    for one in found:
        where = "comes along" if one.shipped else str(one.path)
        echo(f"{one.name}  {one.release}  {where}")
        echo(f"    {one.source}")
    echo(f"Others are kept in {terminology_folder()}: casespan terminology import HPO hp.obo")
    if NAME not in (one.name for one in found):
        echo(f"ICD-11 is not here: {FETCH}.")
    if ORPHANET not in (one.name for one in found):
        echo(f"Orphanet is not here: {FETCH_ORPHANET}.")
    return 0


def release_json(one: InstalledRelease) -> dict[str, object]:
    """A release as all these commands write it."""
    return {
        "name": one.name,
        "release": one.release,
        "source": one.source,
        "path": str(one.path),
        "shipped": one.shipped,
    }


COMMAND = Command("", add_json, list_, project=False)
