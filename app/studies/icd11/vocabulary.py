"""How varied and how particular the words are in which a disease is told (figure 4)."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from app.studies.icd11.views import View
from app.studies.results import Item
from extractors.model.errors import CallError

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
EPSILON, DRAWS = 1e-6, 20
_MODEL_SAID: dict[tuple[str, str], frozenset[str]] = {}
Find = Callable[[str], frozenset[str]]


def words_of(text: str) -> list[str]:
    """Lower-cased runs of letters with inner hyphen or apostrophe."""
    return [word.replace("’", "'") for word in WORD.findall(text.lower())]


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
    by_first: dict[str, set[tuple[str, ...]]] = {}
    for term in terms:
        if words := tuple(words_of(term)):
            by_first.setdefault(words[0], set()).add(words)

    def find(text: str) -> frozenset[str]:
        said = words_of(text)
        return frozenset(
            " ".join(term)
            for place, word in enumerate(said)
            for term in by_first.get(word, ())
            if tuple(said[place : place + len(term)]) == term
        )

    return find


def _by_model(name: str) -> tuple[str, Find]:
    import spacy

    try:
        model = spacy.load(name)
    except OSError:
        raise CallError(f"spaCy has no model {name} here; install it, or leave --terms-model out.") from None

    def find(text: str) -> frozenset[str]:
        key = name, text
        if key not in _MODEL_SAID:
            _MODEL_SAID[key] = frozenset(entity.text.lower() for entity in model(text).ents)
        return _MODEL_SAID[key]

    return f"the model {name}", find


def vocabularies(items: Sequence[Item], view: View, find: Find, seed: int = 1) -> list[dict[str, Any]]:
    """Of each class: reports, distinct words and terms, DF-VS, DF-MVS, both MTES; null where undefined.

    The matched columns are means over 20 draws of as many reports as the rarest class has.
    """
    told = [
        (view.truths(item), frozenset(words_of(item.input["report"])), find(item.input["report"]))
        for item in items
    ]
    own: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {name: [] for name in view.names}
    for names, words, terms in told:
        for name in names:
            own[name].append((words, terms))
    counts = {name: Counter(term for _, terms in reports for term in terms) for name, reports in own.items()}
    every: Counter[str] = Counter()
    for each in counts.values():
        every.update(each)
    least = min((len(reports) for reports in own.values() if reports), default=0)
    return [
        {
            "name": name,
            **_sizes(reports),
            **_exclusive(counts[name], every, len(view.names) - 1),
            **_matched(reports, least, f"{seed}/{name}"),
        }
        for name, reports in own.items()
    ]


def _sizes(reports: Sequence[tuple[frozenset[str], frozenset[str]]]) -> dict[str, Any]:
    words, terms = (len(frozenset().union(*(one[place] for one in reports))) for place in (0, 1))
    df = len(reports)
    shares = {"df_vs": words / df if df else None, "df_mvs": terms / df if df else None}
    return {"df": df, "vocabulary": words, "terms": terms, **shares}


def _exclusive(own: Counter[str], every: Counter[str], others: int) -> dict[str, float | None]:
    """MTES: how often the class's terms stand in reports of the others, and the reciprocal of that."""
    if not own or others < 1:
        return {"mtes_mean": None, "mtes_reciprocal": None}
    average = [(every[term] - own[term]) / others for term in sorted(own)]
    return {
        "mtes_mean": statistics.fmean(average),
        "mtes_reciprocal": statistics.fmean(1 / (one + EPSILON) for one in average),
    }


def _matched(
    reports: Sequence[tuple[frozenset[str], frozenset[str]]], least: int, seed: str
) -> dict[str, float | None]:
    if not reports or not least:
        return {"df_vs_matched": None, "df_mvs_matched": None}
    draw = Random(seed)
    drawn = [_sizes(draw.sample(reports, least)) for _ in range(DRAWS)]
    return {
        "df_vs_matched": statistics.fmean(one["df_vs"] for one in drawn),
        "df_mvs_matched": statistics.fmean(one["df_mvs"] for one in drawn),
    }
