"""An encrypted project against a plain one, doing the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.importing import import_reports, pasted
from app.operations.project.backups import save_backup
from app.operations.project.encryption import encrypt_project, lock
from app.operations.project.files import create_project
from app.store.annotate.annotations import read_annotations
from app.store.check import check
from app.store.project import Project
from app.store.reports.documents import documents
from extractors.model.progress import finished
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_reports

_REPORTS, _SPANS = 200, 200


def measures() -> list[Measure]:
    """Keys are made before: that takes a fifth of a second for each start of the program, on purpose."""
    with TemporaryDirectory() as folder:
        plain = create_project(Path(folder) / "plain", "Dr Ana Ruiz")
        texts = [record.document.text for record in sample_reports()]
        finished(
            import_reports(
                plain, [pasted(f"{texts[n % len(texts)]} {n}", f"{n}", broken=False) for n in range(_REPORTS)]
            )
        )
        secret = Path(copyfile(plain, Path(folder) / "secret.casespan"))
        encrypt_project(secret, "correct horse battery staple")
        found = [
            Measure(
                f"encrypted: {name}", interleaved_ratio(work(secret), work(plain)), 1.3, "the plain project"
            )
            for name, work in (("200 spans, one by one", _annotated), ("read, checked, copied", _read))
        ]
        lock()
        return found


def _annotated(path: Path) -> Callable[[], None]:
    """Acts as the window does them, each on disk before the next."""
    starts = count(0, 7)

    def work() -> None:
        with Project.open(path, write=True) as project:
            key = documents(project)[0].key
            size = len(documents(project)[0].document.text) - 20
            for _ in range(_SPANS):
                start = next(starts)
                end = start % size + 3 + start // size
                add_span(project, "Dr Ana Ruiz", SpanPlace(key, start % size, end), "GI")

    return work


def _read(path: Path) -> Callable[[], None]:
    """All reports and annotations, the check, and a copy."""
    numbers = count()

    def work() -> None:
        with Project.open(path) as project:
            assert len(documents(project)) == _REPORTS
            read_annotations(project)
        assert not check(path)
        save_backup(path, path.with_name(f"{path.stem}{next(numbers)}.casespan"))

    return work
