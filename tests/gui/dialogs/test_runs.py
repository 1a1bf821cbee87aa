"""The list of runs: what each came to, going on, and replies as a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.dialogs.models.extracting import ModelSummaryDialog, by_replies
from app.gui.dialogs.models.runs import PromptsDialog, RunsDialog, about_run
from app.gui.session.project_session import ProjectSession
from app.operations.extract.models import connect, replay
from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.quotes import extract_with_model
from app.operations.extract.rules import extract_with_rules
from app.operations.extract.runs import RunRow
from extractors.assets import asset
from tests.gui.dialogs.conftest import Window
from tests.older_files import as_version_4
from tests.scripted_behaviours import fails
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.verbs import settle

TINY = FakeModel("tiny", context=131_072, tokens=(), kinds=())
ONE_CALL = ModelOptions(
    "tiny", "ucp", "few-shot", documents=("alkaptonuria-letter",), categories=("Vitals_Hema",)
)

ROW = RunRow("big", "model", "quotes", "failed", "2026-01-02T03:04:05Z", None, "", (), {}, True, None)


def runs_on(qtbot: QtBot, session: ProjectSession, window: Window, number: int) -> RunsDialog:
    dialog = RunsDialog(session, window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.about.text() != "Reading…")
    qtbot.waitUntil(lambda: len(dialog.table.texts) == number)
    return dialog


def cells(dialog: RunsDialog, row: int) -> list[str]:
    return list(dialog.table.texts[row])


def run_once(project: Path, server: ScriptedOllama) -> None:
    for _ in extract_with_model(project, connect(server.host), ONE_CALL):
        pass


def test_without_runs_it_is_said_how_there_come_to_be_some(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = runs_on(qtbot, session, window, 0)
    assert "There are no runs yet" in dialog.about.text()
    assert not dialog.go_on_button.isEnabled()
    assert not dialog.export_button.isEnabled()


def test_every_run_is_listed_with_its_state_the_latest_first(
    qtbot: QtBot, window: Window, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    for _ in extract_with_rules(project, ["PMC99000001"]):
        pass
    with ScriptedOllama(fails(500, "out of luck"), models=[TINY]) as server:
        run_once(project, server)
    session = open_session(project)
    dialog = runs_on(qtbot, session, window, 2)
    assert cells(dialog, 0)[:3] == ["tiny/ucp/few-shot", "ended with failures", "1 failed"]
    assert cells(dialog, 1)[:3] == ["rules", "done", "–"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", cells(dialog, row)[3]) for row in (0, 1))
    dialog.table.selectRow(1)
    assert not dialog.go_on_button.isEnabled()
    assert not dialog.export_button.isEnabled()
    assert not dialog.prompts_button.isEnabled()
    # Read again, as when other work ends, it stays the chosen one.
    dialog.read()
    settle(session.worker, qtbot)
    assert dialog.table.row == 1


def test_a_run_with_failed_calls_goes_on_from_the_list(
    qtbot: QtBot, window: Window, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    with ScriptedOllama(fails(500, "out of luck"), models=[TINY]) as server:
        run_once(project, server)
        dialog = runs_on(qtbot, open_session(project), window, 1)
        dialog.host.setText(server.host)
        dialog.go_on_button.click()
        summary = window.wait_for(ModelSummaryDialog)
        assert "1 call: 1 done, 1 made now" in summary.sentences.text()
        assert len(server.calls) == 2


def test_replies_are_written_to_a_file_from_which_they_can_be_played(
    qtbot: QtBot,
    window: Window,
    project: Path,
    open_session: Callable[[Path], ProjectSession],
    tmp_path: Path,
) -> None:
    with ScriptedOllama(models=[TINY]) as server:
        run_once(project, server)
    dialog = runs_on(qtbot, open_session(project), window, 1)
    assert cells(dialog, 0)[1] == "done"
    assert not dialog.go_on_button.isEnabled()
    out = tmp_path / "replies.jsonl"
    dialog.export_to(out)
    qtbot.waitUntil(lambda: dialog.notice.text() == f"1 reply written to {out}.")
    assert replay(out)[1].model == "tiny"


def test_what_a_run_asked_is_shown_word_for_word_and_can_be_copied(
    qtbot: QtBot, window: Window, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    with ScriptedOllama(models=[TINY]) as server:
        run_once(project, server)
    dialog = runs_on(qtbot, open_session(project), window, 1)
    dialog.prompts_button.click()
    shown = window.wait_for(PromptsDialog)
    qtbot.waitUntil(lambda: shown.list.count() == 1)
    assert shown.list.item(0).text() == "alkaptonuria-letter Vitals_Hema"
    assert shown.about.text() == "1 prompt, word for word."
    sent = server.calls[0].body
    for words in (sent["system"], sent["prompt"]):
        assert words.strip() in shown.text.toPlainText()
    shown.copy_button.click()
    assert QGuiApplication.clipboard().text() == shown.text.toPlainText()


def test_it_is_said_where_only_the_hashes_of_prompts_are_known(
    qtbot: QtBot, window: Window, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    with ScriptedOllama(models=[TINY]) as server:
        run_once(project, server)
    as_version_4(project)
    dialog = runs_on(qtbot, open_session(project), window, 1)
    dialog.prompts_button.click()
    shown = window.wait_for(PromptsDialog)
    qtbot.waitUntil(lambda: "1 prompt only the hash is on record" in shown.about.text())
    assert not shown.copy_button.isEnabled()


def test_what_must_be_said_of_recorded_replies_stands_below_the_list(
    qtbot: QtBot, window: Window, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    only = ("PMC99000001",)
    wanted = ModelOptions(recording.model, recording.strategy, recording.prompting, documents=only)
    for _ in extract_with_model(project, client, wanted):
        pass
    dialog = runs_on(qtbot, open_session(project), window, 1)
    assert "written by hand" in dialog.about.text()
    assert not dialog.export_button.isEnabled()
    unfinished = replace(dialog._rows[0], unfinished=True)
    assert about_run(unfinished).endswith("“Go on” asks for a recording that has them.")
    # The same recording has no more.
    played = ModelSummary("tiny", "Played.", planned=1, findings={"A": 0})
    assert not hasattr(
        ModelSummaryDialog(dialog._session, played, by_replies(Path("a.jsonl"))), "go_on_button"
    )


def test_text_goes_to_another_machine_again_only_with_the_box_that_names_it(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = runs_on(qtbot, session, window, 0)
    far = ("https://ollama.com:443",)
    dialog._show(
        [
            RunRow(
                "big", "model", "quotes", "failed", "2026-01-02T03:04:05Z", None, "", far, {}, True, ONE_CALL
            )
        ]
    )
    assert not dialog.go_on_button.isEnabled()
    assert "https://ollama.com:443, through" in dialog.allow.text()
    dialog.allow.click()
    assert dialog.go_on_button.isEnabled()
    dialog.host.setText("192.0.2.7")
    assert not dialog.allow.isChecked()
    assert not dialog.go_on_button.isEnabled()


def test_a_run_of_another_task_is_not_said_to_have_other_prompts() -> None:
    row = replace(ROW, task="fever")
    assert about_run(row) == (
        "This run asked something else than to extract; whatever began it goes on with it."
    )
    assert "prompts or settings have changed" in about_run(replace(row, task="quotes"))
