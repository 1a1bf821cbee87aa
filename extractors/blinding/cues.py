"""The words by which views of a case are cut (resources/blinding.toml), as patterns."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from extractors.assets import asset


@cache
def _told() -> dict[str, dict[str, str]]:
    return tomllib.loads(asset("resources", "blinding.toml").read_text(encoding="utf-8"))


@cache
def cue(part: str, name: str = "words") -> re.Pattern[str]:
    """The words of that part and name, as a pattern of whole words; raises AssetError where the file is
    missing."""
    return _pattern(_told()[part][name])


@cache
def pictured() -> re.Pattern[str]:
    """Words of pictures; figures of two kinds are not told by a word of the text that reads them."""
    kinds = _told()["modalities"].items()
    return _pattern(" | ".join(words for name, words in kinds if name not in ("photograph", "chart")))


def _pattern(words: str) -> re.Pattern[str]:
    parts = (part.strip(" |\n") for part in re.split(r"\n|\s\|", words))
    return re.compile(rf"\b(?:{'|'.join(filter(None, parts))})(?!\w)")


def modalities_of(caption: str) -> tuple[str, ...]:
    """What kinds of pictures a caption speaks of; none where it says nothing of it."""
    low = caption.lower()
    return tuple(name for name in _told()["modalities"] if cue("modalities", name).search(low))
