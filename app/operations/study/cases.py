"""The project's reports as studies of cases ask for them: blinded views, and blocks of evidence by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from app.operations.annotate.anchors import read_diagnosis
from app.operations.annotate.views import case_of, viewing
from app.store.annotate.anchors import anchors
from app.store.reports.documents import document, documents
from app.studies.study import CaseView
from extractors.blinding.cues import modalities_of
from extractors.model.errors import UnknownNameError
from extractors.model.progress import finished

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.blinding.view import Profile, Track

_PROPOSED = "Its diagnosis is only proposed; casespan anchor confirms it."


def case_views(
    project: Project, tracks: Sequence[str], profile: str, cuts: Mapping[str, int]
) -> list[CaseView]:
    """The views of every report for these tracks; refused where nobody has confirmed what it is about.

    Raises CallError for a cut that is none of a report.
    """
    wanted = cast("Sequence[Track]", tracks)
    views = finished(viewing(project, wanted, cast("Profile", profile), cuts=cuts))
    known, stored = anchors(project), {one.key: one for one in documents(project)}
    found = []
    for one in views:
        report = stored[one.report]
        anchor = known.get(report.uuid)
        diagnosis = read_diagnosis(anchor)
        view = one.view
        if view.state == "ready" and (anchor is None or anchor.state != "confirmed"):
            view = replace(view, state="refused", reason=_PROPOSED)
        text = report.document.text
        captions = {
            figure.id: text[figure.start : figure.end]
            for figure in case_of(project, report).figures
            if figure.start is not None
        }
        kinds = {name: sorted(modalities_of(words)) for name, words in captions.items()}
        found.append(
            CaseView(
                one.report,
                view,
                diagnosis.code if diagnosis else "",
                diagnosis.label if diagnosis else "",
                tuple(name.text for name in diagnosis.aliases) if diagnosis else (),
                {name: own[0] for name, own in kinds.items() if own},
                str(report.document.metadata.get("licence", "")),
            )
        )
    return found


def blocks_of(project: Project, report: str) -> dict[str, str]:
    """The words of a report (key) by the identifiers of its blocks, PMC123#p14; none where it is gone."""
    try:
        stored = document(project, report)
    except UnknownNameError:
        return {}
    text = stored.document.text
    case = case_of(project, stored)
    return {f"{stored.key}#{block.name}": text[block.start : block.end] for block in case.blocks}
