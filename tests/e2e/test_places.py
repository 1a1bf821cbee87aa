"""Places that a file of JSON Lines gives its quotes, in the text as the project keeps it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Casespan

TEXT = "Fever.\r\nThen fever.\r\nNo 😀 fever.\r\nfever, fever."
QUOTE = "fever"


def places(text: str) -> list[int]:
    """Where the quote begins, each time."""
    return [at for at in range(len(text)) if text.startswith(QUOTE, at)]


def brought(casespan: Casespan, folder: Path, entries: list[dict[str, object]]) -> tuple[list[int], str]:
    """Where quotes of a file stand once they are in a project, and what the import said."""
    study, source, out = folder / "study.casespan", folder / "ana.jsonl", folder / "out.jsonl"
    line = {"id": "r", "title": "R", "text": TEXT, "looked_at": ["Neuro"], "annotations": entries}
    source.write_text(json.dumps(line), encoding="utf-8")
    casespan("new", study)
    said = casespan("import", study, source, "--annotator", "ana").out
    casespan("export", study, out, "--format", "jsonl", "--annotator", "ana")
    exported = json.loads(out.read_text(encoding="utf-8"))
    assert all(exported["text"][one["start"] : one["end"]] == QUOTE for one in exported["annotations"])
    return [one["start"] for one in exported["annotations"]], said


def entry(start: int, quote: str = QUOTE) -> dict[str, object]:
    return {"category": "Neuro", "quote": quote, "start": start, "end": start + len(quote)}


@pytest.mark.parametrize("nth", range(4))
def test_a_place_counts_in_the_text_of_the_file_whatever_its_line_ends(
    casespan: Casespan, tmp_path: Path, nth: int
) -> None:
    found, said = brought(casespan, tmp_path, [entry(places(TEXT)[nth])])
    assert found == [places(TEXT.replace("\r\n", "\n"))[nth]]
    assert "nearest" not in said


@pytest.mark.parametrize("off", [-1, 2])
def test_a_place_that_does_not_hold_gives_way_to_the_nearest_and_is_named(
    casespan: Casespan, tmp_path: Path, off: int
) -> None:
    found, said = brought(casespan, tmp_path, [entry(places(TEXT)[2] + off)])
    assert found == [places(TEXT.replace("\r\n", "\n"))[2]]
    assert "nearest is taken (1)" in said
