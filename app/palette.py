"""Colours of the page, on the screen and on paper: a tint per category that leaves the text its contrast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from extractors.model.scheme import Scheme

Rgb = tuple[int, int, int]
TEXT_CONTRAST = 7.0
CODE_CONTRAST = 4.5
_SELECTION, _STRONG_SELECTION = 0.55, 0.85
FOUND_STRENGTHS = (0.4, 0.7)
_STEPS = 40
# Spans that have a term and no category: they are in the accent colour, without a code.
TERM = ""


def rgb(colour: str) -> Rgb:
    """The parts of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(base: Rgb, over: Rgb, strength: float) -> Rgb:
    """`over` laid on `base`, from 0 (base) to 1 (over)."""
    red, green, blue = (round(b + (o - b) * strength) for b, o in zip(base, over, strict=True))
    return red, green, blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Contrast ratio 1-21 of two colours (WCAG 2.2, relative luminance of sRGB)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def _luminance(colour: Rgb) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@dataclass(frozen=True, slots=True)
class PagePalette:
    """Paper and ink, and colour and two-letter code by category id.

    `selection` and `found` are laid on what is selected and found; text keeps its contrast on them, and so
    on all that lies between them and a tint. With `contrast`, marks are painted stronger.
    """

    paper: Rgb
    ink: Rgb
    quiet: Rgb
    accent: Rgb
    selection: Rgb
    found: Rgb
    colours: Mapping[str, Rgb]
    codes: Mapping[str, str]
    contrast: bool = False

    @property
    def selection_strength(self) -> float:
        """How much of `selection` covers what is selected, from 0 to 1."""
        return _STRONG_SELECTION if self.contrast else _SELECTION

    def colour(self, category: str) -> Rgb:
        """The category's colour, the accent for what has none."""
        return self.colours.get(category, self.accent)

    def tint(self, categories: Iterable[str], strength: float) -> Rgb:
        """The background of text in these categories: their mean colour on paper, as strong as ink allows."""
        parts = [self.colour(category) for category in categories]
        red, green, blue = (sum(channel) // len(parts) for channel in zip(*parts, strict=True))
        for step in range(_STEPS, 0, -1):
            tint = mix(self.paper, (red, green, blue), strength * step / _STEPS)
            if contrast(tint, self.ink) >= TEXT_CONTRAST:
                return tint
        return self.paper

    def lettering(self, category: str) -> Rgb:
        """The category's colour moved towards ink until small letters in it can be read on paper."""
        for step in range(_STEPS):
            colour = mix(self.colour(category), self.ink, step / _STEPS)
            if contrast(colour, self.paper) >= CODE_CONTRAST:
                return colour
        return self.ink


def page_palette(scheme: Scheme, dark: bool, contrast: bool = False) -> PagePalette:
    """The page in light or dark, or with `contrast` in pure black and white."""
    codes = {category.id: category.code for category in scheme.categories}
    if dark:
        colours = {category.id: rgb(category.colour_dark) for category in scheme.categories}
        accent, selection, found = (96, 165, 250), (26, 72, 150), (68, 70, 74)
        page = PagePalette(
            (20, 22, 26), (236, 236, 232), (150, 152, 156), accent, selection, found, colours, codes
        )
        return _stark(page, (0, 0, 0), (255, 255, 255)) if contrast else page
    colours = {category.id: rgb(category.colour_light) for category in scheme.categories}
    accent, selection, found = (29, 98, 200), (150, 194, 255), (190, 190, 190)
    page = PagePalette(
        (255, 255, 255), (17, 17, 17), (110, 110, 110), accent, selection, found, colours, codes
    )
    return _stark(page, (255, 255, 255), (0, 0, 0)) if contrast else page


def _stark(page: PagePalette, paper: Rgb, ink: Rgb) -> PagePalette:
    """Black and white; the categories' colours as strong as small letters need them."""
    plain = replace(page, paper=paper, ink=ink, quiet=mix(paper, ink, 0.7), contrast=True)
    return replace(plain, colours={category: plain.lettering(category) for category in page.colours})
