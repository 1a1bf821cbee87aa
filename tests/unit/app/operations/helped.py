"""A project in which a run helped: reports of known words, a run's spans, a reviewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document, Section
from extractors.model.finding import Finding, Polarity

ME, RUN, GOLD = "Ann", "helper", "gold"

# Each sentence, the words of it that the run has found, and how.
SENTENCES: tuple[tuple[str, str, str, Polarity], ...] = (
    ("A boy of six years had a severe headache since May.", "severe headache since May", "Neuro", "present"),
    ("He had no fever at any time.", "no fever at any time", "Vitals_Hema", "negated"),
    ("His heart was of normal size on echocardiography.", "heart was of normal size", "CVS", "present"),
    ("Yellow papules covered both elbows and the knees.", "Yellow papules", "DERM", "present"),
    ("The parents are first cousins and healthy.", "parents are first cousins", "History", "present"),
    ("There was no cough during the whole winter.", "no cough", "RESP", "negated"),
)
NOISE = (
    "Neighbours brought him to the village nurse.",
    "Snow had closed every road that week.",
    "Written consent was given by both.",
    "Another opinion came from the capital.",
)


def report_text(number: int) -> str:
    """The sentences with the report's number, so that no two texts are the same."""
    pairs = [f"{said[0]} {NOISE[place % len(NOISE)]}" for place, said in enumerate(SENTENCES)]
    return f"Case {number}\n" + "\n".join(dict.fromkeys(pairs)) + "\n"


def make_helped(path: Path, reports: int) -> Project:
    """A project with that many reports, in each of which the run has a span per sentence."""
    project = create_project_file(path, None, ME)
    with begin_act(project, "add", ME) as act:
        run = ensure_annotator(act, RUN, "run").uuid
        for number in range(1, reports + 1):
            text = report_text(number)
            section = Section(f"Case {number}", (f"Case {number}",), 0, len(text), ())
            document = Document("A case", text, (section,), {"pmcid": str(number)})
            stored = add_document(act, document, "r.xml", "0" * 64)
            add_annotations(act, stored.uuid, run, findings_in(text), "model")
            ids = project.scheme.ids
            silent = set(ids) - {said[2] for said in SENTENCES}
            set_review(act, stored.uuid, run, state="done", looked_at=ids, nothing_found=silent)
    return project


def findings_in(text: str) -> list[Finding]:
    """What the run finds in a report's text."""
    return [
        Finding(category, words, text.index(words), text.index(words) + len(words), "", polarity)
        for _, words, category, polarity in SENTENCES
    ]


def copy_set(project: Project, source: str, name: str, only: Sequence[str] = ()) -> None:
    """Give somebody what a set has (in the categories of `only`), in reports that are done."""
    kind = "gold" if name == GOLD else "person"
    spans = spans_by_report(project, source)
    with begin_act(project, "copy", ME) as act:
        holder = ensure_annotator(act, name, "gold" if kind == "gold" else "person").uuid
        for document, own in spans.items():
            findings = [one.finding for one in own if not only or one.finding.category in only]
            add_annotations(act, document, holder, findings, "human")
            set_review(act, document, holder, state="done", looked_at=project.scheme.ids)


def spans_of(project: Project, name: str) -> list[Annotation]:
    """Everything somebody has."""
    return read_annotations(project, annotator=annotator(project, name).uuid)


def spans_by_report(project: Project, name: str) -> Mapping[str, list[Annotation]]:
    """Everything somebody has, by document."""
    found: dict[str, list[Annotation]] = {}
    for one in spans_of(project, name):
        found.setdefault(one.document, []).append(one)
    return found
