"""Guidelines that learn: a clause or an example is added, every version is kept, older work is listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.opening import opened
from app.operations.project.sets import require_field, require_person, who
from app.store.act import begin_act
from app.store.annotate.annotators import annotators
from app.store.reports.documents import document, document_summaries
from app.store.values import sha256
from extractors.model.errors import CallError, UnknownNameError

if TYPE_CHECKING:
    from app.store.extract.runs import Run
    from app.store.project import Project
    from app.store.reconcile.amendments import Amendment
    from extractors.model.guideline import Example


@dataclass(frozen=True, slots=True)
class WorkedOn:
    """A report (key) in which an annotator (name) worked on a category, and when last (UTC)."""

    report: str
    annotator: str
    worked_on: str


@dataclass(frozen=True, slots=True)
class Outdated:
    """A report (key) in which an annotator (name) worked on a category before its guideline was amended.

    `worked_on` is when that was last (UTC), for a model when its run began; `amendments_since` are the
    amendments since then, the earliest first.
    """

    report: str
    annotator: str
    category: str
    worked_on: str
    amendments_since: tuple[Amendment, ...]

    @property
    def amended_at(self) -> str:
        """When the guideline was amended last."""
        return self.amendments_since[-1].amended_at


def amend_guideline(
    where: Project | Path,
    by: str,
    category: str,
    section: str = "",
    clause: str = "",
    example: Example | None = None,
    decision: str = "",
) -> Amendment:
    """Add a clause to a section ("Include", "Exclude" or "Boundaries") of a guideline, an example, or both.

    `by` is the author's name, "" for the project's owner, `decision` the UUID of the decision that led to
    it. Raises UnknownNameError for a category, field or decision that is not there, SchemeError for what
    cannot be added, ProjectError for an author whose name is kept for runs, CallError for none; then nothing
    was changed.
    """
    # Imported here: the command line names this module before it opens a project.
    from app.store.reconcile.amendments import add_amendment
    from app.store.reconcile.decisions import decisions
    from extractors.model.amending import CLAUSE_SECTIONS, amended, example_markdown

    with opened(where, write=True) as project:
        by = by or project.owner
        if not by:
            raise CallError("Name the person who amends the guideline: --by NAME.")
        require_person(by)
        known = project.scheme.category(category)
        if example is not None:
            _require_known(project, category, example)
        if decision and all(one.uuid != decision for one in decisions(project)):
            raise UnknownNameError(f"There is no decision {decision} in {project.path}.")
        text = amended(known.guideline, section, clause, example)
        titles = {one.casefold(): one for one in CLAUSE_SECTIONS}
        with begin_act(project, f"amend the guideline of {known.name}", who(project, by)) as act:
            return add_amendment(
                act,
                category,
                text,
                section=titles[section.casefold()] if clause else "",
                clause=clause.strip(),
                example=example_markdown(example) if example is not None else "",
                decision=decision,
                author=by,
            )


def preview_amendment(
    project: Project, category: str, section: str = "", clause: str = "", example: Example | None = None
) -> str:
    """The guideline as it would read then; raises as `amend_guideline`, and changes nothing."""
    from extractors.model.amending import amended

    if example is not None:
        _require_known(project, category, example)
    return amended(project.scheme.category(category).guideline, section, clause, example)


def list_amendments(where: Project | Path, category: str | None = None) -> tuple[Amendment, ...]:
    """All amendments that hold, or those of one category, the earliest first; raises UnknownNameError."""
    from app.store.reconcile.amendments import amendments

    with opened(where) as project:
        if category is not None:
            project.scheme.category(category)
        return tuple(amendments(project, category))


def compare_versions(where: Project | Path, amendment: Amendment) -> tuple[str, ...]:
    """What an amendment changed in the guideline's Markdown, as the lines of a unified diff."""
    from app.store.reconcile.amendments import guideline_text

    with opened(where) as project:
        before, after = (
            guideline_text(project, digest) for digest in (amendment.before_sha256, amendment.after_sha256)
        )
    name = f"{amendment.category}.md"
    return tuple(unified_diff(before.split("\n"), after.split("\n"), name, name, lineterm="", n=1))


