"""Text that runs from right to left: arrow keys lead through it, and its marks begin at its right."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.gui.reader.spans import ShownSpan
from app.palette import page_palette
from extractors.model.scheme import default_scheme
from tests.gui.reader.looking import Open, changed_box, picture

ARABIC = "\n".join(
    [
        "",
        "حالة مرض فابري عند رجل عمره 41 عاما",
        "",
        "كان المريض يعاني من ضيق النفس. ضغط الدم 128/76 mmHg، ومعدل النبض 72.",
        " ",
        "128/76",
        "",
        "أظهر تخطيط صدى القلب ضخامة البطين الأيسر",
        "",
    ]
)
HEBREW = 'תיאור מקרה: מחלת פברי בגבר בן 41\n\nלחץ הדם היה 128/76 mmHg.\n\n\nאקו לב (13 מ"מ).'
NONE, CONTROL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.mark.parametrize("modifiers", [NONE, SHIFT, CONTROL, CONTROL | SHIFT])
@pytest.mark.parametrize("text", [ARABIC, HEBREW])
def test_left_leads_to_the_end_of_a_right_to_left_report_and_right_back(
    open_reader: Open, text: str, modifiers: Qt.KeyboardModifier
) -> None:
    reader = open_reader(text)
    for key, end in ((Qt.Key.Key_Left, len(text)), (Qt.Key.Key_Right, 0)):
        for _ in text:
            QTest.keyClick(reader, key, modifiers)
        assert reader.caret() == end


def test_a_line_without_letters_runs_as_the_line_before_it(open_reader: Open) -> None:
    reader = open_reader("\n1\nabc\n\n12/3\nשלום\n\n45\nabc\n\n")
    blocks = [reader.document().findBlockByNumber(number) for number in range(11)]
    turned = [block.textDirection() == Qt.LayoutDirection.RightToLeft for block in blocks]
    assert turned == [False] * 5 + [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    ("text", "words", "under_right"),
    [
        (HEBREW, "מקרה: מחלת", True),
        ("he said שלום עולם then", "שלום עולם", True),
        ("הוא אמר good evening אז", "good evening", False),
        ("he said שלום עולם then", "said שלום עולם", False),
        ("he said שלום עולם then", "he said", False),
    ],
)
def test_a_code_stands_under_the_letter_its_span_begins_with(
    open_reader: Open, text: str, words: str, under_right: bool
) -> None:
    reader = open_reader(text)
    plain = picture(reader)
    start = text.index(words)
    reader.add_span(ShownSpan("a", start, start + len(words), "Neuro"))
    marked = picture(reader)
    whole = changed_box(plain, marked)
    assert whole is not None
    lowest = QRect(0, whole[3] - 3, plain.width(), 4)
    code = changed_box(plain.copy(lowest), marked.copy(lowest))
    assert code is not None
    assert code[2] - code[0] < (whole[2] - whole[0]) / 2
    assert abs(whole[2] - code[2] if under_right else code[0] - whole[0]) <= 3


def test_a_span_over_two_lines_of_the_other_direction_has_its_feet_at_its_ends(open_reader: Open) -> None:
    text = "שלום עולם " * 20
    reader = open_reader(text, [ShownSpan("a", 5, len(text) - 5, "Neuro", mine=False)])
    reader.resize(500, 700)
    with_feet = picture(reader)
    first, last = reader.rect_of(5, 6), reader.rect_of(len(text) - 6, len(text) - 5)
    reader.update_span(ShownSpan("a", 5, len(text) - 5, "Neuro"))
    colour = QColor(*page_palette(default_scheme(), False).colours["Neuro"]).rgb()

    def height(x: int, box: QRect) -> int:
        rows = range(box.top(), box.bottom() + 8)
        return max(
            sum(with_feet.pixelColor(x + near, y).rgb() == colour for y in rows) for near in (-1, 0, 1)
        )

    assert height(first.right(), first) > height(first.left() - 20, first) > 0
    assert height(last.left(), last) > height(last.right() + 20, last) > 0
