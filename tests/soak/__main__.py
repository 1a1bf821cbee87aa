"""`make soak [COUNT=500]`: trials of what must never happen, and what came of them."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TypeVar

from app.operations.project.backups import rescue_project
from app.operations.project.encryption import encrypt_project, lock
from app.store.check import check
from extractors.assets import asset
from extractors.model.errors import CasespanError
from tests.e2e.conftest import write_study
from tests.soak.corpora import killed_corpora
from tests.soak.damage import damages
from tests.soak.edits import edits
from tests.soak.failing import compiler, failures
from tests.soak.histories import histories, united
from tests.soak.inputs import exported, written
from tests.soak.inputs import faults as input_faults
from tests.soak.kills import Killed, kills, rivals
from tests.soak.planted import measure

# So many kills of one project: what each checks grows with what the ones before left.
_IN_ONE = 50
# A random history after which no table is empty.
_EVERY_TABLE = 7
_TOLD = 10
One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Trials:
    """Where they take place: a folder, a sample project in it, how many are wanted, and the seed."""

    folder: Path
    project: Path
    count: int
    seed: int


def main(count: int, seed: int) -> int:
    """Print what was tried and what went wrong; how many things did. Two trials run beside each other."""
    with TemporaryDirectory() as folder, ProcessPoolExecutor(2) as pool:
        project = _study(Path(folder))
        began = []
        for trial in _TRIALS:
            (own := Path(folder, trial.__name__)).mkdir()
            began.append(pool.submit(_timed, trial, Trials(own, project, count, seed)))
        return sum(one.result() for one in began)


def _timed(trial: Callable[[Trials], int], trials: Trials) -> int:
    begun = time.monotonic()
    try:
        wrong = trial(trials)
    except Exception:
        _say(f"broken off: {traceback.format_exc()}", [])
        wrong = 1
    _say(f"  ({trial.__name__[1:].replace('_', ' ')}: {(time.monotonic() - begun) / 60:.0f} minutes)", [])
    return wrong


def _told(what: str, tried: Iterable[One], count: int) -> Iterator[One]:
    """The same, saying ten times how far that is."""
    for number, one in enumerate(tried, start=1):
        if count >= _TOLD and number % (count // _TOLD) == 0:
            _say(f"  ({what}: {number:,} of {count:,})", [])
        yield one


def _study(folder: Path) -> Path:
    """The sample project, of whose making nothing is said."""
    project = folder / "study.casespan"
    with redirect_stdout(StringIO()):
        write_study(project)
    return project


def _kills(trials: Trials) -> int:
    killed = list[Killed]()
    for done in range(0, trials.count, _IN_ONE):
        work, some = Path(trials.folder, f"work{done}.casespan"), min(trials.count - done, _IN_ONE)
        copyfile(trials.project, work)
        killed += kills(work, asset("resources", "demo", "reports"), some, trials.seed + done)
        _say(f"  (kills: {len(killed):,} of {trials.count:,})", [])
    faults = [one.fault for one in killed if one.fault]
    acts, lost = sum(one.acknowledged for one in killed), sum(one.lost for one in killed)
    good = trials.count - len(faults)
    _say(f"kills survived: {good:,} of {trials.count:,}; actions lost: {lost:,} of {acts:,}", faults)
    met = list(rivals(work, max(trials.count // 10, 1), trials.seed))
    clashes = [one.fault for one in met if one.fault]
    _say(f"two programs at once: {len(met):,} times, {len(met) - len(clashes):,} as promised", clashes)
    return len(faults) + len(clashes)


def _edits(trials: Trials) -> int:
    (folder := trials.folder / "united").mkdir()
    edited, scratch = list[tuple[str, bool]](), trials.folder / "edited.casespan"
    for project in (trials.project, united(folder, _EVERY_TABLE)):
        edited += edits(project, scratch, trials.count, trials.seed)
    missed = [what for what, noticed in edited if not noticed]
    _say(f"rows edited: {len(edited):,}, noticed: {len(edited) - len(missed):,}", missed)
    return len(missed)


def _damages(trials: Trials) -> int:
    read, broken, count = 0, list[str](), trials.count // 5
    for number, raw in enumerate(damages(trials.project.read_bytes(), Random(trials.seed), count)):
        damaged, out = trials.folder / "damaged.casespan", trials.folder / f"rescued-{number}.casespan"
        damaged.write_bytes(raw)
        try:
            rescue_project(damaged, out)
            read += 1
            broken += [f"{number}: {one.where}: {one.message}" for one in check(out)[:1]]
        except CasespanError:
            pass
    good = read - len(broken)
    _say(f"files damaged: {count:,}, read again: {read:,}, of these whole: {good:,}", broken)
    return len(broken)


def _merges(trials: Trials) -> int:
    (folder := trials.folder / "histories").mkdir()
    count = trials.count // 5
    mixed = [one for one in _told("histories", histories(folder, count, 40, 5, trials.seed), count) if one]
    _say(f"random histories of copies that met, each in five orders: {count:,}", mixed)
    return len(mixed)


def _inputs(trials: Trials) -> int:
    found = [*written(trials.folder), *exported(trials.folder, trials.project)]
    each = 10 * trials.count // len(found)
    count, rng = len(found) * (each + 1), Random(trials.seed)
    tried = _told("inputs", input_faults(found, trials.project, trials.folder, rng, each), count)
    wrong = [fault for _, fault in tried if fault]
    peak = getrusage(RUSAGE_SELF).ru_maxrss // 1024
    _say(
        f"inputs tried: {count:,} of {len(found)} kinds; crashes: {len(wrong):,}; peak memory {peak:,} MB",
        wrong,
    )
    return len(wrong)


def _corpora(trials: Trials) -> int:
    said = list(killed_corpora(trials.folder, trials.count * 4, max(1, trials.count // 50), trials.seed))
    _say("a corpus killed, and taken up again:", said)
    return not said[-1].endswith("nothing differs")


def _failing_disks(trials: Trials) -> int:
    if compiler() is None:
        _say("failing disks: not tried, there is no C compiler for Linux here", [])
        return 0
    wrong, count = 0, trials.count
    for name, passphrase in (("plain", ""), ("encrypted", "correct horse")):
        (folder := trials.folder / name).mkdir()
        project = _study(folder)
        if passphrase:
            encrypt_project(project, passphrase)
            lock()
        tried = list(failures(project, folder, count, trials.seed, passphrase))
        faults = [f"{one.what}: {one.fault}" for one in tried if one.fault]
        acts = sum(one.acknowledged for one in tried)
        good = len(tried) - len(faults)
        _say(f"failing disks, {name}: {good:,} of {count:,} without loss, {acts:,} acts acknowledged", faults)
        wrong += len(faults) + count - len(tried)
    return wrong


def _identifiers(trials: Trials) -> int:
    planted = measure(200, trials.seed)
    if planted is None:
        _say("identifiers: no reports to plant them in", [])
        return 0
    number, warned = planted.planted.total(), planted.warned.total() / planted.reports
    _say(
        f"identifiers found: {number - len(planted.missed):,} of {number:,} in 200 texts; "
        f"{warned:.2f} warnings a report where none were planted, true ones among them",
        planted.missed,
    )
    return 0


# The longest first.
_TRIALS: tuple[Callable[[Trials], int], ...] = (
    _inputs,
    _kills,
    _merges,
    _edits,
    _failing_disks,
    _corpora,
    _damages,
    _identifiers,
)


def _say(line: str, faults: Sequence[str]) -> None:
    sys.stdout.write("\n".join([line, *(f"  {one}" for one in faults)]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:3]]
    sys.exit(min(main(*(*given, *(100, 0)[len(given) :])), 1))
