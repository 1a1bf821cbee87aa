"""The paper's tables and figures from one's own runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any

from app.studies.charts import Bar, Panel, Picture
from app.studies.icd11 import scores as measured
from app.studies.icd11.funnel import spread
from app.studies.icd11.views import (
    COUNT,
    ORDERS,
    REPEATS,
    TOP,
    Find,
    View,
    term_finder,
    view_of,
    vocabularies,
)
from app.studies.pages import cell
from app.studies.results import Item, Scores
from app.studies.scoring import less
from app.studies.study import Figure
from app.tables import Cell, Column, Table, records

_OVERALL = ("hit@1", "macro_f1", "micro_f1", "sample_f1", "predicted", "valid")
_ONE_SAMPLE = "One sample has no SD; run with --repeats 2 or more."
_ALPHAS = (0.0, 0.5, 1.0)
_COLUMNS_4 = tuple(
    "df vocabulary terms df_vs df_mvs mtes_mean mtes_reciprocal df_vs_matched df_mvs_matched".split()
)
MTES_NOTE = (
    "Table figure 4: the paper calls MTES a mean of reciprocals and gives an equation without one; both "
    "stand here, mtes_mean (low: the terms are the disease's own) and mtes_reciprocal (high: they are)."
)


def _words(title: str, key: str) -> Column:
    return Column(title, key=key, kind="words")


def _number(key: str, decimals: int = 3) -> Column:
    return Column(key.replace("_", " "), key=key, decimals=decimals, heading=(key.replace("_", " "),))


def statistics_table(scores: Scores) -> Table[Any] | None:
    """Table 1: how large each view is that a run is about."""
    rows: dict[int, tuple[object, ...]] = {}
    for settings in scores.settings.values():
        view = view_of(settings)
        kept = [len(found) for item in scores.items if (found := view.truths(item))]
        words = [len(item.input["report"].split()) for item in scores.items if view.truths(item)]
        both = [spread(kept), spread(words)]
        spreads = (one for two in both for one in two.values())
        rows[view.least] = view.least, len(kept), len(view.classes), *spreads
    parts = [
        f"{what}_{end}" for what in ("classes", "words") for end in ("mean", "sd", "median", "min", "max")
    ]
    columns = [_number("min_count", 0), _number("samples", 0), _number("classes", 0)]
    return Table((*columns, *map(_number, parts)), tuple(rows[key] for key in sorted(rows, reverse=True)))


def overall(scores: Scores) -> Table[Any] | None:
    """Table 2: every run with the SD over its samples."""
    return _of_runs(scores)


def orders(scores: Scores) -> Table[Any] | None:
    """Figure 2: runs by the order of their list."""
    chosen = {
        name: settings.get("order") or ORDERS[0]
        for name, settings in scores.settings.items()
        if settings.get("arm") in ("generate", "choose") and (settings.get("list") or "long") == "long"
    }
    return _of_runs(scores, chosen) if chosen else None


def _of_runs(scores: Scores, order: Mapping[str, str] | None = None) -> Table[Any] | None:
    rows = []
    for name, own in scores.runs.items():
        if order is not None and name not in order:
            continue
        sd = measured.sds(scores.rows[name])
        values = [
            one
            for key in _OVERALL
            for one in (cell(own.scores.get(key)), Cell(sd[key], "" if sd[key] is not None else _ONE_SAMPLE))
        ]
        rows.append((name, *((order[name],) if order else ()), own.n, *values))
    columns = [_words("Run", "run"), *([_words("Order", "order")] if order else []), _number("n", 0)]
    columns += [_number(f"{key}{end}") for key in _OVERALL for end in ("", "_sd")]
    return Table(tuple(columns), tuple(rows)) if rows else None


def long_and_short(scores: Scores) -> Table[Any] | None:
    """Table 3: each run with a short list beside the same with the long one, and what guessing comes to."""
    keys = ("hit@1", "macro_f1", "micro_f1", "sample_f1", "predicted", "valid", "random_sample_f1")
    rows: list[tuple[object, ...]] = []
    for name, settings in scores.settings.items():
        if (settings.get("list") or "long") == "long":
            continue
        own = {key: one.value if (one := scores.runs[name].scores.get(key)) else None for key in keys}
        long = _long_of(scores, name)
        before = {key: scores.runs[long].scores[key].value if long else None for key in keys}
        if long:
            rows.append((long, "long", *before.values()))
        rows.append((name, settings["list"], *own.values()))
        why = "" if long else "There is no such run with the long list."
        rows.append((name, "change", *(Cell(less(own[key], before[key]), why) for key in keys)))
    columns = (_words("Run", "run"), _words("List", "list"), *map(_number, keys))
    return Table(columns, tuple(rows)) if rows else None


def _long_of(scores: Scores, name: str) -> str:
    """The run of the same model that was shown the long list, in the same order where there is one."""
    mine = _told(scores.settings[name])
    longs = {
        other: told
        for other, settings in scores.settings.items()
        if (settings.get("list") or "long") == "long" and (told := _told(settings))[1:] == mine[1:]
    }
    far = {other: (told[0] != mine[0], told[0] != ORDERS[0]) for other, told in longs.items()}
    return min(far, key=far.__getitem__, default="")


def _told(settings: Mapping[str, Any]) -> tuple[object, ...]:
    """The order of a run's list, and what else tells it from others of the study."""
    count, repeats = settings.get("count") or COUNT, settings.get("repeats") or REPEATS
    same = (settings.get(key) for key in ("model", "arm", "seed"))
    order, analysis = settings.get("order") or ORDERS[0], bool(settings.get("analysis"))
    return order, view_of(settings).least, count, repeats, analysis, *same


