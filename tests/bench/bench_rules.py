"""How long the rules take, warm and from a cold start, against spaCy's blank pipeline with sentences."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import spacy

from extractors.model.scheme import default_scheme
from extractors.rules import RulesExtractor
from tests.bench.measure import Measure, best_seconds, interleaved_ratio
from tests.bench.samples import DEMO, sample_reports

ROOT = Path(__file__).resolve().parents[2]
REPORT = DEMO / "reports" / "late-onset-pompe.txt"
BLANK = """
import spacy, sys
nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp(open(sys.argv[1], encoding="utf-8").read())
"""
RULES = """
import sys
from app.formats.documents.text import text_document
from extractors.rules import RulesExtractor
from extractors.model.scheme import default_scheme
scheme = default_scheme()
report = text_document(open(sys.argv[1], encoding="utf-8").read(), "report", scheme.ids)
assert RulesExtractor(scheme).extract(report)
"""


def measures() -> list[Measure]:
    """Warm: all sample reports, one after the other; cold: a new process up to its first findings."""
    reports = [record.document for record in sample_reports()]
    blank = spacy.blank("en")
    blank.add_pipe("sentencizer")
    rules = RulesExtractor(default_scheme())
    warm = interleaved_ratio(
        lambda: [rules.extract(report) for report in reports],
        lambda: [blank(report.text) for report in reports],
        repeats=9,
    )
    cold = best_seconds(lambda: _run(RULES), 5) / best_seconds(lambda: _run(BLANK), 5)
    return [
        Measure("rules on a report, warm", warm, 4, "spaCy's blank pipeline with sentences"),
        Measure("rules, cold start to findings", cold, 2, "import of spaCy and a blank pipeline"),
    ]


def _run(script: str) -> None:
    subprocess.run([sys.executable, "-c", script, str(REPORT)], cwd=ROOT, check=True)
