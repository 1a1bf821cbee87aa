"""`casespan icd11`: what ICD-11 has beside terminologies and studies, each a command of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_commands
from app.cli.icd11 import ACTIONS
from extractors.model.errors import CallError

if TYPE_CHECKING:
    import argparse

    from app.cli.arguments import Parser


def _arguments(parser: Parser) -> None:
    add_commands(parser, ACTIONS, "what to do", "ACTION")


def icd11(_: argparse.Namespace) -> int:
    """Nothing by itself."""
    names = ", ".join(entry.name for entry in ACTIONS)
    raise CallError(f"Say what to do: casespan icd11 {names}; see casespan icd11 --help.")


COMMAND = Command("map rows.csv --from icd10cm --json", _arguments, icd11, project=False)
