"""What a mode of the window is, what it declares of itself, and what it is given to work with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.gui.modes.annotate.editing import Editing
    from app.gui.modes.command import Command
    from app.gui.reader.report_page import Page
    from app.gui.reader.view import Reader
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.gui.shell.look.preferences import Preferences

# The id of a mode of app/gui/modes, or "annotate".
ModeId: TypeAlias = str


class ModeContext(NamedTuple):
    """What the modes share. The keys of the text are off in other modes than annotate, unless a mode turns
    them on by `actions.set_place("text", [reader])`, and off again by `actions.set_place("text", [])`."""

    session: ProjectSession
    actions: Actions
    preferences: Preferences
    page: Page
    reader: Reader
    editing: Editing


class Mode(QObject):
    """A mode other than annotate; made when it is entered first, on screen between `enter` and `leave`.

    Its widgets stay the same for as long as it lives. Commands `where` its id act in its widgets and in the
    reader.
    """

    id: ModeId = ""
    # In place of report list and outline; None where those stay.
    left: QWidget | None = None
    # In place of heading and reader; None where those stay.
    centre: QWidget | None = None
    # Between heading and reader.
    above: QWidget | None = None
    # Narrow columns left and right of the reader.
    beside: tuple[QWidget, QWidget] | None = None
    # In place of palette, guideline and inspector; None where those stay, or nothing where it `hides_right`.
    right: QWidget | None = None
    hides_right = False

    @property
    def unsaved(self) -> str:
        """What was written in it and is not kept once the project is closed, as a sentence; "" for none."""
        return ""

    def enter(self) -> None:
        """The mode is on screen now."""

    def leave(self) -> None:
        """Another mode comes."""

    def take_focus(self) -> None:
        """Put the focus where work goes on."""

    def put_away(self) -> None:
        """The project is being closed; it was left before."""


class ModeSpec(NamedTuple):
    """A mode: `label` and `key` lead to it, its commands stand in `menu`, which the menu Mode calls
    `menu_title`. `make` is called, and loads what the mode needs, when it is entered first."""

    id: str
    label: str
    key: str
    about: str = ""
    menu: str = ""
    menu_title: str = ""
    commands: tuple[Command, ...] = ()
    make: Callable[[ModeContext], Mode] | None = None
