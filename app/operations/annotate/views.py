"""Blinded views of a project's reports, and the guesses of those who read them part by part."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from app import PROGRAM
from app.operations.annotate.anchors import Anchor, list_anchors, read_diagnosis, require_cut
from app.operations.project.figures import figures_of, read_picture
from app.operations.project.output import write_file
from app.operations.project.sets import actor
from app.store.act import begin_act
from app.store.annotate.anchors import Guess, add_guess, anchors, guesses, tick_pictures, ticked
from app.store.reports.documents import StoredDocument, document, document_summary, documents
from extractors.blinding.case import Case
from extractors.blinding.masking import Diagnosis
from extractors.blinding.view import TRACKS, Blinding, Profile, Track, View, refused_view
from extractors.model.errors import CallError, FormatError, StorageError, reason_of
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project

_NO_DIAGNOSIS = "Nobody has said what it is about; casespan anchor does."


# A report's key, and a view of it.
ReportView: TypeAlias = tuple[str, View]


def tracks_named(word: str) -> tuple[Track, ...]:
    """The track of that name, or all; raises CallError."""
    found = tuple(one for one in TRACKS if word.upper() in (one, "ALL"))
    if not found:
        raise CallError(f"There is no track “{word}”; choose one of {', '.join(TRACKS)} or all.")
    return found


def case_of(project: Project, stored: StoredDocument) -> Case:
    """A report as views are cut from it."""
    figures = figures_of(project, stored.uuid)
    return Case(stored.document, stored.key, stored.source, figures, ticked(project, stored.uuid))


def check_cuts(project: Project, cuts: Mapping[str, int]) -> None:
    """Raises CallError where a cut is no place in the text of its report (key), UnknownNameError."""
    for key, cut in cuts.items():
        require_cut(document(project, key), cut)


def viewing(
    project: Project,
    tracks: Sequence[Track],
    profile: Profile = "strict",
    *,
    reports: Sequence[str] = (),
    hints: bool = False,
    cuts: Mapping[str, int] = MappingProxyType({}),
) -> Generator[Progress, None, list[ReportView]]:
    """The views of reports (keys; all by default) for these tracks; `cuts` is where T4 ends, by report.

    Raises UnknownNameError for a report that is not there, CallError where a cut is no place in its text.
    """
    chosen = [document(project, one) for one in reports] if reports else documents(project)
    check_cuts(project, cuts)
    cuts = {document_summary(project, one).key: cut for one, cut in cuts.items()}
    known = anchors(project)
    found: list[ReportView] = []
    for done, stored in enumerate(chosen, 1):
        diagnosis = read_diagnosis(known.get(stored.uuid))
        case, cut = case_of(project, stored), cuts.get(stored.key)
        views = _views_of(case, diagnosis, tracks, profile, hints=hints, cut=cut)
        found += [(stored.key, one) for one in views]
        yield Progress(done, len(chosen), "reports blinded")
    return found


def _views_of(
    case: Case,
    diagnosis: Diagnosis | None,
    tracks: Sequence[Track],
    profile: Profile = "strict",
    *,
    hints: bool = False,
    cut: int | None = None,
) -> list[View]:
    """The views of a case; refused where no diagnosis is known, or only a group of them is proposed."""
    if diagnosis is None or diagnosis.state == "group":
        group = "Only a group of disorders is proposed; a person has to confirm it."
        return [refused_view(one, profile, group if diagnosis else _NO_DIAGNOSIS) for one in tracks]
    blinding = Blinding(case, diagnosis)
    return [blinding.view(one, profile, hints=hints, cut=cut) for one in tracks]


def view_json(one: ReportView) -> dict[str, Any]:
    """A view as the command prints it."""
    report, view = one
    return {
        "report": report,
        **{name: getattr(view, name) for name in ("track", "profile", "state", "reason", "text")},
        **({"diagnosis": view.diagnosis} if view.track == "T2" else {}),
        "pictures": [
            {"name": each.name, "sha256": each.sha256, "figure": each.figure} for each in view.pictures
        ],
        "leakage_audit": view.audit_record(PROGRAM),
    }


def save_views(project: Project, views: Sequence[ReportView], folder: Path) -> tuple[int, int]:
    """Write what is ready into numbered folders, all audits above them; how many views were written, and how
    many pictures left out.

    A picture that cannot be decoded is left out, and its audit says so. Raises StorageError where the folder
    cannot be written, CallError where it holds something already.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CallError(f"{folder} is there already; name a new folder for the views.")
        folder.mkdir(parents=True, exist_ok=True)
        lines, number, missing = [], 0, 0
        for report, view in views:
            ready = view.state == "ready"
            number += ready
            name = f"{number:04d}" if ready else ""
            values: dict[str, object] = {"folder": name, "report": report, "track": view.track}
            left_out = _save_view(project, view, folder / name) if ready else {}
            missing += len(left_out)
            values |= {"state": view.state, "reason": view.reason, "pictures_left_out": [*left_out]}
            values |= {"why_left_out": left_out} if left_out else {}
            lines.append(json.dumps({**values, **view.audit_record(PROGRAM)}, ensure_ascii=False))
        write_file(folder / "audits.jsonl", "\n".join(lines) + "\n")
    except OSError as error:
        raise StorageError(f"{folder} cannot be written: {reason_of(error)}.", error) from None
    return number, missing


