"""Text keeps its contrast on every tint of both themes."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from app.palette import FOUND_STRENGTHS, contrast, mix, page_palette
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


@pytest.mark.parametrize(("dark", "stark"), KINDS)
def test_a_category_has_the_hue_of_its_family_in_every_theme_as_line_and_as_letters(
    dark: bool, stark: bool
) -> None:
    palette, light = page_palette(default_scheme(), dark, stark), page_palette(default_scheme(), dark=False)
    for category in default_scheme().ids:
        for colour in (palette.colours[category], palette.lettering(category)):
            apart = (hue(colour) - hue(light.colours[category]) + 180) % 360 - 180
            assert abs(apart) <= 25


def hue(colour: tuple[int, int, int]) -> float:
    """The angle of a colour in OKLab (Ottosson 2020), in degrees."""
    red, green, blue = ((p / 255 / 12.92) if p <= 10 else ((p / 255 + 0.055) / 1.055) ** 2.4 for p in colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    green_red = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    blue_yellow = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return math.degrees(math.atan2(blue_yellow, green_red))


def test_black_on_white_is_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
