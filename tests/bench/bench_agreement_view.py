"""The agreement view of a study of the dataset's size, against reading its annotations from the project."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.compare.agreement import compare_every_pair
from app.operations.compare.view import reading_sets_to_compare, share_lines, viewing_agreement
from app.operations.project.files import create_project
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations, read_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document, Section
from extractors.model.finding import Finding
from extractors.model.progress import finished
from tests.bench.measure import Measure, interleaved_ratio
from tests.unit.app.agreement.table import SHAPE, side

REPORTS = 138
PEOPLE = ("Ana", "Ben", "Chi")


def measures() -> list[Measure]:
    """Two of three annotators as the window shows them first, then in full, then every pair."""
    with TemporaryDirectory() as folder, Project.open(study(Path(folder))) as project:
        baseline = "reading the same annotations"
        view, whole, every = (
            interleaved_ratio(partial(made, project), partial(read_annotations, project), repeats=5)
            for made in (_view, _whole, _every_pair)
        )
    return [
        Measure("agreement view: 138 reports x 14 categories x 3 annotators", view, 4, baseline),
        Measure("agreement view: with BLEU and ROUGE", whole, 6, baseline),
        Measure("agreement view: every pair of the same", every, 8, baseline),
    ]


def study(folder: Path, people: tuple[str, ...] = PEOPLE, reports: int = REPORTS) -> Path:
    """A project of reports, each with what every annotator has in all 14 categories, in its place."""
    path = create_project(folder / "study.casespan", people[0])
    quotes = {name: side(number, reports) for number, name in enumerate(people, 1)}
    with Project.open(path, write=True) as project, begin_act(project, "build", people[0]) as act:
        holders = {name: ensure_annotator(act, name, "person").uuid for name in people}
        for number in range(reports):
            found: dict[str, list[Finding]] = {name: [] for name in people}
            text = ""
            # One below the other, so that what two have of the same passage stands in places of its own.
            for name in people:
                for category, given in quotes[name][number].items():
                    for quote in given:
                        start, text = len(text), f"{text}{quote}\n"
                        found[name].append(Finding(category, quote, start, start + len(quote)))
            section = Section("", (), 0, len(text), tuple(SHAPE))
            document = Document(f"Report {number}", text, (section,), {"pmcid": f"PMC{number}"})
            stored = add_document(act, document, "built", "0" * 64)
            for name, holder in holders.items():
                add_annotations(act, stored.uuid, holder, found[name], "human")
                set_review(act, stored.uuid, holder, state="done", looked_at=SHAPE)
    return path


def _view(project: Project) -> None:
    sides = finished(reading_sets_to_compare(project))
    finished(viewing_agreement(sides, PEOPLE[0], PEOPLE[1], "paper", joined=False))
    share_lines([sides.shares(name) for name in sides.names], sides.categories)


def _whole(project: Project) -> None:
    finished(viewing_agreement(finished(reading_sets_to_compare(project)), PEOPLE[0], PEOPLE[1], "paper"))


def _every_pair(project: Project) -> None:
    compare_every_pair(finished(reading_sets_to_compare(project)), "paper")
