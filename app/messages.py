"""Sentences for people that several places say: a function is the code, its parameters fill the text."""

from __future__ import annotations

import re
from collections.abc import Iterable

# The two last lines of every table of agreement.
AVERAGE, POOLED = "Average", "All together"
NO_TIME = "No time was recorded."
NO_TOKENS = "The tokens were not counted."
_UNDER_LICENCE = re.compile(r"derived from ([^,;.]{1,100}), credentialed")


def no_such(what: str, name: str, known: Iterable[str]) -> str:
    """There is nothing of that name, and what there is."""
    names = ", ".join(known)
    return f"There is no {what} {name!r}; {f'choose one of {names}' if names else 'there is none yet'}."


def nothing_shared(left: str, right: str) -> str:
    """Two sets that have no report in common."""
    return f"No report was annotated by both {left} and {right}."


def nothing_to_compare(left: str, right: str) -> str:
    """Two sets that cannot be compared, because they have no report in common."""
    return f"{nothing_shared(left, right)[:-1]}; there is nothing to compare."


def annotated_by_one(left: str, left_only: int, right: str, right_only: int) -> list[str]:
    """The reports that one of two alone annotated, a sentence for each that has any."""
    parts = []
    for name, other, number in ((left, right, left_only), (right, left, right_only)):
        if number:
            reports, verb = ("1 report was", "is") if number == 1 else (f"{number} reports were", "are")
            parts.append(
                f"{reports} annotated by {name} and not by {other}, and {verb} in none of the scores."
            )
    return parts


def taking_up(new_run: bool) -> str:
    """How the same command takes up what it began, with `--new-run` or without, and repeats what failed."""
    return "without --new-run, and with --resume," if new_run else "with --resume"


def under_licence(licence: str) -> str:
    """A file written from a project that holds data which a licence guards."""
    return f"This is derived from {licence}, credentialed: only for those whom its licence allows."


def licences_in(words: str) -> list[str]:
    """The licences that `under_licence` speaks of in these words."""
    return _UNDER_LICENCE.findall(words)
