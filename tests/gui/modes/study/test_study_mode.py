"""The mode Study with the toy study, by keyboard: from no items to the answers behind a number."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QMessageBox,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.cli import main
from app.gui.dialogs.fields import SettingsDialog
from app.gui.modes.study.items import HIDDEN, ItemsPage
from app.gui.modes.study.lists import StudyLists
from app.gui.modes.study.mode import StudyMode
from app.gui.modes.study.options import OwnOptions
from app.gui.modes.study.running import RunDialog
from app.gui.modes.study.tables import DrillDown
from app.gui.modes.study.work import StudyWork
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.theme import interface_font
from app.gui.shell.main_window import MainWindow
from app.gui.widgets import boxes
from app.operations.study.answers import Answered, Entry, Overview, RunLine, answered, study_runs
from app.operations.study.items import BuildSummary, KeptItem
from app.store.project import Project
from app.studies import STUDIES
from app.studies.icd11.study import STUDY as ICD11
from app.studies.results import Item, Row, Scores
from app.studies.study import Beside, Option
from extractors.model.errors import CallError
from extractors.model.progress import Progress, finished
from tests.gui.conftest import ME, open_in
from tests.toy_study.study import STUDY
from tests.verbs import asked, press, settle

CTRL = Qt.KeyboardModifier.ControlModifier
RETURN = Qt.Key.Key_Return
Enter = Callable[[], StudyMode]


@pytest.fixture(autouse=True)
def no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The studies that come along are left out."""
    for name in reversed(list(STUDIES)):  # which come back the other way round
        monkeypatch.delitem(STUDIES, name)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STUDIES, "toy", "tests.toy_study.study:STUDY")


@pytest.fixture
def enter(window: MainWindow, project: Path, qtbot: QtBot) -> Enter:
    """Opens the project and goes to the mode by its key."""

    def go() -> StudyMode:
        bench = open_in(window, project, qtbot)
        press("5", CTRL)
        settle(bench.session.worker, qtbot, 2)
        mode = bench.frame.mode
        assert isinstance(mode, StudyMode)
        return mode

    return go


def test_what_a_build_left_out_is_counted_and_told(qtbot: QtBot) -> None:
    said: list[str] = []
    told, named = SimpleNamespace(emit=said.append), SimpleNamespace(ask_for_names=lambda: None)
    session, parent = SimpleNamespace(message=told, undoing=named), QWidget()
    qtbot.addWidget(parent)
    brought = BuildSummary("toy", 1200, 1, {}, {"too short": 3, "twice": 2}, (), {}, ("See the notes.",))
    for summary in (brought, replace(brought, items=1, left_out={}, notes=())):
        StudyWork(cast(ProjectSession, session), parent)._built(summary)
    assert said == [
        "1,200 items, 1 of them new; 5 left out (too short, twice). See the notes.",
        "1 item, 1 of them new.",
    ]


def test_an_export_has_the_tables_that_are_shown_and_those_of_the_pages_pictures(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scored: list[object] = []
    said: list[str] = []

    def scoring(*given: object, published: bool) -> Generator[Progress, None, None]:
        scored.append((*given[3:5], published))
        yield Progress(1, 1)

    for name, stand_in in (
        ("page_labels", lambda project, study: ("level", "organ")),
        ("scoring_study", scoring),
        ("write_scores", lambda study, more, text, out, key: [out]),
        ("ask_save", lambda parent, title, kind, write, path, name, only: write(tmp_path / name)),
    ):
        monkeypatch.setattr(f"app.gui.modes.study.work.{name}", stand_in)
    parent = QWidget()
    qtbot.addWidget(parent)
    session = SimpleNamespace(
        path=Path("cases.casespan"),
        message=SimpleNamespace(emit=said.append),
        worker=SimpleNamespace(query=lambda title, steps, then, *_, latest: then(finished(steps(None)))),
    )
    shown = SimpleNamespace(by={"organ": {}}, profile="paper", published=True)
    StudyWork(cast(ProjectSession, session), parent).export(STUDY, cast(Scores, shown))
    assert scored == [(["organ", "level"], "paper", True)]
    assert said == [f"Written: {tmp_path / 'cases-toy.html'}."]


def accept(window: MainWindow, qtbot: QtBot) -> None:
    """Press the act of the dialog that is open; no platform without a display goes back to the window."""
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SettingsDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    dialog.ok_button.click()
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)


