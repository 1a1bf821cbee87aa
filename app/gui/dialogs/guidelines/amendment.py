"""An amendment before it is adopted: edited, shown as the guideline will read, with whom it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QListWidget, QPlainTextEdit, QTextBrowser, QWidget

from app.gui.dialogs.fields import Ask, Form, asked, choice, text
from app.gui.dialogs.forms import GRID, FormDialog, Role, named, plain_label
from app.gui.dialogs.guidelines.example import ExampleEditor
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import labelled, lines_high, stacked
from app.gui.widgets.guideline_text import Added, guideline_document
from app.gui.widgets.plain import one_line
from app.gui.widgets.swatch import colours_of
from app.operations.guidelines.amendments import WorkedOn, amend_guideline, list_worked_on
from app.operations.guidelines.drafts import Draft, draft_amendment
from app.text import counted
from extractors.model.amending import CLAUSE_SECTIONS, amended, plain_example
from extractors.model.errors import SchemeError

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.reconcile.amendments import Amendment

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
