"""The steps from one version of the project file to the next, each committed together with its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from app.store.migrations import (
    m0001_initial,
    m0002_model_runs,
    m0003_disclosures,
    m0004_side_by_side,
    m0005_engine,
    m0006_search,
    m0007_studies,
    m0008_phenotypes,
    m0009_profiles,
    m0010_carried,
    m0011_united,
    m0012_figures,
    m0013_anchors,
    m0014_shown,
    m0015_seconds,
    m0016_counted,
)
from app.store.seal import break_seal, seal_if_open
from app.store.sqlite import Database, Migrations

if TYPE_CHECKING:
    from app.store.sqlite import Step

STEPS: tuple[Step, ...] = (
    m0001_initial.initial,
    m0002_model_runs.model_runs,
    m0003_disclosures.disclosures,
    m0004_side_by_side.side_by_side,
    m0005_engine.engine,
    m0006_search.search,
    m0007_studies.studies,
    m0008_phenotypes.phenotypes,
    m0009_profiles.profiles,
    m0010_carried.carried,
    m0011_united.united,
    m0012_figures.figures,
    m0013_anchors.anchors,
    m0014_shown.shown,
    m0015_seconds.seconds,
    m0016_counted.counted,
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
