"""The menu that narrows the list of reports."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.gui.session.project_session import ProjectSession
from app.gui.session.report_list import CATEGORY_FILTERS, STATES, CategoryFilter, Filters
from app.gui.widgets.plain import caption
from app.text import counted


class FilterMenu(QMenu):
    """Says what is chosen with ticks; filled anew each time, since annotators come and go.

    Of others only the number of reports is told, nothing of their spans.
    """

    chosen = Signal(object)

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._filters = Filters()
        self._below: list[QMenu] = []
        self.aboutToShow.connect(self.fill)

    def set_filters(self, filters: Filters) -> None:
        """Show these filters as chosen, from the next time on."""
        self._filters = filters

    def fill(self) -> None:
        self.clear()
        for menu in self._below:
            menu.deleteLater()
        self._below = []
        now = self._filters
        self.addSection("State")
        for state, words in STATES.items():
            self._add(self, words, replace(now, states=now.states ^ {state}), state in now.states)
        self.addSection("Category")
        for about, words in CATEGORY_FILTERS.items():
            self._add_categories(about, words[0].upper() + words[1:])
        self._add_annotators()
        self.addSection("Notes")
        for notes, words in ((True, "With notes"), (False, "Without notes")):
            chosen = now.notes is notes
            self._add(self, words, replace(now, notes=None if chosen else notes), chosen)
        self.addSeparator()
        clear = self.addAction("Clear filters", lambda: self.chosen.emit(Filters()))
        clear.setEnabled(now != Filters())

    def _add_categories(self, about: CategoryFilter, words: str) -> None:
        now = self._filters
        menu = self._menu(words, bool(now.category) and now.about == about)
        for category in self._session.scheme.categories:
            chosen = (now.category, now.about) == (category.id, about)
            wanted = replace(now, category="" if chosen else category.id, about=about)
            self._add(menu, f"{category.code}  {category.name}", wanted, chosen)

    def _add_annotators(self) -> None:
        reports: dict[str, int] = {}
        for row in self._session.rows.values():
            for name in row.others:
                reports[name] = reports.get(name, 0) + 1
        menu = self._menu("Spans by", bool(self._filters.annotator))
        menu.setEnabled(bool(reports))
        for name, number in sorted(reports.items()):
            chosen = name == self._filters.annotator
            words = f"{name} ({counted(number, 'report')})"
            self._add(menu, words, replace(self._filters, annotator="" if chosen else name), chosen)

    def _menu(self, words: str, chosen: bool) -> QMenu:
        menu = self.addMenu(words)
        menu.menuAction().setCheckable(True)
        menu.menuAction().setChecked(chosen)
        self._below.append(menu)
        return menu

    def _add(self, menu: QMenu, words: str, wanted: Filters, chosen: bool) -> None:
        action = menu.addAction(caption(words), lambda: self.chosen.emit(wanted))
        action.setCheckable(True)
        action.setChecked(chosen)
