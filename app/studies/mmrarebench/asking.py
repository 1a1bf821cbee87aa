"""How a vision model is asked: the case, its pictures behind their names, the question; and controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from app.studies.mmrarebench.judging import templates
from app.studies.mmrarebench.tracks import BLANK, NONE, SWAPPED, T1, T2, picture_names, report_of
from app.studies.results import Again, Item
from app.studies.study import Ask, Job
from extractors.model.errors import CallError
from extractors.tasks.base import PICTURE_MARK, Prompt, Shown
from extractors.tasks.forms import Text
from extractors.tasks.neutral import neutralised
from extractors.tasks.pictures import Size, shown_pictures

_TOKENS = {T1: 512}
_MORE_TOKENS = 2048


def ask(job: Job) -> Ask:
    """By the arm of the run; raises CallError where pictures cannot be swapped."""
    arm, words = job.settings["arm"], templates()
    others = swapped(job.items, job.seed) if arm == SWAPPED else {}

    def shown(item: Item) -> Item:
        """The item whose pictures are shown."""
        if arm == SWAPPED and (item.task, item.id) not in others:
            raise CallError(f"No other report of {item.task} has pictures, so that none can be swapped.")
        return others.get((item.task, item.id), item)

    def prompt(item: Item, _: Again, __: str) -> Prompt:
        source = shown(item)
        pictures = () if arm == NONE else pictures_of(source, job.picture, blank=arm == BLANK)
        block = case_of(item)
        parts = [block]
        if pictures:
            names = picture_names(source)
            parts.append("\n".join(f"{name}: {PICTURE_MARK}" for name in names) + "\n\n")
        parts += [neutralised(item.input["question"])[0], "\n\n", words.render(item.task.lower())]
        system = words.render("system", pictures=bool(pictures))
        return Prompt(system, "".join(parts), Text(), len(block), pictures)

    def more(item: Item, _: Again, __: str) -> Mapping[str, Any]:
        told = [] if arm == NONE else pictures_of(shown(item), job.picture, blank=arm == BLANK)
        return {"arm": arm, "pictures": [one.as_json() for one in told]}

    return Ask(
        prompt,
        words.version,
        reply_tokens=lambda item: _TOKENS.get(item.task, _MORE_TOKENS),
        more=more,
        pictures=arm != NONE,
    )


def case_of(item: Item) -> str:
    """The case as it is shown: its words, and in T2 the diagnosis."""
    block = f"<report>\n{neutralised(item.input['narrative'])[0]}\n</report>\n\n"
    if item.task == T2:
        block += f"The diagnosis: {neutralised(item.input['diagnosis'])[0]}\n\n"
    return block


def pictures_of(item: Item, picture: Callable[[str], bytes], *, blank: bool = False) -> tuple[Shown, ...]:
    """An item's pictures as they are sent; `picture` gives the bytes by SHA-256."""
    given = [
        (one["sha256"], Size(one["width"], one["height"]), partial(picture, one["sha256"]))
        for one in item.input["pictures"]
    ]
    return shown_pictures(given, blank=blank)


def swapped(items: Sequence[Item], seed: int) -> dict[tuple[str, str], Item]:
    """For each item another of its track, of another report, whose pictures take the place of its own.

    The order is drawn by the seed; those of one track with one report alone are not there.
    """
    found: dict[tuple[str, str], Item] = {}
    for track in dict.fromkeys(item.task for item in items):
        own = sorted((item for item in items if item.task == track), key=lambda item: item.id)
        Random(f"swap/{seed}/{track}").shuffle(own)
        for place, item in enumerate(own):
            turned = [*own[place + 1 :], *own[:place]]
            other = next((one for one in turned if _differs(one, item)), None)
            if other is not None:
                found[track, item.id] = other
    return found


def _differs(one: Item, other: Item) -> bool:
    def pictures(item: Item) -> set[str]:
        return {str(picture["sha256"]) for picture in item.input["pictures"]}

    return report_of(one) != report_of(other) and not pictures(one) & pictures(other)
