"""Groups by what their members have in common."""

from __future__ import annotations

from extractors.grouping import grouped


def test_keys_and_values_stay_in_the_order_in_which_they_came() -> None:
    found = grouped((word[0], word) for word in ("b2", "a1", "b1", "b1"))
    assert list(found.items()) == [("b", ["b2", "b1", "b1"]), ("a", ["a1"])]
