"""Where in a text the terms of a quote stand together, and which of them stand where."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from extractors.grounding.choice import Span, TextIndex
from extractors.text.boundaries import is_edge
from extractors.text.terms import SENTENCE, Terms
from extractors.text.words import ESSENTIAL, Kind

_MOST_HITS = 400
_MOST_WINDOWS = 32
_WEIGHTS = {Kind.FUNCTION: 0.0, Kind.LIGHT: 0.3, Kind.UNIT: 0.3}


@dataclass(slots=True)
class Alignment:
    """A quote's terms against a stretch of a text's terms.

    `pairs` joins terms of the quote to equal terms of the text, in the same order on both sides; `moved`
    joins those that stand in another order. `first` and `last` are the outermost terms of the place.
    """

    quote: Terms
    forms: list[str]
    text: Terms
    pairs: dict[int, int]
    moved: dict[int, int]
    first: int
    last: int

    @property
    def matched(self) -> dict[int, int]:
        return self.pairs | self.moved

    def free(self) -> list[int]:
        """Terms inside the place that no term of the quote is joined to."""
        taken = set(self.pairs.values()) | set(self.moved.values())
        return [place for place in range(self.first, self.last + 1) if place not in taken]


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text's terms, both ends included; `weight` is higher the more of the quote it holds."""

    weight: float
    first: int
    last: int


def windows(index: TextIndex, quote: Terms, forms: list[str]) -> list[Window]:
    """Stretches of the text with most of the quote's terms, best first."""
    needed = Counter(form for form, kind in zip(forms, quote.kinds, strict=True) if kind != Kind.FUNCTION)
    weights = {form: _WEIGHTS.get(kind, 1.0) for form, kind in zip(forms, quote.kinds, strict=True)}
    hits: list[tuple[int, str]] = []
    for form in sorted(needed, key=lambda one: len(index.postings.get(one, ()))):
        places = index.postings.get(form, ())
        if hits and len(hits) + len(places) > _MOST_HITS:
            break
        hits += [(place, form) for place in places[:_MOST_HITS]]
    hits.sort()
    reach = 2 * len(forms) + 8
    rated: list[Window] = []
    for number, (start, _) in enumerate(hits):
        left, weight, end = dict(needed), 0.0, start
        for place, form in hits[number:]:
            if place >= start + reach:
                break
            if left[form]:
                left[form] -= 1
                weight += weights[form]
                end = place
        rated.append(Window(weight - 0.02 * (end - start), start, end))
    rated.sort(key=lambda one: (-one.weight, one.first))
    return _apart(rated)


def _apart(rated: list[Window]) -> list[Window]:
    """The best windows, leaving out those that lie mostly within a better one."""
    kept: list[Window] = []
    for one in rated:
        if len(kept) >= _MOST_WINDOWS or one.weight < 0.5 * rated[0].weight:
            break
        if not any(better.first - 1 <= one.first and one.last <= better.last + 1 for better in kept):
            kept.append(one)
    return kept


def align(index: TextIndex, quote: Terms, forms: list[str], window: Window) -> Alignment | None:
    """Join the quote's terms to those in and around a window; None where nothing of weight is joined."""
    text = index.terms
    beyond = min(8, max(3, len(forms) // 2))
    low, high = max(0, window.first - beyond), min(len(text) - 1, window.last + beyond)
    there = text.forms[low : high + 1]
    pairs: dict[int, int] = {}
    for block in LCSseq.opcodes(forms, there):
        if block.tag == "equal":
            pairs.update(
                (block.src_start + i, low + block.dest_start + i)
                for i in range(block.src_end - block.src_start)
            )
    _snap(forms, text, pairs)
    moved = _moved(quote, forms, text, pairs, range(low, high + 1))
    core = sorted(p for q, p in (pairs | moved).items() if quote.kinds[q] in ESSENTIAL)
    core = core or sorted(p for q, p in pairs.items() if quote.kinds[q] == Kind.LIGHT)
    if not core:
        return None
    first, last = _stretch(text, core, sorted(pairs.values()))
    pairs = {q: p for q, p in pairs.items() if first <= p <= last}
    return Alignment(quote, forms, text, pairs, moved, first, last)


def _snap(forms: list[str], text: Terms, pairs: dict[int, int]) -> None:
    """Of equal stretches of the text, join the one that stands closest to its neighbours in the quote."""
    runs = _runs(pairs)
    for before, here in pairwise(runs):
        _move(forms, text, pairs, here, range(pairs[before[-1]] + 1, pairs[here[0]]))
    for here, following in reversed(list(pairwise(runs))):
        limit = pairs[following[0]] - len(here)
        _move(forms, text, pairs, here, range(limit, pairs[here[0]], -1))


def _runs(pairs: dict[int, int]) -> list[list[int]]:
    """The quote's joined terms in stretches without a gap on either side."""
    runs: list[list[int]] = []
    for at in sorted(pairs):
        if runs and runs[-1][-1] == at - 1 and pairs[at] == pairs[at - 1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _move(forms: list[str], text: Terms, pairs: dict[int, int], run: list[int], closer: range) -> None:
    own = forms[run[0] : run[-1] + 1]
    for place in closer:
        if text.forms[place : place + len(own)] == own:
            pairs.update((at, place + i) for i, at in enumerate(run))
            return


def _moved(
    quote: Terms, forms: list[str], text: Terms, pairs: dict[int, int], within: range
) -> dict[int, int]:
    """Terms of weight that stand in the window in another order."""
    taken = set(pairs.values())
    open_places: dict[str, list[int]] = {}
    for place in within:
        if place not in taken:
            open_places.setdefault(text.forms[place], []).append(place)
    moved: dict[int, int] = {}
    for at, form in enumerate(forms):
        if at not in pairs and quote.kinds[at] in ESSENTIAL and open_places.get(form):
            moved[at] = open_places[form].pop(0)
    return moved


def _stretch(text: Terms, core: list[int], joined: list[int]) -> Span:
    """From the first to the last term of weight, and on to joined small words right beside them."""
    first, last = core[0], core[-1]
    for place in reversed([p for p in joined if p < first]):
        if first - place > 2 or SENTENCE in text.breaks[place + 1 : first + 1]:
            break
        first = place
    for place in [p for p in joined if p > last]:
        if place - last > 2 or SENTENCE in text.breaks[last + 1 : place + 1]:
            break
        last = place
    return first, last


def span_of(alignment: Alignment, source: str) -> Span:
    """The code points of the place, widened to token edges and to the other one of a pair of brackets."""
    start, end = alignment.text.span(alignment.first, alignment.last)
    while not is_edge(source, start):
        start -= 1
    while not is_edge(source, end):
        end += 1
    inside = source[start:end]
    if inside.count("(") > inside.count(")") and source[end : end + 1] == ")":
        end += 1
    if inside.count(")") > inside.count("(") and source[:start].endswith("("):
        start -= 1
    if source.startswith("-old", end) and is_edge(source, end + 4):
        end += 4
    return start, end


def same_sentence(found: Alignment, place: int) -> bool:
    """Whether no sentence ends between the place and a term near it."""
    low, high = min(place, found.first), max(place, found.last)
    if found.first <= place <= found.last:
        return True
    edge = range(low + 1, found.first + 1) if place < found.first else range(found.last + 1, high + 1)
    return all(found.text.breaks[p] != SENTENCE for p in edge)
