"""Text keeps its contrast on every tint of both themes."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.gui.reader.palette import contrast, page_palette
from extractors.scheme import default_scheme


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("strength", [0.08, 0.2, 0.36, 1.0])
def test_text_has_seven_to_one_on_every_tint(dark: bool, strength: float) -> None:
    palette = page_palette(default_scheme(), dark)
    ids = default_scheme().ids
    for group in [*combinations(ids, 1), *combinations(ids, 2), *combinations(ids, 3), ids]:
        assert contrast(palette.tint(group, strength), palette.ink) >= 7


@pytest.mark.parametrize("dark", [False, True])
def test_codes_have_four_and_a_half_to_one(dark: bool) -> None:
    palette = page_palette(default_scheme(), dark)
    for category in default_scheme().ids:
        assert contrast(palette.lettering(category), palette.paper) >= 4.5


def test_black_on_white_is_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
