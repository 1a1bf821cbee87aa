"""While something is missing, or other work goes on, a dialog says so and cannot act; then it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog

from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.dialogs.models.extraction import ExtractionDialog
from app.gui.dialogs.models.ordering import OrderDialog
from app.gui.dialogs.project.copies import PacketsDialog, ask_to_merge
from app.gui.dialogs.project.corpus import CorpusDialog
from app.gui.dialogs.project.passphrases import EncryptDialog
from app.gui.dialogs.project.projects import AnnotatorDialog, NewProjectDialog
from app.gui.dialogs.project.report import RenameDialog, ask_to_delete
from app.gui.dialogs.project.terminologies import TerminologiesDialog
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.study.options import BuildDialog
from app.gui.modes.study.running import RunDialog
from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.studies.study import Option
from tests.gui.dialogs.conftest import Window
from tests.gui.dialogs.test_handed_on import HERE, Told, desk
from tests.toy_study.study import STUDY

__all__ = ["desk"]
MODEL, REPLIES = "Look for models and choose one.", "Choose the file with the recorded replies."
Made = Callable[[ProjectSession], Any]
Steps = tuple[tuple[dict[str, object], str], ...]
# What is put into the fields, one after the other, and what the dialog says then; "" where it can act.
CASES: dict[str, tuple[Made, Steps]] = {
    "extract": (
        lambda desk: ExtractionDialog(desk, ()),
        (({}, ""), ({"which": "some"}, "Tick at least one category."), ({"categories": ("GI",)}, ""),
         ({"by": "model"}, MODEL), ({"by": "replies"}, REPLIES)),
    ),
    "terms": (
        AskingDialog,
        (({}, MODEL), ({"level": "gee", "prompting": "retrieval"}, "Findings in the report's own words"),
         ({"by": "replies", "level": "pte"}, REPLIES)),
    ),
    "order": (OrderDialog, (({}, MODEL),)),
    "run": (
        lambda desk: RunDialog(desk, STUDY, print),
        (({}, ""), ({"by": "/model"}, MODEL), ({"by": "/replies"}, REPLIES)),
    ),
    "build": (lambda desk: BuildDialog(desk, STUDY, print), (({}, ""),)),
    "packets": (
        PacketsDialog,
        (({}, "Name at least one annotator."), ({"names": " \n"}, "Name at least one"),
         ({"names": "ana"}, "")),
    ),
    "rename": (
        lambda desk: RenameDialog(desk, HERE),
        (({}, ""), ({"title": " "}, "A report has a title and a short name."),
         ({"title": "A title", "key": "PMC99000002"}, "There is another report PMC99000002"),
         ({"key": ""}, "A report has"), ({"key": HERE}, ""), ({"key": "new"}, "")),
    ),
    "new": (
        lambda _: NewProjectDialog(Preferences()),
        (({}, "Type your name."), ({"name": "Ana"}, ""), ({"name": "gold"}, "The name 'gold'"),
         ({"name": "Ana", "file": ""}, "Choose where the project file goes."),
         ({"file": str(Path(__file__))}, ""), ({"file": "/nowhere/at all"}, "There is no folder /nowhere.")),
    ),
    "annotator": (
        lambda desk: AnnotatorDialog(desk, ["Ana"], taken=["rules"]),
        (({}, ""), ({"name": ""}, "Type your name."), ({"name": "rules"}, "The name 'rules' belongs"),
         ({"name": "Ana"}, "")),
    ),
    "encrypt": (
        lambda _: EncryptDialog(None, changes=False),  # type: ignore[arg-type]
        (({}, "Choose a passphrase."), ({"passphrase": "a b"}, "The two are not the same yet."),
         ({"again": "a b "}, "The two are not"), ({"again": "a b"}, "")),
    ),
    "corpus": (
        lambda _: CorpusDialog(None),
        (({}, "Choose the folder of a corpus."), ({"folder": "/nowhere"}, "/nowhere holds no corpus.")),
    ),
    "terminologies": (
        lambda _: TerminologiesDialog(),
        (({}, "Choose its files: SimpleTabulation"), ({"name": "HPO"}, "Choose its files: hp.obo"),
         ({"paths": "/nowhere"}, "There is no /nowhere."), ({"paths": __file__}, "")),
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The project is asked nothing."""
    Told(monkeypatch).catch()


def state_of(dialog: Any) -> tuple[str, bool]:  # noqa: ANN401 (one of many)
    """What stands above the buttons, and whether the one that acts can be pressed."""
    button = next(filter(None, (getattr(dialog, f"{name}_button", None) for name in ("ok", "cut", "import"))))
    return dialog.notice.text(), button.isEnabled()


@pytest.mark.parametrize("name", CASES)
def test_what_is_missing_is_said_and_nothing_can_be_begun_until_it_is_there(
    name: str, desk: ProjectSession
) -> None:
    make, steps = CASES[name]
    dialog = make(desk)
    for values, says in steps:
        dialog.form.put(**values)
        said, can = state_of(dialog)
        assert (said.startswith(says), bool(said), can) == (True, bool(says), not says), (values, said)
    if steps[-1][1] == REPLIES:
        dialog.recording.put(file=__file__)
        assert state_of(dialog) == ("", True)


def test_what_a_study_needs_of_its_own_is_missing_until_it_is_filled_in(desk: ProjectSession) -> None:
    needs = Option("licence", "whose data these are", ("build",), required=True)
    dialog = BuildDialog(desk, replace(STUDY, options=(needs,)), print)
    assert state_of(dialog) == ("Fill in “Licence”.", False)
    assert dialog.own.form is not None
    dialog.own.form.put(licence="ours")
    assert state_of(dialog) == ("", True)


BUSY: dict[str, Made] = {
    **{name: CASES[name][0] for name in ("extract", "terms", "order", "run", "build", "packets")},
    "import": lambda desk: ImportDialog(desk, None, [Path("a.pdf")]),
}


@pytest.mark.parametrize("name", BUSY)
def test_while_other_work_goes_on_none_is_begun(
    name: str, desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = BUSY[name](desk)
    before, job = state_of(dialog), Job("Long work")
    monkeypatch.setattr(desk.worker, "job", job)
    desk.worker.job_changed.emit()
    assert state_of(dialog) == ("“Long work” is still at work; wait until it has ended, or stop it.", False)
    job.running = False
    desk.worker.job_changed.emit()
    assert state_of(dialog) == before


def test_nothing_is_deleted_or_merged_beside_other_work(
    desk: ProjectSession, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, said, looking = Told(monkeypatch), list[str](), list[QFileDialog]()
    told.catch()
    monkeypatch.setattr(QFileDialog, "open", lambda one: looking.append(one))
    desk.message.connect(said.append)
    desk.failed.connect(said.append)
    for busy in (True, False):
        monkeypatch.setattr(desk.worker, "job", Job("Long work") if busy else None)
        ask_to_delete(desk, [HERE], "", window, lambda _: None)
        ask_to_merge(desk, window)
        assert ["is still at work" in one for one in said] == [True, True]
        assert (len(told.work), len(looking)) == ((0, 0) if busy else (1, 1))
