"""The real window in the mode Review, on two reports with a run that stands to one's own in every way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.gui.modes.review.mode import ReviewMode
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.annotate.spans import SpanPlace, add_span
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.creation import create_project_file
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.finding import Finding, Grounding, Polarity
from tests.builders import Kept
from tests.gui.conftest import ME, opened_window
from tests.gui.lending import Lending
from tests.verbs import press, settle

RUN, FIRST, SECOND = "llama3:8b/fcsp#1", "PMC1", "PMC2"
TEXT = "Severe headache and fever, no cough, then ataxia of gait and a rash on both arms."
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def found(category: str, quote: str, polarity: Polarity = "present") -> Finding:
    start = TEXT.index(quote)
    return Finding(category, quote, start, start + len(quote), polarity=polarity)


def write_reviewed(path: Path) -> None:
    """The run has headache as I have it, other edges for ataxia, a rash of its own, two without a place."""
    with create_project_file(path, None, ME) as project:
        with begin_act(project, "add", ME) as act:
            run = ensure_annotator(act, RUN, "run").uuid
            for number in "12":
                document = Document("R", f"{TEXT}{number}", (), {"pmcid": number})
                stored = add_document(act, document, "r.xml", "0" * 64)
                quotes = [found("Neuro", "headache")]
                if number == "1":
                    quotes += [found("Neuro", "ataxia of gait"), found("DERM", "rash")]
                add_annotations(act, stored.uuid, run, quotes, "model")
                if number == "1":
                    add_annotations(
                        act,
                        stored.uuid,
                        run,
                        [
                            Finding("EENT", "no fever", None, None, grounding="conflict", reason="Denied."),
                            Finding("GI", "vomiting", None, None, grounding="ungrounded", reason="Absent."),
                        ],
                        "model",
                        groundings=[
                            Grounding("conflict", None, None, 90, "Denied.", candidate=place("fever")),
                            Grounding("ungrounded", None, None, 0, "Absent."),
                        ],
                    )
        for category, quote in (("Neuro", "headache"), ("Neuro", "then ataxia"), ("MSK", "both arms")):
            add_span(project, ME, SpanPlace(FIRST, *place(quote)), category)


@pytest.fixture
def reviewed(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_reviewed, tmp_path / "study.casespan")


def place(quote: str) -> tuple[int, int]:
    return TEXT.index(quote), TEXT.index(quote) + len(quote)


class Reviewing:
    """The window with its mode, and what a reviewer does in it."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        workbench = window.workbench
        assert workbench is not None
        self.workbench: Workbench = workbench
        self.session, self.reader = workbench.session, workbench.reader

    @property
    def mode(self) -> ReviewMode:
        mode = self.workbench.frame.mode
        assert isinstance(mode, ReviewMode)
        return mode

    def enter(self) -> None:
        self.workbench.frame.open_mode("review")
        self.settle()

    def choose(self, name: str = RUN) -> None:
        choice = self.mode.columns.theirs.choice
        choice.setCurrentIndex(choice.findData(name))
        choice.activated.emit(choice.currentIndex())
        self.qtbot.waitUntil(lambda: self.mode.reviewing.report_review is not None)
        self.settle()
        self.reader.setFocus()

    def put_back(self) -> None:
        """To what is there after coming in."""
        self.workbench.frame.open_mode("review")
        if self.mode.item_edit.draft is not None:
            self.mode.item_edit.give_up()
        self.mode.columns.own.filter.setCurrentIndex(0)
        self.session.open_report(FIRST)
        self.settle()
        self.choose()
        self.mode.reviewing.set_current(0)

    def press(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        press(key, modifier)
        self.settle()

    def settle(self) -> None:
        """Until nothing is on its way to the disk or from it."""
        settle(self.session.worker, self.qtbot, 3)

    @property
    def verdicts(self) -> dict[str, str]:
        """What was said of each of the run's quotes."""
        report_review = self.mode.reviewing.report_review
        assert report_review is not None
        quote = {one.uuid: one.finding.quote for one in report_review.items}
        return {quote[uuid]: verdict.verdict for uuid, verdict in report_review.verdicts.items()}

    @property
    def at(self) -> str:
        """The quote that is to be judged."""
        item = self.mode.reviewing.item
        return item.finding.quote if item is not None else ""

    @property
    def message(self) -> str:
        return self.mode.strip.sentence.full_text()

    def own(self) -> set[tuple[str, str, str, str]]:
        """One's own spans as they are on the page."""
        spans = self.session.report_model.spans.values()
        return {(o.finding.category, o.finding.quote, o.finding.polarity, o.origin) for o in spans}


@pytest.fixture
def open_review(qtbot: QtBot, windows: list[MainWindow]) -> Callable[[Path], Reviewing]:
    """Opens a project in the window and goes to the mode."""

    def open_(path: Path) -> Reviewing:
        windows.append(opened_window(path, qtbot))
        return entered(windows[-1], qtbot)

    return open_


def entered(window: MainWindow, qtbot: QtBot) -> Reviewing:
    review = Reviewing(window, qtbot)
    review.settle()
    review.enter()
    return review


@pytest.fixture
def review(reviewed: Path, lending: Lending[Reviewing], qtbot: QtBot) -> Iterator[Reviewing]:
    """The first report with the run's quotes beside one's own."""

    def open_() -> Reviewing:
        review = entered(opened_window(reviewed, qtbot), qtbot)
        review.choose()
        return review

    with lending.lend(open_, Reviewing.put_back, qtbot) as opened:
        yield opened
