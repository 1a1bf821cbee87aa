"""sqlite-utils as the store uses it, loaded without the number libraries it would pull in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

# sqlite-utils imports pandas and numpy where they are installed, only to know their column types. A project
# never stores those, and the two cost half a second at every start of the program.
_UNWANTED = ("numpy", "pandas")


@contextmanager
def _without_number_libraries() -> Iterator[None]:
    """Make the unwanted libraries look absent for the time of one import, unless they are loaded already."""
    hidden = [name for name in _UNWANTED if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # the import system's own mark for "not there"
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


with _without_number_libraries():
    from sqlite_utils import Database, Migrations

Step: TypeAlias = Callable[[Database], None]

__all__ = ["Database", "Migrations", "Step"]
