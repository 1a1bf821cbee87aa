"""Measured values: vital signs, haematology and laboratory results with their units."""

from __future__ import annotations

import re
from dataclasses import dataclass

from extractors.text import cues


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
