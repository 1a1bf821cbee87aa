"""The real window in the mode Reconcile, on three reports in which two annotators differ in every way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.reconcile.queue.position import Filters
from app.gui.modes.reconcile.queue.reading import Drafts
from app.gui.modes.reconcile.queue.work import Work
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.reconcile.preview import BELOW
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.creation import create_project_file
from app.store.reconcile.decisions import Decision, decisions
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.finding import Finding, Polarity
from tests.builders import Kept
from tests.gui.conftest import ME, open_in, shown
from tests.gui.lending import Lending
from tests.verbs import asked, press, settle

Dialog = TypeVar("Dialog", bound=QDialog)
ANA, BEN = "ana", "ben"
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
TEXTS = {
    "PMC1": "A girl of six had the cough and fever. No rash was seen. The heart was large. She was deaf.",
    "PMC2": "A boy of nine had the cough at night. He was deaf.",
    "PMC3": "A boy of two had the wheeze at night. He was deaf.",
}
# Category, quote and polarity of either, by report.
Said = tuple[str, str, Polarity]
SAID: dict[str, tuple[list[Said], list[Said]]] = {
    "PMC1": (
        [
            ("RESP", "the cough", "present"),
            ("Vitals_Hema", "fever", "present"),
            ("DERM", "rash", "negated"),
            ("CVS", "heart was large", "present"),
            ("EENT", "deaf", "present"),
        ],
        [
            ("RESP", "cough", "present"),
            ("DERM", "rash", "present"),
            ("Lab_Image", "heart was large", "present"),
            ("EENT", "deaf", "present"),
        ],
    ),
    "PMC2": (
        [("RESP", "the cough", "present"), ("EENT", "deaf", "present")],
        [("RESP", "cough", "present"), ("EENT", "deaf", "present")],
    ),
    "PMC3": (
        [("RESP", "the wheeze", "present"), ("EENT", "deaf", "present")],
        [("RESP", "wheeze", "present"), ("EENT", "deaf", "present")],
    ),
}


def write_study(path: Path, said: dict[str, tuple[list[Said], list[Said]]]) -> Path:
    """A project whose reports both have done."""
    with create_project_file(path, None, ME) as project, begin_act(project, "add", "tests") as act:
        holders = [ensure_annotator(act, name, "person").uuid for name in (ANA, BEN)]
        for key, text in TEXTS.items():
            document = Document(f"Report {key}", text, (), {"pmcid": key[3:]})
            stored = add_document(act, document, f"{key}.xml", "0" * 64)
            for holder, quotes in zip(holders, said.get(key, ([], [])), strict=True):
                found = [_found(text, *one) for one in quotes]
                add_annotations(act, stored.uuid, holder, found, "human")
                set_review(act, stored.uuid, holder, state="done", looked_at=project.scheme.ids)
    return path


def _found(text: str, category: str, quote: str, polarity: Polarity) -> Finding:
    start = text.index(quote)
    return Finding(category, quote, start, start + len(quote), polarity=polarity)


class Reconciling:
    """The window with its mode, and what an adjudicator does in it."""

    def __init__(self, window: MainWindow, qtbot: QtBot, path: Path) -> None:
        self.window, self.qtbot, self.path = window, qtbot, path
        workbench = window.workbench
        assert workbench is not None
        self.workbench: Workbench = workbench
        self.session, self.reader = workbench.session, workbench.reader
        self.told: list[str] = []
        self.session.message.connect(self.told.append)
        self.session.failed.connect(self.told.append)

    @property
    def mode(self) -> ReconcileMode:
        mode = self.workbench.frame.mode
        assert isinstance(mode, ReconcileMode)
        return mode

    @property
    def work(self) -> Work:
        return self.mode.work

    def enter(self) -> None:
        """By its key, and wait until the queue is there."""
        self.press("4", CTRL)
        self.qtbot.waitUntil(lambda: self.work.offer_of_sides is not None)
        self.settle_session()
        if self.work.unseen:
            self.press(Qt.Key.Key_Return)
        self.settle()

    def put_back(self) -> None:
        """To what is there after coming in."""
        self.workbench.frame.open_mode("reconcile")
        work, card = self.work, self.mode.card
        card.edit.end()
        card.offer.clear()
        work.drafts, work.whole = Drafts(lambda: self.session.annotator), False
        self.mode.queue.search.clear()
        self.mode.queue.order.setCurrentIndex(0)
        work.set_filters(Filters())
        work.set_sides(ANA, BEN)
        work.set_order(BELOW, "worst")
        work.read()
        self.settle()
        work.go_to(work.cursor.queue_places[0])
        self.reader.setFocus()
        self.told.clear()

    def press(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
        press(key, modifier)

    def settle(self) -> None:
        """Wait until all that was asked is answered, and the report of the current difference is there."""
        self.settle_session()
        current = self.work.current
        if current is not None:
            self.qtbot.waitUntil(lambda: self.session.report_model.key == current.item.report)

    def settle_session(self) -> None:
        """Wait until all that was asked is answered, and what was asked then."""
        settle(self.session.worker, self.qtbot, 3)

    def go_to(self, report: str, kind: str) -> None:
        """To the first difference of that kind in a report."""
        queue_place = next(
            queue_place
            for queue_place in self.work.cursor.queue_places
            if queue_place.item.report == report and queue_place.difference.kind == kind
        )
        self.work.go_to(queue_place)
        self.settle()

    def dialog(self, kind: type[Dialog]) -> Dialog:
        """The dialog of that kind, once it is the active window."""
        found = self.window.findChild(kind)
        assert isinstance(found, kind)
        self.qtbot.waitUntil(found.isActiveWindow)
        return found

    @property
    def kind(self) -> tuple[str, str]:
        """Report and kind of the current difference."""
        assert self.work.current is not None
        return self.work.current.item.report, self.work.current.difference.kind

    def on_disk(self) -> list[Decision]:
        """Every decision in the project, as soon as what is on its way is there."""
        return asked(self.session.worker, self.qtbot, decisions)


def write_all_said(path: Path) -> None:
    write_study(path, SAID)


@pytest.fixture
def study(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_all_said, tmp_path / "study.casespan")


@pytest.fixture
def open_study(window: MainWindow, qtbot: QtBot) -> Callable[[Path], Reconciling]:
    """Opens a project, enters the mode and has both sides shown."""
    return lambda path: entered(window, path, qtbot)


def entered(window: MainWindow, path: Path, qtbot: QtBot) -> Reconciling:
    open_in(window, path, qtbot)
    reconciling = Reconciling(window, qtbot, path)
    reconciling.enter()
    return reconciling


@pytest.fixture
def rec(lending: Lending[Reconciling], study: Path, qtbot: QtBot) -> Iterator[Reconciling]:
    """The study, in the mode Reconcile."""
    with lending.lend(lambda: entered(shown(qtbot), study, qtbot), Reconciling.put_back, qtbot) as opened:
        yield opened
