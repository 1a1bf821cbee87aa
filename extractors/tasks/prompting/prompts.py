"""Prompts: the system's rules, the report between marks, then the task, fed from a scheme's guidelines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from extractors.grouping import grouped
from extractors.model.guideline import Example, Guideline, parse_guideline
from extractors.model.scheme import Category, Scheme
from extractors.tasks.base import Prompt
from extractors.tasks.neutral import neutralised
from extractors.tasks.prompting.templates import Templates
from extractors.tasks.prompting.variants import Prompting
from extractors.tasks.replies import ReplyForm

if TYPE_CHECKING:
    from jinja2 import Environment

# By the categories that are asked for, and what is left out since it is of the report itself.
_Tasks: TypeAlias = dict[tuple[tuple[str, ...], frozenset[str]], str]
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
    placed = zip(example.quotes, keys, strict=True)
    quotes = grouped((key, quote.quote) for quote, places in placed for key in places)
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
    return _json({key: quotes.get(key, []) for key in form.lists})


__all__ = ["PromptSet", "neutralised"]

_NO_FIELD = "quotes"
_QUOTED = re.compile(r'"(.+?)"(?=[\s.,:;]|$)')
_TELLING_WORDS = 3


class PromptSet:
    """The prompts of one scheme and one kind of prompting; the same arguments give the same texts.

    All prompts about a report begin alike, `system` and then the block of `report`, so that a server can
    reuse what it has read. `version` is the templates' own; `sha256` (hexadecimal) is over the templates and
    all of the scheme that they are fed from. Few-shot tasks differ from zero-shot ones only where a
    guideline has an example with a quote. Clauses that came by amendment stand in every task of their
    category, also those of sections that tasks otherwise leave out, but not in prompts on what they quote.

    Raises AssetError where a template is missing or broken, SchemeError where a guideline is.
    """

    version: str
    sha256: str
    system: str

    def __init__(self, scheme: Scheme, prompting: Prompting) -> None:
        self._scheme = scheme
        self._prompting = prompting
        self._guidelines = {
            category.id: _harmless(category.guideline, f"{category.id}.md") for category in scheme.categories
        }
        self._templates = Templates()
        self._tasks = _kept_tasks(self._templates.environment, scheme, prompting)
        self.version = self._templates.version
        self.sha256 = _sha256(self._templates, scheme)
        self.system = self._templates.render("system", categories=scheme.categories)
        # Rendered once for what a broken template would raise: better here than in the middle of a run.
        self.report("", ())
        for categories in ((scheme.ids[0],), scheme.ids):
            self.task(categories)

    def report(self, text: str, spans: Sequence[tuple[int, int]], part: int = 0, parts: int = 1) -> str:
        """The block that shows the given stretches (start, end in code points) of a report's text.

        `part` (from 0) says which of `parts` this is, where a report is too long for one call.
        """
        pieces = (text[start:end].strip() for start, end in spans)
        shown, _ = neutralised("\n\n".join(piece for piece in pieces if piece))
        return self._templates.render("report", text=shown, part=part, parts=parts) + "\n\n"

    def task(self, categories: Sequence[str]) -> str:
        """What to look for and how to answer: one category by its fields, several by their ids.

        Raises UnknownNameError for an id that the scheme does not have.
        """
        return self._task_without(tuple(categories), frozenset())

    def _task_without(self, asked: tuple[str, ...], own: frozenset[str]) -> str:
        if (asked, own) not in self._tasks:
            self._tasks[asked, own] = self._task(asked, own)
        return self._tasks[asked, own]

    def _task(self, categories: tuple[str, ...], own: frozenset[str]) -> str:
        """The task without the examples and the agreed clauses whose texts are a report's `own`."""
        form = self.form(categories)
        guidelines = {key: _without(self._guidelines[key], own) for key in form.categories}
        examples = self._examples(form, guidelines)
        notation = _notation(form)
        if len(form.categories) > 1:
            entries = [
                (category, guidelines[category.id], _agreed(category, guidelines[category.id]))
                for category in map(self._scheme.category, form.categories)
            ]
            return self._templates.render(
                "all",
                categories=entries,
                habits=_habits([category for category, _, _ in entries]),
                form=notation,
                analysis=form.analysis,
                examples=examples,
            )
        category = self._scheme.category(form.categories[0])
        guideline = guidelines[category.id]
        notes = dict(guideline.fields)
        return self._templates.render(
            "category",
            category=category,
            guideline=guideline,
            agreed=[text for section, text in _agreed(category, guideline) if section == "Boundaries"],
            keys=[
                {"json": _json(key), "note": notes.get(field, "")} for key, (_, field) in form.lists.items()
            ],
            form=notation,
            analysis=form.analysis,
            examples=examples,
        )

    def form(self, categories: Sequence[str]) -> ReplyForm:
        """The object that answers `task(categories)`; raises UnknownNameError."""
        known = [self._scheme.category(key) for key in dict.fromkeys(categories)]
        analysis = self._prompting == "zero-shot-cot"
        if len(known) > 1:
            return ReplyForm({category.id: (category.id, "") for category in known}, analysis)
        fields = {field: (known[0].id, field) for field in known[0].fields}
        return ReplyForm(fields or {_NO_FIELD: (known[0].id, "")}, analysis)

    def prompt(self, report_block: str, categories: Sequence[str]) -> Prompt:
        """The whole call for the block that `report` gave.

        An example that an amendment took from this very report is left out, and so is a clause that quotes
        it: they would tell the answer.
        """
        shown = " ".join(report_block.split())
        own = {text for key in dict.fromkeys(categories) for text in self._own(key, shown)}
        task = self._task_without(tuple(categories), frozenset(own))
        return Prompt(self.system, report_block + task, self.form(categories), len(report_block))

    def _own(self, key: str, shown: str) -> Iterator[str]:
        """The examples and agreed clauses of a category that come from the report that is shown."""
        guideline = self._guidelines[key]
        examples = [one.text for one in guideline.examples if one.text in shown]
        yield from examples
        for _, clause in _agreed(self._scheme.category(key), guideline):
            if _quotes_report(clause, shown, examples):
                yield clause

    def _examples(self, form: ReplyForm, guidelines: Mapping[str, Guideline]) -> list[WorkedExample]:
        if self._prompting != "few-shot":
            return []
        nothing = self._templates.render("nothing")
        if len(guidelines) > 1:
            return examples_of_all(guidelines, form, nothing)
        return examples_of_one(guidelines[form.categories[0]], form, nothing)


