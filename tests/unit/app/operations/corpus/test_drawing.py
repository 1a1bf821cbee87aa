"""Which reports of a corpus are drawn."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from app.operations.corpus.drawing import WAYS, Traits, draw, strata_of

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
