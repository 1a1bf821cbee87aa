"""`make soak [COUNT=500]`: kills, edits, damages and altered inputs, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from shutil import copyfile
from tempfile import TemporaryDirectory

from app.operations.project.backups import rescue_project
from app.store.check import check
from extractors.assets import asset
from extractors.model.errors import CasespanError
from tests.e2e.conftest import write_study
from tests.soak.damage import damages
from tests.soak.edits import edits
from tests.soak.inputs import exported, written
from tests.soak.inputs import faults as input_faults
from tests.soak.kills import kills
from tests.soak.planted import measure


def main(count: int, seed: int) -> int:
    """Print what was tried and what went wrong; how many things did."""
    with TemporaryDirectory() as folder:
        project = Path(folder) / "study.casespan"
        write_study(project)
        work = Path(copyfile(project, Path(folder) / "work.casespan"))
        killed = list(kills(work, asset("resources", "demo", "reports"), count, seed))
        faults = [one.fault for one in killed if one.fault]
        acts = sum(one.acknowledged for one in killed)
        _say(f"kills survived: {count - len(faults):,} of {count:,}, {acts:,} acts acknowledged", faults)
        edited = list(edits(work, Path(folder) / "edited.casespan", count, seed))
        missed = [what for what, noticed in edited if not noticed]
        _say(f"rows edited: {len(edited):,}, noticed: {len(edited) - len(missed):,}", missed)
        read, whole = 0, 0
        for number, raw in enumerate(damages(project.read_bytes(), Random(seed), count // 5)):
            damaged, out = Path(folder) / "damaged.casespan", Path(folder) / f"rescued-{number}.casespan"
            damaged.write_bytes(raw)
            try:
                rescue_project(damaged, out)
                read += 1
                whole += not check(out)
            except CasespanError:
                pass
        _say(f"files damaged: {count // 5:,}, read again: {read:,}, of these whole: {whole:,}", [])
        found = [*written(Path(folder)), *exported(Path(folder), project)]
        told = list(input_faults(found, project, Path(folder), Random(seed), 10 * count // len(found)))
        wrong = [fault for _, fault in told if fault]
        peak = getrusage(RUSAGE_SELF).ru_maxrss // 1024
        _say(f"inputs altered: {len(told):,} of {len(found)} kinds, peak memory {peak:,} MB", wrong)
    planted = measure(200, seed)
    if planted is None:
        _say("identifiers: no reports to plant them in", [])
    else:
        number, warned = planted.planted.total(), planted.warned.total() / planted.reports
        _say(
            f"identifiers found: {number - len(planted.missed):,} of {number:,} in 200 texts; "
            f"{warned:.2f} warnings a report where none were planted, true ones among them",
            planted.missed,
        )
    return len(faults) + len(missed) + len(wrong)


def _say(line: str, faults: Sequence[str]) -> None:
    sys.stdout.write("\n".join([line, *(f"  {one}" for one in faults)]) + "\n")


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:3]]
    sys.exit(min(main(*(*given, *(100, 0)[len(given) :])), 1))
