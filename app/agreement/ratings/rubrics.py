"""Rubrics as data: what raters and judges are asked of an answer, one file in resources/rubrics each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from extractors.assets import asset
from extractors.model.errors import AssetError


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question of a rubric. `means` says what values of the scale mean, where anything is said of them,
    `best` which end is the better one where the name does not. Where it is not fully met, `caps` is the most
    that the whole rubric may come to, None for no such limit."""

    id: str
    name: str
    question: str
    means: Mapping[Any, str]
    weight: float = 1
    best: str = ""
    caps: float | None = None

    @property
    def label(self) -> str:
        """The name, and which end is the better one where that is not plain."""
        return f"{self.name} ({self.best})" if self.best else self.name

    @property
    def scale(self) -> str:
        """What the values mean, on one line."""
        return "; ".join(f"{value} = {words}" for value, words in self.means.items())


@dataclass(frozen=True, slots=True)
class RubricFile:
    """A rubric: the values of its `scale` in order, the worst first, and its criteria, the same for all."""

    id: str
    title: str
    scale: tuple[Any, ...]
    criteria: tuple[Criterion, ...]

    def score(self, given: Mapping[str, Any]) -> float | None:
        """What values by criterion come to, from 0 to 1: their weighted share of the best; None where one is
        missing or null."""
        best = self.scale[-1]
        parts = [(one, value) for one in self.criteria if (value := given.get(one.id)) is not None]
        if len(parts) < len(self.criteria):
            return None
        whole = sum(one.weight for one in self.criteria) * float(best)
        share = sum(one.weight * float(value) for one, value in parts) / whole
        caps = [one.caps for one, value in parts if one.caps is not None and value != best]
        return min([share, *caps])


@lru_cache(maxsize=16)
def rubric_file(name: str) -> RubricFile:
    """The rubric of that name; raises AssetError where its file cannot be read."""
    path = asset("resources", "rubrics", f"{name}.toml")
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        scale = tuple(values["scale"])
        known = {str(value): value for value in scale}
        criteria = tuple(
            Criterion(**{**one, "means": {known[key]: words for key, words in one.get("means", {}).items()}})
            for one in values["criterion"]
        )
        found = RubricFile(values.get("id", name), values["title"], scale, criteria)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise AssetError(f"{path} cannot be read ({error}); please install Casespan again.") from None
    if len({one.id for one in criteria}) < len(criteria) or len(scale) < 2:
        raise AssetError(f"{path} has two criteria of the same id, or no scale; give each its own.")
    return found
