"""Every word can be read in every theme, and the size of text never adds up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.gui.icon import application_icon
from app.gui.preferences import THEMES, Preferences
from app.gui.reader.palette import contrast, rgb
from app.gui.theme import apply_theme, colours, follow_desktop, is_contrast, is_dark

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


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    font, palette = qapp.font(), qapp.palette()
    yield qapp
    qapp.setStyleSheet("")
    qapp.setFont(font)
    qapp.setPalette(palette)


def contrast_of(
    palette: QPalette, group: QPalette.ColorGroup, words: QPalette.ColorRole, ground: QPalette.ColorRole
) -> float:
    return contrast(rgb(palette.color(group, words).name()), rgb(palette.color(group, ground).name()))


@pytest.mark.parametrize("theme", THEMES)
def test_every_word_can_be_read_on_its_ground(application: QApplication, theme: str) -> None:
    apply_theme(application, theme, 100)
    palette = application.palette()
    for words, ground in WORDS:
        for group in (GROUP.Active, GROUP.Inactive):
            needed = 7 if is_contrast(theme) else 4.5
            assert contrast_of(palette, group, words, ground) >= needed, (words, ground)
        assert contrast_of(palette, GROUP.Disabled, words, ground) >= 3, (words, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_focus_grips_and_progress_can_be_told_from_their_ground(theme: str) -> None:
    look = colours(is_dark(theme), is_contrast(theme))
    for mark in (look.accent, look.grip):
        for ground in (look.window, look.paper):
            assert contrast(rgb(mark), rgb(ground)) >= 3
    assert contrast(rgb(look.ink), rgb(look.done)) >= 4.5
    if is_contrast(theme):
        assert {look.window, look.paper, look.ink} == {"#000000", "#ffffff"}
        assert (look.border, look.focus) == (2, 4)


def test_the_themes_are_dark_as_their_names_say(application: QApplication) -> None:
    for theme in THEMES[1:]:
        apply_theme(application, theme, 100)
        dark = application.palette().color(ROLE.Base).lightness() < 128
        assert dark == is_dark(theme) == theme.endswith("dark")
    apply_theme(application, "system", 100)
    desktop = application.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert is_dark("system") == desktop


def test_text_is_scaled_from_the_desktops_font_and_never_twice(application: QApplication) -> None:
    base = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    for percent in (250, 250, 80, 100):
        apply_theme(application, "light", percent)
        assert application.font().pointSizeF() == pytest.approx(base * percent / 100)


def test_a_desktop_that_turns_dark_is_followed_only_by_the_systems_theme(
    application: QApplication, qtbot: QtBot
) -> None:
    preferences = Preferences()
    follow_desktop(application, preferences)
    hints = application.styleHints()
    with qtbot.waitSignal(preferences.changed) as said:
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert said.args == ["theme"]
    preferences.theme = "light"
    with qtbot.assertNotEmitted(preferences.changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)


@pytest.mark.parametrize("theme", ["light", "high contrast dark"])
@pytest.mark.parametrize("kind", [QPushButton, QToolButton, QLineEdit, QCheckBox])
def test_the_focus_is_seen_and_moves_nothing(
    application: QApplication, qtbot: QtBot, theme: str, kind: type[QPushButton | QToolButton | QLineEdit]
) -> None:
    apply_theme(application, theme, 100)
    window = QWidget()
    qtbot.addWidget(window)
    other, part = QPushButton("Other", window), kind(window)
    part.setText("Words")
    part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    part.setGeometry(0, 60, 200, 50)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    other.setFocus()
    hint, without = part.sizeHint(), part.grab().toImage()
    part.setFocus()
    qtbot.waitUntil(part.hasFocus)
    shown = part.grab().toImage()
    accent = QColor(colours(is_dark(theme), is_contrast(theme)).accent)
    count = sum(
        shown.pixelColor(x, y) == accent != without.pixelColor(x, y)
        for x in range(shown.width())
        for y in range(shown.height())
    )
    assert count > 20
    assert part.sizeHint() == hint


def test_the_icon_is_there_in_small_and_large(application: QApplication) -> None:
    for size in (16, 256):
        image = application_icon().pixmap(size, size).toImage()
        found = {image.pixelColor(x, y).name() for x in range(size) for y in range(size)}
        assert {"#184f9f", "#ffffff", "#ffd45c"} <= found
