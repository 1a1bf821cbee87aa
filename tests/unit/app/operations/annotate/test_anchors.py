"""What a report is about, as a person says it beside what was proposed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.operations.annotate.anchors import (
    add_alias,
    list_anchors,
    move_cut,
    propose_anchors,
    put_proposal,
    read_diagnosis,
    set_anchor,
    take_anchor,
)
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.annotate.views import keep_guess, read_blinded, save_views, tick_views, view_json, viewing
from app.operations.exchange.exporting import ALL, _exports
from app.operations.project.history import list_history
from app.store.act import begin_act
from app.store.annotate.anchors import StoredAnchor, add_guess, anchors, guesses, tick_pictures
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, documents
from extractors.evidence.orphanet import import_orphanet
from extractors.model.coding import Coding
from extractors.model.document import Document, Section
from extractors.model.errors import CallError
from extractors.model.progress import finished
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


def test_what_is_only_proposed_goes_into_no_export(project: Project) -> None:
    propose_anchors(project)
    add_span(project, "Ann", SpanPlace("PMC1", 6, 11), "MSK")

    def exported() -> list[list[str]]:
        return [[one.code for one in report.concepts] for report in finished(_exports(project, "Ann", ALL))]

    assert exported() == [[]]
    set_anchor(project, "PMC1", "365")
    assert exported() == [["ORPHA:365"]]


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
    assert set_anchor(project, "PMC2", "365").others == ("ORPHA:324",)
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
    with begin_act(project, "import", "Ann") as act:
        take_anchor(act, uuids[0], Coding("Orphanet", "", "324", "Anderson's", "", "human"))
    assert list_anchors(project, ["PMC1"])[0].label == "Anderson's"


def test_of_what_copies_brought_the_confirmed_holds_and_another_word_takes_the_place_of_all(
    project: Project,
) -> None:
    set_anchor(project, "PMC2", "365")
    (row,) = project.query("SELECT * FROM concept")
    with begin_act(project, "merge", "Ann") as act:
        act.insert("concept", {**row, "uuid": "other", "state": "proposed", "code": "ORPHA:324"})
    assert list_anchors(project, ["PMC2"])[0].code == "ORPHA:365"
    set_anchor(project, "PMC2", "324")
    assert [one["code"] for one in project.query("SELECT code FROM concept")] == ["ORPHA:324"]


def test_what_a_model_proposed_stays_until_there_is_another_release(project: Project) -> None:
    uuid = documents(project)[0].uuid
    with begin_act(project, "propose", "Ann") as act:
        put_proposal(act, uuid, "324", "some-model")
    assert propose_anchors(project, ["PMC1"])[0].by == "some-model"
    add_alias(project, "PMC1", ["GSD2"])
    with begin_act(project, "age", "Ann") as act:
        act.update("concept", anchors(project)[uuid].uuid, {"release": "of old"})
    (again,) = propose_anchors(project, ["PMC1"])
    assert (again.by, again.code, again.others) == ("rules", "ORPHA:365", ())
    set_anchor(project, "PMC1", None)
    with begin_act(project, "propose", "Ann") as act:
        put_proposal(act, uuid, "324", "some-model")
    assert list_anchors(project, ["PMC1"])[0].state == "none"


def test_a_group_that_a_person_confirmed_is_a_diagnosis() -> None:
    coding = Coding("Orphanet", "", "ORPHA:1", "Group", "", "human")
    proposed = StoredAnchor("u", "d", "proposed", coding, {"group": True, "added": ["More"]})
    told = [read_diagnosis(replace(proposed, state=state)) for state in ("proposed", "confirmed", "none")]
    assert [one and one.state for one in told] == ["group", "confirmed", None]


def test_views_of_reports_are_written_where_they_are_ready_and_say_why_where_not(
    project: Project, tmp_path: Path
) -> None:
    told = "A boy of six had muscle weakness for a year. " * 4
    text = f"Case\n\n{told}His creatine kinase was high. It was Pompe disease.\n"
    section = Section("Case", ("Case",), 0, len(text), ())
    with begin_act(project, "add", "Ann") as act:
        add_document(act, Document("A boy again", text, (section,), {"pmcid": "3"}), "r.xml", "0" * 64)
        put_proposal(act, documents(project)[1].uuid, "324", "rules")
    set_anchor(project, "PMC3", "365")
    cut = text.index("His")
    views = finished(viewing(project, ["T2", "T4"], cuts={"pmc3": cut}))
    nobody = "Nobody has said what it is about; casespan anchor does."
    assert [(report, one.track, one.state, one.reason) for report, one in views] == [
        ("PMC1", "T2", "refused", nobody),
        ("PMC1", "T4", "refused", nobody),
        ("PMC2", "T2", "refused", "No treatment was found in the case."),
        ("PMC2", "T4", "refused", "No investigation was found in the case; say where the view ends."),
        ("PMC3", "T2", "refused", "No treatment was found in the case."),
        ("PMC3", "T4", "ready", ""),
    ]
    assert views[-1][1].text == text[:cut].rstrip()
    with pytest.raises(CallError, match="no place in the text"):
        finished(viewing(project, ["T4"], cuts={"PMC3": 0}))
    folder = tmp_path / "views"
    folder.mkdir()
    assert save_views(project, views, folder) == (1, 0)
    with pytest.raises(CallError, match="is there already"):
        save_views(project, views, folder)
    lines = [json.loads(line) for line in (folder / "audits.jsonl").read_text("utf-8").splitlines()]
    assert [(one["folder"], one["report"], one["state"]) for one in lines[-2:]] == [
        ("", "PMC3", "refused"),
        ("0001", "PMC3", "ready"),
    ]
    assert (folder / "0001" / "view.txt").read_text("utf-8") == text[:cut].rstrip() + "\n"
    shown = [view_json(one).get("diagnosis") for one in views]
    assert shown == ["", None, "Fabry disease", None, "Pompe disease", None]
    assert keep_guess(project, "PMC3", "T4", 1, " Pompe? ", "0" * 64).guess == "Pompe?"
    with begin_act(project, "guess", "Bob") as act:
        uuid = documents(project)[2].uuid
        for reader, part in (("Bob", 2), ("Bob", 1)):
            add_guess(act, uuid, reader, "T4", part, "Gout?", "0" * 64)
        assert [tick_pictures(act, uuid, ["p", "q", "p"], "Bob") for _ in range(2)] == [2, 0]
    assert [(one.reader, one.part) for one in guesses(project, uuid)] == [("Ann", 1), ("Bob", 2), ("Bob", 1)]
    read = read_blinded(project, "PMC3", "T4")
    assert [one.guess for one in read.guesses] == ["Pompe?"]
    assert (read.anchor.code, read.ends, read.shown_from) == ("ORPHA:365", (len(read.view.text),), ())
    assert read_blinded(project, "PMC3", "T2").guesses == ()
    acts = list_history(project)
    assert tick_views(project, "PMC1", "PMC3") == 0
    assert list_history(project) == acts
