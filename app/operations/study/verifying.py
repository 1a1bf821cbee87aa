"""A sample of a study's items as people look at it, and what they say of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.operations.study.building import build_items
from extractors.model.progress import finished

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.operations.study.items import BuildSummary, KeptItem
    from app.store.project import Project
    from app.studies.results import Item
    from app.studies.study import Study


@dataclass(frozen=True, slots=True)
class Sampled:
    """An item of the sample, or what an edit put in its place; the last verdict on it, "" for none yet."""

    item: Item
    verdict: str = ""
    reason: str = ""
    by: str = ""


def list_sample(kept: Sequence[KeptItem], built: Mapping[str, Any]) -> list[Sampled]:
    """The sample that the last build drew, in the order of the items."""
    items = {f"{one.item.task}/{one.item.id}": one.item for one in kept}
    wanted, verified = set(built.get("sample") or ()), built.get("verified") or {}
    found = []
    for first, sampled in items.items():
        if sampled.id not in wanted:
            continue
        item, verification = sampled, verified.get(first, {})
        while instead := items.get(f"{item.task}/{verification.get('instead')}"):
            item, verification = (
                instead,
                verified.get(f"{item.task}/{instead.id}", {**verification, "instead": None}),
            )
        found.append(Sampled(item, *(verification.get(name, "") for name in ("verdict", "reason", "by"))))
    return found


def verify_item(
    project: Project, study: Study, item: Item, answers: Mapping[str, str], by: str
) -> BuildSummary:
    """Take the verdict on an item; `answers` has "verdict", "reason", "question", "answer".

    Raises FormatError where an edited item does not pass the audit, or a rejected one has no reason.
    """
    row = {**answers, "item": item.id, "task": item.task}
    act = f"{answers['verdict']} {item.id}"
    return finished(build_items(project, study, (), {"verified": (row,), "by": by}, 0, act=act))
