"""A difference in what a span stands for alone can be decided, and gold carries what holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.annotate.concepts import set_concept
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_span, set_review_state
from app.operations.project.files import check_project
from app.operations.reconcile.decisions import Resolution, decide
from app.operations.reconcile.gold import build_gold
from app.operations.reconcile.queue import read_queue
from app.reconcile.gold import Choice
from app.store.act import begin_act
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError

TEXT = "A boy had fits, ataxia and fever.\n"
SEIZURE, FOCAL, ATAXIA = "HP:0001250", "HP:0007359", "HP:0001251"
CODES = {"Ann": {"fits": SEIZURE, "ataxia": ATAXIA}, "Ben": {"fits": FOCAL, "ataxia": ATAXIA}}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project_file(tmp_path / "p.casespan", None, "Ann") as made:
        with begin_act(made, "add", "Ann") as act:
            section = Section("Case", ("Case",), 0, len(TEXT), ())
            add_document(act, Document("R", TEXT, (section,), {"pmcid": "1"}), "r.txt", "0" * 64)
        for name, codes in CODES.items():
            for words in ("fits", "ataxia", "fever"):
                place = SpanPlace("PMC1", TEXT.index(words), TEXT.index(words) + len(words))
                span = add_span(made, name, place, "Neuro").added[0]
                if words in codes:
                    set_concept(made, span.uuid, "HPO", codes[words])
            set_review_state(made, name, "PMC1", "done")
        yield made


def gold(project: Project) -> dict[str, list[str]]:
    build_gold(project, "Ann", "Ann", "Ben")
    found = open_report(project, "PMC1", "gold").annotations
    return {one.finding.quote: [coding.code for coding in one.concepts] for one in found}


@pytest.mark.parametrize(
    ("choice", "holds"),
    [("left", [SEIZURE]), ("right", [FOCAL]), ("both", [SEIZURE, FOCAL]), ("neither", [])],
)
def test_another_concept_alone_is_a_difference_and_gold_has_what_was_decided(
    project: Project, choice: Choice, holds: list[str]
) -> None:
    queue = read_queue(project, "Ann", "Ben")
    (one,) = queue.differences.values()
    assert (one.kind, [mark.finding.quote for mark in one.group.quotes]) == ("concept", ["fits", "fits"])
    assert gold(project) == {"ataxia": [ATAXIA], "fever": []}
    decide(project, "Ann", queue, [one.id], Resolution(choice))
    assert gold(project) == {"fits": holds, "ataxia": [ATAXIA], "fever": []}
    assert build_gold(project, "Ann", "Ann", "Ben").added == 0
    assert check_project(project) == []


def test_a_decision_is_outdated_once_a_side_has_another_concept(project: Project) -> None:
    queue = read_queue(project, "Ann", "Ben")
    (one,) = queue.differences.values()
    set_concept(project, one.left[0].uuid, "HPO", "HP:0002197")
    with pytest.raises(ProjectError, match="read the queue again"):
        decide(project, "Ann", queue, [one.id], Resolution("left"))
    (other,) = read_queue(project, "Ann", "Ben").differences
    assert other != one.id


def test_who_codes_nothing_in_a_report_is_silent_on_concepts(project: Project) -> None:
    for words in ("fits", "ataxia", "fever"):
        place = SpanPlace("PMC1", TEXT.index(words), TEXT.index(words) + len(words))
        add_span(project, "Cleo", place, "Neuro")
    set_review_state(project, "Cleo", "PMC1", "done")
    assert read_queue(project, "Ann", "Cleo").differences == {}
    build_gold(project, "Ann", "Cleo", "Ann", "ours")
    found = open_report(project, "PMC1", "ours").annotations
    assert [coding.code for one in found for coding in one.concepts] == [SEIZURE, ATAXIA]
