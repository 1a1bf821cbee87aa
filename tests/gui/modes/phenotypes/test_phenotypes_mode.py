"""The mode Phenotypes by keyboard: from nothing found to a ranking, and back by undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolTip
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.concepts import ConceptPopup
from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.modes.agreement.concepts import ConceptsDialog
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.phenotypes.mode import PhenotypesMode
from app.gui.reader.spans import ShownSpan
from app.gui.shell.main_window import MainWindow
from app.operations.exchange.importing import import_reports
from app.operations.profile.profile import find_phenotypes
from app.operations.project.files import create_project
from extractors.evidence.orphanet import import_orphanet
from extractors.terminology.library import FOLDER
from tests.builders import Kept
from tests.gui.conftest import ME, open_in
from tests.verbs import press, settle

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TEXT = (
    "He had arachnodactyly, ectopia lentis, scoliosis and an aortic root aneurysm. He denied seizures. "
    "His mother had cataracts."
)
Enter = Callable[[Path], PhenotypesMode]


def one_report(path: Path) -> None:
    """A report with four findings, one that is denied and one of a relative."""
    create_project(path, ME)
    file = path.with_name("marfan.txt")
    file.write_text(f"Case report\n\n{TEXT}\n", encoding="utf-8")
    for _ in import_reports(path, [file]):
        pass


def found_by_rules(path: Path) -> None:
    """The same, after the rules."""
    one_report(path)
    for _ in find_phenotypes(path):
        pass


@pytest.fixture
def enter(window: MainWindow, qtbot: QtBot) -> Enter:
    """Opens a project and goes to the mode by its key."""

    def go(path: Path) -> PhenotypesMode:
        bench = open_in(window, path, qtbot)
        press("6", CTRL)
        settle(bench.session.worker, qtbot, 2)
        mode = bench.frame.mode
        assert isinstance(mode, PhenotypesMode)
        return mode

    return go


@pytest.fixture
def mode(enter: Enter, kept: Kept, tmp_path: Path) -> PhenotypesMode:
    """The mode with what the rules suggest."""
    return enter(kept.copy(found_by_rules, tmp_path / "p.casespan"))


def shown(mode: PhenotypesMode) -> dict[str, ShownSpan]:
    reader = mode.reader
    return {reader.text()[span.start : span.end]: span for span in reader.spans()}


def done(mode: PhenotypesMode, qtbot: QtBot) -> None:
    settle(mode.session.worker, qtbot, 2)


def names(mode: PhenotypesMode) -> list[str]:
    return [row.name for row in mode.pane.diseases.diseases.rows]


def field_keys(words: str, qtbot: QtBot) -> None:
    """F4, words that are typed into the field that opens, and Return."""
    press(Qt.Key.Key_F4)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, ConceptPopup)
    qtbot.waitUntil(lambda: bool(popup.list.texts))
    popup.field.selectAll()
    QTest.keyClicks(popup.field, words)
    qtbot.waitUntil(lambda: popup.list.texts[:1] != [] and popup.list.texts[0][0] == words)
    QTest.keyClick(popup.field, Qt.Key.Key_Return)


def grouped(mode: PhenotypesMode) -> dict[str, list[str]]:
    model = mode.pane.tree.model()
    heads = [model.index(row, 0) for row in range(model.rowCount())]
    return {
        head.data(): [model.index(row, 0, head).data() for row in range(model.rowCount(head))]
        for head in heads
    }


def test_where_nothing_was_found_the_rules_are_offered_and_what_they_find_counts_for_nothing(
    enter: Enter, kept: Kept, tmp_path: Path, qtbot: QtBot
) -> None:
    mode = enter(kept.copy(one_report, tmp_path / "p.casespan"))
    assert mode.pane.pages.currentIndex() == 1
    assert mode.pane.find_button.hasFocus()
    press("l")
    worker = mode.session.worker
    qtbot.waitUntil(lambda: worker.job is not None and not worker.job.running)
    qtbot.waitUntil(lambda: len(mode.work.items) == 6)
    assert mode.pane.pages.currentIndex() == 0
    spans = shown(mode)
    assert not any(span.mine for span in spans.values())
    assert (spans["seizures"].polarity, spans["scoliosis"].polarity) == ("negated", "present")
    assert spans["cataracts"].dimmed
    assert names(mode) == []
    assert "accept what is present first" in mode.pane.nothing.text()
    told: list[str] = []
    mode.work.message.connect(told.append)
    mode._know()
    assert told == ["Choose the disease first that the report is about."]


def test_accepted_findings_are_ranked_at_once_and_undo_takes_them_back(
    mode: PhenotypesMode, qtbot: QtBot
) -> None:
    press("n")
    assert mode.work.item is not None
    assert mode.work.item.coding.label == "Arachnodactyly"
    press("a")
    assert mode.work.item is not None
    assert mode.work.item.coding.label == "Ectopia lentis"
    done(mode, qtbot)
    assert shown(mode)["arachnodactyly"].mine
    assert len(names(mode)) == 25
    press("a", SHIFT)
    done(mode, qtbot)
    assert (mode.work.item.coding.label, mode.work.item.standing) == ("Ectopia lentis", "own")
    assert any("arfan" in name for name in names(mode)[:5])
    assert mode.pane.knowledge.full_text() == "HPO 2025-01-16, annotations 2025-01-16"
    assert mode.pane.advice.text() == "A research tool, not advice. 10,634 diseases."
    assert "the evidence alone may order them otherwise" in mode.pane.order.full_text()
    assert "No PubMed id" in mode.pane.publication.full_text()
    assert not shown(mode)["cataracts"].mine
    press("d")
    press(Qt.Key.Key_Down)
    press("v")
    assert mode.pane.comparison.isVisible()
    press("z", CTRL)
    press("z", CTRL)
    done(mode, qtbot)
    assert names(mode) == []
    assert not shown(mode)["arachnodactyly"].mine
    press("z", CTRL | SHIFT)
    done(mode, qtbot)
    assert names(mode)
    press("d")
    assert not mode.pane.comparison.isVisible(), "what was compared went with its ranking"
    for key in "df":
        press(key)
        assert not mode.reader.hasFocus()
        press(Qt.Key.Key_Escape)
        assert mode.reader.hasFocus()


def test_a_term_is_rejected_and_denied_by_keys_and_stands_with_its_organ(
    mode: PhenotypesMode, qtbot: QtBot
) -> None:
    press("n")
    assert mode.strip.sentence.full_text().startswith("Arachnodactyly (HP:0001166), suggested")
    press("r")
    press("2")
    done(mode, qtbot)
    spans = shown(mode)
    assert spans["arachnodactyly"].settled
    assert (spans["ectopia lentis"].mine, spans["ectopia lentis"].polarity) == (True, "negated")
    groups = grouped(mode)
    assert [*groups][-2:] == ["Of relatives (never counts)", "Rejected"]
    assert groups["Eye"] == ["✓ no Ectopia lentis"]
    mode.reader.hovered.emit([item.uuid for item in mode.work.items], QPoint())
    tip = QToolTip.text()
    assert ("Arachnodactyly (HP:0001166), rejected" in tip, "(HP:0001083), in the profile" in tip) == (
        True,
        True,
    )
    QToolTip.hideText()
    press("3")
    done(mode, qtbot)
    heads = [mode.pane.tree.topLevelItem(row) for row in range(3)]
    told = [(head.text(0), head.text(1)) for head in heads if head is not None]
    assert told[1:] == [("Eye", "1"), ("Musculoskeletal system", "")]
    assert grouped(mode)["Musculoskeletal system"] == ["✓ perhaps Scoliosis"]


def test_terms_are_gone_to_by_keys_in_the_tree_and_in_the_text_and_ranked_as_is_set(
    mode: PhenotypesMode, qtbot: QtBot
) -> None:
    places = [item.uuid for item in mode.work.items]
    press("n")
    assert mode.work.current == places[0]
    press("p")
    assert mode.work.current == places[0]
    press("n")
    press("n")
    press("p")
    assert mode.work.current == places[1]
    press("f")
    tree = mode.pane.tree
    assert tree.hasFocus()
    tree.setCurrentItem(tree._rows[places[3]])
    assert mode.work.current == places[3]
    mode.reader.span_activated.emit(places[2])
    assert mode.work.current == places[2]
    assert [one.text(0) for one in tree.selectedItems()] == [tree._rows[places[2]].text(0)]
    # The cursor leads to the term that it comes to, and leaves it current when it goes on.
    end = next(one.annotation.finding.end for one in mode.work.items if one.uuid == places[1])
    mode.reader.go_to((end or 0) + 1)
    mode.reader.setFocus()
    for current in (places[1], places[1]):
        press(Qt.Key.Key_Left)
        assert mode.work.current == current
    pane = mode.pane
    before = (pane.prevalence.isChecked(), pane.own_publication.isChecked())
    for switch, name, means in (
        (pane.prevalence, "prevalence", not before[0]),
        (pane.own_publication, "leave_out", before[1]),
    ):
        switch.click()
        done(mode, qtbot)
        assert getattr(mode.work.options, name) == means
        assert (pane.prevalence.isChecked(), not pane.own_publication.isChecked()) == (
            mode.work.options.prevalence,
            mode.work.options.leave_out,
        )


def test_f4_gives_another_term_to_this_one_and_a_term_to_words_that_have_none(
    mode: PhenotypesMode, qtbot: QtBot
) -> None:
    press("n")
    field_keys("Tall stature", qtbot)
    done(mode, qtbot)
    own = [(item.coding.label, item.polarity) for item in mode.work.items if item.standing == "own"]
    assert own == [("Tall stature", "present")]
    start = TEXT.index("aortic root")
    text = mode.reader.text().index(TEXT)
    mode.reader.select(text + start, text + start + len("aortic root"))
    field_keys("Aortic root aneurysm", qtbot)
    done(mode, qtbot)
    assert {"Tall stature", "Aortic root aneurysm"} == {
        item.coding.label for item in mode.work.items if item.standing == "own"
    }
    assert names(mode)
    # The longer term stays current where the cursor goes on within it.
    whole = next(one for one in mode.work.items if one.annotation.finding.quote == "aortic root aneurysm")
    mode.work.set_current(whole.uuid)
    press(Qt.Key.Key_Right)
    assert len(mode.reader.spans_under_caret()) == 2
    assert mode.work.current == whole.uuid
    # In the field, Ctrl and Delete reject it.
    press(Qt.Key.Key_F4)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, ConceptPopup)
    QTest.keyClick(popup.field, Qt.Key.Key_Delete, CTRL)
    done(mode, qtbot)
    assert {one.uuid: one.standing for one in mode.work.items}[whole.uuid] == "rejected"


def test_a_chosen_disease_lights_what_speaks_for_it_and_is_set_beside_another(
    mode: PhenotypesMode, qtbot: QtBot
) -> None:
    view = mode.pane.diseases
    mode.reader.setFocus()
    with qtbot.waitSignal(mode.work.message):
        press("d")
    press("a", SHIFT)
    done(mode, qtbot)
    qtbot.waitUntil(view.isVisible)
    assert mode.reader.hasFocus(), "the list that comes takes no focus"
    press("d")
    row, high = view.diseases.rows[0], view.visualRect(view.currentIndex()).height()
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0 and view.viewport().height() % high == 0)
    lit = {words for words, span in shown(mode).items() if not span.dimmed}
    assert {"arachnodactyly", "ectopia lentis"} <= lit
    assert not {"seizures", "cataracts"} & lit
    assert mode.pane.detail.toPlainText().startswith(row.name)
    assert "Look for, against" in mode.pane.detail.toPlainText()
    press("v")
    comparison = mode.pane.comparison
    assert comparison.isVisible()
    assert comparison.left.full_text() == f"First: 1 {row.name}"
    assert len(comparison.table.texts) == 6
    assert comparison.table.texts[-1][0] == "All 5 findings"
    press(Qt.Key.Key_Down)
    assert comparison.right.full_text() == f"Second: 3 {names(mode)[2]}"
    press("v")
    assert not comparison.isVisible()
    press("t", CTRL)
    assert not any(span.dimmed for words, span in shown(mode).items() if words != "cataracts")
    port = mode.pane.diseases.viewport()
    QTest.mouseMove(port, mode.pane.diseases.visualRect(mode.pane.diseases.diseases.index(0)).center())
    qtbot.waitUntil(lambda: shown(mode)["seizures"].dimmed)
    assert mode.pane.diseases.lit_row == 0
    press("d")
    press(Qt.Key.Key_Down)
    assert mode.pane.diseases.lit_row == mode.pane.diseases.row > 0, "the mouse rests on the first"
    mode.work.read()
    done(mode, qtbot)
    assert mode.pane.diseases.row > 0
    press("t", CTRL)
    QTest.mouseMove(port, mode.pane.diseases.visualRect(mode.pane.diseases.diseases.index(1)).center())
    QTest.mouseMove(port, mode.pane.diseases.visualRect(mode.pane.diseases.diseases.index(0)).center())
    qtbot.waitUntil(lambda: mode.pane.diseases.lit_row == 0)
    QTest.mouseMove(mode.reader.viewport(), mode.reader.viewport().rect().center())
    QApplication.sendEvent(mode.pane.diseases, QEvent(QEvent.Type.Leave))
    assert not shown(mode)["seizures"].dimmed


def test_a_project_without_reports_and_a_menu_over_a_term_leave_all_as_it_is(
    enter: Enter, kept: Kept, tmp_path: Path, window: MainWindow, qtbot: QtBot
) -> None:
    mode = enter(kept.copy(found_by_rules, tmp_path / "p.casespan"))
    place = mode.reader.text().index("scoliosis") + 1
    mode.reader.context_requested.emit(place, QPoint(10, 10))
    assert mode.session.report_model.current is None
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()
    # Another report begins without the terms of the one before.
    assert mode.work.items
    with qtbot.waitSignal(mode.session.report_model.opened):
        mode.session.open_report(mode.session.report_model.key)
    assert (mode.work.items, mode.work.found) == ((), None)
    create_project(tmp_path / "empty.casespan", ME)
    window.open_project(tmp_path / "empty.casespan")
    qtbot.waitUntil(lambda: window.workbench is not None and window.workbench.session is not mode.session)
    press("6", CTRL)
    bench = window.workbench
    assert bench is not None
    settle(bench.session.worker, qtbot)
    assert isinstance(bench.frame.mode, PhenotypesMode)
    for key in "nardfv":
        press(key)
    assert bench.frame.mode.work.items == ()


def test_a_models_replies_become_suggestions_through_the_dialog(
    enter: Enter, kept: Kept, tmp_path: Path, qtbot: QtBot
) -> None:
    mode = enter(kept.copy(one_report, tmp_path / "p.casespan"))
    terms = [{"term": "Scoliosis", "quote": "scoliosis"}, {"term": "Moonlit hair", "quote": "aneurysm"}]
    file = tmp_path / "said.jsonl"
    file.write_text(
        json.dumps({"item": "marfan", "reply": json.dumps({"findings": terms})}), encoding="utf-8"
    )
    press("m")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AskingDialog)
    assert not dialog.ok_button.isEnabled()
    dialog.recording.put(file=str(file))
    dialog.form.put(by="replies", level="gee", prompting="retrieval")
    assert "no terms to choose from" in dialog.notice.text()
    # Whose findings they are is asked of those that are given terms alone.
    for level, entities in (("ges", "phenotypes/rules"), ("pte", "")):
        dialog.form.put(level=level, prompting="zero-shot", entities="phenotypes/rules")
        assert dialog.choice().options.entities == entities
    QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), SummaryDialog))
    summary = QApplication.activeModalWidget()
    assert isinstance(summary, SummaryDialog)
    assert "1 term in 1 report" in summary.headline.text()
    assert "Moonlit hair" in summary.sentences.text()
    summary.close()
    done(mode, qtbot)
    assert [item.coding.label for item in mode.work.items] == ["Scoliosis"]
    assert not any(span.mine for span in shown(mode).values())
    mode.work.next()
    mode.work.accept()
    done(mode, qtbot)
    run = next(one for one in mode.work.found.profile.suggestions).run if mode.work.found else ""
    concepts, export = ConceptsDialog(mode.session), ExportDialog(mode.session)
    qtbot.addWidget(concepts)
    qtbot.addWidget(export)
    done(mode, qtbot)
    assert {concepts.form.value.left, concepts.form.value.right} == {ME, run}
    assert "HPO" in concepts.table.toPlainText()
    assert concepts.about.text()
    concepts._refuse("They share no report.")
    assert (concepts.about.text(), concepts.copy_button.isEnabled()) == ("", False)
    export.form.put(annotator=run)
    assert export.form.value.annotator != run
    export.form.put(format="phenopacket")
    export.form.put(annotator=run)
    assert export.form.value.annotator == run


def test_the_chosen_disease_becomes_the_reports_diagnosis_and_its_rank_is_shown(
    mode: PhenotypesMode, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    table = tmp_path / "own.csv"
    table.write_text("ORPHA:558,Marfan syndrome,\n", "utf-8")
    import_orphanet([table])
    press("a", SHIFT)
    done(mode, qtbot)
    row = next(at for at, row in enumerate(mode.pane.diseases.diseases.rows) if row.name == "Marfan syndrome")
    press("d")
    mode.pane.diseases.setCurrentIndex(mode.pane.diseases.diseases.index(row))
    press("k")
    done(mode, qtbot)
    assert f"The report's diagnosis: Marfan syndrome, rank {row + 1}." in mode.pane.nothing.text()
    press("z", CTRL)
    done(mode, qtbot)
    assert "diagnosis" not in mode.pane.nothing.text()
    # Orphanet's own names were not all imported: that is said, and no change is lost.
    told, lost = list[str](), list[str]()
    mode.session.failed.connect(told.append)
    mode.session.worker.change_refused.connect(lost.append)
    rows = mode.pane.diseases.diseases.rows
    place, other = next(
        (at, one) for at, one in enumerate(rows) if at != row and one.code.startswith("ORPHA:")
    )
    mode.pane.diseases.setCurrentIndex(mode.pane.diseases.diseases.index(place))
    press("k")
    done(mode, qtbot)
    assert told[0].startswith(f"{other.name}: ")
    assert f"has no disorder {other.code}; import a release that has it" in told[0]
    assert not lost


def has_room(label: QLabel) -> bool:
    return label.height() >= label.heightForWidth(label.width()) > 0


@pytest.mark.parametrize(("percent", "height"), [(100, 900), (200, 720)])
def test_words_over_the_ranking_are_never_squeezed(
    enter: Enter, kept: Kept, tmp_path: Path, window: MainWindow, qtbot: QtBot, percent: int, height: int
) -> None:
    window.preferences.interface_size = percent
    window.resize(1280, height)
    mode = enter(kept.copy(found_by_rules, tmp_path / "p.casespan"))
    pane = mode.pane
    for label in (pane.advice, pane.nothing):
        qtbot.waitUntil(partial(has_room, label))
    for switch in (pane.prevalence, pane.own_publication):
        assert switch.height() >= switch.sizeHint().height()
    # The profile has what room the ranking leaves while there is none, and the words scroll only over one.
    area = pane.findChild(QScrollArea)
    assert area is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    assert pane.diseases.isHidden()
    # Words and lists begin and end in line.
    edges = [
        (pane.mapFromGlobal(one.mapToGlobal(QPoint(0, 0))).x(), one.width())
        for one in (pane.advice, pane.tree)
    ]
    assert edges[0] == edges[1]
    profile = pane.tree.height()
    press("a", SHIFT)
    done(mode, qtbot)
    qtbot.waitUntil(lambda: pane.diseases.height() > 2 * pane.fontMetrics().lineSpacing())
    assert pane.tree.height() < profile
    window.resize(1280, 480)
    qtbot.waitUntil(lambda: (area.verticalScrollBar().maximum() > 0) == (percent == 200))
    window.resize(1280, height)
    pane.diseases.setFocus()
    mode.session.undoing.undo()
    qtbot.waitUntil(pane.diseases.isHidden)
    assert pane.tree.hasFocus()
    assert pane.tree.height() >= profile
