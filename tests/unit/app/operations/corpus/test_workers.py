"""What is tried again where a process ends that reads a report, and what is then said of it."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import CancelledError
from types import SimpleNamespace
from typing import Any

import pytest

from app.formats.documents.outside import BrokenDownError, TooLargeError, TooLongError
from app.operations.corpus.reading import Passed
from app.operations.corpus.workers import Reader, _ended
from extractors.model.errors import CasespanError

ANSWER = b"answer"
KILLED, BROKEN, LARGE, LONG, FAULTY = (
    BrokenDownError(ready=False),
    BrokenDownError(),
    TooLargeError(),
    TooLongError(),
    KeyError("x"),
)
_SAID = {
    "crashed": "Reading it ended the process that read it.",
    "memory limit": "It takes more than 540 MB of memory.",
    "time limit": "It takes more than 2.5 seconds.",
    "fault": "Please report this file (KeyError).",
}


@pytest.mark.parametrize(
    ("asked", "ends", "said"),
    [
        (0, [ANSWER], ""),
        # Others may have ended it: a second one tries, no third.
        (3, [BROKEN, ANSWER], ""),
        (3, [BROKEN, BROKEN], "crashed"),
        # What is killed before it is ready has not read it; five in a row are too many.
        (0, [*[KILLED] * 4, ANSWER], ""),
        (0, [*[KILLED] * 3, BROKEN, *[KILLED] * 4, ANSWER], ""),
        (0, [KILLED] * 5, "begun"),
        # What came before may have filled a process that is not fresh.
        (0, [LARGE], "memory limit"),
        (3, [LARGE, ANSWER], ""),
        (3, [LARGE, LARGE], "memory limit"),
        (3, [LONG], "time limit"),
        (3, [FAULTY], "fault"),
        (3, [BROKEN, LONG], "time limit"),
    ],
)
def test_a_report_is_tried_again_where_it_need_not_be_at_fault(
    asked: int, ends: list[Exception | bytes], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, left = Reader(None, 2.5), list(ends)  # type: ignore[arg-type]
    monkeypatch.setattr(reader, "_apart", SimpleNamespace(asked=asked))

    def answer(_: object) -> bytes:
        end = left.pop(0)
        if isinstance(end, Exception):
            raise end
        return end

    monkeypatch.setattr(reader, "_answer", answer)
    unit: Any = SimpleNamespace(payload=SimpleNamespace(source="a.xml"))
    if said == "begun":
        with pytest.raises(CasespanError, match="could not be begun"):
            reader.read(unit)
    else:
        found = reader.read(unit)
        told = "crashed" if said == "fault" else said
        passed = [Passed("a.xml", told, _SAID[said])] if said else None
        assert (pickle.loads(found) if passed else found) == (passed or ANSWER)
    assert left == []


def test_a_part_whose_scheduler_is_gone_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[type[Exception]] = [TimeoutError, CancelledError]

    def wait(*_: object, timeout: float) -> None:
        raise ends.pop(0)

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(wait=wait))
    part: Any = None
    assert [_ended(part), _ended(part)] == [False, True]