def built(mode: StudyMode, window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(mode.lists.build.hasFocus)
    press("b")
    accept(window, qtbot)
    qtbot.waitUntil(lambda: len(mode.items.list.texts) == 3)


def ran(mode: StudyMode, window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(mode.items.list.hasFocus)
    press("r")
    accept(window, qtbot)
    qtbot.waitUntil(lambda: mode.lists.chosen_run == "liver/toy")
    qtbot.waitUntil(lambda: ("liver/toy", "3 of 3", "done") in mode.lists.runs.texts)
    qtbot.waitUntil(lambda: "Accuracy" in mode.score.score.text())


def starts(label: QLabel, words: str) -> bool:
    return label.text().startswith(words)


def recorded(mode: StudyMode, qtbot: QtBot, call: Callable[[Project], Any]) -> Any:  # noqa: ANN401
    return asked(mode.work._session.worker, qtbot, call)


def test_from_no_items_to_what_is_behind_a_number(
    enter: Enter, window: MainWindow, toy: None, qtbot: QtBot
) -> None:
    mode = enter()
    qtbot.waitUntil(lambda: "its three questions come along" in mode.lists.about.text())
    told: list[str] = []
    mode._session.message.connect(told.append)
    press("v")
    assert told == [f"{STUDY.title} draws no sample of its items that people verify."]
    assert mode.tables.about.text().endswith(": build them first.")
    built(mode, window, qtbot)
    qtbot.waitUntil(mode.items.list.hasFocus)
    assert [row[0] for row in mode.items.list.texts] == ["jaundice", "haematuria", "ascites"]
    ran(mode, window, qtbot)
    assert mode.lists.runs.texts[1] == ("liver/toy", "3 of 3", "done")
    assert ["n 3", "0.667"] == [mode.score.score.text().split("\n")[line] for line in (1, 4)]
    press(Qt.Key.Key_Down)
    assert "●  A  liver" in mode.items.text.toPlainText()
    assert "key: B" not in mode.items.text.toPlainText()
    mode.items.reference.click()
    assert "key: B" in mode.items.text.toPlainText()
    mode.items.list.setFocus()
    press("t")
    bars, table = mode.tables.tables[:2]
    assert bars.hasFocus()
    exported: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mode.work, "export", lambda study, _: exported.append(study))
        mode.tables.export.click()
    assert exported == [mode._study]
    (area,) = (one for one in mode.tables.children() if isinstance(one, QScrollArea))
    for size, scrolls in ((200, True), (100, False)):
        # What is chosen above leaves the tables the height there is, where that is little.
        mode.tables.setFont(interface_font(size))
        assert area.isAncestorOf(mode.tables.by) == scrolls
    table.setFocus()
    table.setCurrentIndex(table.numbers.index(0, 1))
    press(RETURN)
    qtbot.waitUntil(lambda: "Accuracy of liver/toy" in mode.items.about.text())
    assert [row[3] for row in mode.items.list.texts] == ["1", "0", "1"]
    assert mode.items.about.text().endswith(": 3 answers count.")
    mode.items.all_button.click()
    qtbot.waitUntil(lambda: mode.items.about.text() == "What liver/toy answered.")
    # A label's values are called in words in its table, too.
    mode.tables.by.setCurrentIndex(mode.tables.by.findData("task"))
    qtbot.waitUntil(lambda: len(mode.tables.tables) == 4)
    names = [str(one.numbers.headerData(0, Qt.Orientation.Vertical)) for one in mode.tables.tables]
    assert names == ["all", "liver/toy", "of organs · liver/toy", "liver/toy"]
    mode.tables.opened.emit(DrillDown("liver/toy", STUDY.measures[0], "organ", "kidney"))
    qtbot.waitUntil(lambda: mode.items.about.text().endswith(" in organ kidney: 1 answer counts."))
    # No number stays with a run that is chosen after it.
    mode.lists.choose_run("")
    qtbot.waitUntil(lambda: mode.items.about.text() == "The items, without answers.")


def test_the_mode_begins_with_a_study_that_has_items(
    enter: Enter, window: MainWindow, toy: None, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["study", "build", str(project), "toy"]) == 0
    monkeypatch.delitem(STUDIES, "toy")
    for name, at in (("icd11", "app.studies.icd11.study"), ("toy", "tests.toy_study.study")):
        monkeypatch.setitem(STUDIES, name, f"{at}:STUDY")
    mode = enter()
    qtbot.waitUntil(lambda: len(mode.items.list.texts) == 3)
    assert (mode.lists.studies.row, mode.items.list.hasFocus()) == (1, True)
    # A dialog that is closed leads back to where the page's keys act.
    for button in (mode.lists.run, mode.answering.start.model):
        mode.lists.run.setFocus()
        button.click()
        qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SettingsDialog))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, SettingsDialog)
        dialog.reject()
        window.activateWindow()
        qtbot.waitUntil(mode.items.list.hasFocus)
    # A number of one study has no items behind it in another.
    mode.tables.opened.emit(DrillDown("", STUDY.measures[0]))
    qtbot.waitUntil(lambda: mode.items.about.text().startswith("Accuracy of "))
    mode.lists.studies.selectRow(0)
    assert (mode.items.about.text(), mode.items.list.texts) == (f"Reading {ICD11.title}…", [])
    qtbot.waitUntil(lambda: mode.items.about.text() == "The items, without answers.")
    # What is done in another mode is read when one comes back.
    press("1", CTRL)
    mode.work._session.worker.saved.emit()
    assert not mode._later.isActive()


