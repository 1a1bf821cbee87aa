"""Which field of its category a quote belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping

from extractors.text import cues

_ANY = "*"


class FieldRules:
    """Word beginnings by category and field, from resources/rules/fields.toml."""

    def __init__(self) -> None:
        self._default: dict[str, str] = {}
        self._patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for category, fields in cues.load_rules("fields").items():
            self._default[category] = fields.get(_ANY, "")
            self._patterns[category] = self._compile(fields)

    def field(self, category: str, quote: str, known: tuple[str, ...]) -> str:
        """The field with the most hits, else the category's usual one; "" where the scheme lacks it."""
        best, most = self._default.get(category, ""), 0
        lowered = quote.lower()
        for name, pattern in self._patterns.get(category, ()):
            hits = len(pattern.findall(lowered))
            if hits > most:
                best, most = name, hits
        return best if best in known else ""

    @staticmethod
    def _compile(fields: Mapping[str, str]) -> list[tuple[str, re.Pattern[str]]]:
        compiled = []
        for name in fields:
            if name != _ANY:
                stems = "|".join(re.escape(stem) for stem in cues.listed(fields, name))
                compiled.append((name, re.compile(rf"\b(?:{stems})")))
        return compiled
