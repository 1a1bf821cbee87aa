"""How many figures there are, and what is said of a release that was brought in."""

from __future__ import annotations

from pathlib import Path

from app.operations.project.figures import count_figures
from app.operations.project.terminologies import import_sentences
from extractors.model.figure import Figure, FigureImage, FigureMention
from extractors.terminology.icd11.importing import Kept, index_path


def test_one_reference_to_two_figures_is_one_mention_and_each_without_a_place_is_one() -> None:
    both, here = FigureMention(3, 9, (), "xref"), FigureMention(20, 25, ("A",), "xref")
    nowhere = FigureMention(None, None, (), "xref"), FigureMention(None, None, (), "xref")
    images = FigureImage("a", state="kept"), FigureImage("b"), FigureImage("c", state="refused")
    first = Figure("f1", "Figure 1", 40, 50, ("A",), images, (both, here, *nowhere))
    second = Figure("f2", "Figure 2", mentions=(both,))
    counts = {"figures": 3, "images": 3, "captions": 1, "kept": 1, "missing": 1, "refused": 1}
    # In another report the same place is another.
    assert count_figures([[first, second], [second]]) == {**counts, "mentions": 5}
    assert set(count_figures([]).values()) == {0}


def test_maps_without_classes_and_classes_without_maps_are_said_to_be_that(tmp_path: Path) -> None:
    classes = Kept("2024-01", ("en", "de"), 3, 2, {}, {"no code": 1}, Path("x"))
    maps = Kept("", (), 0, 0, {"ICD-10": 2}, {}, tmp_path / "x")
    assert list(import_sentences(classes))[::2] == [
        "ICD-11 2024-01 (en, de) is kept in x: 3 categories, 2 of them leaves.",
        "Left out: 1 row: no code.",
    ]
    counted, missing = import_sentences(maps)
    assert counted == "  ICD-10: 2 rows"
    assert missing.startswith("There are no classes for these maps yet: ")
    index_path(tmp_path, "2024-01").touch()
    assert [*import_sentences(maps)] == [counted]
