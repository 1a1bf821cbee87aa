"""The paper's figures from one's own runs: flow, people and prompts, accuracy by label, the set itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from app.studies.charts import Bar, Panel, Picture, Step
from app.studies.ebmqa.edges import RATIOS
from app.studies.ebmqa.grading import ANSWERED, IDK_SAID, counts
from app.studies.ebmqa.items import LISTS
from app.studies.ebmqa.tables import groups_of, majority_of
from app.studies.ebmqa.words import CONTROL, NUMERIC, called
from app.studies.results import RunScores, Scores
from app.studies.study import Figure
from app.text import counted

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


def _made(number: str, title: str, make: Callable[[Scores], Picture | None]) -> Figure:
    return Figure(number, title, make)


FIGURES = (
    _made("1", "From evidence to answers", _flow),
    _made("2", "People and prompts", _people),
    _made("3", "Accuracy and answer rate by label", _by_label),
    _made("S1", "Selection by the published lists", _selection),
    _made("S2", "Questions by label", _numbers),
    _made("S3", "Values behind the questions", _values),
)
