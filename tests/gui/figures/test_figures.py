"""Figures in the window: nothing moves for them, and everything is done by keys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.figures.canvas import Canvas, ShownBox
from app.gui.figures.panels import panels_in
from app.gui.figures.pictures import LONGEST, decoded
from app.gui.figures.view import FigureView
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.annotate.regions import list_regions
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from app.operations.project.opening import open_project
from extractors.model.progress import finished
from tests.builders import ME, Kept
from tests.gui.conftest import open_in
from tests.pictures import package, picture
from tests.verbs import press, settle


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
    bench.actions_["report.mention"].trigger()
    assert bench.reader.caret() == mention


def test_a_thumbnail_shows_the_first_picture_that_there_is(bench: Workbench, qtbot: QtBot) -> None:
    figures = bench.frame.figures
    qtbot.waitUntil(lambda: len(figures.figures) == 3)
    turned = tuple(replace(one, images=one.images[::-1]) for one in figures.figures)
    assert [image.state for image in turned[1].images] == ["missing", "kept"]
    figures.pictures._there.clear()
    figures.thumbnails.set_figures(turned)
    qtbot.waitUntil(lambda: all(one.image is not None for one in figures.thumbnails.buttons.values()))


def test_one_goes_round_the_mentions_of_a_figure_without_a_caption(bench: Workbench, qtbot: QtBot) -> None:
    figures = bench.frame.figures
    qtbot.waitUntil(lambda: len(figures.figures) == 3)
    figures.figures = tuple(replace(one, start=None, end=None) for one in figures.figures)
    starts = [start for start, _ in figures.figures[0].mention_places]
    bench.reader.go_to(starts[0])
    seen = []
    for _ in starts:
        bench.actions_["report.mention"].trigger()
        seen.append(bench.reader.caret())
    assert seen == [*starts[1:], starts[0]]
    assert len(starts) == 3


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
    bench.session.undo()
    qtbot.waitUntil(lambda: not view.canvases[0].boxes)
    bench.session.redo()
    qtbot.waitUntil(lambda: len(view.canvases[0].boxes) == 1)
    settle(bench.session.worker, qtbot)
    with open_project(bench.session.path, write=False) as project:
        (region,) = list_regions(project, ME, "PMC77")
    assert (region.finding, region.figure) == ("opacity", "f1")


def test_a_box_that_was_given_up_is_not_kept(bench: Workbench, qtbot: QtBot) -> None:
    view = opened(bench, qtbot)
    keys(Qt.Key.Key_G, Qt.Key.Key_5, Qt.Key.Key_Return)
    assert view.regions.save.isEnabled()
    keys(Qt.Key.Key_Escape)
    assert (view.isVisible(), view.canvases[0].hasFocus(), view.regions.save.isEnabled()) == (
        True,
        True,
        False,
    )
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
