"""The page of agreement: what is compared, the table, heat map, reports, every pair, annotated shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QSizePolicy, QTableView, QVBoxLayout, QWidget

from app.gui.dialogs.forms import GRID, named, plain_label
from app.gui.modes.agreement.charts import HeatMap, PairMatrix, ReportStrip
from app.gui.modes.agreement.choice import Choice
from app.gui.modes.agreement.numbers import NumberRow, NumberTable
from app.gui.widgets.boxes import pages_of, scrolled, stacked
from app.gui.widgets.flow import Arranging
from app.gui.widgets.plain import bold
from app.operations.compare.view import AgreementView, Figure

if TYPE_CHECKING:
    from app.agreement.types import Profile
    from app.gui.shell.acts.actions import Actions
    from app.palette import PagePalette

_COUNTS = (
    (
        "Reports",
        "Reports that both sides annotated in the category; in the last two lines one for each category.",
    ),
    ("Both\nempty", "Reports in which both sides found nothing."),
    ("Quotes\nleft / right", "Quotes of the left side / of the right side."),
)
_NOTHING = (
    "Agreement compares two annotation sets of the same reports: two people, a person and a model, a model "
    "and gold. {there} Annotate reports yourself, let rules or a model extract, import somebody's "
    "annotations (Project, Import reports…) or annotate under another name (Project, Annotate as…)."
)
_SENTENCE_LINES = 2
# Letters of names and labels: those of the longest category.
_NAME = 28


class AgreementPage(QWidget):
    """`number_opened` has the category ("" for all) and the measure's key; `place_opened` a cell of
    the heat map, `report_opened` the key of a report in the strip."""

    number_opened = Signal(str, str)
    place_opened = Signal(int, int)
    report_opened = Signal(str)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName("Agreement")
        self._view: AgreementView | None = None
        self._shares: tuple[Sequence[str], Sequence[tuple[str, tuple[Figure, ...]]]] = ((), ())
        self._colours: PagePalette | None = None
        self.choice = Choice(actions)
        self.sentence = plain_label("", "What the numbers rest on", _SENTENCE_LINES)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = NumberTable("Scores by category", self._open_number)
        self.strip = ReportStrip(self.report_opened.emit)
        self.heat = HeatMap(self.place_opened.emit)
        self.pairs = PairMatrix(self.choice.choose)
        self.shares = NumberTable("Annotated shares", lambda _row, _column: None, letters=_NAME)
        self.strip_title = _title("Reports")
        self.heat_about, self.pairs_title = plain_label(), _title("Every pair")
        self.pairs_about = plain_label()
        for about in (self.heat_about, self.pairs_about):
            # They wrap under their charts and ask for no width of their own.
            policy = about.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            about.setSizePolicy(policy)
        self.empty = _EmptyAgreement(actions)
        self._lay_out()

    def take_focus(self) -> None:
        """To the table, or to the one next step where there is none."""
        if self._stack.currentIndex() == 0:
            self.table.setFocus()
        elif self._stack.currentWidget() is self.empty:
            self.empty.button.setFocus()
        elif self._stack.currentWidget() is self.waiting:
            self.waiting.setFocus()
        else:
            self.choice.left.setFocus()

    def set_colours(self, colours: PagePalette) -> None:
        self._colours = colours
        if self._view is not None:
            self.show_view(self._view)

    def show_view(self, view: AgreementView) -> None:
        self._view = view
        agreement, profile = view.agreement, view.agreement.profile
        self.sentence.setText(" ".join(view.sentences))
        headings = [
            *_COUNTS,
            *(("\n".join(m.heading), f"{m.name}. {m.explanation(profile)}") for m in view.measures),
        ]
        rows = []
        for line in view.lines:
            counts = (str(line.n), str(line.empty), f"{line.left} / {line.right}")
            cells = tuple(
                Figure(text, f"{line.label}: {text}. {about}")
                for text, (_, about) in zip(counts, _COUNTS, strict=True)
            )
            rows.append(
                NumberRow(
                    line.label, (*cells, *line.figures), self._colour(line.category), total=not line.category
                )
            )
        self.table.numbers.show_rows(headings, rows)
        codes = dict(self._colours.codes) if self._colours else {}
        self.heat.show_view(view, codes)
        self.heat_about.setText(
            f"Rows: where {agreement.left} put a quote; columns: where {agreement.right} put the same place, "
            f"in percent of the row; the last column and row: nowhere. Places are the same from "
            f"{agreement.overlap:.0%} overlap."
        )
        self.strip.show_bars(view.strip)
        number = len(view.strip)
        self.strip_title.setText(
            f"{number} report{'' if number == 1 else 's'} by {view.main.name}, lowest first"
        )
        waited = self.waiting.hasFocus()
        self._stack.setCurrentIndex(0)
        self._settle()
        if waited:
            self.table.setFocus()

    def show_working(self, words: str) -> None:
        """Say what is being done; the numbers of the pair before stay until then."""
        self.sentence.setText(words)
        if self._view is None:
            self._stack.setCurrentWidget(self.waiting)

    def show_problem(self, sentence: str) -> None:
        """Say why there are no numbers for the chosen pair."""
        self._view = None
        self.sentence.setText("")
        self.problem.setText(sentence)
        self._stack.setCurrentIndex(1)

    def show_nothing(self, names: Sequence[str]) -> None:
        """Say what this place is for, where nothing of what these have annotated can be compared yet."""
        there = f"So far, these have no report in common: {', '.join(names)}."
        if len(names) < 2:
            there = f"So far, {names[0]} is the only one." if names else "Nobody has annotated a report yet."
        self.empty.words.setText(_NOTHING.format(there=there))
        self._view = None
        self.sentence.setText("")
        self._stack.setCurrentWidget(self.empty)

    def show_pairs(
        self,
        names: Sequence[str],
        figures: Mapping[tuple[str, str], Figure],
        chosen: tuple[str, str],
        profile: Profile,
        *,
        stopped: bool = False,
    ) -> None:
        """Show every pair; where there are only two annotators, nothing."""
        several = len(names) > 2
        self._pairs_box.setVisible(several)
        self.pairs.show_pairs(names if several else (), figures, chosen, stopped=stopped)
        ways = "; each pair stands here both ways" if profile == "paper" else ""
        measure = "token set ratio" if profile == "paper" else "F1"
        self.pairs_about.setText(
            f"Average {measure}, in brackets the reports that both annotated; rows are the left side, "
            f"columns the right{ways}. Enter or a click chooses a pair."
        )
        self._settle()

    def show_shares(self, names: Sequence[str], lines: Sequence[tuple[str, tuple[Figure, ...]]]) -> None:
        headings = [(name, f"Of the reports that {name} annotated, those with a quote.") for name in names]
        colours = [QColor(*colour) for colour in self._colours.colours.values()] if self._colours else []
        rows = [
            NumberRow(label, figures, colours[number] if number < len(colours) else None)
            for number, (label, figures) in enumerate(lines)
        ]
        self.shares.numbers.show_rows(headings, rows)
        self._shares_box.show()
        self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is said of the charts wraps in sight, however wide the tables are."""
        super().resizeEvent(event)
        for about in (self.heat_about, self.pairs_about):
            about.setMaximumWidth(self.width() - 3 * GRID - self.area.verticalScrollBar().sizeHint().width())

    # Inside

    def _settle(self) -> None:
        """Give all parts their room now: until the page has grown, what was there before is squeezed."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _lay_out(self) -> None:
        inside = self._inside = QWidget()
        heat = _box(_title("Which category for the same place"), self.heat, self.heat_about)
        self._pairs_box = _box(self.pairs_title, self.pairs, self.pairs_about)
        numbers = _box(self.table, self.strip_title, self.strip)
        self._shares_box = _box(_title("Annotated shares"), self.shares)
        self._shares_box.hide()
        beside = _Beside(numbers, _Beside(heat, self._pairs_box))
        stacked(inside, beside, self._shares_box, None, margins=(0, 0, GRID, GRID), spacing=2 * GRID)
        self.area = scrolled(inside)
        for part in (self.table, self.strip, self.heat, self.pairs, self.shares):
            part.installEventFilter(self)
            if isinstance(part, QTableView):
                part.selectionModel().currentChanged.connect(partial(self._follow, part))
        self.problem = plain_label(top=True)
        # Nothing is shown of what is not measured yet; it keeps the focus for the table.
        self.waiting = named(QWidget(focusPolicy=Qt.FocusPolicy.StrongFocus), "Measuring")
        self._stack = pages_of(self.area, self.problem, self.empty, self.waiting)
        self._stack.setCurrentWidget(self.waiting)
        parts = (self.choice, self.sentence, self._stack)
        stacked(self, *parts, wide=self._stack, margins=(GRID, GRID, GRID, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Bring into sight what takes the focus."""
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            if watched.height() > self.area.viewport().height():
                # Qt would show its middle, without the heads of the columns.
                top = watched.mapTo(self._inside, QPoint(0, 0)).y()
                self.area.verticalScrollBar().setValue(top)
            else:
                self.area.ensureWidgetVisible(watched, 0, 4 * GRID)
        return super().eventFilter(watched, event)

    def _follow(self, table: QTableView, current: QModelIndex, _before: QModelIndex) -> None:
        """Bring the cell into sight that keys went to: the page scrolls, not the table."""
        if table.hasFocus() and current.isValid():
            cell = table.visualRect(current)
            at = table.viewport().mapTo(self._inside, cell.center())
            self.area.ensureVisible(at.x(), at.y(), cell.width(), 2 * cell.height())

    def _open_number(self, row: int, column: int) -> None:
        if self._view is not None:
            measure = self._view.measures[max(column - len(_COUNTS), 0)]
            self.number_opened.emit(self._view.lines[row].category, measure.key)

    def _colour(self, category: str) -> QColor | None:
        if self._colours is None or category not in self._colours.colours:
            return None
        return QColor(*self._colours.colours[category])


