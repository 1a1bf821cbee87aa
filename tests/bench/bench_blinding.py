"""How long names of disorders and views of cases take, against splitting the same reports into words.

Orphanet does not come along: the terms of HPO, of which there are more, stand for its disorders. Samples are
short; three of them make a report of the usual length.
"""

from __future__ import annotations

import re

from extractors.blinding.anchor import Disorders
from extractors.blinding.case import Case
from extractors.blinding.masking import Diagnosis
from extractors.blinding.view import TRACKS, Blinding
from extractors.blinding.words import Words
from extractors.model.document import Document, Section
from extractors.terminology.library import shipped_hpo
from tests.bench.measure import Measure, interleaved_ratio
from tests.bench.samples import sample_reports

_WORD = re.compile(r"\w+")
_TERM = "HP:0001082"
_TOGETHER, _TIMES = 3, 10


def measures() -> list[Measure]:
    """All sample reports, one after the other."""
    samples = [record.document.text for record in sample_reports()]
    texts = ["\n\n".join(samples[at : at + _TOGETHER]) for at in range(0, len(samples), _TOGETHER)]
    reports = [Document("A report", text, (Section("", (), 0, len(text), ()),)) for text in texts] * _TIMES
    names = Disorders(shipped_hpo())
    aliases = names.aliases(_TERM)
    diagnosis = Diagnosis(_TERM, aliases[0].text, aliases, names.hints(_TERM, aliases))

    def split() -> None:
        for report in reports:
            _WORD.findall(report.text)

    def views() -> None:
        for report in reports:
            blinding = Blinding(Case(report), diagnosis)
            for track in TRACKS:
                blinding.view(track)

    def find() -> None:
        for report in reports:
            names.find(Words(report.text))

    split_words = "splitting the reports into words"
    return [
        Measure("all names of a nomenclature", interleaved_ratio(find, split, repeats=9), 6, split_words),
        Measure(
            "views and audits of four tracks", interleaved_ratio(views, split, repeats=9), 30, split_words
        ),
    ]