def test_what_is_rated_is_no_longer_the_answer_of_the_study_before(
    enter: Enter, toy: None, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["study", "build", str(project), "toy"]) == 0
    assert main(["study", "run", str(project), "toy", "--with", "liver"]) == 0
    monkeypatch.setitem(STUDIES, "icd11", "app.studies.icd11.study:STUDY")
    mode = enter()
    qtbot.waitUntil(lambda: len(mode.items.list.texts) == 3)
    mode.lists.choose_run("liver/toy")
    qtbot.waitUntil(lambda: mode.score.form is not None)
    press("g")
    qtbot.waitUntil(lambda: mode.rating.to_rate is not None)
    mode.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: mode.score.form is not None)
    mode.lists.studies.selectRow(1)
    assert (mode.rating.to_rate, mode.score.form) == (None, None)


def test_a_run_that_ends_moves_nothing_under_somebody_who_answers(
    enter: Enter, window: MainWindow, toy: None, qtbot: QtBot
) -> None:
    mode = enter()
    built(mode, window, qtbot)
    press("a")
    qtbot.waitUntil(mode.answering.options.hasFocus)
    mode.answering.park_button.setFocus()
    bar = mode.tabs.tabBar()
    for place, acts in ((0, mode.items.list), (2, mode.answering.options)):
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
        qtbot.waitUntil(acts.hasFocus)
    mode.lists.run.click()
    accept(window, qtbot)
    qtbot.waitUntil(lambda: ("liver/toy", "3 of 3", "done") in mode.lists.runs.texts)
    assert (mode.tabs.currentWidget(), mode.lists.chosen_run) == (mode.answering, "")
    # Whoever has begun to answer is shown no other's answers, chosen or not.
    mode.answering.options.setFocus()
    press("a")
    press(RETURN)
    qtbot.waitUntil(lambda: mode.items.about.text() == HIDDEN)
    mode.lists.choose_run("liver/toy")
    settle(mode.work._session.worker, qtbot)
    assert (mode.items.about.text(), mode.items.list.isColumnHidden(2)) == (HIDDEN, True)
    for page in (mode.items, mode.rating):
        mode.tabs.setCurrentWidget(page)
        settle(mode.work._session.worker, qtbot)
    assert (mode.items.about.text(), mode.items.list.isColumnHidden(2)) == (HIDDEN, True)
    assert (mode.rating.progress.text(), mode.rating.to_rate) == (HIDDEN, None)
    # Whoever has not is.
    mode._session.set_annotator("Ben Okafor")
    qtbot.waitUntil(lambda: mode.items.about.text() == "What liver/toy answered.")


