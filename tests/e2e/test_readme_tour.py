"""The ten minutes of the README, run as they are written, and the pictures that it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from app.operations.project.files import list_project
from tests.e2e.conftest import ROOT, Casespan

README = (ROOT / "README.md").read_text("utf-8")
TOUR = README.split("\n## Ten minutes\n")[1].split("\n## ")[0]


def test_every_line_of_the_ten_minutes_does_what_it_says(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^ {4}casespan (.*)$", TOUR, re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        outcome = casespan(*shlex.split(line, comments=True))
        assert outcome.code == 0, f"{line}\n{outcome.out[-500:]}{outcome.err}"
    mine = list_project(Path("tour", "mine.casespan"))
    assert {one.name for one in mine.annotators} >= {"ana", "ben", "rules", "gold"}
    assert len(list(Path("tour", "brat").rglob("*.ann"))) == 10


def test_every_picture_of_the_readme_and_of_the_guide_is_there_and_small() -> None:
    shown = [ROOT / name for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)]
    assert len(shown) >= 2
    for picture in {*shown, *(ROOT / "resources" / "guide" / "pictures").iterdir()}:
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size < 200_000
    # One command makes them all.
    made = (ROOT / "build" / "make_pictures.py").read_text("utf-8")
    for picture in (ROOT / "resources" / "guide" / "pictures").iterdir():
        assert f'"{picture.stem}"' in made
