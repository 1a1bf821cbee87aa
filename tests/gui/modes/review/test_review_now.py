"""After an extraction, its run is reviewed by one press; until then nothing of it is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.dialogs.models.extracting import ByRules, begin_extraction
from app.gui.dialogs.project.summary import SummaryDialog
from app.store.annotate.annotators import annotators
from app.store.annotate.disclosures import disclosures
from app.store.project import Project
from app.store.reports.documents import document_summaries
from tests.gui.modes.review.conftest import FIRST, RUN, SECOND, Reviewing
from tests.verbs import asked


def review_now(review: Reviewing, qtbot: QtBot, choice: ByRules) -> QPushButton:
    """The button under what the rules found."""
    begin_extraction(review.session, choice, review.window)

    def shown() -> list[SummaryDialog]:
        return [one for one in review.window.findChildren(SummaryDialog) if one.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()), timeout=30_000)
    buttons = [button for button in shown()[0].findChildren(QPushButton) if "Review now" in words(button)]
    assert len(buttons) == 1
    return buttons[0]


def words(button: QPushButton) -> str:
    return button.text().replace("&", "")


def looks(review: Reviewing, qtbot: QtBot) -> set[tuple[str, str]]:
    """Who was shown in which report, as it is recorded."""

    def read(project: Project) -> set[tuple[str, str]]:
        names = {one.uuid: one.name for one in annotators(project)}
        reports = document_summaries(project)
        return {(one.key, names[look.shown]) for one in reports for look in disclosures(project, one.uuid)}

    return asked(review.session.worker, qtbot, read)


def test_after_an_extraction_its_run_is_reviewed_by_one_press(review: Reviewing, qtbot: QtBot) -> None:
    review.workbench.frame.open_mode("annotate")
    button = review_now(review, qtbot, ByRules())
    assert looks(review, qtbot) == {(FIRST, RUN)}
    button.click()
    qtbot.waitUntil(lambda: review.workbench.frame.current == "review")
    review.settle()
    assert review.mode.reviewing.run == "rules"
    assert review.session.report_model.key == FIRST
    qtbot.waitUntil(lambda: looks(review, qtbot) == {(FIRST, RUN), (FIRST, "rules")})


def test_a_report_that_was_not_extracted_is_left_for_one_that_was_and_nobody_else_is_shown_in_it(
    review: Reviewing, qtbot: QtBot
) -> None:
    review_now(review, qtbot, ByRules((SECOND,))).click()
    qtbot.waitUntil(lambda: review.session.report_model.key == SECOND)
    qtbot.waitUntil(lambda: review.workbench.frame.current == "review")
    review.settle()
    assert review.mode.reviewing.run == "rules"
    assert looks(review, qtbot) == {(FIRST, RUN), (SECOND, "rules")}


def test_the_open_report_is_the_one_reviewed_where_something_was_found_in_it(
    review: Reviewing, qtbot: QtBot
) -> None:
    review.session.open_report(SECOND)
    qtbot.waitUntil(lambda: review.session.report_model.key == SECOND)
    review_now(review, qtbot, ByRules()).click()
    qtbot.waitUntil(lambda: review.mode.reviewing.run == "rules")
    review.settle()
    assert review.session.report_model.key == SECOND
