"""The guide opens at the page about what is on the screen and fetches nothing; the tour can be left."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from runpy import run_path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

import app.gui
from app.gui.dialogs.exchange.labels import LabelsDialog
from app.gui.dialogs.forms import FormDialog
from app.gui.guide.pages import FIRST, LISTS, PAGES, _around, commands_in, search, source, text
from app.gui.guide.tour import STOPS, Tour
from app.gui.guide.window import GuideWindow
from app.gui.modes import ANNOTATE, MODES
from app.gui.shell.acts.commands import COMMANDS
from app.gui.shell.acts.help import HelpCommands
from app.gui.shell.look.theme import apply_theme
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.gui.widgets.large import LargeButton
from app.gui.widgets.upright import UprightButton
from extractors.assets import asset
from tests.verbs import press

KEYS = {command.id: command.keys[0] if command.keys else "" for command in COMMANDS}
FOLDER = asset("resources", "guide")
# Keys of Qt's own, which no command has; letters and digits are written in another way.
KEY = re.compile(r"\b(?:Ctrl|Alt|Shift|Meta)\+\S+|\bF\d{1,2}\b")


def key(command: str) -> str:
    return KEYS.get(command, "")


def guide() -> GuideWindow:
    (window,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, GuideWindow)]
    return window


@pytest.fixture
def bench(window: MainWindow, project: Path, qtbot: QtBot) -> Workbench:
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None and window.workbench.session.report_model.key != "")
    assert window.workbench is not None
    return window.workbench


def dialogs(kind: type[FormDialog] = FormDialog) -> set[type[FormDialog]]:
    return {kind}.union(*(dialogs(one) for one in kind.__subclasses__()))


def test_every_mode_and_dialog_has_a_page_and_every_page_is_listed() -> None:
    for module in walk_packages(app.gui.__path__, "app.gui."):
        if "dialog" in module.name or "modes" in module.name:
            import_module(module.name)
    assert {ANNOTATE.id, *MODES} <= set(PAGES)
    shown = {one.__name__: one.guide for one in dialogs()}
    assert {name: page for name, page in shown.items() if page not in PAGES} == {}
    assert shown["ImportDialog"] == "import"
    # Whoever adds a page lists it, and what is listed is there.
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == sorted(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_links_pictures_and_commands_of_a_page_are_there_and_keys_come_from_the_commands(page: str) -> None:
    plain = source(page)
    assert plain.startswith("# ")
    linked = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", plain)
    for picture, name in linked:
        assert (FOLDER / "pictures" / name if picture else FOLDER / name).exists(), name
    assert set(commands_in(page)) <= set(KEYS)
    assert "`no key`" not in text(page, key)
    # A key that was written down would be wrong as soon as somebody changes it.
    assert KEY.findall(plain) == []
    assert not any(f"{{{{{name}" in text(page, key) for name in LISTS)


def test_f1_shows_the_page_of_the_mode_and_of_the_dialog_that_is_open(
    bench: Workbench, window: MainWindow, qtbot: QtBot
) -> None:
    bench.actions_["help.guide"].trigger()
    assert guide().shown == "annotate"
    assert "Ctrl+Return" in guide().page.toPlainText()
    bench.actions_["mode.review"].trigger()
    bench.actions_["help.guide"].trigger()
    assert guide().shown == "review"
    # A dialog that has to be answered first leaves the guide to be read and turned.
    dialog = LabelsDialog(bench.session, bench)
    dialog.open()
    qtbot.waitUntil(dialog.isVisible)
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    assert guide().shown == "labels"
    assert guide().isVisible()
    guide().back.click()
    assert guide().shown == "review"
    dialog.close()
    window.close()
    assert not [
        one for one in QApplication.topLevelWidgets() if isinstance(one, GuideWindow) and one.isVisible()
    ]


def test_words_find_pages_and_links_out_of_the_guide_are_shown_and_not_followed(qtbot: QtBot) -> None:
    assert search("gold reconcile", key)[0].page == "reconcile"
    assert search("annotations", key)[0].page == "export", "which has it in its title"
    page = next(one for one in PAGES if set(commands_in(one)) - set(LISTS))
    assert text(page, lambda _: "F9") == text(page, lambda _: "").replace("`no key`", "`F9`") != source(page)
    assert search("telemetry nowheretobefound", key) == search(" ", key) == []
    (found,) = search("telemetry", key)
    assert (found.excerpt[0], "telemetry" in found.excerpt) == ("…", True)
    page = "one\n" * 40
    assert _around(page, 4) == " ".join(["one"] * 16) + "…"
    assert _around(page, 40) == "…e " + " ".join(["one"] * 22) + "…"
    window = GuideWindow(key)
    qtbot.addWidget(window)
    window.turn_to("no such page")
    assert window.shown == FIRST
    QTest.keyClick(window.page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.words
    window.words.setText("telemetry")
    assert [window.list.item(row).text().split("\n")[0] for row in range(window.list.count())] == [
        "What stays on this computer"
    ]
    QTest.keyClick(window.words, Qt.Key.Key_Return)
    assert (window.shown, window.list.currentRow()) == ("privacy", 0)
    assert window.page.extraSelections()
    # The list marks the page on show, if that is in it.
    window.page.anchorClicked.emit(QUrl(f"{FIRST}.md"))
    assert (window.shown, window.list.currentRow()) == (FIRST, -1)
    window.back.click()
    assert window.list.currentRow() == 0
    window.page.anchorClicked.emit(QUrl("https://example.org/x"))
    assert (window.shown, window.outside.isHidden()) == ("privacy", False)
    assert "https://example.org/x" in window.address.text()
    # Nothing but the guide's own is loaded, whatever a page names.
    for name in ("https://example.org/x.png", "file:///etc/hostname", "../../icons/casespan.svg"):
        kind = QTextDocument.ResourceType.ImageResource.value
        assert not window.page.loadResource(kind, QUrl(name)), name
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.words.text() == ""


def test_without_a_project_the_tour_waits_for_the_sample(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.help = HelpCommands(
        window,
        lambda: window.workbench,
        window.actions_,
        window.preferences,
        lambda _dialog: None,
        lambda: window.open_project(project),
    )
    window.start_page.findChildren(LargeButton)[-1].click()
    qtbot.waitUntil(lambda: bool(window.findChildren(Tour)))


def test_the_tour_lights_real_parts_tells_their_keys_and_leaves_at_escape(
    bench: Workbench, qtbot: QtBot
) -> None:
    bench.actions_["help.tour"].trigger()
    (tour,) = bench.findChildren(Tour)
    before = dict(bench.session.report_model.spans)
    for number, stop in enumerate(STOPS):
        assert tour.number == number
        assert stop.part(bench).isVisible()
        assert tour.lit.width() > 40
        assert tour.rect().contains(tour.card.geometry())
        assert "{" not in tour.words.text()
        # No key does anything below, and no second tour begins.
        press("N")
        QTest.keyClick(tour, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        bench.actions_["help.tour"].trigger()
        assert bench.findChildren(Tour) == [tour]
        if number == 3:
            QTest.keyClick(tour, Qt.Key.Key_Left)
            QTest.keyClick(tour, Qt.Key.Key_Right)
        if number + 1 < len(STOPS):
            press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not bench.findChildren(Tour))
    assert bench.reader.hasFocus()
    assert bench.session.report_model.spans == before


def test_the_tour_lights_what_stands_for_the_lists_while_they_are_folded_away(
    bench: Workbench, qtbot: QtBot
) -> None:
    bench.actions_["view.lists"].trigger()
    strip = bench.findChild(UprightButton)
    assert strip is not None
    qtbot.waitUntil(strip.isVisible)
    bench.actions_["help.tour"].trigger()
    (tour,) = bench.findChildren(Tour)
    assert tour.lit == QRect(strip.mapTo(bench, QPoint()), strip.size())


def test_the_command_that_makes_the_pictures_writes_what_a_widget_shows(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run_path(str(Path(__file__).parents[3] / "build" / "make_pictures.py"))
    monkeypatch.setitem(made["take"].__globals__, "OUT", tmp_path)
    label = QLabel("A man.")
    qtbot.addWidget(label)
    made["take"](label, "window")
    assert QImage(str(tmp_path / "window.png")).size() == label.size()


def test_the_guide_wears_the_theme_of_the_window_and_follows_it(bench: Workbench, qapp: QApplication) -> None:
    window = bench.window()
    apply_theme(qapp, "light", 100, window)
    bench.actions_["help.guide"].trigger()
    for theme in ("light", "dark"):
        apply_theme(qapp, theme, 100, window)
        assert guide().styleSheet() == window.styleSheet() != ""
