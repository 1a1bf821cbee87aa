"""The open report's sections: what they speak of, how many spans are in them, where the caret is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QFontMetrics
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFrame,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, ticks
from app.gui.dialogs.forms import named, plain_label
from app.gui.modes.annotate.report_items import QuietItems
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import LeadsBack, for_command, stacked
from app.gui.widgets.flow import Fitted
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.plain import ElidedLabel, bold, caption, one_line
from app.gui.widgets.tips import tip
from app.text import counted
from extractors.model.document import Section
from extractors.model.scheme import Scheme

_COLUMNS = 64


@dataclass(frozen=True, slots=True)
class SectionCategories:
    """The ids of the categories that a section speaks of."""

    categories: tuple[str, ...] = asked((), Ask(ticks, "", "Categories"))


class SectionCategoriesDialog(SettingsDialog[SectionCategories]):
    """A tick for each category of the scheme."""

    guide = "annotate"
    columns = _COLUMNS

    def __init__(self, scheme: Scheme, section: Section, parent: QWidget | None = None) -> None:
        names = [(caption(f"{one.code}  {one.name}"), one.id, "") for one in scheme.categories]
        super().__init__(
            "Section categories",
            SectionCategories(section.categories),
            "&Set categories",
            parent,
            {"categories": {"choices": names}},
        )
        heading = ElidedLabel("m" * 24)
        heading.setFont(bold(heading.font()))
        heading.say(one_line(section.heading) or "Without a heading")
        self.body.insertWidget(0, heading)
        self.body.insertWidget(1, plain_label("Which categories does this section speak of?"))
        for words, ticked in (("&All", scheme.ids), ("&None", ())):
            button = self.add_button(words, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(lambda _=False, ticked=ticked: self.form.put(categories=ticked))

    def categories(self) -> tuple[str, ...]:
        """The ids of the categories that are ticked, in the order of the scheme."""
        return self.form.value.categories


_HEADING, _CODES, _SPANS = range(3)
_MOST_CODES = 3
_COUNT_DELAY = 50
# Of the list: what the style adds to its rows, above and below.
_FRAME = 6
_BESIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOT_CASE = {"background": "background, not the case itself", "excluded": "left out of extraction"}


def heading_of(section: Section) -> str:
    """A section's heading, or words for its lack."""
    return one_line(section.heading) or "Without a heading"


def spoken_of(section: Section, scheme: Scheme) -> tuple[str, ...]:
    """The codes of the categories that a section speaks of; none where it speaks of all of them."""
    if set(section.categories) >= set(scheme.ids):
        return ()
    return tuple(one.code for one in scheme.categories if one.id in section.categories)


def section_state(section: Section) -> str:
    """Why a section is not part of the case, "" where it is."""
    words = _NOT_CASE.get(section.role, "")
    return f"{words}: {section.reason}" if words and section.reason else words


def about_categories(section: Section, scheme: Scheme) -> str:
    """The categories that a section speaks of, by name."""
    if set(section.categories) >= set(scheme.ids):
        return "all categories"
    names = [one.name for one in scheme.categories if one.id in section.categories]
    return ", ".join(names) or "no category"