def test_a_person_answers_by_keyboard_and_closes(
    enter: Enter, window: MainWindow, toy: None, qtbot: QtBot
) -> None:
    mode = enter()
    built(mode, window, qtbot)
    press("a")
    page = mode.answering
    for key, left in (("a", 3), ("2", 2), ("b", 1)):
        said = f"{ME} answers: {left} item"
        qtbot.waitUntil(partial(starts, page.progress, said))
        assert page.options.hasFocus()
        press(RETURN)
        assert page.problem.text().startswith("Choose an option")
        page._since -= 60  # as if it had been read for so long
        # "A" and "B" are commands of the mode elsewhere; here they are options.
        press(key)
        press(RETURN)
    qtbot.waitUntil(lambda: "answered everything" in page.progress.text())

    def given(project: Project) -> list[Any]:
        run = study_runs(project, STUDY, [ME])[0]
        return [(one.row.value, (one.row.seconds or 0) // 60) for one in answered(project, STUDY, run)]

    assert recorded(mode, qtbot, given) == [("A", 1), ("B", 1), ("B", 1)]
    # A score would tell what is right.
    qtbot.waitUntil(lambda: mode.tables.about.text().startswith("Right answers, and what others"))
    assert (mode.tables.tables, mode.score.score.text()) == ([], mode.tables.about.text())
    mode.answering.close_button.click()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    box.buttons()[0].click()
    qtbot.waitUntil(lambda: "closed is final" in page.progress.text())
    qtbot.waitUntil(lambda: bool(mode.tables.tables))


def test_an_answer_is_rated_where_it_is_read(
    enter: Enter, window: MainWindow, toy: None, qtbot: QtBot
) -> None:
    mode = enter()
    built(mode, window, qtbot)
    ran(mode, window, qtbot)
    qtbot.waitUntil(lambda: mode.score.form is not None)
    form = mode.score.form
    assert form is not None
    form.put(criterion_0=True)
    form.put(criterion_1=2)

    def ratings(project: Project) -> Any:  # noqa: ANN401
        return answered(project, STUDY, study_runs(project, STUDY)[0])[0].row.ratings

    assert recorded(mode, qtbot, ratings) == {ME: {"true": True, "clear": 2}}
    qtbot.waitUntil(lambda: f"Rated by {ME}" in mode.score.score.text())
    # What comes back from the disk leaves the form under the hand.
    assert mode.score.form is form
    press(Qt.Key.Key_Down)
    assert mode.score.form is not form
    assert mode.score.form is not None
    assert mode.score.form.box("criterion_0", QComboBox).currentText() == "not rated"


def test_what_an_item_says_is_never_taken_for_markup(
    enter: Enter, window: MainWindow, toy: None, tmp_path: Path, qtbot: QtBot
) -> None:
    mode = enter()
    bad = "<img src='file:///x'><b>bold</b> & more"
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"finding": bad, "organ": "A"}) + "\n", "utf-8")
    qtbot.waitUntil(mode.lists.build.hasFocus)
    press("b")
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SettingsDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    dialog.form.put(sources=str(lines))
    accept(window, qtbot)
    qtbot.waitUntil(lambda: len(mode.items.list.texts) == 1)
    assert bad in mode.items.text.toPlainText()
    press("a")
    qtbot.waitUntil(lambda: bad in mode.answering.text.toPlainText())


def test_a_narrow_list_shows_all_of_a_runs_name(enter: Enter, toy: None) -> None:
    lists = enter().lists
    methods = tuple(RunLine(name, "method", "done", 1, 0, 1) for name in ("old", "new"))
    for there, chosen in ((methods[:1], "old"), (methods, "new")):
        lists.show_overview(STUDY, Overview("toy", (), {}, there))
        assert lists.chosen_run == ("" if chosen == "old" else chosen)
        # The one that has just been begun comes before the one that is looked at meanwhile.
        for name in ("old", "new"):
            lists.choose_run(name)
        assert lists.chosen_run == chosen
    runs = lists.runs
    # Once it was there, what one chooses stays.
    runs.selectRow(1)
    lists.show_overview(STUDY, Overview("toy", (), {}, methods))
    assert lists.chosen_run == "old"
    runs.put([("(items alone)", "", ""), ("invented replies, no pictures", "2 of 2", "done")])
    for columns in (1, 3):
        runs.setFixedWidth(columns * runs.fontMetrics().horizontalAdvance("invented replies"))
        QApplication.processEvents()
        lines = runs.verticalHeader().sectionSize(1) // runs.fontMetrics().lineSpacing()
        assert (lines > 1) == (columns == 1)


