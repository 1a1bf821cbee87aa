"""The built-in extractor: lexicons, patterns and context cues; needs no model and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from extractors.rules.engine import RulesExtractor
from extractors.rules.polarities import PolarityReader

if TYPE_CHECKING:
    from extractors.model.document import Document
    from extractors.model.finding import Finding
    from extractors.model.scheme import Scheme

__all__ = ["PolarityReader", "RulesExtractor", "extract"]


def extract(document: Document, scheme: Scheme) -> list[Finding]:
    """Findings of the built-in rules in `document`; for many documents make one RulesExtractor."""
    return RulesExtractor(scheme).extract(document)
