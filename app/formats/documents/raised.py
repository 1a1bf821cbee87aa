"""Raised characters as plain text: numbers of citations are left out, powers are written with a caret."""

from __future__ import annotations

import re

from app.formats.jats.citations import CLOSE, OPEN
from app.text import counted

_FENCED = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_TOUCHING = re.compile(f"{CLOSE}( ?){OPEN}")
_MARKER = re.compile(r"[\[(]?[\d,;\s–—‐‑-]*\d[\d,;\s–—‐‑-]*[\])]?")
_UNIT = re.compile(r"(?:^|[\s\d/·×.])(?:[cmkµμdn]?m|[mkµμ]?g|s|min|h|[mdµμ]?[lL]|kcal|mol|year|day)$")
_POWER = re.compile(r"[-–−+]?\d{1,2}")
_BEFORE_MARK = re.compile(r" +([,.;])")
_DEGREES = ("o", "º", "◦", "∘")


class Raised:
    """Takes the fences off and counts the citation numbers that it leaves out."""

    def __init__(self) -> None:
        self.removed = 0

    def plain(self, text: str) -> str:
        """The text without fences."""
        if OPEN not in text:
            return text
        return _BEFORE_MARK.sub(r"\1", _FENCED.sub(self._one, _TOUCHING.sub(r"\1", text)))

    def notes(self) -> list[str]:
        """A sentence on what was left out, where anything was."""
        return [f"{counted(self.removed, 'raised citation number')} left out."] if self.removed else []

    def _one(self, match: re.Match[str]) -> str:
        inner, before = match[1].strip(), match.string[: match.start()]
        following = match.string[match.end() : match.end() + 1]
        if inner in _DEGREES and before[-1:].isdigit():
            return "°"
        if _POWER.fullmatch(inner) and (before[-1:].isdigit() or _UNIT.search(before)):
            return f"^{inner}" + (" " if following.isalnum() else "")
        if _MARKER.fullmatch(inner) and (before[-1:].isalnum() or before[-1:] in tuple('.,;:)]"”’%?!')):
            self.removed += 1
            return " " if following.isalnum() else ""
        return inner
