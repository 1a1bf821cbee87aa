"""Reads the data files of words: the one file of grammar and context, and the rules' own."""

from __future__ import annotations

import re
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


# A noun behind "-negative": "gram-negative rods", not "was HIV-negative and well".
_NAMED = re.compile(
    r"\s(?!(?:and|or|but|nor|in|on|at|with|without|for|by|as|to|from|since|was|were|is|are|had|has|who)\b)[^\W\d_]"
)
# Words that often are what they look like, and now and then are not.
LOOKALIKES = frozenset({"may", "no"})


def is_name(text: str, start: int, word: str) -> bool:
    """Whether one of the `LOOKALIKES`, or "negative", at `start` is no doubt or denial: "in May", "May 5",
    "Case No. 4", "COX-negative fibres"."""
    if word == "negative":
        return text[start - 1 : start] == "-" and bool(_NAMED.match(text, start + len(word)))
    before, after = text[max(0, start - 2) : start].rstrip(), text[start + len(word) : start + len(word) + 5]
    if word == "may":
        following = after.lstrip()
        if text[start] == "m":
            return following[:4].isdigit() and len(following) >= 4
        inside = text[start : start + 3] == "May" and before[-1:].isalnum() and not following[:1].isupper()
        return following[:1].isdigit() or after[:1] == "-" or inside
    numbered = after.replace(".", "", 1).lstrip()[:1].isdigit()
    return numbered and before[-1:].isalnum() and (text[start] == "N" or after[0] == ".")
