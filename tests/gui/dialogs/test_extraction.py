"""Extraction from the window: rules, a model on a real socket, recorded replies, stopping and going on."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGroupBox, QRadioButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.dialogs.models.extracting import ByReplies, ByRules, ModelSummaryDialog, StoppedDialog, going_on
from app.gui.dialogs.models.extraction import ExtractionDialog
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.dialogs.watching import JobDialog
from app.gui.session.project_session import ProjectSession
from app.operations.extract.options import ModelOptions
from extractors.assets import asset
from extractors.model.progress import Progress
from extractors.model.scheme import default_scheme
from tests.gui.dialogs.conftest import Window
from tests.scripted_behaviours import ends_without_done, fails, replies, waits
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.scripted_openai import LLAMA_CPP, ScriptedOpenAI

REPLIES = asset("resources", "demo", "replies.jsonl")
# A model that keeps its vocabulary to itself and was trained for a long context.
TINY = FakeModel("tiny", context=131_072, tokens=(), kinds=())


def dialog_on(session: ProjectSession, window: Window, *shown: str) -> ExtractionDialog:
    dialog = ExtractionDialog(session, shown, window)
    dialog.open()
    return dialog


def found_in(session: ProjectSession, name: str) -> int:
    return sum(row.others.get(name, 0) for row in session.rows.values())


def choose(dialog: ExtractionDialog, *places: int) -> None:
    """Just the categories of those places in the scheme."""
    ids = default_scheme().ids
    dialog.form.put(which="some", categories=tuple(ids[place] for place in places))


def ask(qtbot: QtBot, dialog: ExtractionDialog, server: ScriptedOllama) -> None:
    """Choose the one model of a server, for one category of the open report."""
    dialog.form.put(by="model")
    dialog.server.host.setText(server.host)
    QTest.keyClick(dialog.server.host, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.server.chosen is not None)
    choose(dialog, 0)
    assert dialog.ok_button.isEnabled(), dialog.notice.text()


def test_the_rules_work_on_the_open_report_by_default(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = dialog_on(session, window)
    assert dialog.choice() == ByRules((session.report_model.key,), ())
    dialog.ok_button.click()
    summary = window.wait_for(SummaryDialog)
    assert summary.headline.text().startswith("rules: ")
    assert "in 1 report" in summary.headline.text()
    assert "stays hidden" in summary.sentences.text()
    qtbot.waitUntil(lambda: found_in(session, "rules") > 0)


def test_reports_and_categories_are_those_chosen(window: Window, session: ProjectSession) -> None:
    dialog = dialog_on(session, window, "PMC99000002", "PMC99000003")
    dialog.form.put(reports="shown")
    choose(dialog)
    assert not dialog.ok_button.isEnabled()
    assert "category" in dialog.notice.text()
    choose(dialog, 2)
    assert dialog.choice() == ByRules(("PMC99000002", "PMC99000003"), (session.scheme.ids[2],))
    dialog.form.put(reports="all")
    assert dialog.choice() == ByRules((), (session.scheme.ids[2],))
    dialog.form.put(which="all")
    assert dialog.choice() == ByRules((), ())


def test_a_list_of_some_reports_is_offered_and_one_of_none_or_all_is_not(
    window: Window, session: ProjectSession
) -> None:
    def offered(*shown: str) -> list[str]:
        box = dialog_on(session, window, *shown).form.box("reports", QGroupBox)
        return [one.text() for one in box.findChildren(QRadioButton)]

    this, every = "&This report (PMC99000001)", "&All reports (10)"
    assert offered() == offered(*session.rows) == [this, every]
    assert offered("PMC99000002", "PMC99000003") == [this, "Those sho&wn in the list (2)", every]


def test_a_model_found_on_the_server_annotates(qtbot: QtBot, window: Window, session: ProjectSession) -> None:
    with ScriptedOllama(models=[TINY]) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        assert dialog.server.table.texts[0][0] == "tiny"
        dialog.ok_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert summary.headline.text().startswith("tiny/ucp/few-shot: ")
        assert "1 call: 1 done, 1 made now" in summary.sentences.text()
        assert not hasattr(summary, "go_on_button")
        assert len(server.calls) == 1


def test_another_kind_of_server_is_known_by_its_address(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    with ScriptedOpenAI(dialect=LLAMA_CPP) as server:
        dialog = dialog_on(session, window)
        dialog.form.put(by="model")
        dialog.server.host.setText(server.base)
        dialog.server.look_button.click()
        qtbot.waitUntil(lambda: dialog.server.chosen is not None)
        assert dialog.server.status.text().startswith("llama.cpp b6000. ")
        qtbot.waitUntil(dialog.server.look_button.isEnabled)
        assert not dialog.server.fetch_button.isEnabled()
        choose(dialog, 0)
        dialog.settings.put(parallel=4, temperature=0.5)
        dialog.ok_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "1 call: 1 done, 1 made now" in summary.sentences.text()
        assert server.calls[0].body["temperature"] == 0.5


def test_a_key_stands_in_a_file_that_is_named_and_goes_with_what_the_server_is_asked(
    qtbot: QtBot, window: Window, session: ProjectSession, tmp_path: Path
) -> None:
    file = tmp_path / "key.txt"
    file.write_text("secret\n", encoding="ascii")
    with ScriptedOpenAI(dialect=LLAMA_CPP, key="secret") as server:
        dialog = dialog_on(session, window)
        dialog.form.put(by="model")
        dialog.server.host.setText(server.base)
        dialog.server.key.line.setText(str(tmp_path / "none.txt"))
        dialog.server.look_button.click()
        qtbot.waitUntil(lambda: "cannot be read" in dialog.server.status.text())
        dialog.server.key.line.setText(str(file))
        assert dialog.server.status.text().startswith("Look for")
        qtbot.waitUntil(dialog.server.look_button.isEnabled)
        dialog.server.look_button.click()
        qtbot.waitUntil(lambda: dialog.server.chosen is not None)
        choose(dialog, 0)
        dialog.ok_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "1 call: 1 done, 1 made now" in summary.sentences.text()


def test_a_model_that_runs_in_circles_goes_on_with_what_was_never_asked(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    crash = fails(404, "model 'tiny' not found")
    with ScriptedOllama(*[ends_without_done()] * 6, crash, models=[TINY]) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        choose(dialog, *range(9))
        dialog.ok_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "7 failed, 2 missing" in summary.sentences.text()
        summary.go_on_button.click()
        qtbot.waitUntil(lambda: len(server.calls) == 7 + 9)
        asked = [call.body["prompt"] for call in server.calls]
        assert asked[7:9] == [prompt for prompt in asked[7:] if prompt not in asked[:7]]
        assert "9 done" in window.wait_for(ModelSummaryDialog).sentences.text()


def test_calls_that_failed_are_made_again_by_going_on(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    with ScriptedOllama(fails(500, "out of luck"), models=[TINY]) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        dialog.ok_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "1 failed" in summary.sentences.text()
        assert "out of luck" in summary.lines_of("Troubles")[0]
        summary.go_on_button.click()
        qtbot.waitUntil(lambda: len(server.calls) == 2)
        assert "1 done" in window.wait_for(ModelSummaryDialog).sentences.text()


def test_a_run_that_is_stopped_keeps_its_answers_and_goes_on(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    gate = threading.Event()
    with ScriptedOllama(replies(), waits(gate), models=[TINY]) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        choose(dialog, 0, 1)
        dialog.ok_button.click()
        qtbot.waitUntil(lambda: len(server.calls) == 2)
        watch = window.wait_for(JobDialog)
        assert "every answer up to there is kept" in watch.notice.text()
        watch.stop_button.click()
        assert not watch.stop_button.isEnabled()
        stopped = window.wait_for(StoppedDialog)
        stopped.go_on_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "2 calls" in summary.sentences.text()


def test_one_can_annotate_while_a_model_run_goes_on(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    gate = threading.Event()
    with ScriptedOllama(waits(gate), models=[TINY]) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        dialog.ok_button.click()
        qtbot.waitUntil(lambda: bool(server.calls))
        window.wait_for(JobDialog).reject()
        with qtbot.waitSignal(session.worker.saved, timeout=10_000):
            session.controller.label(0, 5, session.scheme.ids[0])
        gate.set()
        window.wait_for(ModelSummaryDialog)


def test_recorded_replies_are_played_under_the_name_of_their_recording(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = dialog_on(session, window)
    dialog.form.put(by="replies")
    assert "Choose the file" in dialog.notice.text()
    dialog.recording.put(file=str(REPLIES))
    dialog.form.put(reports="all")
    assert isinstance(dialog.choice(), ByReplies)
    dialog.ok_button.click()
    summary = window.wait_for(ModelSummaryDialog)
    assert summary.headline.text().startswith("invented-replies/ucp/few-shot: ")
    assert "written by hand" in summary.sentences.text()
    assert summary.lines_of("Quotes without a place")
    qtbot.waitUntil(lambda: found_in(session, "invented-replies/ucp/few-shot") > 0)


def test_another_machine_is_refused_until_the_box_that_names_it_is_ticked(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = dialog_on(session, window)
    dialog.form.put(by="model")
    dialog.server.host.setText("192.0.2.7")
    dialog.server.look_button.click()
    qtbot.waitUntil(lambda: "another machine" in dialog.server.status.text())
    assert not dialog.ok_button.isEnabled()
    assert dialog.server.allow.text().endswith("to this machine: 192.0.2.7")
    assert not dialog.server.allow.isChecked()
    dialog.server.allow.click()
    assert dialog.server.allowed
    dialog.server.host.setText("192.0.2.8")
    assert not dialog.server.allowed
    # Of a server that was not asked yet nothing is known: it is not taken for another machine.
    assert (dialog.server.allow.isEnabled(), dialog.server.problem()) == (
        False,
        "Look for models and choose one.",
    )


def test_a_cloud_backed_model_is_refused_until_the_box_that_names_its_machine_is_ticked(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    big = FakeModel(name="big-cloud", remote_host="https://ollama.com:443")
    with ScriptedOllama(models=(TINY, big)) as server:
        dialog = dialog_on(session, window)
        ask(qtbot, dialog, server)
        dialog.server.table.selectRow(1)
        assert "leave this computer" in dialog.notice.text()
        assert dialog.server.allow.text().endswith("https://ollama.com:443")
        dialog.server.allow.click()
        assert dialog.ok_button.isEnabled()
        dialog.server.table.selectRow(0)
        assert not dialog.server.allowed
        assert dialog.ok_button.isEnabled()


def test_where_no_server_answers_it_is_said_how_to_get_one(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    with ScriptedOllama() as server:
        gone = server.host
    dialog = dialog_on(session, window)
    dialog.form.put(by="model")
    dialog.server.host.setText(gone)
    dialog.server.look_button.click()
    qtbot.waitUntil(lambda: "No model server answers" in dialog.server.status.text())
    assert "get it from ollama.com" in dialog.server.status.text()
    assert "--" not in dialog.server.status.text()
    assert dialog.server.look_button.isEnabled()
    assert not dialog.ok_button.isEnabled()


def test_a_model_can_be_fetched_where_there_is_none(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    with ScriptedOllama(models=()) as server:
        dialog = dialog_on(session, window)
        dialog.form.put(by="model")
        dialog.server.host.setText(server.host)
        dialog.server.look_button.click()
        qtbot.waitUntil(lambda: "no models yet" in dialog.server.status.text())
        for progress, said in ((Progress(3, 10, "MB"), "3 of 10 MB"), (Progress(3, 0, "MB"), "MB")):
            dialog.server._follow(progress)
            dialog.server._follow(Progress(4, 10))
            assert dialog.server.status.text() == said
        server.models["tiny:latest"] = FakeModel()
        dialog.server.name.setText("tiny")
        dialog.server.fetch_button.click()
        qtbot.waitUntil(lambda: dialog.server.chosen is not None)
        assert [one.body.get("model") for one in server.requests if one.path == "/api/pull"] == ["tiny"]


def test_fetching_a_model_can_be_stopped(qtbot: QtBot, window: Window, session: ProjectSession) -> None:
    gate = threading.Event()
    with ScriptedOllama() as server:
        server.on["/api/pull"] = waits(gate)
        dialog = dialog_on(session, window)
        dialog.form.put(by="model")
        dialog.server.host.setText(server.host)
        dialog.server.fetch_button.click()
        qtbot.waitUntil(lambda: any(one.path == "/api/pull" for one in server.requests))
        dialog.server.stop_button.click()
        qtbot.waitUntil(lambda: "Stopped" in dialog.server.status.text())
        qtbot.waitUntil(server.disconnected.is_set)
        assert dialog.server.fetch_button.isEnabled()


def test_the_dialog_can_be_closed_while_a_server_is_being_asked(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    gate = threading.Event()
    with ScriptedOllama() as server:
        server.on["/api/pull"] = waits(gate)
        dialog = dialog_on(session, window)
        dialog.form.put(by="model")
        dialog.server.host.setText(server.host)
        dialog.server.fetch_button.click()
        qtbot.waitUntil(lambda: any(one.path == "/api/pull" for one in server.requests))
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not isValid(dialog))
        qtbot.waitUntil(server.disconnected.is_set)


def test_the_page_of_the_model_stays_within_the_screen(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = dialog_on(session, window)
    screen = dialog.screen().availableGeometry()
    dialog.move(dialog.x(), screen.bottom() - dialog.height())
    dialog.form.put(by="model")
    qtbot.waitUntil(lambda: dialog.frameGeometry().bottom() <= screen.bottom())
    assert dialog.frameGeometry().top() >= screen.top()
    (area, *_) = dialog.findChildren(QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert dialog.rect().contains(dialog.buttons.geometry())
    # The fields of the server begin below the others, also below those that are folded out.
    dialog.settings.fold.click()
    QApplication.processEvents()
    server, box = dialog.server, dialog.settings.box
    fields = [server.host, server.key.line, server.name, box("strategy", QWidget), box("seed", QWidget)]
    assert len({field.mapTo(dialog, QPoint()).x() for field in fields}) == 1


def test_what_is_gone_on_with_is_the_run_that_was_begun_also_where_that_was_to_be_a_new_one() -> None:
    given = ByReplies(ModelOptions("tiny", "ucp", "few-shot", new_run=True), Path("replies.jsonl"))
    on = going_on(given)
    assert isinstance(on, ByReplies)
    assert (on.options.new_run, on.options.resume) == (False, True)
    assert (on.options.model, on.file) == ("tiny", given.file)
    assert going_on(ByRules()) == ByRules()
