"""The list of reports: what it shows, in which order, and how one opens a report from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.reports import ReportsPanel
from app.gui.session import report_list
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_list import Filters, ShownReports
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, with_keys
from app.operations.exchange.importing import ImportOptions, import_reports
from app.operations.project.files import create_project
from extractors.assets import asset
from extractors.model.errors import ProjectError
from tests.gui.modes.annotate.parts import actions_for, label, open_report
from tests.verbs import exposed, settle


@pytest.fixture
def panel(qtbot: QtBot, session: ProjectSession) -> ReportsPanel:
    return shown(qtbot, session, actions_for(qtbot))


def shown(qtbot: QtBot, session: ProjectSession, actions: Actions) -> ReportsPanel:
    return exposed(qtbot, ReportsPanel(session, actions), 280, 600)


def choose(panel: ReportsPanel, *words: str) -> None:
    """Take an entry of the filter menu, through its submenus."""
    menu: QMenu = panel.filter_menu
    menu.aboutToShow.emit()
    for word in words[:-1]:
        below = find(menu, word).menu()
        assert isinstance(below, QMenu)
        menu = below
    find(menu, words[-1]).trigger()


def find(menu: QMenu, words: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(words))


def sort_by(panel: ReportsPanel, words: str) -> None:
    find(panel.sort_button.menu(), words).trigger()


def told(panel: ReportsPanel, key: str) -> str:
    """What a screen reader is told of a report in the list."""
    index = panel.list.model().index(panel.shown_keys().index(key), 0)
    return str(index.data(Qt.ItemDataRole.AccessibleTextRole))


def test_all_reports_are_shown_in_import_order(panel: ReportsPanel, session: ProjectSession) -> None:
    assert panel.shown_keys() == list(session.rows)
    assert panel.count.full_text() == "10 reports"
    first, key = next(iter(session.rows.values())), "PMC99000004"
    assert told(panel, first.key) == (
        f"{first.title}. Untouched, open now, {first.key}, 0 spans, DOI 10.5555/casespan.jirm-2023-0101, "
        "PMCID 99000001, publisher's number jirm-2023-0101"
    )
    numbers = {"pmid": "12", "publisher-id": "a-7"}
    index = panel.list.model().index(panel.shown_keys().index(key), 0)
    for title, shown in (("", key), ("Gout \n again", "Gout again")):
        session.rows[key] = replace(
            session.rows[key], title=title, notes=("sure?", "no"), identifiers=numbers, state="parked"
        )
        session.row_changed.emit(key)
        assert index.data() == shown
    assert told(panel, key) == f"Gout again. Parked, {key}, 0 spans, 2 notes, PMID 12, publisher's number a-7"
    # Of a list that is read again as a whole, what has changed is told, and nothing else is shown anew.
    anew, model = [], panel.list.model()
    model.dataChanged.connect(lambda index, _: anew.append(index.row()))
    last = list(session.rows)[-1]
    session.rows = {
        one: replace(row, state="done", own={"Neuro": 2}) if one in (key, last) else row
        for one, row in session.rows.items()
    }
    session.rows_changed.emit()
    assert anew == [panel.shown_keys().index(one) for one in (key, last)]
    assert ("Done" in told(panel, last), "2 spans" in told(panel, key)) == (True, True)


def test_of_several_filters_every_one_must_keep_a_report_and_all_are_told(session: ProjectSession) -> None:
    row = replace(
        next(iter(session.rows.values())),
        state="done",
        own={"Neuro": 2},
        others={"Ben": 1},
        nothing_found=("GI",),
        notes=("sure?",),
    )
    keeping = Filters(frozenset({"done", "parked"}), "Neuro", "has", "Ben", True)
    neuro, gi = (session.scheme.category(one).name for one in ("Neuro", "GI"))
    assert Filters().keeps(row)
    assert Filters().words(session.scheme) == ()
    assert keeping.keeps(row)
    assert keeping.words(session.scheme) == (
        "parked or done",
        f"spans in {neuro}",
        "spans by Ben",
        "with notes",
    )
    nothing = replace(keeping, category="GI", about="nothing found", notes=None)
    assert nothing.keeps(row)
    assert nothing.words(session.scheme) == ("parked or done", f"nothing found in {gi}", "spans by Ben")
    assert Filters(notes=False).words(session.scheme) == ("without notes",)
    for change in (
        {"states": frozenset({"parked"})},
        {"category": "GI"},
        {"about": "has none"},
        {"about": "nothing found"},
        {"annotator": "Ann"},
        {"notes": False},
    ):
        assert not replace(keeping, **change).keeps(row), change
    assert replace(keeping, category="GI", about="has none").keeps(row)
    assert [replace(keeping, notes=kept).keeps(replace(row, notes=())) for kept in (True, False)] == [
        False,
        True,
    ]


def test_titles_are_searched_as_one_types_and_texts_a_moment_later(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    panel.focus_search()
    QTest.keyClicks(panel.search, "pompe")
    assert panel.shown_keys() == ["late-onset-pompe"]
    assert "searching" in panel.count.full_text()
    panel.search.setText("cholestanol")
    qtbot.waitUntil(lambda: panel.count.full_text().endswith("shown"))
    assert "PMC99000003" in panel.shown_keys()
    assert 0 < len(panel.shown_keys()) < len(session.rows)
    # More of the same words is in fewer of these texts, until it is known in which.
    found = panel.shown_keys()
    panel.search.setText("cholestanol z")
    assert panel.shown_keys() == found
    panel.search.setText("pompe")
    assert panel.shown_keys() == ["late-onset-pompe"]
    # Who opens a report that was searched for wants its words, also in the one that is open.
    wanted: list[tuple[str, str]] = []
    anew: list[None] = []
    panel.words_wanted.connect(lambda *told: wanted.append(told))
    session.report_model.opened.connect(lambda: anew.append(None))
    for words in (session.report_model.key, ""):
        panel.search.setText(words)
        panel.list.activated.emit(panel.list.model().index(0, 0))
    settle(session.worker, qtbot)
    # The one that is open is not opened once more.
    assert (wanted, anew) == ([(session.report_model.key, session.report_model.key)], [])


def test_an_answer_to_words_that_were_changed_since_is_passed_over(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel.search.setText("cholestanol")
    qtbot.waitUntil(lambda: panel.count.full_text().endswith("shown"))
    panel.search.setText("")
    assert panel.shown_keys() == list(session.rows)
    panel.search.setText("PMC99000002")
    qtbot.waitUntil(lambda: panel.count.full_text() == "1 of 10 shown")
    # In a list of other reports the texts are searched again; a search that fails is over.
    session.rows = dict(list(session.rows.items())[:-1])
    session.rows_changed.emit()
    assert panel.count.full_text() == "1 of 9 shown, searching the texts…"
    qtbot.waitUntil(lambda: panel.count.full_text() == "1 of 9 shown")

    def refuse(_project: object, _words: str) -> None:
        raise ProjectError("It cannot be read.")

    failed: list[str] = []
    session.failed.connect(failed.append)
    monkeypatch.setattr(report_list, "search_reports", refuse)
    panel.search.setText("zzzz")
    # That nothing matches is said once it is known.
    assert not panel.clear_all_button.isVisible()
    qtbot.waitUntil(lambda: failed == ["It cannot be read."])
    assert panel.clear_all_button.isVisible()
    assert panel.count.full_text() == "0 of 9 shown"


def test_escape_empties_the_search_and_the_arrow_goes_to_the_list_where_enter_opens(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    panel.focus_search()
    QTest.keyClicks(panel.search, "gout")
    QTest.keyClick(panel.search, Qt.Key.Key_Escape)
    assert panel.search.text() == ""
    QTest.keyClick(panel.search, Qt.Key.Key_Down)
    assert panel.list.hasFocus()
    second = list(session.rows)[1]
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.text_wanted):
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.report_model.key == second)


def test_a_click_opens_a_report_and_the_open_one_is_told_of(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    third = list(session.rows)[2]
    repainted: set[int] = set()
    panel.list.model().dataChanged.connect(lambda index, _: repainted.add(index.row()))
    place = panel.list.visualRect(panel.list.model().index(2, 0)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    qtbot.waitUntil(lambda: session.report_model.key == third)
    assert "open now" in told(panel, third)
    assert "open now" not in told(panel, next(iter(session.rows)))
    assert repainted >= {0, 2}


def test_opening_elsewhere_moves_the_place_in_the_list(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    last = list(session.rows)[-1]
    open_report(qtbot, session, last)
    assert panel.list.currentIndex().row() == 9


def test_a_changed_report_keeps_the_place_in_the_list(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    panel.list.setCurrentIndex(panel.list.model().index(4, 0))
    label(qtbot, session, 0, 5, "Neuro")
    assert panel.list.currentIndex().row() == 4
    assert "In progress" in told(panel, session.report_model.key)
    assert "1 span" in told(panel, session.report_model.key)


def test_states_are_filtered_and_cleared_in_one_click(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    first, second = list(session.rows)[:2]
    session.controller.set_state("done")
    qtbot.waitUntil(lambda: session.rows[first].state == "done")
    open_report(qtbot, session, second)
    choose(panel, "Done")
    assert panel.shown_keys() == [first]
    assert panel.count.full_text() == "1 of 10 shown"
    assert panel.filtered.full_text() == "done"
    choose(panel, "Parked")
    assert panel.filtered.full_text() == "parked or done"
    QTest.mouseClick(panel.clear_button, Qt.MouseButton.LeftButton)
    assert panel.shown_keys() == list(session.rows)
    assert not panel.clear_button.isVisible()


def test_what_is_done_in_the_open_report_does_not_take_it_out_of_the_list_until_another_is_opened(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    first, second = list(session.rows)[:2]
    choose(panel, "Untouched")
    sort_by(panel, "Spans")
    label(qtbot, session, 0, 5, "Neuro")
    assert panel.shown_keys()[0] == first
    # Nor does it go when all rows are read again.
    with qtbot.waitSignal(session.rows_changed):
        session.reload()
    assert panel.shown_keys()[0] == first
    open_report(qtbot, session, second)
    assert panel.shown_keys() == list(session.rows)[1:]


def test_categories_are_filtered_by_spans_by_their_lack_and_by_nothing_found(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    first, second = list(session.rows)[:2]
    label(qtbot, session, 0, 5, "Neuro")
    session.controller.state_nothing_found("GI")
    qtbot.waitUntil(lambda: session.rows[first].nothing_found == ("GI",))
    open_report(qtbot, session, second)
    choose(panel, "Spans in", "NE")
    assert panel.shown_keys() == [first]
    choose(panel, "No spans in", "NE")
    assert panel.shown_keys() == list(session.rows)[1:]
    choose(panel, "Nothing found in", "GI")
    assert panel.shown_keys() == [first]
    choose(panel, "Nothing found in", "GI")
    assert panel.shown_keys() == list(session.rows)


def test_reports_with_spans_of_somebody_else_are_found_by_their_number_only(
    qtbot: QtBot, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    source = asset("resources", "demo", "annotations", "gold.json")
    for _ in import_reports(project, [source], ImportOptions("crb", "A & B")):
        pass
    session = open_session(project)
    panel = shown(qtbot, session, actions_for(qtbot))
    holding = [key for key, row in session.rows.items() if "A & B" in row.others]
    choose(panel, "Spans by", f"A && B ({len(holding)} report")
    assert panel.shown_keys() == holding
    assert panel.filtered.full_text() == "spans by A & B"
    choose(panel, "Spans by", f"A && B ({len(holding)} report")
    assert not panel.filtered.full_text()


def test_notes_are_filtered(qtbot: QtBot, panel: ReportsPanel, session: ProjectSession) -> None:
    first, second = list(session.rows)[:2]
    label(qtbot, session, 0, 5, "Neuro")
    session.controller.set_note(next(iter(session.report_model.spans)), "sure?")
    qtbot.waitUntil(lambda: session.rows[first].notes == ("sure?",))
    open_report(qtbot, session, second)
    choose(panel, "With notes")
    assert panel.shown_keys() == [first]
    choose(panel, "Without notes")
    assert panel.shown_keys() == list(session.rows)[1:]


def test_every_order_is_that_of_its_words(qtbot: QtBot, panel: ReportsPanel, session: ProjectSession) -> None:
    imported = list(session.rows)
    open_report(qtbot, session, imported[3])
    label(qtbot, session, 0, 5, "Neuro")
    open_report(qtbot, session, imported[0])
    session.controller.set_state("done")
    qtbot.waitUntil(lambda: session.rows[imported[0]].state == "done")
    rows = session.rows
    sort_by(panel, "Title")
    assert panel.shown_keys() == sorted(imported, key=lambda key: rows[key].title.casefold())
    sort_by(panel, "State")
    assert panel.shown_keys() == [imported[3], *imported[1:3], *imported[4:], imported[0]]
    assert panel.sort_button.text() == "Sort: state"
    sort_by(panel, "Spans")
    assert panel.shown_keys()[0] == imported[3]
    sort_by(panel, "Number")
    assert panel.shown_keys()[0] == "alkaptonuria-letter"
    sort_by(panel, "Order of import")
    assert panel.shown_keys() == imported


def test_where_nothing_matches_one_button_shows_all_again(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    choose(panel, "Parked")
    panel.search.setText("zzzz")
    qtbot.waitUntil(panel.clear_all_button.isVisible)
    assert panel.shown_keys() == []
    QTest.mouseClick(panel.clear_all_button, Qt.MouseButton.LeftButton)
    assert panel.shown_keys() == list(session.rows)
    assert panel.list.isVisible()


def test_an_empty_project_offers_the_import_and_shows_what_came(
    qtbot: QtBot, tmp_path: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    session = open_session(create_project(tmp_path / "empty.casespan", "Ann"))
    actions = actions_for(qtbot)
    panel = shown(qtbot, session, actions)
    assert panel.import_button.text() == "Import reports… (Ctrl+I)"
    with qtbot.waitSignal(actions["project.import"].triggered):
        QTest.mouseClick(panel.import_button, Qt.MouseButton.LeftButton)
    reports = asset("resources", "demo", "reports")
    job = session.worker.begin("Importing", lambda p: import_reports(p, [reports]))
    with qtbot.waitSignal(job.done):
        pass
    session.reload()
    qtbot.waitUntil(panel.list.isVisible)
    assert len(panel.shown_keys()) == 10


def test_markup_in_titles_is_shown_as_it_is(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    key = next(iter(session.rows))
    session.rows[key] = replace(session.rows[key], title="<b>Bold</b> & so on")
    session.row_changed.emit(key)
    hint = str(panel.list.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; so on" in hint


def test_two_thousand_reports_are_searched_filtered_and_sorted(
    qtbot: QtBot, panel: ReportsPanel, session: ProjectSession
) -> None:
    one = next(iter(session.rows.values()))
    session.rows = {
        f"R{number}": replace(one, key=f"R{number}", title=f"Case {number}") for number in range(2000)
    }
    session.rows_changed.emit()
    sort_by(panel, "Number")
    assert panel.shown_keys()[9:11] == ["R9", "R10"]
    panel.search.setText("case 1999")
    assert panel.shown_keys() == ["R1999"]
    # What comes meanwhile is found as well.
    session.rows = {**session.rows, "new": replace(one, key="new", title="Case 19990")}
    session.rows_changed.emit()
    assert panel.shown_keys() == ["new", "R1999"]
    assert panel.count.full_text() == "2 of 2,001 shown, searching the texts…"
    assert panel._shown.index_of("new").row() == 0


def test_the_search_field_tells_the_key_of_now(qtbot: QtBot, session: ProjectSession) -> None:
    actions = actions_for(qtbot)
    panel = shown(qtbot, session, actions)
    actions.add(with_keys(COMMANDS, {"report.search": "Ctrl+8"}))
    assert "(Ctrl+8)" in panel.search.toolTip()
    assert panel.search.accessibleDescription() == actions.hint("report.search")


def test_names_are_found_at_once_as_texts_are_later(panel: ReportsPanel, session: ProjectSession) -> None:
    key, row = next((key, row) for key, row in session.rows.items() if key != session.report_model.key)
    session.rows[key] = replace(row, title="Ménière, first seen")
    session.row_changed.emit(key)
    for words, found in (("meniere", [key]), ('"first seen"', [key]), ('"seen first"', [])):
        panel.search.setText(words)
        assert panel.shown_keys() == found


def test_the_order_of_import_is_shown_without_comparing_reports(
    panel: ReportsPanel, session: ProjectSession
) -> None:
    model = panel.list.model()
    assert isinstance(model, ShownReports)
    assert model.sortColumn() == -1
    sort_by(panel, "Title")
    assert panel.shown_keys() != list(session.rows)
    sort_by(panel, "Order of import")
    assert model.sortColumn() == -1
    assert panel.shown_keys() == list(session.rows)