class OutlinePanel(LeadsBack, Fitted, QWidget):
    """A tree by the headings' paths; click or Enter emits where the section begins (code points)."""

    section_activated = Signal(int)
    text_wanted = Signal()

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._report_model = session, session.report_model
        self._items: list[QTreeWidgetItem] = []
        self._most = 0
        self._starts: list[int] = []
        self._numbers: list[int] = []
        # By section: its heading, why it is not part of the case, what it speaks of.
        self._words: list[list[str]] = []
        self._offset = self._caret = 0
        self.tree = self._made_tree()
        self.none = QLabel("The open report's sections are listed here.", wordWrap=True)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.button = for_command(QPushButton(), "Categories…", actions, "report.section")
        actions.on("report.section", self.correct_categories)
        layout = stacked(self, self.none, self.tree, self.button, wide=self.tree, margins=(8, 8, 8, 8))
        layout.setAlignment(self.button, Qt.AlignmentFlag.AlignLeft)
        self._count_later = QTimer(self, singleShot=True, interval=_COUNT_DELAY)
        self._count_later.timeout.connect(self._count)
        model = self._report_model
        for changed in (model.opened, model.reset, model.sections_changed):
            changed.connect(self._fill)
        for counted_anew in (model.span_set, model.span_removed):
            counted_anew.connect(lambda _uuid: self._count_later.start())
        self._fill()

    def sizeHint(self) -> QSize:
        """Room for all sections of the longest report so far: shorter ones move nothing."""
        usual = super().sizeHint()
        # Before the first report there is a sentence where the tree will be.
        if self._most:
            rows = self._most * self._row_height() + 2 * _FRAME
            usual.setHeight(usual.height() - self.tree.sizeHint().height() + rows)
        return usual

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._fill()

    def set_caret(self, offset: int) -> None:
        """Mark the section that holds a code point; the focus stays where it is."""
        self._offset = offset
        position = self._position(offset)
        if position != self._caret:
            before, self._caret = self._caret, position
            self._mark(before)
            self._mark(position)
        if self._items and not self.tree.hasFocus():
            self.tree.setCurrentItem(self._items[position])

    def correct_categories(self) -> None:
        """Ask what a section speaks of: the one chosen in the tree while it is in use, else the caret's."""
        if not self._items:
            return
        here = self.tree.hasFocus() or self.button.hasFocus()
        chosen = self._chosen() if here else None
        position = self._caret if chosen is None else chosen
        section, key = self._report_model.sections[position], self._report_model.key
        dialog = SectionCategoriesDialog(self._session.scheme, section, self)

        def accepted() -> None:
            if self._report_model.key == key and set(dialog.categories()) != set(section.categories):
                self._session.controller.set_section_categories(position, dialog.categories())

        dialog.accepted.connect(accepted)
        dialog.open()

    # Inside

    def _position(self, offset: int) -> int:
        return max(bisect_right(self._starts, offset) - 1, 0)

    def _chosen(self) -> int | None:
        current = self.tree.currentItem()
        return self._items.index(current) if current is not None else None

    def _made_tree(self) -> QTreeWidget:
        tree = named(QTreeWidget(), "Sections of the report")
        tree.setProperty("sidebar", True)
        tree.setItemDelegate(QuietItems(tree))
        tree.setColumnCount(3)
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setItemsExpandable(False)
        tree.setExpandsOnDoubleClick(False)
        tree.setUniformRowHeights(True)
        WholeRows(tree)
        tree.setAllColumnsShowFocus(True)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(8)
        header.setSectionResizeMode(_HEADING, QHeaderView.ResizeMode.Stretch)
        for column in (_CODES, _SPANS):
            # Qt would measure every row again for each one that changes.
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        tree.itemActivated.connect(self._go)
        tree.itemClicked.connect(self._go)
        return tree

    def _fill(self) -> None:
        """Make the tree anew; the marked section stays the one at the same place."""
        sections = self._report_model.sections
        self.tree.setIndentation(self.fontMetrics().averageCharWidth() * 2)
        chosen = self._chosen() if self.tree.hasFocus() else None
        self.tree.clear()
        self._items = []
        self._starts = [section.start for section in sections]
        self._most = max(self._most, len(sections))
        self._words = [self._in_words(section) for section in sections]
        self._caret = self._position(self._offset)
        above: list[tuple[int, QTreeWidgetItem]] = []
        outermost: list[QTreeWidgetItem] = []
        size, dim = QSize(1, self._row_height()), self.palette().placeholderText()
        for section, words in zip(sections, self._words, strict=True):
            # What stands before the first heading holds nothing.
            depth = max(len(section.path), 1)
            while above and above[-1][0] >= depth:
                above.pop()
            item = QTreeWidgetItem()
            (above[-1][1].addChild if above else outermost.append)(item)
            above.append((depth, item))
            self._items.append(item)
            item.setSizeHint(_HEADING, size)
            item.setForeground(_SPANS, dim)
            item.setTextAlignment(_SPANS, _BESIDE)
            self._describe(item, section, words, dim)
        self._numbers = self._counted()
        for position in range(len(sections)):
            self._say(position)
        self.tree.addTopLevelItems(outermost)
        self.tree.expandAll()
        self.none.setVisible(not sections)
        self.tree.setVisible(bool(sections))
        self.button.setEnabled(bool(sections))
        self.arrange()
        if self._items:
            place = self._caret if chosen is None else min(chosen, len(sections) - 1)
            self.tree.setCurrentItem(self._items[place])
            self._mark(self._caret)

    def _describe(self, item: QTreeWidgetItem, section: Section, words: Sequence[str], dim: QBrush) -> None:
        codes = spoken_of(section, self._session.scheme)
        more = f" +{len(codes) - _MOST_CODES}" if len(codes) > _MOST_CODES else ""
        heading, outside, _ = words
        item.setText(_HEADING, heading)
        if codes:
            item.setText(_CODES, " ".join(codes[:_MOST_CODES]) + more)
            item.setForeground(_CODES, dim)
        if outside:
            font = item.font(_HEADING)
            font.setItalic(True)
            item.setFont(_HEADING, font)
            item.setForeground(_HEADING, dim)
        words_shown = tip("\n".join(filter(None, words)))
        for column in (_HEADING, _CODES, _SPANS):
            item.setToolTip(column, words_shown)

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 8

    def _in_words(self, section: Section) -> list[str]:
        speaks = f"speaks of {about_categories(section, self._session.scheme)}"
        return [heading_of(section), section_state(section), speaks]

    def _counted(self) -> list[int]:
        """The number of one's own spans by the section in which they begin."""
        starts = sorted(
            [s.finding.start for s in self._report_model.spans.values() if s.finding.start is not None]
        )
        before = [0, *(bisect_left(starts, start) for start in self._starts[1:]), len(starts)]
        return [before[position + 1] - before[position] for position in range(len(self._items))]

    def _count(self) -> None:
        before, self._numbers = self._numbers, self._counted()
        longer = False
        for position, item in enumerate(self._items):
            if self._numbers[position] != before[position]:
                shown = item.text(_SPANS)
                self._say(position)
                longer = longer or len(item.text(_SPANS)) > len(shown)
        if longer:
            self.arrange()

    def arrange(self) -> None:
        """As wide as the longest text wants: Qt would ask each of hundreds of rows. Codes that would leave
        headings less than three quarters of the width are left to the tool tips."""
        metrics = self.tree.fontMetrics()
        self.tree.setColumnHidden(_CODES, False)
        for column in (_CODES, _SPANS):
            widest = max(
                self._items, key=lambda item: metrics.horizontalAdvance(item.text(column)), default=None
            )
            if widest is not None:
                hint = self.tree.sizeHintForIndex(self.tree.indexFromItem(widest, column))
                self.tree.setColumnWidth(column, hint.width())
        letters = QFontMetrics(bold(self.tree.font()))
        headings = (
            max(len(section.path), 1) * self.tree.indentation() + letters.horizontalAdvance(words[0])
            for section, words in zip(self._report_model.sections, self._words, strict=True)
        )
        wide = self.tree.viewport().width()
        left = wide - self.tree.columnWidth(_SPANS) - min(max(headings, default=0), wide * 3 // 4)
        self.tree.setColumnHidden(_CODES, self.tree.columnWidth(_CODES) > left)

    def _say(self, position: int) -> None:
        """Show the number of spans in a section, and say all of it in words."""
        item, number = self._items[position], self._numbers[position]
        item.setText(_SPANS, str(number) if number else "")
        parts = [*self._words[position], counted(number, "span")]
        item.setData(_HEADING, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, parts)))

    def _mark(self, position: int) -> None:
        if position >= len(self._items):
            return
        item, here = self._items[position], position == self._caret
        font = item.font(_HEADING)
        font.setBold(here)
        item.setFont(_HEADING, font)
        words = "the cursor is here" if here else ""
        item.setData(_HEADING, Qt.ItemDataRole.AccessibleDescriptionRole, words)

    def _go(self, item: QTreeWidgetItem) -> None:
        self.section_activated.emit(self._starts[self._items.index(item)])
