"""The paper's tables and figures from one's own runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from app.agreement.statistics.tests_of_shares import Mean, mean_of, one_sample, welch
from app.studies.charts import Bar, Panel, Picture, Step
from app.studies.ebmqa.asking import ANSWERED, IDK_SAID, counts
from app.studies.ebmqa.edges import RATIOS, TYPES
from app.studies.ebmqa.items import LISTS
from app.studies.ebmqa.measures import accuracy, without_idk
from app.studies.ebmqa.words import CONTROL, NUMERIC, called, credit_of, words_in
from app.studies.pages import by_run
from app.studies.results import Item, RunScores, Scores
from app.studies.study import Figure, Table
from app.tables import Column
from app.tables import Table as DrawnTable
from app.text import counted
from extractors.grouping import grouped

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
    found = grouped((_type(item), words_in(item)) for item in _items(scores))
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
    shares = [item.reference.get("guess", {}).get("majority") for item in items]
    if None not in shares:
        return sum(map(float, shares)) / len(items)
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


# As the paper's panels A to F, and the categories of case reports besides.
PANELS = ("subject", "discipline", "prevalence", "type", "length", "range", "category")
_READ = "Bars: accuracy, with its interval; red line: the best blind guesser; circle: answer rate."
_SHOWN = 8


def guess_of(own: RunScores) -> float | None:
    """What the best blind guesser gets on what a run answered."""
    above, accuracy = own.scores["above_guess"].value, accuracy_of(own)
    return None if above is None or accuracy is None else accuracy - above


def accuracy_of(own: RunScores) -> float | None:
    """Accuracy where IDK was offered, else without it."""
    found = own.scores["accuracy"].value
    return own.scores["accuracy_without_idk"].value if found is None else found


def bars_of(group: str, runs: Sequence[tuple[str, RunScores]]) -> Iterator[Bar]:
    """A run's accuracy beside the others'."""
    for name, own in runs:
        score = own.scores["accuracy"]
        score = own.scores["accuracy_without_idk"] if score.value is None else score
        rate = own.scores["answer_rate"].value
        yield Bar(group, name, score.value, score.interval, guess_of(own), rate)


def _flow(scores: Scores) -> Picture:
    items = scores.items
    by_task = Counter(item.task for item in items)
    sources = [source for one in scores.built for source in one.get("sources", ())]
    left: Counter[str] = Counter()
    for one in scores.built:
        left.update(one.get("left_out", {}))
    steps = [
        Step(["Evidence"], [f"{one.get('file', '')} {one.get('version', '')}: {one.get('rows', 0):,} rows"
                            for one in sources[:_SHOWN]]),
        Step([f"{sum(left.values()):,} left out"], [f"{n:,}  {one}" for one, n in left.most_common(_SHOWN)]),
        Step([counted(len(items), "question")], [f"{n:,} {task}" for task, n in sorted(by_task.items())]),
    ]  # fmt: skip
    for place, (name, rows) in enumerate(scores.rows.items()):
        found = counts(rows)
        right = sum(row.graded["exact"] for row in rows if row.graded["main"])
        parts = [f"{found[ANSWERED]:,} answered, {right:,} of them all right",
                f"{found[IDK_SAID]:,} “I do not know”",
                f"{found['unscored']:,} invalid or missing"]  # fmt: skip
        steps.append(Step([name, f"{counted(found['n'], 'question')} put"], parts, branches=place > 0))
    return Picture("From the evidence to the answers.", steps=steps)


def _people(scores: Scores) -> Picture | None:
    groups = groups_of(scores)
    if not groups:
        return None
    majority = majority_of(scores)
    bars = [
        Bar(name, "with IDK" if arm == "idk" else "without IDK", mean.mean,
            None if mean.sd is None else (mean.mean - mean.sd, mean.mean + mean.sd), majority)
        for (name, arm), mean in groups.items()
    ]  # fmt: skip
    about = "Mean accuracy over people, or over the orders of a run, with one SD; red line: the majority."
    return Picture(about, [Panel("Accuracy", bars)])


def _by_label(scores: Scores) -> Picture | None:
    panels = [Panel("All questions", list(bars_of("all", list(scores.runs.items()))))]
    for letter, label in zip("ABCDEFG", PANELS, strict=True):
        values = scores.by.get(label, {})
        named = [(called(label, value), list(runs.items())) for value, runs in values.items()]
        bars = [bar for group, runs in named for bar in bars_of(group, runs)]
        panels += [Panel(f"{letter}  By {label}", bars)] if bars else []
    return Picture(_READ, panels)


def _selection(scores: Scores) -> Picture | None:
    numeric = [item for item in scores.items if item.task == NUMERIC]
    panels = []
    for letter, (label, values, number) in zip("ABCDEF", LISTS, strict=True):
        there = Counter(value for item in numeric for value in item.values(label))
        bars = [Bar(value, "questions", float(there[value]), line=float(number)) for value in values]
        panels.append(Panel(f"{letter}  {label.capitalize()}", bars, shares=False))
    about = "Questions in numbers by the published benchmark's six lists; red line: how many it drew of each."
    return Picture(about, panels) if numeric else None


def _numbers(scores: Scores) -> Picture | None:
    panels = []
    for letter, label in zip("ABCDEFG", PANELS, strict=True):
        there = Counter(value for item in scores.items for value in item.values(label))
        bars = [Bar(called(label, one), "questions", float(n)) for one, n in sorted(there.items())]
        panels += [Panel(f"{letter}  {label.capitalize()}", bars, shares=False)] if bars else []
    return Picture("How many questions there are by label.", panels) if panels else None


def _values(scores: Scores) -> Picture | None:
    found: dict[str, Counter[str]] = {}
    for item in scores.items:
        kind = str(item.labels.get("type"))
        for one in item.reference.get("evidence", ()) if item.task != CONTROL else ():
            mid = one.get("mid")
            if mid is not None:
                found.setdefault(kind, Counter())[_bin(kind, float(mid))] += 1
    panels = [
        Panel(kind, [Bar(name, "values", float(number)) for name, number in sorted(of.items())], shares=False)
        for kind, of in sorted(found.items())
    ]
    about = "How the values behind the questions are spread (the middle between least and most), by type."
    return Picture(about, panels) if panels else None


def _bin(kind: str, mid: float) -> str:
    """The bin of a value, so named that names in order are bins in order."""
    if kind in RATIOS:
        ends = (0.25, 0.5, 1.0, 2.0, 4.0)
        at = sum(mid >= end for end in ends)
        names = ("under 0.25", "0.25 to 0.5", "0.5 to 1", "1 to 2", "2 to 4", "4 and more")
        return f"{'abcdef'[at]}  {names[at]}"
    if kind in ("prevalence", "incidence"):
        at = sum(mid >= 10.0**-power for power in (6, 5, 4, 3))
        often = ("under 1 in 1,000,000", "to 1 in 100,000", "to 1 in 10,000", "to 1 in 1,000", "more often")
        return f"{'abcde'[at]}  {often[at]}"
    at = min(int(mid * 10), 9)
    return f"{at * 10:02d} to {at * 10 + 10} %"


FIGURES = (
    Figure("1", "From evidence to answers", _flow),
    Figure("2", "People and prompts", _people),
    Figure("3", "Accuracy and answer rate by label", _by_label),
    Figure("S1", "Selection by the published lists", _selection),
    Figure("S2", "Questions by label", _numbers),
    Figure("S3", "Values behind the questions", _values),
)
