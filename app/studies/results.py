"""Questions of a study, what was answered to them, and what is measured of that: plain data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

# What the study's own options say, by name with "_" for "-"; every one of the command's is there.
Settings: TypeAlias = Mapping[str, Any]
# What tells the times apart that one item is asked: {"order": 2, "idk": false}; {} where it is asked once.
Again: TypeAlias = Mapping[str, Any]
Profile: TypeAlias = Literal["strict", "paper"]


@dataclass(frozen=True, slots=True)
class Item:
    """One question. `id` is unique within study and task; the other fields are JSON, `labels` say to which
    groups it belongs (a value, or a list of values), `sources` where it comes from. A task may have parts,
    TASK/PART, that ask about the same ids; the task's name stands for all of them."""

    id: str
    task: str
    input: Mapping[str, Any]
    reference: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Any] = ()

    def values(self, label: str) -> tuple[str, ...]:
        """The groups of a label that the item is in; `task` is a label of every item."""
        found = self.task.partition("/")[0] if label == "task" else self.labels.get(label)
        if found is None:
            return ()
        return tuple(map(str, found)) if isinstance(found, (list, tuple)) else (str(found),)


def of_tasks(task: str, tasks: Collection[str]) -> bool:
    """Whether an item's task is one of these, or part of one."""
    return task in tasks or task.partition("/")[0] in tasks


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with all that measures look at: `error` says why there is no `value`; `graded` is what the
    study's `grade` made of it, `ratings` the scores by rater (`judges` are those who are models), `checked`
    those of the item itself. Where they are known, `seconds` are those that a person took, `tokens` those of
    the reply, each with the natural logarithm of its probability."""

    item: Item
    value: Any = None
    error: str = ""
    again: Again = field(default_factory=dict)
    ratings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    checked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    graded: Mapping[str, Any] = field(default_factory=dict)
    profile: Profile = "strict"
    judges: frozenset[str] = frozenset()
    seconds: float | None = None
    tokens: Sequence[tuple[str, float]] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What tells the question that is answered from all others."""
        return self.item.task, self.item.id, tuple(sorted((key, str(one)) for key, one in self.again.items()))


@dataclass(frozen=True, slots=True)
class Measure:
    """A number over the answers of a run. `each` gives what an answer adds, None where it does not count.

    Without more the value is the mean of one number each. `total` makes it of the sums of several numbers
    each (tp, fp, fn); `over` of all answers' numbers (n, k) at once (a median). Either may give None, which
    `reason` explains. With `within` it is the mean of the means of each group that this names. Shares run
    from 0 to 1. With `together` it is what this makes of the answers that count, in tables in each of which
    they stand as often as a row of weights (tables, answers) says. One that is not `listed` stands in the
    study's own tables and in files, not among the first numbers, and runs are not compared by it.
    """

    id: str
    label: str
    each: Callable[[Row], float | Sequence[float] | None]
    total: Callable[[Sequence[float]], float | None] | None = None
    over: Callable[[Any], float | None] | None = None
    tasks: tuple[str, ...] = ()
    decimals: int = 3
    reason: str = "No answer counts towards it."
    listed: bool = True
    within: Callable[[Row], str] | None = None
    together: Callable[[Sequence[Row], Any], list[float | None]] | None = None

    def about(self, row: Row) -> bool:
        """Whether the answer's task is one that is measured."""
        return not self.tasks or of_tasks(row.item.task, self.tasks)


Interval: TypeAlias = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Score:
    """A measure's value with its interval; `reason` says in a sentence why there is none, `n` of how many
    answers it is where those around it are of more tasks than are measured."""

    value: float | None
    interval: Interval = None
    reason: str = ""
    n: int | None = None


@dataclass(frozen=True, slots=True)
class RaterScore:
    """What one rater gave, on average, with the number of answers scored and of those left unscored."""

    score: float | None
    n: int
    unscored: int
    interval: Interval = None


@dataclass(frozen=True, slots=True)
class RunScores:
    """A run over `n` answers that were asked for; `unscored` of them are missing, failed or unreadable."""

    n: int
    unscored: int
    scores: Mapping[str, Score]
    raters: Mapping[str, RaterScore] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs over the `n` answers that both were asked for, in a group or, where `label` is "", in all.

    `differences` are the left's score less the right's, `raters` those of what a rater gave both.
    """

    left: str
    right: str
    label: str
    value: str
    n: int
    differences: Mapping[str, Score]
    statistics: Mapping[str, Any] = field(default_factory=dict)
    raters: Mapping[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scores:
    """Everything `study score` knows: `rows` are every run's answers, `by` label, value and run.

    `items` are all of the study, `built` what its builds said of themselves; `published` where the tables are
    to show the paper's own rows, too.
    """

    measures: Sequence[Measure]
    profile: Profile
    rows: Mapping[str, Sequence[Row]]
    runs: Mapping[str, RunScores]
    by: Mapping[str, Mapping[str, Mapping[str, RunScores]]]
    pairs: Sequence[Pair]
    settings: Mapping[str, Mapping[str, Any]]
    published: bool = False
    items: Sequence[Item] = ()
    built: Sequence[Mapping[str, Any]] = ()
