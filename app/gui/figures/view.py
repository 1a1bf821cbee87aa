"""The large view of a report's figures: over the text until Escape closes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSlider, QWidget

from app.gui.dialogs.forms import named
from app.gui.figures.canvas import Canvas, ShownBox
from app.gui.figures.panels import panels_in
from app.gui.figures.pictures import LONGEST, Pictures
from app.gui.figures.regions import Regions
from app.gui.widgets.boxes import labelled, lined, lines_high, scrolled, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedLabel, bold
from app.gui.widgets.tips import explain, with_key

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from extractors.model.figure import Figure

_SIDE, _MARGINS = 300, (12, 0, 12, 8)
_LIGHT_STEP = 10
_HINT = (
    "PgUp PgDn figures · + − 0 zoom · arrows pan · N panel · D two · B C light, Shift darker · X as it was · "
    "G mark by keys · M mention · T caption · Esc back"
)


@dataclass(frozen=True, slots=True)
class _Plate:
    """One picture of a figure, or a figure without any."""

    figure: Figure
    # SHA-256 and size of the picture, "" and empty without one.
    digest: str = ""
    size: QSize = field(default_factory=QSize)


class FigureView(QWidget):
    """One picture large, or two beside each other, with caption, mentions and one's regions.

    `place_wanted` leads back into the text, after which the view has closed.
    """

    closed = Signal()
    place_wanted = Signal(int, int)

    def __init__(self, session: ProjectSession, pictures: Pictures, around: QWidget) -> None:
        super().__init__(around)
        self._session, self._pictures, self._around = session, pictures, around
        self.setAutoFillBackground(True)
        self.setAccessibleName("Figure")
        self._plates: list[_Plate] = []
        self.canvases = (Canvas(), Canvas())
        # Which plate each canvas shows, which one keys are for, and how far panels were gone through.
        self._at, self._active, self._panel = [0, 0], 0, -1
        self.title = ElidedLabel()
        self.title.setFont(bold(self.title.font()))
        self.regions = Regions(session)
        self._caption = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._links = FlowRow()
        self._sliders = tuple(self._slider(words) for words in ("Brightness", "Contrast"))
        self._keys: dict[Qt.Key, Callable[[int], object]] = {
            Qt.Key.Key_Escape: lambda _: self._leave(),
            Qt.Key.Key_PageDown: lambda _: self._turn_to(self._at[self._active] + 1),
            Qt.Key.Key_PageUp: lambda _: self._turn_to(self._at[self._active] - 1),
            Qt.Key.Key_N: self._next_panel,
            Qt.Key.Key_D: lambda _: self._split(),
            Qt.Key.Key_Space: lambda _: self._change_sides(),
            Qt.Key.Key_B: partial(self._step_light, 0),
            Qt.Key.Key_C: partial(self._step_light, 1),
            Qt.Key.Key_X: lambda _: self._reset_light(),
            Qt.Key.Key_M: lambda _: self._go_to_mention(),
            Qt.Key.Key_T: lambda _: self._go_to_caption(),
        }
        self._lay_out()
        for number, canvas in enumerate(self.canvases):
            canvas.box_drawn.connect(partial(self._drawn, number))
            canvas.chosen.connect(self.regions.choose)
            canvas.entered.connect(partial(self._activate, number))
        self.regions.changed.connect(self._show_boxes)
        self.regions.changed.connect(self._fit_side)
        self.regions.done.connect(self._back_to_canvas)
        pictures.arrived.connect(self._arrived)
        around.installEventFilter(self)
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._give_way)
        self.hide()

    def open(self, figures: Sequence[Figure], number: int) -> None:
        """Show these figures, first that of the number; several pictures of a figure follow each other."""
        self._plates = []
        for figure in figures:
            kept = [
                _Plate(figure, one.sha256, QSize(one.width or 0, one.height or 0))
                for one in figure.images
                if one.sha256
            ]
            self._plates += kept or [_Plate(figure)]
        self.setGeometry(self._around.rect())
        self.canvases[1].hide()
        self._active = 0
        self.show()
        self.raise_()
        first = next(at for at, plate in enumerate(self._plates) if plate.figure is figures[number])
        self._turn_to(first)
        self.canvases[0].setFocus()
        self.regions.reload()

    def close_view(self) -> None:
        """Take the view away; the text has the focus again."""
        if not self.isHidden():
            # First: Qt looks for the next one with the focus where one is hidden that has it.
            self.closed.emit()
            self.hide()

    def give_up(self) -> bool:
        """Forget a box that is being marked or is not kept yet; False where there is none."""
        there = self.isVisible() and self.canvases[self._active].give_up()
        if there:
            self._back_to_canvas()
        return there

    # Qt's own

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover what is below, whatever its size."""
        if watched is self._around and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._around.rect())
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Everything by keys; in the fields of a region only what they leave."""
        turned = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        call = self._keys.get(Qt.Key(event.key()))
        if call is None:
            super().keyPressEvent(event)
        else:
            call(-1 if turned else 1)
        # What is below has its own keys.
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round in the view: what it covers is not there."""
        if not self.isAncestorOf(QApplication.focusWidget() or self):
            return super().focusNextPrevChild(forward)
        parts = [one for one in self.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        there = [one for one in parts if one.isVisible() and one.isEnabled()]
        focus = QApplication.focusWidget()
        here = there.index(focus) if focus in there else -1
        following = there[(here + (1 if forward else -1)) % len(there)]
        following.setFocus(Qt.FocusReason.TabFocusReason)
        self._beside.ensureWidgetVisible(following)
        return True

    # Layout

    def _lay_out(self) -> None:
        top, middle, foot, side = QWidget(), QWidget(), QWidget(), QWidget()
        buttons = [
            self._button("Previous", "PgUp", lambda: self._turn_to(self._at[self._active] - 1)),
            self._button("Next", "PgDown", lambda: self._turn_to(self._at[self._active] + 1)),
            self._button("Larger", "+", lambda: self.canvases[self._active].zoom(1.25)),
            self._button("Smaller", "-", lambda: self.canvases[self._active].zoom(0.8)),
            self._button("Fit", "0", lambda: self.canvases[self._active].fit()),
            self._button("Panel", "N", lambda: self._next_panel(1)),
            self._button("Two", "D", self._split),
            self._button("Close", "Esc", self.close_view),
        ]
        lined(top, self.title, *buttons, wide=self.title, margins=(12, 8, 12, 8), spacing=4)
        lined(middle, *self.canvases, spacing=2)
        caption = scrolled(self._caption, "Caption")
        caption.setMinimumHeight(lines_high(caption, 3))
        light = [part for one in self._sliders for part in (labelled(one.accessibleName(), one), one)]
        parts = (caption, self._links, *light, self.regions)
        self._side = stacked(side, *parts, wide=caption, margins=_MARGINS, spacing=4)
        self._beside, self._column = scrolled(side), side
        hint = QLabel(_HINT, wordWrap=True)
        lined(foot, hint, wide=hint, margins=(12, 4, 12, 6))
        body = QWidget()
        lined(body, middle, self._beside, wide=middle, spacing=0)
        stacked(self, top, body, foot, wide=body, spacing=0)

    def _fit_side(self) -> None:
        """As wide as its words need, which scroll downwards alone."""
        bar = self._beside.verticalScrollBar().sizeHint().width()
        self._beside.setFixedWidth(max(_SIDE, self._column.minimumSizeHint().width() + bar))

    def _button(self, words: str, key: str, call: Callable[[], object]) -> QPushButton:
        button = named(QPushButton(words, flat=True), words)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        explain(button, with_key(words, key))
        button.clicked.connect(lambda _checked=False: call())
        return button

    def _slider(self, words: str) -> QSlider:
        slider = named(QSlider(Qt.Orientation.Horizontal), words)
        slider.setRange(-100, 100)
        slider.valueChanged.connect(self._light)
        return slider

    # What is shown

    def _turn_to(self, number: int) -> None:
        if not 0 <= number < len(self._plates):
            self._session.message.emit("There is no further figure.")
            return
        self._at[self._active] = number
        self._panel = -1
        self._show(self._active)
        self._describe()

    def _show(self, which: int) -> None:
        """Put a canvas's picture on it, or say why there is none."""
        plate, canvas = self._plates[self._at[which]], self.canvases[which]
        called = plate.figure.called
        if plate.digest:
            words = f"{called}, {plate.size.width()} x {plate.size.height()} pixels"
            image, words = self._pictures.large(plate.digest, words)
        else:
            reason = next((one.reason for one in plate.figure.images if one.reason), "None came along.")
            image, words = QImage(), f"{called} has no picture here. {reason}"
        canvas.show_picture(image, plate.size, words)
        self._show_boxes()

    def _arrived(self, digest: str, longest: int) -> None:
        if longest != LONGEST or self.isHidden():
            return
        for which, canvas in enumerate(self.canvases):
            if self._digest_on(which) == digest and not canvas.isHidden():
                self._show(which)

    def _digest_on(self, which: int) -> str:
        at = self._at[which]
        return self._plates[at].digest if at < len(self._plates) else ""

    def _describe(self) -> None:
        """Title, caption, mentions, light and regions are those of the canvas in use."""
        plate, canvas = self._plates[self._at[self._active]], self.canvases[self._active]
        figure = plate.figure
        text = self._session.report_model.text
        caption = text[figure.start : figure.end] if figure.start is not None else "It has no caption."
        of = f"{self._at[self._active] + 1} of {len(self._plates)}"
        panels = f" · panels {' '.join(figure.panels)}" if figure.panels else ""
        self.title.say(f"{figure.called} · {of}{panels}")
        self._caption.setText(caption)
        self.setAccessibleDescription(f"{figure.called}. {caption}")
        links, places = FlowRow(), figure.mention_places
        for number, (start, end) in enumerate(places, start=1):
            button = self._button(f"Mention {number}", "M", partial(self._leave_for, start, end))
            button.setAccessibleName(f"Go to mention {number} of {len(places)} in the text")
            links.add(button)
        self._side.replaceWidget(self._links, links)
        self._links.deleteLater()
        self._links = links
        for slider, value in zip(self._sliders, (canvas.brightness, canvas.contrast), strict=True):
            with QSignalBlocker(slider):
                slider.setValue(value)
        self.regions.show_picture(plate.digest)
        self._show_boxes()

    def _show_boxes(self) -> None:
        code_of = {one.id: one.code for one in self._session.scheme.categories}
        for which, canvas in enumerate(self.canvases):
            canvas.boxes = [
                ShownBox(one.uuid, QRect(one.x, one.y, one.width, one.height), code_of[one.category])
                for one in self.regions.on_picture(self._digest_on(which))
            ]
            canvas.current = self.regions.current
            canvas.update()

    # Acts

    def _activate(self, which: int) -> None:
        if which != self._active:
            self._active, self._panel = which, -1
            self._describe()

    def _split(self) -> None:
        """Two pictures beside each other, the second one the next; again, one."""
        second = self.canvases[1]
        if second.isHidden():
            self._at[1] = min(self._at[0] + 1, len(self._plates) - 1)
            second.show()
            self._show(1)
            self._activate(1)
        else:
            second.hide()
            self._activate(0)
        self.canvases[self._active].setFocus()

    def _next_panel(self, step: int) -> None:
        plate, canvas = self._plates[self._at[self._active]], self.canvases[self._active]
        found = self._pictures.picture(plate.digest) if plate.digest else None
        if found is None or found.isNull():
            return
        alone = sum(one.sha256 is not None for one in plate.figure.images) == 1
        panels = panels_in(found, plate.size, len(plate.figure.panels) if alone else 0)
        # After the last one all of the picture, and then the first again.
        self._panel = (self._panel + step + 1) % (len(panels) + 1) - 1
        canvas.fit(panels[self._panel] if self._panel >= 0 else None)
        told = f"panel {self._panel + 1} of {len(panels)}" if self._panel >= 0 else "all of it"
        self._session.message.emit(f"{plate.figure.called}: {told}.")

    def _light(self) -> None:
        self.canvases[self._active].set_light(*(slider.value() for slider in self._sliders))

    def _drawn(self, which: int, box: QRect) -> None:
        self._activate(which)
        self.regions.begin(self._plates[self._at[which]].figure.id, box)
        self._beside.ensureWidgetVisible(self.regions.save)

    def _back_to_canvas(self) -> None:
        for canvas in self.canvases:
            canvas.give_up()
        self.regions.forget()
        self.canvases[self._active].setFocus()

    def _leave(self) -> None:
        """From a box that is being marked or the fields of a region, else from the view."""
        if self.give_up():
            return
        if self.regions.isAncestorOf(QApplication.focusWidget() or self):
            self._back_to_canvas()
        else:
            self.close_view()

    def _give_way(self, _: QWidget | None, to: QWidget | None) -> None:
        """Nothing is written where it cannot be seen: what is covered shows once it has the focus."""
        if to is not None and self._around.isAncestorOf(to) and to is not self and not self.isAncestorOf(to):
            self.hide()

    def _change_sides(self) -> None:
        if not self.canvases[1].isHidden():
            self._activate(1 - self._active)
            self.canvases[self._active].setFocus()

    def _step_light(self, which: int, step: int) -> None:
        self._sliders[which].setValue(self._sliders[which].value() + step * _LIGHT_STEP)

    def _reset_light(self) -> None:
        for slider in self._sliders:
            slider.setValue(0)

    def _go_to_mention(self) -> None:
        figure = self._plates[self._at[self._active]].figure
        if figure.mention_places:
            self._leave_for(*figure.mention_places[0])
        else:
            self._session.message.emit(f"The text does not mention {figure.called}.")

    def _go_to_caption(self) -> None:
        figure = self._plates[self._at[self._active]].figure
        if figure.start is not None and figure.end is not None:
            self._leave_for(figure.start, figure.end)

    def _leave_for(self, start: int, end: int) -> None:
        self.close_view()
        self.place_wanted.emit(start, end)
