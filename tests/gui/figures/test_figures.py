"""Figures in the window: nothing moves for them, and everything is done by keys."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.figures.canvas import Canvas, ShownBox
from app.gui.figures.panels import panels_in
from app.gui.figures.pictures import LONGEST, Pictures, decoded
from app.gui.figures.report_figures import Thumbnail, _anchor, described
from app.gui.figures.view import FigureView
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.annotate.regions import list_regions
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from app.operations.project.opening import open_project
from extractors.model.figure import Figure, FigureImage, FigureMention
from extractors.model.progress import finished
from tests.builders import ME, Kept
from tests.gui.conftest import open_in
from tests.pictures import package, picture
from tests.verbs import asked, key_of, press, settle

SHIFT = Qt.KeyboardModifier.ShiftModifier


def with_pictures(path: Path) -> None:
    create_project(path, ME)
    finished(import_reports(path, [package(path.with_name("p.tar.gz"))]))


@pytest.fixture
def bench(kept: Kept, tmp_path: Path, window: MainWindow, qtbot: QtBot) -> Workbench:
    return open_in(window, kept.copy(with_pictures, tmp_path / "study.casespan"), qtbot)


def keys(*pressed: Qt.Key) -> None:
    for key in pressed:
        press(key)


def opened(bench: Workbench, qtbot: QtBot) -> FigureView:
    """The large view of the figure at the caret, its picture there."""
    qtbot.waitUntil(lambda: len(bench.frame.figures.figures) == 3)
    bench.actions_["report.figure"].trigger()
    view = bench.frame.figures.view
    assert view is not None
    digest = bench.frame.figures.figures[0].images[0].sha256 or ""
    qtbot.waitUntil(lambda: bench.frame.figures.pictures.picture(digest) is not None)
    qtbot.waitUntil(lambda: "pixels" in view.canvases[0].accessibleName())
    return view


def test_thumbnails_and_links_come_without_moving_the_text(bench: Workbench, qtbot: QtBot) -> None:
    figures = bench.frame.figures
    bench.reader.go_to(0)
    at = bench.reader.text().index("healed")
    before = bench.reader.rect_of(at, at + 6)
    qtbot.waitUntil(lambda: len(figures.thumbnails.buttons) == 2)
    one = figures.thumbnails.buttons[0]
    qtbot.waitUntil(lambda: one.image is not None)
    assert bench.reader.rect_of(at, at + 6) == before
    assert one.accessibleName() == "Figure 1, panels A, B: opens it large."
    assert one.x() > bench.reader.rect_of(at, at + 6).right()
    one.click()
    view = figures.view
    assert view is not None
    assert view.isVisible()
    assert view.title.full_text() == "Figure 1 · 1 of 3 · panels A B"
    canvas = view.canvases[0]
    qtbot.waitUntil(lambda: "pixels" in canvas.accessibleName())
    # What comes small leaves the large one where one has gone to in it, what comes of another report all.
    canvas.zoom(2)
    zoomed = canvas._zoom()
    figures.pictures.arrived.emit(view._digest_on(0), 200)
    figures._take(("another", ()))
    assert (canvas._zoom(), len(figures.figures)) == (zoomed, 3)
    # Of a figure that the text does not speak of that is said.
    told: list[str] = []
    bench.session.message.connect(told.append)
    first = view._plates[0]
    view._plates[0] = replace(first, figure=replace(first.figure, mentions=()))
    keys(Qt.Key.Key_M)
    view._plates[0] = first
    assert (told, view.isVisible()) == (["The text does not mention Figure 1."], True)
    keys(Qt.Key.Key_PageDown, Qt.Key.Key_PageDown)
    assert "damaged" in view.canvases[0].accessibleName() or "no picture" in view.canvases[0].accessibleName()
    keys(Qt.Key.Key_Escape)
    assert not view.isVisible()
    assert bench.reader.hasFocus()
    mention = bench.reader.text().index("Fig. 2b")
    place = bench.reader.rect_of(mention + 2, mention + 3).center()
    QTest.mouseClick(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert view.isVisible()
    assert view.title.full_text().startswith("Figure 2")
    keys(Qt.Key.Key_T)
    assert bench.reader.caret() == bench.reader.text().index("Mass")
    # What it covers comes out from under it as soon as keys go there.
    for command in ("report.mention", "report.search"):
        figures.open(0)
        bench.actions_[command].trigger()
        assert not view.isVisible()
    assert bench.reader.caret() == mention


def test_a_thumbnail_shows_the_first_picture_that_there_is(bench: Workbench, qtbot: QtBot) -> None:
    figures = bench.frame.figures
    qtbot.waitUntil(lambda: len(figures.figures) == 3)
    turned = tuple(replace(one, images=one.images[::-1]) for one in figures.figures)
    assert [image.state for image in turned[1].images] == ["missing", "kept"]
    figures.pictures._there.clear()
    figures.thumbnails.set_figures(turned)
    qtbot.waitUntil(lambda: all(one.image is not None for one in figures.thumbnails.buttons.values()))
    # Those of one line stand below each other.
    figures.thumbnails.set_figures([replace(one, mentions=turned[0].mentions, start=None) for one in turned])
    places = [one.geometry() for one in figures.thumbnails.buttons.values()]
    assert all(upper.bottom() < lower.top() for upper, lower in pairwise(places))
    assert len(places) == 3


def test_one_goes_round_the_mentions_of_a_figure_without_a_caption(bench: Workbench, qtbot: QtBot) -> None:
    figures = bench.frame.figures
    qtbot.waitUntil(lambda: len(figures.figures) == 3)
    figures.figures = tuple(replace(one, start=None, end=None) for one in figures.figures)
    starts = [start for start, _ in figures.figures[0].mention_places]
    bench.reader.go_to(starts[0])
    seen, told = [], list[str]()
    bench.session.message.connect(told.append)
    for _ in starts:
        bench.actions_["report.mention"].trigger()
        seen.append(bench.reader.caret())
    assert seen == [*starts[1:], starts[0]]
    assert len(starts) == 3
    assert told == [f"Figure 1: mention, {number} of 3 places." for number in (2, 3, 1)]
    # A mention in another figure's caption is of its own figure; what stands beside both is of the nearest.
    one, other, _ = figures.figures
    mention = FigureMention(50, 56)
    figures.figures = replace(one, start=10, end=100, mentions=()), replace(other, mentions=(mention,))
    for offset, exact, nearest in ((52, 1, 1), (20, 0, 0), (100, 0, 0), (101, None, 0)):
        found = figures._spoken_of(offset, near=False), figures._spoken_of(offset, near=True)
        assert found == (exact, nearest), offset


def test_a_region_is_marked_by_keys_kept_and_undone(bench: Workbench, qtbot: QtBot) -> None:
    view = opened(bench, qtbot)
    canvas, texts = view.canvases[0], (view.regions.save.text(), view.regions.delete.text())
    # Letters of menus would open these.
    assert not {text[text.index("&") + 1].casefold() for text in texts} & set("persmvh")
    keys(Qt.Key.Key_G, Qt.Key.Key_5, Qt.Key.Key_1, Qt.Key.Key_Right, Qt.Key.Key_Return)
    view.regions.finding.setText("opacity")
    keys(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(view.canvases[0].boxes) == 1)
    box = view.canvases[0].boxes[0].box
    assert 106 <= box.x() <= 125
    assert (box.y(), abs(box.width() - 36) < 3) == (66, True)
    canvas.setFocus()
    keys(Qt.Key.Key_D, Qt.Key.Key_B, Qt.Key.Key_C)
    assert (view.canvases[1].isVisible(), view.canvases[1].brightness, canvas.brightness) == (True, 10, 0)
    bench.session.undoing.undo()
    qtbot.waitUntil(lambda: not view.canvases[0].boxes)
    bench.session.undoing.redo()
    qtbot.waitUntil(lambda: len(view.canvases[0].boxes) == 1)
    settle(bench.session.worker, qtbot)
    with open_project(bench.session.path, write=False) as project:
        (region,) = list_regions(project, ME, "PMC77")
    assert (region.finding, region.figure) == ("opacity", "f1")
    # A region that goes with a span keeps it, wherever the cursor is; none is linked that was not asked for.
    session, regions, kept_one = bench.session, view.regions, canvas.boxes[0].id
    start = bench.reader.text().index("healed")
    for left, right in ((start - 9, start - 1), (start, start + 6)):
        session.controller.label(left, right, "MSK")
    settle(session.worker, qtbot, 2)
    first, second = sorted(session.report_model.spans.values(), key=lambda one: one.finding.start or 0)
    session.report_model.set_current(first.uuid)
    view.canvases[1].setFocus()
    keys(Qt.Key.Key_Space)
    regions.choose(kept_one)
    with_first = f"Goes with “{first.finding.quote}”"
    assert (regions.link.text(), regions.link.isEnabled(), regions.link.isChecked()) == (
        with_first,
        True,
        False,
    )
    regions.link.setChecked(True)
    session.report_model.set_current(second.uuid)
    with qtbot.waitSignal(session.worker.saved):
        regions.save.click()
    settle(session.worker, qtbot, 2)
    assert regions.current == kept_one
    assert (regions.link.text(), regions.link.isChecked()) == (with_first, True)
    # Whoever chooses a region while a new one is asked about changes that one.
    session.use_category("GI")
    regions.begin("f1", QRect(1, 1, 20, 20))
    assert (regions.category.currentData(), regions.finding.text(), regions.current) == ("GI", "", "")
    regions.choose(kept_one)
    assert (regions.category.currentData(), regions.finding.text()) == (region.category, "opacity")
    regions.note.setText("seen twice")
    regions.link.setChecked(False)
    # What else is saved meanwhile takes away nothing that was said and not kept yet.
    with qtbot.waitSignal(session.worker.saved):
        session.controller.label(start + 7, start + 10, "MSK")
    settle(session.worker, qtbot, 2)
    with qtbot.waitSignal(session.worker.saved):
        regions.save.click()
    settle(session.worker, qtbot, 2)
    kept = asked(session.worker, qtbot, lambda project: list_regions(project, ME, "PMC77"))
    assert [(one.uuid, one.note, one.annotation) for one in kept] == [(kept_one, "seen twice", None)]
    # Escape leaves a field before it leaves the figure; Tab goes round all that can be used.
    regions.note.setFocus()
    keys(Qt.Key.Key_Escape)
    assert (view.isVisible(), view.canvases[view._active].hasFocus()) == (True, True)
    regions.list.setCurrentRow(-1)
    view.canvases[0].setFocus()
    been = list[object]()
    while QApplication.focusWidget() not in been:
        been.append(QApplication.focusWidget())
        keys(Qt.Key.Key_Tab)
    assert (QApplication.focusWidget(), len(been) > 4) == (been[0], True)
    # Of what is said of one region nothing stands in the form of the next.
    regions.choose(kept_one)
    regions.begin("f1", QRect(1, 1, 20, 20))
    assert (regions.finding.text(), regions.note.text(), regions.link.isChecked()) == ("", "", False)


def test_a_box_that_was_given_up_is_not_kept(bench: Workbench, qtbot: QtBot) -> None:
    view = opened(bench, qtbot)
    keys(Qt.Key.Key_G, Qt.Key.Key_5, Qt.Key.Key_Return)
    # A dialog that was over it leaves what was being marked as it was.
    bench.go_on()
    assert (view.isVisible(), view.regions.save.isEnabled()) == (True, True)
    at_the_canvas = (True, True, False)

    def there() -> tuple[bool, bool, bool]:
        return view.isVisible(), view.canvases[0].hasFocus(), view.regions.save.isEnabled()

    keys(Qt.Key.Key_Escape)
    assert there() == at_the_canvas
    # Another report begins without the figures of the one before.
    with qtbot.waitSignal(bench.session.report_model.opened):
        bench.session.open_report(bench.session.report_model.key)
    assert (view.isVisible(), bench.frame.figures.figures) == (False, ())
    opened(bench, qtbot)
    # Undo gives it up, too, and takes back what was done before only then.
    undone: list[object] = []
    bench.session.undoing.turned.connect(lambda _, turned: undone.append(turned))
    keys(Qt.Key.Key_G, Qt.Key.Key_5, Qt.Key.Key_Return)
    bench.actions_["edit.undo"].trigger()
    settle(bench.session.worker, qtbot)
    assert (there(), undone) == (at_the_canvas, [])
    bench.actions_["edit.undo"].trigger()
    qtbot.waitUntil(lambda: len(undone) == 1)
    keys(Qt.Key.Key_Escape)
    assert not view.isVisible()


def test_pictures_are_decoded_within_limits_and_cut_into_panels() -> None:
    whole = picture(20)
    assert decoded(whole, 64).width() == 64
    # Some of these parts are enough to tell the format and too short to have a size.
    assert all(decoded(whole[:length], LONGEST).isNull() for length in range(100))
    image = decoded(whole, LONGEST)
    assert len(panels_in(image, image.size(), 1)) == 1
    assert [round(panel.left()) for panel in panels_in(image, image.size(), 2)] == [0, 160]
    # As many as the caption names, also where the last row is not full.
    blank = QImage(400, 300, QImage.Format.Format_RGB32)
    blank.fill(QColor("white"))
    parts = [one.toRect() for one in panels_in(blank, blank.size(), 5)]
    assert parts == [QRect(x, y, 133, 150) for y in (0, 150) for x in (0, 133, 266)][:5]


class Asked:
    """Stands for the worker: remembers what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def ask(self, *call: object) -> None:
        self.calls.append(call)


