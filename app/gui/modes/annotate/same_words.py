"""One quiet line after labelling: the same words stand elsewhere in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.gui.session.project_session import Offer, ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import lined
from app.gui.widgets.plain import quoted
from app.gui.widgets.tips import explain, with_key
from app.text import counted

if TYPE_CHECKING:
    from app.operations.annotate.spans import Changed


class SameWordsOffer(QWidget):
    """Keeps its height when there is nothing to offer; `offer` is what the line speaks of."""

    text_wanted = Signal()
    changed = Signal()

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.offer: Offer | None = None
        self.button = QPushButton()
        self.button.setFlat(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        kept = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        kept.setRetainSizeWhenHidden(True)
        self.button.setSizePolicy(kept)
        self.button.clicked.connect(self._take)
        lined(self, self.button, margins=(8, 0, 8, 0)).addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        session.same_found.connect(self._show)
        session.report_model.opened.connect(self.clear)
        session.report_model.reset.connect(self.clear)
        session.controller.changed.connect(self._follow)
        actions["span.same"].changed.connect(self._write)
        self.clear()

    def clear(self) -> None:
        """Offer nothing."""
        self.offer = None
        self._write()

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.same.total else None
        self._write()

    def _follow(self, changed: Changed) -> None:
        if changed.added or changed.removed:
            self.clear()

    def _write(self) -> None:
        self.button.setVisible(self.offer is not None)
        self.changed.emit()
        if self.offer is None:
            self.button.setText(" ")
            return
        total = self.offer.same.total
        words = counted(total, "more place")
        key = self._actions.key("span.same")
        self.button.setText(with_key(f"{words} with these words", key))
        explain(self.button, f"{quoted(self.offer.quote)} elsewhere in this report")

    def _take(self) -> None:
        self._actions["span.same"].trigger()
        self.text_wanted.emit()
