"""Text that runs from right to left: arrow keys lead through it, and its marks begin at its right."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.reader.looking import Open

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
