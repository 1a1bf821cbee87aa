"""The commands and their arguments. Nothing here imports what only one command needs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__
from app.cli.arguments import REPLIES, Parser, add_command, add_json
from app.cli.parser_bias import add_bias_commands
from app.cli.parser_models import add_model_commands
from app.cli.parser_reconcile import add_reconcile_commands
from app.cli.parser_sides import add_side_commands
from app.formats import READ_FORMATS, WRITE_FORMATS

if TYPE_CHECKING:
    from app.cli.arguments import Commands


def build_parser() -> Parser:
    """The whole command line; each parsed command carries its handler as `run`."""
    parser = Parser(
        prog="casespan",
        description="Turn clinical case reports into data: import, extract, compare, reconcile, export.",
        epilog="Example: casespan demo",
    )
    parser.add_argument("--version", action=_VersionAction)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_open(commands)
    _add_demo(commands)
    _add_new(commands)
    _add_import(commands)
    _add_list(commands)
    add_model_commands(commands)
    add_side_commands(commands)
    add_reconcile_commands(commands)
    add_bias_commands(commands)
    _add_export(commands)
    _add_check(commands)
    _add_history_commands(commands)
    return parser


class _VersionAction(argparse.Action):
    """Print the version and stop."""

    def __init__(self, option_strings: list[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.exit(0, f"casespan {__version__}\n")


def _add_open(commands: Commands) -> None:
    about = "Open the window; without a command, casespan does the same"
    command = add_command(commands, "open", "window", "open_", about, "study.casespan", project=False)
    command.add_argument(
        "project", nargs="?", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)"
    )


def _add_demo(commands: Commands) -> None:
    about = "Run the whole main job on the sample reports that come with the program"
    command = add_command(commands, "demo", "demo", "demo", about, "my-demo", project=False)
    command.add_argument(
        "folder", nargs="?", type=Path, default=Path("demo"), metavar="DIR", help="where to write"
    )
    command.add_argument(
        "--no-window", action="store_true", help="stay on the command line; else the window opens at the end"
    )


def _add_new(commands: Commands) -> None:
    about = "Make an empty project file"
    command = add_command(
        commands, "new", "projects", "new", about, "study.casespan --annotator 'Dr Ana Ruiz'"
    )
    command.add_argument("--annotator", metavar="NAME", help="the person who will annotate")
    command.add_argument(
        "--scheme", type=Path, metavar="DIR", help="a folder with another scheme.toml and its guidelines"
    )


def _add_import(commands: Commands) -> None:
    about = "Add case reports, or somebody's annotations of them, to a project"
    command = add_command(
        commands, "import", "imports", "import_", about, "study.casespan reports/ --only-case-reports"
    )
    command.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="files, folders, PMC .tar.gz packages, - for a text that is piped in",
    )
    command.add_argument(
        "--format", choices=READ_FORMATS, default="auto", help="what the files are (default: found out)"
    )
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="the annotator of the annotations in the files (default: imported)",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="say how each file would be read, and import nothing"
    )
    command.add_argument("--only-case-reports", action="store_true", help="leave out articles of other types")
    command.add_argument(
        "--exclude-titles",
        action="store_true",
        help="leave out articles about a procedure or a treatment, by title",
    )
    command.add_argument(
        "--terms",
        type=Path,
        metavar="FILE",
        help="keep only reports that mention a term of this list (one a line)",
    )
    add_json(command)


def _add_list(commands: Commands) -> None:
    about = "List the reports, annotators, runs and review states of a project"
    command = add_command(commands, "list", "projects", "list_", about, "study.casespan --json")
    command.add_argument(
        "--prompts", action="store_true", help="show what each run of a model asked, word for word"
    )
    add_json(command)


def _add_export(commands: Commands) -> None:
    about = "Write one annotator's annotations, or the replies of a model run, to a file"
    example = "study.casespan gold.jsonl --format jsonl --annotator gold"
    command = add_command(commands, "export", "exports", "export", about, example)
    command.add_argument("out", type=Path, metavar="OUT", help="the file to write; for brat, a new folder")
    command.add_argument("--format", choices=(*WRITE_FORMATS, REPLIES), required=True, help="what to write")
    command.add_argument("--annotator", required=True, metavar="NAME", help="the annotator")
    add_json(command)


def _add_check(commands: Commands) -> None:
    about = "Check hashes, offsets and the history chain; exit 1 and a list where something is off"
    add_json(add_command(commands, "check", "projects", "check", about, "study.casespan"))


def _add_history_commands(commands: Commands) -> None:
    about = "Undo the last change of the project"
    undo = add_command(commands, "undo", "history", "undo", about, "study.casespan")
    undo.add_argument(
        "--past-runs", action="store_true", help="also where a model run came after it, which is kept"
    )
    add_command(commands, "redo", "history", "redo", "Redo the change that was undone", "study.casespan")
    about = "List every change of the project, oldest first"
    add_json(add_command(commands, "history", "history", "history", about, "study.casespan"))
