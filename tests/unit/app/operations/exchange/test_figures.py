"""Figures of a report that come again: what was found of their pictures, and where they stand in its text."""

from __future__ import annotations

from dataclasses import replace

from app.operations.exchange.figures import _placed_again as placed_again
from app.operations.exchange.figures import _with_kept as with_kept
from extractors.model.figure import Figure, FigureImage


def test_what_was_found_of_a_picture_stays_where_nothing_better_is_found() -> None:
    kept, missing = FigureImage("a", "a.jpg", "kept", sha256="0" * 64), FigureImage("a")
    refused, other = (
        FigureImage("a", "a.png", "refused", "It is cut."),
        FigureImage("a", "b.jpg", "kept", sha256="1"),
    )

    def after(now: FigureImage, before: FigureImage, name: str = "f1") -> FigureImage:
        (figure,) = with_kept([Figure("f1", "Figure 1", images=(now,))], [Figure(name, "", images=(before,))])
        return figure.images[0]

    assert [after(now, kept) for now in (missing, refused, other)] == [kept, kept, other]
    assert [after(now, refused) for now in (missing, kept)] == [refused, kept]
    assert after(missing, kept, "f2") == missing
    assert after(missing, replace(kept, href="b")) == missing


def test_figures_are_placed_in_another_reading_by_their_captions_words_else_by_their_labels() -> None:
    text = "Figure 1. Chest.\n\nFigure 2. Liver.\n"
    frozen = "As Figure 2 shows.\n\nFigure 1. Chest.\n\nFigure 2. The liver.\n"
    figures = [
        Figure("f1", "Figure 1", text.index("Chest"), text.index("Chest") + 6),
        Figure("f2", "Figure 2.", text.index("Liver"), text.index("Liver") + 6),
        Figure("f3", "Figure 3"),
    ]
    found = placed_again(figures, text, frozen)
    words = [None if one.start is None else frozen[one.start : one.end] for one in found]
    assert words[0] == "Chest."
    assert words[1] is not None
    assert words[1].endswith("The liver.")
    assert words[2] is None
    assert [frozen[start:end] for start, end in found[1].mention_places] == ["Figure 2"]
