"""Reads the rules' data files: lists of phrases kept as comma-separated text inside TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from extractors.assets import asset


def load(name: str) -> dict[str, Any]:
    """The parsed file `resources/rules/NAME.toml`; raises AssetError where it is missing."""
    return tomllib.loads(asset("resources", "rules", f"{name}.toml").read_text(encoding="utf-8"))


def listed(table: Mapping[str, Any], key: str) -> list[str]:
    """The phrases under `key`, in file order, [] where there are none."""
    text: str = table.get(key, "")
    return [phrase for part in text.split(",") if (phrase := " ".join(part.split()))]
