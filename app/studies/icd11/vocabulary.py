"""How varied and how particular the words are in which a disease is told (figure 4)."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from app.studies.icd11.views import View
from app.studies.results import Item
from extractors.model.errors import CallError

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

EPSILON, DRAWS = 1e-6, 20
_MODEL_SAID: dict[tuple[str, str], frozenset[str]] = {}
# The terms of a text, which is given with its words.
Find = Callable[[str, Sequence[str]], frozenset[str]]


def words_of(text: str) -> list[str]:
    """Lower-cased runs of letters with inner hyphen or apostrophe."""
    return WORD.findall(text.lower().replace("’", "'"))


def term_finder(settings: Mapping[str, Any]) -> tuple[str, Find]:
    """What the terms are called, and what finds those of a text; raises CallError."""
    if settings.get("terms_model"):
        return _by_model(settings["terms_model"])
    terms = settings.get("terms") or "lexicon"
    if terms == "lexicon":
        return "our lexicon of symptoms", _of_lexicon()
    try:
        lines = Path(terms).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise CallError(
            f"{terms} cannot be read; --terms is lexicon, or a file with a term a line."
        ) from None
    return f"the list {Path(terms).name}", _by_list(tuple(filter(None, map(str.strip, lines))))


@lru_cache(maxsize=1)
def _of_lexicon() -> Find:
    """The names of HPO's terms and the everyday words for them, as the rules know them."""
    from extractors.terminology.library import shipped_hpo

    return _by_list(tuple(shipped_hpo().names))


def _by_list(terms: Sequence[str]) -> Find:
    """Terms whose words follow each other, case aside."""
    by_first: dict[str, list[list[str]]] = {}
    for term in terms:
        if words := words_of(term):
            by_first.setdefault(words[0], []).append(words)

    def find(text: str, lines: Sequence[str]) -> frozenset[str]:
        return frozenset(
            " ".join(term)
            for place, word in enumerate(lines)
            if word in by_first
            for term in by_first[word]
            if lines[place : place + len(term)] == term
        )

    return find


def _by_model(name: str) -> tuple[str, Find]:
    import spacy

    try:
        model = spacy.load(name)
    except OSError:
        raise CallError(f"spaCy has no model {name} here; install it, or leave --terms-model out.") from None

    def find(text: str, _: Sequence[str]) -> frozenset[str]:
        key = name, text
        if key not in _MODEL_SAID:
            _MODEL_SAID[key] = frozenset(entity.text.lower() for entity in model(text).ents)
        return _MODEL_SAID[key]

    return f"the model {name}", find


def vocabularies(items: Sequence[Item], view: View, find: Find) -> list[dict[str, Any]]:
    """Of each class: reports, distinct words and terms, DF-VS, DF-MVS, both MTES; null where undefined.

    The matched columns are means over 20 draws of as many reports as the rarest class has.
    """
    import numpy as np

    own: dict[str, list[int]] = {name: [] for name in view.names}
    words, terms = _Occurrences(), _Occurrences()
    for item in items:
        if names := view.truths(item):
            for name in names:
                own[name].append(len(words.reports))
            given = words_of(item.input["report"])
            words.add(given)
            terms.add(find(item.input["report"], given))
    counts = {name: terms.counts(reports) for name, reports in own.items()}
    every = np.sum(list(counts.values()), axis=0)
    least = min((len(reports) for reports in own.values() if reports), default=0)
    return [
        {
            "name": name,
            **_sizes(words, terms, reports),
            **_exclusive(counts[name], every, len(view.names) - 1),
            **_matched(words, terms, reports, least, f"1/{name}"),
        }
        for name, reports in own.items()
    ]


class _Occurrences:
    """What each report says, as numbers, each once."""

    def __init__(self) -> None:
        self.reports: list[Array] = []
        self._numbers: dict[str, int] = {}

    def add(self, words: Iterable[str]) -> None:
        import numpy as np

        known = self._numbers
        self.reports.append(np.array([known.setdefault(one, len(known)) for one in {*words}], np.int32))

    def counts(self, reports: Sequence[int]) -> Array:
        """In how many of these reports each stands."""
        import numpy as np

        given = np.concatenate([np.zeros(0, np.int32), *(self.reports[one] for one in reports)])
        return np.bincount(given, minlength=len(self._numbers))

    def distinct(self, reports: Sequence[int]) -> int:
        """How many stand in these reports."""
        return int((self.counts(reports) > 0).sum())


def _sizes(words: _Occurrences, terms: _Occurrences, reports: Sequence[int]) -> dict[str, Any]:
    vocabulary, own, df = words.distinct(reports), terms.distinct(reports), len(reports)
    shares = {"df_vs": vocabulary / df if df else None, "df_mvs": own / df if df else None}
    return {"df": df, "vocabulary": vocabulary, "terms": own, **shares}


def _exclusive(own: Array, every: Array, others: int) -> dict[str, float | None]:
    """MTES: how often the class's terms stand in reports of the others, and the reciprocal of that."""
    there = own > 0
    if not there.any() or others < 1:
        return {"mtes_mean": None, "mtes_reciprocal": None}
    average = (every[there] - own[there]) / others
    return {"mtes_mean": float(average.mean()), "mtes_reciprocal": float((1 / (average + EPSILON)).mean())}


def _matched(
    words: _Occurrences, terms: _Occurrences, reports: Sequence[int], least: int, seed: str
) -> dict[str, float | None]:
    if not reports or not least:
        return {"df_vs_matched": None, "df_mvs_matched": None}
    draw = Random(seed)
    drawn = [draw.sample(reports, least) for _ in range(DRAWS)]
    return {
        f"{key}_matched": statistics.fmean(given.distinct(one) / least for one in drawn)
        for key, given in (("df_vs", words), ("df_mvs", terms))
    }
