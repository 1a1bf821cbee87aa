"""Reads the data files of words: the one file of grammar and context, and the rules' own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from extractors.assets import asset


@lru_cache(maxsize=1)
def load_cues() -> dict[str, Any]:
    """The parsed file `resources/text/cues.toml`, read once; raises AssetError where it is missing."""
    return tomllib.loads(asset("resources", "text", "cues.toml").read_text(encoding="utf-8"))


@lru_cache
def load_rules(name: str) -> dict[str, Any]:
    """The parsed file `resources/rules/NAME.toml`, read once; raises AssetError where it is missing."""
    return tomllib.loads(asset("resources", "rules", f"{name}.toml").read_text(encoding="utf-8"))


def listed(table: Mapping[str, Any], key: str) -> list[str]:
    """The words or phrases under `key`, in file order, [] where there are none.

    Commas divide phrases; without any, white space divides words.
    """
    text: str = table.get(key, "")
    parts = text.split(",") if "," in text else text.split()
    return [phrase for part in parts if (phrase := " ".join(part.split()))]


# Words that often are what they look like, and now and then are not.
LOOKALIKES = frozenset({"may", "no"})


def is_name(text: str, start: int, word: str) -> bool:
    """Whether one of the `LOOKALIKES`, or "negative", at `start` is no doubt or denial: "in May", "may 5",
    "Case No. 4", "COX-negative fibres"."""
    if word == "negative":
        return text[start - 1 : start] == "-"
    before, after = text[max(0, start - 2) : start].rstrip(), text[start + len(word) : start + len(word) + 3]
    if word == "may":
        following = after[:2].lstrip()[:1]
        return (
            following.isdigit()
            or following == "-"
            or (text[start : start + 3] == "May" and before[-1:].isalnum())
        )
    numbered = after.replace(".", "", 1).lstrip()[:1].isdigit()
    return numbered and before[-1:].isalnum() and (text[start] == "N" or after[0] == ".")