def list_outdated(
    where: Project | Path,
    category: str | None = None,
    *,
    report: str | None = None,
    annotator: str | None = None,
) -> tuple[Outdated, ...]:
    """The reports worked on under a guideline that was amended since, by category, report and annotator.

    All, or those of one category, report (key or UUID) and annotator (name). A report counts as worked on
    when a quote of the category was made in it, and, where it is done or the category is empty, when its
    review was changed last; so marking it done again takes it off the list. The rules read no guidelines and
    are never listed, nor are copies made to measure reviewers by: nobody worked on those. Raises
    UnknownNameError for a category or report that is not there.
    """
    from app.store.reconcile.amendments import amendments

    with opened(where) as project, project.snapshot():
        if category is not None:
            project.scheme.category(category)
        made = amendments(project, category)
        found = []
        for amended in (one for one in project.scheme.ids if any(one == each.category for each in made)):
            own = [one for one in made if one.category == amended]
            for run, work in _worked_on(project, amended, report, annotator):
                since = _after(own, work.worked_on) if run is None else _since(run, own)
                found += [Outdated(work.report, work.annotator, amended, work.worked_on, since)] * bool(since)
    return tuple(found)


def list_worked_on(where: Project | Path, category: str) -> tuple[WorkedOn, ...]:
    """Who worked on a category in which reports, by report and annotator: what an amendment would outdate.

    Otherwise as `list_outdated`.
    """
    with opened(where) as project, project.snapshot():
        project.scheme.category(category)
        return tuple(work for _, work in _worked_on(project, category, None, None))


def _worked_on(
    project: Project, category: str, report: str | None, annotator: str | None
) -> Iterator[tuple[Run | None, WorkedOn]]:
    """The work there is by report and annotator, with the run whose it is; nothing of rules and copies."""
    from app.operations.project.seeded_errors import planted_sets
    from app.store.extract.runs import runs
    from app.store.reconcile.amendments import work_on

    only = document(project, report).uuid if report is not None else None
    copies = planted_sets(project)
    names = {
        one.uuid: one.name
        for one in annotators(project)
        if annotator in (None, one.name) and one.name not in copies
    }
    # A person who answers a study is no run where reports are worked on.
    run_of = {run.annotator: run for run in runs(project) if run.kind != "person"}
    keys = {one.uuid: one.key for one in document_summaries(project)}
    for work in work_on(project, category, only):
        run = run_of.get(work.annotator)
        if work.annotator in names and (run is None or run.kind == "model"):
            at = run.started_at if run is not None else work.at
            yield run, WorkedOn(keys[work.document], names[work.annotator], at)


def guideline_versions(project: Project) -> dict[str, str]:
    """The SHA-256 of each category's guideline as it is now, by category, as a run of a model records it."""
    return {category.id: sha256(category.guideline) for category in project.scheme.categories}


def _since(run: Run, made: Sequence[Amendment]) -> tuple[Amendment, ...]:
    """The amendments that a run did not know of: by the text that it records, else by when it began."""
    versions = run.settings.get("guidelines")
    known = versions.get(made[0].category) if isinstance(versions, dict) else None
    for place, one in reversed(list(enumerate(made))):
        if one.after_sha256 == known:
            return tuple(made[place + 1 :])
    for place, one in enumerate(made):
        if one.before_sha256 == known:
            return tuple(made[place:])
    return _after(made, run.started_at)


def _after(made: Sequence[Amendment], worked_on: str) -> tuple[Amendment, ...]:
    """Those made since; times have seconds, and what was done in the same one is taken for older work."""
    return tuple(one for one in made if worked_on <= one.amended_at)


def _require_known(project: Project, category: str, example: Example) -> None:
    """Raise UnknownNameError for a field or another category of a quote that the scheme lacks."""
    for quote in example.quotes:
        require_field(project, category, quote.field)
        for other in quote.also:
            project.scheme.category(other)
