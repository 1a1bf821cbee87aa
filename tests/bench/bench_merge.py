"""Bringing five annotators' packets together, against reading what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from app.operations.exchange.importing import import_reports, pasted
from app.operations.exchange.merging import bring_together
from app.operations.exchange.packets import cut_packets
from app.operations.project.files import create_project
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import annotator
from app.store.history import changes, history
from app.store.project import Project
from app.store.reports.documents import documents
from extractors.model.finding import Finding
from extractors.model.progress import finished
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_reports

_REPORTS, _SPANS = 200, 100
_PEOPLE = ("Anna", "Ben", "Chloe", "Dana", "Eli")


def measures() -> list[Measure]:
    """A fifth of the dataset's size; each copy of the project is brought together anew."""
    with TemporaryDirectory() as folder:
        study, packets = _copies(Path(folder))
        numbers = count()

        def merge() -> None:
            whole = Path(copyfile(study, Path(folder) / f"whole{next(numbers)}.casespan"))
            merged = finished(bring_together(whole, packets))
            assert merged.added["annotation"] == len(_PEOPLE) * _REPORTS * _SPANS

        ratio = interleaved_ratio(merge, partial(_read, packets), repeats=2)
    return [
        Measure(
            f"merge: 5 packets of {_REPORTS} reports",
            ratio,
            6,
            "reading the five files: reports, annotations, histories",
        )
    ]


def _copies(folder: Path) -> tuple[Path, list[Path]]:
    """A project and its packets, in each of which every report has been annotated."""
    study = create_project(folder / "study", "Dr Ana Ruiz")
    texts = [record.document.text for record in sample_reports()]
    sources = [pasted(f"{texts[n % len(texts)]} {n}", f"report {n}", broken=False) for n in range(_REPORTS)]
    finished(import_reports(study, sources))
    cut = finished(cut_packets(study, folder / "packets", _PEOPLE))
    for packet in cut:
        with Project.open(packet.file, write=True) as project, begin_act(project, "annotate", "x") as act:
            holder = annotator(project, packet.annotator).uuid
            for report in documents(project):
                text = report.document.text
                places = [(start, start + 12) for start in range(0, 15 * _SPANS, 15)]
                findings = [Finding("GI", text[start:end], start, end) for start, end in places]
                add_annotations(act, report.uuid, holder, findings, "human")
    return study, [packet.file for packet in cut]


def _read(packets: Sequence[Path]) -> None:
    for path in packets:
        with Project.open(path) as project:
            documents(project)
            read_annotations(project)
            for entry in history(project):
                changes(project, entry.act)
