"""Keys belong to the menu, list or dialog that is open: no command hears of them, in any mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.field_menu import FieldMenu
from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.review.mode import ReviewMode
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.project.opening import open_project
from app.store.history import history
from tests.builders import Kept
from tests.gui.conftest import ME, key_of, opened_window
from tests.gui.lending import Lending, until_shown
from tests.gui.modes.reconcile.conftest import ANA, SAID, TEXTS, write_study
from tests.verbs import asked, settle

MODIFIER = Qt.KeyboardModifier
NONE, CTRL, ALT, SHIFT = (
    MODIFIER.NoModifier,
    MODIFIER.ControlModifier,
    MODIFIER.AltModifier,
    MODIFIER.ShiftModifier,
)
FEVER = TEXTS["PMC1"].index("fever")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MODES = {"annotate": "1", "review": "2", "agreement": "3", "reconcile": "4", "phenotypes": "6"}
Keys = list[tuple[Qt.Key, Qt.KeyboardModifier]]
# All but those by which one goes through a list and out of it.
KEYS: Keys = [
    *((key_of(sign), NONE) for sign in LETTERS + "0123456789.,;+"),
    *((key_of(letter), SHIFT) for letter in LETTERS),
    (Qt.Key.Key_Delete, NONE),
    (Qt.Key.Key_Backspace, NONE),
    *((Qt.Key(Qt.Key.Key_F1 + number), NONE) for number in (0, 1, 2, 5, 7)),
    *((key_of(sign), CTRL) for sign in "1234dekpyz"),
    (Qt.Key.Key_Right, ALT),
]


class Opened:
    """The window with a project, every command that is given in it, and what is on record."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        assert window.workbench is not None
        self.window, self.qtbot = window, qtbot
        self.workbench: Workbench = window.workbench
        self.session = self.workbench.session
        self.given: list[str] = []
        for command in window.actions_.commands():
            window.actions_[command.id].triggered.connect(_noting(self.given, command.id))

    def settle(self) -> None:
        settle(self.session.worker, self.qtbot, 3)
        until_shown(self.workbench, self.qtbot)

    def put_back(self) -> None:
        """To one's own span, which is current."""
        self.workbench.frame.open_mode("annotate")
        reader = self.workbench.reader
        reader.set_two_click(False)
        self.session.open_report("PMC1")
        self.settle()
        reader.go_to(FEVER + 1)
        self.session.report_model.set_current(next(iter(self.session.report_model.spans)))
        reader.setFocus()

    def acts(self) -> int:
        """How many acts there are on record."""
        return asked(self.session.worker, self.qtbot, lambda project: len(history(project)))

    def go_to(self, mode: str) -> None:
        """Enter a mode as far as there is something to decide in it."""
        QTest.keyClick(self.window.windowHandle(), key_of(MODES[mode]), CTRL)
        self.settle()
        shown = self.workbench.frame.mode
        if isinstance(shown, ReviewMode):
            shown.reviewing.choose(ANA)
            self.qtbot.waitUntil(lambda: shown.reviewing.report_review is not None)
        if isinstance(shown, ReconcileMode):
            self.qtbot.waitUntil(lambda: shown.work.offer_of_sides is not None)
            self.settle()
            if shown.work.unseen:
                QTest.keyClick(self.window.windowHandle(), Qt.Key.Key_Return)
        self.settle()
        self.take_focus()

    def take_focus(self) -> None:
        """Back to where the keys of the mode act."""
        self.window.activateWindow()
        self.workbench.go_on()
        self.qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)

    def menus(self) -> list[QMenu]:
        """Every menu that can be opened here, those of buttons too."""
        menus = [menu for menu in self.window.findChildren(QMenu) if menu.actions()]
        return [menu for menu in menus if _is_here(menu)]

    def assert_kept(self, open_: Callable[[], QWidget], keys: Keys) -> None:
        """Every key is pressed in a newly opened list, and nothing comes of it."""
        before = self.acts()
        self.given.clear()
        for key, modifier in keys:
            popup = QApplication.activePopupWidget() or open_()
            assert QApplication.activePopupWidget() is not None
            _press(popup, key, modifier)
            assert self.given == [], (type(popup), key, modifier)
        _close_popups()
        self.settle()
        assert self.acts() == before


def _noting(given: list[str], command: str) -> Callable[[bool], None]:
    return lambda _checked: given.append(command)


def _press(widget: QWidget, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE) -> None:
    """As the window system does, to the window; from there Qt hands it on to the list that is open."""
    while widget.window().windowType() == Qt.WindowType.Popup and (below := widget.window().parentWidget()):
        widget = below
    QTest.keyClick(widget.window().windowHandle(), key_of(key), modifier)


def _is_here(menu: QMenu) -> bool:
    holder = menu.parentWidget()
    return isinstance(holder, QMenu) or (holder is not None and holder.isVisible())


def _close_popups() -> None:
    while popup := QApplication.activePopupWidget():
        popup.close()


