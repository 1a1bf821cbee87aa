"""An amendment before it is adopted: edited, shown as the guideline will read, with whom it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QWidget,
)

from app.gui.dialogs.fields import Ask, Form, asked, choice, text
from app.gui.dialogs.forms import GRID, FormDialog, Role, indented, named, plain_label
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import labelled, lines_high, row_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.guideline_text import Added, guideline_document
from app.gui.widgets.plain import one_line
from app.gui.widgets.swatch import colours_of
from app.gui.widgets.tips import explain
from app.operations.guidelines.amendments import WorkedOn, amend_guideline, list_worked_on
from app.operations.guidelines.drafts import Draft, draft_amendment
from app.text import counted
from extractors.model.amending import CLAUSE_SECTIONS, amended, plain_example
from extractors.model.errors import SchemeError
from extractors.model.finding import POLARITIES
from extractors.model.guideline import Example, ExampleQuote

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.reconcile.amendments import Amendment


_COLUMNS = ("Quote", "Field", "Polarity", "Also in")
_QUOTE, _FIELD, _POLARITY, _ALSO = range(4)
_OTHERS = Qt.ItemDataRole.UserRole
_NO_FIELD = "no field"
_TEXT_LINES, _ROWS = 3, 3


class ExampleEditor(QWidget):
    """Edits one example; `changed` follows whatever is changed in it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fields: tuple[str, ...] = ()
        self._title = ""
        self.wanted = QCheckBox("Add a worked &example")
        self.text = named(QPlainTextEdit(tabChangesFocus=True), "Text of the example")
        self.text.setFixedHeight(lines_high(self.text, _TEXT_LINES) + 2 * GRID)
        self.quotes = QTableWidget(0, len(_COLUMNS))
        self._arrange_quotes()
        self.add = QPushButton("Mark the &selected words")
        explain(self.add, "Select in the text of the example what is to be marked in it.")
        self.remove = QPushButton("Take the mar&k away")
        self.reason = named(QLineEdit(), "Why nothing is to be marked")
        self._lay_out()
        self.wanted.toggled.connect(self._follow)
        self.text.textChanged.connect(self._follow)
        self.text.selectionChanged.connect(self._allow)
        self.quotes.itemChanged.connect(lambda _item: self._follow())
        self.quotes.currentCellChanged.connect(lambda *_: self._allow())
        self.reason.textChanged.connect(lambda _text: self.changed.emit())
        self.add.clicked.connect(self._mark_selected)
        self.remove.clicked.connect(self._remove_mark)
        self._allow()

    @property
    def example(self) -> Example | None:
        """The example as it stands, None where there is to be none."""
        if not self.wanted.isChecked():
            return None
        quotes = tuple(self._quote(row) for row in range(self.quotes.rowCount()))
        return Example(self._title, self.text.toPlainText(), quotes, "" if quotes else self.reason.text())

    def set_fields(self, fields: Sequence[str]) -> None:
        """Offer the fields of another category; a field that it has not goes."""
        self._fields = tuple(fields)
        for place in range(self.quotes.rowCount()):
            box = self._box(place, _FIELD)
            box.fill([(one, one) for one in (_NO_FIELD, *self._fields)], box.currentText())

    def show_example(self, example: Example | None) -> None:
        self.wanted.setChecked(example is not None)
        self.quotes.setRowCount(0)
        if example is not None:
            self._title = example.title
            self.text.setPlainText(example.text)
            self.reason.setText(example.reason)
            for quote in example.quotes:
                self._append(quote)
        self._follow()

    # Inside

    def _lay_out(self) -> None:
        holder = QWidget()
        buttons = row_of(self.add, self.remove)
        why = row_of(labelled("&Nothing to mark, because:", self.reason), self.reason)
        inside = stacked(holder, labelled("&Text:", self.text), self.text, buttons, self.quotes, why)
        inside.setAlignment(buttons, Qt.AlignmentFlag.AlignLeft)
        self._inside = indented(holder)
        stacked(self, self.wanted, self._inside)

    def _arrange_quotes(self) -> None:
        table = self.quotes
        table.setHorizontalHeaderLabels(list(_COLUMNS))
        table.setAccessibleName("What is to be marked in the example")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().setVisible(False)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_QUOTE, QHeaderView.ResizeMode.Stretch)
        row = DropDown("").sizeHint().height() + 2
        table.verticalHeader().setDefaultSectionSize(row)
        table.setFixedHeight(header.sizeHint().height() + _ROWS * row + 2 * table.frameWidth())

    def _append(self, quote: ExampleQuote) -> None:
        row = self.quotes.rowCount()
        self.quotes.blockSignals(True)
        self.quotes.insertRow(row)
        self.quotes.setItem(row, _QUOTE, QTableWidgetItem(quote.quote))
        others = QTableWidgetItem(", ".join(quote.also))
        others.setData(_OTHERS, quote.also)
        others.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.quotes.setItem(row, _ALSO, others)
        for place, choices, chosen in (
            (_FIELD, (_NO_FIELD, *self._fields), quote.field or _NO_FIELD),
            (_POLARITY, POLARITIES, quote.polarity),
        ):
            box = DropDown(f"{_COLUMNS[place]} of “{quote.quote}”")
            box.addItems(list(choices))
            box.setCurrentText(chosen)
            box.currentTextChanged.connect(lambda _text: self.changed.emit())
            self.quotes.setCellWidget(row, place, box)
        self.quotes.blockSignals(False)
        self.quotes.setCurrentCell(row, _QUOTE)

    def _quote(self, row: int) -> ExampleQuote:
        item, others = self.quotes.item(row, _QUOTE), self.quotes.item(row, _ALSO)
        field = self._box(row, _FIELD).currentText()
        words = self._box(row, _POLARITY).currentText()
        polarity = next(known for known in POLARITIES if known == words)
        also = tuple(others.data(_OTHERS)) if others is not None else ()
        quote = item.text() if item is not None else ""
        return ExampleQuote(quote, "" if field == _NO_FIELD else field, polarity, also)

    def _box(self, row: int, column: int) -> DropDown:
        box = self.quotes.cellWidget(row, column)
        if not isinstance(box, DropDown):
            raise TypeError(f"there is no choice in column {column}")
        return box

    def _selected(self) -> str:
        # Qt has U+2029 where a selection goes over a line's end.
        return one_line(self.text.textCursor().selectedText())

    def _mark_selected(self) -> None:
        self._append(ExampleQuote(self._selected(), "", "present", ()))
        self._follow()

    def _remove_mark(self) -> None:
        self.quotes.removeRow(self.quotes.currentRow())
        self._follow()

    def _follow(self) -> None:
        self._allow()
        self.changed.emit()

    def _allow(self) -> None:
        self._inside.setEnabled(self.wanted.isChecked())
        self.add.setEnabled(bool(self._selected()))
        self.remove.setEnabled(self.quotes.currentRow() >= 0)
        self.reason.setEnabled(not self.quotes.rowCount())


