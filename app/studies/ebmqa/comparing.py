"""Two runs on the same questions, by published and paired tests; and three sentences for a doctor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.agreement.statistics.tests_of_shares import TwoByTwo, holm, mcnemar, quartiles, spearman, two_by_two
from app.studies.ebmqa.asking import ANSWERED, INVALID, counts
from app.studies.ebmqa.tables import accuracy_of, guess_of
from app.studies.ebmqa.words import CONTROL, LINES
from app.studies.results import Pair, Row, RunScores, Scores
from app.text import counted

_LEAST_ASKED = 200
_TOO_MANY_INVALID = 0.02


def pair(both: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    """Statistics of the answers that two runs have in common, invented questions apart."""
    own = [one for one in both if one[0].item.task != CONTROL and not one[0].graded["second"]]
    # Runs that were never offered IDK are compared as they are.
    asked = [one for one in own if one[0].graded["offered"]] or own
    sides = [[one[side].graded for one in asked] for side in (0, 1)]
    given = [[one for one in side if one["state"] == ANSWERED] for side in sides]
    right = [sum(one["credit"] for one in side) for side in given]
    accuracy = two_by_two(right[0], len(given[0]), right[1], len(given[1]))
    rate = two_by_two(len(given[0]), len(asked), len(given[1]), len(asked))
    only = [
        sum(sides[side][at]["exact"] and not sides[1 - side][at]["exact"] for at in range(len(asked)))
        for side in (0, 1)
    ]
    together = [
        (one, other)
        for one, other in zip(*sides, strict=True)
        if one["state"] == ANSWERED and other["state"] == ANSWERED
    ]
    means = [
        sum(one[side]["credit"] for one in together) / len(together) if together else None for side in (0, 1)
    ]
    p = mcnemar(only[0], only[1])
    shared = len(together) / len(asked) if asked else None
    return {
        "n": len(asked),
        **_as_json(accuracy),
        "answer_rate": _as_json(rate),
        "mcnemar": {"left_only": only[0], "right_only": only[1], "p": p, "p_holm": p},
        "at_equal_rate": {"rate": shared, "left": means[0], "right": means[1]},
    }


def _as_json(found: TwoByTwo) -> dict[str, Any]:
    interval = list(found.interval) if found.interval else None
    return {"chi2": found.chi2, "p": found.p, "odds_ratio": found.odds_ratio, "ci": interval}


def finish(details: dict[str, Any], scores: Scores) -> dict[str, Any]:
    """Counts beside the measures; Holm's adjustment over the values of a label."""
    for name, own in details["runs"].items():
        own |= counts(scores.rows[name])
    for label, values in details["by"].items():
        for value, runs in values.items():
            for name, own in runs.items():
                own |= counts([row for row in scores.rows[name] if value in row.item.values(label)])
    families: dict[tuple[object, ...], dict[int, float]] = {}
    for at, one in enumerate(details["pairs"]):
        if "mcnemar" not in one:
            continue
        one["difference_ci"] = one["differences"].get("accuracy_all", {}).get("ci")
        if one["mcnemar"]["p"] is not None:
            families.setdefault((one["left"], one["right"], one["label"]), {})[at] = one["mcnemar"]["p"]
    for family in families.values():
        for at, adjusted in holm(family).items():
            details["pairs"][at]["mcnemar"]["p_holm"] = adjusted
    return details


def caveats(scores: Scores) -> Iterator[str]:
    """What a doctor wants to know, in sentences."""
    for name, own in scores.runs.items():
        rows = [row for row in scores.rows[name] if row.graded.get("main")]
        if not rows:
            continue
        found = counts(scores.rows[name])
        rate, accuracy = own.scores["answer_rate"].value, own.scores["accuracy"].value
        accuracy = own.scores["accuracy_without_idk"].value if accuracy is None else accuracy
        if accuracy is None:
            yield f"{name} answered none of {found['n']:,} questions."
            continue
        yield (
            f"{name} answered {_percent(found['answered'] / found['n'] if rate is None else rate)} of the "
            f"questions, and {_percent(accuracy)} of its answers were right."
        )
        best = _best_guess(rows)
        if best is not None:
            yield (
                f"A guesser who never looks at the question as a whole ({best[0].replace('_', ' ')}) gets "
                f"{_percent(best[1])} on what {name} answered."
            )
        above = own.scores["above_guess"].interval
        if above is not None and above[0] <= 0:
            yield f"{name} is not clearly better than that guesser: do not rely on what it knows."
        elif above is not None:
            yield f"{name} is better than that guesser, by {_percent(above[0])} to {_percent(above[1])}."
        if found[INVALID] > _TOO_MANY_INVALID * found["n"]:
            unread = f"{found[INVALID]:,} of {found['n']:,} replies"
            yield f"{name}: {unread} were neither an option nor “I do not know”."
        passed = sum(row.graded["state"] == "idk" and not row.graded["offered"] for row in scores.rows[name])
        if passed:
            yield f"{name} said “I do not know” {passed:,} times where that was not offered."
    yield from _verdicts(scores)
    yield from _over_disciplines(scores)


