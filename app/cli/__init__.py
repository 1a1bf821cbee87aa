"""The command line: `main` turns arguments into one operation and its result into text or JSON."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from extractors.model.errors import CasespanError, exit_code_of, reason_of

if TYPE_CHECKING:
    import argparse

    from app.cli.arguments import Command

INTERRUPTED = 130
_OBJECTS = 400_000
_SUFFIX = ".casespan"
# Shows the window, with a project where one is given, and returns the exit code.
Window: TypeAlias = Callable[[Path | None], int]
# Paints the text of an SVG picture into a PNG file.
Paint: TypeAlias = Callable[[str, Path], None]
DEBUG = "CASESPAN_DEBUG"  # set it to see the traceback of an unexpected fault


def main(
    arguments: Sequence[str] | None = None, window: Window | None = None, paint: Paint | None = None
) -> int:
    """Run one command; returns 0 done, 1 the work found something wrong, 2 the call was wrong.

    Without a command, or with nothing but a project file, the `window` is opened where there is one.
    """
    try:
        code = _run(sys.argv[1:] if arguments is None else list(arguments), window, paint)
        sys.stdout.flush()
        return code
    except CasespanError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("Stopped; the project is as it was before this command.", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output (head, less) has left; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{reason_of(error)}; nothing more was written.", exit_code_of(error))
    except Exception as error:
        # A fault of ours, or a file damaged in a way nobody thought of: still one sentence.
        if os.environ.get(DEBUG):
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(f"This should not have happened ({what}); run casespan check and report it, please.", 1)


def _run(arguments: list[str], window: Window | None, paint: Paint | None) -> int:
    # The window is shown before anything else is loaded.
    if window is not None and not arguments:
        return window(None)
    if window is not None and len(arguments) == 1 and arguments[0].lower().endswith(_SUFFIX):
        return window(Path(arguments[0]))

    from app.cli.arguments import prepare
    from app.cli.commands import build_parser

    prepare()
    parser = build_parser()
    options = parser.parse_args(arguments)
    if "command" not in options:
        parser.print_help()
        return 0
    options.window, options.paint = window, paint
    return _call(options.command, options)


def _call(command: Command, options: argparse.Namespace) -> int:
    """Call the command with its project open, and passphrases known, for as long as it runs."""
    options.passphrases = ()
    if not hasattr(options, "passphrase_file"):
        return _with_project(command, options)
    from app.cli.arguments import read_passphrase
    from app.operations.project.encryption import kept_passphrase, passphrases

    given = map(read_passphrase, options.passphrase_file)
    options.passphrases = tuple(given) or kept_passphrase(getattr(options, "project", None) or options.file)
    with passphrases(options.passphrases):
        return _with_project(command, options)


def _with_project(command: Command, options: argparse.Namespace) -> int:
    """Call it; a fault that damage to one of its projects is behind comes out as that damage."""
    try:
        return _called(command, options)
    except (CasespanError, OSError):
        raise
    except Exception as error:
        from app.operations.project.files import damage_behind

        files = set[Path]()
        for value in vars(options).values():
            named = value if isinstance(value, list) else [value]
            files.update(Path(one) for one in named if isinstance(one, str | Path) and one)
        for file in sorted(one for one in files if one.suffix == _SUFFIX and one.is_file()):
            if damage := damage_behind(file):
                raise damage from error
        raise


def _called(command: Command, options: argparse.Namespace) -> int:
    if not command.project or command.writes is None:
        return command.run(options)
    from app.cli.arguments import complain
    from app.operations.project.opening import opened

    writes = command.writes(options) if callable(command.writes) else command.writes
    collect_seldom()
    options.path = options.project
    with opened(options.path, write=writes and not getattr(options, "dry_run", False)) as options.project:
        if options.project.caveat:
            complain(options.project.caveat)
        return command.run(options)


def collect_seldom() -> None:
    """Have the collector look for circles more seldom than it does by itself, and not at the very end.

    What a command makes lives to its end in many small objects, which it would go through again and again;
    once more when all is done or stopped, for as long as a second.
    """
    gc.set_threshold(_OBJECTS, 10, 10)
    atexit.register(gc.freeze)


def _fail(sentence: str, code: int) -> int:
    from app.cli.arguments import complain

    complain(sentence)
    return code
