"""How a model is asked: options in an order, under letters, with or without "I do not know"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.studies.ebmqa.drawing import chance
from app.studies.ebmqa.ranges import wording
from app.studies.ebmqa.words import CONTROL, several_of
from app.studies.results import Again, Item, Row, Settings
from app.studies.study import Ask, Job
from extractors.model.errors import CallError
from extractors.tasks.base import Form, Prompt
from extractors.tasks.choice import Options

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
