"""The measures; the order here is that of every table, and a line here registers one."""

from __future__ import annotations

from app.agreement.measures import concepts, quotes, tokens
from app.agreement.measures.measure import Measure, Place
from app.agreement.types import Profile

MEASURES: tuple[Measure, ...] = (
    quotes.TOKEN_SET_RATIO,
    quotes.LEVENSHTEIN,
    quotes.EXACT_MATCH,
    quotes.BLEU_1,
    quotes.BLEU_4,
    quotes.ROUGE_L,
    quotes.OMISSION,
    quotes.HALLUCINATION,
    quotes.SPAN_F1,
    quotes.SPAN_F1_OVERLAP,
    quotes.PRECISION,
    quotes.RECALL,
    quotes.F1,
    tokens.COHEN_KAPPA,
    tokens.KRIPPENDORFF_ALPHA,
    concepts.CONCEPT_F1,
    concepts.CONCEPT_NEARNESS,
)
BY_KEY: dict[str, Measure] = {measure.key: measure for measure in MEASURES}

__all__ = ["BY_KEY", "MEASURES", "Measure", "Place", "leading", "measures_of", "shown_in"]


def measures_of(profile: Profile) -> tuple[Measure, ...]:
    """The measures a profile has."""
    return tuple(measure for measure in MEASURES if measure.explanation(profile))


def shown_in(place: Place, profile: Profile) -> tuple[Measure, ...]:
    """The measures that stand in a place."""
    return tuple(measure for measure in MEASURES if measure.stands_in(place, profile))


def leading(profile: Profile) -> Measure:
    """The measure that stands for a profile where there is room for one."""
    return next(measure for measure in MEASURES if measure.leads == profile)
