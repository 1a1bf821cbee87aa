"""The ways in which quotes are asked for: what is shown of a report, and what stands beside the task."""

from __future__ import annotations

from typing import Literal, TypeAlias

Strategy: TypeAlias = Literal["fcsp", "ucp", "ugp"]
Prompting: TypeAlias = Literal["zero-shot", "few-shot", "zero-shot-cot"]
STRATEGIES: tuple[Strategy, ...] = ("fcsp", "ucp", "ugp")
SectionsBy: TypeAlias = Literal["headings", "inferred"]
SECTIONS_BY: tuple[SectionsBy, ...] = ("headings", "inferred")
PROMPTINGS: tuple[Prompting, ...] = ("zero-shot", "few-shot", "zero-shot-cot")
# Terms of a report: at once, its entities alone, the terms of given entities.
Level: TypeAlias = Literal["pte", "gee", "ges"]
LEVELS: tuple[Level, ...] = ("pte", "gee", "ges")
TermPrompting: TypeAlias = Literal["zero-shot", "few-shot", "zero-shot-cot", "retrieval"]
TERM_PROMPTINGS: tuple[TermPrompting, ...] = ("zero-shot", "few-shot", "zero-shot-cot", "retrieval")
