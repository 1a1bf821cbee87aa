"""A small scheme, reports and projects for the store's tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app.store.creation import create_project_file
from app.store.project import Project
from extractors.model.document import Document, Section
from tests.builders import Kept

CATEGORIES = ("Neuro", "CVS", "GI")
Tables: TypeAlias = dict[str, list[tuple[Any, ...]]]


def write_scheme(folder: Path) -> Path:
    """A scheme of three categories."""
    folder.mkdir()
    parts = ['id = "small"\nname = "Small"\nversion = "1"\n']
    for number, category in enumerate(CATEGORIES):
        parts.append(
            f'[[category]]\nid = "{category}"\nname = "{category} name"\ncode = "{category[:2].upper()}"\n'
            f'shortcut = "{number}"\nfields = ["sign"]\ncolour = {{ light = "#aabbcc", dark = "#112233" }}\n'
        )
        guideline = f"# {category}\n\n## Definition\n\nAll about {category}.\n"
        (folder / f"{category}.md").write_text(guideline, encoding="utf-8")
    (folder / "scheme.toml").write_text("".join(parts), encoding="utf-8")
    return folder


def write_empty(path: Path) -> None:
    create_project_file(path, write_scheme(path.with_name("scheme")), "Ann").close()


@pytest.fixture
def scheme_folder(tmp_path: Path) -> Path:
    return write_scheme(tmp_path / "scheme")


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    """An empty project, open for writing."""
    with Project.open(kept.copy(write_empty, tmp_path / "study.casespan"), write=True) as opened:
        yield opened


@pytest.fixture
def report() -> Callable[..., Document]:
    """Makes a report of two sections around a text."""

    def make(text: str = "She had a headache 😊 and ataxia.", **identifiers: str) -> Document:
        whole = f"Case\n{text}\nOutcome\nShe went home."
        border = whole.index("Outcome\n")
        sections = (
            Section("Case", ("Case",), 0, border, CATEGORIES),
            Section("Outcome", ("Outcome",), border, len(whole), ("Neuro",), "excluded", "told elsewhere"),
        )
        return Document("A report", whole, sections, identifiers, {"journal": "J Cases"})

    return make


@pytest.fixture
def tables() -> Callable[[Project], Tables]:
    """Reads the contents of every table that acts change."""

    def read(project: Project) -> Tables:
        names = [row["name"] for row in project.query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        kept = {name for name in names if "_search" not in name}
        kept -= {"history", "meta", "text", "_sqlite_migrations"}
        return {
            name: sorted(tuple(row.values()) for row in project.query(f"SELECT * FROM {name}"))
            for name in sorted(kept)
        }

    return read


@pytest.fixture
def tamper() -> Callable[..., None]:
    """Changes a closed project file behind the program's back."""

    def run(path: Path, *statements: str) -> None:
        connection = sqlite3.connect(path)
        try:
            for statement in statements:
                assert connection.execute(statement).rowcount > 0, statement
            connection.commit()
        finally:
            connection.close()

    return run
