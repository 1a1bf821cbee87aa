"""The measures, a file each; the order here is that of every table, and a line here registers one."""

from __future__ import annotations

from app.agreement.measures import (
    bleu_1,
    bleu_4,
    cohen_kappa,
    concept_f1,
    concept_nearness,
    exact_match,
    f1,
    hallucination,
    krippendorff_alpha,
    levenshtein,
    omission,
    precision,
    recall,
    rouge_l,
    span_f1,
    span_f1_overlap,
    token_set_ratio,
)
from app.agreement.measures.measure import Measure, Place
from app.agreement.types import Profile

MEASURES: tuple[Measure, ...] = (
    token_set_ratio.MEASURE,
    levenshtein.MEASURE,
    exact_match.MEASURE,
    bleu_1.MEASURE,
    bleu_4.MEASURE,
    rouge_l.MEASURE,
    omission.MEASURE,
    hallucination.MEASURE,
    span_f1.MEASURE,
    span_f1_overlap.MEASURE,
    precision.MEASURE,
    recall.MEASURE,
    f1.MEASURE,
    cohen_kappa.MEASURE,
    krippendorff_alpha.MEASURE,
    concept_f1.MEASURE,
    concept_nearness.MEASURE,
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
