"""Lists that drop down can be read in every theme, show all their rows, and are chosen from by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QTabBar,
    QToolTip,
    QVBoxLayout,
)
from pytestqt.qtbot import QtBot

from app.gui.modes.reconcile.beside.rationale_panel import ClauseEdit
from app.gui.shell.acts.typing import KeysKept
from app.gui.shell.look.preferences import THEMES
from app.gui.shell.look.theme import colours, is_contrast, is_dark
from app.gui.widgets.boxes import TabBar, Tabs
from app.gui.widgets.drop_down import DecimalBox, DeliberateChoice, DropDown, NumberBox
from app.gui.widgets.tips import explain
from app.palette import contrast, rgb
from tests.gui.conftest import pixels

KINDS: dict[str, Callable[[], QComboBox]] = {
    "plain": lambda: DropDown("Order"),
    "deliberate": lambda: DeliberateChoice("Whose"),
    "editable": ClauseEdit,
}
KEY = Qt.Key


Show = Callable[[QComboBox, int], QDialog]
Wear = Callable[[str, int], None]


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """Shows a dialog with a box, so many entries in it, and a button that Return presses."""
    dialogs: list[QDialog] = []

    def show_(box: QComboBox, count: int) -> QDialog:
        dialog = QDialog()
        dialogs.append(dialog)
        layout = QVBoxLayout(dialog)
        layout.addWidget(box)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(dialog.accept)
        layout.addWidget(buttons)
        for number in range(count):
            box.addItem(f"Entry {number} of the list, which says more than there is room for")
        box.setCurrentIndex(0)
        with qtbot.waitExposed(dialog):
            dialog.show()
        dialog.activateWindow()
        box.setFocus()
        qtbot.waitUntil(box.hasFocus)
        KeysKept(_application(), dialog)
        return dialog

    yield show_
    for dialog in dialogs:
        dialog.close()
        dialog.deleteLater()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def row_of(box: QComboBox, row: int) -> QRect:
    return box.view().visualRect(box.model().index(row, box.modelColumn(), box.rootModelIndex()))


# Edges are as wide in every theme but those of high contrast.
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("theme", "size"),
    [*((theme, 100) for theme in THEMES), *product(("light", "high contrast dark"), (150, 200))],
)
def test_every_row_is_seen_whole_and_the_chosen_one_can_be_read(
    wear: Wear, qtbot: QtBot, show: Show, kind: str, theme: str, size: int
) -> None:
    wear(theme, size)
    box = KINDS[kind]()
    show(box, 6)
    box.showPopup()
    qtbot.waitUntil(box.view().isVisible)
    box.view().setCurrentIndex(box.model().index(1, 0))
    look, port = colours(is_dark(theme), is_contrast(theme)), box.view().viewport()
    picture = pixels(port.grab().toImage())
    for row in range(6):
        place = row_of(box, row)
        assert 0 <= place.top() <= place.bottom() <= port.rect().bottom()
        # A long entry is cut at the edge of a small screen.
        place = place.intersected(port.rect())
        assert place.height() >= port.fontMetrics().height() + 4
        lines = picture[place.top() + 1 : place.bottom()]
        found = {pixel for line in lines for pixel in line[place.left() : place.right()]}
        seen = {QColor(pixel).name() for pixel in found}
        ground = QColor(picture[place.center().y()][place.left() + 2]).name()
        assert ground == (look.accent if row == 1 else look.paper)
        assert max(contrast(rgb(one), rgb(ground)) for one in seen) >= 4.5
    box.hidePopup()


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_as_wide_as_its_entries_and_many_are_scrolled(
    wear: Wear, qtbot: QtBot, show: Show, kind: str
) -> None:
    wear("light", 100)
    box = KINDS[kind]()
    show(box, 60)
    box.setFixedWidth(120)
    box.showPopup()
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    assert view.viewport().width() >= min(
        view.sizeHintForColumn(0), view.screen().availableSize().width() // 3
    )
    rows = [row_of(box, row) for row in range(60)]
    whole = [row for row in rows if view.viewport().rect().contains(row)]
    assert 10 <= len(whole) <= 20
    assert view.verticalScrollBar().maximum() > 0
    view.setCurrentIndex(box.model().index(59, 0))
    assert view.viewport().rect().contains(row_of(box, 59))
    box.hidePopup()


@pytest.mark.parametrize("kind", KINDS)
def test_arrows_and_return_choose_in_the_list_and_nothing_else_is_done(show: Show, kind: str) -> None:
    box = KINDS[kind]()
    dialog = show(box, 6)
    activated: list[int] = []
    box.activated.connect(activated.append)
    handle = dialog.windowHandle()
    box.showPopup()
    for key in (KEY.Key_Down, KEY.Key_Down, KEY.Key_Return):
        QTest.keyClick(handle, key)
    assert (box.currentIndex(), activated) == (2, [2])
    assert not box.view().isVisible()
    # The same Return does not press the button of the dialog.
    assert dialog.isVisible()


@pytest.mark.parametrize("kind", KINDS)
def test_escape_closes_the_list_and_leaves_all_as_it_was(show: Show, kind: str) -> None:
    box = KINDS[kind]()
    dialog = show(box, 6)
    activated: list[int] = []
    box.activated.connect(activated.append)
    box.showPopup()
    for key in (KEY.Key_Down, KEY.Key_End, KEY.Key_Escape):
        QTest.keyClick(dialog.windowHandle(), key)
    assert (box.currentIndex(), activated, box.view().isVisible()) == (0, [], False)
    assert dialog.isVisible()


def test_the_arrows_step_through_a_closed_list_or_open_it(show: Show) -> None:
    stepped = DropDown("Order")
    handle = show(stepped, 6).windowHandle()
    QTest.keyClick(handle, KEY.Key_Down)
    assert stepped.currentIndex() == 1
    opened = DeliberateChoice("Whose")
    handle = show(opened, 6).windowHandle()
    QTest.keyClick(handle, KEY.Key_Down)
    assert opened.view().isVisible()
    assert opened.currentIndex() == 0
    QTest.keyClick(handle, KEY.Key_Down)
    QTest.keyClick(handle, KEY.Key_Return)
    assert opened.currentIndex() == 1
    # A letter opens it at the entry that begins so, and chooses nothing by itself.
    opened.addItem("Zoe")
    QTest.keyClick(handle, KEY.Key_Z)
    assert (opened.view().currentIndex().row(), opened.currentIndex()) == (6, 1)
    QTest.keyClick(handle, KEY.Key_Return)
    assert opened.currentIndex() == 6


def test_a_list_with_nothing_chosen_that_is_opened_by_mouse_shows_what_return_chooses(show: Show) -> None:
    opened = DeliberateChoice("Whose")
    handle = show(opened, 6).windowHandle()
    opened.setCurrentIndex(-1)
    opened.showPopup()
    assert opened.view().selectionModel().isRowSelected(0)
    QTest.keyClick(handle, KEY.Key_Return)
    assert opened.currentIndex() == 0


@pytest.mark.parametrize("theme", THEMES)
def test_lists_of_qts_own_dialogs_can_be_read(wear: Wear, qtbot: QtBot, show: Show, theme: str) -> None:
    wear(theme, 100)
    box = QComboBox()
    show(box, 3)
    box.showPopup()
    qtbot.waitUntil(box.view().isVisible)
    place = row_of(box, 0)
    picture = box.view().viewport().grab().toImage()
    ground = picture.pixelColor(place.right() - 1, place.center().y()).name()
    assert ground == colours(is_dark(theme), is_contrast(theme)).accent
    box.hidePopup()


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["annotator of the first centre, 1", "annotator of the first centre, 2"], 1),
        (["run/few-shot-1/model", "run/few-shot-2/model"], 2),
    ],
)
def test_names_that_differ_at_their_ends_or_with_two_lines_anywhere_are_told_apart(
    qtbot: QtBot, names: list[str], lines: int
) -> None:
    box = DropDown("Whose")
    qtbot.addWidget(box)
    box.addItems(names)
    box.resize(120, lines * box.sizeHint().height())
    first = box.grab().toImage()
    box.setCurrentIndex(1)
    assert box.grab().toImage() != first
    # What can be typed stands in a line of its own, and not below it as well.
    box.setEditable(True)
    box.setLineEdit(unseen := QLineEdit())
    unseen.hide()
    first = box.grab().toImage()
    box.setCurrentIndex(0)
    assert box.grab().toImage() == first


@pytest.mark.parametrize(("width", "said"), [(90, True), (900, False)])
def test_a_name_that_has_no_room_is_said_under_the_mouse(qtbot: QtBot, width: int, said: bool) -> None:
    QToolTip.hideText()
    box = DropDown("Whose")
    qtbot.addWidget(box)
    box.addItem("invented-replies/ucp/few-shot")
    box.setFixedWidth(width)
    with qtbot.waitExposed(box):
        box.show()
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), box.mapToGlobal(QPoint(5, 5))))
    assert ("invented-replies/ucp/few-shot" in QToolTip.text()) == said
    QToolTip.hideText()


def test_what_it_chooses_is_said_also_where_it_goes_by_what_is_chosen(qtbot: QtBot) -> None:
    box = DropDown("Whose")
    qtbot.addWidget(box)
    box.addItem("annotator-1")
    heard = QAccessible.queryAccessibleInterface(box)
    said = f"{heard.text(QAccessible.Text.Name)} {heard.text(QAccessible.Text.Description)}"
    assert said.count("Whose") == 1
    explain(box, "Who annotated")
    assert heard.text(QAccessible.Text.Description) == "Who annotated"
    box.showPopup()
    assert QAccessible.queryAccessibleInterface(box.view()).text(QAccessible.Text.Name) == "Whose"
    box.hidePopup()


@pytest.mark.parametrize("make", [*KINDS.values(), NumberBox, DecimalBox, TabBar])
def test_a_wheel_chooses_nothing_and_is_left_to_what_scrolls_around(
    qtbot: QtBot, make: Callable[[], QComboBox | QAbstractSpinBox | QTabBar]
) -> None:
    box = make()
    qtbot.addWidget(box)
    if isinstance(box, QComboBox):
        box.addItems(["Spring", "Summer"])
        box.setCurrentIndex(0)
    elif isinstance(box, QTabBar):
        for season in ("Spring", "Summer"):
            box.addTab(season)
    box.show()
    assert isinstance(Tabs("Seasons").tabBar(), TabBar)
    # Nor has it the keys afterwards.
    assert not box.focusPolicy() & Qt.FocusPolicy.WheelFocus & ~Qt.FocusPolicy.StrongFocus
    name = "currentIndex" if isinstance(box, (QComboBox, QTabBar)) else "text"
    before, place = box.property(name), QPoint(5, 5)
    for way in (-120, 120):
        turned = QWheelEvent(
            *(place, box.mapToGlobal(place), QPoint(), QPoint(0, way), Qt.MouseButton.NoButton),
            *(Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
        )
        QApplication.sendEvent(box, turned)
        assert box.property(name) == before
        assert not turned.isAccepted()
