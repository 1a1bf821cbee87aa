"""The figures of the report on the page: links in its text, thumbnails beside it, the large view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.gui.figures.pictures import Pictures
from app.gui.figures.thumbnails import Thumbnails
from app.operations.project.figures import figures_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.gui.figures.view import FigureView
    from app.gui.reader.report_page import Page
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.store.project import Project
    from extractors.model.figure import Figure

_NONE = "This report has no figures; they come with a report's package of PubMed Central."


class ReportFigures(QObject):
    """Asks for a report's figures once its text is on the page; what comes then moves nothing."""

    def __init__(self, session: ProjectSession, page: Page, actions: Actions, around: QWidget) -> None:
        super().__init__(page)
        self._session, self._page, self._around = session, page, around
        self._reader = page.reader
        self.figures: tuple[Figure, ...] = ()
        self.pictures = Pictures(session.worker, self)
        self.thumbnails = Thumbnails(self._reader, self.pictures, self.open)
        self.view: FigureView | None = None
        session.report_model.opened.connect(self._ask)
        self._reader.link_activated.connect(self._follow)
        actions.on("report.figure", lambda *_: self._open_at_caret())
        actions.on("report.mention", lambda *_: self._next_place())

    @property
    def shown(self) -> bool:
        """Whether the large view is on screen."""
        return self.view is not None and self.view.isVisible()

    def open(self, number: int) -> None:
        """Show a figure large, by its number from 0."""
        # Imported here: most reports are read without it.
        from app.gui.figures.view import FigureView

        if self.view is None:
            self.view = FigureView(self._session, self.pictures, self._around)
            self.view.closed.connect(self._reader.setFocus)
            self.view.place_wanted.connect(self._go_to)
        self.view.open(self.figures, number)

    def close(self) -> None:
        """Take the large view away, where it is on screen."""
        if self.view is not None:
            self.view.close_view()

    def give_up_or(self, undo: Callable[[], object]) -> None:
        """Forget a region that is drawn and not kept yet; where there is none, undo."""
        if self.view is not None and self.view.give_up():
            self._session.message.emit("The region that was not kept yet is gone.")
        else:
            undo()

    def _ask(self) -> None:
        self.close()
        self._take(("", ()))
        key = self._session.report_model.key
        if key:

            def read(project: Project) -> tuple[str, tuple[Figure, ...]]:
                return key, figures_of(project, key)

            self._session.worker.ask(read, self._take, lambda _: None, latest="figures")

    def _take(self, found: tuple[str, tuple[Figure, ...]]) -> None:
        key, figures = found
        if key and key != self._session.report_model.key:
            return
        self.figures = figures
        self._reader.set_links([place for figure in figures for place in figure.mention_places])
        self.thumbnails.set_figures(figures)

    def _follow(self, offset: int) -> None:
        number = self._spoken_of(offset, near=False)
        if number is not None:
            self.open(number)

    def _open_at_caret(self) -> None:
        number = self._spoken_of(self._reader.caret(), near=True)
        if number is None:
            self._session.message.emit(_NONE)
        else:
            self.open(number)

    def _next_place(self) -> None:
        """Go round the places of the figure that the text speaks of at the caret."""
        caret = self._reader.caret()
        number = self._spoken_of(caret, near=True)
        places = _places(self.figures[number]) if number is not None else []
        if number is None or not places:
            self._session.message.emit(_NONE)
            return
        here = next((at for at, (start, end) in enumerate(places) if start <= caret <= end), -1)
        start, end = places[(here + 1) % len(places)]
        self._go_to(start, end)
        what = "caption" if start == self.figures[number].start else "mention"
        at = (here + 1) % len(places) + 1
        self._session.message.emit(f"{self.figures[number].called}: {what}, {at} of {len(places)} places.")

    def _go_to(self, start: int, end: int) -> None:
        self._page.show_place(start, end)
        self._reader.setFocus()

    def _spoken_of(self, offset: int, *, near: bool) -> int | None:
        """The figure that an offset is a mention or in the caption of; with `near` else the nearest."""
        distances = [
            (max(start - offset, offset - end, 0), end - start, number)
            for number, figure in enumerate(self.figures)
            for start, end in _places(figure)
        ]
        best = min(distances, default=None)
        if best is None:
            return 0 if near and self.figures else None
        return best[2] if near or best[0] == 0 else None


def _places(figure: Figure) -> list[tuple[int, int]]:
    """Its caption, if it has one, then its mentions."""
    caption = [(figure.start, figure.end)] if figure.start is not None and figure.end is not None else []
    return [*caption, *figure.mention_places]
