"""What is under the caret, and what can be done to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.gui.dialogs.forms import named, plain_label
from app.gui.modes.annotate.span_details import SpanDetails, UnplacedQuotes
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import (
    AFTER_THE_TEXT,
    FlexRow,
    LeadsBack,
    Panel,
    is_low,
    lines_high,
    pages_of,
    print_key,
    stacked,
)
from app.gui.widgets.flow import Lettered
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.plain import ElidedLabel
from app.gui.widgets.span_words import about, can_repair, in_full, listed
from app.gui.widgets.swatch import colours_of, swatch_icon, swatch_size
from app.gui.widgets.tips import tip
from app.palette import PagePalette

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation

NO_SPAN = "No span here. Select words and press a category's key."
_FEWEST_LINES, _LIST_LINES, _MOST_LINES, _ABOUT_LINES = 1, 2, 6, 2
# The border of what is said about a span, and a pixel beside.
_AROUND = 6
# Between the parts and around them; half of it in a low window.
_GAP = 4
# The most of the window's height that it insists on.
_MOST = 0.19
# Wide enough for the buttons in one row, in heights of a letter, as far as the text keeps most of the window.
_WANTED_WIDTH, _WIDEST = 22, 0.38
_UUID = Qt.ItemDataRole.UserRole


class Inspector(Lettered, LeadsBack, Panel):
    """Shows the report model's current span among those under the caret; choosing another is only said."""

    chosen = Signal(str)
    text_wanted = Signal()

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._report_model, self._actions = session, session.report_model, actions
        self._palette = colours_of(session.scheme, self)
        self._under: tuple[str, ...] = ()
        self._shown_span: str | None = None
        self._form = (False, _FEWEST_LINES)
        self.setAccessibleName("Span under the cursor")
        self._content = QWidget()
        self.list = named(QListWidget(), "Spans under the cursor")
        self.list.setProperty("sidebar", True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        WholeRows(self.list)
        self.empty = plain_label(NO_SPAN, top=True)
        self.span = QWidget()
        self.details = SpanDetails(session, actions)
        self.holder = ElidedLabel()
        self.accept = QPushButton()
        self.theirs = QWidget()
        self.pages = pages_of(QWidget(), self.details, self.theirs)
        self.state = pages_of(self.empty, self.span)
        self.about = named(QPlainTextEdit(readOnly=True), "About this span")
        self.about.setStyleSheet(
            "QPlainTextEdit { border: 2px solid transparent; background: transparent; padding: 0px; }"
            "QPlainTextEdit:focus { border-color: palette(highlight); }"
        )
        self.about.document().setDocumentMargin(0)
        self.about.setTabChangesFocus(True)
        self.about.setFrameShape(QFrame.Shape.NoFrame)
        self.repair, self.remove = QToolButton(), QToolButton()
        self.unplaced = UnplacedQuotes(session, self._palette)
        for button in (self.repair, self.remove):
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lay_out()
        # A refresh is put off until the acts of the moment are done, and done once for all of them.
        self._later = QTimer(self, singleShot=True, interval=AFTER_THE_TEXT)
        self._later.timeout.connect(self._refresh)
        self._connect()
        self._fit()
        self._refresh()

    # What the window asks for

    def take_focus(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def show_spans(self, uuids: Sequence[str]) -> None:
        """List the spans under the caret, in this order; a current one that is not among them comes first."""
        self._under = tuple(uuids)
        self._later.start()

    def edit_field(self) -> None:
        """Open the fields of the current span, where it is one's own."""
        self._settle()
        if self.pages.currentWidget() is self.details and self.details.field.isEnabled():
            self.details.edit_field()

    def edit_note(self) -> None:
        """Put the focus into the note of the current span, where it is one's own."""
        self._settle()
        if self.pages.currentWidget() is self.details:
            self.ensureWidgetVisible(self.details.note)
            self.details.edit_note()

    def save(self) -> None:
        """Save a note that is being typed; to be called before the project is closed."""
        self.details.note.save()

    def set_page_palette(self, palette: PagePalette) -> None:
        self._palette = palette
        self.unplaced.set_page_palette(palette)
        self._refresh()

    def most_height(self) -> int:
        """Up to which height in pixels more room is of use to the list of spans."""
        lines = _MOST_LINES - _LIST_LINES
        return self.sizeHint().height() + lines_high(self.list, lines)

    def least_height(self) -> int:
        """At which height in pixels one span and all that can be done to it are seen."""
        return lines_high(self.list, _FEWEST_LINES) + self._below()

    # How it looks

    def sizeHint(self) -> QSize:
        return QSize(self._least_width(), self._wanted())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least_width(), min(self._wanted(), round(_MOST * self.window().height())))

    def _least_width(self) -> int:
        """That of its parts, and more as far as the text keeps most of the window."""
        bar = self.verticalScrollBar().sizeHint().width()
        most = min(_WANTED_WIDTH * self.fontMetrics().height(), round(_WIDEST * self.window().width()))
        wanted = min(self._content.sizeHint().width() + bar, most)
        return max(self._content.minimumSizeHint().width() + bar, wanted)

    def _wanted(self) -> int:
        """The height at which all that can be done to a span is seen, whether there is one or not."""
        around = self._content.contentsMargins()
        more = lines_high(self.list, _LIST_LINES) - self.list.minimumHeight()
        return self.state.sizeHint().height() + more + around.top() + around.bottom()

    def fit_letters(self) -> None:
        if self.widget() is not None:
            self._fit()
            self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the list comes before what is said about its span."""
        super().resizeEvent(event)
        if (is_low(self), self._fewest()) != self._form:
            self._fit()

    def _lay_out(self) -> None:
        theirs = stacked(self.theirs, self.holder, self.accept, spacing=4)
        theirs.setAlignment(self.accept, Qt.AlignmentFlag.AlignLeading)
        theirs.addStretch(1)
        buttons = FlexRow([self.repair, self.remove])
        # What can be done stays in sight where there is little room; what is said of the span comes last.
        parts = stacked(self.span, self.list, buttons, self.pages, self.about, spacing=_GAP)
        parts.addStretch(1)
        # As high as there is room for, whatever is in it.
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        parts.setStretchFactor(self.list, 100)
        self.pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        stacked(self._content, self.state, self.unplaced, wide=self.state, margins=(8, 0, 8, 0), spacing=_GAP)
        self.setWidget(self._content)

    def _fit(self) -> None:
        # Hidden parts would else get their sizes when they are shown first, and all below would jump.
        for part in self._content.findChildren(QWidget):
            part.ensurePolished()
            part.updateGeometry()
        self.list.setIconSize(swatch_size(self.font()))
        # More room than all parts need is for the list, which gives way first where there is less.
        low = is_low(self)
        gap = self._gap()
        for layout in (self._content.layout(), self.span.layout(), self.details.layout()):
            if layout is not None:
                layout.setSpacing(gap)
        self._content.setContentsMargins(0, gap, 0, gap)
        line = self.about.fontMetrics().lineSpacing()
        self.about.setFixedHeight(line * (1 if low else _ABOUT_LINES) + _AROUND)
        self._form = (low, self._fewest())
        self.list.setMinimumHeight(lines_high(self.list, self._form[1]))
        self.list.setMaximumHeight(lines_high(self.list, _MOST_LINES))
        self.updateGeometry()

    def _fewest(self) -> int:
        """Lines that the list keeps: more in a low window, as far as all that can be done is seen."""
        whole = lines_high(self.list, _LIST_LINES) + self._below() <= self.viewport().height()
        return _LIST_LINES if is_low(self) and whole else _FEWEST_LINES

    def _below(self) -> int:
        """The height of what stands below the list, but for what is said of its span, with the gaps."""
        return self.pages.sizeHint().height() + self.repair.sizeHint().height() + 3 * self._gap()

    def _gap(self) -> int:
        return _GAP // 2 if is_low(self) else _GAP

    # Inside

    def _connect(self) -> None:
        print_key(self.repair, "Repair", self._actions, "span.repair")
        print_key(self.accept, "Accept", self._actions, "span.accept")
        print_key(self.remove, "Delete", self._actions, "span.remove")
        self.repair.clicked.connect(lambda: self._give("span.repair"))
        self.accept.clicked.connect(lambda: self._give("span.accept"))
        self.remove.clicked.connect(self._remove)
        self.details.text_wanted.connect(self.text_wanted)
        self.list.currentItemChanged.connect(self._choose)
        self.unplaced.chosen.connect(self.chosen)
        model = self._report_model
        model.leaving.connect(self.save)
        changes = (model.opened, model.reset, model.current_changed, model.others_changed)
        for changed in (*changes, model.span_set, model.span_removed, self._session.warnings_changed):
            changed.connect(self._soon)

    def _soon(self, *_: object) -> None:
        self._later.start()

    def _settle(self) -> None:
        if self._later.isActive():
            self._later.stop()
            self._refresh()

    def _refresh(self) -> None:
        current = self._report_model.current
        span = self._report_model.find(current) if current is not None else None
        if current != self._shown_span and not self.details.note.hasFocus():
            self.verticalScrollBar().setValue(0)
        self._shown_span = current
        self._fill(span)
        self.unplaced.refresh()
        own = span is not None and self._report_model.is_own(span.uuid)
        if span is not None and own:
            self.details.put(span)
            self.pages.setCurrentWidget(self.details)
        else:
            self.details.leave()
            self.pages.setCurrentIndex(0 if span is None else self.pages.indexOf(self.theirs))
        self.state.setCurrentWidget(self.span if self.list.count() else self.empty)
        if self.window().focusWidget() is self.empty:
            # What had the focus is gone, with its span.
            self.text_wanted.emit()
        warnings = self._session.warnings.get(span.uuid, ()) if span is not None and own else ()
        if span is not None and not own:
            self.holder.say(f"By {self._report_model.holder_of(span.uuid)}")
        words = about(span, warnings, own=own) if span is not None else ""
        if words != self.about.toPlainText():
            self.about.setPlainText(words)
        self.repair.setEnabled(span is not None and own and can_repair(span, warnings))
        self.accept.setEnabled(span is not None and not own and span.finding.start is not None)
        self.remove.setEnabled(own)

    def _fill(self, current: Annotation | None) -> None:
        found = (self._report_model.find(uuid) for uuid in self._under)
        spans = [span for span in found if span is not None]
        if current is not None and all(span.uuid != current.uuid for span in spans):
            spans.insert(0, current)
        self.list.blockSignals(True)
        self.list.clear()
        for span in spans:
            item = self._item(span)
            self.list.addItem(item)
            if current is not None and span.uuid == current.uuid:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)

    def _item(self, span: Annotation) -> QListWidgetItem:
        category = span.finding.category
        holder = self._report_model.holder_of(span.uuid)
        item = QListWidgetItem(listed(span, holder))
        item.setIcon(swatch_icon(self._palette, category, self.font(), self.list.devicePixelRatioF()))
        item.setSizeHint(QSize(0, self.list.fontMetrics().height() + 3))
        item.setData(_UUID, span.uuid)
        words = in_full(span, self._session.scheme.category(category).name, holder)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
        item.setToolTip(tip(words))
        return item

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_UUID))

    def _remove(self) -> None:
        if self._report_model.current is not None:
            self._session.controller.remove([self._report_model.current])
        self.text_wanted.emit()

    def _give(self, command: str) -> None:
        """Give a command as its key would: what it acts on is the current span, as here."""
        self._actions[command].trigger()
        self.text_wanted.emit()
