"""Labels of other programs: grey in the text, counted, and made quotes where somebody says what they mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.others import OthersDialog
from app.gui.dialogs.exchange.imports import ImportDialog, ImportSummaryDialog
from app.gui.dialogs.exchange.labels import LabelsDialog
from app.gui.modes.annotate.quiet_lines import KeptLabelsLine
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.exchange.labels import kept_labels
from app.operations.project.files import create_project
from app.store.project import Project
from tests.gui.conftest import ME
from tests.verbs import settle

TEXT = "A man had no seizures for a year.\nHe was ill.\n"
LINES = "T1\tSign_symptom 13 21\tseizures\nT2\tAge 2 5;34 36\tman He\nT3\tNeuro 41 44\till\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "in" / "a.ann").write_text(LINES, encoding="utf-8")
    return tmp_path / "in"


@pytest.fixture
def opened(tmp_path: Path, window: MainWindow, qtbot: QtBot) -> Callable[[], Workbench]:
    def bench() -> Workbench:
        assert window.workbench is not None
        return window.workbench

    window.open_project(create_project(tmp_path / "p.casespan", ME))
    qtbot.waitUntil(lambda: window.workbench is not None)
    return bench


def imported(
    bench: Workbench, folder: Path, qtbot: QtBot, *, table: Path | None = None
) -> ImportSummaryDialog:
    """The summary of an import under one's own name."""
    dialog = ImportDialog(bench.session, bench, [folder])
    dialog.open()
    dialog.annotator.setText(ME)
    dialog.labels.setText(str(table or ""))
    dialog.import_button.click()
    qtbot.waitUntil(lambda: bool(bench.findChildren(ImportSummaryDialog)))
    qtbot.waitUntil(lambda: bench.session.report_model.key != "")
    return bench.findChildren(ImportSummaryDialog)[-1]


def test_a_label_of_another_program_is_grey_and_counted_until_it_stands_for_a_category(
    opened: Callable[[], Workbench], folder: Path, qtbot: QtBot
) -> None:
    bench = opened()
    summary = imported(bench, folder, qtbot)
    assert summary.lines_of("Other labels") == ["Sign_symptom: 1", "Age: 1"]
    reader, model = bench.reader, bench.session.report_model
    # Seen, named under the pointer, both parts of what is in two, and no span that a key could act on.
    assert [model.kept[one].label for place in (14, 3, 35) for one in reader.kept_at(place)] == [
        "Sign_symptom",
        "Age",
        "Age",
    ]
    assert (reader.kept_at(8), reader.spans_at(14)) == ([], [])
    reader.go_to(14)
    assert model.current is None
    place = reader.rect_of(14, 15).center()
    asked = QHelpEvent(QEvent.Type.ToolTip, place, reader.viewport().mapToGlobal(place))
    QApplication.sendEvent(reader.viewport(), asked)
    qtbot.waitUntil(lambda: "Sign_symptom, a label that the scheme lacks" in QToolTip.text())
    button = bench.findChildren(KeptLabelsLine)[0].button
    qtbot.waitUntil(lambda: button.text() == "2 annotations under 2 other labels…")
    assert button.isVisible()
    about = "Grey in the text: labels of other programs, which the scheme lacks."
    assert button.accessibleDescription().split("\n") == [about, "Sign_symptom: 1", "Age: 1"]
    summary.reject()
    button.click()
    qtbot.waitUntil(lambda: bool(bench.findChildren(LabelsDialog)))
    (dialog,) = bench.findChildren(LabelsDialog)
    qtbot.waitUntil(lambda: len(dialog.rows) == 2)
    age, symptom = dialog.rows
    assert (age.kept.label, symptom.kept.annotations) == ("Age", 1)
    assert not dialog.apply.isEnabled()
    assert not symptom.polarity.isEnabled()
    symptom.category.setCurrentIndex(symptom.category.findData("GI"))
    symptom.polarity.setCurrentIndex(symptom.polarity.findData("uncertain"))
    assert "1 annotation will become" in dialog.notice.text()
    dialog.apply.click()
    qtbot.waitUntil(lambda: len(model.kept) == 1)
    (new,) = [one for one in model.spans.values() if one.finding.category == "GI"]
    assert (new.finding.quote, new.finding.polarity) == ("seizures", "uncertain")
    assert reader.kept_at(14) == []
    assert len(reader.spans_at(14)) == 1
    # It is one act, whose undo is the window's own.
    bench.session.undoing.undo()
    qtbot.waitUntil(lambda: len(model.kept) == 2)
    assert reader.spans_at(14) == []


