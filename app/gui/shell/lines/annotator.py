"""Who annotates: a button that changes it."""

from __future__ import annotations

from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import ElidedButton, caption, one_line
from app.gui.widgets.tips import explain

_COMMAND = "project.annotator"


class AnnotatorButton(ElidedButton):
    """Names the annotator of an open project."""

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        follow_keys(self, actions, [_COMMAND], lambda: explain(self, actions.hint(_COMMAND)))
        self.clicked.connect(actions[_COMMAND].trigger)
        session.annotator_changed.connect(self._name)
        self._name(session.annotator)

    def _name(self, name: str) -> None:
        self.setText(caption(one_line(name) or "Annotate as…"))
        self.setAccessibleName(f"Annotator: {name or 'nobody'}")
