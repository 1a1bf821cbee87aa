"""Code points and UTF-16 units name the same characters, in Qt's own documents too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from app.gui.reader.page import shown_text
from app.text import Offsets

NASTY = (
    "",
    "plain",
    "a😀b👩‍👩‍👧c𝑨d",
    "e\u0301 and a\u030a\u0323, one\u00a0two\tthree",
    "\ufeffwith a byte order mark\nand lines\n\n",
    "lone\rreturn, \u2028line, \u2029paragraph, \u0085next line, \x0bvertical, \x0cform feed",
    "\ufffea byte order mark turned round, \ufffe and \uffff",
    "frames \ufdd0 and \ufdd1, object \ufffc, nothing \x00, half \ud83d a pair \ude00.",
    "العربية و עברית mixed with 漢字かな交じり文",
    "𝑨" * 50,
)
CHARACTERS = st.one_of(
    st.characters(),
    st.sampled_from("\r\n\t\x00\u2028\u2029\u0085\u00a0\ufeff\ufdd0\ufdd1\ufffc\u0301😀𝑨\ud83d\ude00"),
)


def assert_places_agree(text: str) -> None:
    document = QTextDocument()
    document.setPlainText(shown_text(text))
    offsets = Offsets(text)
    assert document.characterCount() == offsets.units + 1
    units = 0
    for place, character in enumerate(text):
        assert offsets.to_utf16(place) == units
        assert offsets.to_code_point(units) == place
        shown = shown_text(character)
        in_document = document.characterAt(units)
        if character == "\n":
            assert in_document == "\u2029"
        elif len(shown.encode("utf-16-le")) == 2:
            assert in_document == shown
        else:
            assert offsets.to_code_point(units + 1) == place
        units += len(shown.encode("utf-16-le")) // 2
    assert offsets.to_utf16(len(text)) == units
    assert offsets.to_code_point(units) == len(text)


@pytest.mark.parametrize("text", NASTY)
def test_document_places_are_the_texts_places_for_nasty_texts(text: str) -> None:
    assert_places_agree(text)


@given(st.text(CHARACTERS, max_size=60))
def test_document_places_are_the_texts_places_for_any_text(text: str) -> None:
    assert_places_agree(text)


def test_an_offset_outside_the_text_is_refused() -> None:
    offsets = Offsets("a😀")
    for place in (-1, 3):
        with pytest.raises(IndexError, match="outside a text of 2 characters"):
            offsets.to_utf16(place)
    for place in (-1, 4):
        with pytest.raises(IndexError, match="outside a text of 3 UTF-16 units"):
            offsets.to_code_point(place)


def test_ordinary_text_is_shown_as_it_is() -> None:
    text = "Temp\u00a038.5\u202f°C,\tpulse 90 😀\nsecond"
    assert shown_text(text) == text