def _foreign(menu: QMenu) -> Keys:
    """The keys that are no entry's own."""
    marked = [QKeySequence.mnemonic(action.text()).toString() for action in menu.actions()]
    own = {key_of(words[-1]) for words in marked if words}
    return [one for one in KEYS if one[1] in (CTRL, ALT) or one[0] not in own]


def _shown(menu: QMenu) -> QMenu:
    menu.popup(QPoint(40, 40))
    return menu


def _listed(box: QComboBox) -> QWidget:
    box.setFocus()
    box.showPopup()
    return box.view()


def write_done(path: Path) -> None:
    """Three reports that two have done, and a span of one's own in the first."""
    with open_project(write_study(path, SAID)) as project:
        add_span(project, ME, SpanPlace("PMC1", FEVER, FEVER + 5), "Vitals_Hema")


@pytest.fixture
def opened(lending: Lending[Opened], kept: Kept, tmp_path: Path, qtbot: QtBot) -> Iterator[Opened]:
    """With the span as the current one."""

    def open_() -> Opened:
        opened = Opened(opened_window(kept.copy(write_done, tmp_path / "study.casespan"), qtbot), qtbot)
        opened.settle()
        opened.put_back()
        return opened

    with lending.lend(open_, Opened.put_back, qtbot) as opened:
        opened.given.clear()
        yield opened
        _close_popups()


@pytest.mark.parametrize("mode", MODES)
def test_no_key_in_an_open_menu_gives_a_command_of_the_mode(opened: Opened, mode: str) -> None:
    opened.go_to(mode)
    menus = opened.menus()
    assert len(menus) > 12
    # Those of the window are there in every mode: in each of them another part of the keys is pressed.
    bar, turn = opened.window.menuBar(), list(MODES).index(mode)
    for number, menu in enumerate(menus):
        opened.take_focus()
        keys = _foreign(menu)
        opened.assert_kept(
            partial(_shown, menu), keys[(number + turn) % 4 :: 4] if bar.isAncestorOf(menu) else keys
        )


@pytest.mark.parametrize("mode", MODES)
def test_no_key_in_a_list_that_has_dropped_down_gives_a_command_or_chooses(opened: Opened, mode: str) -> None:
    opened.go_to(mode)
    boxes = [box for box in opened.workbench.findChildren(QComboBox) if box.isVisible() and box.isEnabled()]
    assert bool(boxes) == (mode not in ("annotate", "phenotypes"))
    for box in boxes:
        if box.count():
            chosen = box.currentIndex()
            opened.assert_kept(partial(_listed, box), [one for one in KEYS if one[1] != ALT])
            assert box.currentIndex() == chosen


def test_no_key_in_the_field_for_a_concept_gives_a_command(opened: Opened) -> None:
    def asked() -> QWidget:
        popup = opened.workbench.editing.concept()
        assert popup is not None
        return popup

    opened.assert_kept(asked, [*KEYS, (Qt.Key.Key_Up, NONE), (Qt.Key.Key_F4, NONE), (Qt.Key.Key_Left, NONE)])


def test_no_key_in_the_menu_of_the_text_gives_a_command(opened: Opened) -> None:
    def pointed_at() -> QMenu:
        opened.workbench.reader.context_requested.emit(opened.workbench.reader.caret(), QPoint(10, 10))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    menu = pointed_at()
    foreign = _foreign(menu)
    assert all(sub.actions() for sub in menu.findChildren(QMenu))
    opened.assert_kept(pointed_at, foreign)


def test_in_the_menu_of_fields_keys_choose_fields_and_label_nothing(opened: Opened) -> None:
    handle = opened.window.windowHandle()
    report_model = opened.session.report_model

    def fields() -> QMenu:
        opened.workbench.inspector.edit_field()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, FieldMenu)
        return menu

    names = [action.text().split()[1] for action in fields().actions()]
    own = {key_of(sign) for sign in [*(name[0] for name in names), *map(str, range(len(names)))]}
    opened.assert_kept(fields, [one for one in KEYS if one[0] not in own])
    QTest.keyClick(handle, key_of("f"))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, FieldMenu)
    _press(popup, "2")
    opened.settle()
    span = next(iter(report_model.spans.values())).finding
    assert (span.field != "", span.polarity, span.category) == (True, "present", "Vitals_Hema")


