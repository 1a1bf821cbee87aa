"""The paper's figures as bars: orders of the list, groups by prevalence, and the words of their diseases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from statistics import fmean

from app.studies.charts import Bar, Panel, Picture
from app.studies.icd11 import scores as measured
from app.studies.icd11.tables import by_disease, orders
from app.studies.results import Scores
from app.studies.study import Figure
from app.tables import records

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
    panels = [
        Panel(
            title,
            [
                Bar(_called(place, len(group)), "mean", _mean([one[key] for one in group]))
                for place, group in enumerate(groups)
            ],
            shares=False,
            decimals=decimals,
        )
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
