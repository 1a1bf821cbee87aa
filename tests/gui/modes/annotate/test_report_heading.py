"""What stands above the text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.heading import ReportHeading
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, with_keys
from tests.gui.modes.annotate.parts import actions_for, open_report
from tests.verbs import exposed

KEY = "PMC99000003"


@pytest.fixture
def actions(qtbot: QtBot) -> Actions:
    return actions_for(qtbot)


@pytest.fixture
def heading(qtbot: QtBot, session: ProjectSession, actions: Actions) -> ReportHeading:
    made = ReportHeading(session, actions)
    exposed(qtbot, made, 700, made.sizeHint().height())
    open_report(qtbot, session, KEY)
    return made


def entry(heading: ReportHeading, words: str) -> QAction:
    return next(action for action in heading.state.menu().actions() if action.text().endswith(words))


def test_title_key_and_identifiers_are_shown_once_each(
    heading: ReportHeading, session: ProjectSession
) -> None:
    assert " ".join(heading.title.lines(400)).startswith("Chronic diarrhea")
    # Its number in PubMed Central is its key.
    assert [one.split(" 10.5555/")[0] for one in heading.names.text().split(" · ")] == [
        KEY,
        "DOI",
        "publisher's number inveur-2021-330",
    ]


def test_a_long_title_is_cut_after_two_lines_at_characters_beyond_the_first_plane(
    heading: ReportHeading,
) -> None:
    title = "😊 <b>bold</b> 𝑨 " * 30
    heading.title.say(title)
    first, second = heading.title.lines(300)
    assert title.startswith(first)
    assert second.endswith("…")
    assert "&lt;b&gt;bold" in heading.title.toolTip()


def test_the_state_is_set_from_the_menu_and_shown_once_it_is_on_disk(
    qtbot: QtBot, heading: ReportHeading, session: ProjectSession
) -> None:
    assert heading.state.text().endswith("Untouched")
    entry(heading, "Parked").trigger()
    qtbot.waitUntil(lambda: heading.state.text().endswith("Parked"))
    assert session.report_model.review.state == "parked"
    assert entry(heading, "Parked").isChecked()
    assert not entry(heading, "Untouched").isChecked()


def test_the_section_at_the_caret_is_named_with_its_categories(
    qtbot: QtBot, heading: ReportHeading, session: ProjectSession, actions: Actions
) -> None:
    case = next(n for n, section in enumerate(session.report_model.sections) if section.role == "case")
    section = session.report_model.sections[case]
    session.controller.set_section_categories(case, ["Neuro", "GI"])
    qtbot.waitUntil(lambda: session.report_model.sections[case].categories == ("Neuro", "GI"))
    heading.set_caret(section.start)
    assert heading.section.text() == f"{section.heading} · NE GI"
    heading.set_caret(section.end)
    assert heading.section.text() != f"{section.heading} · NE GI"
    with qtbot.waitSignal(actions["report.section"].triggered):
        heading.section.click()


def test_its_height_stays_while_the_caret_goes_through_a_report_and_the_state_changes(
    qtbot: QtBot, heading: ReportHeading, session: ProjectSession
) -> None:
    heights = set()
    for position, section in enumerate(session.report_model.sections):
        long = replace(section, heading=section.heading * 40)
        session.report_model.set_section(position, long)
        heading.set_caret(section.start)
        heights.add(heading.heightForWidth(700))
    width = heading.state.sizeHint().width()
    session.controller.set_state("in progress")
    qtbot.waitUntil(lambda: heading.state.text().endswith("In progress"))
    heights.add(heading.heightForWidth(700))
    assert len(heights) == 1
    assert heading.state.minimumWidth() >= max(width, heading.state.sizeHint().width())


def test_where_it_is_low_identifiers_give_way_first_then_the_section_never_the_state(
    heading: ReportHeading,
) -> None:
    parts = (heading.names, heading.section, heading.state)
    for lines in (4, 2, 1, 2, 4):
        heading.set_lines(lines)
        assert [part.isVisible() for part in parts] == [lines == 4, lines > 1, True], lines
        # Beside the title the mark alone: of the title else ten letters are left.
        assert ("Untouched" in heading.state.text()) == (lines > 1)
        assert "Untouched" in heading.state.toolTip()


def test_it_is_gone_where_no_report_is_open(heading: ReportHeading, session: ProjectSession) -> None:
    session.report_model.close()
    assert not heading.isVisible()


def test_state_and_section_tell_the_keys_of_now(heading: ReportHeading, actions: Actions) -> None:
    assert {actions["report.done_next"], actions["report.park_next"]} <= set(heading.state.menu().actions())
    assert "Ctrl+Return" in heading.state.toolTip()
    actions.add(with_keys(COMMANDS, {"report.park_next": "Ctrl+8", "report.section": "Ctrl+7"}))
    assert "(Ctrl+8)" in heading.state.toolTip()
    assert "(Ctrl+7)" in heading.section.toolTip()


@pytest.mark.parametrize("title", ["حمى لدى رجل في الستين", "12 חום אצל גבר (COVID-19)"])
def test_a_title_stands_on_the_side_at_which_it_is_read_from(heading: ReportHeading, title: str) -> None:
    heading.title.say("Fever in a man of sixty")
    assert ink_side(heading) == "left"
    heading.title.say(title)
    assert ink_side(heading) == "right"


def ink_side(heading: ReportHeading) -> str:
    """The half of the title that is drawn upon."""
    image = heading.title.grab().toImage()
    paper, rows = image.pixel(image.width() // 2, image.height() - 1), range(image.height())
    drawn = [x for x in range(image.width()) if any(image.pixel(x, y) != paper for y in rows)]
    assert drawn
    return "left" if max(drawn) < image.width() / 2 else "right" if min(drawn) > image.width() / 2 else "both"


def test_the_state_is_whole_at_another_size_however_narrow_the_window(
    heading: ReportHeading, qtbot: QtBot
) -> None:
    heading.resize(320, heading.height())
    font = heading.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    heading.setFont(font)
    qtbot.waitUntil(lambda: heading.state.width() >= heading.state.sizeHint().width())
