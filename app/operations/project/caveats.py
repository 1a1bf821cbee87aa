"""What must be said of an annotator wherever its quotes are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.store.annotate.annotators import Annotator
    from app.store.project import Project

_NAMED = 5


def caveats(project: Project, name: str, *, in_review: bool = False) -> tuple[str, ...]:
    """Sentences on planted errors, and on a run whose replies no model gave or that was not answered in full.

    It may be a run of another layer, which names terms. Somebody who reviews is not told of planted
    errors (`in_review`). Raises UnknownNameError for an annotator that is not there.
    """
    from app.operations.project.seeded_errors import planted_caveats, planted_sets
    from app.store.annotate.annotators import annotator, annotators

    every = {one.name: one for one in annotators(project, every=True)}
    holder = every.get(name) or annotator(project, name)
    # Errors are planted among quotes alone.
    quoting = holder in annotators(project) and not in_review
    planted = planted_caveats(project, name) if quoting else ()
    # A copy has no answers of its own; what holds of its run's holds of it.
    source = planted_sets(project).get(name)
    run = annotator(project, source) if source else holder
    return (*planted, *(_caveats_of_run(project, run) if run.kind == "run" else ()))


def _caveats_of_run(project: Project, holder: Annotator) -> tuple[str, ...]:
    from app.store.annotate.reviews import reviews
    from app.store.extract.runs import runs
    from app.store.reports.documents import document_summaries

    name = holder.name
    own = [run for run in runs(project) if run.annotator == holder.uuid]
    abouts = {about_of(run.settings) for run in own} - {""}
    key_of = {report.uuid: report.key for report in document_summaries(project)}
    open_reports = [
        key_of[review.document]
        for review in reviews(project)
        if review.annotator == holder.uuid and review.state == "in progress"
    ]
    parts = [f"{name}: {about}" for about in sorted(abouts)]
    if open_reports:
        named = ", ".join(open_reports[:_NAMED])
        more = f" and {len(open_reports) - _NAMED} more" if len(open_reports) > _NAMED else ""
        parts.append(f"{name} is incomplete in {named}{more}: not every category was answered in full.")
    if own and own[-1].state != "done" and own[-1].kind == "model":
        parts.append(f"{name} has not come to its end; reports may be missing.")
    return tuple(parts)


def about_of(settings: Mapping[str, Any]) -> str:
    """The sentence that must stand wherever a run's replies are shown, "" for a model's own."""
    return str(settings.get("about", ""))
