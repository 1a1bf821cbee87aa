"""The items of a study as the project has them: built, imported, listed; their pictures kept once each."""

from __future__ import annotations

import hashlib
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from app.operations.project.sets import actor
from app.store.act import Act, begin_act
from app.store.reports.figures import keep_picture, read_picture
from app.store.study.items import add_items, build_uuids, builds, guards, items, mark
from app.store.values import canonical
from app.studies.results import Item, of_tasks
from extractors.checks.pictures import inspect
from extractors.grouping import grouped
from extractors.model.errors import FormatError, ProjectError, UnknownNameError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.study import Built, Study


def keep_pictures(act: Act, pictures: Mapping[str, bytes]) -> None:
    """Keep pictures by SHA-256, each once; raises FormatError where one is none, or not what it is called."""
    for sha256, data in pictures.items():
        if hashlib.sha256(data).hexdigest() != sha256:
            raise FormatError(f"The picture {sha256[:12]} is not what its name says.")
        facts = inspect(data, "")
        keep_picture(act, sha256, data, facts.format, facts.width, facts.height)


def picture_names(items: Iterable[Mapping[str, Any]]) -> list[str]:
    """The SHA-256 of every picture that items (as JSON) show, each once, in order."""
    found: dict[str, None] = {}
    for one in items:
        listed = one["input"].get("pictures")
        for picture in listed if isinstance(listed, list) else ():
            name = picture.get("sha256") if isinstance(picture, dict) else None
            found |= {name: None} if isinstance(name, str) and name else {}
    return list(found)


def find_picture(project: Project, sha256: str) -> bytes | None:
    """The bytes of a picture, None where the project has none of that name; raises DamagedProjectError."""
    try:
        return read_picture(project, sha256)
    except UnknownNameError:
        return None


def picture_of(project: Project, sha256: str) -> bytes:
    """The bytes of a picture; raises ProjectError where the project has none of that name."""
    data = find_picture(project, sha256)
    if data is None:
        raise ProjectError(f"{project.path} has no picture {sha256[:12]} any more; build the items anew.")
    return data


_FIELDS = ("id", "task", "input", "reference", "labels", "sources")
_NOTHING = "Nothing was built: all that there is was left out."


@dataclass(frozen=True, slots=True)
class KeptItem:
    """An item of the project, by UUID."""

    uuid: str
    item: Item


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """What a build or an import brought: `items`, of which `added` are new, and what was `left_out`.

    `by` counts them by label and value; the rest is as the study said it.
    """

    study: str
    items: int
    added: int
    by: Mapping[str, Mapping[str, int]]
    left_out: Mapping[str, int]
    sources: Sequence[Mapping[str, Any]]
    details: Mapping[str, Any]
    notes: Sequence[str]
    wrong: bool = False


def freeze(project: Project, study: Study, built: Built, name: str) -> BuildSummary:
    """Freeze the items that are new; raises ProjectError where one is known with other content."""
    fresh: dict[tuple[str, str], str] = {}
    with begin_act(project, name, actor(project)) as act:
        there = {(one.task, one.id): canonical(dict(one.content)) for one in items(project, study.id)}
        for item in built.items:
            _require_sound(study, item)
            key, content = (item.task, item.id), canonical(as_json(item))
            known = there.get(key, fresh.get(key))
            if known is not None and known != content:
                raise ProjectError(
                    f"{study.id} has an item {item.id} of {item.task} with other content; items stay as they "
                    "are: give this one another id, or build into another project."
                )
            if key not in there:
                fresh[key] = content
        nothing = not built.items and bool(built.left_out)
        summary = BuildSummary(
            study=study.id,
            items=len({(item.task, item.id) for item in built.items}),
            added=len(fresh),
            by=count_labels(built.items, built.values),
            left_out=dict(built.left_out),
            sources=list(built.sources),
            details=dict(built.details),
            notes=[*built.notes, *([_NOTHING] if nothing else [])],
            wrong=built.wrong or nothing,
        )
        keep_pictures(act, built.pictures)
        if fresh or built.record:
            new = {(item.task, item.id): item for item in built.items}
            add_items(act, study.id, [as_json(new[key]) for key in fresh], built.guard, asdict(summary))
    close_to_others(project)
    return summary


def mark_guarded(project: Project, study: Study) -> None:
    """Mark the project before anything is kept in it that the study's licence guards."""
    if study.guard and study.guard not in guards(project):
        with begin_act(project, f"mark as under {study.guard}", actor(project)) as act:
            mark(act, [study.guard])
        close_to_others(project)


