"""The built-in extractor: lexicons, patterns and context cues; needs no model and no network."""

from __future__ import annotations

from extractors.rules.engine import RulesExtractor
from extractors.rules.polarities import PolarityReader

__all__ = ["PolarityReader", "RulesExtractor"]
