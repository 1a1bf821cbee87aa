"""What commands are called with, and what they wrote."""

from __future__ import annotations

import argparse

import pytest

Lines = pytest.CaptureFixture[str]


def said(capsys: Lines) -> list[str]:
    """What was written since, line by line, without the ends of aligned columns."""
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def options(**given: object) -> argparse.Namespace:
    return argparse.Namespace(**{"json": False, **given})
