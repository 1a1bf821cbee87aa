"""A reader on the screen, with the focus."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.palette import page_palette
from extractors.model.scheme import default_scheme
from tests.gui.reader.looking import Open


@pytest.fixture
def open_reader(qtbot: QtBot) -> Open:
    def open_reader(text: str, spans: list[ShownSpan] | None = None, dark: bool = False) -> Reader:
        reader = Reader(page_palette(default_scheme(), dark))
        qtbot.addWidget(reader)
        reader.resize(1000, 700)
        reader.load(text, (), spans or [])
        with qtbot.waitExposed(reader):
            reader.show()
        reader.setFocus()
        return reader

    return open_reader
