"""Whatever file a command gets, it says a sentence and ends with 0, 1 or 2 (`make soak` tries thousands)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.soak.inputs import faults, written


def test_no_altered_file_breaks_the_command_that_reads_it(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    found = written(tmp_path)
    # As it is, and once altered; others each time that a kind is added.
    told = list(faults(found, few, tmp_path, Random(len(found)), 1))
    assert len(told) == 2 * len(found)
    assert not [fault for _, fault in told if fault]
