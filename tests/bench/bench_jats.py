"""How long a JATS file takes to become a document, against lxml's parsing alone."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from lxml import etree

from app.formats.jats import read_articles
from extractors.model.scheme import default_scheme
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import DEMO

# Real articles where they lie beside the checkout, else the samples, which are short and hold few references.
CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "jats" / "case-report"


def measures() -> list[Measure]:
    """One ratio over all files, read one after the other."""
    folder = CORPUS if CORPUS.is_dir() else DEMO / "reports"
    files, categories = [path.read_bytes() for path in sorted(folder.glob("*.xml"))], default_scheme().ids

    def ours() -> None:
        for data in files:
            deque(read_articles(data, categories), maxlen=0)

    def parsing_alone() -> None:
        for data in files:
            etree.fromstring(data)

    ratio = interleaved_ratio(ours, parsing_alone, repeats=15)
    # 3 was promised, and 2.6 is read still, without figures, their captions, panels and mentions.
    return [Measure("JATS to document", ratio, 4.5, f"lxml's parsing alone ({len(files)} files)")]
