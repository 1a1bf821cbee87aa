"""The steps from one version of the project file to the next, each committed together with its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from app.store.migrations import (
    m0001_initial,
    m0002_model_runs,
    m0003_disclosures,
    m0004_side_by_side,
    m0005_engine,
    m0006_search,
    m0007_studies,
    m0008_phenotypes,
    m0010_carried,
    m0011_united,
    m0012_figures,
    m0013_anchors,
)
from app.store.seal import break_seal, seal_if_open
from app.store.sqlite import Database, Migrations, Step, run_script


def _step(name: str, script: str) -> Step:
    """A step that is statements alone; they run inside the caller's transaction."""

    def run(db: Database) -> None:
        run_script(db, script)

    run.__name__ = name
    return run


STEPS: tuple[Step, ...] = (
    _step("initial", m0001_initial.TABLES),
    _step("model_runs", m0002_model_runs.TABLES),
    _step("disclosures", m0003_disclosures.TABLES),
    _step("side_by_side", m0004_side_by_side.TABLES),
    _step("engine", m0005_engine.TABLES),
    _step("search", m0006_search.TABLES),
    _step("studies", m0007_studies.TABLES),
    _step("phenotypes", m0008_phenotypes.TABLES),
    # Since when somebody has what an annotation stands for.
    _step("profiles", "ALTER TABLE concept ADD COLUMN onset TEXT NOT NULL DEFAULT '';"),
    _step("carried", m0010_carried.TABLES),
    _step("united", m0011_united.TABLES),
    _step("figures", m0012_figures.TABLES),
    _step("anchors", m0013_anchors.TABLES),
    # JSON, a list: which picture stood behind each mark of the prompt, and what was done to it before.
    _step("shown", "ALTER TABLE prompt ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';"),
    # How many seconds a person took for an answer, null where nobody measured: of models they stand with
    # their calls.
    _step("seconds", "ALTER TABLE answer ADD COLUMN seconds REAL;"),
    # The seal that follows counts items, and the rows of copies' histories, as it does texts.
    _step("counted", ""),
)


def migrate(db: Database, steps: Sequence[Step] = STEPS) -> None:
    """Apply the steps that `db` has not seen, in order; `user_version` becomes the number of steps.

    A step, its record and its version number are one transaction: a step that raises leaves no trace. What
    the file is made of is sealed after the last.
    """
    migrations = Migrations("casespan")
    for version, step in enumerate(steps, start=1):
        migrations(name=step.__name__)(_numbered(step, version))
    migrations.apply(db)
    seal_if_open(db)


def _numbered(step: Step, version: int) -> Callable[[Any], None]:
    """The step, which also writes its version number into the file's header."""

    def apply(db: Database) -> None:
        step(db)
        break_seal(db)
        db.execute(f"PRAGMA user_version = {version:d}")

    return apply
