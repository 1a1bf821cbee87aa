"""The study's tables: tracks by model, the diagnosis without a judge, arms side by side, groups of models."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from app.studies.mmrarebench.families import tags_of
from app.studies.mmrarebench.tracks import ARMS, T1, TRACKS
from app.studies.pages import PUBLISHED, by_run, cell
from app.studies.results import RunScores, Score, Scores
from app.studies.study import Table
from app.tables import Cell, Column
from app.tables import Table as DrawnTable
from extractors.assets import asset

_F1 = "T1 F1"
_WHOLE = 100
Found = DrawnTable[Any] | None


@lru_cache(maxsize=1)
def published() -> Mapping[str, Mapping[str, float]]:
    """The paper's rows, 0 to 1: by model the score of each track, and the F1 of T1."""
    path = asset("resources", "studies", "mmrarebench", "published.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row.pop("model"): {name: float(value) / _WHOLE for name, value in row.items()}
            for row in csv.DictReader(file)
        }


def _model(scores: Scores, run: str) -> str:
    return str(scores.settings[run].get("model") or run)


def _arm(scores: Scores, run: str) -> str:
    return str(scores.settings[run].get("arm") or ARMS[0])


def _of(own: RunScores, rater: str) -> Cell:
    """What a rater gave, with its interval below it."""
    value = own.raters.get(rater)
    if value is None or value.score is None:
        return Cell(None, "Nothing was rated in full.")
    return cell(Score(value.score, value.interval))


def _raters(scores: Scores) -> list[str]:
    return sorted({rater for own in scores.runs.values() for rater in own.raters})


def tracks(scores: Scores) -> Found:
    """Each run by each rater: the score of every track, and F1 beside."""
    by = scores.by.get("task", {})
    columns = (
        Column("Run", key="run", kind="words"),
        Column("Rater", key="rater", kind="words"),
        Column("n", key="n"),
        Column("Unscored", key="unscored"),
        *(Column(track, key=track, decimals=3) for track in TRACKS),
        Column(_F1, key="f1", decimals=3),
    )
    rows: list[tuple[object, ...]] = []
    for run, whole in scores.runs.items():
        for rater in sorted(whole.raters) or [""]:
            n = whole.raters[rater].n if rater else 0
            own = [by.get(track, {}).get(run) for track in TRACKS]
            parts = [_of(one, rater) if one else Cell(None) for one in own]
            f1 = whole.scores.get("f1")
            numbers = n, whole.n - n
            rows.append((run, rater or "nobody", *numbers, *parts, cell(f1) if f1 else Cell(None)))
    for name, values in published().items() if scores.published else ():
        said_there = [values[track] for track in TRACKS]
        rows.append((f"{name}{PUBLISHED}", "Qwen3-VL-235B", None, None, *said_there, values[_F1]))
    return DrawnTable(columns, tuple(rows)) if rows else None


def without_judge(scores: Scores) -> Found:
    """T1 alone, by what needs no judge."""
    own = replace(scores, runs=scores.by.get("task", {}).get(T1, {}))
    return by_run(["f1", "f1_first_line", "exact", "orpha", "orpha_kin"])(own)


def arms(scores: Scores) -> Found:
    """What each way of showing pictures changes: pictures less the control, over the answers of both."""
    columns = (
        Column("Model", key="model", kind="words"),
        Column("Track", key="track", kind="words"),
        Column("Less", key="arm", kind="words"),
        Column("Measured by", key="by", kind="words"),
        Column("n", key="n"),
        Column("Difference", key="difference", decimals=3),
    )
    rows: list[tuple[object, ...]] = []
    for pair in scores.pairs:
        left, right = pair.left, pair.right
        if pair.label != "task" or _model(scores, left) != _model(scores, right):
            continue
        kinds = _arm(scores, left), _arm(scores, right)
        if ARMS[0] not in kinds or kinds[0] == kinds[1]:
            continue
        turned = kinds[0] != ARMS[0]
        measured = dict(pair.raters)
        if "f1" in pair.differences and pair.value == T1:
            measured["F1"] = pair.differences["f1"]
        for name, one in measured.items():
            ends, value = one.interval, one.value
            if turned and value is not None:
                value, ends = -value, (-ends[1], -ends[0]) if ends else None
            given = Cell(value, one.reason, f"{ends[0]:.3f} to {ends[1]:.3f}" if ends else "")
            arm = kinds[0] if turned else kinds[1]
            rows.append((_model(scores, left), pair.value, arm, name, pair.n, given))
    return DrawnTable(columns, tuple(rows)) if rows else None


