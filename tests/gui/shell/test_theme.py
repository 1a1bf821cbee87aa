"""Every word can be read in every theme, and the size of text never adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.shell.look.preferences import THEMES, Preferences
from app.gui.shell.look.theme import (
    application_icon,
    apply_theme,
    colours,
    follow_desktop,
    is_contrast,
    is_dark,
)
from app.gui.shell.main_window import MainWindow
from app.gui.widgets.boxes import scrolled
from app.palette import contrast, rgb
from tests.gui.conftest import pixels
from tests.verbs import exposed

Wear = Callable[[str, int], None]
ROLE, GROUP = QPalette.ColorRole, QPalette.ColorGroup
WORDS = (
    (ROLE.WindowText, ROLE.Window),
    (ROLE.Text, ROLE.Base),
    (ROLE.Text, ROLE.AlternateBase),
    (ROLE.PlaceholderText, ROLE.Base),
    (ROLE.PlaceholderText, ROLE.Window),
    (ROLE.PlaceholderText, ROLE.Button),
    (ROLE.ButtonText, ROLE.Button),
    (ROLE.ButtonText, ROLE.Midlight),
    (ROLE.ToolTipText, ROLE.ToolTipBase),
    (ROLE.Link, ROLE.Base),
    (ROLE.Link, ROLE.Window),
    (ROLE.LinkVisited, ROLE.Base),
    (ROLE.LinkVisited, ROLE.Window),
    (ROLE.HighlightedText, ROLE.Highlight),
    (ROLE.BrightText, ROLE.Highlight),
)


def contrast_of(
    palette: QPalette, group: QPalette.ColorGroup, words: QPalette.ColorRole, ground: QPalette.ColorRole
) -> float:
    return contrast(rgb(palette.color(group, words).name()), rgb(palette.color(group, ground).name()))


def test_nothing_glides(qapp: QApplication, qtbot: QtBot) -> None:
    apply_theme(qapp, "light", 100)
    for kind in (QScrollBar, QProgressBar, QTreeView, QComboBox, QMenu, QMainWindow):
        qtbot.addWidget(widget := kind())
        assert widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) == 0


@pytest.mark.parametrize("theme", THEMES)
def test_every_word_can_be_read_on_its_ground(qapp: QApplication, wear: Wear, theme: str) -> None:
    wear(theme, 100)
    palette = qapp.palette()
    for words, ground in WORDS:
        for group in (GROUP.Active, GROUP.Inactive):
            needed = 7 if is_contrast(theme) else 4.5
            assert contrast_of(palette, group, words, ground) >= needed, (words, ground)
        assert contrast_of(palette, GROUP.Disabled, words, ground) >= 3, (words, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_focus_grips_and_progress_can_be_told_from_their_ground(theme: str) -> None:
    look = colours(is_dark(theme), is_contrast(theme))
    for ground in (look.window, look.paper):
        for mark in (look.accent, look.grip):
            assert contrast(rgb(mark), rgb(ground)) >= 3
        assert contrast(rgb(look.dim), rgb(ground)) < contrast(rgb(look.grip), rgb(ground))
    assert contrast(rgb(look.on_accent), rgb(look.accent)) >= 4.5
    assert contrast(rgb(look.ink), rgb(look.done)) >= 4.5
    if is_contrast(theme):
        assert {look.window, look.paper, look.ink} == {"#000000", "#ffffff"}
        assert (look.border, look.focus) == (2, 4)


def test_the_themes_are_dark_as_their_names_say(qapp: QApplication) -> None:
    for theme in THEMES[1:]:
        apply_theme(qapp, theme, 100)
        dark = qapp.palette().color(ROLE.Base).lightness() < 128
        assert dark == is_dark(theme) == theme.endswith("dark")
    apply_theme(qapp, "system", 100)
    desktop = qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert is_dark("system") == desktop


def test_text_is_scaled_from_the_desktops_font_and_never_twice(qapp: QApplication) -> None:
    base = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    for percent in (250, 250, 80, 100):
        apply_theme(qapp, "light", percent)
        assert qapp.font().pointSizeF() == pytest.approx(base * percent / 100)


def test_a_desktop_that_turns_dark_is_followed_only_by_the_systems_theme(
    qapp: QApplication, qtbot: QtBot
) -> None:
    preferences = Preferences()
    follow_desktop(qapp, preferences)
    hints = qapp.styleHints()
    with qtbot.waitSignal(preferences.changed) as said:
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert said.args == ["theme"]
    preferences.theme = "light"
    with qtbot.assertNotEmitted(preferences.changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)


def shown_in(qtbot: QtBot, part: QWidget) -> QWidget:
    """The window in which a widget is shown, beside a button that has the focus."""
    window = QWidget()
    qtbot.addWidget(window)
    part.setParent(window)
    part.setGeometry(0, 60, 200, 80)
    other = QPushButton("Other", window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    return window


def checked(button: QAbstractButton) -> QAbstractButton:
    button.setCheckable(True)
    button.setChecked(True)
    return button


def auto_raised() -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    return button


PARTS: dict[str, Callable[[], QWidget]] = {
    "button": lambda: QPushButton("Words"),
    "tool button": QToolButton,
    "checked button": lambda: checked(QPushButton("Words")),
    "checked tool button": lambda: checked(QToolButton()),
    "checked bare button": lambda: checked(auto_raised()),
    "field": QLineEdit,
    "box": QCheckBox,
    "browser": QTextBrowser,
    "text": QTextEdit,
    "plain text": QPlainTextEdit,
    "list": QListWidget,
    "slider": lambda: QSlider(Qt.Orientation.Horizontal),
    "words that scroll": lambda: scrolled(QLabel("Words"), "Words"),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("theme", THEMES)
def test_the_focus_is_seen_and_moves_nothing(wear: Wear, qtbot: QtBot, theme: str, name: str) -> None:
    wear(theme, 100)
    part = PARTS[name]()
    part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window = shown_in(qtbot, part)
    hint, inner, without = part.sizeHint(), inner_of(part), part.grab().toImage()
    part.setFocus()
    qtbot.waitUntil(part.hasFocus)
    shown = part.grab().toImage()
    changes = Counter(zip(chain(*pixels(shown)), chain(*pixels(without)), strict=True))
    count = sum(
        number
        for (after, before), number in changes.items()
        if contrast(rgb(QColor(after).name()), rgb(QColor(before).name())) >= 3
    )
    assert count > 20
    assert (part.sizeHint(), inner_of(part)) == (hint, inner)
    window.close()


def inner_of(part: QWidget) -> QRect:
    """Where the contents of a scrolling widget are, or the words of a box."""
    if isinstance(part, QCheckBox):
        option = QStyleOptionButton()
        part.initStyleOption(option)
        return part.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, part)
    return part.viewport().geometry() if isinstance(part, QAbstractScrollArea) else QRect()


@pytest.mark.parametrize(
    "kind", [QPushButton, QToolButton, QLineEdit, QComboBox, QSpinBox, QListWidget, PARTS["slider"]]
)
@pytest.mark.parametrize("theme", THEMES)
def test_the_edge_of_what_can_be_used_is_seen_and_fainter_of_what_cannot(
    wear: Wear, qtbot: QtBot, theme: str, kind: Callable[[], QWidget]
) -> None:
    wear(theme, 100)
    look = colours(is_dark(theme), is_contrast(theme))
    part = kind()
    window = shown_in(qtbot, part)
    seen = []
    for enabled in (True, False):
        part.setEnabled(enabled)
        edge = part.grab().toImage().pixelColor(0, part.height() // 2).name()
        seen.append([contrast(rgb(edge), rgb(ground)) for ground in (look.window, look.paper)])
    assert min(seen[0]) >= 3
    assert all(off < on for on, off in zip(*seen, strict=True))
    window.close()


@pytest.mark.parametrize("theme", ["light", "high contrast light"])
def test_a_default_button_has_room_for_its_words(wear: Wear, qtbot: QtBot, theme: str) -> None:
    wear(theme, 100)
    plain, default = QPushButton("Choose a file and export"), QPushButton("Choose a file and export")
    dialog = QDialog()
    qtbot.addWidget(dialog)
    row = QHBoxLayout(dialog)
    for button in (plain, default):
        row.addWidget(button)
    plain.setAutoDefault(False)
    default.setDefault(True)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert default.sizeHint().width() >= plain.sizeHint().width()
    assert default.width() >= default.sizeHint().width()
    right = default.grab().toImage().pixelColor(default.width() - 1, default.height() // 2)
    assert right == QColor(colours(is_dark(theme), is_contrast(theme)).accent)


def test_a_new_size_reaches_every_open_widget_both_ways(
    qapp: QApplication, qtbot: QtBot, project: Path
) -> None:
    preferences = Preferences()
    preferences.theme = "light"
    apply_theme(qapp, "light", 100)
    window = exposed(qtbot, MainWindow(preferences))
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    parts = [
        part
        for part in window.findChildren(QWidget)
        if isinstance(part, QMenuBar | QLabel | QAbstractButton | QLineEdit | QAbstractItemView)
    ]
    assert len(parts) > 60
    before = [part.font().pointSizeF() for part in parts]
    for percent in (200, 100):
        preferences.interface_size = percent
        sizes = [size * percent / 100 for size in before]
        assert [part.font().pointSizeF() for part in parts] == pytest.approx(sizes), percent
    window.close()


def test_the_icon_is_there_in_small_and_large(qapp: QApplication) -> None:
    for size in (16, 256):
        image = application_icon().pixmap(size, size).toImage()
        found = {image.pixelColor(x, y).name() for x in range(size) for y in range(size)}
        assert {"#184f9f", "#ffffff", "#ffd45c"} <= found