def test_pictures_are_asked_for_once_a_size_and_the_large_ones_seen_last_are_kept(qtbot: QtBot) -> None:
    worker = Asked()
    pictures = Pictures(cast("Any", worker))
    for digest, longest in (("a", LONGEST), ("a", LONGEST), ("a", 64)):
        assert pictures.picture(digest, longest) is None
    assert len(worker.calls) == 2
    for digest in "abcdef":
        pictures._take(digest, LONGEST, QImage())
        pictures._take(digest, 64, QImage())
    assert [digest for digest, longest in pictures._there if longest == LONGEST] == list("cdef")
    assert [digest for digest, longest in pictures._there if longest == 64] == list("abcdef")
    assert pictures.picture("a") is None
    assert len(worker.calls) == 3
    # One that cannot be read is not waited for without end.
    _, _, refused = worker.calls[-1]
    assert pictures.large("a", "Figure 1")[1] == "Reading…"
    refused("It is not there.")
    assert pictures.large("a", "Figure 1")[1].startswith("This picture cannot be shown")


def test_panels_are_told_apart_by_empty_stretches_in_reading_order() -> None:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    panels = [QRect(10, 10, 180, 120), QRect(210, 10, 180, 120), QRect(0, 160, 400, 130)]
    for panel in panels:
        gradient = QLinearGradient(panel.topLeft(), panel.bottomRight())
        gradient.setColorAt(0, QColor(200, 200, 200))
        painter.fillRect(panel, gradient)
    painter.end()
    # The empty edge of a picture that is cut no further is left to its panels.
    top = image.copy(0, 10, 400, 120)
    for shown, above, caption in ((image, 0, 1), (image, 0, 5), (top, 10, 1)):
        found = panels_in(shown, shown.size() * 2, caption)
        for one, panel in zip(found, panels if shown is image else panels[:2], strict=True):
            there, wanted = one.toRect(), panel.translated(0, -above)
            for corner, meant in (
                (there.topLeft(), wanted.topLeft()),
                (there.bottomRight(), wanted.bottomRight()),
            ):
                assert (corner - meant * 2).manhattanLength() < 8, panel
    # Four of them: row by row.
    four = QImage(400, 400, QImage.Format.Format_RGB32)
    four.fill(QColor("white"))
    painter = QPainter(four)
    for x, y in ((10, 10), (210, 10), (10, 210), (210, 210)):
        painter.fillRect(x, y, 180, 180, gradient)
    painter.end()
    corners = [(one.left() > 150, one.top() > 150) for one in panels_in(four, four.size(), 0)]
    assert corners == [(False, False), (True, False), (False, True), (True, True)]
    # Too narrow for a panel: none is cut off.
    thin = QImage(400, 300, QImage.Format.Format_RGB32)
    thin.fill(QColor("white"))
    painter = QPainter(thin)
    painter.fillRect(10, 10, 20, 280, gradient)
    painter.fillRect(60, 10, 330, 280, gradient)
    painter.end()
    assert len(panels_in(thin, thin.size(), 0)) == 1


