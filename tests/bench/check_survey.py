"""How often the intervals of `corpus quality` hold the truth, on corpora that are made with a known one.

    python -m tests.bench.check_survey [DRAWS]

For every way of sampling, some shares of right quotes, quotes in a report and sizes of sample; reports differ
in how well they were read, and what strata are made of goes with it. Prints the share of draws in 100.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import numpy as np

from app.agreement.survey import Stratum, estimate, joined
from app.operations.corpus.sampling import WAYS, Traits, draw, strata_of

REPORTS = 2000
Corpus = tuple[dict[str, Traits], dict[str, tuple[float, float]]]


def corpus(right: float, quotes: float, seed: int) -> Corpus:
    """Traits of every report, and its right quotes of all."""
    chance = np.random.default_rng(seed)
    hard = chance.beta(6 * right, 6 * (1 - right), REPORTS)
    numbers = chance.poisson(quotes * chance.gamma(2, 0.5, REPORTS))
    rights = chance.binomial(numbers, hard)
    traits, counts = {}, {}
    for at in range(REPORTS):
        name = f"r{at:05}"
        categories = frozenset(f"C{one}" for one in range(8) if chance.random() < 0.7 ** (one + 1))
        clash = max(0.0, 0.6 - hard[at] + chance.normal(0, 0.2))
        traits[name] = Traits(categories, float(hard[at] + chance.normal(0, 0.15)), clash)
        counts[name] = float(rights[at]), float(numbers[at])
    return traits, counts


def covered(made: Corpus, way: str, number: int, draws: int) -> float:
    """Draws in 100 whose interval holds the truth."""
    traits, counts = made
    truth = sum(top for top, _ in counts.values()) / sum(low for _, low in counts.values())
    strata = strata_of(traits, way, number)
    held = 0
    for seed in range(draws):
        drawn = draw(strata, number, random.Random(seed))
        seen = [Stratum(len(strata[name]), _seen(counts, names)) for name, names in drawn.items()]
        interval = estimate(joined(seen)).interval
        held += interval is not None and interval[0] - 1e-12 <= truth <= interval[1] + 1e-12
    return 100 * held / draws


def _seen(counts: dict[str, tuple[float, float]], names: Sequence[str]) -> tuple[tuple[float, float], ...]:
    return tuple(counts[name] for name in names)


def main() -> None:
    """A line for each corpus and size, a column for each way."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("right quotes n", *WAYS)
    for right in (0.6, 0.8, 0.9):
        for quotes in (3, 12):
            made = corpus(right, quotes, 1)
            for number in (60, 120):
                print(right, quotes, number, *(f"{covered(made, way, number, draws):.1f}" for way in WAYS))


if __name__ == "__main__":
    main()
