"""The command line as argparse knows it: what commands there are, each loaded when it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__
from app.cli.arguments import Parser
from app.cli.commands import COMMANDS, Entry


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
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for entry in COMMANDS:
        about = entry.about[0].lower() + entry.about[1:]
        commands.add_parser(entry.name, help=about).fill = _filler(entry)
    return parser


def _filler(entry: Entry) -> Callable[[Parser, Sequence[str]], None]:
    """What gives a command's parser its arguments."""

    def fill(parser: Parser, _: Sequence[str]) -> None:
        command = entry.load()
        parser.description = f"{entry.about}."
        parser.epilog = f"Example: casespan {entry.name} {command.example}".rstrip()
        parser.set_defaults(command=command)
        if command.project:
            parser.add_argument(
                "project", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)"
            )
        command.arguments(parser)

    return fill
