"""Hits, F1, validity over samples: the mean over samples of what each comes to, with its SD."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

from app.agreement.statistics.intervals import mean_over
from app.studies.icd11.sheet import HITS, Array, Judged, Sheet, judged, lifted
from app.studies.icd11.views import REPEATS, view_of
from app.studies.results import Measure, Profile, Row, Settings

LEVELS = ("category", "block", "chapter")
_NO_ANSWER, _NO_NAME = "No answer was scored.", "No name was given."
_NO_LABEL = "No label's probabilities were read beside the model's own vocabulary."
_F1 = ("right", "wrong", "missed")
# Label, and what is added up: one over the other, or what F1 is made of.
PARTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **{f"hit@{first}": (f"Hit@{first}", (f"hit@{first}", "answers")) for first in HITS},
    "micro_f1": ("Micro F1", _F1),
    "sample_f1": ("Sample F1", ("f1", "answers")),
    "predicted": ("Names", ("given", "answers")),
    "valid": ("Valid names", ("valid", "given")),
    "valid_items": ("All valid", ("all valid", "answers")),
    "random_sample_f1": ("Sample F1 by chance", ("guessed", "answers")),
    "other_splits": ("Labels cut otherwise", ("splits", "labels")),
}


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any] | None]:
    """What measures look at: each answer beside the truth, and what stands above each class; None of an item
    that has no class of the view."""
    if not rows:
        return ()
    view = view_of(settings)
    above = {one["name"]: one for one in view.classes}
    found = [judged(row, view, settings) for row in rows]
    sheet = Sheet(found, view.names, settings.get("repeats") or REPEATS)
    return [
        {"_judged": one, "_above": above, "_sheet": sheet, "_place": place}
        if view.truths(rows[place].item)
        else None
        for place, one in enumerate(found)
    ]


def _of(rows: Sequence[Row]) -> tuple[Sheet, list[int]]:
    return rows[0].graded["_sheet"], [row.graded["_place"] for row in rows]


def _counts(row: Row) -> float | None:
    return None if row.graded.get("_judged") is None else 1.0


def _values(parts: Array) -> Array:
    """What sums (..., 2 or 3) come to: a quotient, or F1; NaN where that is undefined."""
    import numpy as np

    if parts.shape[-1] == 2:
        over, under = parts[..., 0], parts[..., 1]
    else:
        over, under = 2 * parts[..., 0], 2 * parts[..., 0] + parts[..., 1] + parts[..., 2]
    values: Array = np.divide(over, under, out=np.full(over.shape, np.nan), where=under > 0)
    return values


def macro(counts: Array, answers: Array, profile: Profile) -> Array:
    """(..., 3) precision, recall and F1 over classes of counts (..., 3, classes); NaN where undefined.

    A class without true and predicted names counts as 0 in the paper's profile, and is left out in the other.
    """
    import numpy as np

    right, wrong, missed = np.moveaxis(counts, -2, 0)
    counting = (right + wrong + missed) > 0
    every = np.ones_like(counting) if profile == "paper" else counting
    number = np.where(answers > 0, every.sum(axis=-1), 0)
    means = []
    for under in (right + wrong, right + missed, right + (wrong + missed) / 2):
        of_each = np.divide(right, under, out=np.zeros_like(right), where=under > 0)
        total = of_each.sum(axis=-1)
        means.append(np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0))
    return np.stack(means, axis=-1)


def _plain(values: Array) -> list[float | None]:
    return [None if one != one else one for one in values.tolist()]


def _means(name: str, rows: Sequence[Row], weights: Array) -> list[float | None]:
    """A measure in each table: the mean over the samples in which it is defined."""
    sheet, places = _of(rows)
    return _plain(mean_over(_values(sheet.sums(PARTS[name][1], weights, places))))


def _macro_means(rows: Sequence[Row], weights: Array) -> list[float | None]:
    sheet, places = _of(rows)
    return _plain(mean_over(macro(*sheet.by_class(weights, places), rows[0].profile)[..., 2]))


def _measure(name: str) -> Measure:
    reason = {"other_splits": _NO_LABEL, "valid": _NO_NAME}.get(name, _NO_ANSWER)
    decimals = 2 if name == "predicted" else 3
    together = partial(_means, name)
    return Measure(name, PARTS[name][0], _counts, decimals=decimals, reason=reason, together=together)


MEASURES = (
    *(_measure(f"hit@{first}") for first in HITS),
    Measure("macro_f1", "Macro F1", _counts, together=_macro_means, reason="No class is true or named."),
    *(_measure(name) for name in PARTS if not name.startswith("hit@")),
)


def sds(rows: Sequence[Row]) -> dict[str, float | None]:
    """The SD (n-1) of every measure over the samples in which it is defined; None of fewer than two."""
    if not rows:
        return {measure.id: None for measure in MEASURES}
    sheet, places = _of(rows)
    once = sheet.every(places)
    values = {
        name: _sd(_values(sheet.sums(columns, once, places))[0]) for name, (_, columns) in PARTS.items()
    }
    values["macro_f1"] = _sd(macro(*sheet.by_class(once, places), rows[0].profile)[0, :, 2])
    return {measure.id: values[measure.id] for measure in MEASURES}


def _sd(values: Array) -> float | None:
    import numpy as np

    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else None


def scored(found: Sequence[Judged | None], repeats: int, names: Sequence[str]) -> dict[str, float | None]:
    """The mean over samples of these measures, of answers that stand in no run as they are."""
    sheet = Sheet(found, (), repeats)
    return {name: _plain(mean_over(_values(sheet.sums(PARTS[name][1], sheet.every()))))[0] for name in names}


def lifted_scores(rows: Sequence[Row]) -> dict[str, dict[str, float | None]]:
    """Hit@1 and both F1 with both sides lifted to category, block and chapter."""
    given = [(row.graded["_judged"], row.graded["_above"]) for row in rows]
    repeats = _of(rows)[0].repeats if rows else REPEATS
    return {
        level: scored(
            [one and lifted(one, above, level) for one, above in given],
            repeats,
            ("hit@1", "micro_f1", "sample_f1"),
        )
        for level in LEVELS
    }


def ranked_again(
    rows: Sequence[Row], own: Mapping[str, Any], others: Sequence[Mapping[str, Any]], top: int
) -> list[list[Judged | None]]:
    """Rankings by label, made with `own` alpha and normalisation, as they would be with each of others."""
    import numpy as np

    given = [(row, one) for row in rows if (one := row.graded["_judged"]) is not None]
    keys = ("conditional", "prior", "tokens", "prior_tokens")
    told = [
        np.array([[one[key] for one in row.value["scores"]] for key in keys], np.float64) for row, _ in given
    ]
    found = []
    for other in others:
        power = {("mean", "sum"): 1, ("sum", "mean"): -1}.get((own["normalise"], other["normalise"]), 0)
        again: list[Judged | None] = []
        for (row, one), numbers in zip(given, told, strict=True):
            conditional, prior, tokens, without = numbers
            if power:
                conditional = conditional * np.maximum(tokens, 1) ** power
                prior = prior * np.maximum(without, 1) ** power
            best = np.argsort(conditional - other["alpha"] * prior, kind="stable")[: max(top, HITS[-1])]
            ranking = tuple(row.value["scores"][place]["name"] for place in best.tolist())
            known = frozenset(name for name in ranking[:top] if name in row.graded["_above"])
            wrong = len(ranking[:top]) - len(known) if row.profile == "strict" else 0
            again.append(replace(one, ranking=ranking, given=ranking[:top], own=known, wrong=wrong))
        found.append(again)
    return found


def groups(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Ten groups of classes by falling prevalence: share of the samples, macro precision, recall and F1."""
    if not any(row.graded["_judged"] for row in rows):
        return []
    sheet, places = _of(rows)
    once = sheet.every(places)
    counts, answers = sheet.by_class(once, places)
    names, found = sheet.names, [row.graded["_judged"] for row in rows]
    parts = []
    for first in range(0, len(names), ceil(len(names) / 10)):
        own = names[first : first + ceil(len(names) / 10)]
        part = macro(counts[..., first : first + len(own)], answers, rows[0].profile)
        means = (_plain(mean_over(part[..., place]))[0] for place in range(3))
        share = _share(found, sheet.repeats, frozenset(own))
        measured = dict(zip(("precision", "recall", "f1"), means, strict=True))
        parts.append({"classes": list(own), "share": share, **measured})
    return parts


def _share(found: Sequence[Judged | None], repeats: int, own: frozenset[str]) -> float | None:
    """How many answers of a sample have a truth among these names, on average over the samples."""
    every, there = [0] * repeats, [0] * repeats
    for one in found:
        for number in one.samples if one is not None else ():
            if one is not None and number <= repeats:
                every[number - 1] += 1
                there[number - 1] += not own.isdisjoint(one.truths)
    shares = [one / of for one, of in zip(there, every, strict=True) if of]
    return sum(shares) / len(shares) if shares else None
