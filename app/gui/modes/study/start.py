"""Before a sitting: who sits, how long, which categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.dialogs.fields import Ask, Form, asked, number, ticks
from app.gui.dialogs.forms import GRID, plain_label
from app.gui.widgets.boxes import heading_label, lined, scrolled, stacked
from app.gui.widgets.plain import caption
from app.text import counted

if TYPE_CHECKING:
    from app.operations.study.people import Sitting
    from app.studies.study import Study

_RULES = (
    "First every question with “I do not know”, then, in a second round, a guess for each of these. Right "
    "answers, and what others answered, stay hidden until you close your answers. You may stop at any time: "
    "every answer is kept, and you go on from there."
)
_USUAL = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many questions, and of which groups."""

    count: int | None = asked(
        _USUAL,
        Ask(number, "How man&y:", "How many questions", nothing="all", suffix=" questions", least=1, step=10),
    )
    groups: tuple[str, ...] = asked((), Ask(ticks, "Only (none: all):", "Only these groups"))


class StartPage(QWidget):
    """`begun` has the number of questions, None for all, and the groups wanted."""

    begun = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.title, self.about = heading_label(""), plain_label(name="Before you begin")
        self.begin, self.model = QPushButton("&Begin"), QPushButton("Have a mo&del sit…")
        self.begin.setDefault(True)
        self.form: Form[Wanted] | None = None
        self._shown: object = None
        buttons = lined(None, self.begin, self.model)
        buttons.addStretch(1)
        self._inside = QWidget()
        self._column = stacked(self._inside, self.title, self.about, buttons, spacing=2 * GRID)
        self._column.addStretch(1)
        # Where letters are large the groups have no room at once.
        self._area = scrolled(self._inside)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        stacked(self, self._area, wide=self._area)
        self.begin.clicked.connect(self._begin)

    def put(self, study: Study, person: str, sitting: Sitting, groups: Mapping[str, int]) -> bool:
        """Offer a sitting to the person, with what was chosen in the one that is open; `groups` count items.

        False where all of it stands there already.
        """
        shown = (study.id, person, sitting, tuple(groups.items()))
        if shown == self._shown:
            return False
        self._shown = shown
        self.title.setText(f"{person}: {study.title}")
        words = f"You have given {counted(sitting.answered, 'answer')} and go on where you stopped. "
        self.about.setText(f"{words if sitting.answered else ''}{_RULES}")
        self.begin.setText("&Go on" if sitting.answered else "&Begin")
        if self.form is not None:
            self.form.hide()
            self._column.removeWidget(self.form)
            self.form.deleteLater()
        choices = [
            (f"{caption(study.called(study.groups, name))} ({n:,})", name, "") for name, n in groups.items()
        ]
        # Of its groups the form offers those of which there are items.
        there = Wanted(sitting.count if sitting.answered else _USUAL, sitting.groups)
        self.form = Form(there, {"groups": {"choices": choices}})
        self.form.show_field("groups", bool(choices))
        self._column.insertWidget(2, self.form)
        return True

    def minimumSizeHint(self) -> QSize:
        bar = self._area.verticalScrollBar().sizeHint().width()
        wide = self._inside.minimumSizeHint().width() + bar
        return QSize(wide, super().minimumSizeHint().height())

    def take_focus(self) -> None:
        self.begin.setFocus()

    def _begin(self) -> None:
        if self.form is not None:
            wanted = self.form.value
            self.begun.emit(wanted.count, wanted.groups)
