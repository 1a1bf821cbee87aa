"""The open project on screen: modes above, reports left, the report in the middle, categories right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from app.gui.modes import ANNOTATE, MODES
from app.gui.modes.annotate.editing import Editing
from app.gui.modes.annotate.find_bar import FindBar
from app.gui.modes.annotate.guideline import GuidelinePanel
from app.gui.modes.annotate.heading import ReportHeading
from app.gui.modes.annotate.inspector import Inspector
from app.gui.modes.annotate.outline import OutlinePanel
from app.gui.modes.annotate.palette import CategoryPalette
from app.gui.modes.annotate.quiet_lines import HintLine, KeptLabelsLine, SameWordsOffer
from app.gui.modes.annotate.reports import ReportsPanel
from app.gui.modes.mode import ModeContext
from app.gui.reader.report_page import Page
from app.gui.reader.view import Reader
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_model import Arrival
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import arranged, category_commands, lost_keys
from app.gui.shell.acts.menus import SWITCHES
from app.gui.shell.acts.project_commands import ProjectCommands
from app.gui.shell.columns import Columns, ReportColumn
from app.gui.shell.frame import EmptyProject, Frame, Panes, step_pane
from app.gui.shell.lines.mode_bar import ModeBar, TopLine
from app.gui.shell.lines.status import AnnotatorButton, StatusLine
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.boxes import row_of, stacked
from app.gui.widgets.flow import Splitter, shared_height, within
from app.gui.widgets.guideline_text import definition_of
from app.gui.widgets.span_words import in_full, kept_words
from app.gui.widgets.swatch import theme_colours
from app.gui.widgets.tips import tip
from app.operations.annotate.reports import WANTED_WORDS

if TYPE_CHECKING:
    from app.gui.finder.panel import FinderPanel
    from app.store.project import Project

# How much of the height of the lists the outline may take from the reports; that of the span at the caret.
_MOST_OUTLINE, _SPAN_SHARE = 0.45, 0.35

# What the menu of the text offers at a span of one's own.
_OF_OWN: tuple[tuple[str, ...], ...] = (
    ("span.present", "span.negated", "span.uncertain"),
    ("span.field", "span.concept", "span.note", "span.repair", "span.same"),
    ("span.remove",),
)


class Workbench(QWidget):
    """Puts the panels of one project together and lets them hear of each other."""

    def __init__(self, session: ProjectSession, actions: Actions, preferences: Preferences) -> None:
        super().__init__()
        self.session, self.actions_, self.preferences = session, actions, preferences
        self._labels = tuple(command.id for command in category_commands(session.scheme))
        actions.add(arranged(session.scheme, preferences.keys))
        self.reader = Reader(theme_colours(session.scheme, preferences.theme))
        self.page = Page(self.reader, session)
        self.page.carets = preferences.carets(session.path)
        self.reports = ReportsPanel(session, actions)
        self.outline = OutlinePanel(session, actions)
        self.heading = ReportHeading(session, actions)
        self.find_bar = FindBar(self.reader)
        self.arrival = Arrival(session.report_model, self)
        self._finder: FinderPanel | None = None
        self.hints = HintLine(session, self.reader, actions)
        self.palette_ = CategoryPalette(session, actions)
        self.guideline = GuidelinePanel(session)
        self.inspector = Inspector(session, actions)
        self.offer = SameWordsOffer(session, actions)
        self.annotator = AnnotatorButton(session, actions)
        self.status = StatusLine(session, actions)
        self.modes = ModeBar(actions, (ANNOTATE.id, *MODES))
        actions.set_place("reader", [self.reader])
        self.editing = Editing(self.page, session, actions, preferences)
        self.commands = ProjectCommands(
            self,
            session,
            actions,
            self.reports.shown_keys,
            self.reports.chosen_keys,
            self.go_on,
            lambda: preferences.text_size,
        )
        self._label_menus: list[QMenu] = []
        self.columns = self._lay_out()
        self._restore()
        self.frame = Frame(
            ModeContext(session, actions, preferences, self.page, self.reader, self.editing),
            self.columns,
            Panes(
                (self.reports, self.outline),
                self.heading,
                (self.palette_, self.guideline, self.inspector),
                self.modes,
                self.status,
                self._under,
            ),
            self.go_on,
            self,
        )
        self.session.review_wanted.connect(self.frame.review_report)
        self._connect()
        self._prefer("")

    @property
    def finder(self) -> FinderPanel:
        # Imported here: most reports are read without it.
        from app.gui.finder.panel import FinderPanel

        if self._finder is None:
            self._finder = FinderPanel(self.session, self.page, self.arrival, self.actions_)
            self._finder.closed.connect(self._close_finder)
        return self._finder

    def take_focus(self) -> None:
        """Put the focus where work begins, and say which keys the project's categories have taken."""
        lost = lost_keys(self.session.scheme, self.preferences.keys)
        taken = [f"{key} is “{new.text}”, not “{old.text}”" for old, key, new in lost if new.menu == "Label"]
        if taken:
            self.session.message.emit(f"In this project {'; '.join(taken).replace('&', '')}.")
        self.go_on()

    def go_on(self) -> None:
        """Put the focus where work goes on in the mode on screen; in the large view of a figure it stays."""
        if self.frame.figures.shown:
            return
        if self.frame.mode is not None:
            self.frame.mode.take_focus()
        elif self.session.rows:
            self.reader.setFocus()
        else:
            self.reports.take_focus()

    def put_away(self) -> None:
        """Keep what was being written, and give the project's commands back before it is closed."""
        self.inspector.save()
        self.page.keep_caret()
        self.preferences.set_carets(self.session.path, self.page.carets)
        self.keep_sizes()
        self.columns.shapes.write()
        self.frame.put_away()
        self.preferences.changed.disconnect(self._prefer)
        self.commands.put_away()
        self.actions_.set_place("reader", [])
        self.actions_.forget("project", "encryption", "report")
        for menu in self._label_menus:
            menu.deleteLater()
        self.actions_.remove(self._labels)

    def keep_sizes(self) -> None:
        """Keep how the user has shared out the room, for this size of the interface."""
        self.columns.keep()
        self.columns.shapes.keep({"left": self._left, "right": self._right})

    def follow_size(self) -> None:
        """Share out the room as the user did last at this size of the interface, else by what is in it."""
        self._fit_palette()
        self.columns.follow_size()
        self._restore()

    def _restore(self) -> None:
        for name, splitter in (("left", self._left), ("right", self._right)):
            self.columns.shapes.restore(name, splitter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The parts at the right ask for shares of the window's height."""
        super().resizeEvent(event)
        self.palette_.fold()
        self.inspector.updateGeometry()

    def _fit_palette(self) -> None:
        """Letters and borders have another size in another theme or size of the interface."""
        self.palette_.fold()
        # What the parts ask for now is known once their layouts have heard of it.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self._right.share_out()

    def fill_label_menus(self, parent: QMenu) -> None:
        """Add the menus "Label" and "Relabel" at the end of a menu."""
        parent.addSeparator()
        for title, kind in (("&Label", "label."), ("&Relabel", "relabel.")):
            menu = parent.addMenu(title)
            menu.addActions([self.actions_[command] for command in self._labels if command.startswith(kind)])
            self._label_menus.append(menu)

    # Layout

    def _lay_out(self) -> Columns:
        self._left = Splitter(Qt.Orientation.Vertical, self.reports, self.outline)
        self._left.share = self._share_left
        self._right = Splitter(Qt.Orientation.Vertical, self.palette_, self.guideline, self.inspector)
        self._right.share = self._share_right
        foot = KeptLabelsLine(self.session, self.actions_, self.offer)
        line = row_of(self.hints, foot, wide=self.hints)
        report = ReportColumn(self.heading, self.reader, line, self.find_bar)
        self._under = report.under
        empty = EmptyProject(self.actions_)
        columns = Columns(self.preferences, self.actions_, self._left, report, empty, self._right)
        stacked(self, TopLine(self.modes, self.annotator), columns, self.status, wide=columns, spacing=0)
        return columns

    def _share_left(self, height: int) -> tuple[int, int]:
        """All sections of the report and all reports, as far as there is room; of these whole rows."""
        reports, outline = (part.sizeHint().height() for part in (self.reports, self.outline))
        upper = self.reports.whole_rows(shared_height(height, reports, outline, _MOST_OUTLINE)[0])
        return upper, height - upper

    def _share_right(self, height: int) -> tuple[int, int, int]:
        """All categories, closer together before the span lacks room; it has more where there is more."""
        palette, inspector = self.palette_, self.inspector
        needed = inspector.sizeHint().height()
        spare = height - self.guideline.sizeHint().height()
        categories = within(palette.minimumSizeHint().height(), spare - needed, palette.sizeHint().height())
        span = within(needed, _SPAN_SHARE * (height - categories), inspector.most_height())
        # The guideline's last line goes before what can be done to a span.
        least = height - categories - self.guideline.minimumSizeHint().height()
        span = max(min(span, spare - categories), min(inspector.least_height(), least))
        return categories, height - categories - span, span

    # Wires

    def _connect(self) -> None:
        on = self.actions_.on
        on("edit.undo", partial(self.frame.figures.give_up_or, self.session.undoing.undo))
        on("edit.redo", self.session.undoing.redo)
        on("edit.copy", self.reader.copy)
        on("edit.find", self.find_bar.open)
        on("edit.find_next", self.find_bar.find_next)
        on("edit.find_previous", self.find_bar.find_previous)
        for number, command in enumerate(("edit.search", "edit.spans", "edit.figures")):
            on(command, partial(self._open_finder, number))
        on("report.search", partial(self.columns.with_lists, self.reports.focus_search))
        on("span.field", partial(self.editing.with_own, self.inspector.edit_field))
        on("span.note", partial(self.editing.with_own, self.inspector.edit_note))
        on("view.hide", lambda: self.palette_.toggle(self.session.category))
        on("view.show_all", self.palette_.show_all)
        on("view.text", self.reader.setFocus)
        on("view.messages", self.status.messages.show_log)
        on("view.next_pane", lambda: step_pane(self.frame.panes(), 1))
        on("view.previous_pane", lambda: step_pane(self.frame.panes(), -1))
        for command, (name, *_) in SWITCHES.items():
            self.actions_[command].setChecked(getattr(self.preferences, name))
            self.actions_.on_toggled(command, partial(self._turn, command))
        self.editing.category_used.connect(self._reveal)
        self.page.under_caret_changed.connect(self.inspector.show_spans)
        self.reader.caret_moved.connect(self.outline.set_caret)
        self.reader.caret_moved.connect(self.heading.set_caret)
        self.reader.context_requested.connect(self._show_menu)
        self.reader.hovered.connect(self._tell_spans)
        self.outline.section_activated.connect(self._go_to)
        self.inspector.chosen.connect(self.page.go_to_span)
        self.inspector.unplaced.place_wanted.connect(self.editing.place)
        self.palette_.visibility_changed.connect(self.page.set_hidden)
        lists, lines = (self.palette_, self.outline, self.reports), (self.find_bar, self.status.messages)
        for part in (*lists, *lines, self.inspector, self.offer):
            part.text_wanted.connect(self._focus_text)
        self.columns.lists_turned.connect(self._follow_lists)
        self.reports.words_wanted.connect(self._show_words)
        self.preferences.changed.connect(self._prefer)
        self.session.rows_changed.connect(self._turn_page)
        self.session.report_model.opened.connect(self._turn_page)
        self.session.report_model.opened.connect(self._left.share_out)
        self.reports.filled.connect(self._left.share_out)
        self._turn_page()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._look_for_file)

    def _open_finder(self, number: int) -> None:
        """Below the text, in a mode without it after going back to annotating."""
        if not self.session.rows:
            self.session.message.emit("There are no reports to look into yet; import some first.")
            return
        if self.frame.mode is not None and self.frame.mode.centre is not None:
            self.frame.open_mode(ANNOTATE.id)
        fresh = self._under.isHidden()
        self._under.show_only(self.finder)
        self.finder.open(number, fresh=fresh)

    def _close_finder(self) -> None:
        self._under.show_only(None)
        self._focus_text()

    def _show_words(self, key: str, words: str) -> None:
        """Go to the words for which a report is in the list: all together, else the first there is."""
        parts = [phrase or word for phrase, word in WANTED_WORDS.findall(words)]
        wanted = [words.replace('"', " "), *sorted(parts, key=len, reverse=True)]
        self.arrival.wait_for(key, lambda: self.find_bar.show_first(wanted))

    def _turn_page(self) -> None:
        """The text, or what to do where there is none; that stays until the first text has been read."""
        there, had = bool(self.session.rows), self.columns.has_text
        if had or self.session.report_model.report is not None or not there:
            self.columns.turn_page(there)
            if had != there and self.isVisible():
                self.go_on()

    def _look_for_file(self, state: Qt.ApplicationState) -> None:
        """Back from another program: say so at once where the project's file was moved or replaced there."""
        if state == Qt.ApplicationState.ApplicationActive:
            self.session.worker.ask(_look_for_file, lambda _: None)

    def _go_to(self, offset: int) -> None:
        self.reader.turn_to(offset)
        self._focus_text()

    def _follow_lists(self, shown: bool) -> None:
        if shown:
            step_pane(self.frame.panes()[:1], 1)
        else:
            self._focus_text()

    def _focus_text(self) -> None:
        """Back to the text, in a mode without it to what stands in its place."""
        if self.reader.isVisible() or self.frame.mode is None:
            self.reader.setFocus()
        else:
            self.go_on()

    def _show_menu(self, offset: int, place: QPoint) -> None:
        """The menu of the text: for what is selected there, else for the span or word that was pointed at,
        with what can be done to that and nothing else."""
        start, end = self.reader.selection()
        model = self.session.report_model
        if not start <= offset <= end:
            self.reader.go_to(offset)
            # What a mode shows instead of the report's spans is none of them.
            there = [span.id for span in self.reader.spans_at(offset) if model.find(span.id) is not None]
            if there:
                model.set_current(there[0])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.frame.mode is not None:
            menu.addAction(self.actions_["edit.copy"])
            menu.popup(place)
            return
        current = model.current
        own = current is not None and model.is_own(current)
        for title, kind in (("&Label", "label."), ("&Relabel", "relabel."))[: 1 + own]:
            sub = menu.addMenu(title)
            sub.addActions([self.actions_[command] for command in self._labels if command.startswith(kind)])
        groups = _OF_OWN if own else (("span.concept" if current is None else "span.accept",),)
        for group in (*groups, ("span.widen", "edit.copy", "report.nothing")):
            menu.addSeparator()
            menu.addActions([self.actions_[command] for command in group])
        menu.popup(place)

    def _reveal(self, category: str) -> None:
        if category in self.palette_.hidden:
            self.palette_.toggle(category)

    def _tell_spans(self, uuids: list[str], place: QPoint) -> None:
        """A tool tip with every span under the pointer, and what the category of the first one is."""
        report_model, scheme = self.session.report_model, self.session.scheme
        spans = [span for uuid in uuids if (span := report_model.find(uuid)) is not None]
        lines = [
            in_full(span, scheme.category(span.finding.category).name, report_model.holder_of(span.uuid))
            for span in spans
        ]
        lines += [kept_words(kept) for uuid in uuids if (kept := report_model.kept.get(uuid)) is not None]
        if spans:
            lines += ["", definition_of(scheme.category(spans[0].finding.category))]
        QToolTip.showText(place, tip("\n".join(lines)), self.reader)

    def _turn(self, command: str, on: bool) -> None:
        name, off, turned_on = SWITCHES[command]
        setattr(self.preferences, name, on)
        ends = self.actions_.key(command) or "the menu Span"
        self.session.message.emit(f"{turned_on}; {ends} ends that." if on else off)

    def _prefer(self, name: str) -> None:
        self.reader.set_text_size(self.preferences.text_size)
        self.columns.fit_text()
        self.reader.set_two_click(self.preferences.two_clicks)
        if name == "interface_size":
            self.follow_size()
        if name == "theme":
            self._fit_palette()
        # Also after a change of size: the style sheet, set anew, gives back the colours of before.
        if name in ("", "theme", "interface_size"):
            colours = theme_colours(self.session.scheme, self.preferences.theme)
            self.reader.set_page_palette(colours)
            for part in (self.palette_, self.guideline, self.inspector):
                part.set_page_palette(colours)


def _look_for_file(project: Project) -> None:
    if not project.acting:
        project.require_in_place()
