"""Which of two rows holds where copies come together, from either side."""

from __future__ import annotations

import json

from app.store.unite.changes import Cells
from app.store.unite.rules import first_made, united

_SAID = ("layer", "category", "polarity", "quote", "span_start", "span_end")


def test_of_two_runs_that_are_one_the_one_that_ended_later_holds_of_reports_the_older() -> None:
    soon: Cells = {"uuid": "a", "finished_at": "2026-02-01"}
    late: Cells = {"uuid": "b", "finished_at": "2026-03-01"}
    going: Cells = {"uuid": "c", "finished_at": None}
    assert first_made("run", soon, late) is first_made("run", late, soon) is late
    assert first_made("run", soon, going) is first_made("run", going, soon) is soon
    old: Cells = {"uuid": "z", "added_at": "2026-01-01"}
    new: Cells = {"uuid": "a", "added_at": "2026-02-01"}
    assert first_made("document", old, new) is first_made("document", new, old) is old


def test_of_two_annotations_that_say_the_same_the_lesser_rank_holds() -> None:
    plain: Cells = {**dict.fromkeys(_SAID, "x"), "note": ""}
    first, second = ({**plain, "rank": rank} for rank in (10, 3))
    for versions in ((first, second), (second, first)):
        assert united("annotation", versions, [], ()) == second


def test_notes_on_the_same_span_are_all_kept_and_one_that_one_side_left_alone_is_not() -> None:
    plain: Cells = {**dict.fromkeys(_SAID, "x"), "note": "why?"}
    fever, pain, none = ({**plain, "note": note} for note in ("fever", "pain", ""))
    for versions in ((fever, pain), (pain, fever)):
        assert united("annotation", versions, [plain], ())["note"] == "fever; pain"
    assert united("annotation", (plain, pain), [plain], ())["note"] == "pain"
    assert united("annotation", (plain, none), [plain], ())["note"] == ""


def test_of_a_review_each_statement_stands_that_one_added_and_none_that_one_took_back() -> None:
    plain: Cells = {"state": "done", "looked_at": "[]", "changed_at": "2026-01-01"}
    known, fewer, more = (
        {**plain, "nothing_found": json.dumps(names)}
        for names in (["GI", "DERM"], ["DERM"], ["GI", "DERM", "MSK"])
    )
    for versions in ((fewer, more), (more, fewer)):
        assert united("review", versions, [known], ("MSK", "GI", "DERM"))["nothing_found"] == '["MSK","DERM"]'
