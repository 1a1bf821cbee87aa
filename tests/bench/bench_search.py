"""Words found in 1,000 reports, against a bare query of the same index for the same rows."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.find.search import AT_ONCE, search_project
from app.operations.project.files import create_project
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme
from tests.bench.driving import ME
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_reports

REPORTS, SPANS = 1000, 30
# A word of most reports, one of a few in more forms than one, two words, a phrase and a beginning.
WORDS = ("patient", "seizures", "heart failure", '"left ventricular"', "hypert*")
_BARE = ("patient", "seizures", "heart AND failure", '"left ventricular"', "hypert*")


def measures() -> list[Measure]:
    """All the first pages of five searches."""
    with TemporaryDirectory() as folder, Project.open(study(Path(folder))) as project:
        ratio = interleaved_ratio(partial(_search, project), partial(_bare, project), repeats=7)
    return [Measure("search: 1,000 reports", ratio, 3, "a bare FTS5 MATCH with snippet() for the same rows")]


def study(folder: Path) -> Path:
    """Reports of the length of the sample reports and of their sentences, each in an order of its own."""
    chance = random.Random(11)
    texts = [record.document.text for record in sample_reports()]
    sentences = [line for text in texts for line in text.replace(". ", ".\n").split("\n") if line]
    ids = default_scheme().ids
    path = create_project(folder / "study.casespan", ME)
    with Project.open(path, write=True) as project, begin_act(project, "add", ME) as act:
        me = ensure_annotator(act, ME, "person").uuid
        for number in range(REPORTS):
            text = " ".join(chance.choices(sentences, k=120))
            stored = add_document(act, Document(f"Case {number}", text, ()), f"{number}.txt", "0" * 64)
            starts = sorted(chance.sample(range(len(text) - 80), SPANS))
            findings = [
                Finding(chance.choice(ids), text[start : start + 40], start, start + 40) for start in starts
            ]
            add_annotations(act, stored.uuid, me, findings, "human")
    return path


def _search(project: Project) -> int:
    return sum(len(search_project(project, words, ME).reports) for words in WORDS)


def _bare(project: Project) -> None:
    for words in _BARE:
        project.tuples(
            "SELECT rowid, snippet(text_search, 0, '[', ']', '…', 20) FROM text_search "
            "WHERE text_search MATCH ? LIMIT ?",
            [words, AT_ONCE],
        )
