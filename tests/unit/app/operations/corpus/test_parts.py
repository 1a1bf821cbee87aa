"""The parts of a corpus as they are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.operations.corpus.parts import Parts
from app.operations.corpus.reading import Found, Passed
from app.operations.corpus.schema import COLUMNS, NO_ANSWER, part_file, read_part
from extractors.model.errors import DamagedCorpusError


def test_a_question_that_was_answered_once_is_answered_whatever_failed_before_or_after(
    tmp_path: Path,
) -> None:
    (tmp_path / "reports").mkdir()
    (stale := tmp_path / "reports" / ".part-0.7.tmp").touch()
    parts = Parts(tmp_path)
    assert not stale.exists(), "of a run that was killed"
    states = {"a": ("failed", "done"), "b": ("done", "cancelled"), "c": ("failed", "cancelled")}
    calls = [
        {"report": report, "number": number, "prompt_sha256": "0", "state": state}
        for report, of_report in states.items()
        for number, state in enumerate(of_report)
    ]
    for part in range(2):
        parts.write(part, "sha", [], [Passed("a.txt", "repeated", "")], calls)
    assert (parts.failed, parts.left_out) == ({NO_ANSWER: 2}, {"repeated": 2})
    again = Parts(tmp_path)
    for part in range(2):
        again.take_over(part, "sha")
    assert (again.failed, again.left_out) == (parts.failed, parts.left_out)


def test_a_letter_that_a_disk_turned_is_damage(tmp_path: Path) -> None:
    row = {**dict.fromkeys(COLUMNS["reports"]), "sha256": "00", "text": "qzjxkvbpygfw"}
    del row["report"]
    Parts(tmp_path).write(0, "sha", [("a", Found("a", row))], [])
    file = part_file(tmp_path, "reports", 0)
    assert read_part(tmp_path, "reports", 0).column("text").to_pylist() == ["qzjxkvbpygfw"]
    file.write_bytes(file.read_bytes().replace(b"qzjx", b"Qzjx", 1))
    with pytest.raises(DamagedCorpusError, match="makes it anew"):
        read_part(tmp_path, "reports", 0)


def test_reports_of_one_name_get_names_of_their_own_and_a_text_counts_once(tmp_path: Path) -> None:
    keys = ("a", "a-2", "a", "a", "b")
    answers = [Found(key, {"sha256": f"{at:064x}", "source": key}) for at, key in enumerate(keys)]
    reports, repeated = Parts(tmp_path).named([*answers, answers[0]])
    assert [name for name, _ in reports] == ["a", "a-2", "a-3", "a-4", "b"]
    assert [(one.reason, one.detail) for one in repeated] == [("repeated", "Its text is that of a.")]
