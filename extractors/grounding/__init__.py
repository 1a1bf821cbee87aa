"""Quote to span: where a quote stands in a report, or why it has no place there."""

from __future__ import annotations

from extractors.grounding.grounder import Grounder

__all__ = ["Grounder"]
