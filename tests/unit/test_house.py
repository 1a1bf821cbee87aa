"""The walls of the house: no circle of imports anywhere, and modules that can be read at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 400
# To parse all modules takes ten times as long.
_IMPORT = re.compile(r"^ *(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))$", re.MULTILINE)


def modules() -> dict[str, Path]:
    files = (file for room in ("app", "extractors") for file in (ROOT / room).rglob("*.py"))
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file for file in files}


def imported(file: Path) -> Iterator[str]:
    """Every name that a module imports, also inside functions and for types alone; the code is formatted."""
    for room, names, whole in _IMPORT.findall(file.read_text(encoding="utf-8")):
        yield from re.findall(r"[\w.]+", whole)
        if room:
            yield room
            yield from (f"{room}.{name}" for name in re.findall(r"\w+", names))


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = modules()
    graph = {name: {one for one in imported(file) if one in known} - {name} for name, file in known.items()}
    assert len(graph) > 100
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_modules_are_short_enough_to_be_read_at_once() -> None:
    lengths = {name: len(file.read_bytes().splitlines()) for name, file in modules().items()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_no_pattern_repeats_a_group_possessively() -> None:
    # Before Python 3.11.5, as in Debian 12, the group around it is lost: words with accents were lost.
    possessive = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")
    found = {name for name, file in modules().items() if possessive.search(file.read_text(encoding="utf-8"))}
    assert found == set()


def test_of_two_keys_that_do_alike_or_the_opposite_none_is_forgotten() -> None:
    # Enter is that of the number pad.
    pairs = [
        one.split() for one in ("Return Enter", "Tab Backtab", "Left Right", "Home End", "PageUp PageDown")
    ]
    for file in (ROOT / "app" / "gui").rglob("*.py"):
        keys = Counter(re.findall(r"\bKey_(\w+)", file.read_text(encoding="utf-8")))
        assert [keys[one] for one, _ in pairs] == [keys[other] for _, other in pairs], file
