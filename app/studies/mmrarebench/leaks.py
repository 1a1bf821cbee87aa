"""Where an item gives its answer away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.studies.mmrarebench.tracks import T1, T4
from extractors.text.folding import fold_phrase

if TYPE_CHECKING:
    from app.studies.results import Item


def leaks_of(item: Item) -> Iterator[str]:
    """What of the answer stands in the question or the case, a sentence each."""
    said = item.reference
    shown = {name: str(item.input[name]) for name in ("question", "narrative")}
    hidden = []
    if item.task in (T1, T4):
        hidden = [str(one) for one in said.get("aliases", ())]
    if item.task == T1:
        hidden.append(str(said["answer"]))
    for place, text in shown.items():
        folded = f" {fold_phrase(text)} "
        for name in dict.fromkeys(hidden):
            if f" {fold_phrase(name)} " in folded:
                yield f"leaks: the {place} says {name!r}"
        if item.task != T1 and f" {fold_phrase(str(said['answer']))} " in folded:
            yield f"leaks: the reference answer stands in the {place}"
