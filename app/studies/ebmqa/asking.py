"""How a model is asked, options in an order, under letters, and what measures look at in each answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from app.agreement.statistics.tests_of_shares import Share
from app.studies.ebmqa.ranges import wording
from app.studies.ebmqa.semantic import chance
from app.studies.ebmqa.words import CONTROL, credit_of, several_of
from app.studies.results import Again, Item, Row, Settings
from app.studies.study import Ask, Job
from extractors.model.errors import CallError
from extractors.tasks.base import Form, Prompt
from extractors.tasks.choice import Options, sureness

OURS, PAPER = "ours", "paper"
# What a reply's record leaves unsaid.
USUAL: Again = {"order": 0, "seed": 0, "idk": True}
_LETTERS = "ABCDEFG"


def times(item: Item, settings: Settings) -> Sequence[Again]:
    """Every order, with and without IDK, with every seed; only what is not usual is said."""
    offers = {"yes": (True,), "no": (False,), "both": (True, False)}[settings["idk"]]
    found: list[Again] = []
    for order in range(settings["orders"]):
        for idk in offers if item.task != CONTROL else (True,):
            for seed in range(settings["seeds"]):
                values = {"order": order, "seed": seed, "idk": idk}
                found.append({key: value for key, value in values.items() if USUAL[key] != value})
    return found


def choose(items: Sequence[Item], settings: Settings) -> Sequence[Item]:
    """Without "I do not know" invented questions have no right answer: they are not asked."""
    return [one for one in items if one.task != CONTROL] if settings.get("idk") == "no" else items


def shown_keys(item: Item, again: Again, prompt: str) -> list[str]:
    """The item's keys as they stand in that order; in the paper's prompt IDK moves, in ours it is last."""
    full = {**USUAL, **again}
    idk = str(item.input["idk"])
    keys = [str(option["key"]) for option in item.input["options"]]
    keys += [idk] if full["idk"] and prompt == PAPER else []
    if full["order"] == 1:
        keys.reverse()
    elif full["order"]:
        keys.sort(key=lambda key: chance(int(full["order"]), item.id, key))
    return [*keys, idk] if full["idk"] and prompt != PAPER else keys


def form_of(item: Item, shown: Sequence[str], *, lettered_idk: bool) -> Options:
    """The form of a reply that names places; IDK may be named by its own key, too."""
    idk = str(item.input["idk"])
    places = zip(_LETTERS, shown, strict=False)
    labels = {letter: key for letter, key in places if key != idk or lettered_idk}
    words = {str(option["key"]): str(option["text"]) for option in item.input["options"]}
    offered = () if lettered_idk else tuple([*labels, *([idk] if idk in shown else [])])
    return Options(labels, words, idk, several_of(item), offered)


def own_form(item: Item) -> Form:
    """That of a person's answer, in the item's own keys."""
    words = {str(option["key"]): str(option["text"]) for option in item.input["options"]}
    problem = f"choose of {', '.join(words)}, or {item.input['idk']} for “I do not know”."
    own = {key: key for key in words}
    return Options(own, words, str(item.input["idk"]), several_of(item), problem=problem)


def person(item: Item, given: Sequence[Row], _: Settings) -> Again | None:
    """First as it is; then a guess for each that was not known."""
    if not given:
        return {}
    idk = item.input["idk"]
    return {"idk": False} if len(given) == 1 and given[0].value == [idk] and item.task != CONTROL else None


def ask(job: Job) -> Ask:
    """In the paper's way or in ours."""
    style = job.settings["prompt"]
    words = wording()["ask"]

    def prompt(item: Item, again: Again, _: str) -> Prompt:
        shown = shown_keys(item, again, style)
        form = form_of(item, shown, lettered_idk=style == PAPER)
        idk, several = item.input["idk"], "several" if several_of(item) else "one"
        texts = {option["key"]: option["text"] for option in item.input["options"]}
        texts[idk] = words["paper_idk" if style == PAPER else "idk"]
        letters = {key: letter for letter, key in form.labels.items()}
        lines = [f"{letters.get(key, idk)}. {texts[key]}" for key in shown]
        question = str(item.input["question"])
        if style == PAPER:
            say = f"{question}\n{words[f'paper_{several}']}\n" + "\n".join(lines)
            return Prompt(words["paper_system"], say, form)
        system = words["ours_system" if idk in shown else "ours_system_no_idk"]
        say = f"{question}\n" + "\n".join(lines) + f"\n{words[f'ours_{several}']}"
        return Prompt(system, say, form)

    def replayed(item: Item, again: Again, line: Mapping[str, Any]) -> str | None:
        reply: str | None = line.get("reply")
        there, shown = shown_keys(item, again, style), line.get("shown")
        if reply is None or shown is None or shown == there:
            return reply
        keys = [*(option["key"] for option in item.input["options"]), item.input["idk"]]
        if not isinstance(shown, list) or sorted(shown, key=str) != [
            one for one in sorted(keys) if one in shown
        ]:
            raise CallError(
                f"The reply to {item.id}: “shown” is no list of the item's keys, each once; mend it."
            )
        read = form_of(item, shown, lettered_idk=True).read(reply)
        if not read.complete:
            return reply if item.input["idk"] in there else "-"
        now = form_of(item, there, lettered_idk=style == PAPER)
        letters = {key: letter for letter, key in now.labels.items()} | {item.input["idk"]: item.input["idk"]}
        return json.dumps({"answer": [letters[key] for key in read.value]})

    def more(item: Item, again: Again, _: str) -> Mapping[str, Any]:
        return {"shown": shown_keys(item, again, style)}

    return Ask(
        prompt, "1", reply_tokens=300 if style == PAPER else 64, more=more, usual=USUAL, replayed=replayed
    )


