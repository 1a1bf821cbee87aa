"""Words found in all reports, each place in its context and a click or Return away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QTreeWidgetItem, QWidget

from app.gui.dialogs.forms import named, plain_label
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import lines_high, pages_of, scrolled, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.lists import LEFT, MORE, PLACE, PlacesTree
from app.gui.widgets.plain import ElidedLabel, one_line
from app.operations.find.search import AT_ONCE, Found, FoundReport, search_project
from app.text import counted

_TYPING_MS = 200
# After something was saved, what is in sight is read anew when nothing more is saved for so long.
SAVED_MS = 250
_LONGEST, _MOST_PLACES = 200, 25
_ABOUT = (
    "Find words in the texts and titles of all reports, in your own quotes and notes, and the names of "
    "categories.\n\nSeveral words are found where they stand together, in any order and with up to ten "
    "others between them, and in whatever form: “seizure” finds seizures, too. “Words in quotation marks” "
    "are found next to each other as they are, and hypert* finds all that begins so."
)
_NONE = (
    "No report has these words together. Words are found whole: for all that begins so, write an asterisk, "
    "as in hypert*."
)
_SIGNS = "Signs alone cannot be searched for; type a word or a number."


@dataclass(frozen=True, slots=True)
class Goal:
    """Where to go: to the place of number `current` of `places` in a report (key), or to a span (UUID)."""

    report: str
    places: tuple[tuple[int, int], ...] = ()
    current: int = 0
    span: str = ""


class SearchField(QLineEdit):
    """Down and Return leave it for what was found."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)


