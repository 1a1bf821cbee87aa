"""What holds for every dialog: keys, names, sizes, words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.dialogs.exchange.paste import PasteDialog
from app.gui.dialogs.forms import FormDialog, fold
from app.gui.dialogs.guidelines.amendment import AmendmentDialog
from app.gui.dialogs.models.extracting import StoppedDialog, by_replies
from app.gui.dialogs.models.extraction import ExtractionDialog
from app.gui.dialogs.models.ordering import OrderDialog
from app.gui.dialogs.models.runs import RunsDialog
from app.gui.dialogs.project.projects import AnnotatorDialog, NewProjectDialog
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.study.options import BuildDialog
from app.gui.modes.study.running import RunDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.wording import in_window
from app.operations.project.files import list_project
from app.studies.icd11.study import STUDY
from tests.gui.dialogs.conftest import Window
from tests.gui.dialogs.test_amendment import actions_on

Make = Callable[[ProjectSession, QWidget], FormDialog]
DIALOGS: dict[str, Make] = {
    "import": lambda session, window: ImportDialog(session, window),
    "paste": lambda session, window: PasteDialog(session, window),
    "extract": lambda session, window: ExtractionDialog(session, (), window),
    "terms": lambda session, window: AskingDialog(session, window),
    "amend": lambda session, window: AmendmentDialog(session, actions_on(window), "", window),
    "build": lambda session, window: BuildDialog(session, STUDY, print, window),
    "run": lambda session, window: RunDialog(session, STUDY, print, window),
    "order": lambda session, window: OrderDialog(session, window),
    "runs": lambda session, window: RunsDialog(session, window),
    "export": lambda session, window: ExportDialog(session, window),
    "new project": lambda _, window: NewProjectDialog(Preferences(window), window),
    "annotate as": lambda session, window: AnnotatorDialog(session, (), window),
    "stopped": lambda session, window: StoppedDialog(session, by_replies(Path("a.jsonl")), window),
}
every_dialog = pytest.mark.parametrize("make", DIALOGS.values(), ids=DIALOGS)


def mnemonics(dialog: FormDialog) -> Counter[str]:
    buttons = [QKeySequence.mnemonic(one.text()) for one in dialog.findChildren(QAbstractButton)]
    labels = [QKeySequence.mnemonic(one.text()) for one in dialog.findChildren(QLabel) if one.buddy()]
    return Counter(key.toString() for key in (*buttons, *labels) if not key.isEmpty())


@every_dialog
def test_no_key_of_a_dialog_means_two_things(window: Window, session: ProjectSession, make: Make) -> None:
    assert [key for key, number in mnemonics(make(session, window)).items() if number > 1] == []


@every_dialog
def test_whatever_takes_the_focus_has_a_name(window: Window, session: ProjectSession, make: Make) -> None:
    dialog = make(session, window)
    fields = [
        *dialog.findChildren(QLineEdit),
        *dialog.findChildren(QComboBox),
        *dialog.findChildren(QListWidget),
    ]
    own = [one for one in fields if not one.objectName().startswith("qt_")]
    assert [one for one in own if not one.accessibleName()] == []


@every_dialog
def test_escape_closes_a_dialog_and_changes_nothing(
    qtbot: QtBot, window: Window, session: ProjectSession, make: Make
) -> None:
    before = session.annotator
    dialog = make(session, window)
    dialog.open()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not isValid(dialog))
    session.close()
    assert session.annotator == before
    assert list_project(session.path).runs == ()


@every_dialog
def test_a_dialog_fits_a_small_screen_with_its_buttons_in_sight(
    window: Window, session: ProjectSession, make: Make
) -> None:
    font = window.font()
    font.setPointSizeF(2 * font.pointSizeF())
    window.setFont(font)
    dialog = make(session, window)
    dialog.show()
    screen = dialog.screen().availableSize()
    assert dialog.width() <= screen.width()
    assert dialog.height() <= screen.height()
    foot = dialog.buttons.geometry()
    assert dialog.rect().contains(foot)


def test_a_dialog_takes_all_of_the_screen_before_it_scrolls_to_the_side(window: Window) -> None:
    dialog, wide = FormDialog("Wide", window), QLabel()
    screen = dialog.screen().availableSize().width()
    dialog.body.addWidget(wide)
    for share in (0.95, 2):
        wide.setMinimumWidth(round(share * screen))
        assert round(min(share, 1) * screen) <= dialog.sizeHint().width() <= screen


def test_what_is_folded_out_below_the_window_comes_into_sight(window: Window, qtbot: QtBot) -> None:
    dialog, inside = FormDialog("Long", window), QLabel("Inside")
    button = fold("&More", inside)
    for part in (QLabel("\n" * 200), button, inside):
        dialog.body.addWidget(part)
    dialog.open()
    assert button.visibleRegion().isEmpty()
    button.click()
    qtbot.waitUntil(lambda: not inside.visibleRegion().isEmpty() and not button.visibleRegion().isEmpty())


def test_flags_of_the_command_line_are_not_what_the_window_speaks_of() -> None:
    said = in_window(
        "The reply was cut at its limit of 5 tokens; --resume with a larger --reply-tokens asks again."
    )
    assert said == "The reply was cut at its limit of 5 tokens; “Go on” with a longer reply asks again."
    assert "--" not in in_window("check --host and the network")
    again = "Nothing was built; the same command without --new-run, and with --resume, goes on."
    assert in_window(again) == "Nothing was built; the same, in no new run, goes on."
    assert in_window("give this one another --name.") == "give this one another “name”."
    assert in_window("name some with --pool-rule RULE.") == "name some with “pool rule”."
    told = in_window("No item has a code that it knows: casespan terminology import orphanet.")
    assert told == "No item has a code that it knows; import Orphanet's as a terminology."
    kept = "A dash -- or a word--like this -, and “x-ray” stay."
    assert in_window(kept) == kept
    locked = "a.casespan is encrypted; give its passphrase, in a file, by --passphrase-file."
    assert "remove its encryption or give it the passphrase of this project." in in_window(locked)


def test_the_dialog_for_a_new_project_loads_no_store_before_it_is_shown() -> None:
    code = (
        "import sys, json, app.gui.dialogs.project.projects; "
        "print(json.dumps([one for one in sys.modules if one.startswith(('app.store', 'sqlite3'))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert json.loads(done.stdout) == []