def close_to_others(project: Project) -> None:
    """Where a licence guards the project others on this computer cannot read it; files beside it follow."""
    if guards(project):
        project.path.chmod(stat.S_IRUSR | stat.S_IWUSR)


def kept_items(
    project: Project,
    study: Study,
    tasks: Collection[str] = (),
    labels: Mapping[str, str | Sequence[str]] | None = None,
) -> list[KeptItem]:
    """The items of a study, of some tasks only, or with one of some values of each of some labels.

    Raises DamagedProjectError.
    """
    wanted = {
        label: {value} if isinstance(value, str) else set(value) for label, value in (labels or {}).items()
    }
    return [
        kept
        for kept in _every_item(project, study)
        if (not tasks or of_tasks(kept.item.task, tasks))
        and all(values & set(kept.item.values(label)) for label, values in wanted.items())
    ]


def counting_items(
    project: Project,
    study: Study,
    tasks: Collection[str] = (),
    labels: Mapping[str, str | Sequence[str]] | None = None,
) -> list[KeptItem]:
    """`kept_items` without those that people rejected, or put another in the place of."""
    kept = kept_items(project, study, tasks, labels)
    gone = study.rejected({"built": built_details(project, study)})
    return [one for one in kept if f"{one.item.task}/{one.item.id}" not in gone] if gone else kept


# Reading a hundred thousand items takes seconds, and they never change: they are kept for as long as a
# project is open and its builds are the same.
_READ: WeakKeyDictionary[Project, dict[str, tuple[tuple[str, ...], list[KeptItem]]]] = WeakKeyDictionary()


def _every_item(project: Project, study: Study) -> list[KeptItem]:
    made = build_uuids(project, study.id)
    read = _READ.setdefault(project, {})
    if study.id not in read or read[study.id][0] != made:
        found = [KeptItem(one.uuid, item_of(one.content)) for one in items(project, study.id)]
        read[study.id] = made, found
    return read[study.id][1]


def built_details(project: Project, study: Study) -> Mapping[str, Any]:
    """What the study said of its builds, of each thing the last; {} where it said nothing."""
    parts = [one.summary.get("details") or {} for one in builds(project, study.id)]
    return {name: value for one in parts for name, value in one.items()}


def tasks_by_id(kept: Sequence[KeptItem]) -> dict[str, list[str]]:
    """The tasks that have an item of each id."""
    return grouped((one.item.id, one.item.task) for one in kept)


def item_named(kept: Sequence[KeptItem], name: str, task: str = "") -> KeptItem:
    """The item of that id; raises UnknownNameError where there is none, or one in each of several tasks."""
    found = [one for one in kept if one.item.id == name and (not task or of_tasks(one.item.task, (task,)))]
    if not found:
        raise UnknownNameError(f"There is no item {name!r} here.")
    if len(found) > 1:
        raise UnknownNameError(
            f"{name!r} is an item of {', '.join(one.item.task for one in found)}; say --task."
        )
    return found[0]


def as_json(item: Item) -> dict[str, Any]:
    """All that is in an item."""
    plain = {name: getattr(item, name) for name in _FIELDS}
    return {**plain, "sources": list(item.sources)}


def item_of(content: Mapping[str, Any], where: str = "") -> Item:
    """The item that JSON says; raises FormatError for anything else."""
    strings = all(isinstance(content.get(name), str) and content[name] for name in ("id", "task"))
    objects = all(isinstance(content.get(name, {}), dict) for name in ("input", "reference", "labels"))
    if (
        not strings
        or not objects
        or not isinstance(content.get("sources", []), list)
        or "input" not in content
    ):
        raise FormatError(
            f"{where}an item needs an id, a task and an input; reference and labels are objects."
        )
    return Item(**{name: content[name] for name in _FIELDS if name in content})


def count_labels(
    found: Sequence[Item], values: Mapping[str, Sequence[str]] | None = None
) -> dict[str, dict[str, int]]:
    """How many items there are by label and value; 0 for those of `values` that none has."""
    labels = dict.fromkeys(["task", *(label for item in found for label in item.labels)])
    counts = {label: Counter(value for item in found for value in item.values(label)) for label in labels}
    for label, every in (values or {}).items():
        counts.setdefault(label, Counter()).update(dict.fromkeys(every, 0))
    return {label: dict(sorted(of_label.items())) for label, of_label in counts.items()}


def _require_sound(study: Study, item: Item) -> None:
    if not of_tasks(item.task, study.tasks):
        known = ", ".join(study.tasks)
        raise ProjectError(f"The item {item.id} is of the task {item.task!r}; {study.id} has {known}.")
    if fault := study.fault(item):
        raise ProjectError(f"The item {item.id}: {fault}")
