"""A category's colour with its two letters on it, for lists and panels."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.shell.look.theme import is_contrast, is_dark
from app.gui.widgets.plain import bold
from app.palette import PagePalette, Rgb, contrast, page_palette
from extractors.model.scheme import Scheme

_WIDEST = "MW"
_RADIUS = 3.0
_MIDDLE, _SMALLER = 128, 0.85


class Swatch(QWidget):
    """As large as the font asks for, wider where it has words."""

    def __init__(self, palette: PagePalette, category: str) -> None:
        super().__init__()
        self._palette, self._category = palette, category
        self.words: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_page_palette(self, palette: PagePalette) -> None:
        self._palette = palette
        self.update()

    def set_category(self, category: str) -> None:
        self._category = category
        self.update()

    def say(self, *words: str) -> None:
        """Show the first of these words that has room in place of the letters, the letters again for none."""
        self.words = words
        across = QSizePolicy.Policy.Expanding if words else QSizePolicy.Policy.Fixed
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self.update()

    def shown_words(self) -> str:
        """The words that have room, the last of them cut where none has."""
        metrics, room = QFontMetrics(bold(self.font(), _SMALLER)), self.width() - 4
        fitting = (one for one in self.words if metrics.horizontalAdvance(one) <= room)
        last = self.words[-1] if self.words else ""
        return next(fitting, metrics.elidedText(last, Qt.TextElideMode.ElideRight, room))

    def sizeHint(self) -> QSize:
        return swatch_size(self.font())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box, words = QRectF(self.rect()), self.shown_words()
        paint_swatch(painter, box, self._palette, self._category, self.font(), words)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()


def lettering_on(palette: PagePalette, category: str) -> Rgb:
    """Black or white, whichever is read better on the category's colour; contrast is at least 4.5."""
    colour = palette.colours[category]
    return max(((0, 0, 0), (255, 255, 255)), key=lambda letters: contrast(letters, colour))


def colours_of(scheme: Scheme, widget: QWidget) -> PagePalette:
    """The colours for a widget that was not told any yet, by whether its own are light or dark."""
    return page_palette(scheme, widget.palette().base().color().lightness() < _MIDDLE)


def theme_colours(scheme: Scheme, theme: str) -> PagePalette:
    """The colours of the page in a theme of preferences.THEMES."""
    return page_palette(scheme, is_dark(theme), is_contrast(theme))


def swatch_size(font: QFont) -> QSize:
    """Size of a swatch in pixels beside text in that font."""
    metrics = QFontMetrics(bold(font, _SMALLER))
    return QSize(metrics.horizontalAdvance(_WIDEST) + metrics.height() // 2, metrics.height() + 2)


def swatch_icon(palette: PagePalette, category: str, font: QFont, ratio: float) -> QIcon:
    """The swatch as an icon; `ratio` is the screen's device pixels by pixel."""
    size = swatch_size(font)
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_swatch(painter, QRectF(0, 0, size.width(), size.height()), palette, category, font)
    painter.end()
    icon = QIcon(pixmap)
    # Qt would tint the icon of a chosen row, and the colour would say another category.
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


def paint_swatch(
    painter: QPainter, box: QRectF, palette: PagePalette, category: str, font: QFont, letters: str = ""
) -> None:
    """Paint the category's colour with its letters, or others, into a box."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(*palette.colours[category]))
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    painter.setPen(QColor(*lettering_on(palette, category)))
    painter.setFont(bold(font, _SMALLER))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letters or palette.codes[category])
