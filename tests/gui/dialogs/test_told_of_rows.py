"""What dialogs make of what they are told: the order, what stays chosen, and whom a sentence is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget

from app.gui.dialogs.bias.dialog import BiasDialog, Sides
from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.guidelines.amendments import AmendmentsDialog
from app.gui.dialogs.models.extracting import ByModel
from app.gui.dialogs.models.extraction import ModelSettings
from app.gui.dialogs.models.runs import RunsDialog
from app.gui.dialogs.project.corpus import CorpusDialog
from app.gui.dialogs.project.history import HistoryDialog
from app.gui.dialogs.project.projects import NewProjectDialog
from app.gui.modes.agreement.concepts import Comparison, ConceptsDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.drop_down import DropDown
from app.operations.bias.report import BiasSets
from app.operations.corpus.searching import Hit, Hits
from app.operations.extract.runs import RunRow
from app.operations.guidelines.amendments import Outdated
from app.operations.project.files import ProjectOverview
from app.operations.project.identifiers import Suspected
from app.operations.project.seeded_errors import PlantedAccepted
from app.store.annotate.annotators import Annotator
from app.store.annotate.reviews import Review
from app.store.history import Entry
from app.store.reconcile.amendments import Amendment
from app.store.reports.documents import DocumentSummary
from tests.builders import ME
from tests.gui.dialogs.test_handed_on import Told, desk

__all__ = ["desk"]
BEN, DAY = "Dr Ben Okafor", "2026-11-22T10:00:00Z"


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The project is asked nothing."""
    Told(monkeypatch).catch()


def run_of(name: str, *remotes: str) -> RunRow:
    options = ModelSettings().options(name)
    return RunRow(name, "model", "quotes", "failed", DAY, None, "", remotes, Counter(), True, options)


def amendment(name: str) -> Amendment:
    return Amendment(name, 1, "GI", "Include", f"clause {name}", "", "", ME, "0", "1", DAY)


def entry(name: str, who: str = ME) -> Entry:
    return Entry(name, f"act {name}", "do", "", True, who, DAY, 1)


def actions() -> Actions:
    made = Actions(QWidget())
    made.add(COMMANDS)
    return made


