"""How long a JATS file takes to become a document, against lxml's parsing alone."""

from __future__ import annotations

from lxml import etree

from app.formats.jats import read_jats
from extractors.scheme import default_scheme
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_files


def measures() -> list[Measure]:
    """One ratio over all sample files."""
    files, categories = sample_files(), default_scheme().ids
    ratio = interleaved_ratio(
        lambda: [list(read_jats(data, categories)) for data in files],
        lambda: [etree.fromstring(data) for data in files],
        repeats=15,
    )
    return [Measure("JATS to document", ratio, 3, "lxml's parsing alone")]
