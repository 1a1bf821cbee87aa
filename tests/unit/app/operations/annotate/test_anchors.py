"""What a report is about, as a person says it beside what was proposed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.operations.annotate.anchors import (
    add_alias,
    list_anchors,
    move_cut,
    propose_anchors,
    put_proposal,
    set_anchor,
    take_anchor,
)
from app.operations.project.history import list_history
from app.store.act import begin_act
from app.store.annotate.anchors import StoredAnchor, anchors
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, documents
from extractors.evidence.orphanet import import_orphanet
from extractors.model.coding import Coding
from extractors.model.document import Document, Section
from extractors.model.errors import CallError
from extractors.terminology.library import FOLDER

TEXT = "Case\n\nA boy of six had muscle weakness."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    (tmp_path / "own.csv").write_text("ORPHA:365,Pompe disease\nORPHA:324,Fabry disease\n", "utf-8")
    import_orphanet([tmp_path / "own.csv"])
    sections = (Section("Case", ("Case",), 0, len(TEXT), ()),)
    with create_project_file(tmp_path / "p.casespan", None, "Ann") as made:
        with begin_act(made, "add", "Ann") as act:
            for number, title in enumerate(("Pompe disease in a boy", "A boy"), start=1):
                add_document(act, Document(title, TEXT, sections, {"pmcid": str(number)}), "r.xml", "0" * 64)
        yield made


def stored(project: Project, title: str) -> StoredAnchor:
    (uuid,) = (one for one, named in project.tuples("SELECT uuid, title FROM document") if named == title)
    return anchors(project)[uuid]


@pytest.mark.parametrize(
    ("code", "origin"),
    [
        ("365", "accepted"),
        ("orpha:365", "accepted"),
        ("POMPE disease", "accepted"),
        ("Orphanet_324", "edited"),
    ],
)
def test_what_was_proposed_is_accepted_or_edited(project: Project, code: str, origin: str) -> None:
    propose_anchors(project)
    assert stored(project, "Pompe disease in a boy").coding.origin == "model"
    said = set_anchor(project, "PMC1", code)
    assert (said.state, stored(project, "Pompe disease in a boy").coding.origin) == ("confirmed", origin)
    assert ("ORPHA:365" in said.others) == (origin == "edited")
    set_anchor(project, "PMC1", "324")
    assert stored(project, "Pompe disease in a boy").coding.origin == "human"


def test_where_a_view_ends_stays_with_another_diagnosis_and_goes_with_none(project: Project) -> None:
    set_anchor(project, "PMC2", "365")
    move_cut(project, "PMC2", 20)
    assert add_alias(project, "PMC2", ["GSD2"], by="Bob").by == "Ann"
    assert [entry.who for entry in list_history(project)[-3:]] == ["Ann", "Ann", "Bob"]
    assert list_history(project)[-1].name == "another name of the diagnosis in PMC2"
    again = set_anchor(project, "PMC2", "365", ["AMD"])
    assert {"GSD2", "AMD"} <= set(again.aliases)
    assert stored(project, "A boy").details["cut"] == 20
    other = set_anchor(project, "PMC2", "324")
    assert {"GSD2", "AMD"}.isdisjoint(other.aliases), "names of the one are none of the other"
    assert stored(project, "A boy").details["cut"] == 20
    assert set_anchor(project, "PMC2", None).state == "none"
    assert "cut" not in stored(project, "A boy").details
    with pytest.raises(CallError, match="no diagnosis yet"):
        move_cut(project, "PMC2", 3)
    with pytest.raises(CallError, match="no diagnosis yet"):
        add_alias(project, "PMC2", ["GSD2"])
    set_anchor(project, "PMC2", "365")
    for cut in (0, len(TEXT) + 1):
        with pytest.raises(CallError, match="no place in the text"):
            move_cut(project, "PMC2", cut)
    assert move_cut(project, "PMC2", len(TEXT)).state == "confirmed"
    for alias in ("x", "--", "y" * 201):
        with pytest.raises(CallError, match="is no name"):
            set_anchor(project, "PMC2", "365", [alias])


def test_what_a_file_says_a_report_is_about_stands_with_its_names_and_nobody_as_who_said_so(
    project: Project,
) -> None:
    uuids = [one.uuid for one in documents(project)]
    with begin_act(project, "import", "Ann") as act:
        other = Coding("OMIM", "", "232300", "Some disease", "", "human")
        take_anchor(act, uuids[0], other, [" Some  name", "x", "Some name"], 12)
        take_anchor(act, uuids[1], Coding("orphanet", "", "365", "", "", "human"))
    first, second = list_anchors(project)
    assert (first.state, first.code, first.label, first.by) == ("confirmed", "232300", "Some disease", None)
    assert first.aliases == ("Some disease", "Some name")
    assert stored(project, "Pompe disease in a boy").details["cut"] == 12
    assert (second.code, second.label, second.by) == ("ORPHA:365", "Pompe disease", None)
    kept = stored(project, "A boy")
    assert (kept.coding.origin, kept.details.keys().isdisjoint(("cut", "added"))) == ("imported", True)
    with begin_act(project, "propose", "Ann") as act:
        put_proposal(act, uuids[1], "324", "rules")
    assert list_anchors(project, ["PMC2"]) == (second,)
    (proposed,) = propose_anchors(project, ["PMC1"])
    assert proposed == first
