"""A run's answers beside the truth, and the numbers that each adds to what is measured, sample by sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from app.studies.icd11.views import REPEATS, TOP, View
from app.studies.results import Row, Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
HITS = (1, 3, 5, 10)
# What of each answer is added up; "answers" is 1 of every one.
COLUMNS = (
    *(f"hit@{first}" for first in HITS), "right", "wrong", "missed", "f1", "given", "valid", "all valid",
    "guessed", "splits", "labels", "answers",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer beside the truth: the ranking as given, and P, its first names where all are ranked.

    `own` are the names of P that count, `wrong` how many of the others do; `listed` is how many names were to
    choose from. `splits` of `labels` were cut otherwise than the model's vocabulary would.
    """

    truths: tuple[str, ...]
    ranking: tuple[str, ...]
    given: tuple[str, ...]
    own: frozenset[str]
    wrong: int
    listed: int
    samples: tuple[int, ...]
    splits: int = 0
    labels: int = 0


def judged(row: Row, view: View, settings: Settings) -> Judged | None:
    """An answer in a view; None where there is no reply, or nothing true in the view."""
    truths = tuple(view.truths(row.item))
    value = row.value
    if not isinstance(value, dict) or not truths:
        return None
    scored = value.get("scores") or ()
    ranking = tuple(dict.fromkeys(value.get("predicted", ())))
    given = ranking[: settings.get("top") or TOP] if scored else ranking
    own = view.known.intersection(given).difference(value.get("outside", ()))
    wrong = len(given) - len(own) if row.profile == "strict" else 0
    counted_tokens = [one for one in scored if one.get("own_tokens") is not None]
    splits = sum(
        (one["tokens"] != one["own_tokens"]) + (one["prior_tokens"] != one["own_tokens"])
        for one in counted_tokens
    )
    listed = value.get("listed") or len(view.names)
    drawn = tuple(value.get("samples") or range(1, (settings.get("repeats") or REPEATS) + 1))
    return Judged(truths, ranking, given, own, wrong, listed, drawn, splits, 2 * len(counted_tokens))


def lifted(one: Judged, above: Mapping[str, Mapping[str, Any]], level: str) -> Judged:
    """Both sides a level further up, the ranking as far as it is given; what is on no list stays."""

    def up(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(above[name][level]) if name in above else name for name in names))

    given = up(one.given)
    return replace(one, truths=up(one.truths), ranking=given, given=given, own=frozenset(up(sorted(one.own))))


class Sheet:
    """The answers of a run, None those that are not scored, with what they add to each sample."""

    def __init__(self, found: Sequence[Judged | None], names: Sequence[str], repeats: int) -> None:
        self.found, self.names, self.repeats = found, tuple(names), repeats
        self._added: dict[int, tuple[Array, Sequence[int] | None, Array]] = {}

    def sums(self, columns: Sequence[str], weights: Array, places: Sequence[int] | None = None) -> Array:
        """(tables, samples, columns): what the answers at `places` (all for None) add up to where they stand
        as often as `weights` (tables, answers) says."""
        import numpy as np

        added = self._added.get(len(weights))
        if added is None or added[0] is not weights or added[1] != places:
            own = self._table if places is None else self._table[np.asarray(places, np.int64)]
            added = weights, places, (weights @ own).reshape(len(weights), self.repeats, len(COLUMNS))
            # One measure after the other is worked out of the same tables.
            self._added[len(weights)] = added
        found: Array = added[2][:, :, [COLUMNS.index(one) for one in columns]]
        return found

    def by_class(self, weights: Array, places: Sequence[int] | None = None) -> tuple[Array, Array]:
        """(tables, samples, 3, classes): how often each class is right, wrong and missed; and the answers in
        each sample (tables, samples)."""
        import numpy as np

        table = self._classes if places is None else self._classes[np.asarray(places, np.int64)]
        added = np.asarray((table.T @ weights.T).T)
        shape = (len(weights), self.repeats, 3, len(self.names))
        return added.reshape(shape), self.sums(("answers",), weights, places)[:, :, 0]

    def every(self, places: Sequence[int] | None = None) -> Array:
        """The one table in which each answer stands once."""
        import numpy as np

        return np.ones((1, len(self.found) if places is None else len(places)))

    @cached_property
    def _table(self) -> Array:
        """(answers, samples times COLUMNS)."""
        table: Array = self._in_sample[:, :, None] * self._numbers[:, None, :]
        return table.reshape(len(self.found), self.repeats * len(COLUMNS))

    @cached_property
    def _in_sample(self) -> Array:
        import numpy as np

        there = np.zeros((len(self.found), self.repeats))
        for place, one in enumerate(self.found):
            if one is not None:
                there[place, [number - 1 for number in one.samples if number <= self.repeats]] = 1
        return there

    @cached_property
    def _numbers(self) -> Array:
        import numpy as np

        nothing = (0.0,) * len(COLUMNS)
        return np.array([nothing if one is None else _added(one) for one in self.found], np.float64).reshape(
            -1, len(COLUMNS)
        )

    @cached_property
    def _classes(self) -> Any:  # noqa: ANN401 (a sparse matrix)
        import numpy as np
        from scipy.sparse import csr_array

        place = {name: number for number, name in enumerate(self.names)}
        width, cells = 3 * len(place), list[tuple[int, int]]()
        for row, one in enumerate(self.found):
            if one is None:
                continue
            truths = frozenset(one.truths)
            own = [place[name] + (0 if name in truths else len(place)) for name in one.own]
            own += [place[name] + 2 * len(place) for name in truths - one.own]
            cells += [
                (row, (number - 1) * width + at)
                for number in one.samples
                if number <= self.repeats
                for at in own
            ]
        rows, columns = np.array(cells, np.int64).reshape(-1, 2).T
        shape = (len(self.found), self.repeats * width)
        return csr_array((np.ones(len(cells)), (rows, columns)), shape=shape)


def _added(one: Judged) -> tuple[float, ...]:
    """COLUMNS of an answer."""
    truths = frozenset(one.truths)
    first = next((place for place, name in enumerate(one.ranking) if name in truths), HITS[-1])
    right = len(one.own & truths)
    wrong, picked, true = len(one.own) - right + one.wrong, len(one.own) + one.wrong, len(truths)
    # The F1 to be expected of as many names drawn from the list.
    guessed = 2 * picked * (true / one.listed) / (picked + true) if picked and one.listed else 0.0
    valid, f1 = len(one.own), 2 * right / (true + picked)
    return (
        *(float(first < most) for most in HITS), right, wrong, true - right, f1, len(one.given), valid,
        float(bool(one.given) and valid == len(one.given)), guessed, one.splits, one.labels, 1.0,
    )  # fmt: skip
