"""How the window looks: five themes, one accent colour, and a size for everything but the report's text."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from app.gui.preferences import Preferences


class Colours(NamedTuple):
    """Colours as "#rrggbb". `paper` is the ground of lists and fields, `face` that of buttons, `quiet` is for
    secondary words, `faded` for what cannot be used now, `line` for borders, `grip` for scroll bars,
    `done` for progress; words on `accent` have the colour `on_accent`. `border` and `focus` are widths in
    pixels."""

    window: str
    paper: str
    stripe: str
    face: str
    hover: str
    ink: str
    quiet: str
    faded: str
    line: str
    grip: str
    accent: str
    on_accent: str
    visited: str
    done: str
    border: int = 1
    focus: int = 2


_SIGNS = ("tick", "dash", "dot", "up", "down")
_LIGHT = Colours(
    window="#f5f5f3",
    paper="#ffffff",
    stripe="#f7f7f5",
    face="#ffffff",
    hover="#ebebe8",
    ink="#1a1b1e",
    quiet="#5a5d63",
    faded="#7f8288",
    line="#c9c9c5",
    grip="#8b8d92",
    accent="#1d62c8",
    on_accent="#ffffff",
    visited="#7a3e9d",
    done="#bcd3f3",
)
_DARK = Colours(
    window="#1d1f24",
    paper="#14161a",
    stripe="#1a1c20",
    face="#2a2d33",
    hover="#363a42",
    ink="#e8e8e4",
    quiet="#a6a9af",
    faded="#84878e",
    line="#454952",
    grip="#7b7f88",
    accent="#60a5fa",
    on_accent="#0b0d10",
    visited="#c79be8",
    done="#2c5080",
)
_CONTRAST_LIGHT = Colours(
    window="#ffffff",
    paper="#ffffff",
    stripe="#ffffff",
    face="#ffffff",
    hover="#ffffff",
    ink="#000000",
    quiet="#000000",
    faded="#6b6b6b",
    line="#000000",
    grip="#000000",
    accent="#0000b4",
    on_accent="#ffffff",
    visited="#5a0078",
    done="#b8c8ff",
    border=2,
    focus=4,
)
_CONTRAST_DARK = Colours(
    window="#000000",
    paper="#000000",
    stripe="#000000",
    face="#000000",
    hover="#000000",
    ink="#ffffff",
    quiet="#ffffff",
    faded="#9a9a9a",
    line="#ffffff",
    grip="#ffffff",
    accent="#ffe600",
    on_accent="#000000",
    visited="#ffb3ff",
    done="#0000b4",
    border=2,
    focus=4,
)
_BY_LOOK = {
    (False, False): _LIGHT,
    (True, False): _DARK,
    (False, True): _CONTRAST_LIGHT,
    (True, True): _CONTRAST_DARK,
}


def is_dark(theme: str) -> bool:
    """Whether a theme of preferences.THEMES is light on dark; "system" is what the desktop says now."""
    if theme == "system":
        # As QStyleHints.colorScheme(), whose return value costs the first window a tenth of its time.
        return QApplication.style().standardPalette().color(QPalette.ColorRole.Window).lightness() < 128
    return theme.endswith("dark")


def is_contrast(theme: str) -> bool:
    """Whether a theme is one of the two of high contrast."""
    return theme.startswith("high contrast")


def colours(dark: bool, contrast: bool) -> Colours:
    """The colours of a look."""
    return _BY_LOOK[dark, contrast]


def apply_theme(application: QApplication, theme: str, interface_size: int) -> None:
    """Give every window the look of a theme of preferences.THEMES, its text `interface_size` percent of the
    desktop's own; doing so again changes nothing."""
    # A style sheet stands on the style it was set over.
    if not application.styleSheet():
        application.setStyle("Fusion")
    hints = application.styleHints()
    # The frames that the desktop draws around windows follow this; by names, as on the start page.
    if theme == "system":
        hints.unsetColorScheme()
    else:
        hints.setProperty("colorScheme", "Dark" if is_dark(theme) else "Light")
    look = colours(is_dark(theme), is_contrast(theme))
    font, palette, sheet = _font(interface_size), _palette(look), _sheet(look)
    if application.font() != font:
        application.setFont(font)
    if application.palette() != palette:
        application.setPalette(palette)
    if application.styleSheet() != sheet:
        application.setStyleSheet(sheet)


def follow_desktop(application: QApplication, preferences: Preferences) -> None:
    """Where the theme is "system", say that it has changed whenever the desktop turns dark or light."""

    def follow() -> None:
        if preferences.theme == "system":
            preferences.changed.emit("theme")

    application.styleHints().colorSchemeChanged.connect(follow)


def _font(percent: int) -> QFont:
    # The desktop's font and not the application's, which may have been scaled before.
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * percent / 100)
    else:
        font.setPixelSize(round(font.pixelSize() * percent / 100))
    return font


