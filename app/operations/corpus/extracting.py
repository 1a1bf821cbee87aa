"""Extract from all reports that are given into a folder of Parquet files, part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from app.operations.corpus.inputs import Bundle, Stream
from app.operations.corpus.parts import Parts
from app.operations.corpus.reading import Answer, Found, Job, Passed, Row, Task, passed, versions_of
from app.operations.corpus.schema import MANIFEST, Manifest, manifest, write_manifest
from app.operations.corpus.workers import Place, read_in_order, refuse_place
from app.operations.exchange.importing import import_filter
from app.text import counted
from extractors.model.errors import CallError, ProjectBusyError
from extractors.model.progress import Progress

RULES = "rules"
_LOCK = ".lock"
_TELL_SECONDS = 5.0


@dataclass(slots=True)
class Run:
    """One call of an extraction: what is read, the parts of `folder`, and when it began."""

    folder: Path
    stream: Stream
    parts: Parts
    manifest: Manifest
    began: float = field(default_factory=time.monotonic)
    reported: float = 0.0
    total: int = 0

    def keep(self, bundle: Bundle, answers: Sequence[Answer] | None) -> None:
        """Write a part, or take it over where it is there."""
        if answers is None:
            self.parts.take_over(bundle.part, bundle.sha256)
        else:
            self.write(bundle, *self.parts.named(answers))

    def write(
        self,
        bundle: Bundle,
        reports: Sequence[tuple[str, Found]],
        left_out: Sequence[Passed],
        calls: Sequence[Row] = (),
    ) -> None:
        """Write a part with what was left out before anybody read it."""
        passed_over = [*map(passed, bundle.left_out), *left_out]
        self.parts.write(bundle.part, bundle.sha256, reports, passed_over, calls)

    def progress(self) -> Progress:
        """Reports so far, how fast, and how long it will take, by the bytes that were read."""
        seconds = max(time.monotonic() - self.began, 1e-3)
        new = self.parts.new_reports
        note = f"reports, {new / seconds:.1f} a second"
        if new and self.stream.bytes:
            self.total = self.total or self.stream.weigh()
            left = max(0.0, seconds * (self.total / self.stream.bytes - 1))
            note += f", about {left / 60:.0f} min left"
        return Progress(self.parts.reports, 0, note)

    def tell(self) -> None:
        """Write the manifest, now and then."""
        if time.monotonic() - self.reported > _TELL_SECONDS:
            write_manifest(self.folder, self.parts.added_to(self.manifest, "begun"))
            self.reported = time.monotonic()

    def finish(self) -> CorpusSummary:
        """Say in the manifest that all is there."""
        parts = self.parts
        parts.drop_others()
        self.manifest.inputs = self.stream.inputs
        write_manifest(self.folder, parts.added_to(self.manifest, "done"))
        return CorpusSummary(
            reports=parts.reports,
            quotes=parts.quotes,
            made=parts.made,
            reused=parts.reused,
            new=parts.new_reports,
            left_out=dict(sorted(parts.left_out.items())),
            failed=dict(sorted(parts.failed.items())),
            seconds=time.monotonic() - self.began,
        )


def extract_corpus(
    paths: Sequence[Path],
    out: Path,
    options: CorpusOptions,
    say: Callable[[str], None] = lambda sentence: None,
) -> Generator[Progress, None, CorpusSummary]:
    """Have the built-in rules read all reports there are at `paths`; parts that are there are not made again.

    Closed early, it leaves whole parts, with which the same call goes on. `say` hears what must be known at
    once. Raises CallError where `out` holds something else, or a corpus made otherwise, ProjectBusyError
    where another program writes it, and what `refuse_place` and `read_in_order` raise.
    """
    refuse_place(options.place)
    versions = versions_of(options.task, options.terminology, by_rules=True)
    keep = import_filter(options.only_case_reports, options.exclude_titles, options.terms)
    job = Job(options.task, keep, options.terminology, versions)
    with begun(paths, out, options, RULES, {}, job) as run:
        bundles = run.stream.bundles(options.part_size)
        wanted: Callable[[Bundle], bool] = lambda bundle: not run.parts.has(bundle.part, bundle.sha256)  # noqa: E731
        for part in read_in_order(bundles, wanted, job, options.timeout, options.place, say):
            if part is not None:
                run.keep(*part)
                run.tell()
            yield run.progress()
        return run.finish()


@contextmanager
def begun(
    paths: Sequence[Path],
    out: Path,
    options: CorpusOptions,
    by: str,
    settings: Mapping[str, Any],
    job: Job,
) -> Iterator[Run]:
    """The corpus at `out`, new or gone on with, which nobody else writes meanwhile.

    Which reports are kept, and by how many they are parts, is among its settings; who reads them is not.
    """
    missing = next((path for path in paths if not path.exists()), None)
    if missing is not None:
        raise CallError(f"There is no {missing}; check its name.")
    around = next((path for path in paths if out.resolve().is_relative_to(path.resolve())), None)
    if around is not None:
        raise CallError(f"{out} is in {around}, from which is read; name a folder elsewhere with --out.")
    kept = {**asdict(job.keep), "part_size": options.part_size, **settings}
    kept["terms"] = list(kept["terms"])
    new = Manifest(options.task, by, kept, dict(job.versions))
    if out.exists() and not (out / MANIFEST).exists() and not _is_free(out):
        raise CallError(f"{out} holds something else; name a folder that is new or empty.")
    out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(out / _LOCK, timeout=0, mode=0o600):
            if (out / MANIFEST).exists():
                there = manifest(out)
                _require_same(out, there, new)
                _require_whole(out, there, paths, options.limit)
                new.inputs, new.parts = there.inputs, there.parts
            write_manifest(out, new)
            yield Run(out, Stream(paths, options.limit), Parts(out), new)
    except Timeout:
        raise ProjectBusyError(f"Another program is writing {out}; wait until it has ended.") from None


def _is_free(out: Path) -> bool:
    """Whether nothing is there, or only what a run leaves that was killed before it wrote its manifest."""
    return out.is_dir() and all(one.name == _LOCK or one.match(f".{MANIFEST}.*.tmp") for one in out.iterdir())


def _require_whole(out: Path, there: Manifest, paths: Sequence[Path], limit: int | None) -> None:
    """Parts behind the last one are removed: a call for less of the same would throw away what took days."""
    reports = sum(part.reports for part in there.parts)
    if limit is not None and limit < reports:
        raise CallError(
            f"{out} holds {counted(reports, 'report')}, of which --limit {limit} would drop some; "
            "name another folder with --out."
        )
    given = [path.resolve() for path in paths]
    for one in map(Path, (known.path for known in there.inputs)):
        if one.exists() and not any(one.resolve().is_relative_to(path) for path in given):
            raise CallError(
                f"{out} holds reports of {one}, which this call leaves out; give it too, "
                "or name another folder with --out."
            )


def _require_same(out: Path, there: Manifest, new: Manifest) -> None:
    for name in ("task", "by", "settings", "versions"):
        before, now = getattr(there, name), getattr(new, name)
        if before != now:
            if isinstance(before, dict):
                name, before, now = next(
                    (key, before.get(key), now.get(key))
                    for key in (*before, *now)
                    if before.get(key) != now.get(key)
                )
            raise CallError(
                f"{out} was made with {name} {before!r}, not {now!r}; name another folder with --out."
            )


TERMINOLOGY = "HPO"


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """What is made of the reports, and which are kept; those last as `ImportOptions` has them.

    `codes` are of `terminology`. A part has `part_size` files, lines or rows; `limit` of them are read in
    all, every one for None. A report may take `timeout` seconds.
    """

    task: Task = "quotes"
    terminology: str = TERMINOLOGY
    only_case_reports: bool = False
    exclude_titles: bool = False
    terms: Path | None = None
    part_size: int = 100
    limit: int | None = None
    timeout: float = 60.0
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What is in the corpus, and what of it was made now: `made` parts with `new` reports, in `seconds`.

    `left_out` and `failed` count by reason (schema.py), over all parts.
    """

    reports: int
    quotes: int
    made: int
    reused: int
    new: int
    left_out: Mapping[str, int]
    failed: Mapping[str, int]
    seconds: float

    @property
    def rate(self) -> float:
        """New reports a second."""
        return self.new / self.seconds if self.seconds else 0.0

    @property
    def whole(self) -> bool:
        """Whether nothing failed, and all could be read."""
        return not self.failed and not self.left_out.get("unreadable")
