"""Text keeps its contrast on every tint of both themes."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.gui.reader.palette import FOUND_STRENGTHS, contrast, mix, page_palette
from extractors.model.scheme import default_scheme

KINDS = [(dark, stark) for dark in (False, True) for stark in (False, True)]


@pytest.mark.parametrize(("dark", "stark"), KINDS)
@pytest.mark.parametrize("strength", [0.08, 0.2, 0.36, 0.6, 1.0])
def test_text_has_seven_to_one_on_every_tint_selected_and_found(
    dark: bool, stark: bool, strength: float
) -> None:
    palette = page_palette(default_scheme(), dark, stark)
    ids = default_scheme().ids
    for group in [*combinations(ids, 1), *combinations(ids, 2), *combinations(ids, 3), ids]:
        tint = palette.tint(group, strength)
        assert contrast(tint, palette.ink) >= 7
        if strength > 0.6:
            continue
        for found in (tint, *(mix(tint, palette.found, over) for over in FOUND_STRENGTHS)):
            assert contrast(found, palette.ink) >= 7
            selected = mix(found, palette.selection, palette.selection_strength)
            assert contrast(selected, palette.ink) >= 7


@pytest.mark.parametrize(("dark", "stark"), KINDS)
def test_codes_have_four_and_a_half_to_one(dark: bool, stark: bool) -> None:
    palette = page_palette(default_scheme(), dark, stark)
    for category in default_scheme().ids:
        assert contrast(palette.lettering(category), palette.paper) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_high_contrast_is_black_and_white_with_strong_lines(dark: bool) -> None:
    palette = page_palette(default_scheme(), dark, contrast=True)
    assert {palette.paper, palette.ink} == {(0, 0, 0), (255, 255, 255)}
    assert all(contrast(colour, palette.paper) >= 4.5 for colour in palette.colours.values())


def test_black_on_white_is_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
