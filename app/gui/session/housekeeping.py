"""What is done to whole reports: marked, renamed, deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.operations.project.reports import Contents, delete_reports, rename_report
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.annotate.reviews import ReviewState
    from app.store.reports.documents import DocumentSummary
    from extractors.model.scheme import Category


def open_categories(session: ProjectSession) -> list[Category]:
    """The categories of which nothing is said in the open report: no span, no statement."""
    model = session.report_model
    names = {*model.counts(), *model.review.nothing_found}
    return [category for category in session.scheme.categories if category.id not in names]


def mark(session: ProjectSession, state: ReviewState) -> None:
    """Set how far one is with the open report; where it is done, offer to state what was not found."""
    key, categories = session.report_model.key, open_categories(session)
    open_ = ", ".join(category.name for category in categories)

    def state_nothing() -> None:
        session.controller.state_nothing_in_rest(key)
        session.message.emit(f"{key}: nothing found in {open_}.")

    session.controller.set_state(state)
    if key and state == "done" and open_:
        whole = counted(len(session.scheme.ids), "category", "categories")
        session.offered.emit(
            f"{key} is done; {len(categories)} of {whole} have no span: {open_}.",
            "&Nothing found in all of these",
            state_nothing,
            # None may be cut off of what the button is about: by their codes there is room for all.
            f"{key} is done; no span: {', '.join(category.code for category in categories)}.",
        )


def rename(session: ProjectSession, report: str, title: str, key: str) -> None:
    def done(after: DocumentSummary) -> None:
        session.message.emit(f"The report is called {after.title} ({after.key}) from now on.")
        session.reload({report: after.key})

    session.worker.act(lambda project: rename_report(project, report, title=title, key=key), done)


def delete(session: ProjectSession, reports: Sequence[str], then: str) -> None:
    """Delete reports (keys) with all that is about them; `then` (key) is opened instead of an open one."""

    def done(gone: tuple[Contents, ...]) -> None:
        what = f"{gone[0].key} was" if len(gone) == 1 else f"{counted(len(gone), 'report')} were"
        session.message.emit(f"{what} deleted; undo brings all of it back.")
        session.reload(dict.fromkeys(reports, then))

    session.worker.act(lambda project: delete_reports(project, reports), done)
