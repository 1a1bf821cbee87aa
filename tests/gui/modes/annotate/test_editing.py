"""Annotating by keyboard: keys pressed in the real reader, results read from the disk."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.editing import Editing, _next_character, _overlap
from app.gui.modes.annotate.quiet_lines import HintLine
from app.gui.reader.report_page import Page
from app.gui.reader.view import Reader
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, category_commands, with_keys
from app.gui.shell.look.preferences import Preferences
from app.palette import page_palette
from app.store.annotate.annotations import Annotation
from extractors.model.finding import Finding
from tests.gui.conftest import key_of
from tests.gui.session.test_project_session import held, on_disk
from tests.verbs import settle

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@dataclass
class Bench:
    """A reader with everything that keys act upon."""

    qtbot: QtBot
    session: ProjectSession
    reader: Reader
    page: Page
    editing: Editing
    actions: Actions
    preferences: Preferences
    window: QWidget
    pressed: int = 0

    def press(
        self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self.pressed += 1
        QTest.keyClick(self.reader, key_of(key), modifier)

    def go_to(self, words: str) -> int:
        start = self.session.report_model.text.index(words)
        self.reader.go_to(start)
        return start

    def stored(self) -> list[tuple[str, str]]:
        settle(self.session.worker, self.qtbot)
        spans = sorted(on_disk(self.session), key=lambda one: (one.finding.start or 0, one.finding.category))
        return [(one.finding.category, one.finding.quote) for one in spans]


@pytest.fixture
def bench(session: ProjectSession, qtbot: QtBot) -> Bench:
    return make_bench(session, qtbot)


def make_bench(session: ProjectSession, qtbot: QtBot) -> Bench:
    window = QWidget()
    qtbot.addWidget(window)
    preferences = Preferences(window)
    actions = Actions(window)
    actions.add(with_keys((*COMMANDS, *category_commands(session.scheme)), {}))
    reader = Reader(page_palette(session.scheme, dark=False))
    QVBoxLayout(window).addWidget(reader)
    page = Page(reader, session)
    actions.set_place("text", [reader])
    actions.on("edit.undo", session.undoing.undo)
    editing = Editing(page, session, actions, preferences)
    key = session.report_model.key
    window.resize(900, 700)
    with qtbot.waitExposed(window):
        window.show()
    reader.setFocus()
    session.open_report(key)
    qtbot.waitUntil(lambda: reader.text() == session.report_model.text != "")
    return Bench(qtbot, session, reader, page, editing, actions, preferences, window)


def test_a_category_key_labels_the_selection(bench: Bench) -> None:
    bench.go_to("exertional dyspnoea")
    for _ in range(2):
        bench.press(Qt.Key.Key_Right, CTRL | SHIFT)
    selected = bench.reader.text()[slice(*bench.reader.selection())]
    bench.press("h")
    assert bench.stored() == [("History", selected.strip())]


def test_without_a_selection_a_category_key_labels_the_word_at_the_caret(bench: Bench) -> None:
    start = bench.go_to("palpitations")
    bench.reader.go_to(start + 3)
    bench.press("n")
    ((category, quote),) = bench.stored()
    assert (category, quote.startswith("palpitations")) == ("Neuro", True)


def test_a_quote_is_given_the_whole_words_of_what_is_selected(bench: Bench) -> None:
    quote = bench.session.controller.label(0, 8, "Neuro")
    start = bench.session.report_model.text.index("exertional dyspnoea")
    bench.reader.select(start + 2, start + 5)
    bench.editing.place(quote)
    assert bench.session.report_model.spans[quote].finding.quote == "exertional"
    bench.stored()
    said: list[str] = []
    bench.session.message.connect(said.append)
    bench.reader.go_to(0)
    bench.editing.place(quote)
    bench.editing.step(1)
    bench.editing.accept_and_next()
    assert said == ["Select the quote's place in the text first.", "This is the last span of the report."]


def test_a_second_key_gives_the_same_place_a_second_label(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.press("n")
    quotes = bench.stored()
    assert [category for category, _ in quotes] == ["History", "Neuro"]
    assert len({quote for _, quote in quotes}) == 1


def test_moving_the_caret_away_ends_the_current_span(bench: Bench) -> None:
    bench.go_to("exertional dyspnoea")
    bench.press("h")
    bench.press(Qt.Key.Key_Down)
    bench.press(Qt.Key.Key_Down)
    assert bench.session.report_model.current is None


def test_selections_are_widened_to_whole_words_unless_characters_are_asked_for(bench: Bench) -> None:
    start = bench.session.report_model.text.index("exertional")
    bench.reader.select(start + 1, start + 6)
    bench.press("h")
    assert bench.stored() == [("History", "exertional")]
    bench.preferences.by_characters = True
    bench.reader.select(start + 1, start + 6)
    bench.press("n")
    assert ("Neuro", "xerti") in bench.stored()
    for key, modifier in (
        (Qt.Key.Key_Left, ALT),
        (Qt.Key.Key_Left, ALT | SHIFT),
        (Qt.Key.Key_Left, ALT | SHIFT),
    ):
        bench.press(key, modifier)
    assert ("Neuro", " exert") in bench.stored()
    bench.press(Qt.Key.Key_Right, ALT)
    assert ("Neuro", " exerti") in bench.stored()


def test_shift_and_a_category_key_relabels_the_current_span(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.press(Qt.Key.Key_N, SHIFT)
    assert bench.stored() == [("Neuro", "exertional")]


def test_edges_are_nudged_by_words_in_all_four_directions(bench: Bench) -> None:
    text = bench.session.report_model.text
    start = bench.go_to("exertional dyspnoea")
    bench.press("h")
    bench.press(Qt.Key.Key_Right, ALT)
    assert bench.stored() == [("History", "exertional dyspnoea")]
    bench.press(Qt.Key.Key_Left, ALT | SHIFT)
    ((_, wider),) = bench.stored()
    assert wider.endswith("exertional dyspnoea")
    assert len(wider) > len("exertional dyspnoea")
    bench.press(Qt.Key.Key_Right, ALT | SHIFT)
    bench.press(Qt.Key.Key_Left, ALT)
    assert bench.stored() == [("History", "exertional")]
    assert text[start : start + 10] == "exertional"


def take_edge(bench: Bench, span: tuple[int, int], *, ends: bool) -> None:
    """Press on the edge of what is on one line."""
    there = bench.reader.rect_of(*span)
    edge = QPoint(there.right() if ends else there.left(), there.center().y())
    for place in (QPoint(0, 0), edge):
        QTest.mouseMove(bench.reader.viewport(), place)
    QTest.mousePress(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=edge)


def drag_to(bench: Bench, words: str) -> QPoint:
    """Into the first word of these."""
    start = bench.reader.text().index(words)
    place = bench.reader.rect_of(start + 2, start + 3).center()
    QTest.mouseMove(bench.reader.viewport(), place)
    return place


@pytest.mark.parametrize(
    ("ends", "to", "quote"),
    [
        (True, "and palpitations", "exertional dyspnoea and"),
        (False, "dyspnoea and", "dyspnoea"),
        (False, "and palpitations", "exertional dyspnoea"),
    ],
)
def test_an_edge_is_dragged_by_words_and_dropped_as_one_act_that_keeps_the_rest(
    bench: Bench, ends: bool, to: str, quote: str
) -> None:
    start = bench.go_to("exertional dyspnoea and palpitations")
    bench.reader.select(start, start + len("exertional dyspnoea"))
    bench.press("h")
    bench.press("2")
    bench.session.controller.set_note(bench.session.report_model.current or "", "why")
    take_edge(bench, (start, start + len("exertional dyspnoea")), ends=ends)
    assert bench.reader.viewport().cursor().shape() == Qt.CursorShape.SplitHCursor
    place = drag_to(bench, to)
    (shown,) = bench.reader.spans()
    assert bench.reader.text()[shown.start : shown.end] == quote
    assert bench.stored() == [("History", "exertional dyspnoea")]
    QTest.mouseRelease(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert bench.stored() == [("History", quote)]
    (mine,) = on_disk(bench.session)
    assert (mine.finding.polarity, mine.note, mine.uuid) == ("negated", "why", shown.id)
    assert bench.session.report_model.current == shown.id
    if quote != "exertional dyspnoea":
        bench.press(Qt.Key.Key_Z, CTRL)
        assert bench.stored() == [("History", "exertional dyspnoea")]


def test_a_span_whose_edge_was_dragged_is_the_current_one_where_another_was_at_that_edge_too(
    bench: Bench,
) -> None:
    start = bench.go_to("exertional dyspnoea and palpitations")
    inner, outer = (
        bench.session.controller.label(start, start + len(words), "Neuro")
        for words in ("exertional", "exertional dyspnoea and palpitations")
    )
    bench.stored()
    take_edge(bench, (start, start + len("exertional")), ends=True)
    assert bench.session.report_model.current == outer
    place = drag_to(bench, "dyspnoea")
    QTest.mouseRelease(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert bench.session.report_model.current == inner
    assert ("Neuro", "exertional dyspnoea") in bench.stored()


def test_escape_puts_a_dragged_edge_back(bench: Bench) -> None:
    start = bench.go_to("exertional dyspnoea")
    bench.press("h")
    take_edge(bench, (start, start + len("exertional")), ends=True)
    place = drag_to(bench, "dyspnoea")
    # Other keys are nobody's meanwhile.
    bench.press("n")
    bench.press(Qt.Key.Key_Delete)
    bench.press(Qt.Key.Key_Z, CTRL)
    assert bench.stored() == [("History", "exertional")]
    bench.press(Qt.Key.Key_Escape)
    QTest.mouseMove(bench.reader.viewport(), place + QPoint(5, 0))
    QTest.mouseRelease(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [(s.start, s.end) for s in bench.reader.spans()] == [(start, start + len("exertional"))]
    assert bench.stored() == [("History", "exertional")]
    assert bench.reader.selection()[0] == bench.reader.selection()[1]


@pytest.mark.parametrize("whose", ["theirs", "another mode"])
def test_no_edge_is_dragged_that_keys_could_not_move(bench: Bench, whose: str) -> None:
    start = bench.go_to("exertional dyspnoea")
    bench.press("h")
    (shown,) = bench.reader.spans()
    if whose == "theirs":
        bench.reader.update_span(shown._replace(mine=False))
    else:
        bench.actions.set_place("text", [])
    take_edge(bench, (start, shown.end), ends=True)
    place = drag_to(bench, "dyspnoea")
    assert [(s.start, s.end) for s in bench.reader.spans()] == [(start, shown.end)]
    QTest.mouseRelease(bench.reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert bench.reader.selection()[0] < bench.reader.selection()[1]
    assert bench.stored() == [("History", "exertional")]


def test_a_span_cannot_be_nudged_away(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    for _ in range(3):
        bench.press(Qt.Key.Key_Left, ALT)
    assert bench.stored() == [("History", "exertional")]


def test_space_widens_the_selection_and_shift_space_narrows_it(bench: Bench) -> None:
    bench.go_to("exertional dyspnoea")
    bench.press(Qt.Key.Key_Space)
    word = bench.reader.selection()
    bench.press(Qt.Key.Key_Space)
    sentence = bench.reader.selection()
    bench.press(Qt.Key.Key_Space)
    assert bench.reader.text()[slice(*word)] == "exertional"
    assert sentence[0] <= word[0] < word[1] < sentence[1]
    bench.press(Qt.Key.Key_Space, SHIFT)
    assert bench.reader.selection() == sentence
    bench.press(Qt.Key.Key_Space, SHIFT)
    assert bench.reader.selection() == word


def test_delete_removes_the_current_span_and_undo_brings_it_back(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.press(Qt.Key.Key_Delete)
    assert bench.stored() == []
    bench.press(Qt.Key.Key_Z, CTRL)
    assert bench.stored() == [("History", "exertional")]


@pytest.mark.parametrize(("key", "polarity"), [("2", "negated"), ("3", "uncertain"), ("1", "present")])
def test_digits_set_the_polarity(bench: Bench, key: str, polarity: str) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.press("3")
    bench.press(key)
    bench.stored()
    assert [one.finding.polarity for one in on_disk(bench.session)] == [polarity]


def test_full_stop_and_comma_go_from_span_to_span(bench: Bench) -> None:
    text = bench.session.report_model.text
    places = [text.index(words) for words in ("exertional", "palpitations", "Fabry")]
    for place in places:
        bench.reader.go_to(place)
        bench.press("h")
    bench.reader.go_to(0)
    seen = []
    for _ in range(3):
        bench.press(".")
        seen.append(bench.reader.caret())
    assert seen == sorted(places)
    said: list[str] = []
    bench.session.message.connect(said.append)
    bench.press(".")
    bench.press(",")
    assert (bench.reader.caret(), said) == (sorted(places)[1], ["This is the last span."])
    bench.press(",")
    bench.press(",")
    assert (bench.reader.caret(), said[1:]) == (min(places), ["This is the first span."])


def test_nought_states_nothing_found_in_the_category_in_use_and_takes_it_back(bench: Bench) -> None:
    bench.session.use_category("Pregnancy")
    bench.press("0")
    bench.stored()
    stated = bench.session.report_model.review.nothing_found
    bench.press("0")
    bench.stored()
    assert (stated, bench.session.report_model.review.nothing_found) == (("Pregnancy",), ())


def test_nothing_found_is_refused_where_there_are_spans(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    said: list[str] = []
    bench.session.message.connect(said.append)
    bench.press("0")
    bench.stored()
    name = bench.session.scheme.category("History").name
    assert said == [f"The report has spans in {name}; delete them to state that it has none."]
    assert bench.session.report_model.review.nothing_found == ()


@pytest.fixture
def beside(with_rules: ProjectSession, qtbot: QtBot) -> Bench:
    """A bench that shows what the rules found."""
    bench = make_bench(with_rules, qtbot)
    bench.session.show_others(("rules",))
    settle(bench.session.worker, qtbot)
    return bench


def test_return_accepts_somebody_elses_span_and_goes_on(beside: Bench) -> None:
    beside.reader.go_to(0)
    beside.press(".")
    first = beside.session.report_model.current
    beside.press(Qt.Key.Key_Return)
    assert len(beside.stored()) == 1
    assert beside.session.report_model.current not in (None, first)


def test_return_says_that_an_accepted_span_stands_beside_ones_own_that_it_overlaps(
    beside: Bench,
) -> None:
    theirs = next(one for one in beside.session.report_model.others["rules"] if " " in (one.surface or ""))
    start, category = theirs.finding.start or 0, theirs.finding.category
    beside.session.controller.label(start, beside.session.report_model.text.index(" ", start), category)
    before = beside.stored()
    said: list[str] = []
    beside.session.message.connect(said.append)
    beside.page.go_to_span(theirs.uuid)
    beside.press(Qt.Key.Key_Return)
    assert said[0] == "Accepted beside yours, which it overlaps; both are kept."
    assert beside.stored() == sorted([*before, (category, theirs.surface or "")], key=lambda one: len(one[1]))


def test_keys_do_nothing_to_a_span_of_somebody_else(beside: Bench) -> None:
    beside.reader.go_to(0)
    beside.press(".")
    before = beside.session.report_model.others
    said: list[str] = []
    beside.session.message.connect(said.append)
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_2):
        beside.press(key)
    beside.press(Qt.Key.Key_Right, ALT)
    assert beside.stored() == []
    assert said == ["This is a span of rules; accept it first to change it."] * 3
    beside.session.report_model.set_current(None)
    beside.press(Qt.Key.Key_2)
    assert said[3:] == ["No span is chosen; move the cursor into one."]
    assert beside.session.report_model.others == before


def test_hidden_categories_are_not_in_the_text_and_stay_on_disk(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.page.set_hidden(frozenset({"History"}))
    assert bench.page.shown() == []
    assert len(bench.stored()) == 1
    bench.page.set_hidden(frozenset())
    assert len(bench.page.shown()) == 1


def test_labelling_moves_neither_text_nor_page(bench: Bench) -> None:
    bench.reader.go_to(len(bench.reader.text()) // 2)
    bench.stored()
    before = bench.reader.verticalScrollBar().value()
    bench.press("n")
    bench.press("l")
    bench.stored()
    assert bench.reader.verticalScrollBar().value() == before


def test_twenty_spans_in_five_categories_take_no_more_than_three_keys_each(bench: Bench) -> None:
    """One word each: one key; the sentence at the caret: three."""
    text, keys = bench.session.report_model.text, "hnevl"
    starts = [n for n in range(400, len(text)) if text[n - 1] == " " and text[n : n + 5].isalpha()][::7][:20]
    for number, start in enumerate(starts):
        bench.reader.go_to(start)
        if number % 4 == 3:
            bench.press(Qt.Key.Key_Space)
            bench.press(Qt.Key.Key_Space)
        bench.press(keys[number % 5])
    spans = bench.stored()
    assert len(spans) == 20
    assert len({category for category, _ in spans}) == 5
    assert bench.pressed <= 3 * 20


def test_a_sign_by_itself_is_no_word_to_label(bench: Bench) -> None:
    text = bench.session.report_model.text
    bench.reader.go_to(text.index(" (OMIM") + 1)
    bench.press("h")
    assert bench.stored() == []


def test_after_a_deletion_the_span_around_it_is_the_current_one(bench: Bench) -> None:
    start = bench.go_to("exertional dyspnoea")
    bench.reader.select(start, start + len("exertional dyspnoea"))
    bench.press("r")
    outer = bench.session.report_model.current
    bench.press("n")
    bench.press(Qt.Key.Key_Delete)
    assert bench.session.report_model.current == outer
    bench.press("2")
    bench.stored()
    assert [one.finding.polarity for one in on_disk(bench.session)] == ["negated"]


def test_repair_sets_edges_and_polarity_in_one_step_of_undo(bench: Bench) -> None:
    start = bench.go_to("history of hypertension")
    bench.reader.select(start, start + len("history of hypertension"))
    bench.press("h")
    bench.stored()
    uuid = bench.session.report_model.current or ""
    bench.qtbot.waitUntil(lambda: bool(bench.session.warnings.get(uuid)))
    bench.editing.repair()
    bench.stored()
    (mine,) = on_disk(bench.session)
    assert (mine.finding.quote, mine.finding.polarity) == ("no history of hypertension", "negated")
    bench.press(Qt.Key.Key_Z, CTRL)
    bench.stored()
    (mine,) = on_disk(bench.session)
    assert (mine.finding.quote, mine.finding.polarity) == ("history of hypertension", "present")


def test_relabelling_makes_the_new_category_the_one_in_use(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    assert bench.session.category == "History"
    bench.press(Qt.Key.Key_N, SHIFT)
    assert bench.session.category == "Neuro"
    bench.go_to("palpitations")
    bench.reader.go_to(0)
    bench.press(Qt.Key.Key_H, SHIFT)
    assert bench.session.category == "Neuro"


def test_a_nudge_across_the_other_edge_moves_neither_span_nor_caret(bench: Bench) -> None:
    start = bench.go_to("exertional")
    bench.press("h")
    bench.reader.go_to(start + 3)
    bench.press(Qt.Key.Key_Left, ALT)
    bench.press(Qt.Key.Key_Right, ALT | SHIFT)
    assert bench.reader.caret() == start + 3
    assert bench.stored() == [("History", "exertional")]


def test_a_nudge_that_leaves_white_space_moves_neither_span_nor_caret(bench: Bench) -> None:
    start = bench.session.report_model.text.index(" exertional")
    bench.preferences.by_characters = True
    bench.reader.select(start, start + 2)
    bench.press("h")
    caret = bench.reader.caret()
    bench.press(Qt.Key.Key_Left, ALT)
    assert bench.reader.caret() == caret
    assert bench.stored() == [("History", " e")]


def test_what_a_warning_suggests_is_no_repair_where_it_is_done_already(bench: Bench) -> None:
    start = bench.go_to("history of hypertension")
    bench.reader.select(start, start + len("history of hypertension"))
    bench.press("h")
    bench.stored()
    assert bench.session.warnings[bench.session.report_model.current or ""]
    said: list[str] = []
    bench.session.message.connect(said.append)
    # Until the span is checked again the warnings are those from before the repair.
    with held(bench.session):
        # The place is right already, the polarity is not.
        bench.editing.nudge(-1, 0)
        bench.editing.repair()
        assert said == []
        bench.editing.repair()
        assert said == ["The checks suggest no repair here."]
        assert bench.session.worker.waiting == 2


def test_narrowing_takes_back_the_widening_here_and_none_elsewhere(bench: Bench) -> None:
    bench.go_to("palpitations")
    bench.press(Qt.Key.Key_Space)
    start = bench.go_to("exertional")
    bench.press(Qt.Key.Key_Space)
    assert bench.reader.text()[slice(*bench.reader.selection())] == "exertional"
    for _ in range(2):
        bench.press(Qt.Key.Key_Space, SHIFT)
        assert bench.reader.selection() == (start, start)


def test_the_next_span_from_a_caret_at_the_start_of_one_is_that_one(bench: Bench) -> None:
    text = bench.session.report_model.text
    first, second = sorted(text.index(words) for words in ("exertional", "palpitations"))
    for place in (first, second):
        bench.reader.go_to(place)
        bench.press("h")
    # While text is selected no span is current: the caret alone says where one is.
    for key, expected in ((".", second), (",", first)):
        bench.reader.go_to(second + 2)
        for _ in range(2):
            bench.press(Qt.Key.Key_Left, SHIFT)
        assert (bench.reader.caret(), bench.session.report_model.current) == (second, None)
        bench.press(key)
        assert bench.reader.caret() == expected


def test_the_keys_are_told_that_are_of_use_now_the_most_useful_first(beside: Bench) -> None:
    line = HintLine(beside.session, beside.reader, beside.actions)
    told = []
    line.resize(4000, 20)
    line.show()
    beside.reader.go_to(0)
    told.append(line.full_text())
    beside.reader.select(0, 1)
    assert "Widen it" in line.full_text()
    start = beside.go_to("exertional")
    beside.reader.select(start, start + 10)
    told.append(line.full_text())
    beside.press("h")
    told.append(line.full_text())
    beside.page.go_to_span(beside.session.report_model.others["rules"][0].uuid)
    told.append(line.full_text())
    between = " · "
    assert [one.split(between) for one in told] == [
        [
            "All keys (Shift+F1)",
            "Done, next report (Ctrl+Return)",
            "Select (Space)",
            "Label (a category's letter)",
            "Next span (.)",
            "Nothing found (0)",
        ],
        [
            "All keys (Shift+F1)",
            "Label the selection (a category's letter)",
            "Widen it (Space)",
            "Narrow it (Shift+Space)",
        ],
        [
            "All keys (Shift+F1)",
            "Delete (Del)",
            "Add a label (letter)",
            "Relabel (Shift+letter)",
            "Move the end (Alt+Right Alt+Left)",
            "Move the start (Alt+Shift+Left Alt+Shift+Right)",
        ],
        ["All keys (Shift+F1)", "Accept (Return)", "Next span (.)"],
    ]
    for letters, number in ((40, 2), (8, 0)):
        line.resize(2 * 16 + letters * line.fontMetrics().averageCharWidth(), 20)
        assert line.full_text() == between.join(told[3].split(between)[:number])
    # What is less useful is not said instead of what has no room.
    beside.reader.select(start, start + 10)
    line.resize(80 + line.fontMetrics().horizontalAdvance("All keys (Shift+F1) · Widen it (Space)"), 20)
    assert line.full_text() == "All keys (Shift+F1)"
    beside.session.report_model.close()
    line.resize(4000, 20)
    assert line.full_text() == ""


def test_spans_overlap_that_share_some_of_their_places_in_one_category() -> None:
    def span(start: int | None, end: int | None, category: str = "Neuro") -> Annotation:
        return cast(Annotation, SimpleNamespace(finding=Finding(category, "", start, end)))

    for other, overlaps in (
        (span(10, 20), False),
        (span(15, 25), True),
        (span(12, 18), True),
        (span(10, 25), True),
        (span(5, 10), False),
        (span(20, 25), False),
        (span(15, 25, "GI"), False),
        (span(None, None), False),
    ):
        assert _overlap(span(10, 20), other) == _overlap(other, span(10, 20)) == overlaps


def test_an_edge_goes_from_one_character_that_is_seen_to_the_next() -> None:
    text = "e\u0301 👩‍⚕️!"
    places, back = [0], [len(text)]
    while places[-1] < len(text):
        places.append(_next_character(text, places[-1], 1))
    while back[-1]:
        back.append(_next_character(text, back[-1], -1))
    assert places == back[::-1] == [0, 2, 3, 7, 8]
    assert (_next_character(text, len(text), 1), _next_character(text, 0, -1)) == (len(text), 0)