_NO_CLAUSE = "no clause, an example only"
_REPORT_LINES = 4
_LEAST_COLUMNS, _PREVIEW_COLUMNS, _PREVIEW_LINES = 60, 40, 8
_SCREEN_SHARE = 0.85
_NEW = "new"


@dataclass(frozen=True, slots=True)
class Clause:
    """What is added, and where; no section where it is an example only."""

    category: str = asked("", Ask(choice, "Cate&gory:"))
    section: str = asked(
        CLAUSE_SECTIONS[0],
        Ask(
            choice,
            "Sect&ion:",
            "Section of the guideline",
            choices=[*((name, name) for name in CLAUSE_SECTIONS), (_NO_CLAUSE, "")],
        ),
    )
    clause: str = asked("", Ask(text, "C&lause:"))


class AmendmentDialog(FormDialog):
    """Adds a clause, an example or both to a guideline.

    Begins with what a decision (UUID, or the id of the difference that it is about) proposes; for "" with
    nothing, for the category in use.
    """

    guide = "reconcile"

    def __init__(
        self, session: ProjectSession, actions: Actions, decision: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__("Amend a guideline", parent)
        self._session, self._key = session, actions.key("edit.undo")
        self._decision = self._category = ""
        names = [(one.name, one.id) for one in session.scheme.categories]
        self.form = Form(Clause(), {"category": {"choices": names}})
        self.example = ExampleEditor()
        self.example.wanted.setAccessibleName("Add a worked example")
        self.preview = named(QTextBrowser(openLinks=False), "The guideline as it will read")
        self.affected = plain_label()
        self.reports = named(QListWidget(), "Reports worked on before")
        self.about = plain_label("Reading the decision…" if decision else "")
        self._lay_out()
        self.amend_button = self.add_button("&Amend the guideline", Role.AcceptRole, default=True)
        self.add_cancel()
        self.buttons.accepted.connect(self.amend)
        self.form.changed.connect(self._follow)
        self.example.changed.connect(self._show)
        self._take(Draft(session.category, CLAUSE_SECTIONS[0], "", "", ()))
        if decision:
            self._read(decision)

    @property
    def draft(self) -> Draft:
        wanted, example = self.form.value, self.example.example
        return Draft(
            wanted.category,
            wanted.section,
            one_line(wanted.clause) if wanted.section else "",
            example.text if example else "",
            example.quotes if example else (),
            example.reason if example else "",
            example.title if example else "",
            decision=self._decision,
        )

    def amend(self) -> None:
        """Adopt it; the dialog closes once it is on disk, and says what the disk refuses."""
        draft, name = self.draft, self._session.annotator
        self.amend_button.setEnabled(False)

        self._session.worker.act(
            lambda project: amend_guideline(
                project,
                name,
                draft.category,
                draft.section,
                draft.clause,
                draft.example,
                draft.decision,
            ),
            self._done,
            self._refuse,
            says=True,
        )

    # Inside

    def _done(self, made: Amendment) -> None:
        undo = f" {self._key} undoes it." if self._key else ""
        category = self._session.scheme.category(made.category).name
        self._session.message.emit(f"The guideline of {category} was amended.{undo}")
        self.accept()

    def _refuse(self, sentence: str) -> None:
        self.say(sentence)
        self.amend_button.setEnabled(True)

    def _lay_out(self) -> None:
        least = (_LEAST_COLUMNS + _PREVIEW_COLUMNS) * self.fontMetrics().averageCharWidth()
        beside = least < self.screen().availableSize().width() * _SCREEN_SHARE
        if beside:
            self.form.setMinimumWidth(_LEAST_COLUMNS * self.fontMetrics().averageCharWidth())
        left = stacked(None, self.about, self.form, self.example, None)
        label = labelled("As it will &read:", self.preview)
        self.reports.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.reports.setFixedHeight(lines_high(self.reports, _REPORT_LINES))
        right = stacked(None, label, self.preview, self.affected, self.reports, wide=self.preview)
        self.preview.setMinimumHeight(lines_high(self.preview, _PREVIEW_LINES))
        direction = QBoxLayout.Direction
        columns = QBoxLayout(direction.LeftToRight if beside else direction.TopToBottom)
        columns.setSpacing(2 * GRID)
        columns.addLayout(left, 3)
        columns.addLayout(right, 2)
        self.body.addLayout(columns)

    def _read(self, decision: str) -> None:
        self.amend_button.setEnabled(False)
        self._session.worker.ask(lambda p: draft_amendment(p, decision), self._take, self._do_without)

    def _do_without(self, reason: str) -> None:
        self.about.setText(reason)
        self._show()

    def _take(self, draft: Draft) -> None:
        self._decision = draft.decision
        if draft.decision:
            self.about.setText(f"What the decision on {draft.report} proposes. Change it as you like.")
        for part in (self.form, self.example):
            part.blockSignals(True)
        self.form.put(category=draft.category, section=draft.section, clause=draft.clause)
        self.example.set_fields(self._session.scheme.category(draft.category).fields)
        self.example.show_example(draft.example)
        for part in (self.form, self.example):
            part.blockSignals(False)
        self._turn_to_category()

    def _follow(self) -> None:
        if self.form.value.category == self._category:
            self._show()
        else:
            self._turn_to_category()

    def _turn_to_category(self) -> None:
        category = self._category = self.form.value.category
        self.example.set_fields(self._session.scheme.category(category).fields)
        self._session.worker.ask(
            lambda p: (category, list_worked_on(p, category)), self._list_reports, latest="worked on"
        )
        self._show()

    def _list_reports(self, found: tuple[str, Sequence[WorkedOn]]) -> None:
        category, work = found
        if category != self._category:
            return
        who: dict[str, list[str]] = {}
        for one in work:
            who.setdefault(one.report, []).append(one.annotator)
        self.reports.clear()
        self.reports.addItems([f"{report} – {', '.join(names)}" for report, names in who.items()])
        number = counted(len(who), "report")
        self.affected.setText(
            f"Will be listed as worked on under the older text: {number}"
            if who
            else "Nobody has worked on this category yet."
        )

    def _show(self) -> None:
        """The guideline as it would read, or why it cannot be amended so."""
        draft = self.draft
        self.form.box("clause", QPlainTextEdit).setEnabled(bool(draft.section))
        known = self._session.scheme.category(draft.category)
        added: tuple[Added, ...] = ()
        try:
            example = self.example.example
            amended_text = amended(known.guideline, draft.section, draft.clause, example)
            words = plain_example(example).text if example is not None else ""
            added = (Added(_NEW, draft.section, draft.clause, words, _NEW),)
            known, reason = replace(known, guideline=amended_text), ""
        except SchemeError as error:
            reason = str(error)
        palette = colours_of(self._session.scheme, self.preview)
        document = guideline_document(known, self._session.scheme, palette, self.font(), added)
        document.setParent(self.preview)
        self.preview.setDocument(document)
        self.preview.scrollToAnchor(_NEW)
        untouched = not (draft.clause or self.example.example)
        self.say("" if untouched else reason)
        self.amend_button.setEnabled(not reason)
