"""What is measured of a run: accuracy, how often it answers, how far beyond guessing, how steadily."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt

from app.studies.ebmqa.asking import ANSWERED
from app.studies.ebmqa.words import CONTROL, LINES
from app.studies.results import Measure, Row

_BINS = 10
_PLACES = 7


def _own(row: Row) -> bool:
    return row.item.task != CONTROL


def _given(row: Row) -> bool:
    return _own(row) and row.graded["state"] == ANSWERED


def accuracy(row: Row) -> float | None:
    """Credit of an answer where IDK was offered."""
    return row.graded["credit"] if _given(row) and row.graded["offered"] else None


def without_idk(row: Row) -> float | None:
    """Credit where IDK was not offered, and of a person's answers with the guesses after them."""
    counts = not row.graded["offered"] or row.graded["kept"]
    return row.graded["credit"] if _given(row) and counts else None


def answered(row: Row) -> float | None:
    """Whether there was an answer, of what was asked with IDK."""
    if not _own(row) or row.graded["second"] or not row.graded["offered"]:
        return None
    return float(row.graded["state"] == ANSWERED)


def over_all(row: Row) -> float | None:
    """Credit with everything else as wrong."""
    return row.graded["credit"] if row.graded["main"] else None


def _credit(row: Row) -> float | None:
    return row.graded["credit"] if _given(row) and row.graded["main"] else None


def _exact(row: Row) -> float | None:
    return float(row.graded["exact"]) if _given(row) and row.graded["main"] else None


def _with_guesses(row: Row) -> Sequence[float] | None:
    guess = row.item.reference.get("guess")
    if not (_given(row) and row.graded["main"] and guess):
        return None
    return [row.graded["credit"], 1.0, *[guess.get(line, 0.0) for line in LINES]]


def _less_the_best_guess(sums: Sequence[float]) -> float | None:
    right, number, *lines = sums[: 2 + len(LINES)]
    return (right - max(lines)) / number if number else None


def _brier(row: Row) -> float | None:
    sure = row.graded["confidence"]
    return (sure - row.graded["credit"]) ** 2 if _given(row) and sure is not None else None


def _binned(row: Row) -> Sequence[float] | None:
    sure = row.graded["confidence"]
    if not _given(row) or sure is None:
        return None
    numbers = [0.0] * (3 * _BINS)
    at = min(int(sure * _BINS), _BINS - 1)
    numbers[3 * at : 3 * at + 3] = 1.0, sure, row.graded["credit"]
    return numbers


def _calibration(sums: Sequence[float]) -> float | None:
    total = sum(sums[0 : 3 * _BINS : 3])
    apart = sum(abs(sums[3 * at + 1] - sums[3 * at + 2]) for at in range(_BINS))
    return apart / total if total else None


def _placed(row: Row) -> Sequence[float] | None:
    place = row.graded["position"]
    if not _own(row) or row.graded["second"] or place is None:
        return None
    return _in_place(place, row.graded["credit"])


@cache
def _in_place(place: int, credit: float) -> Sequence[float]:
    numbers = [0.0] * (2 * _PLACES)
    numbers[2 * place : 2 * place + 2] = credit, 1.0
    return numbers


def _spread(sums: Sequence[float]) -> float | None:
    recalls = [sums[2 * at] / sums[2 * at + 1] for at in range(_PLACES) if sums[2 * at + 1]]
    if len(recalls) < 2:
        return None
    middle = sum(recalls) / len(recalls)
    return sqrt(sum((one - middle) ** 2 for one in recalls) / len(recalls))


def _same(row: Row) -> float | None:
    return None if row.graded["same"] is None else float(row.graded["same"])


def _control(row: Row) -> float | None:
    counts = row.item.task == CONTROL and row.value is not None
    return float(row.graded["state"] == ANSWERED) if counts else None


_ONCE = "Every question was asked once, so that nothing can be said of how steady the answers are."
_UNSURE = "The server gave no log-probabilities, and every question was asked once: nobody knows how sure."
MEASURES = (
    Measure("accuracy", "Accuracy", accuracy,
            reason="But for invented questions nothing was answered where “I do not know” was offered."),
    Measure("answer_rate", "Answer rate", answered,
            reason="“I do not know” was never offered, but for invented questions."),
    Measure("accuracy_all", "Accuracy over all", over_all,
            reason="Nothing was asked but invented questions."),
    Measure("above_guess", "Above the best guesser", _with_guesses, _less_the_best_guess,
            reason="Nothing was answered but invented questions, or items do not say what a guesser gets."),
    Measure("accuracy_without_idk", "Accuracy without IDK", without_idk,
            reason="Nothing was asked without “I do not know”."),
    Measure("credit", "Credit", _credit, listed=False),
    Measure("exact", "Exactly right", _exact, listed=False),
    Measure("brier", "Brier score", _brier, listed=False, reason=_UNSURE),
    Measure("calibration_error", "Calibration error", _binned, _calibration, listed=False,
            reason=_UNSURE),
    Measure("position_rstd", "RStd over positions", _placed, _spread, listed=False,
            reason="The right answers stood in fewer than two positions."),
    Measure("consistency", "Same answer throughout", _same, reason=_ONCE),
    Measure("controls_answered", "Invented questions answered", _control,
            reason="No question on invented entities was answered or passed."),
)  # fmt: skip
