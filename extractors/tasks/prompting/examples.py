"""Worked examples for few-shot prompts: which ones of a guideline, and their right answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extractors.model.guideline import Example, Guideline
from extractors.tasks.replies import ReplyForm

_POSITIVE = 2
_COVERED = 0.7


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A text and its right answer, the JSON object that a reply would be."""

    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An example's quotes by key of the reply; `shows` are the keys and polarities met in it."""

    text: str
    quotes: Mapping[str, list[str]]
    shows: frozenset[str]


def examples_of_one(guideline: Guideline, form: ReplyForm, nothing: str) -> list[WorkedExample]:
    """At most three examples of one category, the second of them with nothing to quote.

    `nothing` is a text without findings for guidelines that have no such example. Examples whose quotes
    name no field of the form are passed over. There are none where none has a quote: an empty answer
    alone would teach to answer nothing.
    """
    bare = {field for _, field in form.lists.values()} == {""}
    only = next(iter(form.lists))
    usable = (
        _candidate(example, [(only if bare else quote.field,) for quote in example.quotes])
        for example in guideline.examples
        if example.quotes
    )
    empty = min(
        (example.text for example in guideline.examples if not example.quotes), key=len, default=nothing
    )
    return _answered([one for one in usable if one.quotes.keys() <= form.lists.keys()], form, empty)


def examples_of_all(
    guidelines: Mapping[str, Guideline], form: ReplyForm, nothing: str
) -> list[WorkedExample]:
    """At most three examples over all categories of the form, the second being `nothing`.

    An example tells only where its own guideline's quotes go. So those serve whose quotes make up nearly
    the whole text, and leave nothing unquoted that another category would claim.
    """
    usable = (
        _candidate(example, [_asked((own, *quote.also), form) for quote in example.quotes])
        for own in form.lists
        for example in guidelines[own].examples
        if example.quotes
        and sum(len(quote.quote) for quote in example.quotes) >= _COVERED * len(example.text)
    )
    return _answered(list(usable), form, nothing)


def _asked(keys: Iterable[str], form: ReplyForm) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys(keys) if key in form.lists)


def _candidate(example: Example, keys: Sequence[tuple[str, ...]]) -> _Candidate:
    """The example with each of its quotes under the keys at the same position."""
    quotes: dict[str, list[str]] = {}
    for quote, places in zip(example.quotes, keys, strict=True):
        for key in places:
            quotes.setdefault(key, []).append(quote.quote)
    shows = frozenset(quotes) | {quote.polarity for quote in example.quotes}
    return _Candidate(example.text, quotes, shows)


def _answered(candidates: list[_Candidate], form: ReplyForm, nothing: str) -> list[WorkedExample]:
    """The chosen candidates around the empty one: models lean to the answer that they saw last."""
    chosen = _chosen(candidates)
    if not chosen:
        return []
    order = [chosen[0], _Candidate(nothing, {}, frozenset()), *chosen[1:]]
    return [WorkedExample(one.text, _answer(one.quotes, form)) for one in order]


def _chosen(candidates: list[_Candidate]) -> list[_Candidate]:
    """Up to two, each time the one that shows most that is new for the length of its text."""
    chosen: list[_Candidate] = []
    shown: frozenset[str] = frozenset()
    left = list(candidates)
    while left and len(chosen) < _POSITIVE:
        best = min(left, key=lambda one: (-len(one.shows - shown) / len(one.text), len(one.text)))
        left.remove(best)
        chosen.append(best)
        shown |= best.shows
    return chosen


def _answer(quotes: Mapping[str, list[str]], form: ReplyForm) -> str:
    whole = {key: quotes.get(key, []) for key in form.lists}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