ANSWERED, IDK_SAID, INVALID, MISSING = "answered", "idk", "invalid", "missing"
PASSED = "passed over"


def grade(rows: Sequence[Row], settings: Settings) -> Sequence[Mapping[str, Any]]:
    """Of each answer: its state, credit, whether it is exact; where the right one stood; how sure it was.

    `offered` says whether IDK was, `second` that it is a person's guess after an IDK, `kept` that it counts
    as an answer without IDK besides.
    """
    person = settings.get("kind") == "person"
    found = [_graded(row, settings, second=person and not row.again.get("idk", True)) for row in rows]
    unknown = {
        _name(row.item)
        for row, one in zip(rows, found, strict=True)
        if person and one["state"] == IDK_SAID and not one["second"] and row.item.task != CONTROL
    }
    guessed = any(one["second"] for one in found) or not unknown
    offered = any(one["offered"] for one in found)
    for row, one in zip(rows, found, strict=True):
        if one["second"] and _name(row.item) not in unknown:
            # The first answer was changed after the guess, which is one no more.
            one["state"] = PASSED
        one["kept"] = person and guessed and one["offered"] and one["state"] == ANSWERED
        one["main"] = not one["second"] and (one["offered"] or not offered) and row.item.task != CONTROL
    _add_confidence(rows, found)
    _add_sameness(rows, found)
    return found


def state_of(row: Row) -> str:
    """Answered, idk, invalid or missing."""
    if row.value is None:
        return INVALID if row.error == INVALID else MISSING
    return IDK_SAID if row.value == [row.item.input["idk"]] else ANSWERED


def _graded(row: Row, settings: Settings, *, second: bool) -> dict[str, Any]:
    item, state = row.item, state_of(row)
    right = item.reference.get("correct", [])
    answered = state == ANSWERED
    shown = shown_keys(item, row.again, str(settings.get("prompt", "ours")))
    return {
        "state": state,
        "credit": credit_of(row.value, right) if answered else 0.0,
        "exact": answered and set(row.value) == set(right),
        "offered": bool(row.again.get("idk", True)),
        "second": second,
        "shown": shown,
        "position": shown.index(right[0]) if len(right) == 1 and right[0] in shown else None,
        "confidence": sureness(row.tokens) if answered and row.tokens else None,
        "same": None,
    }


def _name(item: Item) -> tuple[str, str]:
    return item.task, item.id


def _add_confidence(rows: Sequence[Row], found: Sequence[dict[str, Any]]) -> None:
    """Without probabilities the share of repeated seeded answers that say the same; none for one seed."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, row in enumerate(rows):
        full = {**USUAL, **row.again}
        groups.setdefault((*_name(row.item), full["order"], full["idk"]), []).append(at)
    for places in groups.values():
        values = Counter(tuple(rows[at].value) for at in places if rows[at].value is not None)
        for at in places if values.total() > 1 else ():
            if found[at]["state"] == ANSWERED and found[at]["confidence"] is None:
                found[at]["confidence"] = values[tuple(rows[at].value)] / values.total()


def _add_sameness(rows: Sequence[Row], found: Sequence[dict[str, Any]]) -> None:
    """On the first of a question's answers in several orders or seeds: whether all say the same."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, row in enumerate(rows):
        if row.value is not None and not found[at]["second"] and row.item.task != CONTROL:
            groups.setdefault((*_name(row.item), found[at]["offered"]), []).append(at)
    for places in groups.values():
        if len(places) > 1:
            found[places[0]]["same"] = len({tuple(rows[at].value) for at in places}) == 1


def counts(rows: Sequence[Row]) -> dict[str, Any]:
    """How many there are of each state, questions on invented entities apart."""
    own = [row for row in rows if row.item.task != CONTROL and not row.graded["second"]]
    states = Counter(row.graded["state"] for row in own)
    given = [row for row in own if row.graded["offered"] and row.graded["state"] == ANSWERED]
    share = Share(sum(row.graded["credit"] for row in given), len(given))
    return {
        "n": len(own),
        "items": len({_name(row.item) for row in own}),
        "unscored": states[INVALID] + states[MISSING],
        **{state: states[state] for state in (ANSWERED, IDK_SAID, INVALID, MISSING)},
        "accuracy_ci": list(share.interval) if share.interval else None,
    }
