"""A case read blinded in the window: by keyboard, part by part, what one thought kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.blinded import BlindedDialog
from app.gui.session.project_session import ProjectSession
from app.operations.annotate.anchors import list_anchors, set_anchor
from app.operations.annotate.views import read_blinded
from app.operations.exchange.importing import import_reports
from app.store.annotate.anchors import guesses
from app.store.project import Project
from app.store.reports.documents import document
from extractors.evidence.orphanet import import_orphanet
from extractors.model.progress import finished
from extractors.terminology.library import FOLDER
from tests.gui.dialogs.conftest import Window
from tests.pictures import picture
from tests.verbs import press, settle

REPORT = "late-onset-pompe"


def nomenclature(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(folder / "data"))
    table = folder / "own.csv"
    names = "ORPHA:365,Pompe disease,Glycogen storage disease type 2|GSD2\nORPHA:355,Gaucher disease,\n"
    table.write_text(names, "utf-8")
    import_orphanet([table])


def test_a_case_is_read_part_by_part_and_what_slipped_through_is_hidden_by_a_key(
    qtbot: QtBot, window: Window, session: ProjectSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nomenclature(tmp_path, monkeypatch)
    session.set_annotator("Ben")
    dialog = BlindedDialog(session, REPORT, window)
    dialog.open()
    qtbot.waitUntil(dialog.code.hasFocus)
    bar = dialog.reader.verticalScrollBar()
    assert not bar.isEnabled()
    QTest.keyClicks(dialog.code, "pompe")
    lost: list[str] = []
    session.worker.change_refused.connect(lost.append)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "has no disorder pompe; give its name as Orphanet has it" in dialog.notice.text())
    assert not lost, "no change was to be kept"
    # What begins so or holds the words is offered; an arrow chooses.
    QTest.keyClicks(dialog.code, " dis")
    qtbot.waitUntil(lambda: dialog.codes == {"Pompe disease": "ORPHA:365"})
    offered = dialog.names.popup()
    assert offered is not None
    qtbot.waitUntil(offered.isVisible)
    QTest.keyClick(offered, Qt.Key.Key_Down)
    assert dialog.code.text() == "Pompe disease"
    QTest.keyClick(offered, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.told.text().startswith("Part 1 of "))
    assert dialog.notice.text() == ""
    first = dialog.reader.text()
    assert "pompe" not in first.lower()
    assert not dialog.given.isVisible()
    assert dialog.size() == window.size()
    assert not dialog.written()
    QTest.keyClicks(dialog.guess, "a myopathy")
    assert dialog.written(), "who closes it is asked"
    press(Qt.Key.Key_Return)
    settle(session.worker, qtbot)
    assert not dialog.written()
    assert dialog.reader.text().startswith(first)
    assert len(dialog.reader.text()) > len(first)
    kept: list[object] = []

    def look(project: Project) -> list[tuple[str, int, str]]:
        there = guesses(project, document(project, REPORT).uuid)
        return [(one.reader, one.part, one.guess) for one in there]

    session.worker.ask(look, kept.append)
    settle(session.worker, qtbot)
    assert kept == [[("Ben", 1, "a myopathy")]]

    at = first.index(" ", 40) + 1
    word = first[at:].split()[0].strip(".,")
    dialog.reader.setFocus()
    dialog.reader.select(at - 1, at + len(word))
    press("m")
    qtbot.waitUntil(lambda: dialog.notice.text().startswith(f"“{word}” is hidden"))
    settle(session.worker, qtbot, rounds=2)
    assert "[DIAGNOSIS_MASKED]" in dialog.reader.text()
    # One stays at the part that one had come to.
    assert "Part 2 of " in dialog.told.text()
    session.worker.ask(lambda project: list_anchors(project, [REPORT])[0], kept.append)
    settle(session.worker, qtbot)
    assert word in str(kept[-1])
    assert getattr(kept[-1], "by", "") == "Ben"

    # T4 ends where a person says: before the sentence at the caret of another question's view.
    place = dialog.reader.text().index(". ", 300) + 5
    sentence = dialog.reader.text()[place - 3 :].split(". ")[0]
    dialog.reader.setFocus()
    dialog.reader.select(place, place)
    press("e")
    qtbot.waitUntil(lambda: "ends before this sentence" in dialog.notice.text())

    def cut(project: Project) -> str:
        teaching = read_blinded(project, REPORT, "T4")
        text = document(project, REPORT).document.text
        return f"{text[teaching.view.cut :][:9]} {teaching.view.text[-20:]}"

    session.worker.ask(cut, kept.append)
    settle(session.worker, qtbot, rounds=2)
    assert str(kept[-1]).startswith(sentence[:9])
    assert str(kept[-1]).endswith(dialog.reader.text()[: place - 3].rstrip()[-20:])
    # What is typed while an answer is on its way is not kept with it.
    dialog.guess.setFocus()
    QTest.keyClicks(dialog.guess, "a storage disease")
    press(Qt.Key.Key_Return)
    QTest.keyClicks(dialog.guess, "or not")
    settle(session.worker, qtbot)
    assert dialog.written()
    while dialog.next.isEnabled():
        dialog.next.click()
    assert dialog.given.isVisible()
    assert (bar.maximum() > 0, bar.isEnabled()) == (True, True)
    assert "Pompe disease (ORPHA:365)" in dialog.given.text()
    assert "Before part 2 you said: a myopathy" in dialog.given.text()
    # What is typed goes before what was said so far.
    dialog.code.setText("ORPHA:355")
    dialog.confirm.click()
    settle(session.worker, qtbot, rounds=2)
    assert "Gaucher disease (ORPHA:355)" in dialog.given.text()


def test_pictures_come_with_the_part_that_speaks_of_them_and_are_reached_and_ticked_by_key(
    qtbot: QtBot, window: Window, session: ProjectSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nomenclature(tmp_path, monkeypatch)
    told = "<p>" + "She was weak and slept badly for many months on end. " * 8 + "</p>"
    figure = '<fig id="f1"><label>Fig. 1</label><graphic xlink:href="pompe"/></fig>'
    (tmp_path / "PMC88.xml").write_text(
        '<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><title-group>'
        f"<article-title>A girl</article-title></title-group></article-meta></front><body><sec><title>Case"
        f"</title>{told}<p>A biopsy (Fig. 1) was done.</p>{told}{figure}</sec></body></article>",
        "utf-8",
    )
    (tmp_path / "pompe.jpg").write_bytes(picture(90))

    def bring(project: Project) -> None:
        finished(import_reports(project, [tmp_path / "PMC88.xml"]))
        set_anchor(project, "PMC88", "365")

    session.worker.act(bring, lambda _: None)
    dialog = BlindedDialog(session, "PMC88", window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.told.text().startswith("Part 1 of 3"))
    assert not dialog.pictures.named
    press(Qt.Key.Key_Return)
    assert [one[0] for one in dialog.pictures.named] == ["Figure 1"]
    assert dialog.guess.hasFocus()
    press(Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.pictures.buttons[0].hasFocus()
    press(Qt.Key.Key_Space)
    large = dialog.pictures.large
    assert large is not None
    assert (large.windowTitle(), large.about.text()) == ("Figure 1", "Figure 1 (1 of 1)")
    qtbot.waitUntil(lambda: large.canvas.accessibleName() == "Figure 1")
    press(Qt.Key.Key_Escape)
    assert not large.isVisible()
    dialog.answer.click()
    dialog.tick.click()
    qtbot.waitUntil(lambda: "1 picture: somebody looked" in dialog.given.text())
    assert not dialog.tick.isVisible()
    dialog.track.setCurrentIndex(1)
    qtbot.waitUntil(lambda: not dialog.pictures.named)


def test_in_a_case_that_cannot_be_read_the_key_of_its_end_does_nothing(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = BlindedDialog(session, "PMC0", window)
    dialog.open()
    qtbot.waitUntil(lambda: "PMC0" in dialog.notice.text())
    dialog.reader.setFocus()
    qtbot.waitUntil(dialog.reader.hasFocus)
    said = dialog.notice.text()
    press(Qt.Key.Key_E)
    settle(session.worker, qtbot)
    assert (dialog.notice.text(), dialog.next.isEnabled()) == (said, False)
