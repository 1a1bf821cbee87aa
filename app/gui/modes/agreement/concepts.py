"""Agreement on concepts: who is compared in which terminology, and the table, as the command line has it."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QPlainTextEdit, QWidget

from app.agreement.output.tables import measures_in, not_compared, score_table
from app.agreement.types import Agreement, Profile
from app.gui.dialogs.fields import ASK, Ask, Form, asked, choice
from app.gui.dialogs.forms import FormDialog, named, plain_label
from app.gui.session.project_session import ProjectSession
from app.operations.compare.concepts import list_coders, measure_concepts
from app.tables import numbered, text_lines

_LINES = 11
_SHOWN = ("concept_f1", "concept_nearness", "f1", "precision", "recall", "span_f1", "span_f1_overlap")
_ABOUT = (
    "Compared is what quotes stand for, in whatever category, in the reports in which both gave a concept; "
    "what runs suggest as well."
)
_NOBODY = "Nobody has given a concept yet: F4 gives a span one, and the mode Phenotypes finds terms."
_ALONE = "Two are needed who gave concepts of one terminology; so far there is one alone."
_PROFILES = (("Paper", "paper"), ("Strict", "strict"))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whose concepts of which terminology are compared, by which formulas."""

    terminology: str = asked("", Ask(choice, "&Terminology:"))
    left: str = asked("", Ask(choice, "&Left:", "Left side"))
    right: str = asked("", Ask(choice, "&Right:", "Right side, the reference"))
    profile: Profile = field(default="strict", metadata={ASK: Ask(choice, "&Profile:", choices=_PROFILES)})


class ConceptsDialog(FormDialog):
    """Measured anew with every choice, in the project's thread."""

    guide = "agreement"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Agreement on concepts", parent)
        self._session = session
        self._known: dict[str, tuple[str, ...]] = {}
        self.form = Form(Comparison())
        self.table = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "Agreement on concepts")
        self.table.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        aligned = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        aligned.setPointSizeF(self.font().pointSizeF())
        self.table.setFont(aligned)
        self.table.setMinimumHeight(_LINES * self.table.fontMetrics().lineSpacing())
        self.about = plain_label(name="About the measures")
        self.lay_out(plain_label(_ABOUT), self.form, self.table, self.about, wide=self.table)
        self.copy_button = self.add_button("C&opy", QDialogButtonBox.ButtonRole.ActionRole, self._copy)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole, default=True)
        self.form.changed.connect(self._offer)
        self.form.changed.connect(self._measure)
        self.copy_button.setEnabled(False)
        session.worker.ask(list_coders, self._show, self.say)

    def _show(self, known: dict[str, tuple[str, ...]]) -> None:
        self._known = {name: coders for name, coders in known.items() if len(coders) > 1}
        if not self._known:
            self.table.setPlainText(_ALONE if known else _NOBODY)
            self.form.setEnabled(False)
            return
        self.form.offer("terminology", [(name, name) for name in self._known])
        self._offer()
        self._measure()

    def _offer(self) -> None:
        """Who has concepts of the terminology; two different ones at first."""
        wanted = self.form.value
        names = self._known.get(wanted.terminology, ())
        offered = [(name, name) for name in names]
        left = wanted.left if wanted.left in names else next(iter(names), "")
        others = [name for name in names if name != left]
        right = wanted.right if wanted.right in others else next(iter(others), "")
        self.form.offer("left", offered, left)
        self.form.offer("right", [(name, name) for name in others], right)

    def _measure(self) -> None:
        wanted = self.form.value
        if not (wanted.left and wanted.right):
            return
        self._session.worker.ask(
            lambda project: measure_concepts(
                project, wanted.left, wanted.right, wanted.terminology, wanted.profile
            ),
            self._show_caveats,
            self._refuse,
            latest="agreement on concepts",
        )

    def _show_caveats(self, agreement: Agreement) -> None:
        known = {one.key: one for one in measures_in(agreement, "table")}
        shown = tuple(known[key] for key in _SHOWN if key in known)
        notes: list[str] = []
        lines = text_lines(score_table(agreement, shown), notes)
        self.table.setPlainText("\n".join((*lines, "", *numbered(notes))))
        explanations = (
            f"{one.name}: {one.explanation(agreement.profile) or one.strict}" for one in shown[:2]
        )
        self.about.setText(" ".join((*agreement.caveats, *not_compared(agreement), *explanations)))
        self.copy_button.setEnabled(True)
        self.grow()

    def _refuse(self, sentence: str) -> None:
        self.table.setPlainText(sentence)
        self.about.clear()
        self.copy_button.setEnabled(False)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.table.toPlainText())
        self.say("Copied.")
