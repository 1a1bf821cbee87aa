"""However long work ends, by a failure, stopped or done: it is said, and what is shown is read anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPushButton

from app.gui.dialogs.exchange.imports import start_import
from app.gui.dialogs.exchange.labels import start_setting
from app.gui.dialogs.models.extracting import ByRules, GoesOnDialog, begin_extraction, by_replies
from app.gui.dialogs.models.ordering import OrderDialog
from app.gui.dialogs.project.copies import PacketsDialog, merge
from app.gui.dialogs.project.summary import Part, SummaryDialog
from app.gui.modes.phenotypes.asking import Choice, begin_asking
from app.gui.modes.phenotypes.mode import PhenotypesMode
from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.study.options import BuildDialog
from app.gui.modes.study.running import RunDialog
from app.gui.modes.study.work import StudyWork
from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.gui.session.worker import Worker
from app.operations.exchange.importing import ImportOptions, ImportSummary
from app.operations.exchange.labels import LabelSummary
from app.operations.extract.rules import ExtractionSummary
from app.operations.profile.asked import TermOptions
from tests.gui.dialogs.conftest import Window
from tests.gui.dialogs.test_handed_on import HERE, desk
from tests.toy_study.study import STUDY

__all__ = ["desk"]
BROKEN, STOPPED = "It broke.", "topped"


def build_items(desk: ProjectSession, window: Window) -> None:
    StudyWork(desk, window).build(STUDY)
    window.findChildren(BuildDialog)[-1].act()


def run_study(desk: ProjectSession, window: Window) -> None:
    StudyWork(desk, window).run(STUDY, True, int, str)
    window.findChildren(RunDialog)[-1].act()


def find_terms(desk: ProjectSession, window: Window) -> None:
    mode = SimpleNamespace(session=desk, pane=window, _found=print)
    PhenotypesMode.find_phenotypes(cast(PhenotypesMode, mode))


def build_gold(desk: ProjectSession, window: Window) -> None:
    side = SimpleNamespace(name="Ana")
    mode = SimpleNamespace(_session=desk, work=SimpleNamespace(queue=SimpleNamespace(left=side, right=side)))
    ReconcileMode._build_gold(cast(ReconcileMode, mode))


# What begins the work, what is left where it is stopped, and whether the lists of reports are then others.
Begin = Callable[[ProjectSession, Window], object]
CASES: dict[str, tuple[Begin, bool]] = {
    "rules": (lambda desk, window: begin_extraction(desk, ByRules(), window), True),
    "replies": (lambda desk, window: begin_extraction(desk, by_replies(Path("a.jsonl")), window), True),
    "import": (lambda desk, window: start_import(desk, [], ImportOptions(), window), True),
    "labels": (lambda desk, window: start_setting(desk, {}, window), True),
    "merge": (lambda desk, window: merge(desk, [], window), True),
    "packets": (lambda desk, window: PacketsDialog(desk, window).cut(Path("to")), True),
    "terms": (
        lambda desk, window: begin_asking(desk, Choice(TermOptions(model="m"), Path("a.jsonl")), window),
        False,
    ),
    "order": (lambda desk, window: OrderDialog(desk, window).act(), False),
    "build": (build_items, False),
    "run": (run_study, False),
    "find": (find_terms, False),
    "gold": (build_gold, False),
}
DONE = {
    "rules": (ExtractionSummary("rules", "1"), "There are no reports yet"),
    "import": (ImportSummary(), "There was nothing to import"),
    "labels": (LabelSummary(()), "What the labels stand for is remembered."),
}


class Ending:
    """What is begun and never worked at, what is said, and how often all was read anew."""

    def __init__(self, desk: ProjectSession, patch: pytest.MonkeyPatch) -> None:
        self.jobs: list[Job] = []
        self.said: list[str] = []
        self.dialogs: list[QDialog] = []
        self.read = 0
        patch.setattr(Worker, "begin", self._begin)
        patch.setattr(ProjectSession, "reload", self._reload)
        patch.setattr(QDialog, "open", lambda dialog: self._open(dialog))
        desk.message.connect(self.said.append)
        desk.failed.connect(self.said.append)

    def _begin(self, _title: str, _steps: object, **_how: object) -> Job:
        self.jobs.append(Job("work"))
        return self.jobs[-1]

    def _reload(self, *_given: object) -> None:
        self.read += 1

    def _open(self, dialog: QDialog) -> None:
        self.dialogs.append(dialog)
        if isinstance(dialog, SummaryDialog):
            self.said.append(dialog.headline.text())


@pytest.mark.parametrize(("found", "opens"), [({"A": 0, "B": 2, HERE: 1}, HERE), ({"A": 0, "B": 2}, "B")])
def test_what_was_found_is_reviewed_in_the_open_report_or_the_first_that_has_any(
    found: dict[str, int], opens: str, desk: ProjectSession, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending, wanted = Ending(desk, monkeypatch), list[tuple[str, str]]()
    desk.review_wanted.connect(lambda *what: wanted.append(what))
    begin_extraction(desk, ByRules(), window)
    ending.jobs[-1].done.emit(ExtractionSummary("rules", "1", found))
    (review,) = [one for one in ending.dialogs[-1].findChildren(QPushButton) if "Review" in one.text()]
    review.click()
    assert wanted[-1] == ("rules", opens)


@pytest.mark.parametrize("name", CASES)
def test_a_failure_is_told_and_what_was_stopped_too(
    name: str, desk: ProjectSession, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = Ending(desk, monkeypatch)
    begin, changes = CASES[name]
    for failed, words in ((True, BROKEN), (False, STOPPED)):
        begin(desk, window)
        ending.said.clear()
        ending.read = 0
        job = ending.jobs[-1]
        job.failed.emit(BROKEN) if failed else job.stopped.emit()
        assert [words in one for one in ending.said] == [True]
        assert bool(ending.read) == changes
    # What models answered is kept, and goes on from there.
    assert any(isinstance(one, GoesOnDialog) for one in ending.dialogs[-1:]) == (name == "replies")
    if name in DONE:
        summary, words = DONE[name]
        begin(desk, window)
        ending.said.clear()
        ending.read = 0
        ending.jobs[-1].done.emit(summary)
        assert [words in one for one in ending.said] == [True]
        assert ending.read == 1


def test_of_what_work_came_to_the_list_that_is_seen_is_copied(window: Window) -> None:
    parts = [Part("Added", ["a"]), Part("Empty", []), Part("Left out", ["b", "c"])]
    dialog = SummaryDialog("Import", "It is done.", (), parts, window)
    for tab, words in enumerate(("a", "b\nc")):
        dialog.tabs.setCurrentIndex(tab)
        dialog.copy_button.click()
        assert QGuiApplication.clipboard().text() == words
