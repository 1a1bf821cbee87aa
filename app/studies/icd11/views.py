"""What a run is about: the classes of a view, its samples of the test part, the lists that it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from app.studies.results import Item, Row, Settings
from extractors.model.errors import CallError

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
    test = sorted(one.id for one in items if one.labels.get("split") == "test" and view.truths(one))
    count, repeats = settings.get("count") or COUNT, settings.get("repeats") or REPEATS
    found: dict[str, list[int]] = {}
    for number in range(1, repeats + 1):
        for name in _shuffled(test, f"sample/{settings['seed']}/{number}")[:count]:
            found.setdefault(name, []).append(number)
    return found


def _shuffled(names: Sequence[str], seed: str) -> list[str]:
    order = list(names)
    Random(seed).shuffle(order)
    return order


Earlier = Mapping[str, tuple[Settings, Sequence[Row]]]


def lists_of(settings: Settings, earlier: Callable[[], Earlier]) -> Callable[[Item], list[str]]:
    """The list that each item is asked with, in its order; raises CallError where a short one has no run."""
    view, seed = view_of(settings), settings["seed"]
    origin = _shuffled(sorted(view.names), f"origin/{seed}")
    which, order = settings.get("list") or "long", settings.get("order")
    wrong = {} if which == "long" else _wrong_names(view, earlier(), outside=which == "short-paper")

    def listed(item: Item) -> list[str]:
        truths = view.truths(item)
        if which == "long":
            names: Sequence[str] = origin
        else:
            own = sorted({*wrong.get(item.id, ()), *truths})
            names = _shuffled(own, f"short/{seed}/{item.id}")
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
        return _shuffled(sorted(names), seed)
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
