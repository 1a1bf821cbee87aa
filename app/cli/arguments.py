"""What commands are made of: arguments that several have, results on stdout, progress on stderr."""

from __future__ import annotations

import argparse
import io
import json
import re
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from app.text import shortened
from extractors.model.errors import CallError
from extractors.model.progress import Progress

# Not annotations, but what a model said, word for word, to be played again without it.
REPLIES = "replies"


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one sentence; is set up and gets its arguments when it is first used.

    `fill` adds them, so that the help of all commands loads none of them; `given` is what the command was
    called with. Of forty commands one is called: setting all of them up took longer than many a command.
    """

    fill: Callable[[Parser], None] | None = None
    given: Sequence[str] = ()

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 (argparse's own)
        self._settings: dict[str, Any] | None = settings

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever argparse sets up)
        if self.__dict__.get("_settings") is None:
            raise AttributeError(name)
        self._set_up()
        return getattr(self, name)

    def _set_up(self) -> None:
        settings, self._settings = self._settings, None
        if settings is not None:
            super().__init__(**settings)
            self.register("type", Path, _path)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"casespan: {message}; see {self.prog} --help.\n")

    def parse_known_args(
        self,
        args: Iterable[str] | None = None,
        namespace: Any = None,  # noqa: ANN401 (argparse's own)
    ) -> tuple[Any, list[str]]:
        self._set_up()
        fill, self.fill = self.fill, None
        self.given = list(args or ())
        if fill is not None:
            fill(self)
        return super().parse_known_args(args, namespace)


def _path(name: str) -> Path:
    """Not nothing, which Path takes for the folder that one is in: a variable of a script that is not set."""
    if not name:
        raise argparse.ArgumentTypeError("an empty name is no file or folder")
    return Path(name)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: an example of its call, its arguments beside PROJECT, and what it does.

    `run` finds in the options what was given, as `project` the project, which is open for as long as it
    runs, and returns the exit code. `writes` says whether the project is opened to be changed, for every call
    or by its options (a dry run changes nothing); None where only its path (`project`) is wanted. Without
    `project` the command has no such argument.
    """

    example: str
    arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]
    project: bool = True
    writes: bool | Callable[[argparse.Namespace], bool] | None = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A command's name, what it is for, and the module of `app.cli.commands` that has it.

    It has it as COMMAND, or one of several as "module:NAME" says. Modules are imported when they are needed:
    what commands need takes longer than the program's help.
    """

    name: str
    about: str
    module: str

    def load(self) -> Command:
        module, _, name = self.module.partition(":")
        found: Command = getattr(import_module(f"app.cli.commands.{module}"), name or "COMMAND")
        return found

    def fill(self, parser: Parser) -> None:
        command = self.load()
        parser.description = f"{self.about}."
        parser.epilog = f"Example: {parser.prog} {command.example}".rstrip()
        parser.set_defaults(command=command)
        if command.project:
            parser.add_argument(
                "project", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)"
            )
            add_passphrase(parser)
        command.arguments(parser)


def add_commands(parser: Parser, entries: Sequence[Entry], title: str, metavar: str) -> None:
    """Let the parser know commands by their names, each loaded when it is called."""
    commands = parser.add_subparsers(title=title, metavar=metavar)
    for entry in entries:
        about = entry.about[0].lower() + entry.about[1:]
        commands.add_parser(entry.name, help=about).fill = entry.fill


def group_of(name: str, example: str, actions: Sequence[Entry]) -> Command:
    """A command that does nothing by itself: its actions are commands of their own."""

    def arguments(parser: Parser) -> None:
        add_commands(parser, actions, "what to do", "ACTION")

    def refuse(_: argparse.Namespace) -> int:
        names = ", ".join(entry.name for entry in actions)
        raise CallError(f"Say what to do: casespan {name} {names}; see casespan {name} --help.")

    return Command(example, arguments, refuse, project=False)


def add_json(command: argparse._ActionsContainer) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON value and nothing else")


def add_passphrase(command: argparse.ArgumentParser) -> None:
    """Add `--passphrase-file`, by which encrypted projects are opened."""
    command.add_argument(
        "--passphrase-file",
        action="append",
        default=[],
        metavar="FILE",
        help="opens an encrypted project: its first line, or - to be asked (may be repeated)",
    )


def read_passphrase(file: str) -> str:
    """The first line of a file, or of what is typed where it is "-"; raises CallError where there is none."""
    if file == "-":
        from getpass import getpass

        line = getpass("Passphrase: ") if sys.stdin.isatty() else sys.stdin.readline()
    else:
        try:
            with Path(file).open(encoding="utf-8-sig") as lines:
                line = lines.readline()
        except OSError as error:
            raise CallError(f"The passphrase cannot be read from {file}: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise CallError(f"The passphrase cannot be read from {file}: it is not UTF-8 text.") from None
    if not line.strip("\r\n"):
        raise CallError(f"There is no passphrase in {file}; its first line is taken.")
    return line.strip("\r\n")


def add_only(command: argparse.ArgumentParser, what: str, metavar: str) -> None:
    """Add `--category` or `--document`, which narrow a command."""
    noun = "report" if what == "document" else what
    command.add_argument(
        f"--{what}", action="append", metavar=metavar, help=f"only this {noun} (may be repeated)"
    )


def add_filter(command: argparse.ArgumentParser) -> None:
    """Add which reports are kept."""
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


def add_annotator(command: argparse.ArgumentParser) -> None:
    """Add `--annotator`: whose spans are shown."""
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="whose spans (default: those of the project's annotator; that others' were shown is recorded)",
    )


def add_sides(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    command.add_argument(
        "--left", required=required, metavar="ANNOTATOR", help="the annotator or run to be compared"
    )
    command.add_argument(
        "--right", required=required, metavar="ANNOTATOR", help="the reference to compare it with"
    )


Result = TypeVar("Result")
# What a terminal would obey rather than show: controls, line breaks, turns of the writing direction.
_OBEYED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LINE = 4000


def prepare() -> None:
    """Let every character out whatever the terminal's encoding, those it lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def echo(text: str = "") -> None:
    """Write one line of result; what a report or a server put into it stays one line of shown characters."""
    sys.stdout.write(_shown(text) + "\n")