def test_a_figure_is_told_in_words_and_stands_where_it_is_first_spoken_of(qtbot: QtBot) -> None:
    high = FigureImage("a", "a.png", "kept", sha256="0", width=100, height=1000)
    wide = replace(high, width=1000, height=500)
    for image, room in ((high, 125), (wide, 50), (replace(high, height=10), 20)):
        button = Thumbnail(Figure("f1", "", images=(image,)), "Figure 1", cast("Any", None))
        qtbot.addWidget(button)
        assert button.wanted(100).height() - button.fontMetrics().height() - 2 == room
        for words in ("Figure 1", "Fig. 1", "1"):
            button.resize(button.fontMetrics().horizontalAdvance(words) + 5, 50)
            assert button._short() == words
    kept, lost = FigureImage("a", "a.png", "kept"), FigureImage("b", "", "refused", "It is too large.")
    figure = Figure("f3", "", panels=("A", "B"))
    assert described(figure) == "Figure 3, panels A, B. It has no picture."
    assert described(replace(figure, images=(lost,))) == "Figure 3, panels A, B. It is too large."
    named = replace(figure, label="Fig. 3.", panels=(), images=(lost, kept))
    assert described(named) == "Fig. 3: opens it large."
    spoken = tuple(FigureMention(start, start + 5) for start in (90, 40, 120))
    assert _anchor(figure) is None
    assert _anchor(replace(figure, start=70, end=100)) == 70
    assert _anchor(replace(figure, mentions=spoken)) == 40
    assert _anchor(replace(figure, mentions=spoken, start=40, end=100)) == 120
    assert _anchor(replace(figure, mentions=spoken, start=40, end=120)) == 120
    assert _anchor(replace(figure, mentions=spoken[:2], start=30, end=100)) == 40


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    """With a picture twice as large as there is room."""
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(200, 200)
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(QColor(90, 90, 90))
    canvas.show_picture(image, image.size(), "a picture")
    return canvas


