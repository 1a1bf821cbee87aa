"""The palette of categories, always in sight: colours, keys, numbers of spans, what is hidden in the text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QWidget

from app.gui.modes.annotate.category_row import CategoryRow, RowState
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import AFTER_THE_TEXT, Panel
from app.gui.widgets.flow import Lettered
from app.gui.widgets.swatch import colours_of
from app.palette import PagePalette

# Of the window's height: what rows below each other may take, else they stand in two columns, which insist
# on so much.
_ONE_COLUMN, _MOST = 0.5, 0.38


class CategoryPalette(Lettered, Panel):
    """One row for each category of an open session; `actions` has the two commands of each category.

    Hiding is this panel's own affair; everything else goes through the actions and the span controller.
    """

    visibility_changed = Signal(frozenset)
    text_wanted = Signal()

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._actions, self._report_model = session, actions, session.report_model
        # The ids of the categories that are hidden in the text.
        self.hidden: frozenset[str] = frozenset()
        self._ids = session.scheme.ids
        self.setAccessibleName("Categories")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        colours = colours_of(session.scheme, self)
        self.rows = {one.id: CategoryRow(one, colours) for one in session.scheme.categories}
        self._content = QWidget()
        self._grid = QGridLayout(self._content)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._lines = self._room = 0
        self._lay_out(len(self.rows))
        self.setWidget(self._content)
        # Acts come in bursts (a hundred places labelled at once): the numbers are counted once for all.
        self._later = QTimer(self, singleShot=True, interval=AFTER_THE_TEXT)
        self._later.timeout.connect(self._refresh)
        self._refit = QTimer(self, singleShot=True, interval=0)
        self._refit.timeout.connect(self.fold)
        self._connect()
        self._show_keys()
        self._let_tab_reach(session.category)
        self._refresh()

    def take_focus(self) -> None:
        """Put the focus on the row that Tab stops at."""
        row = next(row for row in self.rows.values() if row.focusPolicy() & Qt.FocusPolicy.TabFocus)
        row.setFocus(Qt.FocusReason.TabFocusReason)

    # What is hidden

    def toggle(self, category: str) -> None:
        """Hide a category in the text, or show it again."""
        self._hide(self.hidden ^ {category})

    def show_only(self, category: str) -> None:
        self._hide(frozenset(self._ids) - {category})

    def show_all(self) -> None:
        self._hide(frozenset())

    def _hide(self, hidden: frozenset[str]) -> None:
        if hidden != self.hidden:
            self.hidden = hidden
            self.visibility_changed.emit(hidden)
        self._refresh()

    # How it looks

    def set_page_palette(self, palette: PagePalette) -> None:
        for row in self.rows.values():
            row.set_page_palette(palette)

    def sizeHint(self) -> QSize:
        inside = self._content.sizeHint()
        return QSize(inside.width() + self.verticalScrollBar().sizeHint().width(), inside.height())

    def minimumSizeHint(self) -> QSize:
        inside = self._content.minimumSizeHint()
        bar = self.verticalScrollBar().sizeHint().width()
        high = round(_MOST * self.window().height())
        return QSize(inside.width() + bar, min(self._content.sizeHint().height(), high))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refit.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.window().height() != self._room:
            self._refit.start()

    def fit_letters(self) -> None:
        if self.widget() is not None:
            # The rows hear of it in their turn.
            self._refit.start()

    def _show_keys(self) -> None:
        """Actions also change with every mode, in all but their keys."""
        keys = [self._actions.key(f"label.{category}") for category in self._ids]
        if keys == [row.key.text() for row in self.rows.values()]:
            return
        for key, row in zip(keys, self.rows.values(), strict=True):
            row.show_key(key)
        self._refit.start()

    def fold(self) -> None:
        """Stand in two columns where the letters are so large, or the window so low, that all rows below each
        other would leave too little to the other panels: none of them is to be looked for."""
        number = len(self.rows)
        self._room = self.window().height()
        high = sum(row.height_alone() for row in self.rows.values())
        lines = number if high <= _ONE_COLUMN * self._room else (number + 1) // 2
        if lines != self._lines:
            self._lay_out(lines)
        self.fit()

    def _lay_out(self, lines: int) -> None:
        """So many rows in a column, the first column whole before the second begins."""
        self._lines = lines
        for number, row in enumerate(self.rows.values()):
            self._grid.addWidget(row, number % lines, number // lines)
            row.fold(lines if lines < len(self.rows) else 0)
        for number in range(len(self.rows) + 1):
            self._grid.setRowStretch(number, int(number == lines))
        # Both columns are as wide.
        for number in range(2):
            self._grid.setColumnStretch(number, int(number == 0 or lines < len(self.rows)))

    def fit(self) -> None:
        """Give the columns of the rows the widths that their letters need now."""
        keys = [row.key.text() for row in self.rows.values()]
        width = max(self.fontMetrics().horizontalAdvance(key) for key in [*keys, "W"]) + 8
        for row in self.rows.values():
            row.fit(width)
        self._grid.invalidate()
        self._content.updateGeometry()
        # What is over belongs to the guideline below.
        self.setMaximumHeight(self._content.sizeHint().height())
        self.updateGeometry()

    # Inside

    def _connect(self) -> None:
        for category, row in self.rows.items():
            row.label_wanted.connect(self._label)
            row.visibility_wanted.connect(self.toggle)
            row.nothing_wanted.connect(self._toggle_nothing)
            row.menu_wanted.connect(lambda category, place: self.menu_of(category).popup(place))
            row.moved.connect(self._move)
            row.focused.connect(self._let_tab_reach)
            self._actions[f"label.{category}"].changed.connect(self._show_keys)
        model = self._report_model
        for changed in (model.opened, model.reset, model.span_set, model.span_removed, model.review_changed):
            changed.connect(lambda *_: self._later.start())
        self._session.category_changed.connect(self._use)

    def _refresh(self) -> None:
        counts = self._report_model.counts()
        ready = self._report_model.report is not None
        nothing = self._report_model.review.nothing_found if ready else ()
        for category, row in self.rows.items():
            row.show_state(
                RowState(
                    count=counts[category],
                    nothing=category in nothing,
                    shown=category not in self.hidden,
                    in_use=category == self._session.category,
                    ready=ready,
                )
            )

    def _use(self, category: str) -> None:
        self._refresh()
        self.ensureWidgetVisible(self.rows[category], 0, 0)
        if not any(row.hasFocus() for row in self.rows.values()):
            self._let_tab_reach(category)

    def _label(self, category: str) -> None:
        self._actions[f"label.{category}"].trigger()
        self.text_wanted.emit()

    def _toggle_nothing(self, category: str) -> None:
        """State "nothing found" or take it back; what the button shows follows from what is on disk."""
        if self._report_model.report is not None:
            stated = category not in self._report_model.review.nothing_found
            self._session.controller.state_nothing_found(category, stated=stated)
        self._later.start()

    def _move(self, category: str, step: int) -> None:
        place = self._ids.index(category) + step
        if 0 <= place < len(self._ids):
            row = self.rows[self._ids[place]]
            row.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(row, 0, 0)

    def _let_tab_reach(self, category: str) -> None:
        """The Tab key stops at one row only; arrows go on from there."""
        for one, row in self.rows.items():
            row.setFocusPolicy(Qt.FocusPolicy.TabFocus if one == category else Qt.FocusPolicy.NoFocus)

    def menu_of(self, category: str) -> QMenu:
        """The menu of a row; it goes when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self._session.scheme.category(category).name)
        shown = menu.addAction("&Show in the text", lambda: self.toggle(category))
        shown.setCheckable(True)
        shown.setChecked(category not in self.hidden)
        menu.addAction("&Only this category", lambda: self.show_only(category))
        menu.addAction(f"Show &all\t{self._actions.key('view.show_all')}", self.show_all)
        menu.addSeparator()
        nothing = menu.addAction("&Nothing found here", lambda: self._toggle_nothing(category))
        nothing.setCheckable(True)
        ready = self._report_model.report is not None
        nothing.setChecked(ready and category in self._report_model.review.nothing_found)
        nothing.setEnabled(ready and not self._report_model.counts()[category])
        relabel = self._actions[f"relabel.{category}"]
        key = self._actions.key(f"relabel.{category}")
        again = menu.addAction(f"&Relabel current span\t{key}", relabel.trigger)
        current = self._report_model.current
        again.setEnabled(current is not None and self._report_model.is_own(current))
        menu.triggered.connect(lambda _action: self.text_wanted.emit())
        return menu
