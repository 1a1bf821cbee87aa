"""The figures of the report on the page: links in its text, thumbnails beside it, the large view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.gui.figures.pictures import Pictures
from app.gui.widgets.tips import explain
from app.operations.project.figures import figures_of

if TYPE_CHECKING:
    from app.gui.figures.view import FigureView
    from app.gui.reader.report_page import Page
    from app.gui.reader.view import Reader
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.store.project import Project
    from extractors.model.figure import Figure

_GAP, _LEAST, _MOST = 8, 40, 168
# Milliseconds until pictures are asked for: more than a frame.
_SOON = 20
# Pixels in which thumbnails are asked for, whatever room there is for them.
SMALL = 336
_NONE = "This report has no figures; they come with a report's package of PubMed Central."


class Thumbnail(QAbstractButton):
    """One figure: its first picture, or an empty frame where there is none, over its label."""

    def __init__(self, figure: Figure, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.figure = figure
        self.kept = next((image for image in figure.images if image.sha256), None)
        self.image: QImage | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        font = self.font()
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.8))
        self.setFont(font)
        self.setAccessibleName(words)
        explain(self, words)

    def wanted(self, width: int) -> QSize:
        """Its size where there is so much room beside the text; known before the picture is there."""
        label = self.fontMetrics().height() + 2
        if self.kept is None or not self.kept.width or not self.kept.height:
            return QSize(width, label + 2)
        high = min(round(width * self.kept.height / self.kept.width), round(1.25 * width))
        return QSize(width, max(high, _LEAST // 2) + label)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture whole in its place, a thin frame, the label below."""
        painter = QPainter(self)
        label = self.fontMetrics().height() + 2
        room = self.rect().adjusted(0, 0, -1, -label)
        colours = self.palette()
        if room.height() > label:
            painter.fillRect(room, colours.alternateBase())
            if self.image is not None and not self.image.isNull():
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                size = self.image.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
                place = QRect(room.topLeft(), size)
                place.moveCenter(room.center())
                painter.drawImage(place, self.image)
            edge = colours.highlight() if self.underMouse() else colours.mid()
            painter.setPen(QPen(edge.color(), 1))
            painter.drawRect(room)
        painter.setPen(colours.link().color() if self.underMouse() else colours.placeholderText().color())
        words = self.fontMetrics().elidedText(self._short(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, words)

    def _short(self) -> str:
        """The label, as short as the room asks for."""
        words = self.figure.called
        for shorter in (words, words.replace("Figure", "Fig."), words.rpartition(" ")[2]):
            if self.fontMetrics().horizontalAdvance(shorter) < self.width() - 4:
                return shorter
        return words


class Thumbnails(QObject):
    """Keeps a button for each figure of the report beside the line where it is first spoken of.

    The margin is there with or without them, and the size of each is known before its picture has come. A
    button is made when its line first comes near the view.
    """

    def __init__(self, reader: Reader, pictures: Pictures, opened: Callable[[int], None]) -> None:
        super().__init__(reader)
        self._reader, self._pictures, self._opened = reader, pictures, opened
        self.buttons: dict[int, Thumbnail] = {}
        self._figures: Sequence[Figure] = ()
        # Where the lines are and the numbers of the figures that stand beside them, in the text's order.
        self._anchored: list[tuple[int, int]] = []
        # The text is painted first, and what is only scrolled past is not read at all.
        self._asking = QTimer(self, singleShot=True, interval=_SOON)
        self._asking.timeout.connect(self._ask_seen)
        reader.verticalScrollBar().valueChanged.connect(self.place)
        reader.verticalScrollBar().rangeChanged.connect(lambda *_: self.place())
        reader.viewport().installEventFilter(self)
        pictures.arrived.connect(self._show)

    def set_figures(self, figures: Sequence[Figure]) -> None:
        for button in self.buttons.values():
            button.deleteLater()
        self.buttons, self._figures = {}, figures
        self._anchored = sorted(
            (anchor, number) for number, one in enumerate(figures) if (anchor := _anchor(one)) is not None
        )
        self.place()

    def place(self, _: int = 0) -> None:
        """Put those in view beside their lines, one below the other; nothing out of view is laid out."""
        # Another report's text may be on the page already.
        if not self._anchored or self._anchored[-1][0] > len(self._reader.text()):
            return
        port = self._reader.viewport().rect()
        room = self._reader.inset(self._reader.width())
        width = min(room - 2 * _GAP, _MOST)
        above = _MOST * 4
        area = QRectF(0, -above, port.width(), port.height() + above)
        lines = self._reader.tops_of([anchor for anchor, _ in self._anchored], area)
        bottom = -2 * above
        for anchor, number in self._anchored:
            top = lines.get(anchor)
            if top is None or width < _LEAST:
                if number in self.buttons:
                    self.buttons[number].hide()
                continue
            button = self._button(number)
            size = button.wanted(width)
            top = max(top, bottom + _GAP)
            bottom = top + size.height()
            button.setGeometry(port.width() - width - _GAP, top, width, size.height())
            seen = bottom > 0 and top < port.height()
            button.setVisible(seen)
            if seen and button.image is None and not self._asking.isActive():
                self._asking.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the page."""
        if event.type() == QEvent.Type.Resize:
            self.place()
        return False

    def _button(self, number: int) -> Thumbnail:
        if number not in self.buttons:
            figure = self._figures[number]
            button = self.buttons[number] = Thumbnail(figure, described(figure), self._reader.viewport())
            button.clicked.connect(lambda _checked=False: self._opened(number))
        return self.buttons[number]

    def _ask_seen(self) -> None:
        for button in self.buttons.values():
            if button.image is None and not button.isHidden():
                self._ask(button)

    def _ask(self, button: Thumbnail) -> None:
        if button.kept is not None:
            button.image = self._pictures.picture(button.kept.sha256 or "", SMALL)
            button.update()

    def _show(self, digest: str, longest: int) -> None:
        for button in self.buttons.values() if longest == SMALL else ():
            if button.kept is not None and button.kept.sha256 == digest:
                self._ask(button)


def described(figure: Figure) -> str:
    """A figure in words, for tool tips and screen readers."""
    kept = sum(image.state == "kept" for image in figure.images)
    lacking = next((image.reason for image in figure.images if image.state != "kept"), "It has no picture.")
    panels = f", panels {', '.join(figure.panels)}" if figure.panels else ""
    return f"{figure.called}{panels}: opens it large." if kept else f"{figure.called}{panels}. {lacking}"


def _anchor(figure: Figure) -> int | None:
    """Where the text first speaks of a figure, else where its caption stands."""
    starts = [start for start, _ in figure.mention_places]
    captions = [figure.start] if figure.start is not None else []
    outside = [start for start in starts if not (captions and captions[0] <= start < (figure.end or 0))]
    return min(outside or starts or captions, default=None)


class ReportFigures(QObject):
    """Asks for a report's figures once its text is on the page; what comes then moves nothing."""

    def __init__(self, session: ProjectSession, page: Page, actions: Actions, around: QWidget) -> None:
        super().__init__(page)
        self._session, self._page, self._around = session, page, around
        self._reader = page.reader
        self.figures: tuple[Figure, ...] = ()
        self.pictures = Pictures(session.worker, self)
        self.thumbnails = Thumbnails(self._reader, self.pictures, self.open)
        self.view: FigureView | None = None
        session.report_model.opened.connect(self._ask)
        self._reader.link_activated.connect(self._follow)
        actions.on("report.figure", lambda *_: self._open_at_caret())
        actions.on("report.mention", lambda *_: self._next_place())

    @property
    def shown(self) -> bool:
        """Whether the large view is on screen."""
        return self.view is not None and self.view.isVisible()

    def open(self, number: int) -> None:
        """Show a figure large, by its number from 0."""
        # Imported here: most reports are read without it.
        from app.gui.figures.view import FigureView

        if self.view is None:
            self.view = FigureView(self._session, self.pictures, self._around)
            self.view.closed.connect(self._reader.setFocus)
            self.view.place_wanted.connect(self._go_to)
        self.view.open(self.figures, number)

    def close(self) -> None:
        """Take the large view away, where it is on screen."""
        if self.view is not None:
            self.view.close_view()

    def give_up_or(self, undo: Callable[[], object]) -> None:
        """Forget a region that is drawn and not kept yet; where there is none, undo."""
        if self.view is not None and self.view.give_up():
            self._session.message.emit("The region that was not kept yet is gone.")
        else:
            undo()

    def _ask(self) -> None:
        self.close()
        self._take(("", ()))
        key = self._session.report_model.key
        if key:

            def read(project: Project) -> tuple[str, tuple[Figure, ...]]:
                return key, figures_of(project, key)

            self._session.worker.ask(read, self._take, lambda _: None, latest="figures")

    def _take(self, found: tuple[str, tuple[Figure, ...]]) -> None:
        key, figures = found
        if key and key != self._session.report_model.key:
            return
        self.figures = figures
        self._reader.set_links([place for figure in figures for place in figure.mention_places])
        self.thumbnails.set_figures(figures)

    def _follow(self, offset: int) -> None:
        number = self._spoken_of(offset, near=False)
        if number is not None:
            self.open(number)

    def _open_at_caret(self) -> None:
        number = self._spoken_of(self._reader.caret(), near=True)
        if number is None:
            self._session.message.emit(_NONE)
        else:
            self.open(number)

    def _next_place(self) -> None:
        """Go round the places of the figure that the text speaks of at the caret."""
        caret = self._reader.caret()
        number = self._spoken_of(caret, near=True)
        places = _places(self.figures[number]) if number is not None else []
        if number is None or not places:
            self._session.message.emit(_NONE)
            return
        here = next((at for at, (start, end) in enumerate(places) if start <= caret <= end), -1)
        start, end = places[(here + 1) % len(places)]
        self._go_to(start, end)
        what = "caption" if start == self.figures[number].start else "mention"
        at = (here + 1) % len(places) + 1
        self._session.message.emit(f"{self.figures[number].called}: {what}, {at} of {len(places)} places.")

    def _go_to(self, start: int, end: int) -> None:
        self._page.show_place(start, end)
        self._reader.setFocus()

    def _spoken_of(self, offset: int, *, near: bool) -> int | None:
        """The figure that an offset is a mention or in the caption of; with `near` else the nearest."""
        distances = [
            (max(start - offset, offset - end, 0), end - start, number)
            for number, figure in enumerate(self.figures)
            for start, end in _places(figure)
        ]
        best = min(distances, default=None)
        if best is None:
            return 0 if near and self.figures else None
        return best[2] if near or best[0] == 0 else None


def _places(figure: Figure) -> list[tuple[int, int]]:
    """Its caption, if it has one, then its mentions."""
    caption = [(figure.start, figure.end)] if figure.start is not None and figure.end is not None else []
    return [*caption, *figure.mention_places]
