"""Differences by name: the same difference has the same id on every machine, another one has another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from app.reconcile.alignment import align
from app.reconcile.types import Difference, Group, SideQuote

_LETTERS = 12
_SAID, _CONTENT = (json.JSONEncoder(ensure_ascii=False, separators=one) for one in (None, (",", ":")))


def differences(
    report: str, document: str, sides: tuple[str, str], left: Sequence[SideQuote], right: Sequence[SideQuote]
) -> tuple[list[Group], list[Difference]]:
    """What two sides (UUIDs of the annotators) agree on in a report, and where they differ, in text order.

    `report` is the key, `document` the UUID. The quotes are those of categories that both sides looked at.
    """
    agreed: list[Group] = []
    found: list[Difference] = []
    # Who coded nothing by a terminology in a report is silent on it, and does not deny every code.
    both = frozenset(_terminologies(left) & _terminologies(right))
    for group in align(left, right):
        if both and group.relation == "same" and _coded(group.left, both) != _coded(group.right, both):
            group = replace(group, relation="concept")
        if group.relation == "same":
            agreed.append(group)
        else:
            found.append(Difference(_name(document, sides, group), report, document, group))
    return agreed, found


def _name(document: str, sides: tuple[str, str], group: Group) -> str:
    """Twelve hexadecimal digits of what is said, whichever side is called left."""
    coded = group.relation == "concept"
    listed = sorted(
        [
            side,
            _identity(quotes),
            *(sorted(code for quote in quotes for code in quote.codes) if coded else ()),
        ]
        for side, quotes in zip(sides, (group.left, group.right), strict=True)
    )
    sides_in_words = (f"[{','.join(map(_CONTENT.encode, one))}]" for one in listed)
    content = f"[{_CONTENT.encode(document)},[{','.join(sides_in_words)}]]"
    return hashlib.sha256(content.encode()).hexdigest()[:_LETTERS]


def _identity(quotes: Sequence[SideQuote]) -> str:
    """Category, place or words, and polarity of each quote; of equal ones once."""
    # By far the most differences have one side alone: thousands of them are named.
    if not quotes:
        return "[]"
    names = {(quote.finding.category, quote.subject, quote.finding.polarity) for quote in quotes}
    return _SAID.encode(sorted(names, key=repr) if len(names) > 1 else [*names])


def _terminologies(quotes: Sequence[SideQuote]) -> set[str]:
    return {coding.terminology for quote in quotes for coding in quote.concepts}


def _coded(quotes: Sequence[SideQuote], terminologies: frozenset[str]) -> set[tuple[str, str]]:
    """What quotes of one place stand for in these terminologies."""
    return {code for quote in quotes for code in quote.codes if code[0] in terminologies}
