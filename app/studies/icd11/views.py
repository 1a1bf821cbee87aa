"""What a run is about, its classes, samples and lists, and how varied the words of a disease are."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from app.studies.results import Item, Row, Settings
from extractors.grouping import grouped
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

COUNT, REPEATS, TOP = 1000, 3, 3
ORDERS = ("origin", "random", "freq-first", "correct-first", "correct-last")
LISTS = ("long", "short", "short-paper")
# The orders under which a model's wrong names make the short lists.
_MAKE_SHORT = ("freq-first", "correct-first")
_OF_RUN = ("count", "repeats", "order", "list", "top", "alpha", "prior", "normalise")


@dataclass(frozen=True, slots=True)
class View:
    """The classes that occur at least so often, as the build tells of them, the commonest first."""

    least: int
    classes: tuple[Mapping[str, Any], ...]
    names: tuple[str, ...]
    known: frozenset[str]

    def truths(self, item: Item) -> list[str]:
        """The right names of an item that are classes of the view, by seq_num."""
        return [name for name in item.reference["names"] if name in self.known]


def view_of(settings: Settings) -> View:
    """The view that the settings name, that of the build where they name none; raises CallError."""
    built = settings.get("built") or {}
    if "classes" not in built:
        raise CallError("The project does not say which classes its items have; build them here.")
    least = settings.get("min_count") or built["min_count"]
    if least < built["min_count"]:
        raise CallError(
            f"These items were built with --min-count {built['min_count']}; a smaller one takes a build of "
            "its own, in another project."
        )
    classes = tuple(one for one in built["classes"] if one["admissions"] >= least)
    names = tuple(dict.fromkeys(one["name"] for one in classes))
    if not names:
        raise CallError(f"No class occurs {least:,} times; choose a smaller --min-count.")
    return View(least, classes, names, frozenset(names))


def choose(items: Sequence[Item], settings: Settings) -> Sequence[Item]:
    """What a run with these settings asks; without any of a run, all items of the view."""
    if not items:
        return items
    view = view_of(settings)
    if not of_run(settings):
        return [one for one in items if view.truths(one)]
    drawn = samples(items, settings)
    return [one for one in items if one.id in drawn]


def of_run(settings: Settings) -> bool:
    """Whether the settings are those of a run, not of a list of all that there is."""
    return (
        "arm" in settings or settings.get("analysis") or any(settings.get(key) is not None for key in _OF_RUN)
    )


def samples(items: Sequence[Item], settings: Settings) -> dict[str, list[int]]:
    """In which samples (from 1) of the test part an item is, by id; each is drawn anew, by seed."""
    view = view_of(settings)
    test = [one.id for one in items if one.labels.get("split") == "test" and view.truths(one)]
    count, repeats = settings.get("count") or COUNT, settings.get("repeats") or REPEATS
    return grouped(
        (name, number)
        for number in range(1, repeats + 1)
        for name in shuffled(test, f"sample/{settings['seed']}/{number}")[:count]
    )


def shuffled(names: Iterable[str], seed: str) -> list[str]:
    """Names in an order that the seed draws, whatever the one they come in."""
    order = sorted(names)
    Random(seed).shuffle(order)
    return order


Earlier = Mapping[str, tuple[Settings, Sequence[Row]]]


def lists_of(settings: Settings, earlier: Callable[[], Earlier]) -> Callable[[Item], list[str]]:
    """The list that each item is asked with, in its order; raises CallError where a short one has no run."""
    view, seed = view_of(settings), settings["seed"]
    origin = shuffled(view.names, f"origin/{seed}")
    which, order = settings.get("list") or "long", settings.get("order")
    wrong = {} if which == "long" else _wrong_names(view, earlier(), outside=which == "short-paper")

    def listed(item: Item) -> list[str]:
        truths = view.truths(item)
        if which == "long":
            names: Sequence[str] = origin
        else:
            own = {*wrong.get(item.id, ()), *truths}
            names = shuffled(own, f"short/{seed}/{item.id}")
        if not set(truths) <= set(names):
            raise CallError(
                f"The list of {item.id} lacks some of its right names; build the items and their lists anew."
            )
        return _ordered(names, order, truths, view, f"random/{seed}/{item.id}")

    return listed


def _ordered(
    names: Sequence[str], order: str | None, truths: Sequence[str], view: View, seed: str
) -> list[str]:
    rest = [name for name in names if name not in set(truths)]
    if order == "random":
        return shuffled(names, seed)
    if order == "freq-first":
        place = {name: number for number, name in enumerate(view.names)}
        return sorted(names, key=lambda name: place.get(name, len(place)))
    if order == "correct-first":
        return [*truths, *rest]
    return [*rest, *truths] if order == "correct-last" else list(names)


def _wrong_names(view: View, earlier: Earlier, *, outside: bool) -> dict[str, set[str]]:
    """What models said wrongly of each item under the two orders that the paper takes."""
    found: dict[str, set[str]] = {}
    runs = 0
    for settings, rows in earlier.values():
        long = (settings.get("list") or "long") == "long" and settings.get("arm") in ("generate", "choose")
        if not long or settings.get("order") not in _MAKE_SHORT:
            continue
        runs += 1
        for row in rows:
            if isinstance(row.value, dict):
                there = set(row.value["predicted"]) - set(view.truths(row.item))
                found.setdefault(row.item.id, set()).update(there if outside else there & view.known)
    if not runs:
        raise CallError(
            "A short list is made of what models said before: run with --order freq-first and with --order "
            "correct-first, without --list."
        )
    return found


WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")

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
    by_first = grouped((words[0], words) for term in terms if (words := words_of(term)))

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
