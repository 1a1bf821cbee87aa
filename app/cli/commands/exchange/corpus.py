"""`casespan corpus`: what can be done with a corpus, each a command of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, Parser, add_commands
from app.cli.corpus import ACTIONS
from extractors.model.errors import CallError

if TYPE_CHECKING:
    import argparse


def _arguments(parser: Parser) -> None:
    add_commands(parser, ACTIONS, "what to do", "ACTION")


def corpus(_: argparse.Namespace) -> int:
    """Nothing by itself."""
    names = ", ".join(entry.name for entry in ACTIONS)
    raise CallError(f"Say what to do: casespan corpus {names}; see casespan corpus --help.")


COMMAND = Command("extract articles/ --out corpus --with rules", _arguments, corpus, project=False)
