"""The real window in the mode Agreement: three people on three short reports, and one report of one alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.agreement.mode import AgreementMode
from app.gui.shell.main_window import MainWindow
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import AnnotatorKind, annotators, ensure_annotator
from app.store.annotate.disclosures import disclosures
from app.store.annotate.reviews import set_review
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, document_summaries
from extractors.model.document import Document
from extractors.model.finding import Finding
from tests.builders import Kept
from tests.gui.conftest import ME, opened_window
from tests.gui.lending import Lending
from tests.verbs import asked, press, settle

BEN, GOLD = "Ben", "gold"
TEXT = "Severe headache and fever, no cough, then ataxia of gait and a rash on both arms."
# Report 1: all the same; report 2: Ben calls ataxia a muscle sign; report 3: Ben found no headache.
QUOTES = {
    ME: [("Neuro", "headache"), ("Neuro", "ataxia")],
    GOLD: [("Neuro", "headache"), ("Neuro", "ataxia")],
}
LOOKED_AT = ("Neuro", "MSK")
KINDS: tuple[tuple[str, AnnotatorKind], ...] = ((ME, "person"), (BEN, "person"), (GOLD, "gold"))


def bens(number: int) -> list[tuple[str, str]]:
    headache = [] if number == 3 else [("Neuro", "headache")]
    return [*headache, ("MSK" if number == 2 else "Neuro", "ataxia")]


def write_compared(path: Path) -> None:
    with create_project_file(path, None, ME) as project, begin_act(project, "add", ME) as act:
        holders = {name: ensure_annotator(act, name, kind).uuid for name, kind in KINDS}
        for number in range(1, 5):
            document = Document(f"Report {number}", f"{TEXT}{number}", (), {"pmcid": str(number)})
            stored = add_document(act, document, "r.xml", "0" * 64)
            for name, holder in holders.items():
                if number == 4 and name != BEN:
                    continue
                quotes = bens(number) if name == BEN else QUOTES[name]
                findings = [Finding(c, q, TEXT.index(q), TEXT.index(q) + len(q)) for c, q in quotes]
                add_annotations(act, stored.uuid, holder, findings, "human")
                set_review(act, stored.uuid, holder, looked_at=LOOKED_AT)


@pytest.fixture
def compared(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_compared, tmp_path / "study.casespan")


class Agreeing:
    """The window, and what a user does in it."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        workbench = window.workbench
        assert workbench is not None
        self.window, self.workbench, self.qtbot = window, workbench, qtbot
        self.session = workbench.session

    @property
    def mode(self) -> AgreementMode:
        mode = self.workbench.frame.mode
        assert isinstance(mode, AgreementMode)
        return mode

    def enter(self) -> None:
        self.workbench.frame.open_mode("agreement")
        self.settle()

    def compare(self, left: str, right: str) -> None:
        self.mode.page.choice.choose((left, right))
        self.settle()

    def put_back(self) -> None:
        """To what is there after coming in."""
        self.workbench.frame.open_mode("agreement")
        page, evidence = self.mode.page, self.mode.evidence
        evidence.with_quotes.setChecked(False)
        page.choice.profile.setCurrentIndex(0)
        page.choice.choose((ME, BEN))
        page.number_opened.emit("", "tsr")
        self.settle()
        page.table.setFocus()

    def press(self, key: Qt.Key | str, on: QWidget | None = None) -> None:
        if on is not None:
            on.setFocus()
        press(key)
        self.settle()

    def settle(self) -> None:
        """Until one question after the other has been answered."""
        settle(self.session.worker, self.qtbot, 12)

    def texts(self, column: int) -> dict[str, str]:
        """A column of the table by the label of the row."""
        return {row.label: row.cells[column].text for row in self.mode.page.table.numbers.rows}

    def column(self, heading: str) -> int:
        words = [one[0].replace("\n", " ") for one in self.mode.page.table.numbers.headings]
        return words.index(heading)

    def looks(self) -> list[tuple[str, str]]:
        """Who looked at what, as it is on record: report key and the set's name."""

        def read(project: Project) -> list[tuple[str, str]]:
            names = {one.uuid: one.name for one in annotators(project)}
            return [
                (report.key, names[look.shown])
                for report in document_summaries(project)
                for look in disclosures(project, report.uuid)
            ]

        return asked(self.session.worker, self.qtbot, read)


@pytest.fixture
def open_window(qtbot: QtBot, windows: list[MainWindow]) -> Callable[[Path], Agreeing]:
    def open_(path: Path) -> Agreeing:
        windows.append(opened_window(path, qtbot))
        opened = Agreeing(windows[-1], qtbot)
        opened.settle()
        return opened

    return open_


@pytest.fixture
def agreeing(compared: Path, lending: Lending[Agreeing], qtbot: QtBot) -> Iterator[Agreeing]:
    """In the mode, with oneself left and Ben right."""

    def open_() -> Agreeing:
        opened = Agreeing(opened_window(compared, qtbot), qtbot)
        opened.settle()
        opened.enter()
        # The first pair there is; whoever chose it once more would have it measured once more.
        assert opened.mode.page.choice.pair == (ME, BEN)
        return opened

    with lending.lend(open_, Agreeing.put_back, qtbot) as opened:
        yield opened