def in_view(canvas: Canvas) -> tuple[int, ...]:
    """Left, top, right and bottom of what is seen, in the picture's pixels."""
    seen = canvas._seen()
    return tuple(round(one) for one in (seen.left(), seen.top(), seen.right(), seen.bottom()))


def test_one_zooms_pans_and_comes_back_by_keys_wheel_and_mouse(canvas: Canvas, qtbot: QtBot) -> None:
    whole = (0, 0, 400, 400)
    assert in_view(canvas) == whole
    QTest.keyClick(canvas, Qt.Key.Key_Minus)
    assert in_view(canvas) == whole
    for _ in range(4):
        QTest.keyClick(canvas, Qt.Key.Key_Plus)
    left, top, right, bottom = middle = in_view(canvas)
    assert left == top > 50
    assert (right, bottom) == (400 - left, 400 - top)
    for there, back, moved in (
        (Qt.Key.Key_Right, Qt.Key.Key_Left, (True, False)),
        (Qt.Key.Key_Down, Qt.Key.Key_Up, (False, True)),
    ):
        QTest.keyClick(canvas, there)
        assert (in_view(canvas)[0] > left, in_view(canvas)[1] > top) == moved
        QTest.keyClick(canvas, back)
        assert in_view(canvas) == middle
    QTest.keyClick(canvas, Qt.Key.Key_0)
    assert in_view(canvas) == whole
    # At the pointer: what is there stays there.
    pointed, nothing = QPointF(50, 150), QPoint()
    held = canvas._to_picture(pointed)
    for turned in (120, 120):
        event = QWheelEvent(
            pointed, pointed, nothing, QPoint(0, turned), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas, event)
    assert canvas._to_picture(pointed).toPoint() == held.toPoint()
    assert in_view(canvas) != whole
    before = canvas._to_picture(QPointF(100, 100))
    QTest.mousePress(canvas, Qt.MouseButton.RightButton, pos=QPoint(100, 100))
    QTest.mouseMove(canvas, QPoint(110, 95))
    QTest.mouseRelease(canvas, Qt.MouseButton.RightButton, pos=QPoint(110, 95))
    assert canvas._to_picture(QPointF(110, 95)).toPoint() == before.toPoint()
    # The left button with Shift pans as the right one.
    with qtbot.assertNotEmitted(canvas.box_drawn):
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, SHIFT, QPoint(110, 95))
        QTest.mouseMove(canvas, QPoint(100, 100))
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, SHIFT, QPoint(100, 100))
    assert canvas._to_picture(QPointF(100, 100)).toPoint() == before.toPoint()
    # No further than the edges, and as a whole again in its place.
    for key, edge, wanted in ((Qt.Key.Key_Right, 2, 400), (Qt.Key.Key_Down, 3, 400), (Qt.Key.Key_Left, 0, 0)):
        for _ in range(9):
            QTest.keyClick(canvas, key)
        assert in_view(canvas)[edge] == wanted
        assert in_view(canvas)[0] < in_view(canvas)[2]
    for _ in range(9):
        QTest.keyClick(canvas, Qt.Key.Key_Minus)
    assert in_view(canvas) == whole
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    canvas.resize(400, 400)
    canvas.grab()
    assert (in_view(canvas), canvas._zoom()) == (whole, 1.0)
    canvas.zoom(99)
    assert canvas._zoom() == 16


