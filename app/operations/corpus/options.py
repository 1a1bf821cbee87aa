"""What an extraction from a corpus is asked to do, and what it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.operations.corpus.reading import Task
from app.operations.corpus.workers import Place

TERMINOLOGY = "HPO"


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """What is made of the reports, and which are kept; those last as `ImportOptions` has them.

    `codes` are of `terminology`. A part has `part_size` files, lines or rows; `limit` of them are read in
    all, every one for None. A report may take `timeout` seconds.
    """

    task: Task = "quotes"
    terminology: str = TERMINOLOGY
    only_case_reports: bool = False
    exclude_titles: bool = False
    terms: Path | None = None
    part_size: int = 100
    limit: int | None = None
    timeout: float = 60.0
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What is in the corpus, and what of it was made now: `made` parts with `new` reports, in `seconds`.

    `left_out` and `failed` count by reason (schema.py), over all parts.
    """

    reports: int
    quotes: int
    made: int
    reused: int
    new: int
    left_out: Mapping[str, int]
    failed: Mapping[str, int]
    seconds: float

    @property
    def rate(self) -> float:
        """New reports a second."""
        return self.new / self.seconds if self.seconds else 0.0

    @property
    def whole(self) -> bool:
        """Whether nothing failed, and all could be read."""
        return not self.failed and not self.left_out.get("unreadable")
