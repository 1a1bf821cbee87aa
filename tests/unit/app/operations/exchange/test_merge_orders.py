"""Copies that met before come together alike in any order; `make soak` tries many more histories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.soak.histories import MORE, apart

WORK = ("section", "title", "bring", "delete")


def test_no_order_of_copies_that_met_gives_anything_else(tmp_path: Path) -> None:
    assert apart(tmp_path, 45, 9, 2, WORK) == []


def test_a_statement_that_a_copy_took_back_stands_again_where_another_took_out_what_it_found(
    tmp_path: Path,
) -> None:
    assert apart(tmp_path, 89, 14, 2) == []


@pytest.mark.parametrize(
    ("seed", "steps", "acts"), [(50001, 40, ()), (60067, 40, ()), (77003, 40, MORE), (460007, 16, MORE)]
)
def test_packets_of_projects_that_are_not_known_and_what_is_called_alike_come_in(
    tmp_path: Path, seed: int, steps: int, acts: Sequence[str]
) -> None:
    # Each ended in a fault: two packets each had a row as the other, two in one copy had one name, two
    # statements of one person on a report were taken out of it one after the other, and a set of items that
    # was taken back came without its items.
    assert apart(tmp_path, seed, steps, 1, acts) == []


@pytest.mark.parametrize(
    ("acts", "seed", "steps"),
    [
        ("ask call", 9, 6),
        ("delete bring box", 36, 8),
        ("ask call value", 34, 8),
        ("ask call value", 47, 8),
        ("run plant", 11, 6),
        ("run plant", 46, 6),
        ("ask call", 72, 10),
        ("ask undo", 50, 9),
    ],
)
def test_what_studies_asked_and_figures_come_together_alike_and_undo_takes_them_back(
    tmp_path: Path, acts: str, seed: int, steps: int
) -> None:
    assert apart(tmp_path, seed, steps, 2, acts.split()) == []
