"""A difference is named by what is said, the same on every machine."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.unit.app.reconcile.marks import compared, mark, only

_NAMES = """
from dataclasses import replace
from extractors.model.coding import Coding
from tests.unit.app.reconcile.marks import mark, only
left = [mark("liver was"), mark("enlarged"), mark("liver", "GI", "negated")]
print(only(left, [mark("The liver was enlarged")]).id)
codes = (tuple(Coding("HPO", "", f"HP:{number}{side}", "", "", "") for number in range(5)) for side in "12")
print(only(*([replace(mark("fever"), concepts=one)] for one in codes)).id)
"""


def test_a_name_does_not_depend_on_the_order_in_which_python_happens_to_keep_sets() -> None:
    names = {
        subprocess.run(
            [sys.executable, "-c", _NAMES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(names) == 1
    assert [len(name) for name in names.pop().split()] == [12, 12]


def test_quotes_without_a_place_are_told_apart_by_words_or_signs() -> None:
    found = compared([mark("jaundice seen"), mark("icterus seen"), mark("+++"), mark("---")], []).differences
    assert len({one.id for one in found}) == 4


def test_another_report_side_polarity_or_edge_is_another_difference() -> None:
    variants = [
        only([mark("fever")], []),
        only([mark("fever")], [], "R2"),
        only([], [mark("fever")]),
        only([mark("fever", polarity="negated")], []),
        only([mark("fever.")], []),
        only([mark("fever", "DERM")], []),
    ]
    assert len({one.id for one in variants}) == len(variants)


def test_a_field_or_a_quote_said_twice_makes_no_other_difference() -> None:
    one = only([mark("fever")], [])
    assert one.id == only([mark("fever", field="temperature")], []).id
    assert one.id == only([mark("fever"), mark("fever")], []).id