def test_where_large_letters_leave_no_room_runs_have_a_name_and_a_state_alone(
    enter: Enter, toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    mode = enter()
    lists, place = mode.lists, mode.score.parentWidget()
    letter = lists.fontMetrics().averageCharWidth()
    for letters, hidden in ((20, True), (40, False)):
        lists.resize(letters * letter, lists.height())
        assert [lists.runs.isColumnHidden(column) for column in range(3)] == [False, hidden, False]
    assert place is not None
    # Nor has a score of nothing a place there, and items and answers share the width.
    seen, header = [], mode.items.list.horizontalHeader()
    for few, run in ((0, ""), (10_000, ""), (10_000, "mine")):
        monkeypatch.setattr(boxes, "_NARROW", few)
        monkeypatch.setattr(StudyLists, "chosen_run", run)
        mode.enter()
        mode.items.put(STUDY, run, [])
        seen.append((place.isVisible(), header.sectionResizeMode(2) == header.ResizeMode.Stretch))
    assert seen == [(True, False), (False, True), (True, True)]


def test_an_answer_of_several_parts_is_shown_line_by_line(qtbot: QtBot) -> None:
    page = ItemsPage()
    qtbot.addWidget(page)
    item = Item("A", "organ", {"finding": "ascites", "question": "Which?"})
    value = {"ranking": ["Marfan syndrome", "Wilson disease"], "named": False, "rank": None, "why": "w" * 80}
    answer = Answered("uuid", Row(item, value), "1. Marfan syndrome")
    page.put(replace(STUDY, form=None), "model", [Entry(KeptItem("uuid", item), answer)])
    shown = page.text.toPlainText()
    assert page.list.texts[0][2].endswith("w…")
    ranked = "Ranking:\n– Marfan syndrome\n– Wilson disease\nNamed: no\nRank: –\nWhy: " + "w" * 80
    reply = "Reply as it came\n1. Marfan syndrome"
    assert shown == f"Item\nA\nFinding\nascites\nQuestion\nWhich?\nAnswer of model\n{ranked}\n{reply}"


def test_an_item_is_shown_with_what_was_answered_and_said_of_it_as_far_as_it_may_be_seen(
    qtbot: QtBot,
) -> None:
    page = ItemsPage()
    qtbot.addWidget(page)
    columns = page.list.isColumnHidden
    page.put(STUDY, "", [])
    assert (page.text.toPlainText(), page.about.text()) == (
        "There is no item here yet.",
        "The items, without answers.",
    )
    items = [
        Item(name, "organ", {"finding": name}, {"key": "A"}, {"organ": "liver"}) for name in ("one", "two")
    ]
    said = Row(items[0], "A", again={"order": 2}, ratings={"Ana": {"true": True, "clear": None}})
    entries = [Entry(KeptItem("1", items[0]), Answered("uuid", said, "A")), Entry(KeptItem("2", items[1]))]
    page.put(STUDY, "model", entries)
    item = (
        "Item\none\nFinding\none\nOptions\n●  A  liver\n○  B  kidney\n"
        "Answer of model (order 2)\nA\nRated by Ana\ntrue: yes\nclear: not rated"
    )
    assert (page.text.toPlainText(), page.about.text()) == (item, "What model answered.")
    assert [columns(column) for column in (1, 2, 3)] == [True, False, True]
    assert page.all_button.isHidden()
    page.reference.click()
    assert page.text.toPlainText() == f"{item}\nReference\nkey: A\nLabels\norgan: liver"
    several = Answered("uuid", Row(items[0], ["A", "B"]), "")
    page.put(STUDY, "model", [replace(entries[0], answer=several), entries[1]])
    assert "Options\n●  A  liver\n●  B  kidney\n" in page.text.toPlainText()
    page.put(STUDY, "model", entries)
    page.list.selectRow(1)
    assert "○  A  liver\n○  B  kidney\nAnswer of model\nNone yet.\nReference" in page.text.toPlainText()
    # Of the same run one stays where one was, of another one begins above.
    page.put(STUDY, "model", [*entries, Entry(KeptItem("3", items[0]))])
    assert page.list.row == 1
    page.put(STUDY, "", [replace(one, answer=None) for one in entries])
    assert (page.list.row, columns(2), page.about.text()) == (0, True, "The items, without answers.")
    assert "Answer" not in page.text.toPlainText()
    # Behind a number references are shown once; what one hides then stays hidden.
    page.reference.setChecked(False)
    for number, shown in (("Accuracy of model", True), ("Accuracy of model", False), ("Another", True)):
        page.put(replace(STUDY, tasks=("organ", "place")), "model", entries, number)
        assert (page.reference.isChecked(), page.about.text()) == (shown, number)
        page.reference.setChecked(False)
    assert [columns(column) for column in (1, 2, 3)] == [False] * 3
    assert not page.all_button.isHidden()
    page.put(STUDY, "model", entries, "Accuracy of model", sits=True)
    assert (page.reference.isChecked(), page.reference.isEnabled(), page.about.text()) == (
        False,
        False,
        HIDDEN,
    )
    page.put(STUDY, "model", entries[:1])
    assert (page.reference.isEnabled(), page.entry) == (True, entries[0])


def test_ranked_candidates_stand_beside_an_item_and_what_is_right_where_it_may_be_seen(qtbot: QtBot) -> None:
    page = ItemsPage()
    qtbot.addWidget(page)
    item = Item(
        "7", "coding", {"report": "My toe hurts"}, {"codes": ["FA25", "1F4Z"], "names": ["gout", "ague"]}
    )
    value = {"predicted": ["gout", "swamp chill"], "outside": ["swamp chill"], "scores": []}
    answer = Answered("uuid", Row(item, value), "Gout; swamp chill")
    built = {"release": "2024-01", "classes": []}
    page.put(ICD11, "model", [Entry(KeptItem("uuid", item), answer)], "", built)
    table = page.beside.table
    assert table is not None
    assert table.texts == [("1", "gout", ""), ("2", "swamp chill", "on no list")]
    assert "World Health Organization" in page.text.toPlainText()
    assert page.list.texts[0][2] == "gout; swamp chill"
    page.reference.setChecked(True)
    table = page.beside.table
    assert table is not None
    assert table.texts == [
        ("1", "gout", "FA25", "✓"),
        ("2", "swamp chill", "on no list", ""),
        ("–", "ague", "1F4Z", "✓ not named"),
    ]
    assert "Gout; swamp chill" in page.text.toPlainText()
    # Seven columns beside the words would leave the diseases no room.
    cost = {"name": "gout", "score": 1.0, "conditional": 1.0, "prior": 2.0, "tokens": 2, "exact": True}
    ranked = Answered("uuid", Row(item, {"predicted": ["gout"], "outside": [], "scores": [cost]}), "")
    page.resize(110 * page.fontMetrics().averageCharWidth(), 600)
    page.put(ICD11, "model", [Entry(KeptItem("uuid", item), ranked)], "", built)
    splitter = page.beside.parentWidget()
    assert isinstance(splitter, QSplitter)
    assert splitter.orientation() == Qt.Orientation.Vertical
    # Whoever sits down to answer is shown what is right no longer.
    funnel = [{"step": "mapped", "kept": 1138, "lost": {"not mapped": 73}}]
    page.put(ICD11, "", [Entry(KeptItem("uuid", item))], "", {**built, "funnel": funnel}, sits=True)
    assert not page.reference.isEnabled()
    table = page.beside.table
    assert table is not None
    assert table.texts == [("mapped", "73 not mapped", "1,138")]
    for title in ("One", "Other"):
        page.beside.put(Beside(title, ("A",), [("a",)]))
        assert page.beside.title.text() == title


def test_a_run_is_asked_for_as_the_dialog_says(
    session: ProjectSession, window: MainWindow, toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = replace(STUDY, tasks=("organ", "place"), called=lambda label, value: f"{label} {value}")
    dialog = RunDialog(session, study, lambda _: None, window)
    boxes = dialog.form.box("tasks", QWidget).findChildren(QCheckBox)
    assert [box.text() for box in boxes] == ["task organ", "task place"]
    dialog.form.put(tasks=("place",), count=5, minutes=7, seed=3, name="mine", resume=True, new_run=True)
    dialog.asking.put(temperature=0.5, reply_tokens=64, parallel=2, think=True)
    found = dialog.options()
    assert (found.tasks, found.count, found.minutes, found.name) == (("place",), 5, 7, "mine")
    model = found.model
    assert (model.seed, model.resume, model.new_run) == (3, True, True)
    assert (model.temperature, model.reply_tokens, model.parallel, model.think) == (0.5, 64, 2, True)
    # A way of asking and a model are those of who is asked.
    monkeypatch.setattr(type(dialog.server), "chosen", SimpleNamespace(name="small", remote=""))
    asked_for = []
    for by in ("liver", "/model", "/replies"):
        dialog.form.put(by=by)
        found = dialog.options()
        asked_for.append((found.arm, found.model.model))
    assert asked_for == [("", ""), ("plain", "small"), ("plain", "")]


def test_own_options_are_called_as_people_call_them_and_seldom_ones_are_folded_away(qtbot: QtBot) -> None:
    own = OwnOptions(
        (
            Option(
                "idk",
                "why (default: no)",
                ("run",),
                choices=("yes", "no"),
                label="“I do not know”",
                words=("on", "off"),
            ),
            Option("seeds", "how many", ("run",), kind=int, default=2, seldom=True),
        )
    )
    assert own.form is not None
    qtbot.addWidget(own.form)
    own.form.show()
    box = own.form.box("idk", QComboBox)
    assert (box.accessibleName(), [box.itemText(row) for row in (1, 2)]) == ("“I do not know”", ["on", "off"])
    assert "Why (default: off)." in [label.text() for label in own.form.findChildren(QLabel)]
    assert not own.form.box("seeds", QSpinBox).isVisible()
    own.form.fold.click()
    assert own.form.box("seeds", QSpinBox).isVisible()
    own.form.put(idk="no")
    assert own.settings() == {"idk": "no", "seeds": 2}


def test_own_options_are_drawn_and_read_by_their_kind(qtbot: QtBot) -> None:
    own = OwnOptions(
        (
            Option("walks", "how many", ("build",), kind=int, default=10),
            Option("top", "how many at most", ("build",), kind=int),
            Option("share", "a share", ("build",), kind=float),
            Option("pool", "examples", ("build",), kind=Path),
            Option("level", "which", ("build",), choices=("pte", "gee"), default="gee"),
            Option("disease", "which", ("build",), several=True),
            Option("text-only", "no terms", ("build",), flag=True),
            Option("name", "a name", ("build",), required=True),
            Option("parts", "which", ("build",), several=True, required=True),
            Option("note", "a note", ("build",), default=""),
            Option("other", "a name", ("build",)),
        )
    )
    assert own.form is not None
    qtbot.addWidget(own.form)
    assert own.problem() == "Fill in “Name”."
    own.form.put(name="x", share="a half")
    with pytest.raises(CallError):
        own.settings()
    own.form.put(share="0.5", pool="p.jsonl", disease="one\ntwo\n", top=3, text_only=True)
    assert own.problem() == "Fill in “Parts”."
    own.form.put(parts="1")
    assert own.problem() == ""
    assert own.settings() == {
        "walks": 10,
        "top": 3,
        "share": 0.5,
        "pool": Path("p.jsonl"),
        "level": "gee",
        "disease": ("one", "two"),
        "text_only": True,
        "name": "x",
        "parts": ("1",),
        "note": "",
        "other": None,
    }


def test_answers_are_rated_by_keyboard_alone_and_blind(
    enter: Enter, window: MainWindow, toy: None, qtbot: QtBot
) -> None:
    mode = enter()
    built(mode, window, qtbot)
    ran(mode, window, qtbot)
    press("g")
    page = mode.rating
    # Whoever comes next is asked by name, though what there is to rate is the same.
    for name in (ME, "Ben Okafor", ME):
        if mode._session.annotator != name:
            mode._session.set_annotator(name)
        qtbot.waitUntil(partial(starts, page.progress, f"{name} rates: 3 answers"))
        assert mode.verifying._person == name
    page.take_focus()
    for left in (3, 2, 1):
        qtbot.waitUntil(partial(starts, page.progress, f"{ME} rates: {left} answer"))
        qtbot.waitUntil(page.criteria.hasFocus)
        assert "liver/toy" not in page.progress.text() + page.text.toPlainText()
        # Y is no command of the mode here, and 2 goes to the criterion that came into view.
        press("n" if left == 2 else "y")
        press("2")
        press(RETURN)
    qtbot.waitUntil(lambda: page.progress.text().startswith("Nothing is left"))

    def rated(project: Project) -> list[Any]:
        run = study_runs(project, STUDY, ["liver/toy"])[0]
        return [one.row.ratings[ME] for one in answered(project, STUDY, run)]

    given = recorded(mode, qtbot, rated)
    assert sorted(given, key=str) == [{"clear": 2, "true": False}, *[{"clear": 2, "true": True}] * 2]
