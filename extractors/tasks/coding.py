"""Asking a model which diseases of a list a patient's own words speak of, and what a given one costs it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from extractors.tasks.base import Prompt, Reading
from extractors.tasks.forms import Ranking, Score, Text
from extractors.tasks.neutral import neutralised
from extractors.tasks.prompting.templates import Templates

VERSION = "1"
SELF_REPORT_TOKENS, GENMAP_TOKENS = 1024, 32
MOST = 10
_ANALYSED = re.compile(r"^\W*diagnos[ei]s\W*:", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"^\s*(?:[-*•–]\s+|\(?\d{1,3}\s*[.):\]]\s*)+")
_MARKUP = re.compile(r"\*\*|__|`")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@lru_cache(maxsize=1)
def _templates() -> Templates:
    return Templates("studies", "icd11", "prompts")


@dataclass(frozen=True, slots=True)
class Names:
    """Names parted by semicolons or lines, in any words; those that `known` lacks are read all the same.

    An empty reply is an empty list, and what was cut counts as far as it came.
    """

    known: frozenset[str]
    analysis: bool = False
    partial = True

    def schema(self) -> dict[str, Any]:
        """None: only a free reply can name what is not on the list."""
        return {}

    def read(self, text: str) -> Reading:
        """The names in order, each once, lower-cased; those of the list as they stand there."""
        if self.analysis:
            last = [match.end() for match in _ANALYSED.finditer(text)]
            if not last:
                return Reading(True, ("The reply has no line of diagnoses.",), [])
            text = text[last[-1] :]
        return Reading(True, (), list(dict.fromkeys(_as_listed(_parts(text), _listed(self.known)))))


def _parts(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(plain_name, re.split(r"[;\n]", text))))


# One list is shown again and again.
@lru_cache(maxsize=256)
def _listed(known: frozenset[str]) -> dict[tuple[str, ...], str]:
    """The names of a list by what reading makes of each: some of WHO's titles have semicolons or brackets."""
    return {_parts(name): name for name in sorted(known)}


def _as_listed(parts: Sequence[str], listed: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    most, at = max(map(len, listed), default=1), 0
    while at < len(parts):
        own = next((size for size in range(most, 0, -1) if tuple(parts[at : at + size]) in listed), 0)
        yield listed[tuple(parts[at : at + own])] if own else parts[at]
        at += own or 1


def plain_name(words: str) -> str:
    """A name as classes go by it: without number, markup and marks around it, lower-cased."""
    plain = _NUMBER.sub("", _MARKUP.sub("", words)).strip().strip("\"'“”[]").strip()
    return re.sub(r"\s+", " ", plain).rstrip(" .;,").lower()


@dataclass(frozen=True, slots=True)
class Words:
    """Any text, also an empty one, and one that was cut."""

    partial = True

    def schema(self) -> dict[str, Any]:
        """None."""
        return {}

    def read(self, text: str) -> Reading:
        """The text."""
        return Reading(True, (), text.strip())


# A report is shown once for each label, and the words around it are always the same.
@lru_cache(maxsize=256)
def _shown(report: str) -> str:
    shown = _templates().render("report", report=neutralised(report)[0])
    return f"{shown.strip()}\n\n" if report else ""


def _prompt(report: str, name: str, form: Any, **values: object) -> Prompt:  # noqa: ANN401 (a Form)
    shown = _shown(report)
    words = _templates().render(name, **values) if values else _fixed(name)
    return Prompt(_fixed("system"), shown + words, form, len(shown))


@lru_cache(maxsize=16)
def _fixed(name: str) -> str:
    """A template into which nothing is put."""
    return _templates().render(name)


def generate_prompt(report: str, candidates: Sequence[str], *, analysis: bool) -> Prompt:
    """The names of a list that fit, in free text."""
    form = Names(frozenset(candidates), analysis)
    return _prompt(report, "generate", form, candidates=candidates, analysis=analysis)


def choose_prompt(report: str, candidates: Sequence[str]) -> Prompt:
    """The names of a list that fit, held to the list by a schema."""
    return _prompt(report, "choose", Ranking(MOST, tuple(candidates)), candidates=candidates)


def label_prompt(report: str, label: str, *, bare: bool = False) -> Prompt:
    """One label, which the model is made to write; without a report what it costs by itself, `bare` without
    the task as well."""
    if bare:
        return Prompt("", _fixed("bare"), Score(label))
    return _prompt(report, "label", Score(label))


def genmap_prompt(report: str) -> Prompt:
    """Diseases in any words, without a list."""
    return _prompt(report, "genmap", Words())


def self_report_prompt(note: str, leak: str = "") -> Prompt:
    """What a patient would have told of what a note says; `leak` names what was given away before."""
    templates = _templates()
    words = templates.render("self_report", note=neutralised(note)[0], leak=leak)
    shown = words.partition("\n\nWrite in the first person")[0]
    return Prompt(templates.render("self_report_system"), words, Text(), len(shown))


def lr_scores(
    labels: Sequence[str],
    given: Mapping[str, Mapping[str, Any]],
    prior: Mapping[str, Mapping[str, Any]],
    *,
    alpha: float,
    normalise: str,
) -> list[dict[str, Any]]:
    """LL-Rank: S = -NLL(label | report) + alpha NLL(label | no report), best first.

    `given` and `prior` say of each label the sum of its tokens' logarithms and their number; NLL is the mean
    over the tokens or the sum.
    """
    found = []
    for label in labels:
        conditional, without = nll(given[label], normalise), nll(prior[label], normalise)
        found.append(
            {
                "name": label,
                "score": -conditional + alpha * without,
                "conditional": conditional,
                "prior": without,
                "tokens": given[label]["tokens"],
                "exact": bool(given[label]["exact"] and prior[label]["exact"]),
                "prior_tokens": prior[label]["tokens"],
                "own_tokens": given[label].get("own"),
            }
        )
    return sorted(found, key=lambda one: -one["score"])


def nll(values: Mapping[str, Any], normalise: str) -> float:
    """What a label costs: the negative logarithm, over its tokens or each on average."""
    total = -float(values["sum"])
    return total / values["tokens"] if normalise == "mean" and values["tokens"] else total


def genmap_order(labels: Sequence[str], reply: str) -> list[tuple[str, float]]:
    """Labels by the words that they share with a reply, rare ones counting for more; then by overlap.

    A word counts 1/(n + 1), n being the labels that have it. Labels without a word in it keep their order.
    """
    words = {label: set(_WORD.findall(label.lower())) for label in labels}
    number = Counter(word for own in words.values() for word in own)
    there = set(_WORD.findall(reply.lower()))
    weight = {label: sum(1 / (number[one] + 1) for one in sorted(words[label] & there)) for label in labels}
    overlap = {label: len(words[label] & there) / max(1, len(words[label] | there)) for label in labels}
    order = sorted(labels, key=lambda label: (-weight[label], -overlap[label]))
    return [(label, weight[label]) for label in order]