def _save_view(project: Project, view: View, folder: Path) -> dict[str, str]:
    """Write one view; the names of pictures that could not be decoded, and why."""
    from extractors.checks.pictures import bare_picture

    folder.mkdir()
    given = f"Working diagnosis: {view.diagnosis}\n\n" if view.diagnosis else ""
    write_file(folder / "view.txt", given + view.text + "\n")
    left_out = {}
    for picture in view.pictures:
        try:
            write_file(folder / picture.name, bare_picture(read_picture(project, picture.sha256)))
        except FormatError as error:
            left_out[picture.name] = str(error)
    return left_out


def tick_views(project: Project, *reports: str, by: str = "") -> int:
    """Say that the pictures of reports (keys) were looked at and hold no telling words; how many are new."""
    found, by = [document(project, one) for one in reports], by or actor(project)
    with begin_act(project, f"pictures read in {', '.join(one.key for one in found)}", by) as act:
        return sum(tick_pictures(act, one.uuid, _pictures(project, one), by) for one in found)


def _pictures(project: Project, stored: StoredDocument) -> list[str]:
    images = (image for figure in figures_of(project, stored.uuid) for image in figure.images)
    return sorted({one.sha256 for one in images if one.sha256})


def keep_guess(
    project: Project, report: str, track: str, part: int, guess: str, view: str, by: str = ""
) -> Guess:
    """Keep what a reader thought before the next part of a view (its SHA-256) was shown."""
    stored, by = document(project, report), by or actor(project)
    with begin_act(project, f"guess in {stored.key}", by) as act:
        return add_guess(act, stored.uuid, by, track, part, guess.strip(), view)


@dataclass(frozen=True, slots=True)
class Teaching:
    """A view of one report to be read part by part: where parts end, its diagnosis, and guesses of before.

    `shown_from` says of each picture of the view where the part ends that first speaks of it, the last part
    where none does; of a refused view it is empty.
    """

    view: View
    ends: tuple[int, ...]
    anchor: Anchor
    guesses: tuple[Guess, ...]
    shown_from: tuple[int, ...] = ()


def read_blinded(project: Project, report: str, track: Track, by: str = "") -> Teaching:
    """The strict view of a report (key) for a track, as a reader is shown it, with that one's guesses."""
    stored = document(project, report)
    (anchor,) = list_anchors(project, [report])
    diagnosis = read_diagnosis(anchors(project, stored.uuid).get(stored.uuid))
    case = case_of(project, stored)
    (view,) = _views_of(case, diagnosis, [track])
    ends, shown_from = view.part_ends(), list[int]()
    firsts = {one.id: [start for start, _ in one.mention_places] for one in case.figures}
    for shown in view.pictures if view.state == "ready" else ():
        first = min(firsts[shown.figure], default=inf)
        shown_from.append(next((end for end in ends if first < view.source(end)), ends[-1]))
    reader = by or actor(project)
    mine = [one for one in guesses(project, stored.uuid) if (one.reader, one.track) == (reader, track)]
    return Teaching(view, ends, anchor, tuple(mine), tuple(shown_from))
