"""Which reports of a corpus are drawn."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.operations.corpus.drawing import WAYS, Traits, draw, strata_of
from app.operations.corpus.sampling import _traits as traits_of

_TRAITS = st.builds(
    Traits,
    st.frozensets(st.sampled_from(["CVS", "GI", "Neuro", "RESP"])),
    st.none() | st.floats(0, 1),
    st.floats(0, 1),
)


@given(
    st.lists(_TRAITS, min_size=2, max_size=60), st.sampled_from(WAYS), st.integers(2, 80), st.integers(0, 9)
)
def test_as_many_are_drawn_as_are_asked_for(traits: list[Traits], way: str, count: int, seed: int) -> None:
    known = {f"r{number:02}": one for number, one in enumerate(traits)}
    strata = strata_of(known, way, count)
    drawn = draw(strata, count, random.Random(seed))
    assert draw(strata, count, random.Random(seed)) == drawn
    least = sum(min(2, len(names)) for names in strata.values())
    assert sum(map(len, drawn.values())) == max(least, min(count, len(known)))
    for label, names in drawn.items():
        assert min(2, len(strata[label])) <= len(names) == len(set(names).intersection(strata[label]))


@pytest.mark.parametrize(("start", "clash"), [(5, 0), (4, 1), (None, 0.5)])
def test_quotes_disagree_where_they_overlap_or_have_no_place_and_not_where_they_touch(
    start: int | None, clash: float
) -> None:
    places = ((0, 5), (start, None if start is None else start + 5))
    rows = [
        {"category": category, "polarity": "present", "confidence": None, "start": first, "end": end}
        for category, (first, end) in zip(("GI", "GU"), places, strict=True)
    ]
    assert traits_of(rows).clash == clash
