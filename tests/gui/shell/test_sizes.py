"""The size of the interface: what is changed and changed back is as it was, also after a restart."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.gui.shell import application
from app.gui.shell.columns import Slot
from app.gui.shell.look.preferences import THEMES, Preferences
from app.gui.shell.look.theme import apply_theme, interface_font, is_contrast
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from tests.gui.conftest import ME, unpainted

# Room for the letters of tests, which have no desktop.
_WINDOW = (1366, 768)


class Started:
    """The program with a project, which can be started again."""

    def __init__(self, qtbot: QtBot, project: Path) -> None:
        self._qtbot, self._project = qtbot, project
        self.window = self._start()

    def _start(self) -> MainWindow:
        preferences = Preferences()
        preferences.annotator = ME
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        window = self.window = MainWindow(preferences)
        unpainted(window)
        apply_theme(application, preferences.theme, preferences.interface_size, window)
        window.resize(*_WINDOW)
        with self._qtbot.waitExposed(window):
            window.show()
        window.open_project(self._project)
        self._qtbot.waitUntil(lambda: window.workbench is not None, timeout=20_000)
        self._qtbot.waitUntil(lambda: self.bench.reader.text() != "")
        self.settle()
        return window

    @property
    def bench(self) -> Workbench:
        bench = self.window.workbench
        assert bench is not None
        return bench

    def restart(self) -> None:
        self.close()
        self.window = self._start()

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()

    def set_size(self, percent: int) -> None:
        self.window.preferences.interface_size = percent
        self.settle()

    def settle(self) -> None:
        for _ in range(10):
            QApplication.processEvents()

    def measures(self) -> dict[str, object]:
        bench = self.bench
        rows = bench.palette_.rows.values()
        return {
            "columns": bench.columns._whole.sizes(),
            "left": bench._left.sizes(),
            "right": bench._right.sizes(),
            "rows": [(row.height(), row._count_cell.width(), row.key.width()) for row in rows],
            "title": (bench.heading.title.font().pointSizeF(), bench.heading.title.height()),
            "modes": [button.text() for button in bench.modes.buttons.values()],
        }


@pytest.fixture
def started(qtbot: QtBot, project: Path) -> Iterator[Started]:
    Preferences().theme = "light"
    started = Started(qtbot, project)
    yield started
    started.close()


def test_another_size_and_back_leaves_everything_as_it_was_also_after_a_restart(started: Started) -> None:
    usual = started.measures()
    for size in (80, 150):
        started.set_size(size)
        other = started.measures()
        assert other["title"] != usual["title"]
        started.set_size(100)
        assert started.measures() == usual
        started.set_size(size)
        assert started.measures() == other
        started.restart()
        assert started.measures() == other
        started.set_size(100)
        assert started.measures() == usual
    started.restart()
    assert started.measures() == usual


def test_another_size_of_the_interface_and_back_leaves_the_text_where_it_was(started: Started) -> None:
    reader = started.bench.reader
    reader.turn_to(len(reader.text()) // 2)
    started.settle()
    place = reader.verticalScrollBar().value()
    assert place > 0
    for size in (200, 100):
        started.set_size(size)
    assert reader.verticalScrollBar().value() == place


def test_at_another_size_and_back_the_list_begins_with_a_whole_row(started: Started, qtbot: QtBot) -> None:
    session, reports = started.bench.session, started.bench.reports.list
    key = list(session.rows)[-2]
    session.open_report(key)
    qtbot.waitUntil(lambda: session.report_model.key == key)
    for size in (150, 100):
        started.set_size(size)
        assert reports.verticalScrollBar().value() > 0
        assert reports.visualRect(reports.indexAt(QPoint(1, 1))).y() == 0
        assert reports.viewport().rect().contains(reports.visualRect(reports.currentIndex()))


def test_every_category_and_command_is_in_sight_at_twice_the_size_in_a_small_window(started: Started) -> None:
    # The theme with the thickest edges.
    started.window.preferences.theme = "high contrast dark"
    started.window.resize(1366, 768)
    menu = started.window.menuBar().actions()[0].menu()
    assert isinstance(menu, QMenu)
    started.set_size(125)
    assert menu.sizeHint().height() <= 720
    for size in (150, 200):
        started.set_size(size)
        # What a small screen has no room for scrolls: a second column would end beyond its edge.
        assert {menu.actionGeometry(action).x() for action in menu.actions()} == {0}
        rows = started.bench.palette_.rows.values()
        assert all(row.visibleRegion().boundingRect().size() == row.size() for row in rows)
        assert all(len(row.name.text()) > 1 and row.key.isVisible() for row in rows)
        # Others have a short name that fits.
        assert sum(row.name.text().endswith("…") for row in rows) <= 3
    # In two columns there is no room for the ticks; Left and Right go from one column to the other.
    first, *_, last = rows
    assert not first.tick.isVisible()
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Right)
    assert list(rows)[7].hasFocus()
    QTest.keyClick(list(rows)[7], Qt.Key.Key_Left)
    assert first.hasFocus()
    menu = started.bench.palette_.menu_of(last.category.id)
    next(action for action in menu.actions() if "Show in the text" in action.text()).trigger()
    assert last.category.id in started.bench.palette_.hidden
    menu.close()


def test_at_every_size_the_title_is_larger_than_the_rest_and_the_page_has_the_colours_of_its_theme(
    started: Started,
) -> None:
    preferences, reader, heading = started.window.preferences, started.bench.reader, started.bench.heading
    for theme, dark in (("high contrast light", False), ("dark", True), ("light", False)):
        preferences.theme = theme
        for size in (200, 100) if theme == "light" else (150,):
            started.set_size(size)
            title, rest = heading.title.font(), heading.state.font()
            assert title.pointSizeF() == pytest.approx(rest.pointSizeF() * 1.35)
            assert title.bold()
            assert (reader.viewport().grab().toImage().pixelColor(3, 3).lightness() < 128) == dark


def test_the_note_is_in_sight_in_every_theme_and_at_twice_the_size(started: Started, qtbot: QtBot) -> None:
    bench = started.bench
    note, view = bench.inspector.details.note, bench.inspector.viewport()
    started.window.resize(1278, 701)
    # Edges are as wide in every theme but those of high contrast.
    sizes = [("light", 100), ("high contrast dark", 100), *((theme, 200) for theme in THEMES)]
    for number, (theme, size) in enumerate(sizes):
        started.window.preferences.theme = theme
        started.set_size(size)
        start, end = list(re.finditer(r"\bthe\b", bench.reader.text()))[number].span()
        bench.reader.select(start, end)
        heights = [part.height() for part in (bench.reader, bench.inspector)]
        bench.actions_["label.Neuro"].trigger()
        qtbot.waitUntil(lambda: note.isVisible() and bench.offer.isVisible())
        started.settle()
        # What is offered for other places with the same words moves nothing.
        assert heights == [part.height() for part in (bench.reader, bench.inspector)]
        qtbot.waitUntil(lambda: bench.offer.visibleRegion().boundingRect().size() == bench.offer.size())
        assert note.height() >= note.sizeHint().height()
        place = note.mapTo(view, note.rect().bottomRight())
        assert view.rect().contains(place)
        # Nor is the guideline above it a heading alone.
        lines = 1 if (is_contrast(theme), size) == (True, 200) else 2
        assert bench.guideline.text.viewport().height() >= lines * note.fontMetrics().height()
        rows = bench.palette_.rows.values()
        assert all(row.visibleRegion().boundingRect().size() == row.size() for row in rows)


def test_a_place_is_no_window_before_it_stands_in_one(qapp: QApplication) -> None:
    assert not Slot(QWidget()).isVisible(), "three windows flashed whenever a project was opened"


def test_what_is_made_first_has_its_letters_in_the_size_of_the_interface(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, name = qapp.font(), qapp.applicationName()
    Preferences().interface_size = 200

    def made(_: Preferences) -> None:
        raise ValueError(QApplication.font().pointSizeF())

    monkeypatch.setattr("sys.excepthook", sys.excepthook)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    for part, stands in (("Application", lambda _: qapp), ("MainWindow", made)):
        monkeypatch.setattr(application, part, stands)
    with pytest.raises(ValueError, match=str(interface_font(200).pointSizeF())):
        application.run(None)
    qapp.setFont(before)
    qapp.setApplicationName(name)
