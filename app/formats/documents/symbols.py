"""Signs of the font Symbol, which documents keep by their places in it and not by what they are."""

from __future__ import annotations

# From 0x20 and from 0xA0 on, by the font's own encoding; what draws pieces of brackets is left open.
_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
_SIGNS = {
    place: sign for first, row in ((0x20, _LOW), (0xA0, _HIGH)) for place, sign in enumerate(row, first)
}
# Word moves them to where Unicode has characters of everybody's own.
_MOVED = 0xF000
UNKNOWN = "□"


def symbol(code: int, font: str) -> str:
    """The sign at a place of a font, UNKNOWN where that is not known."""
    return _SIGNS.get(code & 0xFF, UNKNOWN) if font.casefold() == "symbol" else UNKNOWN


def in_font(text: str, font: str) -> str:
    """A text in which signs of such a font stand, as what they are."""
    if not any(_MOVED <= ord(sign) <= _MOVED + 0xFF for sign in text):
        return text
    return "".join(symbol(ord(s), font) if _MOVED <= ord(s) <= _MOVED + 0xFF else s for s in text)
