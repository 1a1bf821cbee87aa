"""The words of a card: which are emphasised, and how long ones are cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from app.gui.modes.review.cells import RELATIONS, CardText, relation_words

WIDTH, HEIGHT = 200, 120


@pytest.fixture(autouse=True)
def application(qtbot: QtBot) -> None:
    """Fonts need one."""


def picture(parts: list[tuple[str, bool]], lines: int = 4) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    CardText(parts, QFont(), WIDTH, lines).draw(painter, QPointF(0, 0))
    painter.end()
    return image


def inked(image: QImage, row: int) -> list[int]:
    """The columns of one row of pixels that are not white."""
    return [x for x in range(WIDTH) if image.pixelColor(x, row).lightness() < 128]


@pytest.mark.parametrize("before", ["acne ", "😊😊 ", "e\u0301te\u0301 "])
def test_emphasised_words_are_underlined_without_the_space_after_them(before: str) -> None:
    plain, strong = (
        picture([(before, False), ("ataxia ", False)]),
        picture([(before, False), ("ataxia ", True)]),
    )
    assert plain != strong
    rows = [row for row in range(HEIGHT) if len(inked(strong, row)) > len(inked(plain, row)) + 20]
    assert rows
    columns = inked(strong, rows[0])
    starts = QFontMetricsF(QFont()).horizontalAdvance(before)
    assert columns[0] == pytest.approx(starts, abs=3)
    bold = QFont()
    bold.setBold(True)
    assert len(columns) == pytest.approx(QFontMetricsF(bold).horizontalAdvance("ataxia"), abs=4)


@pytest.mark.parametrize("text", ["word " * 90, "😊" * 200, "\u0645\u0631\u064a\u0636 " * 90])
def test_what_is_long_is_cut_after_so_many_lines(text: str) -> None:
    line = CardText([("word", False)], QFont(), WIDTH, 1).height
    assert CardText([(text, False)], QFont(), WIDTH, 3).height <= 3.6 * line


def test_what_is_cut_ends_with_an_ellipsis_also_where_its_last_word_only_just_had_room() -> None:
    # By one letter more each time, the edge falls into each place of the words behind.
    for before in ("i" * number for number in range(30, 70)):
        text = f"{before} ill, or in pain, and so on and on"
        cut = picture([(text, False)], 1)
        ends = (end for end, char in enumerate(text) if char == " ")
        assert all(picture([(text[:end], False)], 2) != cut for end in ends), text


def test_nothing_takes_no_room_to_speak_of() -> None:
    assert (
        CardText([("", False)], QFont(), WIDTH, 3).height
        <= CardText([("x", False)], QFont(), WIDTH, 3).height
    )


def test_how_a_card_stands_is_said_in_whole_words_a_sign_or_not_at_all() -> None:
    for relation, words in RELATIONS.items():
        assert relation_words(relation, words.__eq__) == words
        assert relation_words(relation, words.__ne__) == words.split()[0]
        assert relation_words(relation, words.startswith) == words
        assert relation_words(relation, "".__eq__) == ""
