"""The row of small pictures beside an item's text."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.figures.pictures import LONGEST, Pictures
from app.gui.figures.row import PictureRow
from app.gui.widgets.boxes import stacked


@pytest.mark.parametrize("low", [True, False])
def test_small_pictures_leave_the_text_its_lines_in_a_low_window(qtbot: QtBot, low: bool) -> None:
    window, row = QWidget(), PictureRow("Pictures")
    qtbot.addWidget(window)
    stacked(window, row)
    window.resize(600, 300 if low else 900)
    window.show()
    row.put([("Figure 1", "0" * 64)])
    (button,) = row.buttons
    high = button.iconSize().height()
    assert button.height() <= row.height() < 1.7 * button.minimumHeight()
    # The other height, and a width by which the row hears of it.
    window.resize(620, 900 if low else 300)
    assert button.iconSize().height() == (2 * high if low else high // 2)
    # The same again leave the buttons, and the focus, as they are.
    row.put([("Figure 1", "0" * 64)])
    assert row.buttons == [button]
    # Large, one goes round.
    pictures = Pictures(cast("Any", _Nobody()), row)
    row.use(pictures)
    row.put([("Figure 1", "0" * 64), ("Figure 2", "1" * 64)])
    row.buttons[1].click()
    large = row.large
    assert large is not None
    said = [large.about.text()]
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp):
        QTest.keyClick(large, key)
        said.append(large.about.text())
    assert said == [f"Figure {n} ({n} of 2)" for n in (2, 1, 2, 1)]
    assert large.canvas.accessibleName() == "Reading…"
    picture = QImage(80, 80, QImage.Format.Format_RGB32)
    pictures._take("0" * 64, LONGEST, picture)
    assert large.canvas.accessibleName() == "Figure 1"
    pictures._take("0" * 64, 200, picture)
    assert [one.icon().isNull() for one in row.buttons] == [False, True]
    # What comes of others moves nothing.
    large.canvas.zoom(4)
    seen = large.canvas._seen()
    for digest, longest in (("1" * 64, LONGEST), ("0" * 64, 200)):
        pictures._take(digest, longest, QImage())
    assert large.canvas._seen() == seen != large.canvas._whole
    # Under the name of one that is damaged no other is seen.
    QTest.keyClick(large, Qt.Key.Key_PageDown)
    assert large.canvas.accessibleName().startswith("This picture cannot be shown")
    assert large.canvas._image.isNull()
    # Nothing is marked where nothing could be kept.
    large.canvas.show_picture(picture, QSize(80, 80), "Figure 1")
    QTest.keyClick(large.canvas, Qt.Key.Key_G)
    assert not large.canvas.give_up()
    large.close()


class _Nobody:
    def ask(self, *call: object) -> None:
        """No answer comes."""
