"""How long grounding takes, against LangExtract's aligner in an environment of its own (see the Makefile)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from extractors.grounding import Grounder
from tests.bench.measure import Measure, best_seconds
from tests.bench.samples import DEMO, sample_reports

ROOT = Path(__file__).resolve().parents[2]
LANGEXTRACT = ROOT / ".cache" / "langextract" / "bin" / "python"
FUNCTION_WORD = re.compile(r"\b(?:the|a|an|was|were|had|of)\s", re.IGNORECASE)
PARAPHRASED = 4  # every fourth quote loses its function words, as models shorten them


def measures() -> list[Measure]:
    """Both place the gold set's quotes, detokenised and some shortened; [] where LangExtract is absent."""
    if not LANGEXTRACT.exists():
        sys.stderr.write("not measured: grounding (LangExtract could not be installed)\n")
        return []
    work = _work()
    ours = best_seconds(lambda: [Grounder(text).ground_all(quotes) for text, quotes in work], 5)
    script = Path(__file__).with_name("langextract_aligner.py")
    command = [str(LANGEXTRACT), str(script)]
    done = subprocess.run(command, input=json.dumps(work), capture_output=True, text=True, check=True)
    return [Measure("grounding of quotes", ours / float(done.stdout), 0.05, "LangExtract's aligner")]


def _work() -> list[tuple[str, list[str]]]:
    """Texts with the quotes to be placed in them."""
    texts = {record.document.title: record.document.text for record in sample_reports()}
    gold = json.loads((DEMO / "annotations" / "gold.json").read_text("utf-8"))
    return [(texts[report["title"]], _mangled(report)) for report in gold]


def _mangled(report: dict[str, object]) -> list[str]:
    quotes = [quote for value in report.values() if isinstance(value, list) for quote in value]
    spaced = [re.sub(r"\s*([,;:()%/.])\s*", r" \1 ", quote).strip() for quote in quotes]
    return [FUNCTION_WORD.sub("", q) if n % PARAPHRASED == 0 else q for n, q in enumerate(spaced)]
