"""Three sentences for a doctor: what was answered and right, what guessing brings, what follows."""

from __future__ import annotations

from collections.abc import Sequence

from app.studies.ebmqa.asking import ANSWERED, counts
from app.studies.ebmqa.tables import accuracy_of, guess_of
from app.studies.results import RunScores, Scores
from app.text import counted

_MOST = 4


def lead(scores: Scores) -> Sequence[str]:
    """Three sentences, whatever the number of runs; fewer where nothing was answered."""
    found = {name: own for name, own in scores.runs.items() if accuracy_of(own) is not None}
    if not found:
        return ["Nothing has been answered yet, so there is nothing to say of anybody's knowledge."]
    named = list(found)[:_MOST]
    more = f"; and {counted(len(found) - _MOST, 'other')}" if len(found) > _MOST else ""
    return [
        f"{'; '.join(_result(name, found[name], scores) for name in named)}{more}.",
        f"Somebody who guesses, knowing only what is frequent in general, gets {_guesses(named, found)}.",
        " ".join(_verdict(named, found, scores)),
    ]


def _result(name: str, own: RunScores, scores: Scores) -> str:
    of = counts(scores.rows[name])
    rate = own.scores["answer_rate"].value
    share = of[ANSWERED] / of["n"] if rate is None and of["n"] else rate
    asked = f"{_percent(share or 0.0)} of {of['n']:,} questions"
    return f"{name} answered {asked}, and {_percent(accuracy_of(own) or 0.0)} of these answers were right"


def _guesses(named: Sequence[str], found: dict[str, RunScores]) -> str:
    lines = [one for name in named if (one := guess_of(found[name])) is not None]
    if not lines:
        return "an unknown share of the same right"
    low, high = _percent(min(lines)), _percent(max(lines))
    return f"{low if low == high else f'{low[:-2]} to {high}'} of the same right"


def _verdict(named: Sequence[str], found: dict[str, RunScores], scores: Scores) -> list[str]:
    """Who is to be relied on, as one sentence with its parts."""
    sure, unsure, unknown = list[str](), list[str](), list[str]()
    for name in named:
        ends = found[name].scores["above_guess"].interval
        (unknown if ends is None else sure if ends[0] > 0 else unsure).append(name)
    parts = []
    if sure:
        parts.append(f"{_listed(sure)} {_do(sure)} clearly better than guessing")
    if unsure:
        parts.append(
            f"{_listed(unsure)} {_do(unsure)} not clearly better: do not rely on what is known there"
        )
    if unknown:
        parts.append(f"whether {_listed(unknown)} {_do(unknown)} better than that cannot be told")
    return [f"{'; '.join(parts)}."]


def _do(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
