"""Spans, sections and lines in words: what a list, a tool tip or the inspector says of them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenuBar, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.heading import CopyField
from app.gui.modes.annotate.outline import about_categories, heading_of, section_state, spoken_of
from app.gui.modes.reconcile.beside.rationale_panel import ClauseEdit
from app.gui.widgets import span_words
from app.gui.widgets.boxes import stacked
from app.gui.widgets.drop_down import _two_lines
from app.gui.widgets.flow import _SPACING, _rows, within
from app.gui.widgets.guideline_text import _marked, as_read
from app.gui.widgets.lists import ListTable
from app.gui.widgets.note_edit import NoteEdit
from app.gui.widgets.plain import (
    ElidedButton,
    ElidedLabel,
    cut_in_middle,
    is_right_to_left,
    quoted,
    two_lines,
)
from app.store.annotate.annotations import Annotation
from extractors.checks.span_checks import SpanWarning
from extractors.model.coding import Coding
from extractors.model.document import Section
from extractors.model.finding import Finding
from extractors.model.guideline import Example, ExampleQuote
from extractors.model.scheme import default_scheme

GOUT = Finding("MSK", "gout", 10, 14)
SPAN = Annotation("uuid", "d", "a", GOUT, "gout", "human", 0, "", None, (), None, "")
CODED = replace(
    SPAN,
    concepts=tuple(Coding("HPO", "1", code, name, "", "") for code, name in (("1", "Gout"), ("2", "Toe"))),
)


def test_a_span_is_listed_with_whose_it_is_and_what_is_not_usual() -> None:
    odd = replace(SPAN, finding=replace(GOUT, field="joints", polarity="negated"))
    assert [span_words.listed(*one) for one in ((SPAN, ""), (odd, "rules"), (SPAN, "rules"), (odd, ""))] == [
        "“gout”",
        "rules · joints · negated: “gout”",
        "rules: “gout”",
        "joints · negated: “gout”",
    ]
    assert span_words.in_full(SPAN, "Joints", "") == "Joints, no field, present, yours: “gout”"
    full = "Joints, joints, negated, by rules: “gout”, that is 1 Gout; 2 Toe"
    assert span_words.in_full(replace(odd, concepts=CODED.concepts), "Joints", "rules") == full


def test_of_a_span_is_said_what_it_stands_for_how_it_was_found_and_where_it_is_from() -> None:
    about = span_words.about
    assert about(SPAN, (), own=True) == about(SPAN, (), own=False) == "Labelled by hand."
    model = replace(CODED, origin="model")
    assert about(model, (), own=False) == "1 Gout; 2 Toe"
    assert about(model, (), own=True) == "1 Gout; 2 Toe\nFound by the program."
    warning = SpanWarning("cut word", "It ends early.", 10, 15)
    fuzzy = replace(
        SPAN, finding=replace(GOUT, grounding="fuzzy", reason="as it seems."), surface="gouty", score=91.6
    )
    assert about(fuzzy, (warning,), own=True) == (
        "▸ It ends early.\nThe quote stands in the text in similar words (92 of 100): as it seems.\n"
        "As quoted: “gout”\nLabelled by hand."
    )
    lost = replace(SPAN, finding=replace(GOUT, grounding="ungrounded"), surface=None, score=91.6)
    assert about(lost, (), own=True) == "The quote was not found in the text.\nLabelled by hand."


def test_a_repair_is_offered_where_a_warning_suggests_something_else_than_there_is() -> None:
    same = SpanWarning("cut word", "", 10, 14)
    for warnings, can in (
        ((), False),
        ((same,), False),
        ((replace(same, polarity="present"),), False),
        ((same, replace(same, polarity="negated")), True),
        ((replace(same, end=15),), True),
    ):
        assert span_words.can_repair(SPAN, warnings) == can


def test_a_section_is_called_by_its_heading_its_categories_and_why_it_is_none_of_the_case() -> None:
    scheme = default_scheme()
    first, second, *_ = scheme.categories
    section = Section("  A\n case ", (), 0, 9, (second.id, first.id))
    assert (heading_of(section), heading_of(replace(section, heading=" "))) == ("A case", "Without a heading")
    assert spoken_of(section, scheme) == (first.code, second.code)
    assert about_categories(section, scheme) == f"{first.name}, {second.name}"
    for categories, words in ((scheme.ids, "all categories"), ((), "no category")):
        whole = replace(section, categories=categories)
        assert (spoken_of(whole, scheme), about_categories(whole, scheme)) == ((), words)
    assert section_state(replace(section, reason="why")) == ""
    left_out = replace(section, role="excluded")
    assert section_state(left_out) == "left out of extraction"
    assert section_state(replace(left_out, reason="an abstract")) == "left out of extraction: an abstract"
    assert as_read(f"Not `{first.id}`, `else`", scheme) == f"Not {first.name}, else"


def test_what_is_too_long_is_cut_where_it_can_be_spared(qapp: QApplication) -> None:
    assert [cut_in_middle(text, 6) for text in ("a  b\nc d", "a b c d")] == ["a b … c d", "a b … c d"]
    assert cut_in_middle("abcdef", 6) == "abcdef"
    font, metrics = QFont(), QFontMetrics(QFont())
    room = metrics.horizontalAdvance("one two")
    assert two_lines("one", font, room) == ("one",)
    assert two_lines("one two one two", font, room) == ("one two", "one two")
    first, second = two_lines("one two one two three", font, room)
    assert (first, second[-1]) == ("one two", "…")
    assert _two_lines("rules/one two", metrics, room) == "rules/\none two"
    assert _two_lines("oneandtwo", metrics, metrics.horizontalAdvance("oneand")) == "oneand\ntwo"
    assert _two_lines("one two one two three", metrics, room) == ""
    assert [is_right_to_left(text) for text in ("12 חום", "a חום", "12")] == [True, False, False]
    assert [quoted("a fever"), quoted("fièvre")] == ["“a fever”", "“fièvre”"]
    assert quoted("חום") == "“\u2068חום\u2069”"


def test_where_there_is_no_room_words_are_short_or_cut_within_their_widget(qtbot: QtBot) -> None:
    label, field, button = ElidedLabel(), CopyField(), ElidedButton("A long name of something")
    label.say("A long name", "Short")
    field.say("Its beginning and its very end")
    shown: list[str] = []
    for widget in (label, field, button):
        qtbot.addWidget(widget)
    for width in (label.fontMetrics().horizontalAdvance("Short") + more for more in (0, -1, 200)):
        label.resize(width, 20)
        label.grab()
        shown.append(label.text())
    assert (shown[0], shown[1][0], shown[1][-1], shown[2]) == ("Short", "A", "…", "A long name")
    field.resize(field.fontMetrics().horizontalAdvance("Its beginning…"), 20)
    field.grab()
    assert re.fullmatch(r"Its.*….*end", field.text())
    button.resize(button.sizeHint().width() // 2, button.sizeHint().height())
    image = button.grab().toImage()
    for x in (1, image.width() - 2):
        assert len({image.pixel(x, y) for y in range(image.height())}) == 1


@pytest.mark.parametrize(
    ("widths", "width", "rows"),
    [
        ((), 100, []),
        ((40, 40), 80 + _SPACING, [range(2)]),
        ((40, 40), 79 + _SPACING, [range(1), range(1, 2)]),
        ((90, 10), 20, [range(1), range(1, 2)]),
        # None stays alone below the others.
        ((30, 30, 30, 30), 90 + 2 * _SPACING, [range(2), range(2, 4)]),
    ],
)
def test_parts_stand_in_as_few_rows_as_there_is_room_for(
    widths: tuple[int, ...], width: int, rows: list[range]
) -> None:
    assert _rows(widths, width) == rows
    assert [within(2, wanted, 4) for wanted in (1, 2.6, 9)] == [2, 3, 4]


def test_what_stays_under_another_programs_label_is_told_with_it() -> None:
    one = cast(Any, SimpleNamespace(label="Organ", quote="the\nliver"))
    assert span_words.kept_words(one) == "Organ, a label that the scheme lacks: “the liver”"


def test_of_quotes_of_an_example_that_overlap_the_first_is_marked_and_what_is_not_there_is_not() -> None:
    quotes = tuple(
        ExampleQuote(words, "", "present", ()) for words in ("lasted", "chills", "fever and chills", "gout")
    )
    marked = _marked(Example("One", "fever and chills lasted", quotes, ""))
    assert marked == [(0, 16, quotes[2]), (17, 23, quotes[0])]


def test_a_long_name_in_a_table_leaves_the_other_columns_their_room(qtbot: QtBot) -> None:
    table = ListTable("Changes", ("Who", "What", "Now"), 1, 4)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    needed = partial(QTableView.sizeHintForColumn, table)
    for what in ("Label span as Vital signs and haematology in a report", "Label span"):
        table.put([("Dr Anneliese Maximiliana von Hohenstein-Mueller and others", what, "undone")])
        qtbot.waitUntil(lambda: table.columnWidth(1) >= needed(1))
    assert table.columnWidth(0) >= needed(0) + table.fontMetrics().averageCharWidth(), "there is room for all"


def test_a_table_in_a_dialog_insists_on_no_more_than_a_screen_has_room_for(qtbot: QtBot) -> None:
    table = ListTable("Changes", ("What",), 0, 99)
    qtbot.addWidget(table)
    assert 0.4 < table.minimumHeight() / table.screen().availableSize().height() < 0.6


def test_a_note_is_saved_before_a_key_of_the_window_acts_and_not_by_one_of_its_own(
    qapp: QApplication,
) -> None:
    edit, saved = NoteEdit(), list[str]()
    edit.saved.connect(saved.append)
    edit.put("as it was")
    assert edit.cursorPosition() == 0, "a long note is read from its beginning"
    edit.setCursorPosition(9)
    edit.insert(" once")
    control = Qt.KeyboardModifier.ControlModifier
    for key, modifier, kept in (
        (Qt.Key.Key_C, control, []),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, []),
        (Qt.Key.Key_Period, control, [edit.text()]),
    ):
        QApplication.sendEvent(edit, QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier))
        assert saved == kept
    # What is shown anew is on disk: leaving it saves nothing.
    edit.put("another")
    edit.save()
    assert (edit.text(), len(saved)) == ("another", 1)


@pytest.mark.parametrize("made", [NoteEdit, ClauseEdit])
def test_a_note_shows_its_beginning_once_it_is_left_and_not_below_its_menu_or_another_window(
    made: type[NoteEdit | ClauseEdit], qtbot: QtBot
) -> None:
    panel, other, elsewhere, menus = QWidget(), QLineEdit(), QWidget(), QMenuBar()
    edit = made()
    stacked(panel, menus, edit, other)
    line = edit.line if isinstance(edit, ClauseEdit) else edit
    for window in (elsewhere, panel):
        qtbot.addWidget(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
    edit.setFocus()
    edit.put("as it was")
    line.setSelection(3, 2)
    QApplication.sendEvent(edit, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason))
    with qtbot.waitActive(elsewhere):
        elsewhere.activateWindow()
    edit.put("as it was")
    assert line.selectedText() == "it"
    with qtbot.waitActive(panel):
        panel.activateWindow()
    menus.setFocus(Qt.FocusReason.MenuBarFocusReason)
    edit.put("as it was")
    assert line.cursorPosition() == 5
    edit.setFocus()
    other.setFocus()
    assert (line.cursorPosition(), line.selectedText()) == (0, "")
