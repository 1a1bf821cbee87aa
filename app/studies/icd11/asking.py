"""How models and built-in methods are asked, and what their replies come to."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.studies.icd11.views import TOP, lists_of, samples, shuffled, view_of
from app.studies.results import Again, Item, Row, Settings
from app.studies.study import Ask, Beside, Job
from extractors.model.errors import CallError
from extractors.tasks.base import Prompt, Reading
from extractors.tasks.coding import (
    GENMAP_TOKENS,
    VERSION,
    Names,
    choose_prompt,
    generate_prompt,
    genmap_order,
    genmap_prompt,
    label_prompt,
    lr_scores,
)
from extractors.tasks.forms import Ranking
from extractors.terminology.icd11.tables import CITATION
from extractors.text.folding import fold_phrase

# What people call them.
ARMS = {
    "generate": "in free text, the list shown",
    "choose": "only names of the list",
    "rank": "by the likelihood of each name",
    "genmap": "in free text, no list shown",
}
_EACH, _STEPS, _LABEL = 640, 2048, 16
# What a person reads above the report.
_ASKED = "Which diseases of ICD-11 does this report speak of?"
_PRIOR = "prior"
_FREE = ("order", "list", "analysis")


def ask(job: Job) -> Ask:
    """By the arm of the run; raises CallError for settings that do not go with it."""
    arm = job.settings["arm"]
    if arm in ("rank", "genmap"):
        _require_no_list(job, f"--arm {arm} shows the model no list")
    if arm == "choose" and job.settings.get("analysis"):
        raise CallError("--analysis goes with --arm generate: a reply held to the list has no reasoning.")
    return {"rank": _rank, "genmap": _genmap}.get(arm, _of_list)(job)


def _require_no_list(job: Job, reason: str) -> None:
    parts = [name for name in _FREE if job.settings.get(name)]
    if parts:
        raise CallError(f"{reason}: leave out --{' and --'.join(parts)}.")


def _of_list(job: Job) -> Ask:
    settings = job.settings
    listed = lists_of(settings, job.earlier)
    about = _about(job)

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        report, names = item.input["report"], listed(item)
        if settings["arm"] == "choose":
            return choose_prompt(report, names)
        return generate_prompt(report, names, analysis=bool(settings.get("analysis")))

    def value(item: Item, _: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
        names = listed(item)
        given, known = [str(one) for one in next(iter(read.values()))], set(names)
        outside = [one for one in given if one not in known]
        return {"predicted": given, "outside": outside, "scores": [], "listed": len(names), **about(item)}

    tokens = _STEPS if settings.get("analysis") else _EACH
    return Ask(
        prompt,
        VERSION,
        reply_tokens=tokens,
        value=value,
        more=lambda item, again, question: {"candidates": listed(item)},
    )


def _rank(job: Job) -> Ask:
    settings = job.settings
    names, about = view_of(settings).names, _about(job)
    alpha = 1.0 if settings.get("alpha") is None else settings["alpha"]
    normalise = settings.get("normalise") or "mean"

    def value(item: Item, _: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
        without = job.drafted.get((_PRIOR, _prior_of(settings).id))
        if without is None:
            raise CallError("No answers to the labels without a report are recorded; rank with a model.")
        scores = lr_scores(names, read, without, alpha=alpha, normalise=normalise)
        return _ranked(scores, about(item))

    return Ask(
        lambda item, again, question: label_prompt(item.input["report"], question),
        VERSION,
        reply_tokens=_LABEL + max(map(len, names)),
        questions=lambda item: names,
        value=value,
        more=lambda item, again, question: {"candidates": None, "label": question},
    )


def drafts(job: Job) -> tuple[Sequence[Item], Ask]:
    """What the labels cost without a report, for the arm that ranks by them."""
    settings = job.settings
    if settings["arm"] != "rank":
        return (), Ask(lambda item, again, question: label_prompt("", question))
    names = view_of(settings).names
    bare = settings.get("prior") == "bare"
    how = Ask(
        lambda item, again, question: label_prompt("", question, bare=bare),
        VERSION,
        reply_tokens=_LABEL + max(map(len, names)),
        questions=lambda item: names,
        value=lambda item, again, read: dict(read),
        needed=True,
    )
    return [_prior_of(settings)], how


def _prior_of(settings: Mapping[str, Any]) -> Item:
    """Nothing but the way in which it is asked is in it, so that all runs of a model share it."""
    return Item(settings.get("prior") or "prompt", _PRIOR, {"report": ""})


def _genmap(job: Job) -> Ask:
    names, about, seed = view_of(job.settings).names, _about(job), job.settings["seed"]

    def value(item: Item, _: Again, read: Mapping[str, Any]) -> Any:  # noqa: ANN401 (a JSON value)
        order = genmap_order(shuffled(names, f"ties/{seed}/{item.id}"), next(iter(read.values())))
        return _ranked(_bare_scores(order), about(item))

    return Ask(
        lambda item, again, question: genmap_prompt(item.input["report"]),
        VERSION,
        reply_tokens=GENMAP_TOKENS,
        value=value,
        more=lambda item, again, question: {"candidates": None},
    )


def lexical(job: Job) -> Callable[[Item, Again], Any]:
    """Classes by the words that a report shares with their titles, rare words counting for more."""
    _require_no_list(job, "lexical ranks every class")
    names, about, seed = view_of(job.settings).names, _about(job), job.settings["seed"]
    words = {name: frozenset(fold_phrase(name).split()) for name in names}
    number = Counter(word for own in words.values() for word in own)
    weight = {word: math.log((1 + len(names)) / (1 + times)) + 1 for word, times in number.items()}
    length = {name: math.sqrt(sum(weight[word] ** 2 for word in sorted(own))) for name, own in words.items()}

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        there = frozenset(fold_phrase(item.input["report"]).split())
        score = {
            name: sum(weight[word] ** 2 for word in sorted(own & there)) / (length[name] or 1.0)
            for name, own in words.items()
        }
        ties = shuffled(names, f"ties/{seed}/{item.id}")
        order = [(name, score[name]) for name in sorted(ties, key=lambda name: -score[name])]
        return _ranked(_bare_scores(order), about(item))

    return answer


def at_random(job: Job) -> Callable[[Item, Again], Any]:
    """Classes in an order drawn for each item."""
    _require_no_list(job, "random ranks every class")
    names, about, seed = view_of(job.settings).names, _about(job), job.settings["seed"]

    def answer(item: Item, _: Again) -> Any:  # noqa: ANN401 (a JSON value)
        order = shuffled(names, f"guess/{seed}/{item.id}")
        scores = [(name, float(len(order) - place)) for place, name in enumerate(order)]
        return _ranked(_bare_scores(scores), about(item))

    return answer


@dataclass(frozen=True, slots=True)
class PersonsNames(Ranking):
    """The names that a person writes, a line each or parted by semicolons, made the value of an answer."""

    def read(self, text: str) -> Reading:
        """JSON, a string or a list of strings."""
        given = json.loads(text)
        lines = map(str, given) if isinstance(given, list) else [str(given)]
        names = Names(frozenset()).read("\n".join(lines)).value
        return Reading(True, (), {"predicted": names, "outside": [], "scores": []})


def item_words(item: Item) -> Iterable[tuple[str, str]]:
    """What a person is asked of an item."""
    return ("Item", item.id), (_ASKED, item.input["report"])


def allowed(settings: Settings) -> Sequence[tuple[str, str]]:
    """The names that count in a person's answer, and whose they are."""
    names, source = view_of(settings).names, _source(settings["built"])
    heading = f"Only these {len(names)} names count: write them as they stand here"
    return (heading, " · ".join(sorted(names))), ("Titles", source)