def test_a_box_is_marked_by_ninths_moved_made_larger_and_taken_back(canvas: Canvas, qtbot: QtBot) -> None:
    taken: list[QRect] = []
    canvas.box_drawn.connect(taken.append)

    def marked(*pressed: str | tuple[Qt.Key, bool]) -> tuple[int, ...]:
        for key in ("g", *pressed, (Qt.Key.Key_Return, False)):
            if isinstance(key, str):
                QTest.keyClick(canvas, key_of(key))
            else:
                QTest.keyClick(canvas, key[0], SHIFT if key[1] else Qt.KeyboardModifier.NoModifier)
        canvas.give_up()
        return cast("tuple[int, ...]", taken[-1].getRect())

    back, right, larger = (Qt.Key.Key_Backspace, False), (Qt.Key.Key_Right, False), (Qt.Key.Key_Right, True)
    fifth, inner = marked("5"), marked("5", "1")
    assert fifth == (133, 133, 134, 134)
    assert marked("3") == (266, 0, 134, 134)
    assert inner == (133, 133, 45, 45)
    assert marked("5", "1", "9", back) == inner
    assert marked("5", "1", "9", back, back) == fifth
    assert marked("5", right) == (149, 133, 134, 134)
    assert marked("5", larger) == (133, 133, 150, 134)
    # It stays within the picture.
    assert marked("3", right) == marked("3", larger) == marked("3")
    QTest.keyClick(canvas, key_of("g"))
    assert [canvas.give_up(), canvas.give_up()] == [True, False]
    # It begins as what is in view.
    canvas.zoom(3, QPointF(150, 60))
    assert marked() == canvas._seen().toAlignedRect().getRect() != canvas._whole.toRect().getRect()