def echo_lines(lines: str | Iterable[str]) -> None:
    """Write lines, or a text of several."""
    for line in lines.rstrip("\n").split("\n") if isinstance(lines, str) else lines:
        echo(line)


def echo_whole(text: str) -> None:
    """Write a text of several lines, however long these are."""
    for line in text.rstrip("\n").split("\n"):
        sys.stdout.write(_harmless(line) + "\n")


def echo_source(sentence: str, *, json: bool) -> None:
    """Whose titles these are, as their licence asks; beside the value where that is all of the result."""
    if json:
        sys.stdout.flush()
        sys.stderr.write(_shown(sentence) + "\n")
    else:
        echo(sentence)


def complain(sentence: str) -> None:
    """Write one sentence to stderr, in the program's name."""
    sys.stdout.flush()
    sys.stderr.write(f"casespan: {_shown(sentence)}\n")


def _shown(text: str) -> str:
    return _harmless(shortened(text, _LINE))


def _harmless(text: str) -> str:
    return _OBEYED.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def echo_json(value: object) -> None:
    """Write one JSON value and nothing else; what an iterator gives, also one within an object, are the items
    of a list, a line each, written as they come."""
    plain = (sys.stdout.encoding or "ascii").lower() not in ("utf-8", "utf8")
    write = partial(json.JSONEncoder, ensure_ascii=plain, allow_nan=False)
    if isinstance(value, Iterator):
        _echo_list(value, write().encode, "")
    elif isinstance(value, dict) and any(isinstance(one, Iterator) for one in value.values()):
        for place, (key, one) in enumerate(value.items()):
            sys.stdout.write(f"{',' if place else '{'}\n  {json.dumps(key)}: ")
            if isinstance(one, Iterator):
                _echo_list(one, write().encode, "  ")
            else:
                sys.stdout.write(write(indent=2).encode(one).replace("\n", "\n  "))
        sys.stdout.write("\n}")
    else:
        sys.stdout.write(write(indent=2).encode(value))
    sys.stdout.write("\n")


def _echo_list(items: Iterator[object], encode: Callable[[object], str], indent: str) -> None:
    # Python indents by code of its own, which takes five times as long; these are tens of thousands.
    before = "["
    for one in items:
        sys.stdout.write(f"{before}\n{indent}  {encode(one)}")
        before = ","
    sys.stdout.write("[]" if before == "[" else f"\n{indent}]")


def tell(options: argparse.Namespace, value: object, lines: str | Iterable[str]) -> int:
    """Write the value as JSON where that is asked for, else its lines; the exit code 0."""
    if options.json:
        echo_json(value)
    else:
        echo_lines(lines)
    return 0


def echo_table(header: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    """Write aligned columns of words, two spaces apart."""
    from app.tables import Column, Table, text_lines

    columns = tuple(Column(title, heading=(title,), kind="words") for title in header)
    echo_lines(text_lines(Table(columns, tuple(rows)), rule=False))


def finish(job: Generator[Progress, None, Result]) -> Result:
    """Run long work to its end, showing its progress, and return what it returns."""
    shown = sys.stderr.isatty()
    width = shutil.get_terminal_size().columns - 1
    try:
        while True:
            step = next(job)
            if shown:
                total = f" of {step.total}" if step.total else ""
                line = _shown(f"{step.done}{total}  {step.note}".removeprefix("0  "))[:width]
                sys.stderr.write(f"\r{line.ljust(width)}")
                sys.stderr.flush()
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        job.close()
        if shown:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()


def show(options: argparse.Namespace, project: Path | None) -> int:
    """Show the window that the program was started with, until it is closed."""
    if options.window is None:
        raise CallError("This was started without a window; use the command casespan.")
    code: int = options.window(project)
    return code
