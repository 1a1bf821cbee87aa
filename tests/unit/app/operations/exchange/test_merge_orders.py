"""Copies that met before come together alike in any order; `make soak` tries many more histories."""

from __future__ import annotations

from pathlib import Path

from tests.soak.histories import apart

WORK = ("section", "title", "bring", "delete")


def test_no_order_of_copies_that_met_gives_anything_else(tmp_path: Path) -> None:
    assert apart(tmp_path, 45, 9, 2, WORK) == []
