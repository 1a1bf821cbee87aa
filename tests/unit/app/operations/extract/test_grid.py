"""What a grid knows of its runs: which replied the same, which are the latest, what they lack."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from app.operations.extract.grid import _find_equal as find_equal
from app.operations.extract.grid import _latest as latest
from app.operations.extract.grid import _missing as missing


def told(run: str, digest: str, *replies: str) -> dict[str, Any]:
    said = frozenset(("d", "GI", "p", one) for one in replies)
    return {"run": run, "model": "tiny", "digest": digest, "replies": said}


def test_runs_of_one_model_that_were_replied_the_same_are_told_by_the_first() -> None:
    runs = [
        *(told("a", "1", "x"), told("b", "2", "x"), told("c", "1", "x"), told("d", "1", "y")),
        *(told("e", "1", "x"), told("f", "1"), told("g", "1")),
    ]
    find_equal(runs)
    assert {one["run"]: one["equal_to"] for one in runs if one.get("equal_to")} == {"c": "a", "e": "a"}


def test_of_an_annotator_the_latest_run_counts() -> None:
    runs: Any = [SimpleNamespace(annotator=by, name=name) for by, name in (("r", 1), ("m", 2), ("r", 3))]
    assert [str(one.name) for one in latest(runs)] == ["3", "2"]


def test_calls_are_missing_by_what_a_run_was_asked_at_once_and_whether_it_ended() -> None:
    class Ledger:
        def missing(self, documents: set[str], asked: list[str], **more: bool) -> Any:  # noqa: ANN401
            return documents, asked, more

    def lacks(strategy: str, asked: list[str], state: str, kind: str = "model") -> Any:  # noqa: ANN401
        settings = {"asked": asked, "strategy": strategy}
        run: Any = SimpleNamespace(kind=kind, state=state, settings=settings)
        ledger: Any = Ledger()
        return missing(ledger, run, {"d"})

    both = ["GI", "CVS"]
    assert lacks("ucp", both, "done") == ({"d"}, both, {"all_at_once": False, "begun": True})
    assert lacks("ugp", both, "cancelled") == ({"d"}, both, {"all_at_once": True, "begun": False})
    # One category alone is asked as itself.
    assert lacks("ugp", ["GI"], "failed")[2] == {"all_at_once": False, "begun": False}
    assert lacks("ucp", both, "done", "rules") == 0
