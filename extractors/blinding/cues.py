"""The words by which views of a case are cut (resources/blinding.toml), as patterns."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from extractors.assets import asset


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of whole words: of investigations (names, what is said of them, what was before), of treatment
    and its headings, of the modalities of pictures by name, and of what reads a picture."""

    tests: re.Pattern[str]
    said: re.Pattern[str]
    before: re.Pattern[str]
    treatment: re.Pattern[str]
    headings: re.Pattern[str]
    modalities: dict[str, re.Pattern[str]]
    pictured: re.Pattern[str]
    reading: re.Pattern[str]
    named: re.Pattern[str]
    not_said: re.Pattern[str]


@lru_cache(maxsize=1)
def cues() -> Cues:
    """Read once; raises AssetError where the file is missing."""
    told = tomllib.loads(asset("resources", "blinding.toml").read_text(encoding="utf-8"))
    modalities: dict[str, str] = told["modalities"]
    # Figures of these kinds are not told by a word of the text that reads them.
    pictured = " | ".join(words for name, words in modalities.items() if name not in ("photograph", "chart"))
    return Cues(
        _pattern(told["tests"]["names"]),
        _pattern(told["tests"]["said"]),
        _pattern(told["tests"]["before"]),
        _pattern(told["treatment"]["words"]),
        _pattern(told["treatment"]["headings"]),
        {name: _pattern(words) for name, words in modalities.items()},
        _pattern(pictured),
        _pattern(told["reading"]["words"]),
        _pattern(told["diagnosis"]["before"]),
        _pattern(told["diagnosis"]["not_said"]),
    )


def _pattern(words: str) -> re.Pattern[str]:
    parts = re.split(r"\s*\n\s*|\s+\|\s+|\s+\|(?=\n)", words.strip())
    joined = "|".join(part.strip().strip("|").strip() for part in parts if part.strip(" |"))
    return re.compile(rf"\b(?:{joined})(?!\w)")


def modalities_of(caption: str) -> tuple[str, ...]:
    """What kinds of pictures a caption speaks of; none where it says nothing of it."""
    return tuple(name for name, words in cues().modalities.items() if words.search(caption.lower()))