class WordsPage(QWidget):
    """Searches as one types; `wanted` says where to go, `category_wanted` which category's spans to list."""

    wanted = Signal(object)
    category_wanted = Signal(str)
    shown = Signal()

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self._found: Found | None = None
        self._go_on = self._stale = False
        self._later = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._later.timeout.connect(self.search)
        self.words = named(SearchField(), "Find in all reports")
        self.words.setPlaceholderText('Find in all reports: words together, a "phrase as it is", beginnings*')
        self.words.setMaxLength(_LONGEST)
        self.words.setClearButtonEnabled(True)
        self.count = ElidedLabel("99,999 places in 9,999 reports")
        self.tree = PlacesTree("Places found", "Labels")
        self.tree.setHeaderHidden(True)
        self.note = plain_label(_ABOUT)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note.setContentsMargins(4, 8, 4, 0)
        self._pages = pages_of(scrolled(self.note, "How words are found"), self.tree)
        self._pages.setMinimumHeight(lines_high(self.tree, 4))
        row = FlowRow(self.words, self.count)
        stacked(self, row, self._pages, wide=self._pages, margins=(8, 8, 8, 8))
        self.words.textChanged.connect(self._type)
        self.words.left.connect(self._leave)
        self.tree.itemActivated.connect(lambda item, _: self._choose(item))
        self.tree.itemClicked.connect(lambda item, _: self._choose(item))
        self._labelled = QTimer(self, singleShot=True, interval=0)
        self._labelled.timeout.connect(self._label)
        for changed in (session.report_model.span_set, session.report_model.span_removed):
            changed.connect(lambda _: self._labelled.start())
        session.report_model.reset.connect(self._labelled.start)
        session.rows_changed.connect(self._search_anew)
        session.annotator_changed.connect(self._search_anew)

    def showEvent(self, event: QShowEvent) -> None:
        """What was found stays, unless it may be out of date."""
        super().showEvent(event)
        if self._stale:
            self._search_anew()

    def take_focus(self) -> None:
        """Type what is searched for."""
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.selectAll()

    def search(self, first: int = 0) -> None:
        """Ask for the reports from number `first` on."""
        self._later.stop()
        words, name = self.words.text().strip(), self._session.annotator
        if not words:
            self._show_note(_ABOUT)
            return

        # Searched again, as many stay listed.
        there = len(self._found.reports) if self._found is not None and self._found.words == words else 0
        most = AT_ONCE if first else max(AT_ONCE, there)

        def answered(found: Found) -> None:
            if found.words == self.words.text().strip():
                self._show(found, first)

        self._session.worker.ask(
            lambda p: search_project(p, words, name, first=first, most=most), answered, latest="find words"
        )

    # Inside

    def _type(self) -> None:
        self._go_on = False
        self._later.start()

    def _search_anew(self) -> None:
        """After an import, or for somebody else: once it is looked at."""
        self._stale = not self.isVisible()
        if not self._stale and self.words.text().strip():
            self.search()

    def _leave(self) -> None:
        """To the first place, once there is one."""
        if self._later.isActive():
            self._go_on = True
            self.search()
        elif self.tree.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_note(self, sentence: str) -> None:
        self._found = None
        self.tree.clear()
        self.note.setText(sentence)
        self._pages.setCurrentIndex(0)
        self.count.say("")
        self.shown.emit()

    def _show(self, found: Found, first: int) -> None:
        if not (found.total or found.categories):
            self._show_note(_NONE if found.asks else _SIGNS)
            return
        here: tuple[object, ...] = ()
        if first and self._found is not None:
            at = self.tree.topLevelItemCount() - 1
            self.tree.takeTopLevelItem(at)
            found = replace(
                found,
                reports=(*self._found.reports, *found.reports),
                categories=self._found.categories,
            )
            begin = len(self._found.reports)
        else:
            again = self._found is not None and self._found.words == found.words
            here = self._meant(self.tree.currentItem()) if again else ()
            self.tree.clear()
            begin, at = 0, 0
        self._found = found
        for category in found.categories if not begin else ():
            there = f"{counted(category.spans, 'span')} of yours in {counted(category.reports, 'report')}"
            words = f"Category {category.code}  {category.name}: {there}"
            self.tree.add_group(words, words).setData(LEFT, PLACE, category.id)
        for report in found.reports[begin:]:
            self._add(report)
        left = found.total - len(found.reports)
        if left:
            words = f"Show the next {min(left, AT_ONCE):,} of {left:,} more reports"
            self.tree.add_group(words, words).setData(LEFT, PLACE, len(found.reports))
        self.tree.expandAll()
        self._pages.setCurrentWidget(self.tree)
        self._show_count(found)
        group = self.tree.topLevelItem(at)
        child = group.child(0) if group is not None else None
        first_of_all = child if child is not None else group
        same = (one for one in self._places_listed() if here and self._meant(one) == here)
        if (current := next(same, first_of_all)) is not None:
            self.tree.setCurrentItem(current)
        if self._go_on:
            self._go_on = False
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self.shown.emit()

    def _show_count(self, found: Found) -> None:
        if found.total > len(found.reports):
            first = f"the first {len(found.reports):,} of {counted(found.total, 'report')}"
            self.count.say(f"{counted(found.places, 'place')} in {first}")
        elif found.total:
            self.count.say(f"{counted(found.places, 'place')} in {counted(found.total, 'report')}")
        else:
            self.count.say("In no report")

    def _add(self, report: FoundReport) -> None:
        number = len(report.places) + len(report.spans)
        title = one_line(report.title) or report.key
        group = self.tree.add_group(f"{title} ({number:,})" if number else f"{title} (title)", report.title)
        all_places = tuple((place.start, place.end) for place in report.places)
        group.setData(LEFT, PLACE, Goal(report.key, all_places))
        scheme = self._session.scheme
        for current, place in enumerate(report.places[:_MOST_PLACES]):
            codes = " ".join(scheme.category(category).code for category in place.categories)
            item = self.tree.add_place(group, place.left, place.text, place.right, codes)
            item.setData(LEFT, PLACE, Goal(report.key, all_places, current))
        if len(report.places) > _MOST_PLACES:
            more = f"{len(report.places) - _MOST_PLACES:,} more in this report"
            item = self.tree.add_place(group, "", "", more)
            item.setData(LEFT, PLACE, Goal(report.key, all_places, _MOST_PLACES))
        for span in report.spans:
            code = scheme.category(span.category).code
            values = ("note on", span.note, f"“{span.quote}”") if span.note else ("quote", span.quote, "")
            item = self.tree.add_place(group, *values, code)
            item.setData(LEFT, PLACE, Goal(report.key, span=span.uuid))

    def _label(self) -> None:
        """What is labelled in the open report while its places are listed is seen beside them."""
        model, scheme = self._session.report_model, self._session.scheme
        own = [one.finding for one in model.spans.values()]
        for child in self._places_listed():
            goal = child.data(LEFT, PLACE)
            if isinstance(goal, Goal) and goal.report == model.key and not goal.span:
                start, end = goal.places[goal.current]
                there = {one.category for one in own if (one.start or 0) < end and start < (one.end or 0)}
                child.setText(MORE, " ".join(scheme.category(one).code for one in sorted(there)))

    def _meant(self, item: QTreeWidgetItem | None) -> tuple[object, ...]:
        """What tells a place that is listed from others, though its report has others by now."""
        goal = item.data(LEFT, PLACE) if item is not None else None
        if not isinstance(goal, Goal) or item is None or item.parent() is None:
            return ()
        return goal.report, goal.span, *goal.places[goal.current : goal.current + 1]

    def _places_listed(self) -> Iterator[QTreeWidgetItem]:
        for row in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(row)
            yield from filter(None, (group.child(n) for n in range(group.childCount())) if group else ())

    def _choose(self, item: QTreeWidgetItem) -> None:
        meant = item.data(LEFT, PLACE)
        if isinstance(meant, Goal):
            self.wanted.emit(meant)
        elif isinstance(meant, int):
            self.search(meant)
        else:
            self.category_wanted.emit(meant)