def test_the_underlined_letter_of_an_open_menu_gives_its_entry(opened: Opened) -> None:
    QTest.keyClick(opened.window.windowHandle(), key_of("s"), ALT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    _press(menu, "g")
    assert QApplication.activePopupWidget() is None
    assert opened.given == ["span.negated"]


def test_no_letter_that_is_printed_beside_an_entry_gives_another(opened: Opened) -> None:
    """In an open menu the underlined letter acts, beside which the key that acts elsewhere is printed."""
    offset = FEVER + 1
    opened.workbench.reader.context_requested.emit(offset, QPoint(40, 40))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    for menu in (popup, *opened.menus()):
        entries = [one for one in menu.actions() if one.text()]
        marked = {QKeySequence.mnemonic(one.text()).toString().removeprefix("Alt+"): one for one in entries}
        printed = {one.shortcut().toString(): one for one in entries}
        wrong = {
            letter: (printed[letter].text(), one.text())
            for letter, one in marked.items()
            if letter and letter in printed and printed[letter] is not one
        }
        assert not wrong, menu.title()


@pytest.mark.parametrize(
    ("key", "other", "preference"), [("w", "b", "by_characters"), ("b", "w", "two_clicks")]
)
def test_what_a_key_turns_on_it_turns_off_and_nothing_else(
    opened: Opened, key: str, other: str, preference: str
) -> None:
    handle, preferences = opened.window.windowHandle(), opened.window.preferences
    told: list[str] = []
    opened.session.message.connect(told.append)
    QTest.keyClick(handle, key_of(other))
    for on in (True, False):
        QTest.keyClick(handle, key_of(key))
        assert getattr(preferences, preference) is on
    assert (preferences.by_characters, preferences.two_clicks).count(True) == 1
    QTest.keyClick(handle, key_of(other))
    assert (preferences.by_characters, preferences.two_clicks) == (False, False)
    assert len(told) == len(set(told)) == 4


def test_escape_gives_up_the_start_of_a_selection_after_it_has_closed_a_menu(opened: Opened) -> None:
    handle, reader = opened.window.windowHandle(), opened.workbench.reader
    reader.set_two_click(True)
    QTest.keyClick(handle, key_of("s"), ALT)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    _press(menu, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, NONE, reader.cursorRect().center())
    assert reader._mouse.start is not None
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert reader._mouse.start is None


def test_a_key_held_down_acts_only_in_what_it_was_pressed_in(opened: Opened) -> None:
    handle = opened.window.windowHandle()
    QTest.keyClick(handle, key_of("f"))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    # Held down, the letter that has opened the fields is not the first of one.
    _repeat(menu, "f")
    assert QApplication.activePopupWidget() is menu
    _press(menu, "2")
    assert QApplication.activePopupWidget() is None
    before = opened.acts()
    _repeat(opened.workbench.reader, "2")
    opened.settle()
    assert (opened.given, opened.acts()) == (["span.field"], before)
    QTest.keyClick(handle, key_of("2"))
    assert opened.given == ["span.field", "span.negated"]


def _repeat(widget: QWidget, sign: str) -> None:
    """What the system sends while a key is held down."""
    QTest.simulateEvent(widget, True, key_of(sign).value, NONE, sign, True, -1)


DIALOGS = (
    "project.new",
    "project.open",
    "project.import",
    "project.extract",
    "project.runs",
    "project.rate",
    "project.amendments",
    "project.bias",
    "project.export",
    "project.copy",
    "project.restore",
    "project.packets",
    "project.merge",
    "project.annotator",
    "report.others",
    "help.keys",
    "help.about",
)


def test_no_key_in_any_dialog_gives_a_command(opened: Opened) -> None:
    # Keys of each kind in every dialog, and in one or another all.
    for number, command in enumerate(DIALOGS):
        opened.given.clear()
        _assert_dialog_keeps_keys(opened, command, KEYS[number % 4 :: 4])
        opened.take_focus()


def _assert_dialog_keeps_keys(opened: Opened, command: str, keys: Keys) -> None:
    before = opened.acts()
    opened.window.actions_[command].trigger()
    opened.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    opened.settle()
    for key, modifier in keys:
        for window in (dialog, opened.window):
            _press(window, key, modifier)
    assert opened.given == [command]
    QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Escape)
    question = QApplication.activeModalWidget()
    if isinstance(question, QMessageBox):
        # What was typed is not kept.
        question.accept()
    opened.settle()
    assert opened.acts() == before


def test_a_key_pressed_before_a_dialog_has_the_focus_does_nothing_to_what_it_covers(opened: Opened) -> None:
    before = opened.acts()
    characters = opened.window.actions_["span.characters"]
    on = characters.isChecked()
    opened.window.actions_["help.about"].trigger()
    handle = opened.window.windowHandle()
    for sign in "nw2":
        QTest.simulateEvent(handle, True, key_of(sign).value, NONE, sign, False, -1)
    opened.settle()
    assert (opened.acts(), characters.isChecked()) == (before, on)
    assert opened.workbench.preferences.by_characters == on
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    dialog.reject()


def test_no_key_in_a_menu_of_the_start_page_gives_a_command(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(window._menus["View"].actions()))
    given: list[str] = []
    for command in window.actions_.commands():
        window.actions_[command.id].triggered.connect(_noting(given, command.id))
    for menu in window.findChildren(QMenu):
        for key, modifier in _foreign(menu) if menu.actions() else []:
            _shown(menu)
            _press(menu, key, modifier)
            _close_popups()
    assert given == []
