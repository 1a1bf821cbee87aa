"""Which reports of a corpus are drawn."""

from __future__ import annotations

import random
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.operations.corpus import sampling
from app.operations.corpus.sampling import WAYS, Traits, draw, strata_of
from app.operations.corpus.sampling import _traits as traits_of
from extractors.model.errors import CallError, UnknownNameError
from extractors.model.progress import Progress, finished

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
    denied = [dict(rows[0]), {**rows[0], "polarity": "negated"}, {**rows[0]}]
    assert [traits_of(some).clash for some in (denied, denied[::2])] == [1, 0]


def test_where_some_reports_say_how_sure_they_are_those_are_drawn_by_it_and_nothing_half_made_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = SimpleNamespace(by="rules", task="quotes", state="done")
    found: dict[str, Traits | None] = {"a": traits("GI", confidence=0.5), "b": traits("GI")}
    monkeypatch.setattr(sampling, "manifest", lambda _: told)
    monkeypatch.setattr(sampling, "_reading_traits", lambda _: done(found))
    monkeypatch.setattr(sampling, "_take_in", lambda *_: done({"a"}))
    with pytest.raises(UnknownNameError, match="no report b"):
        finished(sampling.sample_corpus(tmp_path, tmp_path / "p.casespan", 2, "confidence"))
    assert not (tmp_path / "p.casespan").exists()
    found["a"] = traits("GI")
    with pytest.raises(CallError, match="confidence"):
        finished(sampling.sample_corpus(tmp_path, tmp_path / "p.casespan", 2, "confidence"))


def done(value: Any) -> Generator[Progress, None, Any]:  # noqa: ANN401
    yield Progress(0, 0)
    return value


def traits(*categories: str, confidence: float | None = None, clash: float = 0.0) -> Traits:
    return Traits(frozenset(categories), confidence, clash)


def test_by_category_a_report_is_in_the_stratum_of_the_rarest_of_its_own() -> None:
    found = {
        "f": traits("RESP"),
        "a": traits("CVS"),
        "b": traits("CVS", "GI"),
        "c": traits("GI", "CVS"),
        "d": traits("CVS", "GI", "Neuro"),
        "e": traits(),
    }
    assert [*strata_of(found, "category", 16).items()] == [
        ("Neuro", ["d"]),
        ("RESP", ["f"]),
        ("GI", ["b", "c"]),
        ("", ["a", "e"]),
    ]
    # As many strata as a draw can give four reports each.
    assert strata_of(found, "category", 11) == {"Neuro": ["d"], "": ["a", "b", "c", "e", "f"]}
    assert strata_of(found, "category", 3) == strata_of(found, "plain", 16) == {"": [*"abcdef"]}


def test_strata_are_thirds_the_doubtful_first_and_more_of_these_are_drawn() -> None:
    sure = {name: traits(confidence=number / 10) for number, name in enumerate("abcdef", 1)} | {"g": traits()}
    assert [*strata_of(sure, "confidence", 7).items()] == [
        ("most doubtful", ["a", "b"]),
        ("doubtful", ["c", "d"]),
        ("least doubtful", ["e", "f"]),
        ("", ["g"]),
    ]
    clashing = {name: traits(clash=share) for name, share in zip("abcd", (0.1, 0.9, 0.0, 0.5), strict=True)}
    assert [*strata_of(clashing, "disagreement", 4).items()] == [
        ("most doubtful", ["b"]),
        ("doubtful", ["d"]),
        ("least doubtful", ["a"]),
        ("", ["c"]),
    ]
    sizes = {"most doubtful": 10, "doubtful": 20, "least doubtful": 30, "": 40}
    strata = {label: [f"{label} {number:02}" for number in range(size)] for label, size in sizes.items()}
    drawn = draw(strata, 50, random.Random(1))
    assert {label: len(names) for label, names in drawn.items()} == dict(
        zip(sizes, (10, 12, 13, 15), strict=True)
    )
    alike = draw({"GI": strata["most doubtful"], "": strata[""]}, 20, random.Random(1))
    assert [*map(len, alike.values())] == [7, 13]
    # Two of each, also where a stratum is so small that it would get one.
    uneven = {"GI": [f"{number:03}" for number in range(100)], "": ["x", "y", "z"]}
    assert [len(names) for names in draw(uneven, 4, random.Random(1)).values()] == [2, 2]
