"""What a run is worth, beside what built-in methods reach on the same items."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.gui.modes.study.lists import ScorePanel
from app.operations.study.answers import Overview, RunLine
from app.studies.results import Item, Row
from app.studies.scoring import scoring_runs
from extractors.model.progress import finished
from tests.toy_study.study import STUDY


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
