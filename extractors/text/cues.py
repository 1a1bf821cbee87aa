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


def is_month(text: str, start: int) -> bool:
    """Whether the "may" at `start` is the month of "in May" or "may 5", not doubt."""
    before, after = text[max(0, start - 2) : start].rstrip(), text[start + 3 : start + 5].lstrip()
    return after[:1].isdigit() or (text[start] == "M" and before[-1:].isalnum())
