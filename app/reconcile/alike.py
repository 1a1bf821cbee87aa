"""Which differences are of one kind, so that one decision may settle them all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.reconcile.types import Difference, Mark, words_of

Likeness: TypeAlias = Literal["words", "cue", "labels"]
# Differences of these kinds may turn on a cue, for which their reports' texts are needed.
CUED = ("boundary", "polarity")
# Longer runs of words at an edge are no habit of an annotator but another reading of the text.
_LONGEST_CUE = 3


@dataclass(frozen=True, slots=True)
class Alike:
    """A difference of the same kind as another, and wherein: "words", "cue" or "labels"."""

    difference: Difference
    likeness: Likeness


def alike(one: Difference, others: Iterable[Difference], texts: Mapping[str, str]) -> list[Alike]:
    """Those of `others` that are of one kind with `one`, the most alike first, each once.

    Alike are the same words in the same categories on the same sides; the same cue (see `cue`, for which
    `texts` has the reports by document UUID); the same pair of labels.
    """
    words, at_edge, pair, shape = likeness(one), cue(one, texts), labels(one), _shape(one)
    found: list[Alike] = []
    for other in others:
        if other.id == one.id or other.kind != one.kind:
            continue
        # Thousands are passed: most by their categories alone.
        if _shape(other) == shape and likeness(other) == words:
            found.append(Alike(other, "words"))
        elif at_edge is not None and cue(other, texts) == at_edge:
            found.append(Alike(other, "cue"))
        elif pair is not None and labels(other) == pair:
            found.append(Alike(other, "labels"))
    order: dict[Likeness, int] = {"words": 0, "cue": 1, "labels": 2}
    return sorted(found, key=lambda alike: order[alike.likeness])


def likeness(difference: Difference) -> Hashable:
    """Equal where the same words are marked alike: kind, and what each side says, wherever it stands."""
    return difference.kind, _said(difference.left), _said(difference.right)


def labels(difference: Difference) -> Hashable | None:
    """The categories of either side where these are what differs, else None."""
    if difference.kind != "label":
        return None
    return _categories(difference.left), _categories(difference.right)


def cue(difference: Difference, texts: Mapping[str, str]) -> tuple[str, ...] | None:
    """The few words on which a difference turns, None where there are none.

    For one span against one: what the left has more (+) or less (-) at the start and at the end. For a
    polarity: both sides' and the negation in whose reach the quote stands.
    """
    place, text = difference.place, texts.get(difference.document, "")
    if place is None:
        return None
    if difference.kind == "polarity":
        polarities = (difference.left[0].finding.polarity, difference.right[0].finding.polarity)
        negation = _negation(text, *place)
        return (*polarities, negation) if negation else None
    if difference.kind != "boundary" or len(difference.left) != 1 or len(difference.right) != 1:
        return None
    (left_start, left_end), (right_start, right_end) = _places(difference)
    start, end = _edge(text, left_start, right_start), _edge(text, right_end, left_end)
    short = all(len(words_of(edge)) <= _LONGEST_CUE for edge in (start, end))
    return (start, end) if short else None


def _shape(difference: Difference) -> tuple[list[str], list[str]]:
    left, right = ([mark.finding.category for mark in side] for side in (difference.left, difference.right))
    return left, right


def _said(marks: Iterable[Mark]) -> tuple[Hashable, ...]:
    said = {
        (mark.finding.category, words_of(mark.finding.quote) or (mark.finding.quote,), mark.finding.polarity)
        for mark in marks
    }
    return tuple(sorted(said))


def _categories(marks: Iterable[Mark]) -> frozenset[str]:
    return frozenset(mark.finding.category for mark in marks)


def _places(difference: Difference) -> tuple[tuple[int, int], tuple[int, int]]:
    left, right = difference.left[0].place, difference.right[0].place
    return left or (0, 0), right or (0, 0)


def _edge(text: str, one: int, other: int) -> str:
    """What stands between two edges, white space evened out, with + where the left's is the longer span."""
    sign = "+" if one < other else "-" if one > other else ""
    return sign + " ".join(text[min(one, other) : max(one, other)].casefold().split())


def _negation(text: str, start: int, end: int) -> str:
    """The negation in a quote or reaching into it, "" for none."""
    from extractors.checks.excerpt import read_excerpt
    from extractors.grounding.polarity import negating
    from extractors.text.words import load_words

    excerpt = read_excerpt(text, start, end)
    for at in range(excerpt.first, excerpt.last + 1):
        found = negating(excerpt.terms, at, load_words())
        if found is not None:
            return excerpt.terms.words[found]
    return ""
