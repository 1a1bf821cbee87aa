"""One quiet line on what is grey in the text: annotations under labels of other programs."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.gui.session.project_session import ProjectSession
from app.gui.shell.actions import Actions
from app.gui.widgets.boxes import lined
from app.gui.widgets.parts import AFTER_THE_TEXT
from app.gui.widgets.tips import explain
from app.text import counted

_MOST = 12


class KeptLabelsLine(QWidget):
    """Counts them, says which labels they are and leads to what these stand for.

    Hidden until a report has any; from then on it stays, so that nothing moves from report to report.
    """

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = session.report_model
        self.button = QPushButton()
        self.button.setFlat(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(actions["project.labels"].trigger)
        lined(self, self.button, margins=(8, 0, 8, 0)).addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()
        self._later = QTimer(self, singleShot=True, interval=AFTER_THE_TEXT)
        self._later.timeout.connect(self._refresh)
        for signal in (self._model.opened, self._model.reset, self._model.others_changed):
            signal.connect(self._later.start)

    def _refresh(self) -> None:
        counts = Counter(one.label for one in self._model.kept.values())
        if not counts:
            self.button.setText("Nothing here under other programs' labels")
            explain(self.button, "What labels that the scheme lacks stand for.")
            return
        number = counted(counts.total(), "annotation")
        self.button.setText(f"{number} under {counted(len(counts), 'other label')}…")
        told = [f"{label}: {amount}" for label, amount in counts.most_common(_MOST)]
        told += [f"and {len(counts) - _MOST} more"] if len(counts) > _MOST else []
        about = "Grey in the text: labels of other programs, which the scheme lacks."
        explain(self.button, "\n".join([about, *told]))
        self.show()
