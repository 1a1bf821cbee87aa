"""The same words elsewhere: the quiet offer, and the dialog that labels what is ticked in one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.same_words import SameWordsDialog
from app.gui.modes.annotate.quiet_lines import SameWordsOffer
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, category_commands
from app.operations.exchange.importing import import_reports

WORD = "dystonia"
TEXT = (
    "Severe dystonia of the patient. Dystonia had been mild; 😀 dystonia came back in the patient, then none."
)


@pytest.fixture
def session(
    project: Path, tmp_path: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> ProjectSession:
    """The sample reports and a short one, which is open."""
    (tmp_path / "short.txt").write_text(TEXT, encoding="utf-8")
    for _ in import_reports(project, [tmp_path / "short.txt"]):
        pass
    session = open_session(project)
    with qtbot.waitSignal(session.report_model.opened):
        session.open_report(list(session.rows)[-1])
    assert WORD in session.report_model.text
    return session


@pytest.fixture
def window(session: ProjectSession, qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(900, 600)
    return window


@pytest.fixture
def actions(session: ProjectSession, window: QMainWindow) -> Actions:
    actions = Actions(window)
    actions.add((*COMMANDS, *category_commands(session.scheme)))
    return actions


@pytest.fixture
def offer(session: ProjectSession, window: QMainWindow, actions: Actions, qtbot: QtBot) -> SameWordsOffer:
    offer = SameWordsOffer(session, actions)
    whole = QWidget()
    QVBoxLayout(whole).addWidget(offer)
    window.setCentralWidget(whole)
    with qtbot.waitExposed(window):
        window.show()
    return offer


def label(session: ProjectSession, words: str, category: str = "CVS") -> str:
    start = session.report_model.text.index(words)
    return session.controller.label(start, start + len(words), category)


def opened(session: ProjectSession, words: str, window: QMainWindow, qtbot: QtBot) -> SameWordsDialog:
    dialog = SameWordsDialog(session, "CVS", words, window)
    with qtbot.waitSignal(dialog.found):
        dialog.open()
    return dialog


def test_the_offer_counts_the_other_places_and_says_its_key(
    session: ProjectSession, offer: SameWordsOffer, actions: Actions, qtbot: QtBot
) -> None:
    given: list[bool] = []
    actions.on("span.same", lambda: given.append(True))
    assert not offer.isVisible()
    label(session, WORD)
    qtbot.waitUntil(lambda: offer.isVisible())
    assert offer.text() == "2 more places with these words (S)"
    offer.click()
    assert given == [True]


def test_the_offer_goes_when_another_span_is_labelled(
    session: ProjectSession, offer: SameWordsOffer, qtbot: QtBot
) -> None:
    label(session, WORD)
    qtbot.waitUntil(lambda: offer.offer is not None)
    label(session, "mild")
    qtbot.waitUntil(lambda: offer.offer is None)
    assert not offer.isVisible()


def test_the_offer_goes_with_the_span_that_it_was_made_for(
    session: ProjectSession, offer: SameWordsOffer, qtbot: QtBot
) -> None:
    label(session, WORD)
    qtbot.waitUntil(lambda: offer.offer is not None)
    session.controller.remove(list(session.report_model.spans))
    qtbot.waitUntil(lambda: offer.offer is None)


def test_the_offer_goes_with_its_report(session: ProjectSession, offer: SameWordsOffer, qtbot: QtBot) -> None:
    label(session, WORD)
    qtbot.waitUntil(lambda: offer.offer is not None)
    session.step_report(-1, list(session.rows))
    qtbot.waitUntil(lambda: offer.offer is None)


def test_the_places_of_the_open_report_come_first_and_are_ticked(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "patient", window, qtbot)
    groups = [dialog.tree.topLevelItem(n) for n in range(dialog.tree.topLevelItemCount())]
    assert len(groups) > 1
    assert groups[0] is not None
    here, other = session.report_model.key, next(iter(session.rows))
    session.rows[other] = replace(session.rows[other], title="")
    assert groups[0].text(0).startswith(f"This report: {session.rows[here].title}")
    assert [dialog._title(key) for key in (other, "gone")] == [other, "gone"]
    assert {place.report for place in dialog.chosen()} == {session.report_model.key}
    assert len(dialog.chosen()) == groups[0].childCount()
    listed = sum(group.childCount() for group in groups if group is not None)
    assert dialog.count.text() == f"{len(dialog.chosen())} of {listed} chosen."


def test_words_stand_between_what_is_before_and_after_them(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "patient", window, qtbot)
    group = dialog.tree.topLevelItem(0)
    assert group is not None
    item = group.child(0)
    assert item is not None
    place = dialog.chosen()[0]
    text = session.report_model.text
    assert text[place.start : place.end] == item.text(1)
    assert text[: place.start].rstrip().endswith(item.text(0)[-12:])
    assert item.font(1).bold()


def test_enter_labels_what_is_ticked_in_one_act(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "patient", window, qtbot)
    chosen = dialog.chosen()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: session.report_model.counts()["CVS"] == len(chosen) > 1)
    session.undoing.undo()
    qtbot.waitUntil(lambda: session.report_model.counts()["CVS"] == 0)
    qtbot.waitUntil(lambda: session.worker.waiting == 0)


def test_other_reports_are_labelled_where_they_are_ticked(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "patient", window, qtbot)
    dialog.all.click()
    wanted = Counter(place.report for place in dialog.chosen())
    assert len(wanted) > 1
    dialog.label.click()
    qtbot.waitUntil(lambda: Counter({k: r.own.get("CVS", 0) for k, r in session.rows.items()}) == wanted)


def test_space_ticks_and_buttons_choose_all_none_and_this_report(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "patient", window, qtbot)
    here = len(dialog.chosen())
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert len(dialog.chosen()) == here - 1
    dialog.nothing.click()
    assert dialog.chosen() == []
    assert not dialog.label.isEnabled()
    dialog.this_report.click()
    assert len(dialog.chosen()) == here
    elsewhere = opened(session, "cholestanol", window, qtbot)
    assert (elsewhere.all.isVisible(), elsewhere.this_report.isEnabled()) == (True, False)


def test_escape_labels_nothing(session: ProjectSession, window: QMainWindow, qtbot: QtBot) -> None:
    dialog = opened(session, "patient", window, qtbot)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert session.worker.waiting == 0
    assert session.report_model.counts()["CVS"] == 0


def test_words_that_stand_nowhere_else_are_said_to(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    said: list[str] = []
    session.message.connect(said.append)
    dialog = opened(session, "no such words at all", window, qtbot)
    assert not dialog.isVisible()
    assert said == ["These words stand nowhere else without that label."]


def test_a_list_cut_short_says_how_many_places_there_are(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = opened(session, "the", window, qtbot)
    assert "of 200 chosen." in dialog.count.text()
    assert "the first 200 are listed." in dialog.count.text()


def test_an_answer_that_comes_after_the_dialog_has_gone_is_passed_over(
    session: ProjectSession, window: QMainWindow, qtbot: QtBot
) -> None:
    dialog = SameWordsDialog(session, "CVS", "patient", window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    answered: list[bool] = []
    session.worker.ask(lambda _project: True, answered.append)
    qtbot.waitUntil(lambda: answered == [True])
