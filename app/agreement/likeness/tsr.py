"""The paper's token set ratio of pairs of report and category, without all the other measures."""

from __future__ import annotations

from app.agreement.likeness.pairs import Texts, best_token_set_ratios


def paper_token_set_ratios(left: Texts, right: Texts) -> list[float]:
    """0-100 for each cell of quotes: 100 where both sides are empty, 0 where one is, else the left's mean.

    The same numbers as `compare` with the profile "paper" gives its cells.
    """
    full = [number for number, cell in enumerate(left) if cell and right[number]]
    scores = [0.0 if ours or theirs else 100.0 for ours, theirs in zip(left, right, strict=True)]
    best = best_token_set_ratios([left[number] for number in full], [right[number] for number in full])
    for number, row in zip(full, best, strict=True):
        scores[number] = sum(row) / len(row)
    return scores
