"""Colours that the scheme of 14 categories had by default when older projects took it over."""

from __future__ import annotations

from dataclasses import replace

from extractors.model.scheme import Scheme

_NOW = {
    ("Vitals_Hema", "#d6137e"): "#ff799a",
    ("Neuro", "#6a45fd"): "#cca4ff",
    ("EENT", "#2eb4ae"): "#37ffff",
    ("CVS", "#f57879"): "#be696b",
    ("RESP", "#a5c5ed"): "#2b75b0",
    ("GI", "#c0720a"): "#ffb366",
    ("GU", "#dcd495"): "#fae430",
    ("MSK", "#c5fe29"): "#667611",
    ("DERM", "#7e623a"): "#c19546",
    ("LYMPH", "#1de11e"): "#aed7b3",
    ("ENDO", "#b204c4"): "#bc2a85",
    ("Pregnancy", "#d27bfd"): "#9a56eb",
    ("Lab_Image", "#74fcfe"): "#21b9c0",
    ("History", "#7583bb"): "#7c8fdd",
}


def with_present_colours(scheme: Scheme) -> Scheme:
    """The scheme with the dark colours of today where nobody chose others than those of before."""
    if not any((one.id, one.colour_dark) in _NOW for one in scheme.categories):
        return scheme
    present = (
        replace(one, colour_dark=_NOW.get((one.id, one.colour_dark), one.colour_dark))
        for one in scheme.categories
    )
    return replace(scheme, categories=tuple(present))