def test_a_box_is_drawn_by_the_mouse_and_painted_with_its_code(canvas: Canvas, qtbot: QtBot) -> None:
    with qtbot.waitSignal(canvas.box_drawn) as drawn:
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(150, 60))
        QTest.mouseMove(canvas, QPoint(50, 110))
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(50, 110))
    assert drawn.args == [QRect(100, 120, 200, 100)]
    with qtbot.assertNotEmitted(canvas.box_drawn):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
        # A hand that trembles draws none.
        for place in (QPoint(90, 22), QPoint(26, 26)):
            QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
            QTest.mouseMove(canvas, place)
            QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(canvas.box_drawn) as drawn:
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(150, 150))
        QTest.mouseMove(canvas, QPoint(260, 190))
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(260, 190))
    assert drawn.args == [QRect(300, 300, 100, 80)], "no further than the picture"
    canvas.boxes = [
        ShownBox("one", QRect(100, 120, 200, 100), "GI"),
        ShownBox("two", QRect(20, 300, 60, 60), "CV"),
    ]
    plain = canvas.grab().toImage()
    canvas.current = "one"
    chosen = canvas.grab().toImage()
    ground = QColor(90, 90, 90)
    edges, beside = ((100, 60), (100, 110), (150, 85), (10, 160)), ((100, 85), (180, 180))
    assert all(plain.pixelColor(*at) != ground for at in edges)
    assert all(plain.pixelColor(*at) == ground for at in beside)
    assert plain.pixelColor(100, 60) != chosen.pixelColor(100, 60)
    assert plain.pixelColor(10, 160) == chosen.pixelColor(10, 160)
    # By keys the ninths are drawn in what is chosen.
    canvas.boxes = []
    QTest.keyClick(canvas, Qt.Key.Key_G)
    QTest.keyClick(canvas, Qt.Key.Key_1)
    nine = canvas.grab().toImage()
    assert nine.pixelColor(66, 30) != ground
    assert nine.pixelColor(150, 150) == ground
    # However often an edge is moved in, there is something left of the box.
    kept: list[QRect] = []
    canvas.box_drawn.connect(kept.append)
    for key in (Qt.Key.Key_Backspace, Qt.Key.Key_5):
        QTest.keyClick(canvas, key)
    for key in 40 * [Qt.Key.Key_Left, Qt.Key.Key_Up]:
        QTest.keyClick(canvas, key, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert 4 <= min(kept[0].width(), kept[0].height()) < 40
    for contrast, value in ((-50, 108), (50, 53), (0, 90)):
        canvas.set_light(0, contrast)
        assert canvas.grab().toImage().pixelColor(150, 150).red() == value
    canvas.set_light(50, 0)
    assert canvas.grab().toImage().pixelColor(150, 150).lightness() > ground.lightness()
    QTest.keyClick(canvas, Qt.Key.Key_G)
    canvas.show_picture(QImage(), QSize(), "It is damaged.")
    assert (canvas.brightness, canvas.contrast, canvas.give_up()) == (0, 0, False)
    assert canvas.grab().toImage().pixelColor(150, 150) != ground


def test_panels_sides_light_and_mentions_go_by_keys_and_a_region_is_deleted(
    bench: Workbench, qtbot: QtBot
) -> None:
    view = opened(bench, qtbot)
    first, second = view.canvases
    told: list[str] = []
    bench.session.message.connect(told.append)
    seen = []
    for _ in range(3):
        keys(Qt.Key.Key_N)
        seen.append(in_view(first))
    assert [one.partition(": ")[2] for one in told] == ["panel 1 of 2.", "panel 2 of 2.", "all of it."]
    assert len(set(seen)) == 3
    assert seen[0][2] <= seen[1][2]
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert told[-1].endswith("panel 2 of 2.")
    # On another figure, and on the other side, one begins with the first.
    keys(Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_N)
    assert told[-1].endswith("panel 1 of 2.")
    keys(Qt.Key.Key_Space)
    assert first.hasFocus()
    keys(Qt.Key.Key_D)
    assert second.hasFocus()
    qtbot.waitUntil(lambda: second.accessibleName().startswith("Figure 2"))
    keys(Qt.Key.Key_Space, Qt.Key.Key_N, Qt.Key.Key_Space)
    assert told[-1].endswith("panel 1 of 2.")
    keys(Qt.Key.Key_B, Qt.Key.Key_C, Qt.Key.Key_Space, Qt.Key.Key_C)
    assert first.hasFocus()
    assert [(one.brightness, one.contrast) for one in (first, second)] == [(0, 10), (10, 10)]
    keys(Qt.Key.Key_X)
    assert [(one.brightness, one.contrast) for one in (first, second)] == [(0, 0), (10, 10)]
    keys(Qt.Key.Key_D, Qt.Key.Key_G, Qt.Key.Key_5, Qt.Key.Key_Return, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(first.boxes) == 1)
    # However little room there is, what Tab comes to is in sight.
    view.resize(view.width(), 300)
    port = view._beside.viewport()
    bar = view._beside.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for _ in range(20):
        keys(Qt.Key.Key_Tab)
        part = QApplication.focusWidget()
        assert part is not None
        if port.isAncestorOf(part):
            assert port.rect().intersects(QRect(part.mapTo(port, QPoint()), part.size()))
    with qtbot.waitSignal(bench.session.worker.saved):
        view.regions.choose(first.boxes[0].id)
        view.regions.delete.click()
    qtbot.waitUntil(lambda: first.boxes == [])
    first.setFocus()
    keys(Qt.Key.Key_M)
    assert not view.isVisible()
    one, other, _ = bench.frame.figures.figures
    assert bench.reader.caret() == one.mention_places[0][0]
    # Opened again there is one picture, which keys are for; all those of a figure follow each other.
    view.open((one, other), 0)
    keys(Qt.Key.Key_D, Qt.Key.Key_Escape)
    lost = FigureImage("b", "", "refused", "It is too large.")
    view.open((replace(one, images=(*one.images, *other.images)), replace(other, images=(lost,))), 0)
    keys(Qt.Key.Key_B)
    assert (view.title.full_text(), first.brightness) == ("Figure 1 · 1 of 3 · panels A B", 10)
    next(one for one in view.findChildren(QPushButton) if one.accessibleName() == "Next").click()
    assert view.title.full_text() == "Figure 1 · 2 of 3 · panels A B"
    # Which of the caption's panels are on which of several pictures is not known.
    keys(Qt.Key.Key_N)
    assert told[-1].endswith("panel 1 of 1.")
    keys(Qt.Key.Key_PageDown)
    assert first.accessibleName() == "Figure 2 has no picture here. It is too large."


def test_a_click_chooses_the_smallest_of_the_regions_there(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(200, 200)
    canvas.show_picture(QImage(200, 200, QImage.Format.Format_RGB32), QSize(200, 200), "")
    canvas.boxes = [
        ShownBox("inner", QRect(50, 50, 60, 60), "GI"),
        ShownBox("outer", QRect(10, 10, 180, 180), "GU"),
        ShownBox("other", QRect(150, 150, 20, 20), "CV"),
    ]
    for x, named in ((70, "inner"), (30, "outer"), (160, "other")):
        with qtbot.waitSignal(canvas.chosen) as said:
            QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(x, x))
        assert said.args == [named]
