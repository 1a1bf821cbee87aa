"""What terms of a reply are right, wrong and missed, by what the reply was asked for."""

from __future__ import annotations

import pytest

from app.studies.rarebench.t1 import T1
from app.studies.rarebench.t1_scores import graded
from app.studies.results import Item, Row

SEIZURE, ATAXIA, FOCAL = "HP:0001250", "HP:0001251", "HP:0007359"


@pytest.mark.parametrize(
    ("level", "given", "counts"),
    [
        ("pte", [SEIZURE, ATAXIA], (2, 0, 0)),
        ("pte", [ATAXIA, SEIZURE], (2, 0, 0)),
        ("pte", [SEIZURE, SEIZURE], (1, 0, 1)),
        ("pte", [SEIZURE, FOCAL, ""], (1, 2, 1)),
        ("pte", [], (0, 0, 2)),
        ("ges", [SEIZURE, ATAXIA], (2, 0, 0)),
        # Of given entities one that is right for another alone is wrong.
        ("ges", [ATAXIA, SEIZURE], (0, 2, 2)),
        ("ges", [SEIZURE, FOCAL], (1, 1, 1)),
    ],
)
def test_terms_are_right_once_each_and_of_given_entities_in_their_place(
    level: str, given: list[str], counts: tuple[int, int, int]
) -> None:
    reference = {"terms": [SEIZURE, ATAXIA], "entities": ["fits", "unsteady"]}
    value = [{"said": code or "nonsense", "code": code, "by": "code", "quote": ""} for code in given]
    scores = graded(Row(Item("r", f"{T1}/{level}", {}, reference), value))["scores"]
    assert (scores["right"], scores["wrong"], scores["missed"]) == counts
