"""What a run is worth, beside what built-in methods reach on the same items."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.gui.modes.study.items import HIDDEN
from app.gui.modes.study.lists import ScorePanel, _state
from app.gui.modes.study.running import about_run
from app.gui.modes.study.tables import DrillDown, TablesPage, _bar_of, _drill_down, _figure, _label
from app.operations.compare.view import Figure
from app.operations.study.answers import Answered, Overview, RunLine
from app.operations.study.running import RunSummary
from app.studies.results import Item, Measure, Pair, RaterScore, Row, RunScores, Score, Scores
from app.studies.scoring import scoring_runs
from app.tables import Cell, Column
from extractors.model.progress import finished
from tests.toy_study.study import RUBRIC, STUDY


def test_a_method_that_answered_other_items_is_no_line_to_reach(qtbot: QtBot) -> None:
    def rows(*ids: str) -> list[Row]:
        return [Row(Item(one, "organ", {}, {"key": "A"}), "A") for one in ids]

    runs = {"mine": rows("a", "b"), "near": rows("b"), "far": rows("c")}
    scores = finished(scoring_runs(STUDY, runs, (), "strict", {name: {} for name in runs}))
    lines = tuple(RunLine(name, "method", "done", 1, 0, 1) for name in runs)
    panel = ScorePanel()
    qtbot.addWidget(panel)
    panel.show_score("mine", Overview("toy", (), {}, lines), scores)
    assert "Built in, near" in panel.score.text()
    assert "Built in, far" not in panel.score.text()


RIGHT = Measure("accuracy", "Accuracy", lambda row: None, decimals=2)
LOST = Measure("rank", "Rank", lambda row: None)
OWN = Measure("own", "Own", lambda row: None, listed=False)
INTERVAL = (0.25, 0.75)


def scores(**raters: RaterScore) -> Scores:
    values = {
        "accuracy": Score(0.5, INTERVAL, n=600),
        "rank": Score(None, reason="No answer counts."),
        "own": Score(1.0),
    }
    mine = RunScores(1200, 3, values, raters)
    liver = RunScores(1200, 0, {"accuracy": Score(0.4567)})
    runs = {"mine": mine, "liver": liver, "other": liver, "model": liver}
    labels = {"liver": "", "other": "organ", "model": ""}
    pairs = [Pair("mine", name, label, "", 9, {}) for name, label in labels.items()]
    return Scores((RIGHT, LOST, OWN), "strict", {"mine": ()}, runs, {"organ": {}}, pairs, {})


def test_a_run_is_told_with_its_intervals_its_raters_and_what_is_built_in(qtbot: QtBot) -> None:
    kinds = {"mine": "model", "liver": "method", "other": "method", "model": "model"}
    lines = tuple(RunLine(name, kind, "done", 1, 0, 1) for name, kind in kinds.items())
    panel, there = ScorePanel(), Overview("toy", (), {}, lines)
    qtbot.addWidget(panel)
    rated = scores(Ana=RaterScore(0.5, 4, 0, INTERVAL), Ben=RaterScore(None, 0, 4, None))
    panel.show_score("mine", there, rated)
    assert panel.score.text().split("\n") == [
        "mine",
        "n 1,200, 3 of them without a value",
        "",
        "Accuracy",
        "0.50 (95 % interval 0.250 to 0.750), n 600",
        "Built in, liver: 0.46",
        "",
        "Rank",
        "– No answer counts.",
        "",
        "Rated by Ana",
        "0.500 (95 % interval 0.250 to 0.750), n 4",
        "",
        "Rated by Ben",
        "–, n 0",
        "",
        "Intervals: the middle 95 % of 1,000 drawings of items; none where there are too few.",
    ]
    panel.show_score("liver", there, rated)
    assert panel.score.text().split("\n")[:5] == ["liver", "n 1,200", "", "Accuracy", "0.46"]
    nothing = "Choose a run to see what it is worth."
    for run, known, of, hidden, said in (
        ("mine", there, rated, HIDDEN, HIDDEN),
        ("", there, rated, "", nothing),
        ("mine", None, rated, "", nothing),
        ("mine", there, None, "", nothing),
        ("gone", there, rated, "", nothing),
        ("", replace(there, runs=()), None, "", "Nothing was answered yet, so there is nothing to score."),
    ):
        panel.show_score(run, known, of, hidden)
        assert panel.score.text() == said
    assert [_state(RunLine("", "model", "done", 1, failed, 1)) for failed in (0, 1200)] == [
        "done",
        "1,200 failed",
    ]


def test_a_rating_is_asked_for_where_there_is_an_answer_and_a_rubric_and_stays_under_the_hand(
    qtbot: QtBot,
) -> None:
    panel = ScorePanel()
    qtbot.addWidget(panel)
    said: list[object] = []
    panel.rated.connect(lambda answer, given: said.append(given))
    row = Row(Item("one", "organ", {}), "A", ratings={"Ana": {"true": True}})
    answer = Answered("uuid", row, "A")
    for rubric, shown in (
        (None, answer),
        (RUBRIC, None),
        (RUBRIC, Answered("uuid", replace(row, value=None), "")),
    ):
        panel.show_rating(rubric, shown, "run", "Ana")
        assert (panel.form, panel.rating_title.isHidden()) == (None, True)
    panel.show_rating(RUBRIC, answer, "run", "Ana")
    form = panel.form
    assert form is not None
    assert (panel.rating_title.text(), panel.rating_title.isHidden()) == ("Rating by Ana", False)
    boxes = [form.box(f"criterion_{place}", QComboBox) for place in (0, 1)]
    assert [[box.itemText(at) for at in range(box.count())] for box in boxes] == [
        ["not rated", "yes", "no"],
        ["not rated", "0", "1", "2"],
    ]
    assert [box.currentText() for box in boxes] == ["yes", "not rated"]
    assert {"True:", "Well put:"} <= {label.text() for label in form.findChildren(QLabel)}
    form.put(criterion_1=2)
    assert said == [{"true": True, "clear": 2}]
    kept = Answered("uuid", replace(row, ratings={"Ana": {"true": True, "clear": 2}}), "A")
    panel.show_rating(RUBRIC, kept, "run", "Ana")
    assert panel.form is form
    panel.show_rating(RUBRIC, answer, "run", "Ana")
    assert panel.form is not form, "something else came from the disk"
    form = panel.form
    for run, rater in (("another", "Ana"), ("another", "Ben")):
        panel.show_rating(RUBRIC, kept, run, rater)
        assert panel.form is not form
        form = panel.form


def test_a_bar_is_told_with_its_interval_and_the_line_of_a_guesser() -> None:
    words = "all, mine, Accuracy"
    undefined = _bar_of(words, Score(None, reason="No answer counts."), RIGHT, None)
    assert undefined == Figure("–", f"{words}: No answer counts.")
    assert _bar_of(words, None, RIGHT, None) == Figure("–", f"{words}: nothing was asked")
    assert _bar_of(words, Score(0.5), RIGHT, None) == Figure("0.50", f"{words}: 0.50", 0.5)
    told = f"{words}: 0.50, 95 % interval 0.250 to 0.750; a guesser reaches 0.333"
    assert _bar_of(words, Score(0.5, INTERVAL), RIGHT, 1 / 3) == Figure(
        "0.50", told, 0.5, *INTERVAL, line=1 / 3
    )
    beyond = Score(0.5, (-0.25, 0.75))
    assert _bar_of(words, beyond, RIGHT, None).share is None
    assert _bar_of(words, Score(2.0), RIGHT, None) == Figure("2.00", f"{words}: 2.00")


def test_a_cell_of_a_table_is_a_bar_where_it_is_a_share_and_leads_to_its_items() -> None:
    column = Column("Accuracy", "accuracy", decimals=2)
    bar = _figure(column, Cell(0.5, below="0.25 to 0.75"), "mine", bars=True)
    assert bar == Figure(
        "0.50  (0.25 to 0.75)", "mine, Accuracy: 0.50, 95 % interval 0.25 to 0.75", 0.5, *INTERVAL
    )
    assert _figure(column, 0.5, "mine", bars=True) == Figure("0.50", "mine, Accuracy: 0.50", 0.5)
    assert _figure(column, 0.5, "mine", bars=False).share is None
    assert _figure(column, 3, "mine", bars=True) == Figure("3", "mine, Accuracy: 3")
    for value, below in ((1.5, ""), (0.5, "-0.25 to 0.75")):
        none = _figure(column, Cell(value, below=below), "mine", bars=True)
        assert (none.share, none.low, none.high) == (None, None, None)
    alone = _figure(column, Cell(0.5, "n 40", "0.25 to 0.75"), "mine", bars=True)
    assert (alone.text, alone.share) == ("0.50  (0.25 to 0.75, n 40)", 0.5)
    noted = _figure(column, Cell(None, "No answer counts."), "mine", bars=True)
    assert noted == Figure("–", "mine, Accuracy: –. No answer counts.")
    assert _label([("Run", "mine"), ("Organ", "A")]) == "mine · A"
    assert _label([("Left", "mine"), ("less", "liver")]) == "mine less liver"
    there = scores()
    assert _drill_down({"run": "mine"}, column, there) == DrillDown("mine", RIGHT)
    assert _drill_down({"run": "mine", "organ": 7}, column, there) == DrillDown("mine", RIGHT, "organ", "7")
    for keyed, key in (({}, "accuracy"), ({"run": "gone"}, "accuracy"), ({"run": "mine"}, "n")):
        assert _drill_down(keyed, replace(column, key=key), there) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "mine: 2 answers to 3 items."),
        ({"answered": 1, "items": 1, "unasked": 1200}, "mine: 1 answer to 1 item; 1,200 not asked yet."),
        (
            {"failed": {"cut": 2, "empty": 1}, "stopped": "Time was up."},
            "mine: 2 answers to 3 items; 3 failed (cut). Time was up.",
        ),
        (
            {"failed": {"It was cut.": 1}, "notes": ("One.", "Two.")},
            "mine: 2 answers to 3 items; 1 failed (It was cut.). One. Two.",
        ),
    ],
)
def test_what_a_run_came_to_is_said_in_a_line(changes: dict[str, object], words: str) -> None:
    summary = RunSummary("mine", "toy", "model", 3, 3, 0, 2, {}, 0, 1.0, (), {})
    assert about_run(replace(summary, **changes)) == words  # type: ignore[arg-type]


def test_tables_are_drawn_of_what_there_is_and_a_bar_or_number_leads_to_its_items(qtbot: QtBot) -> None:
    def rows(*values: str) -> list[Row]:
        items = [
            Item(str(n), "organ", {}, {"key": "A"}, {"organ": "liver" if n else "kidney"})
            for n in range(len(values))
        ]
        return [Row(item, value) for item, value in zip(items, values, strict=True)]

    runs = {"mine": rows("A", "B", "A"), "liver": rows("A", "A", "A")}
    found = finished(scoring_runs(STUDY, runs, ("organ",), "strict", {name: {} for name in runs}))
    page = TablesPage()
    qtbot.addWidget(page)
    opened: list[DrillDown] = []
    changed: list[None] = []
    page.opened.connect(opened.append)
    page.changed.connect(lambda: changed.append(None))
    page.offer(("organ", "task"))
    page.by.setCurrentIndex(2)
    page.offer(("task",))
    assert (page.by.currentData(), [page.by.itemText(at) for at in range(page.by.count())]) == (
        "task",
        ["all items", "task"],
    )
    page.offer(("organ",))
    assert (page.by.currentData(), len(changed)) == ("", 1)
    assert not page.export.isEnabled()
    page.show()
    page.take_focus()
    assert not isinstance(page.focusWidget(), QComboBox), "letters are the mode's"
    page.show_scores(STUDY, found)
    assert page.export.isEnabled()
    titles = [table.accessibleName() for table in page.tables]
    every = ["Accuracy, side by side", "Runs", "By organ", "Differences", "Table 1. Accuracy by run"]
    assert (titles, page.bars.count()) == (every, 1)
    assert page.about.text() == "A click on a measure of a run, or Enter, shows the items behind it."
    told = [
        [(row.label, [one.text for one in row.cells]) for row in table.numbers.rows]
        for table in page.tables[:3]
    ]
    assert told == [
        [
            ("all", ["0.667", "1.000"]),
            ("kidney (organ)", ["1.000", "1.000"]),
            ("liver (organ)", ["0.500", "1.000"]),
        ],
        [("mine", ["3", "0.667"]), ("liver", ["3", "1.000"])],
        [
            ("kidney · mine", ["1", "1.000"]),
            ("kidney · liver", ["1", "1.000"]),
            ("liver · mine", ["2", "0.500"]),
            ("liver · liver", ["2", "1.000"]),
        ],
    ]
    assert [row.total for row in page.tables[0].numbers.rows] == [True, False, False]
    measure = found.measures[0]
    wanted = [
        DrillDown("mine", measure),
        DrillDown("liver", measure, "organ", "kidney"),
        DrillDown("liver", measure),
        DrillDown("mine", measure, "organ", "liver"),
    ]
    for table, row, column in ((0, 0, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1), (2, 2, 1), (3, 0, 0)):
        drawn = page.tables[table]
        drawn.setCurrentIndex(drawn.numbers.index(row, column))
        QTest.keyClick(drawn, Qt.Key.Key_Return)
    assert opened == wanted
    led = replace(
        STUDY, lead=lambda scores: ("It is a draw.",), called=lambda label, value: value.capitalize()
    )
    page.show_scores(led, found)
    assert [row.label for row in page.tables[3].numbers.rows] == [
        "mine less liver of all",
        "mine less liver of Kidney (organ)",
        "mine less liver of Liver (organ)",
    ]
    assert page.about.text().split("\n")[0] == "It is a draw."
    # A guesser's line is one of accuracy; the measure whose bars were chosen stays chosen.
    other, more = (replace(measure, id=name.lower(), label=name) for name in ("Odds", "More"))
    half = {"odds": Score(0.5), "more": Score(0.5)}
    both = {name: replace(one, scores={**one.scores, **half}) for name, one in found.runs.items()}
    lined = replace(STUDY, line=lambda own: 0.25)
    page.show_scores(lined, replace(found, measures=(measure, other), runs=both))
    lines = [page.tables[0].numbers.rows[0].cells[0].line]
    page.bars.setCurrentIndex(1)
    page.show_scores(lined, replace(found, measures=(measure, more, other), runs=both))
    assert page.tables[0].accessibleName() == "Odds, side by side"
    assert [*lines, page.tables[0].numbers.rows[0].cells[0].line] == [0.25, None]
    page.say("Nothing.")
    assert not page.export.isEnabled()
    page.bars.setCurrentIndex(-1)
    assert (page.tables, page.about.text()) == ([], "Nothing.")
