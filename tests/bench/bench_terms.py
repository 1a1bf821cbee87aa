"""A term looked up key by key, against rapidfuzz's search over all names of the terminology."""

from __future__ import annotations

from rapidfuzz.process import extract

from extractors.terminology.library import shipped_hpo
from extractors.terminology.search import Search
from tests.bench.measure import Measure, interleaved_ratio

_TYPED = ("hypertelorism", "nasl bridge")


def measures() -> list[Measure]:
    """Each beginning of two names, one of them misspelt, as it is typed."""
    terminology = shipped_hpo()
    search = Search(terminology)
    keys = [typed[:end] for typed in _TYPED for end in range(1, len(typed) + 1)]
    search.find("ataxia")
    ratio = interleaved_ratio(
        lambda: [search.find(key) for key in keys],
        lambda: [extract(key, terminology.names, limit=10) for key in keys],
        repeats=2,
    )
    return [
        Measure("terminology: search per key press", ratio, 0.2, "rapidfuzz.process.extract over all names")
    ]