def by_group(scores: Scores) -> Table[Any] | None:
    """Table 4 and figure 3: macro precision, recall and F1 of ten groups of classes by prevalence."""
    rows = [
        (name, number, len(one["classes"]), one["share"], one["precision"], one["recall"], one["f1"])
        for name in scores.runs
        for number, one in enumerate(measured.groups(scores.rows[name]), start=1)
    ]
    counts = (_words("Run", "run"), _number("group", 0), _number("classes", 0))
    columns = (*counts, *map(_number, ("share", "precision", "recall", "f1")))
    return Table(columns, tuple(rows)) if rows else None


def by_disease(scores: Scores) -> Table[Any] | None:
    """Figure 4: the words of each disease, over all items of the view."""
    settings = next(iter(scores.settings.values()), None)
    if settings is None or not scores.items:
        return None
    about, find = term_finder(settings)
    view = view_of(settings)
    found = _vocabularies(scores.items, view, find, settings)
    columns = (_words(f"Disease (terms: {about})", "name"), *(_number(key) for key in _COLUMNS_4))
    reason = "It takes a report with a medical term, and another disease."
    rows = [
        (one["name"], *(Cell(one[key], "" if one[key] is not None else reason) for key in _COLUMNS_4))
        for one in found
    ]
    return Table(columns, tuple(rows))


# The last ones: items never change, and a window scores the same ones again and again.
_TOLD: list[tuple[Any, list[dict[str, Any]]]] = []


