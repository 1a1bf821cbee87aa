"""How long the phenotypes of reports take by rules, warm, against spaCy's blank pipeline with sentences."""

from __future__ import annotations

import spacy

from extractors.phenotypes.engine import PhenotypeRules
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_reports


def measures() -> list[Measure]:
    """All sample reports, one after the other."""
    texts = [record.document.text for record in sample_reports()]
    blank = spacy.blank("en")
    blank.add_pipe("sentencizer")
    rules = PhenotypeRules()
    ratio = interleaved_ratio(
        lambda: [rules.find(text) for text in texts], lambda: [blank(text) for text in texts], repeats=9
    )
    return [Measure("phenotypes by rules, warm", ratio, 5, "spaCy's blank pipeline with sentences")]
