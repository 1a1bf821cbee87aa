"""`casespan study list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json
from app.studies import studies

if TYPE_CHECKING:
    import argparse


def list_(options: argparse.Namespace) -> int:
    """Show every study."""
    found = studies()
    if options.json:
        echo_json(
            [
                {
                    "id": one.id,
                    "title": one.title,
                    "about": one.about,
                    "needs": one.needs,
                    "lacks": list(one.lacks()),
                    "tasks": list(one.tasks),
                    "methods": [{"id": method.id, "about": method.about} for method in one.methods],
                    "models": one.ask is not None,
                    "arms": list(one.arms),
                    "measures": [measure.id for measure in one.measures],
                    "tables": [table.number for table in one.tables],
                }
                for one in found
            ]
        )
        return 0
    for one in found:
        echo(f"{one.id}  {one.title}")
        echo(f"    {one.about}")
        echo(f"    needs: {one.needs}")
        for sentence in one.lacks():
            echo(f"    not here yet: {sentence}")
        methods = [*(method.id for method in one.methods), *(["any model"] if one.ask else [])]
        echo(f"    tasks: {', '.join(one.tasks)}; answered by {', '.join(methods) or 'people'}")
    return 0


COMMAND = Command("--json", add_json, list_, project=False)