# A scheme's tasks are rendered, and its guidelines read, for every run and every forecast of one.
@lru_cache(maxsize=8)
def _kept_tasks(templates: Environment, scheme: Scheme, prompting: Prompting) -> _Tasks:
    return {}


@lru_cache(maxsize=64)
def _harmless(markdown: str, name: str) -> Guideline:
    """The guideline with every control mark opened: amendments quote reports, which are untrusted."""
    guideline = parse_guideline(markdown, name)
    examples = tuple(
        replace(
            one,
            text=neutralised(one.text)[0],
            quotes=tuple(replace(quote, quote=neutralised(quote.quote)[0]) for quote in one.quotes),
        )
        for one in guideline.examples
    )
    return _with(guideline, lambda texts: [neutralised(text)[0] for text in texts], examples)


def _without(guideline: Guideline, own: frozenset[str]) -> Guideline:
    examples = tuple(one for one in guideline.examples if one.text not in own)
    return _with(guideline, lambda texts: [text for text in texts if text not in own], examples)


def _with(
    guideline: Guideline, changed: Callable[[Sequence[str]], Sequence[str]], examples: tuple[Example, ...]
) -> Guideline:
    """The guideline with other clauses and examples."""
    include, exclude, boundaries = (
        tuple(changed(texts)) for texts in (guideline.include, guideline.exclude, guideline.boundaries)
    )
    return replace(guideline, include=include, exclude=exclude, boundaries=boundaries, examples=examples)


def _quotes_report(clause: str, shown: str, examples: Sequence[str]) -> bool:
    """Whether all that a clause quotes stands in the report, and so that it was taken from there.

    It was where the report has some of the category's `examples` with one of the quotes. Otherwise a quote of
    a few words says so: "fever" stands in many reports, which are to learn from the clause.
    """
    # A long quote was cut where it ends with an ellipsis.
    quotes = [match.removesuffix("…") for match in _QUOTED.findall(" ".join(clause.split()))]
    if not quotes or not all(quote in shown for quote in quotes):
        return False
    return any(
        len(quote.split()) >= _TELLING_WORDS or any(quote in example for example in examples)
        for quote in quotes
    )


def _agreed(category: Category, guideline: Guideline) -> list[tuple[str, str]]:
    """Section and text of the clauses that came by amendment."""
    amended = {neutralised(clause)[0] for clause in category.amended}
    sections = ((name, getattr(guideline, name.lower())) for name in ("Include", "Exclude", "Boundaries"))
    return [(name, text) for name, texts in sections for text in texts if text in amended]


def _habits(categories: Sequence[Category]) -> list[tuple[str, str]]:
    """Which categories are quoted alike, and how; the most are "the others", where all say how."""
    alike = grouped((category.habit, category.id) for category in categories)
    told = sorted(alike.items(), key=lambda one: len(one[1]))
    others = len(told) - 1 if len(told) > 1 and "" not in alike else -1
    return [
        ("The others" if place == others else ", ".join(ids), habit)
        for place, (habit, ids) in enumerate(told)
        if habit
    ]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _notation(form: ReplyForm) -> str:
    """The form for a reader: with [quotes] and text in the places of values, so that none can be copied."""
    findings = "{" + ",".join(f"{_json(key)}:[quotes]" for key in form.lists) + "}"
    return f'{{"analysis":text,"findings":{findings}}}' if form.analysis else findings


def _sha256(templates: Templates, scheme: Scheme) -> str:
    categories = [
        [one.id, one.name, one.fields, one.guideline, one.habit, one.amended] for one in scheme.categories
    ]
    whole = [templates.version, templates.sources, scheme.id, scheme.version, categories]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()
