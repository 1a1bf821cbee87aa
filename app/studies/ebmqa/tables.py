"""The paper's tables from one's own runs: accuracy, examples, words, people and prompts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from app.agreement.statistics.tests_of_shares import Mean, mean_of, one_sample, welch
from app.studies.ebmqa.edges import TYPES
from app.studies.ebmqa.measures import accuracy, without_idk
from app.studies.ebmqa.words import CONTROL, NUMERIC, credit_of
from app.studies.results import Item, Scores
from app.studies.study import Table
from app.studies.tables import by_run
from app.tables import Column
from app.tables import Table as DrawnTable

_ARMS = {"idk": accuracy, "no idk": without_idk}
_MAJORITY = "majority"


def _items(scores: Scores) -> list[Item]:
    found = {(row.item.task, row.item.id): row.item for rows in scores.rows.values() for row in rows}
    return [item for item in found.values() if item.task != CONTROL]


def _type(item: Item) -> str:
    """The type, of an item that does not say it the task."""
    return str(item.labels.get("type") or item.task)


def examples(scores: Scores) -> DrawnTable[Any] | None:
    """A question of each type."""
    first: dict[str, Item] = {}
    for item in _items(scores):
        first.setdefault(_type(item), item)
    columns = [
        Column(name.capitalize(), key=name, kind="words") for name in ("type", "question", "options", "right")
    ]
    rows = [
        (
            kind,
            first[kind].input["question"],
            "; ".join(f"{one['key']}: {one['text']}" for one in first[kind].input["options"]),
            " ".join(first[kind].reference.get("correct", ())),
        )
        for kind in (*TYPES, NUMERIC)
        if kind in first
    ]
    return DrawnTable(tuple(columns), tuple(rows)) if rows else None


def lengths(scores: Scores) -> DrawnTable[Any] | None:
    """Words of questions with their options, by type: median and number."""
    found: dict[str, list[int]] = {}
    for item in _items(scores):
        texts = [item.input["question"], *(one["text"] for one in item.input["options"])]
        found.setdefault(_type(item), []).append(sum(len(text.split()) for text in texts))
    columns = (Column("Type", key="type", kind="words"), Column("Questions", key="questions"),
               Column("Median of words", key="median"))  # fmt: skip
    rows = [
        (kind, len(found[kind]), sorted(found[kind])[len(found[kind]) // 2])
        for kind in (*TYPES, NUMERIC)
        if kind in found
    ]
    return DrawnTable(columns, tuple(rows)) if rows else None


def people_and_prompts(scores: Scores) -> DrawnTable[Any] | None:
    """Means over people, and over the orders of a run: against the majority and each other."""
    groups = groups_of(scores)
    if not groups:
        return None
    ends = ("", "_arm", "_mean", "_sd", "_n")
    columns = [
        Column(f"{side}{end}".capitalize().replace("_", " "), key=f"{side}{end}",
               kind="words" if end in ("", "_arm") else "number",
               decimals=4 if end in ("_mean", "_sd") else 0)
        for side in ("left", "right")
        for end in ends
    ]  # fmt: skip
    columns.append(Column("p", key="p", decimals=4))
    rows = [*_against_majority(scores, groups), *_against_each_other(groups)]
    return DrawnTable(tuple(columns), tuple(rows))


def groups_of(scores: Scores) -> dict[tuple[str, str], Mean]:
    """(people or run, arm) with the mean over persons or orders; runs of one order have none."""
    return dict(_groups(scores))


def majority_of(scores: Scores) -> float:
    """What the most frequent right answer gets on the questions that were asked."""
    items = _items(scores)
    told = [item.reference.get("guess", {}).get("majority") for item in items]
    if None not in told:
        return sum(map(float, told)) / len(items)
    # Items of one's own need not say it.
    keys = {one["key"] for item in items for one in item.input["options"]}
    sums = [sum(credit_of([key], item.reference.get("correct", ())) for item in items) for key in keys]
    return max(sums, default=0.0) / len(items)


def _groups(scores: Scores) -> Iterator[tuple[tuple[str, str], Mean]]:
    persons = [name for name in scores.rows if scores.settings[name].get("kind") == "person"]
    for arm, each in _ARMS.items():
        values = [_mean([each(row) for row in scores.rows[name]]) for name in persons]
        there = mean_of([one for one in values if one is not None])
        if there is not None and persons:
            yield ("people", arm), there
    for name, rows in scores.rows.items():
        orders = sorted({row.again.get("order", 0) for row in rows})
        if len(orders) < 2:
            continue
        for arm, each in _ARMS.items():
            values = [
                _mean([each(row) for row in rows if row.again.get("order", 0) == order]) for order in orders
            ]
            there = mean_of([one for one in values if one is not None])
            if there is not None:
                yield (name, arm), there


def _mean(values: list[float | None]) -> float | None:
    there = [one for one in values if one is not None]
    return sum(there) / len(there) if there else None


def _side(name: str, arm: str, mean: Mean) -> tuple[object, ...]:
    return name, arm, mean.mean, mean.sd, mean.n


def _against_majority(scores: Scores, groups: dict[tuple[str, str], Mean]) -> Iterator[tuple[object, ...]]:
    majority = majority_of(scores)
    for (name, arm), mean in groups.items():
        right = (_MAJORITY, None, majority, None, None)
        yield (*_side(name, arm, mean), *right, one_sample(mean, majority))


def _against_each_other(groups: dict[tuple[str, str], Mean]) -> Iterator[tuple[object, ...]]:
    for (left, one), (right, other) in combinations(groups.items(), 2):
        if left[0] == right[0] or left[1] == right[1]:
            yield (*_side(*left, one), *_side(*right, other), welch(one, other))


TABLES = (
    Table("1", "Accuracy and answer rate",
          by_run(["accuracy", "answer_rate", "accuracy_all", "above_guess"], label="task")),
    Table("S1", "A question of each type", examples),
    Table("S2", "Words of the questions", lengths),
    Table("S3", "People and prompts", people_and_prompts),
)  # fmt: skip
