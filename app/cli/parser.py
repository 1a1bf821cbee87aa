"""The command line as argparse knows it: what commands there are, each loaded when it is called."""

from __future__ import annotations

from app import __version__
from app.cli.arguments import Parser, add_commands
from app.cli.commands import COMMANDS


def build_parser() -> Parser:
    """The whole command line; a parsed command stands in `command`."""
    parser = Parser(
        prog="casespan",
        description="Turn clinical case reports into data: import, extract, compare, reconcile, export.",
        epilog="Example: casespan demo",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"casespan {__version__}",
        help="print the version and stop",
    )
    add_commands(parser, COMMANDS, "commands", "COMMAND")
    return parser
