"""A sample of items is accepted, edited and rejected by keyboard, and each can be taken back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.cli import main
from app.gui.modes.study.mode import StudyMode
from app.gui.modes.study.verifying import EDIT, REJECT, VerifyPage
from app.gui.shell.main_window import MainWindow
from app.operations.study.building import Sampled
from app.studies.mmrarebench.study import STUDY
from app.studies.results import Item
from tests.gui.conftest import open_in
from tests.mmrarebench import write_items
from tests.verbs import press, settle

CTRL, RETURN = Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Return


def test_a_sample_is_accepted_edited_and_rejected_by_keyboard(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    source = str(write_items(tmp_path / "given"))
    assert main(["study", "build", str(project), "mmrarebench", "--from", source]) == 0
    bench = open_in(window, project, qtbot)
    worker = bench.session.worker
    press("5", CTRL)
    settle(worker, qtbot, 2)
    mode = bench.frame.mode
    assert isinstance(mode, StudyMode)
    page = mode.verifying

    def verdicts() -> list[str]:
        return [row[2] for row in page.list.texts]

    qtbot.waitUntil(lambda: verdicts() == ["–"] * 6)
    press("v")
    assert page.list.hasFocus()
    # Its keys stand above it: with large letters what is below has no room.
    assert page.progress.y() < page.hint.y() < page.list.y()
    assert "burning pain" in page.text.toPlainText()
    assert "The skin was typical." in page.evidence.toPlainText()
    press("y")
    qtbot.waitUntil(lambda: page.list.row == 1)
    lost: list[str] = []
    worker.change_refused.connect(lost.append)
    press("n")
    press(RETURN)
    qtbot.waitUntil(lambda: "rejected for a reason" in page.problem.text())
    assert not lost, "the verdict still stands there"
    QTest.keyClicks(page.reason, "too easy")
    press(RETURN)
    qtbot.waitUntil(lambda: page.list.row == 2)
    qtbot.waitUntil(lambda: verdicts()[:2] == ["accept", "reject"])
    # Behind the last one it goes on above.
    page.list.selectRow(5)
    press("y")
    qtbot.waitUntil(lambda: page.list.row == 2)
    page.list.selectRow(0)
    press("e")
    assert QApplication.focusWidget() is page.question
    page.question.setPlainText("Is it Anderson-Fabry disease?")
    press(RETURN, CTRL)
    qtbot.waitUntil(lambda: "does not pass the audit: leaks" in page.problem.text())
    page.question.setPlainText("What is it?")
    press(RETURN, CTRL)
    qtbot.waitUntil(lambda: verdicts() == ["edit", "reject", *["–"] * 3, "accept"])
    assert "passes the audit" in page.problem.text()
    item = mode.items.list.texts[0]
    assert page.list.texts[0][:2] == (f"{item[0]}-2", item[1])
    bench.session.undoing.undo()
    qtbot.waitUntil(lambda: verdicts() == ["accept", "reject", *["–"] * 3, "accept"])
    # The key is about the study that is chosen, also while that is read.
    told: list[str] = []
    bench.session.message.connect(told.append)
    own = mode.lists.studies.row
    mode.lists.studies.selectRow(next(at for at, one in enumerate(mode.studies) if one.id == "rarebench"))
    press("v")
    assert told == ["RareBench draws no sample of its items that people verify."]
    mode.lists.studies.selectRow(own)
    press("v")
    assert mode.tabs.currentWidget() is page
    assert page.progress.text().startswith("Reading MMRareBench")
    qtbot.waitUntil(lambda: len(verdicts()) == 6)
    qtbot.waitUntil(page.list.hasFocus)


CLAIMS = [{"claim": "It is gout.", "block": "2", "quote": "a tophus"}]


def test_a_sample_is_told_of_by_its_verdicts_and_an_item_without_what_stands_beside_it(qtbot: QtBot) -> None:
    page = VerifyPage()
    qtbot.addWidget(page)
    parts = [page.parts, page.reason, *page.buttons.values()]
    page.put(STUDY, ())
    none = "This study has no sample of items to be looked at; a build of one draws it."
    assert (page.progress.text(), [part.isEnabled() for part in parts]) == (none, [False] * 5)
    given = {"question": "Who?", "case": "A toe hurts."}
    items = [
        Item(name, "T1", given, {"answer": name, "evidence": CLAIMS}) for name in ("one", "two", "three")
    ]
    sample = [Sampled(items[0]), Sampled(items[1], "reject", "too easy"), Sampled(items[2])]
    page.put(STUDY, sample)
    assert page.progress.text() == "3 items to look at: 1 reject, 2 still open."
    assert page.list.texts == [
        ("one", "T1: diagnosis", "–", ""),
        ("two", "T1: diagnosis", "reject", "too easy"),
        ("three", "T1: diagnosis", "–", ""),
    ]
    assert (page.text.toPlainText(), [part.isEnabled() for part in parts]) == (
        "Case\nA toe hurts.",
        [True] * 5,
    )
    assert (page.question.toPlainText(), page.answer.toPlainText()) == ("Who?", "one")
    assert page.evidence.toPlainText() == "Evidence\nIt is gout. [2: “a tophus”]"
    # What is being written stays while the sample is read again.
    page.question.setPlainText("Which?")
    page.refuse("It leaks.")
    page.put(STUDY, [*sample[:2], Sampled(items[2], "accept")])
    assert page.progress.text() == "3 items to look at: 1 accept, 1 reject, 1 still open."
    assert (page.question.toPlainText(), page.problem.text()) == ("Which?", "It leaks.")
    said: list[tuple[str, object]] = []
    page.answered.connect(lambda item, answers: said.append((item.id, answers)))
    for key, modifier in ((Qt.Key.Key_Y, CTRL), (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier)):
        QTest.keyClick(page.list, key, modifier)
    QTest.keyClick(page.question, RETURN)
    assert said == []
    page.question.setPlainText("Which?")
    QTest.keyClick(page.answer, RETURN, CTRL)
    assert said == [("one", {"verdict": "edit", "reason": "", "question": "Which?", "answer": "one"})]
    page.put(STUDY, sample, "Hidden as yet.")
    assert page.progress.text() == "Hidden as yet."
    page.put(replace(STUDY), sample[1:])
    assert (page.list.row, page.progress.text()) == (0, "2 items to look at: 1 reject, 1 still open.")


def test_what_is_written_of_an_item_stays_with_it_until_a_verdict_keeps_it(qtbot: QtBot) -> None:
    page = VerifyPage()
    qtbot.addWidget(page)
    items = [Item(name, "T1", {"question": f"Who is {name}?"}) for name in ("one", "two")]
    page.put(STUDY, [Sampled(item) for item in items])
    assert not page.unsaved
    for field, verdict in ((page.question, EDIT), (page.reason, REJECT)):
        page.list.selectRow(0)
        QTest.keyClicks(field, "Sir, ")
        page.list.selectRow(1)
        assert ("Sir" in page.question.toPlainText() + page.reason.text(), page.unsaved) == (False, True)
        page.list.selectRow(0)
        assert "Sir, " in page.question.toPlainText() + page.reason.text()
        QTest.keyClick(field, RETURN, CTRL if verdict == EDIT else Qt.KeyboardModifier.NoModifier)
        page.taken(items[0], verdict)
        assert (page.list.row, page.unsaved) == (1, False)
    # A verdict that comes later, while another study is shown.
    page.list.selectRow(0)
    QTest.keyClicks(page.question, "Sir, ")
    QTest.keyClick(page.question, RETURN, CTRL)
    page.put(replace(STUDY, id="other"), [Sampled(items[1])])
    assert page.unsaved
    page.taken(items[0], EDIT)
    assert not page.unsaved
    # What somebody wrote is not what another says.
    QTest.keyClicks(page.question, "Sir, ")
    shown = []
    for person in ("Ben", ""):
        page.ask(person)
        shown.append(("Sir" in page.question.toPlainText(), page.unsaved))
    assert shown == [(False, True), (True, True)]


def test_fast_verdicts_are_each_of_the_item_that_is_shown(qtbot: QtBot) -> None:
    page = VerifyPage()
    qtbot.addWidget(page)
    items = [Item(name, "T1", {"question": f"Who is {name}?"}) for name in ("one", "two", "three")]
    page.put(STUDY, [Sampled(item) for item in items])
    assert page.list.texts[0][1] == "T1: diagnosis"
    given: list[str] = []
    page.answered.connect(lambda item, _answers: given.append(item.id))
    QTest.keyClicks(page.list, "yy")
    assert given == ["one"]
    # The next is shown before the project has been read again, which does not bring back what was judged.
    page.taken(items[0], "accept")
    page.list.selectRow(2)
    QTest.keyClicks(page.list, "y")
    page.taken(items[2], "accept")
    assert (given, page.list.row) == (["one", "three"], 1)
    # What was gone away from by hand does not pull one back.
    QTest.keyClicks(page.list, "y")
    page.list.selectRow(0)
    page.taken(items[1], "accept")
    assert page.list.row == 0
    page.list.selectRow(2)
    QTest.keyClicks(page.list, "y")
    page.refuse("The file is read-only.")
    QTest.keyClicks(page.list, "y")
    assert given == ["one", "three", "two", "three", "three"]
    # Taken back, an item waits again.
    page.put(STUDY, [Sampled(item, "accept") for item in items])
    page.put(STUDY, [Sampled(items[0]), *(Sampled(item, "accept") for item in items[1:])])
    page.taken(items[2], "accept")
    assert page.list.row == 0
    # What was judged is not gone back to though of the others alone it is known what was said.
    page.put(STUDY, [Sampled(item) for item in items])
    page.taken(items[0], "accept")
    assert page.list.row == 1
    page.put(STUDY, [*(Sampled(item) for item in items[:2]), Sampled(items[2], "accept")])
    page.taken(items[1], "accept")
    assert page.list.row == 1
    # What is behind it comes first, though one above is open, too.
    for verdict in ("accept", ""):
        page.put(STUDY, [Sampled(item, verdict) for item in items])
    page.list.selectRow(1)
    page.taken(items[1], "accept")
    assert page.list.row == 2