def test_a_table_given_with_the_import_is_used_and_one_read_in_the_dialog_fills_it(
    opened: Callable[[], Workbench], folder: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    bench = opened()
    table, bad = tmp_path / "map.toml", tmp_path / "bad.toml"
    table.write_text('[labels]\nSign_symptom = "Neuro"\nLater = "GI"\n', encoding="utf-8")
    bad.write_text('Age = "Nowhere"\n', encoding="utf-8")
    summary = imported(bench, folder, qtbot, table=table)
    assert summary.lines_of("Other labels") == ["Age: 1"]
    settle(bench.session.worker, qtbot)
    dialog = LabelsDialog(bench.session, bench)
    dialog.open()
    qtbot.waitUntil(lambda: len(dialog.rows) == 3)
    assert {row.kept.label: row.category.currentData() for row in dialog.rows} == {
        "Age": "",
        "Later": "GI",
        "Sign_symptom": "Neuro",
    }
    dialog.read_table(bad)
    assert "categories are" in dialog.notice.text()
    assert dialog.changes == {}
    dialog.save_table(tmp_path / "out.toml")
    assert 'Sign_symptom" = "Neuro"' in (tmp_path / "out.toml").read_text(encoding="utf-8")
    # What a table says of labels that have not come is remembered for those that come later.
    table.write_text('[labels]\nAge = "GU"\nNew = "GI"\nSign_symptom = "Neuro"\n', encoding="utf-8")
    dialog.read_table(table)
    assert dialog.notice.text() == "map.toml was read. For later imports: 1 label of it."
    table.write_text('[labels]\nAge = "GU"\n', encoding="utf-8")
    dialog.read_table(table)
    assert dialog.notice.text() == "map.toml was read."
    assert sorted(dialog.changes) == ["Age", "New"]
    dialog.save_table(tmp_path / "out.toml")
    assert 'New" = "GI"' in (tmp_path / "out.toml").read_text(encoding="utf-8")
    with qtbot.waitSignal(bench.session.worker.saved):
        dialog.apply.click()
    with Project.open(bench.session.path) as project:
        said = {one.label: one.meaning and one.meaning.category for one in kept_labels(project)}
    assert said == {"Age": "GU", "Later": "GI", "New": "GI", "Sign_symptom": "Neuro"}


def test_who_has_nothing_but_other_labels_can_be_shown_and_is(
    opened: Callable[[], Workbench], folder: Path, qtbot: QtBot
) -> None:
    bench = opened()
    (folder / "a.ann").write_text(LINES.splitlines()[0] + "\n", encoding="utf-8")
    dialog = ImportDialog(bench.session, bench, [folder])
    dialog.open()
    dialog.annotator.setText("brat")
    dialog.import_button.click()
    session = bench.session
    qtbot.waitUntil(lambda: bool(session.others_there))
    assert session.report_model.kept == {}
    others = OthersDialog(session, bench)
    assert others.list.item(0).text() == "brat – annotator, 0 spans, 1 under labels that the scheme lacks"
    session.show_others(("brat",))
    qtbot.waitUntil(lambda: bench.reader.kept_at(14) != [])
    button = bench.findChildren(KeptLabelsLine)[0].button
    qtbot.waitUntil(button.isVisible)
    session.show_others(())
    assert bench.reader.kept_at(14) == []
    qtbot.waitUntil(button.isHidden)


def test_of_many_labels_the_most_frequent_are_named_and_the_others_counted(qtbot: QtBot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    for number, last in ((12, "L11: 1"), (14, "and 2 more")):
        amounts = {f"L{at}": 3 if at == 5 else 1 for at in range(number)}
        kept = [SimpleNamespace(label=label) for label, times in amounts.items() for _ in range(times)]
        line: Any = SimpleNamespace(
            button=button, _model=SimpleNamespace(kept=dict(enumerate(kept))), _turn=lambda: None
        )
        KeptLabelsLine._refresh(line)
        assert button.text() == f"{number + 2} annotations under {number} other labels…"
        _, first, *_, end = button.accessibleDescription().split("\n")
        assert (first, end) == ("L5: 3", last)