def _vocabularies(
    items: Sequence[Item], view: View, find: Find, settings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    terms = settings.get("terms") or ""
    dated = Path(terms).stat().st_mtime_ns if terms not in ("", "lexicon") else 0
    key = (*map(id, (items[0], items[-1])), len(items), view.names, terms, dated, settings.get("terms_model"))
    if not _TOLD or _TOLD[0][0] != key:
        # The items are kept with it, so that their ids are nobody else's.
        _TOLD[:] = [(key, vocabularies(items, view, find)), (items, [])]
    return _TOLD[0][1]


def alphas(scores: Scores) -> Table[Any] | None:
    """The ablation of the prior: the same answers with other weights of it; nothing is asked again."""
    return _ablation(scores, "alpha", lambda own: (*dict.fromkeys((*_ALPHAS, own["alpha"])),))


def lengths(scores: Scores) -> Table[Any] | None:
    """The ablation of the labels' length: mean and sum over a label's tokens."""
    return _ablation(scores, "normalise", lambda _: ("mean", "sum"))


def _ablation(
    scores: Scores, what: str, values: Callable[[Mapping[str, Any]], Sequence[Any]]
) -> Table[Any] | None:
    keys = ("hit@1", "hit@3", "hit@5", "hit@10", "sample_f1")
    rows = []
    for name, settings in scores.settings.items():
        if settings.get("arm") != "rank":
            continue
        own = {
            "alpha": 1.0 if settings.get("alpha") is None else settings["alpha"],
            "normalise": settings.get("normalise") or "mean",
        }
        others = [{**own, what: value} for value in values(own)]
        again = measured.ranked_again(scores.rows[name], own, others, settings.get("top") or TOP)
        for other, found in zip(others, again, strict=True):
            made = measured.scored(found, settings.get("repeats") or REPEATS, keys)
            rows.append((name, str(other[what]), *made.values()))
    columns = (_words("Run", "run"), _words(what.capitalize(), what), *map(_number, keys))
    return Table(columns, tuple(rows)) if rows else None


_SHOWN = {"hit@1": "Hit@1", "macro_f1": "Macro F1", "micro_f1": "Micro F1", "sample_f1": "Sample F1"}
_OF_GROUPS = {"precision": "Precision", "recall": "Recall", "f1": "F1", "share": "Share of the reports"}
_OF_WORDS = {
    "df": ("Reports", 0),
    "df_vs": ("DF-VS", 3),
    "df_vs_matched": ("DF-VS of equally many reports", 3),
    "df_mvs": ("DF-MVS", 3),
    "df_mvs_matched": ("DF-MVS of equally many reports", 3),
    "mtes_mean": ("MTES, mean (low: the terms are its own)", 2),
    "mtes_reciprocal": ("MTES, reciprocal (high: the terms are its own)", 3),
}


def _by_order(scores: Scores) -> Picture | None:
    table = orders(scores)
    if table is None:
        return None
    shown = [(row["run"], row["order"], scores.runs[row["run"]].scores) for row in records(table)]
    panels = [
        Panel(title, [Bar(order, name, own[key].value, own[key].interval) for name, order, own in shown])
        for key, title in _SHOWN.items()
    ]
    return Picture("Bars: means over the samples, with bootstrap intervals.", panels)


def _by_group(scores: Scores) -> Picture | None:
    groups = {name: measured.groups(rows) for name, rows in scores.rows.items()}

    def bars(key: str) -> Iterator[Bar]:
        for place in range(max(map(len, groups.values()))):
            for name, own in groups.items():
                if place < len(own):
                    yield Bar(_called(place, len(own[place]["classes"])), name, own[place][key])

    if not any(groups.values()):
        return None
    panels = [Panel(title, list(bars(key))) for key, title in _OF_GROUPS.items()]
    return Picture("Groups of classes by prevalence, the commonest first; means over classes.", panels)


def _by_words(scores: Scores) -> Picture | None:
    table = by_disease(scores)
    found = records(table) if table is not None else []
    if not found:
        return None
    size = ceil(len(found) / 10)
    groups = [found[start : start + size] for start in range(0, len(found), size)]

    def bar(place: int, key: str) -> Bar:
        group = groups[place]
        return Bar(_called(place, len(group)), "mean", _mean([one[key] for one in group]))

    panels = [
        Panel(title, [bar(place, key) for place in range(len(groups))], shares=False, decimals=decimals)
        for key, (title, decimals) in _OF_WORDS.items()
    ]
    return Picture("Means over the diseases of each group by prevalence, the commonest first.", panels)


def _lifted(scores: Scores) -> Picture | None:
    if not any(own.n for own in scores.runs.values()):
        return None
    lifted = {name: measured.lifted_scores(rows) for name, rows in scores.rows.items()}

    def bars(key: str) -> Iterator[Bar]:
        for level in ("class", *measured.LEVELS):
            for name, own in lifted.items():
                value = own[level][key] if level in own else scores.runs[name].scores[key].value
                yield Bar(level.capitalize(), name, value)

    panels = [Panel(_SHOWN[key], list(bars(key))) for key in ("hit@1", "micro_f1", "sample_f1")]
    return Picture("Answers and truths as they are, then both taken up the hierarchy of ICD-11.", panels)


def _called(place: int, classes: int) -> str:
    return f"Group {place + 1} ({classes} {'class' if classes == 1 else 'classes'})"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return fmean(known) if known else None


FIGURES = (
    Figure("2", "By the order of the list", _by_order),
    Figure("3", "Groups of classes by prevalence", _by_group),
    Figure("4", "Words and medical terms by prevalence", _by_words),
    Figure("lifted", "By category, block and chapter", _lifted),
)