def _best_guess(rows: Sequence[Row]) -> tuple[str, float] | None:
    """The best blind guesser and its share; None where items do not say what a guesser gets."""
    given = [row.item.reference.get("guess") for row in rows if row.graded["state"] == ANSWERED]
    guesses = [one for one in given if one]
    sums = {line: sum(float(one.get(line, 0)) for one in guesses) / len(guesses) for line in LINES if guesses}
    best = max(sums, key=lambda line: sums[line], default="")
    return (best, sums[best]) if best else None


def _verdicts(scores: Scores) -> Iterator[str]:
    """Which of two is better: by the published test, or by the paired one."""
    for one in scores.pairs:
        if one.label:
            continue
        paper = scores.profile == "paper"
        p = one.statistics["p"] if paper else one.statistics["mcnemar"]["p"]
        test = "chi-square of the answered" if paper else "McNemar over all questions"
        if p is None:
            yield f"{one.left} and {one.right} cannot be told apart: there is nothing on which they differ."
            continue
        ahead = _ahead(one, scores) if paper else one.differences["accuracy_all"].value or 0.0
        better, other = (one.left, one.right) if ahead > 0 else (one.right, one.left)
        if p < 0.05:
            yield f"{better} does better than {other} ({test}, {_p(p)})."
        else:
            yield f"{one.left} and {one.right} do not differ for certain ({test}, {_p(p)})."


def _ahead(one: Pair, scores: Scores) -> float:
    """By how much left is ahead in what the published test compares: everything that each answered."""
    ratio = one.statistics["odds_ratio"]
    if ratio is not None:
        return float(ratio) - 1
    left, right = (scores.runs[name].scores["accuracy"].value or 0.0 for name in (one.left, one.right))
    return left - right


def _over_disciplines(scores: Scores) -> Iterator[str]:
    """Spearman between accuracy and answer rate, and the gap between best and worst, by discipline."""
    found: dict[str, list[tuple[float, float]]] = {}
    for runs in scores.by.get("discipline", {}).values():
        for name, own in runs.items():
            accuracy, rate = own.scores["accuracy"].value, own.scores["answer_rate"].value
            if own.n > _LEAST_ASKED and accuracy is not None and rate is not None:
                found.setdefault(name, []).append((accuracy, rate))
    for name, values in found.items():
        correlation = spearman([one for one, _ in values], [rate for _, rate in values])
        if correlation is not None:
            yield (
                f"{name}: over {len(values)} disciplines accuracy and answer rate have Spearman's rho "
                f"{correlation[0]:.2f} (p {correlation[1]:.3f}); best and worst are "
                f"{_percent(max(values)[0] - min(values)[0])} apart."
            )
    gaps: list[float] = []
    for groups in scores.by.values():
        for name in scores.runs:
            points = [runs[name].scores["accuracy"].value for runs in groups.values() if name in runs]
            there = [one for one in points if one is not None]
            gaps += [max(there) - min(there)] if len(there) > 1 else []
    if len(gaps) > 1 and (middle := quartiles(gaps)) is not None:
        yield (
            f"Between the best and the worst value of a label lie {_percent(middle[1])} "
            f"[{_percent(middle[0])} to {_percent(middle[2])}] of accuracy."
        )


def _p(p: float) -> str:
    return f"p {p:.4f}" if p >= 0.0001 else "p < 0.0001"


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


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
    asked = f"{_whole_percent(share or 0.0)} of {of['n']:,} questions"
    return (
        f"{name} answered {asked}, and {_whole_percent(accuracy_of(own) or 0.0)} of these answers were right"
    )


def _guesses(named: Sequence[str], found: dict[str, RunScores]) -> str:
    lines = [one for name in named if (one := guess_of(found[name])) is not None]
    if not lines:
        return "an unknown share of the same right"
    low, high = _whole_percent(min(lines)), _whole_percent(max(lines))
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


def _whole_percent(share: float) -> str:
    return f"{share * 100:.0f} %"
