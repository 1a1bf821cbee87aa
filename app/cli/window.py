"""`casespan open`, and the window after the demonstration."""

from __future__ import annotations

import argparse
from pathlib import Path

from extractors.model.errors import CallError


def open_(options: argparse.Namespace) -> int:
    """Open the window."""
    return show(options, options.project)


def show(options: argparse.Namespace, project: Path | None) -> int:
    """Show the window that the program was started with, until it is closed."""
    if options.window is None:
        raise CallError("This was started without a window; use the command casespan.")
    code: int = options.window(project)
    return code
