"""One quiet line on what is grey in the text: annotations under labels of other programs."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget, QWidget

from app.gui.modes.annotate.same_words import SameWordsOffer
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import lined
from app.gui.widgets.parts import AFTER_THE_TEXT
from app.gui.widgets.tips import explain
from app.text import counted

_MOST = 12


class KeptLabelsLine(QStackedWidget):
    """Counts them, says which labels they are and leads to what these stand for.

    It is the place of `offer`, which comes first where there is something to offer: no line is taken from
    the panels above.
    """

    def __init__(self, session: ProjectSession, actions: Actions, offer: SameWordsOffer) -> None:
        super().__init__()
        self._model, self._offer = session.report_model, offer
        self._own, self._any = QWidget(), False
        self.button = QPushButton()
        self.button.setFlat(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(actions["project.labels"].trigger)
        lined(self._own, self.button, margins=(8, 0, 8, 0)).addStretch(1)
        for page in (offer, self._own):
            self.addWidget(page)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        offer.changed.connect(self._turn)
        self._later = QTimer(self, singleShot=True, interval=AFTER_THE_TEXT)
        self._later.timeout.connect(self._refresh)
        for signal in (self._model.opened, self._model.reset, self._model.others_changed):
            signal.connect(self._later.start)

    def _refresh(self) -> None:
        counts = Counter(one.label for one in self._model.kept.values())
        self._any = bool(counts)
        self._turn()
        if not counts:
            return
        number = counted(counts.total(), "annotation")
        self.button.setText(f"{number} under {counted(len(counts), 'other label')}…")
        told = [f"{label}: {amount}" for label, amount in counts.most_common(_MOST)]
        told += [f"and {len(counts) - _MOST} more"] if len(counts) > _MOST else []
        about = "Grey in the text: labels of other programs, which the scheme lacks."
        explain(self.button, "\n".join([about, *told]))

    def _turn(self) -> None:
        self.setCurrentWidget(self._own if self._any and self._offer.offer is None else self._offer)
