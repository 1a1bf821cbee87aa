"""What measures look at in each answer, and the counts that a run's answers come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from app.agreement.statistics.proportions import Share
from app.studies.ebmqa.asking import USUAL, shown_keys
from app.studies.ebmqa.words import CONTROL, credit_of
from app.studies.results import Item, Row, Settings
from extractors.tasks.choice import sureness

ANSWERED, IDK_SAID, INVALID, MISSING = "answered", "idk", "invalid", "missing"
PASSED = "passed over"


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """Of each answer: its state, credit, whether it is exact; where the right one stood; how sure it was.

    `offered` says whether IDK was, `second` that it is a person's guess after an IDK, `kept` that it counts
    as an answer without IDK besides.
    """
    person = settings.get("kind") == "person"
    found = [_graded(row, settings, second=person and not row.again.get("idk", True)) for row in rows]
    unknown = {
        _name(row.item)
        for row, one in zip(rows, found, strict=True)
        if person and one["state"] == IDK_SAID and not one["second"] and row.item.task != CONTROL
    }
    guessed = any(one["second"] for one in found) or not unknown
    offered = any(one["offered"] for one in found)
    for row, one in zip(rows, found, strict=True):
        if one["second"] and _name(row.item) not in unknown:
            # The first answer was changed after the guess, which is one no more.
            one["state"] = PASSED
        one["kept"] = person and guessed and one["offered"] and one["state"] == ANSWERED
        one["main"] = not one["second"] and (one["offered"] or not offered) and row.item.task != CONTROL
    _add_confidence(rows, found)
    _add_sameness(rows, found)
    return found


def state_of(row: Row) -> str:
    """Answered, idk, invalid or missing."""
    if row.value is None:
        return INVALID if row.error == INVALID else MISSING
    return IDK_SAID if row.value == [row.item.input["idk"]] else ANSWERED


def _graded(row: Row, settings: Settings, *, second: bool) -> dict[str, Any]:
    item, state = row.item, state_of(row)
    right = item.reference.get("correct", [])
    answered = state == ANSWERED
    shown = shown_keys(item, row.again, str(settings.get("prompt", "ours")))
    return {
        "state": state,
        "credit": credit_of(row.value, right) if answered else 0.0,
        "exact": answered and set(row.value) == set(right),
        "offered": bool(row.again.get("idk", True)),
        "second": second,
        "shown": shown,
        "position": shown.index(right[0]) if len(right) == 1 and right[0] in shown else None,
        "confidence": sureness(row.tokens) if answered and row.tokens else None,
        "same": None,
    }


def _name(item: Item) -> tuple[str, str]:
    return item.task, item.id


def _add_confidence(rows: Sequence[Row], found: Sequence[dict[str, Any]]) -> None:
    """Without probabilities the share of repeated seeded answers that say the same; none for one seed."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, row in enumerate(rows):
        full = {**USUAL, **row.again}
        groups.setdefault((*_name(row.item), full["order"], full["idk"]), []).append(at)
    for places in groups.values():
        values = Counter(tuple(rows[at].value) for at in places if rows[at].value is not None)
        for at in places if values.total() > 1 else ():
            if found[at]["state"] == ANSWERED and found[at]["confidence"] is None:
                found[at]["confidence"] = values[tuple(rows[at].value)] / values.total()


def _add_sameness(rows: Sequence[Row], found: Sequence[dict[str, Any]]) -> None:
    """On the first of a question's answers in several orders or seeds: whether all say the same."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, row in enumerate(rows):
        if row.value is not None and not found[at]["second"] and row.item.task != CONTROL:
            groups.setdefault((*_name(row.item), found[at]["offered"]), []).append(at)
    for places in groups.values():
        if len(places) > 1:
            found[places[0]]["same"] = len({tuple(rows[at].value) for at in places}) == 1


def counts(rows: Sequence[Row]) -> dict[str, Any]:
    """How many there are of each state, questions on invented entities apart."""
    own = [row for row in rows if row.item.task != CONTROL and not row.graded["second"]]
    states = Counter(row.graded["state"] for row in own)
    given = [row for row in own if row.graded["offered"] and row.graded["state"] == ANSWERED]
    share = Share(sum(row.graded["credit"] for row in given), len(given))
    return {
        "n": len(own),
        "items": len({_name(row.item) for row in own}),
        "unscored": states[INVALID] + states[MISSING],
        **{state: states[state] for state in (ANSWERED, IDK_SAID, INVALID, MISSING)},
        "accuracy_ci": list(share.interval) if share.interval else None,
    }
