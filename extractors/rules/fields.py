"""Which field of its category a quote belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Values:
    """Compiled value patterns; `fields` maps a field of Vitals_Hema to its pattern, `vital` is any."""

    fields: tuple[tuple[str, re.Pattern[str]], ...]
    vital: re.Pattern[str]
    laboratory: re.Pattern[str]
    measured: re.Pattern[str]

    def vital_field(self, piece: str) -> str:
        """The first field of Vitals_Hema with a value in `piece`, "" where there is none."""
        if self.vital.search(piece):
            for name, pattern in self.fields:
                if pattern.search(piece):
                    return name
        return ""

    def is_result(self, piece: str) -> bool:
        """True where `piece` holds a value as only a test has it, or a word that judges one."""
        return self.laboratory.search(piece) is not None

    def is_measured(self, piece: str) -> bool:
        """True where `piece` holds a number with a unit as only a test has it."""
        return self.measured.search(piece) is not None


def load_values() -> Values:
    """Compile resources/rules/values.toml."""
    table = cues.load_rules("values")
    flags = re.IGNORECASE | re.VERBOSE
    fields = [
        (name, re.compile(text, flags)) for key in ("vital", "blood") for name, text in table[key].items()
    ]
    laboratory = "|".join(f"(?:{pattern})" for pattern in table["laboratory"].values())
    measured = re.compile(table["laboratory"]["result"], flags)
    vital = "|".join(f"(?:{pattern.pattern})" for _, pattern in fields)
    return Values(tuple(fields), re.compile(vital, flags), re.compile(laboratory, flags), measured)