def _about(job: Job) -> Callable[[Item], dict[str, Any]]:
    """What an answer tells of its item beside: in which samples of the run it is."""
    drawn = samples(job.items, job.settings)
    return lambda item: {"samples": drawn.get(item.id, [])}


def _ranked(scores: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> dict[str, Any]:
    names = [one["name"] for one in scores]
    return {"predicted": names, "outside": [], "scores": list(scores), "listed": len(names), **about}


def _bare_scores(order: Sequence[tuple[str, float]]) -> list[dict[str, Any]]:
    nothing = dict.fromkeys(("conditional", "prior", "tokens", "exact"))
    return [{"name": name, "score": score, **nothing} for name, score in order]


_RIGHT = "✓"
_NOT_NAMED, _ON_NO_LIST = "not named", "on no list"


def beside(item: Item, row: Row | None, built: Mapping[str, Any], told: bool) -> Beside | None:
    """The ranked candidates, best first; where the truth may be seen it is ticked, and what was missed stands
    below. Without an answer the truth alone, and where that may not be seen how the items came about."""
    known = zip(item.reference["names"], item.reference["codes"], strict=False) if told else ()
    codes = {**dict(known), **{one["name"]: one["code"] for one in built.get("classes", ())}}
    value = row.value if row is not None and isinstance(row.value, dict) else None
    truths = item.reference["names"] if told else ()
    if value is None and not truths:
        return _funnel(built) if row is None else None
    scored = {one["name"]: one for one in (value or {}).get("scores", ())}
    names = list((value or {}).get("predicted", ()))
    likely = any(one["conditional"] is not None for one in scored.values())
    outside = set((value or {}).get("outside", ()))
    numbers = ("Score", "NLL", "Prior", "Tokens") if likely else ("Score",) if scored else ()
    heads = ("", "Disease", "Code", *numbers, *(("Right",) if told else ()))
    rows = []
    for place, name in enumerate(names, start=1):
        code = _ON_NO_LIST if name in outside else codes.get(name, "")
        tick = (_RIGHT if name in truths else "",) if told else ()
        rows.append((str(place), name, code, *_numbers(scored.get(name), numbers), *tick))
    missed = *("" for _ in numbers), f"{_RIGHT} {_NOT_NAMED}" if value else _RIGHT
    rows += [("–", name, codes.get(name, ""), *missed) for name in truths if name not in names]
    title = "Candidates, best first" if scored else "Diseases named" if value else "Right answer"
    return Beside(title, heads, rows, _source(built))


def _funnel(built: Mapping[str, Any]) -> Beside | None:
    """The steps of the build with what each lost, rows of diagnoses first, then admissions."""
    rows = []
    for step in built.get("funnel", ()):
        lost = "; ".join(f"{gone:,} {reason}" for reason, gone in step["lost"].items())
        rows.append((step["step"], lost, f"{step['kept']:,}"))
    return Beside("How the items came about", ("Step", "Lost", "Kept"), rows) if rows else None


def _numbers(one: Mapping[str, Any] | None, heads: Sequence[str]) -> tuple[str, ...]:
    keys = {"Score": "score", "NLL": "conditional", "Prior": "prior"}
    if one is None:
        return tuple("" for _ in heads)
    numbers = [f"{one[keys[head]]:.3f}" if head in keys else str(one["tokens"]) for head in heads]
    return tuple(
        numbers
        if one.get("exact") in (None, True) or not numbers
        else [f"{numbers[0]} inexact", *numbers[1:]]
    )


def short(value: Any) -> str:  # noqa: ANN401 (a JSON value)
    """The names of an answer, of a ranking the first."""
    names = value["predicted"][: TOP if value.get("scores") else None]
    return "; ".join(names) or "No name was given."


def _source(built: Mapping[str, Any]) -> str:
    return CITATION.format(release=built["release"]) if built.get("release") else ""
