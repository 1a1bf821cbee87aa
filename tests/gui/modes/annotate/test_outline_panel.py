"""The sections of the open report, and what they are corrected to speak of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QTreeWidgetItem, QTreeWidgetItemIterator
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.outline import OutlinePanel, SectionCategoriesDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.theme import apply_theme
from app.operations.annotate.edits import new_span
from app.operations.exchange.importing import import_reports, pasted
from tests.gui.modes.annotate.parts import actions_for, label, open_report
from tests.verbs import exposed, settle

KEY = "PMC99000003"


@pytest.fixture
def actions(qtbot: QtBot) -> Actions:
    return actions_for(qtbot)


@pytest.fixture
def panel(qtbot: QtBot, session: ProjectSession, actions: Actions) -> OutlinePanel:
    made = exposed(qtbot, OutlinePanel(session, actions), 280, 500)
    open_report(qtbot, session, KEY)
    return made


def items(panel: OutlinePanel) -> list[QTreeWidgetItem]:
    """Every section of the tree, from top to bottom."""
    found, walk = [], QTreeWidgetItemIterator(panel.tree)
    while walk.value() is not None:
        found.append(walk.value())
        walk += 1
    return found


def told(item: QTreeWidgetItem) -> str:
    return str(item.data(0, Qt.ItemDataRole.AccessibleTextRole))


def depth(item: QTreeWidgetItem) -> int:
    above = item.parent()
    return 1 if above is None else 1 + depth(above)


def marked(panel: OutlinePanel) -> list[int]:
    return [place for place, item in enumerate(items(panel)) if item.font(0).bold()]


def dialog_of(panel: OutlinePanel) -> SectionCategoriesDialog:
    found = panel.window().findChildren(SectionCategoriesDialog)
    return found[-1]


def test_the_sections_stand_in_text_order_under_the_headings_above_them(
    panel: OutlinePanel, session: ProjectSession
) -> None:
    sections = session.report_model.sections
    assert [item.text(0) for item in items(panel)] == [s.heading or "Without a heading" for s in sections]
    assert [depth(item) for item in items(panel)] == [len(section.path) for section in sections]


def test_codes_are_shown_where_a_heading_speaks_of_some_categories(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    session.controller.set_section_categories(0, ["Neuro", "GI"])
    qtbot.waitUntil(lambda: items(panel)[0].text(1) == "NE GI")
    assert "Neurology and cognition, Gastrointestinal" in told(items(panel)[0])
    session.controller.set_section_categories(0, ["Neuro", "GI", "CVS", "RESP", "EENT"])
    qtbot.waitUntil(lambda: items(panel)[0].text(1) == "NE EE CV +2")
    session.controller.set_section_categories(0, session.scheme.ids)
    qtbot.waitUntil(lambda: items(panel)[0].text(1) == "")
    assert "speaks of all categories" in told(items(panel)[0])


def test_sections_beside_the_case_say_so_in_words(panel: OutlinePanel, session: ProjectSession) -> None:
    for item, section in zip(items(panel), session.report_model.sections, strict=True):
        assert ("background" in told(item)) == (section.role == "background")
        assert item.font(0).italic() == (section.role != "case")
    assert any(section.role != "case" for section in session.report_model.sections)


def test_the_number_of_ones_spans_follows_every_change(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    section = session.report_model.sections[-1]
    label(qtbot, session, section.end - 9, section.end - 2, "Neuro")
    qtbot.waitUntil(lambda: items(panel)[-1].text(2) == "1")
    assert "1 span" in told(items(panel)[-1])
    session.controller.remove(list(session.report_model.spans))
    qtbot.waitUntil(lambda: items(panel)[-1].text(2) == "")
    # A span counts where it begins, from the first letter of a heading on; one without a place nowhere.
    sections, model = session.report_model.sections, session.report_model
    begun = model.report
    assert begun is not None
    for number, start in enumerate((sections[1].start, sections[2].start - 1, sections[2].start)):
        model.expect(new_span(begun, f"{number}", start, sections[2].start + 5, "Neuro"))
    lost = new_span(begun, "lost", 0, 5, "Neuro")
    model.expect(replace(lost, finding=replace(lost.finding, start=None, end=None)))
    qtbot.waitUntil(lambda: [item.text(2) for item in items(panel)][:4] == ["", "2", "1", ""])


def test_click_and_enter_say_where_the_section_begins(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    place = panel.tree.visualItemRect(items(panel)[1]).center()
    with qtbot.waitSignal(panel.section_activated) as clicked:
        QTest.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [session.report_model.sections[1].start]
    QTest.keyClick(panel.tree, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.section_activated) as entered:
        QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert entered.args == [session.report_model.sections[2].start]


def test_the_caret_marks_its_section_and_takes_no_focus(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    other = QPushButton(panel)
    other.show()
    other.setFocus()
    sections = session.report_model.sections
    panel.set_caret(sections[2].start)
    assert marked(panel) == [2]
    panel.set_caret(sections[3].start - 1)
    assert marked(panel) == [2]
    panel.set_caret(sections[3].start)
    assert marked(panel) == [3]
    said = [item.data(0, Qt.ItemDataRole.AccessibleDescriptionRole) for item in items(panel)]
    assert said.count("the cursor is here") == 1
    assert other.hasFocus()
    panel.tree.setFocus()
    panel.set_caret(sections[1].start)
    assert (marked(panel), panel.tree.currentItem()) == ([1], items(panel)[3])
    session.report_model.sections_changed.emit()
    assert (marked(panel), panel.tree.currentItem()) == ([1], items(panel)[3])


def test_a_caret_that_was_told_before_the_sections_came_is_marked_in_them(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    panel.set_caret(10_000_000)
    open_report(qtbot, session, "PMC99000001")
    assert marked(panel) == [len(session.report_model.sections) - 1]


def test_the_command_asks_for_the_section_at_the_caret_and_puts_the_answer_on_disk(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession, actions: Actions
) -> None:
    panel.tree.clearFocus()
    panel.set_caret(session.report_model.sections[1].start)
    actions["report.section"].trigger()
    dialog = dialog_of(panel)
    none = next(b for b in dialog.findChildren(QPushButton) if b.text() == "&None")
    QTest.mouseClick(none, Qt.MouseButton.LeftButton)
    assert dialog.categories() == ()
    for name in ("Gastrointestinal", "Neurology"):
        next(b for b in dialog.findChildren(QCheckBox) if name in b.text()).click()
    with qtbot.waitSignal(session.worker.saved):
        dialog.accept()
    qtbot.waitUntil(lambda: session.report_model.sections[1].categories == ("Neuro", "GI"))
    open_report(qtbot, session, "PMC99000001")
    open_report(qtbot, session, KEY)
    assert session.report_model.sections[1].categories == ("Neuro", "GI")


def test_in_the_tree_the_command_asks_for_the_section_chosen_there(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession, actions: Actions
) -> None:
    session.controller.set_section_categories(3, ["GI"])
    qtbot.waitUntil(lambda: items(panel)[3].text(1) == "GI")
    panel.tree.setFocus()
    panel.tree.setCurrentItem(items(panel)[3])
    actions["report.section"].trigger()
    dialog = dialog_of(panel)
    assert dialog.categories() == ("GI",)
    every = next(b for b in dialog.findChildren(QPushButton) if b.text() == "&All")
    QTest.mouseClick(every, Qt.MouseButton.LeftButton)
    assert dialog.categories() == session.scheme.ids
    dialog.reject()
    qtbot.waitUntil(lambda: not panel.findChildren(SectionCategoriesDialog))
    assert session.report_model.sections[3].categories == ("GI",)
    # The button below it is a part of it.
    panel.activateWindow()
    panel.button.setFocus()
    qtbot.waitUntil(panel.button.hasFocus)
    actions["report.section"].trigger()
    assert dialog_of(panel).categories() == ("GI",)
    dialog_of(panel).reject()


def test_an_answer_about_a_section_of_another_report_than_the_open_one_changes_neither(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession, actions: Actions
) -> None:
    before = [section.categories for section in session.report_model.sections]
    actions["report.section"].trigger()
    dialog = dialog_of(panel)
    open_report(qtbot, session, "PMC99000001")
    there = [section.categories for section in session.report_model.sections]
    dialog.form.put(categories=("GI",))
    dialog.accept()
    settle(session.worker, qtbot)
    assert [section.categories for section in session.report_model.sections] == there
    open_report(qtbot, session, KEY)
    assert [section.categories for section in session.report_model.sections] == before


def test_without_a_report_it_says_what_it_is_for(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    session.report_model.close()
    assert panel.none.isVisible()
    assert not panel.tree.isVisible()
    assert not panel.button.isEnabled()
    panel.correct_categories()
    assert not panel.window().findChildren(SectionCategoriesDialog)


def test_the_dialog_of_categories_stays_narrow_under_a_long_heading(
    panel: OutlinePanel, session: ProjectSession
) -> None:
    section = replace(
        session.report_model.sections[0], heading="Findings on admission and during the stay " * 5
    )
    dialog = SectionCategoriesDialog(session.scheme, section, panel)
    assert dialog.sizeHint().width() <= 640


def test_nothing_is_painted_before_the_heading_of_the_section_while_the_focus_is_elsewhere(
    panel: OutlinePanel, session: ProjectSession, qapp: QApplication
) -> None:
    apply_theme(qapp, "light", 100)
    panel.button.setFocus()
    place = next(n for n, item in enumerate(items(panel)) if depth(item) > 1)
    panel.set_caret(session.report_model.sections[place].start)
    assert panel.tree.currentItem() is items(panel)[place]
    row = panel.tree.visualItemRect(items(panel)[place])
    shown = panel.tree.viewport().grab().toImage()
    assert {shown.pixelColor(x, row.center().y()).name() for x in range(row.left())} == {
        shown.pixelColor(1, panel.tree.visualItemRect(items(panel)[place - 1]).bottom()).name()
    }


def test_what_stands_before_the_first_heading_holds_no_other_section(
    qtbot: QtBot, panel: OutlinePanel, session: ProjectSession
) -> None:
    text = "Gout in a man.\n\nCase presentation\n\nHe had gout.\n\nOutcome\n\nHe recovered.\n"
    job = session.worker.begin("Paste", lambda project: import_reports(project, [pasted(text, "Gout")]))
    with qtbot.waitSignal(job.done) as done:
        pass
    session.reload()
    open_report(qtbot, session, done.args[0].added[0].key)
    assert [item.text(0) for item in items(panel)] == ["Without a heading", "Case presentation", "Outcome"]
    assert [depth(item) for item in items(panel)] == [1, 1, 1]
