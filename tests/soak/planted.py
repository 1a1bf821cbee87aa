"""What may tell who a patient is, planted in real reports: how much is found, and how often there is nothing.

The reports are those of `../shared/corpora`, where that is; sentences are those of the unit test.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

from app.formats.jats import read_articles
from extractors.checks.identifiers import identifiers
from extractors.model.errors import FormatError
from extractors.model.scheme import default_scheme
from tests.unit.extractors.checks.test_identifiers import PLANTED

_CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"
_SENTENCES: dict[str, list[str]] = {}
for _kind, _frame, _several in PLANTED:
    _SENTENCES.setdefault(_kind, []).extend(_frame.format(one) for one in _several.split("|"))


@dataclass(frozen=True, slots=True)
class Planted:
    """Per kind how many were planted, and which were missed; what was said of the `reports` as they are."""

    reports: int
    planted: Counter[str]
    missed: list[str]
    warned: Counter[str]


def measure(count: int, seed: int) -> Planted | None:
    """Plant one of each kind in each of `count` texts; None where there are no reports."""
    texts = [*_texts()]
    if not texts:
        return None
    rng, found = Random(seed), Planted(len(texts), Counter(), [], Counter())
    for number in range(count):
        text = texts[number % len(texts)]
        if number < len(texts):
            found.warned.update(f"{one.kind}: {one.text}" for one in identifiers(text))
        ends = [0, *(one.end() for one in re.finditer(r"\. ", text))]
        told, placed = "", []
        for kind, (start, end) in zip(_SENTENCES, pairwise(_places(ends, rng)), strict=True):
            sentence = rng.choice(_SENTENCES[kind]) + "."
            told += text[start:end]
            placed.append((kind, len(told), sentence))
            told += sentence + " "
        starts = [one.start for one in identifiers(told)]
        for kind, place, sentence in placed:
            found.planted[kind] += 1
            if not any(place <= one < place + len(sentence) for one in starts):
                found.missed.append(f"{kind}: {sentence}")
    return found


def _places(ends: list[int], rng: Random) -> list[int]:
    """The beginning of the text and as many places between its sentences as there are kinds."""
    return [0, *sorted(rng.choices(ends, k=len(_SENTENCES)))]


def _texts() -> Iterator[str]:
    for path in sorted(_CORPORA.glob("maccrobat/*.txt")):
        yield path.read_text(encoding="utf-8")
    for path in sorted(_CORPORA.glob("jats/case-report/*.xml")):
        for report in read_articles(path.read_bytes(), default_scheme().ids):
            if not isinstance(report, FormatError):
                yield report[0].text