Show = Callable[[Any, list[str]], object]
LISTS: dict[str, tuple[Callable[[ProjectSession], Any], Show, Callable[[Any], str]]] = {
    "runs": (
        RunsDialog,
        lambda dialog, names: dialog._show([run_of(name) for name in names]),
        lambda dialog: str(dialog.chosen.name),
    ),
    "amendments": (
        lambda desk: AmendmentsDialog(desk, actions()),
        lambda dialog, names: dialog._show((tuple(amendment(name) for name in names), ())),
        lambda dialog: str(dialog.chosen.uuid),
    ),
    "history": (
        HistoryDialog,
        lambda dialog, names: dialog._take([entry(name) for name in names]),
        lambda dialog: str(dialog.chosen.act),
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_the_latest_is_first_and_what_is_chosen_stays_so(name: str, desk: ProjectSession) -> None:
    make, show, chosen = LISTS[name]
    dialog = make(desk)
    show(dialog, ["a", "b", "c"])
    assert chosen(dialog) == "c"
    dialog.table.selectRow(1)
    assert chosen(dialog) == "b"
    show(dialog, ["a", "b", "c", "d"])
    assert (chosen(dialog), dialog.table.row) == ("b", 2)
    show(dialog, ["a"])
    assert chosen(dialog) == "a"


def test_below_an_amendment_stands_work_that_is_older_than_that_one(desk: ProjectSession) -> None:
    dialog = AmendmentsDialog(desk, actions())
    first, second = amendment("one"), amendment("two")
    between = Outdated("R1", ME, first.category, DAY, (second,))
    dialog._show(((first, second), (between,)))
    listed = []
    for row in range(2):
        dialog.table.selectRow(row)
        listed.append((dialog.table.texts[row][2], dialog.reports.count(), dialog.open_button.isEnabled()))
    assert listed == [("Include: clause two", 1, True), ("Include: clause one", 0, False)]


def test_an_amendment_is_listed_with_what_it_added(desk: ProjectSession) -> None:
    dialog = AmendmentsDialog(desk, actions())
    made = amendment("one")
    both, example = (
        replace(made, example="### An example"),
        replace(made, clause="", example="### An example"),
    )
    dialog._show(((made, both, example), ()))
    assert [row[2] for row in dialog.table.texts] == [
        "an example",
        "Include: clause one (with an example)",
        "Include: clause one",
    ]


def test_text_is_allowed_to_go_to_another_machine_by_the_box_alone(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = RunsDialog(desk)
    dialog._show([run_of("near")])
    for busy in ("It is at work.", ""):
        monkeypatch.setattr("app.gui.dialogs.models.runs.busy_sentence", lambda _, busy=busy: busy)
        dialog._check()
        assert (dialog.go_on_button.isEnabled(), dialog.notice.text()) == (not busy, busy)
    dialog._show([run_of("far", "https://far"), run_of("near")])
    for row, ticked, allowed in ((0, False, False), (1, False, False), (1, True, True), (0, True, False)):
        dialog.table.selectRow(row)
        dialog.allow.setChecked(ticked)
        assert dialog.chosen is not None
        choice = dialog._choice(dialog.chosen)
        assert isinstance(choice, ByModel)
        assert choice.server.allow_remote == allowed


def test_undo_of_all_after_an_act_names_the_others_whose_acts_these_are(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[QMessageBox] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: asked.append(box))
    dialog = HistoryDialog(desk)
    for others, words in (((), ""), ((BEN, "Ana"), "Some are on record as done by Ana, Dr Ben Okafor.")):
        dialog._take([entry("first", "Somebody"), entry("own"), *(entry(one, one) for one in others)])
        dialog.table.selectRow(len(dialog._shown) - 1)
        dialog.undo_button.click()
        assert f"Undo {1 + len(others)} change" in asked[-1].text()
        assert ("Some are on record" in asked[-1].text(), words in asked[-1].text()) == (bool(words), True)


def test_from_an_undo_one_goes_to_what_was_undone(desk: ProjectSession) -> None:
    dialog, wanted = HistoryDialog(desk), list[str]()
    dialog.wanted.connect(wanted.append)
    dialog._take([entry("first"), replace(entry("second"), kind="undo", target="first")])
    for row in range(2):
        dialog.table.selectRow(row)
        dialog.go_button.click()
    assert wanted == ["first", "first"]


def report(name: str) -> DocumentSummary:
    return DocumentSummary(name, name, name, "", DAY, 10, 0, {}, {})


def test_an_export_offers_oneself_then_gold_and_warns_of_what_is_written_alone(desk: ProjectSession) -> None:
    people = (
        Annotator("r", "rules", "run"),
        Annotator("b", BEN, "person"),
        Annotator("n", "Nobody", "person"),
        Annotator("g", "gold", "gold"),
        Annotator("m", ME, "person"),
    )
    reviews = [Review(one, holder, "done", (), ()) for one in ("R1", "R2") for holder in "rbgm"]
    reviews += [Review("R3", holder, "untouched", (), ()) for holder in "bm"]
    counts = Counter({("R1", holder): 2 for holder in "rbgm"})
    documents = tuple(map(report, ("R1", "R2", "R3")))
    overview = ProjectOverview(
        Path("p"), "", documents, people, (), tuple(reviews), counts, Counter(), {}, Counter(), {}
    )
    dialog = ExportDialog(desk, None, ("R2",))
    dialog._show(overview)
    offered = dialog.form.box("annotator", DropDown)
    names = [offered.itemData(row) for row in range(offered.count())]
    assert names == [ME, "gold", "rules", BEN, "Nobody"]
    assert dialog.form.value.annotator == ME
    holders = {"R1": ME, "R2": ME, "R3": BEN}
    dialog._warn(
        {
            name: (Suspected("text", "name", f"Ada {name}", 0, 6, "", frozenset({(who, "report")})),)
            for name, who in holders.items()
        }
    )
    for meant, listed in (("", ["R1", "R2"]), ("meant", ["R2"])):
        dialog.form.put(reports=meant)
        lines = dialog.suspected.toPlainText().splitlines()
        assert [line.partition(",")[0] for line in lines] == listed
        assert dialog.warning.text().startswith(f"{len(listed)} report")


def test_errors_that_were_taken_out_are_gone_from_the_window_too(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, said = list[bool](), list[str]()
    monkeypatch.setattr(ProjectSession, "reload", lambda _: read.append(True))
    desk.message.connect(said.append)
    dialog = BiasDialog(desk)
    dialog._removed(ME, (PlantedAccepted("u", ME, "R1", "GI", "ataxia", "label", "rules for review"),))
    assert read == [True]
    assert ME in said[-1]


def test_one_is_measured_oneself_first_and_where_that_fails_nothing_of_before_is_offered(
    desk: ProjectSession,
) -> None:
    dialog = BiasDialog(desk)
    dialog._offer(BiasSets((BEN, desk.annotator), ("rules",), ("gold",), (), ()))
    assert dialog.form.value == Sides(desk.annotator, "", "")
    dialog.form.put(annotator=BEN)
    dialog._offer(BiasSets((desk.annotator, BEN), ("rules",), ("gold",), (), ()))
    assert dialog.form.value.annotator == BEN
    dialog.remove_button.show()
    dialog._fail("It is not there.")
    buttons = (dialog.export_button, dialog.copy_button)
    assert (dialog.remove_button.isHidden(), [one.isEnabled() for one in buttons]) == (True, [False, False])


def test_concepts_of_one_alone_are_compared_with_nobodys(desk: ProjectSession) -> None:
    dialog = ConceptsDialog(desk)
    dialog._show({"HPO": ("a",), "ORPHA": ("a", "b")})
    assert dialog.form.value == Comparison("ORPHA", "a", "b", "strict")
    alone: dict[str, tuple[str, ...]] = {"HPO": ("a",)}
    for known, says in ((alone, "Two are needed"), ({}, "Nobody has given a concept yet")):
        dialog = ConceptsDialog(desk)
        dialog._show(known)
        assert dialog.table.toPlainText().startswith(says)
        assert not dialog.form.isEnabled()


def test_what_was_found_in_a_corpus_becomes_a_project_of_its_reports_each_once(
    desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking: list[QFileDialog] = []
    monkeypatch.setattr(QFileDialog, "open", lambda one: looking.append(one))
    taken: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr(CorpusDialog, "take", lambda _, path, names: taken.append((path, list(names))))
    dialog = CorpusDialog(Path("corpus"))
    said = ("A title", "", 2024, None, 0, 6, "before ", "ataxia", " behind")
    hits = [Hit(name, *said) for name in ("R1", "R2", "R1")]
    dialog._show(Hits(tuple(hits), 7))
    assert dialog.notice.text() == "7 hits, the first 3 of them are shown."
    dialog.table.selectRow(1)
    for button, names in ((dialog.one_button, ["R2"]), (dialog.all_button, ["R1", "R2"])):
        button.click()
        looking[-1].fileSelected.emit("/new.casespan")
        assert taken[-1] == (Path("/new.casespan"), names)


@pytest.mark.parametrize(("annotator", "field"), [("", "name"), (ME, "file")])
def test_a_new_project_begins_with_what_is_not_known_beside_those_that_are_there(
    annotator: str, field: str, qapp: QApplication, tmp_path: Path
) -> None:
    preferences = Preferences()
    preferences.annotator = annotator
    for name in ("Case reports", "Case reports 2"):
        (tmp_path / f"{name}.casespan").touch()
    dialog = NewProjectDialog(preferences, here=tmp_path / "study.casespan")
    assert dialog.form.value.file == str(tmp_path / "Case reports 3.casespan")
    assert dialog.form.value.name == annotator
    assert dialog.focusWidget() is dialog.form.box(field, QLineEdit)