def _by_label(label: str) -> Callable[[Scores], Found]:
    """Each value of a label by run and rater, over all tracks."""

    def make(scores: Scores) -> Found:
        columns = (
            Column(label.capitalize(), key=label, kind="words"),
            Column("Run", key="run", kind="words"),
            Column("n", key="n"),
            *(Column(f"Rated by {rater}", key=rater, decimals=3) for rater in _raters(scores)),
            Column(_F1, key="f1", decimals=3),
        )
        rows = [
            (value, run, own.n, *(_of(own, one) for one in _raters(scores)), cell(own.scores.get("f1")))
            for value, runs in scores.by.get(label, {}).items()
            for run, own in runs.items()
        ]
        return DrawnTable(columns, tuple(rows)) if rows else None

    return make


def _told(scores: Scores) -> Iterator[tuple[str, str, Mapping[str, float]]]:
    """Every run with pictures by every rater, and the published rows: name, model, score by track."""
    by = scores.by.get("task", {})
    for run, own in scores.runs.items():
        if _arm(scores, run) != ARMS[0]:
            continue
        for rater in sorted(own.raters):
            found = {
                track: value.score
                for track in TRACKS
                if (one := by.get(track, {}).get(run))
                and (value := one.raters.get(rater))
                and value.score is not None
            }
            if found:
                yield f"{run}, rated by {rater}", _model(scores, run), found
    for name, values in published().items() if scores.published else ():
        yield f"{name}{PUBLISHED}", name, {track: values[track] for track in TRACKS}


def groups(scores: Scores) -> Found:
    """Means of groups of models by track: open and closed, medical, by size."""
    gathered: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    for _, model, found in _told(scores):
        for group in tags_of(model).groups():
            gathered.setdefault(group, []).append(found)
    rows: list[tuple[object, ...]] = []
    kinds = dict.fromkeys(kind for kind, _ in gathered)
    for kind in kinds:
        means = {value: _means(own) for (of, value), own in sorted(gathered.items()) if of == kind}
        rows += [
            (kind, value, len(gathered[kind, value]), *(given.get(track) for track in TRACKS))
            for value, given in means.items()
        ]
        if len(means) == 2:
            (one, left), (other, right) = means.items()
            gap = [left[t] - right[t] if t in left and t in right else None for t in TRACKS]
            rows.append((kind, f"{one} less {other}", None, *gap))
    columns = (
        Column("Models by", key="kind", kind="words"),
        Column("Group", key="group", kind="words"),
        Column("Models", key="models"),
        *(Column(track, key=track, decimals=3) for track in TRACKS),
    )
    return DrawnTable(columns, tuple(rows)) if len(rows) > len(kinds) else None


def _means(found: Sequence[Mapping[str, float]]) -> dict[str, float]:
    own = {track: [one[track] for one in found if track in one] for track in TRACKS}
    return {track: sum(values) / len(values) for track, values in own.items() if values}


def ranks(scores: Scores) -> Found:
    """The rank of each model in every track, the best first; equal scores share a rank."""
    told = list(_told(scores))
    columns = (
        Column("Model", key="model", kind="words"),
        *(Column(track, key=track) for track in TRACKS),
        Column("Lowest track", key="lowest", kind="words"),
    )

    def rank(own: Mapping[str, float], track: str) -> int | None:
        if track not in own:
            return None
        return 1 + sum(other[track] > own[track] for _, _, other in told if track in other)

    rows = tuple(
        (name, *(rank(own, track) for track in TRACKS), min(own, key=lambda track: own[track]))
        for name, _, own in told
    )
    return DrawnTable(columns, rows) if len(rows) > 1 else None


TABLES = (
    Table("1", "Tracks by model and rater", tracks),
    Table("2", "T1 without a judge", without_judge),
    Table("3", "Did the model look? Pictures less each control", arms),
    Table("4", "By group of disease", _by_label("group")),
    Table("5", "By kind of picture", _by_label("modality")),
    Table("6", "Groups of models", groups),
    Table("7", "Ranks by track", ranks),
)
