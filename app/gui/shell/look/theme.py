"""How the window looks: five themes, one accent colour, a size for all but the report's text, its icon."""

from __future__ import annotations

from string import Template
from typing import NamedTuple

from PySide6 import QtGui
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.gui.shell.look.preferences import Preferences


class Colours(NamedTuple):
    """Colours as "#rrggbb". `paper` is the ground of lists and fields, `face` that of buttons, `quiet` is for
    secondary words, `faded` for what cannot be used now and `dim` for its border, `line` for what divides,
    `grip` for the borders of what can be used and for scroll bars, `done` for progress; words on `accent`
    have the colour `on_accent`. `border`, `focus` and `double` (focus on accent) are widths in pixels."""

    window: str
    paper: str
    stripe: str
    face: str
    hover: str
    ink: str
    quiet: str
    faded: str
    line: str
    dim: str
    grip: str
    accent: str
    on_accent: str
    visited: str
    done: str
    border: int = 1
    focus: int = 2
    double: int = 3


_PADDINGS = (0, 2, 3, 4, 6, 12)
# The application's property that has the style sheet once its palette is no longer the desktop's, and that of
# windows that wear it though they open from no other.
_THEMED, _APART = "themed", "apart"
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
    dim="#c9c9c5",
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
    dim="#454952",
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
    dim="#6b6b6b",
    grip="#000000",
    accent="#0000b4",
    on_accent="#ffffff",
    visited="#5a0078",
    done="#b8c8ff",
    border=2,
    focus=4,
    double=4,
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
    dim="#9a9a9a",
    grip="#ffffff",
    accent="#ffe600",
    on_accent="#000000",
    visited="#ffb3ff",
    done="#0000b4",
    border=2,
    focus=4,
    double=4,
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
        # As QStyleHints.colorScheme(), whose return value, or a style, costs the first window a tenth of its
        # time: before the first theme the palette is still the desktop's.
        application = QApplication.instance()
        themed = application is not None and application.property(_THEMED)
        palette = QApplication.style().standardPalette() if themed else QApplication.palette()
        return palette.color(QPalette.ColorRole.Window).lightness() < 128
    return theme.endswith("dark")


def is_contrast(theme: str) -> bool:
    return theme.startswith("high contrast")


def colours(dark: bool, contrast: bool) -> Colours:
    return _BY_LOOK[dark, contrast]


def apply_theme(
    application: QApplication, theme: str, interface_size: int, window: QWidget | None = None
) -> None:
    """Give every window the look of a theme of preferences.THEMES, its text `interface_size` percent of the
    desktop's own; doing so again changes nothing.

    With a window the style sheet is its own and that of all that opens from it: Qt polishes by a sheet of the
    application's whatever is put into something else once more, which took half of a project's opening.
    """
    hints = application.styleHints()
    # The frames that the desktop draws around windows follow this; by names, as on the start page.
    if theme == "system":
        hints.unsetColorScheme()
    else:
        hints.setProperty("colorScheme", "Dark" if is_dark(theme) else "Light")
    look = colours(is_dark(theme), is_contrast(theme))
    font, palette, sheet = interface_font(interface_size), _palette(look), _sheet(look)
    grown = application.font() != font
    if grown:
        application.setFont(font)
    if application.palette() != palette:
        application.setPalette(palette)
    application.setProperty(_THEMED, sheet)
    dressed = application if window is None else window
    # Widgets that a style sheet has polished keep their font until they are polished again.
    if grown or dressed.styleSheet() != sheet:
        dressed.setStyleSheet(sheet)
        for one in application.topLevelWidgets() if window is not None else ():
            if one.property(_APART):
                one.setStyleSheet(sheet)


def wear_theme(window: QWidget) -> None:
    """Give a window that opens from no other the look of the rest, now and whenever that changes."""
    window.setProperty(_APART, True)
    application = QApplication.instance()
    sheet = application.property(_THEMED) if application is not None else ""
    window.setStyleSheet(sheet or "")


def follow_desktop(application: QApplication, preferences: Preferences) -> None:
    """Where the theme is "system", say that it has changed whenever the desktop turns dark or light."""

    def follow() -> None:
        if preferences.theme == "system":
            preferences.changed.emit("theme")

    application.styleHints().colorSchemeChanged.connect(follow)


def interface_font(percent: int) -> QFont:
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
    texts = (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.ToolTipText)
    for known in (*texts, role.Link, role.LinkVisited, role.Highlight, role.Accent):
        palette.setColor(group.Disabled, known, QColor(look.faded))
    for known in (role.HighlightedText, role.BrightText):
        palette.setColor(group.Disabled, known, QColor(look.paper))
    return palette


def _sheet(look: Colours) -> str:
    from extractors.assets import asset

    template = Template(asset("resources", "style", "window.qss").read_text(encoding="utf-8"))
    grown = {f"grown_{pixels}": pixels + look.focus - look.border for pixels in _PADDINGS}
    inset = {f"inset_{pixels}": pixels + look.focus - look.double for pixels in _PADDINGS}
    return template.substitute(
        look._asdict(),
        icons=asset("resources", "icons").as_posix(),
        shade="dark" if QColor(look.paper).lightness() < 128 else "light",
        **grown,
        **inset,
    )


def application_icon() -> QtGui.QIcon:
    """A span's bracket under a line of text; drawn only where a desktop asks for it."""
    from extractors.assets import asset

    return QtGui.QIcon(str(asset("resources", "icons", "casespan.svg")))
