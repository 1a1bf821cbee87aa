"""Hits, F1, validity over samples: the mean over samples of what each comes to, with its SD."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from app.studies.icd11.views import REPEATS, TOP, View, view_of
from app.studies.results import Measure, Profile, Row, Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

HITS = (1, 3, 5, 10)
LEVELS = ("category", "block", "chapter")
_NO_NAME = "No name was given."
_NO_LABEL = "No label's probabilities were read beside the model's own vocabulary."


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
    repeats: int
    names: tuple[str, ...]
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
    outside = set(value.get("outside", ()))
    own = frozenset(name for name in given if name in view.known and name not in outside)
    wrong = len(given) - len(own) if row.profile == "strict" else 0
    told = [one for one in scored if one.get("own_tokens") is not None]
    splits = sum(
        (one["tokens"] != one["own_tokens"]) + (one["prior_tokens"] != one["own_tokens"]) for one in told
    )
    repeats = settings.get("repeats") or REPEATS
    return Judged(
        truths,
        ranking,
        given,
        own,
        wrong,
        value.get("listed") or len(view.names),
        tuple(value.get("samples") or range(1, repeats + 1)),
        repeats,
        view.names,
        splits,
        2 * len(told),
    )


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """What measures look at: each answer beside the truth, and what stands above each class."""
    if not rows:
        return ()
    view = view_of(settings)
    above = {one["name"]: one for one in view.classes}
    return [{"_judged": judged(row, view, settings), "_above": above} for row in rows]


def _lifted(one: Judged, above: Mapping[str, Mapping[str, Any]], level: str) -> Judged:
    """Both sides a level further up, the ranking as far as it is given; what is on no list stays."""

    def up(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(above[name][level]) if name in above else name for name in names))

    given = up(one.given)
    return replace(one, truths=up(one.truths), ranking=given, given=given, own=frozenset(up(sorted(one.own))))


def hit(one: Judged, first: int) -> float:
    """Whether any of the first names is right."""
    return float(not set(one.ranking[:first]).isdisjoint(one.truths))


def sample_f1(one: Judged) -> float:
    """2 |T and P| / (|T| + |P|)."""
    right = len(one.own.intersection(one.truths))
    return 2 * right / (len(one.truths) + len(one.own) + one.wrong)


def pairs(one: Judged) -> Sequence[float]:
    """Right, wrong and missed names."""
    right = len(one.own.intersection(one.truths))
    return right, len(one.own) - right + one.wrong, len(one.truths) - right


def guessed(one: Judged) -> float:
    """The F1 to be expected of as many names drawn from the list."""
    picked, true = len(one.own) + one.wrong, len(one.truths)
    return 2 * picked * (true / one.listed) / (picked + true) if picked and one.listed else 0.0


def _f1(sums: Sequence[float]) -> float | None:
    right, wrong, missed = sums
    return 2 * right / (2 * right + wrong + missed) if right + wrong + missed else None


def _ratio(sums: Sequence[float]) -> float | None:
    return sums[0] / sums[1] if sums[1] else None


def by_class(one: Judged) -> NDArray[Any]:
    """Right, wrong and missed of every class of the view."""
    import numpy as np

    found = np.zeros((3, len(one.names)))
    place = _places(one.names)
    for name in one.own:
        found[0 if name in one.truths else 1, place[name]] = 1
    for name in one.truths:
        if name not in one.own:
            found[2, place[name]] = 1
    return found.ravel()


_PLACES: dict[tuple[str, ...], dict[str, int]] = {}


def _places(names: tuple[str, ...]) -> dict[str, int]:
    if names not in _PLACES:
        _PLACES.clear()
        _PLACES[names] = {name: number for number, name in enumerate(names)}
    return _PLACES[names]


def macro(sums: Any, profile: Profile) -> tuple[float | None, float | None, float | None, int]:  # noqa: ANN401 (an array)
    """Precision, recall and F1 over classes, and how many were left out.

    A class without true and predicted names counts as 0 in the paper's profile, and is left out in the other.
    """
    import numpy as np

    right, wrong, missed = np.asarray(sums, np.float64).reshape(3, -1)

    def over(whole: NDArray[Any]) -> NDArray[Any]:
        return np.divide(right, whole, out=np.zeros_like(right), where=whole > 0)

    counting = (right + wrong + missed) > 0
    left_out = int((~counting).sum())
    chosen = counting if profile == "strict" else np.ones_like(counting)
    if not chosen.any():
        return None, None, None, left_out
    of_each = (over(right + wrong), over(right + missed), over(right + (wrong + missed) / 2))
    precision, recall, f1 = (float(one[chosen].mean()) for one in of_each)
    return precision, recall, f1, left_out


Numbers = Callable[[Judged], Any]
Made = Callable[[Any], float | None]


def _macro_f1(sums: Any, profile: Profile) -> float | None:  # noqa: ANN401 (numbers)
    return macro(sums, profile)[2]


# What each answer adds, and what a sample's sums come to; the last number is how many answers there are.
PARTS: dict[str, tuple[str, Numbers, Made]] = {
    **{
        f"hit@{first}": (f"Hit@{first}", partial(lambda first, one: (hit(one, first), 1.0), first), _ratio)
        for first in HITS
    },
    "micro_f1": ("Micro F1", pairs, _f1),
    "sample_f1": ("Sample F1", lambda one: (sample_f1(one), 1.0), _ratio),
    "predicted": ("Names", lambda one: (float(len(one.given)), 1.0), _ratio),
    "valid": (
        "Valid names",
        lambda one: (float(sum(name in one.own for name in one.given)), float(len(one.given))),
        _ratio,
    ),
    "valid_items": (
        "All valid",
        lambda one: (float(bool(one.given) and all(name in one.own for name in one.given)), 1.0),
        _ratio,
    ),
    "random_sample_f1": ("Sample F1 by chance", lambda one: (guessed(one), 1.0), _ratio),
    "other_splits": ("Labels cut otherwise", lambda one: (float(one.splits), float(one.labels)), _ratio),
}


def of_samples(found: Sequence[Judged], numbers: Numbers, made: Made) -> list[float | None]:
    """What each sample comes to."""
    if not found:
        return []
    repeats = found[0].repeats
    sums: list[Any] = [None] * repeats
    for one in found:
        own = None
        for number in one.samples:
            if number <= repeats:
                own = numbers(one) if own is None else own
                before = sums[number - 1]
                sums[number - 1] = (
                    list(own) if before is None else [a + b for a, b in zip(before, own, strict=True)]
                )
    return [None if one is None else made(one) for one in sums]


def mean_sd(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    """Mean and SD (n-1) over the samples that are defined; no SD of one."""
    known = [one for one in values if one is not None]
    if not known:
        return None, None
    return statistics.fmean(known), statistics.stdev(known) if len(known) > 1 else None


def _each(numbers: Numbers, row: Row) -> Any:  # noqa: ANN401 (numbers of every sample, in a row)
    import numpy as np

    one: Judged | None = row.graded.get("_judged")
    if one is None:
        return None
    own = np.asarray(numbers(one), np.float64)
    of_sample = np.zeros((one.repeats, len(own) + 1))
    for number in one.samples:
        if number <= one.repeats:
            of_sample[number - 1] = (*own, 1.0)
    # How many samples there are stands last, so that sums can be taken apart again.
    return np.append(of_sample.ravel(), float(len(own) + 1))


def _total(made: Made, width: int | None, sums: Sequence[float]) -> float | None:
    import numpy as np

    told = np.asarray(sums[:-1], np.float64)
    one = width + 1 if width else None
    if one is None:
        return None
    values = (made(part[:-1]) for part in told.reshape(-1, one) if part[-1] > 0)
    known = [each for each in values if each is not None]
    return statistics.fmean(known) if known else None


def _measure(name: str) -> Measure:
    label, numbers, made = PARTS[name]
    width = 3 if numbers is pairs else 2
    why = _NO_LABEL if name == "other_splits" else _NO_NAME if name == "valid" else "No answer was scored."
    higher = None if name in ("predicted", "random_sample_f1", "other_splits") else True
    decimals = 2 if name == "predicted" else 3
    each, total = partial(_each, numbers), partial(_total, made, width)
    return Measure(name, label, each, total, decimals=decimals, higher=higher, why=why)


def _macro_each(row: Row) -> Any:  # noqa: ANN401 (numbers of every sample, in a row)
    import numpy as np

    told = _each(by_class, row)
    one: Judged | None = row.graded.get("_judged")
    # The sums' own record of how many classes there are, and by which profile they are averaged.
    return (
        None
        if told is None or one is None
        else np.append(told[:-1], (len(one.names), row.profile == "paper", 1.0))
    )


def _macro_total(sums: Sequence[float]) -> float | None:
    import numpy as np

    told, answers = np.asarray(sums, np.float64), sums[-1]
    if not answers:
        return None
    classes, paper = round(told[-3] / answers), told[-2] > 0
    parts = told[:-3].reshape(-1, 3 * classes + 1)
    values = [_macro_f1(one[:-1], "paper" if paper else "strict") for one in parts if one[-1] > 0]
    return mean_sd(values)[0]


MEASURES = (
    *(_measure(f"hit@{first}") for first in HITS),
    Measure("macro_f1", "Macro F1", _macro_each, _macro_total, why="No class is true or named."),
    *(_measure(name) for name in PARTS if not name.startswith("hit@")),
)


def found_in(rows: Sequence[Row], level: str = "") -> list[Judged]:
    """The answers of graded rows that are scored, lifted to a level where one is named."""
    scored = [(row.graded["_judged"], row.graded["_above"]) for row in rows]
    return [_lifted(one, above, level) if level else one for one, above in scored if one is not None]


def ranked_again(
    rows: Sequence[Row], own: Mapping[str, Any], other: Mapping[str, Any], top: int
) -> list[Judged]:
    """Rankings by label, made with `own` alpha and normalisation, as they would be with others."""
    cast = {"mean": "sum", "sum": "mean"}
    changed = cast.get(own["normalise"]) == other["normalise"]
    power, alpha = (1 if own["normalise"] == "mean" else -1) if changed else 0, other["alpha"]

    def score(one: Mapping[str, Any]) -> float:
        told, prior = one["conditional"], one["prior"]
        if power:
            told, prior = told * (one["tokens"] or 1) ** power, prior * (one["prior_tokens"] or 1) ** power
        return float(alpha * prior - told)

    found = []
    for row in rows:
        one: Judged | None = row.graded.get("_judged")
        if one is not None:
            ranking = tuple(said["name"] for said in sorted(row.value["scores"], key=score, reverse=True))
            given = ranking[:top]
            known = frozenset(name for name in given if name in row.graded["_above"])
            wrong = len(given) - len(known) if row.profile == "strict" else 0
            found.append(replace(one, ranking=ranking, given=given, own=known, wrong=wrong))
    return found


def sds(rows: Sequence[Row]) -> dict[str, float | None]:
    """The SD of every measure over the samples."""
    found = found_in(rows)
    said = {name: mean_sd(of_samples(found, numbers, made))[1] for name, (_, numbers, made) in PARTS.items()}
    profile: Profile = rows[0].profile if rows else "strict"
    said["macro_f1"] = mean_sd(of_samples(found, by_class, partial(_macro_f1, profile=profile)))[1]
    return {measure.id: said[measure.id] for measure in MEASURES}


def lifted(rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """Hit@1 and both F1 with both sides lifted to category, block and chapter."""
    said = {}
    for level in LEVELS:
        found = found_in(rows, level)
        said[level] = {
            name: mean_sd(of_samples(found, PARTS[name][1], PARTS[name][2]))[0]
            for name in ("hit@1", "micro_f1", "sample_f1")
        }
    return said


def groups(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Ten groups of classes by falling prevalence: share of the samples, macro precision, recall and F1."""
    import numpy as np

    found = found_in(rows)
    if not found:
        return []
    names, profile = found[0].names, rows[0].profile
    size = ceil(len(names) / 10)
    said = []
    for first in range(0, len(names), size):
        own = names[first : first + size]

        def part(one: Judged, first: int = first, own: Sequence[str] = own) -> Any:  # noqa: ANN401 (numbers)
            return by_class(one).reshape(3, -1)[:, first : first + len(own)].ravel()

        def shared(one: Judged, own: Sequence[str] = own) -> Sequence[float]:
            return float(not set(one.truths).isdisjoint(own)), 1.0

        share = mean_sd(of_samples(found, shared, _ratio))[0]
        three = of_samples(found, part, lambda sums: macro(np.asarray(sums), profile))  # type: ignore[arg-type, return-value]
        values = [[one[place] for one in three if one] for place in range(3)]  # type: ignore[index]
        precision, recall, f1 = (mean_sd(one)[0] for one in values)
        said.append(
            {"classes": list(own), "share": share, "precision": precision, "recall": recall, "f1": f1}
        )
    return said
