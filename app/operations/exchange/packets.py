"""Packets for annotators: reports given out, one project file each, and how far everybody is with theirs."""

from __future__ import annotations

import random
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.operations.project.sets import actor, require_person
from app.store.act import begin_act
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.listing import words_of_reports
from app.store.database import SUFFIX
from app.store.reports.documents import document_summaries
from extractors.model.errors import CallError, ProjectError, StorageError, reason_of
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class CutPacket:
    """A packet that was written: for whom, where, and how many reports and words are in it."""

    annotator: str
    file: Path
    reports: int
    words: int


def cut_packets(
    where: Project | Path, folder: Path, to: Sequence[str], *, overlap: int | None = None, seed: int = 0
) -> Generator[Progress, None, tuple[CutPacket, ...]]:
    """Give the project's reports to annotators (names) and write a project file for each into a folder.

    Everybody gets every report, or each report goes to `overlap` of them, so that all have about as many
    words; the seed decides among equals. A packet holds the guidelines, the reports and the annotator's own
    work alone. Raises CallError for what cannot be given out, ProjectError for a name that is kept or a file
    that is there already, StorageError; then, or when closed early, nothing is left behind.
    """
    names = [name.strip() for name in to]
    if not names or len(set(map(_file_name, names))) < len(names):
        raise CallError("Name each annotator once, by names that differ in letters or digits.")
    for name in names:
        require_person(name)
    if overlap is not None and not 1 <= overlap <= len(names):
        raise CallError(f"The overlap is {overlap}; choose 1 to {len(names)}, the number of annotators.")
    files = {name: folder / _file_name(name) for name in names}
    taken = next((file for file in files.values() if file.exists()), None)
    if taken is not None:
        raise ProjectError(f"{taken} exists already; choose another folder or move it away.")
    with opened(where, write=True) as project:
        yield from ()
        return (yield from _cutting(project, files, overlap or len(names), seed))


def _cutting(
    project: Project, files: Mapping[str, Path], overlap: int, seed: int
) -> Generator[Progress, None, tuple[CutPacket, ...]]:
    from app.store.unite.packets import add_packet, write_packet

    counted = words_of_reports(project)
    words = {one.uuid: counted.get(one.uuid, 0) for one in document_summaries(project)}
    if not words:
        raise CallError(f"There are no reports in {project.path}; import some first.")
    given = assign(words, list(files), overlap, seed)
    written: list[Path] = []
    made = _made(next(iter(files.values())).parent)
    cut = []
    try:
        with begin_act(project, f"cut packets for {', '.join(files)}", actor(project)) as act:
            for number, (name, file) in enumerate(files.items(), start=1):
                holder = ensure_annotator(act, name, "person")
                own = {document: words[document] for document in words if document in given[name]}
                packet = add_packet(act, holder, own, overlap=overlap, seed=seed)
                write_packet(project, file, packet, holder, list(own))
                written.append(file)
                cut.append(CutPacket(name, file, len(own), sum(own.values())))
                yield Progress(number, len(files), file.name)
    except BaseException:
        for file in written:
            file.unlink(missing_ok=True)
        if made is not None:
            made.rmdir()
        raise
    return tuple(cut)


def assign(words: Mapping[str, int], names: Sequence[str], overlap: int, seed: int) -> dict[str, set[str]]:
    """Which reports each name gets: each report goes to `overlap` names, those with the fewest words so far.

    The same on every machine for the same reports, names and seed.
    """
    chance = random.Random(seed)
    # Drawn in order of import, not by UUIDs, which are others in every project.
    order = {document: chance.random() for document in words}
    turn = {name: chance.random() for name in names}
    load = dict.fromkeys(names, 0)
    given: dict[str, set[str]] = {name: set() for name in names}
    for document in sorted(words, key=lambda one: (-words[one], order[one])):
        least = sorted(names, key=lambda name: (load[name], len(given[name]), turn[name]))
        for name in least[:overlap]:
            given[name].add(document)
            load[name] += words[document]
    return given


def _file_name(name: str) -> str:
    return (re.sub(r"[^\w.-]+", "-", name).strip("-.") or "packet").casefold() + SUFFIX


def _made(folder: Path) -> Path | None:
    """The folder, where it had to be made."""
    if folder.is_dir():
        return None
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {reason_of(error)}.", error) from error
    return folder
