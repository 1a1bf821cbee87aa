"""The parts of a corpus as they are counted."""

from __future__ import annotations

from pathlib import Path

from app.operations.corpus.parts import Parts
from app.operations.corpus.schema import NO_ANSWER


def test_a_question_that_was_answered_once_is_answered_whatever_failed_before_or_after(
    tmp_path: Path,
) -> None:
    parts = Parts(tmp_path)
    states = {"a": ("failed", "done"), "b": ("done", "cancelled"), "c": ("failed", "cancelled")}
    calls = [
        {"report": report, "number": number, "prompt_sha256": "0", "state": state}
        for report, of_report in states.items()
        for number, state in enumerate(of_report)
    ]
    parts.write(0, "sha", [], [], calls)
    assert parts.failed == {NO_ANSWER: 1}
    again = Parts(tmp_path)
    again.take_over(0, "sha")
    assert again.failed == {NO_ANSWER: 1}
