"""Make a project, and say who annotates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, line
from app.gui.dialogs.files import ask_open, ask_save, folder_for
from app.gui.dialogs.forms import named, plain_label, while_alive
from app.gui.session.jobs import one_step
from app.gui.widgets.boxes import labelled

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.look.preferences import Preferences

SUFFIX = ".casespan"
_YOUR_NAME = "Your name stands on every annotation you make."


def _choose_file(edit: QLineEdit) -> None:
    known = Path(edit.text())
    # A project that is there is opened, never written over.
    ask_save(
        edit.window(),
        "New project",
        "projects",
        lambda file: edit.setText(str(file)),
        known,
        edit.text(),
        may_replace=False,
    )


def _choose_scheme(edit: QLineEdit) -> None:
    ask_open(edit.window(), "Folder with scheme.toml", "schemes", edit.setText, folder=True)


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be made."""

    file: str = asked("", Ask(line, "Project &file:", choose=_choose_file, button="&Choose…"))
    name: str = asked("", Ask(line, "Your &name:", below=_YOUR_NAME))
    scheme: str = asked(
        "",
        Ask(
            line,
            "&Scheme folder:",
            "Folder with another scheme",
            choose=_choose_scheme,
            button="C&hoose…",
            hint="The 14 clinical categories",
            advanced=True,
        ),
    )

    @property
    def path(self) -> Path:
        named = self.file if self.file.lower().endswith(SUFFIX) else self.file + SUFFIX
        return Path(named).expanduser()

    @property
    def problem(self) -> str:
        """Why it cannot be made, in a sentence."""
        if not self.file:
            return "Choose where the project file goes."
        if self.path.exists():
            return f"{self.path.name} is there already; open it, or choose another name."
        if not self.path.parent.is_dir():
            return f"There is no folder {self.path.parent}."
        return _name_problem(self.name)


class NewProjectDialog(SettingsDialog[NewProject]):
    """Makes the project and says where it is; the name is remembered for the next one."""

    guide = "project"
    created = Signal(object)

    def __init__(
        self, preferences: Preferences, parent: QWidget | None = None, here: Path | None = None
    ) -> None:
        """`here` is the project that is open, or was last: the new one is proposed beside it."""
        proposed = _free(folder_for("projects", here) / f"Case reports{SUFFIX}")
        wanted = NewProject(str(proposed), preferences.annotator)
        super().__init__("New project", wanted, "&Make project", parent)
        self._preferences = preferences
        about = plain_label("A project is one file. It holds reports, annotations and their history.")
        self.body.insertWidget(0, about)
        self.body.addStretch(1)
        self.check()
        self.form.box("file" if preferences.annotator else "name", QLineEdit).setFocus()

    def problem(self) -> str:
        return self.form.value.problem

    def act(self) -> None:
        """Make the project, apart from the window; `created` follows, or a sentence above the buttons."""
        from app.operations.project.files import create_project

        wanted = self.form.value
        scheme = Path(wanted.scheme) if wanted.scheme else None
        make = partial(create_project, wanted.path, wanted.name, scheme)
        self.act_apart("New project", one_step(make), self._made)

    def _made(self, made: Path) -> None:
        self._preferences.annotator = self.form.value.name
        self.created.emit(made)
        self.accept()


@dataclass(frozen=True, slots=True)
class Annotator:
    """Who annotates from now on."""

    name: str = asked("", Ask(line, "&Name:"))


class AnnotatorDialog(SettingsDialog[Annotator]):
    """Annotate under a name that is there, or under a new one."""

    guide = "project"

    def __init__(
        self,
        session: ProjectSession,
        names: Sequence[str],
        parent: QWidget | None = None,
        *,
        taken: Sequence[str] = (),
    ) -> None:
        """`names` are the people of the project, `taken` the names of its runs and its gold set."""
        super().__init__("Annotate as", Annotator(session.annotator), "&Annotate", parent)
        self._session = session
        self._taken = frozenset(taken)
        self.list = named(QListWidget(), "People in this project")
        self.list.addItems(list(dict.fromkeys([session.annotator, *names] if session.annotator else names)))
        self.list.setMinimumHeight(5 * self.fontMetrics().lineSpacing())
        self.list.setMaximumHeight(12 * self.fontMetrics().lineSpacing())
        about = plain_label(f"{_YOUR_NAME} What others have annotated is hidden at first.")
        for place, part in enumerate((about, labelled("&People in this project:", self.list), self.list)):
            self.body.insertWidget(place, part, 1 if part is self.list else 0)
        self.list.currentTextChanged.connect(lambda name: self.form.put(name=name))
        self.list.itemActivated.connect(lambda _: self.act())
        found = self.list.findItems(session.annotator, Qt.MatchFlag.MatchExactly)
        if found:
            self.list.setCurrentItem(found[0])
        self.check()
        field = self.form.box("name", QLineEdit)
        field.setFocus()
        field.selectAll()

    def problem(self) -> str:
        name = self.form.value.name
        return (
            f"The name {name!r} belongs to a run; choose another."
            if name in self._taken
            else _name_problem(name)
        )

    def act(self) -> None:
        name = self.form.value.name
        if not self.ok_button.isEnabled():
            return
        if name != self._session.annotator:
            self._session.set_annotator(name)
        self.accept()


def ask_annotator(session: ProjectSession, parent: QWidget | None = None) -> None:
    """Open "Annotate as…" once the project has said who is in it."""
    from app.operations.project.files import ProjectOverview, list_project

    def show(overview: ProjectOverview) -> None:
        people = [one.name for one in overview.annotators if one.kind == "person"]
        others = [one.name for one in overview.annotators if one.kind != "person"]
        AnnotatorDialog(session, people, parent, taken=others).open()

    session.worker.ask(list_project, while_alive(parent, show) if parent else show)


def _name_problem(name: str) -> str:
    # Imported here because the start page needs no store.
    from app.operations.project.sets import name_problem

    return name_problem(name) if name else "Type your name."


def _free(path: Path) -> Path:
    """The path, or the next one with a number at which nothing is."""
    number = 2
    found = path
    while found.exists():
        found = path.with_name(f"{path.stem} {number}{path.suffix}")
        number += 1
    return found