def _palette(look: Colours) -> QPalette:
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette()
    for known, colour in {
        role.Window: look.window,
        role.WindowText: look.ink,
        role.Base: look.paper,
        role.AlternateBase: look.stripe,
        role.Text: look.ink,
        role.PlaceholderText: look.quiet,
        role.Button: look.face,
        role.ButtonText: look.ink,
        role.BrightText: look.on_accent,
        role.ToolTipBase: look.paper,
        role.ToolTipText: look.ink,
        role.Light: look.face,
        role.Midlight: look.hover,
        role.Mid: look.line,
        role.Dark: look.grip,
        role.Shadow: look.grip,
        role.Highlight: look.accent,
        role.HighlightedText: look.on_accent,
        role.Accent: look.accent,
        role.Link: look.accent,
        role.LinkVisited: look.visited,
    }.items():
        palette.setColor(known, QColor(colour))
    for known in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.ToolTipText):
        palette.setColor(group.Disabled, known, QColor(look.faded))
    for known in (role.Link, role.LinkVisited):
        palette.setColor(group.Disabled, known, QColor(look.faded))
    for known in (role.Highlight, role.Accent):
        palette.setColor(group.Disabled, known, QColor(look.faded))
    for known in (role.HighlightedText, role.BrightText):
        palette.setColor(group.Disabled, known, QColor(look.paper))
    return palette


def _sheet(look: Colours) -> str:
    """What the palette cannot say. A border that grows in focus takes its room from the padding."""
    from extractors.assets import asset

    border, focus = look.border, look.focus
    grown = focus - border
    shade = "dark" if QColor(look.paper).lightness() < 128 else "light"
    icons = asset("resources", "icons").as_posix()
    tick, dash, dot, up, down = (f"{icons}/{sign}-{shade}.svg" for sign in _SIGNS)
    return f"""
QPushButton, QToolButton {{ border: {border}px solid {look.line}; border-radius: 4px;
  background: {look.face}; color: {look.ink}; }}
QPushButton {{ padding: {4 + grown}px {12 + grown}px; }}
QToolButton {{ padding: {2 + grown}px {4 + grown}px; }}
QPushButton:hover, QToolButton:hover {{ background: {look.hover}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {look.hover}; border-color: {look.ink}; }}
QPushButton:checked, QToolButton:checked {{ background: {look.accent}; color: {look.on_accent};
  border-color: {look.accent}; }}
QPushButton:default {{ border-color: {look.accent}; }}
QPushButton:disabled, QToolButton:disabled {{ color: {look.faded}; background: {look.window};
  border-color: {look.faded}; }}
QPushButton[flat="true"], QToolButton[autoRaise="true"] {{ background: transparent;
  border-color: transparent; }}
QPushButton[flat="true"]:hover, QToolButton[autoRaise="true"]:hover {{ background: {look.hover};
  border-color: {look.line}; }}
QToolButton[autoRaise="true"]:checked {{ background: {look.accent}; color: {look.on_accent}; }}
QPushButton:focus, QToolButton:focus {{ border: {focus}px solid {look.accent}; }}
QPushButton:focus {{ padding: 4px 12px; }}
QToolButton:focus {{ padding: 2px 4px; }}
QPushButton:checked:focus, QToolButton:checked:focus {{ border-color: {look.ink}; }}
QLineEdit, QComboBox, QAbstractSpinBox, QTreeView, QListView, QTableView, QPlainTextEdit {{
  border: {border}px solid {look.line}; border-radius: 4px; background: {look.paper}; padding: {grown}px; }}
QLineEdit, QComboBox, QAbstractSpinBox {{ padding: {3 + grown}px {6 + grown}px; }}
QTreeView:focus, QListView:focus, QTableView:focus, QPlainTextEdit:focus {{
  border: {focus}px solid {look.accent}; padding: 0px; }}
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{ border: {focus}px solid {look.accent};
  padding: 3px 6px; }}
QAbstractSpinBox QLineEdit, QComboBox QLineEdit {{ border: none; padding: 0px; }}
QComboBox::drop-down {{ border: none; width: 1.4em; }}
QComboBox::down-arrow, QAbstractSpinBox::down-arrow {{ image: url("{down}"); width: 0.8em; height: 0.8em; }}
QAbstractSpinBox::up-arrow {{ image: url("{up}"); width: 0.8em; height: 0.8em; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: 1.2em; }}
QGroupBox, QProgressBar {{ border: {border}px solid {look.line}; border-radius: 4px; }}
QGroupBox {{ margin-top: 1.6em; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 4px; }}
QProgressBar {{ text-align: center; background: {look.paper}; }}
QProgressBar::chunk {{ background: {look.done}; }}
QSplitter::handle {{ background: {look.line}; }}
QSplitter::handle:horizontal {{ width: 1px; margin: 0px 4px; }}
QSplitter::handle:vertical {{ height: 1px; margin: 4px 0px; }}
QSplitter::handle:hover, QSplitter::handle:pressed {{ background: {look.accent}; }}
QScrollBar {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: 12px; }}
QScrollBar:horizontal {{ height: 12px; }}
QScrollBar::handle {{ background: {look.grip}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {look.accent}; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0px; height: 0px; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QToolTip {{ color: {look.ink}; background: {look.paper}; border: {border}px solid {look.line};
  padding: 4px; }}
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {{ width: 1em; height: 1em;
  border: {border}px solid {look.grip}; background: {look.paper}; }}
QAbstractItemView::indicator {{ width: 0.8em; height: 0.8em; }}
QCheckBox::indicator, QAbstractItemView::indicator {{ border-radius: 3px; }}
QRadioButton::indicator {{ border-radius: 0.5em; }}
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {{ image: url("{tick}"); }}
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {{ image: url("{dash}"); }}
QRadioButton::indicator:checked {{ image: url("{dot}"); }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border: {focus}px solid {look.accent}; }}
"""