class _Beside(Arranging):
    """Two parts beside each other where there is room for both, else below; the rest stays empty."""

    def __init__(self, first: QWidget, second: QWidget) -> None:
        super().__init__()
        self._parts = first, second
        self._column = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * GRID)
        self._column.addWidget(first)
        self._column.addWidget(second)
        self._column.addStretch(1)

    def minimumSizeHint(self) -> QSize:
        widest = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(widest, super().minimumSizeHint().height())

    def arrange(self) -> None:
        first, second = self._parts
        # The second one may stand in two parts beside each other itself: it can do with less.
        wanted = first.sizeHint().width() + second.minimumSizeHint().width() + 2 * GRID
        fits = wanted <= self.width()
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if direction != self._column.direction():
            self._column.setDirection(direction)


class _EmptyAgreement(QWidget):
    """What this place is for, and the one next step."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.words = plain_label()
        self.words.setMaximumWidth(self.words.fontMetrics().averageCharWidth() * 72)
        self.button = QPushButton("Extract with rules or a model…")
        self.button.clicked.connect(actions["project.extract"].trigger)
        column = QVBoxLayout(self)
        column.setSpacing(2 * GRID)
        column.addStretch(2)
        column.addWidget(self.words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(3)


def _title(words: str) -> QLabel:
    label = plain_label(words)
    label.setFont(bold(label.font()))
    return label


def _box(*parts: QWidget) -> QWidget:
    box = QWidget()
    stacked(box, *parts).addStretch(1)
    return box
