"""A report of a fault can be read and sent: it says where the program was, and nothing of a project."""

from __future__ import annotations

import logging
from io import StringIO
from pathlib import Path

import pytest

from app.gui.session.jobs import sentence_of
from app.gui.shell.application import _show_error


def test_a_report_of_a_fault_has_places_and_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    log = StringIO()
    monkeypatch.setattr(logging.getLogger(sentence_of.__module__), "handlers", [logging.StreamHandler(log)])
    try:
        try:
            try:
                int("Mrs. Lindqvist")
            except ValueError:
                dict[str, str]()["Mrs. Lindqvist"]
        except KeyError as cause:
            raise RuntimeError("fever of 39 °C") from cause
    except RuntimeError as error:
        said = sentence_of(error)
    path = Path(said.split("report it: ")[1].split(" may be sent")[0])
    report = path.read_text(encoding="utf-8")
    for kept in (report, log.getvalue()):
        assert "test_faults.py" in kept
        assert "Lindqvist" not in kept
        assert "fever" not in kept
        assert str(Path.home()) not in kept
    assert report.index("RuntimeError") < report.index("KeyError") < report.index("ValueError")
    assert "session/test_faults.py" in report
    # In the window itself a file that cannot be asked for is a fault, too.
    _show_error(OSError(36, "File name too long", "Lindqvist"))
    report = path.read_text(encoding="utf-8")
    assert "OSError" in report
    assert "Lindqvist" not in report
