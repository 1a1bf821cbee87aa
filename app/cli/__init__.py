"""The command line: `main` turns arguments into one operation and its result into text or JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from extractors.errors import CasespanError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 done, 1 the work found something wrong, 2 the call was wrong."""
    from app.cli.parser import build_parser

    parser = build_parser()
    options = parser.parse_args(arguments)
    if "run" not in options:
        parser.print_help()
        return 0
    try:
        code: int = options.run(options)
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
        return _fail(f"{where}{error.strerror or error}; nothing more was written.", 1)


def _fail(sentence: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"casespan: {sentence}\n")
    return code
