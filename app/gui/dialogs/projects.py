"""Make a project, and say who annotates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from app.gui.dialogs.forms import GRID, FormDialog, fold, indented, plain_label, while_alive
from app.gui.session.jobs import one_step, start_apart

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.preferences import Preferences

SUFFIX = ".casespan"
_YOUR_NAME = "Your name stands on every annotation you make."


class NewProjectDialog(FormDialog):
    """Makes the project and says where it is; the name is remembered for the next one."""

    created = Signal(object)

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__("New project", parent)
        self._preferences = preferences
        self._making = False
        self.body.addWidget(
            plain_label("A project is one file. It holds reports, annotations and their history.")
        )
        self.file = _field("Project file")
        self.file.setText(str(_free(_documents() / f"Case reports{SUFFIX}")))
        self._add(
            "Project &file:", self.file, _button("&Choose…", "Choose the project file", self._choose_file)
        )
        self.name = _field("Your name")
        self.name.setText(preferences.annotator)
        self._add("Your &name:", self.name)
        self.body.addWidget(plain_label(_YOUR_NAME))
        self.scheme = _field("Folder with another scheme")
        self.scheme.setPlaceholderText("The 14 clinical categories")
        self.scheme.setClearButtonEnabled(True)
        advanced = QWidget()
        layout = QHBoxLayout(advanced)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        label = QLabel("&Scheme folder:")
        label.setBuddy(self.scheme)
        layout.addWidget(label)
        layout.addWidget(self.scheme, 1)
        layout.addWidget(_button("C&hoose…", "Choose a scheme folder", self._choose_scheme))
        self.body.addWidget(fold("Ad&vanced", advanced))
        self.body.addWidget(indented(advanced))
        self.body.addStretch(1)
        self.ok_button = self.add_button(
            "&Make project", QDialogButtonBox.ButtonRole.AcceptRole, default=True
        )
        self.add_button("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        self.ok_button.clicked.connect(self.make)
        for field in (self.file, self.name, self.scheme):
            field.textChanged.connect(lambda _: self._check())
        self._check()
        (self.file if preferences.annotator else self.name).setFocus()

    @property
    def path(self) -> Path:
        """Where the project will be."""
        text = self.file.text().strip()
        return Path(text if text.lower().endswith(SUFFIX) else text + SUFFIX).expanduser()

    @property
    def annotator(self) -> str:
        """Who will annotate."""
        return self.name.text().strip()

    def make(self) -> None:
        """Make the project, apart from the window; `created` follows, or a sentence above the buttons."""
        from app.operations.project.files import create_project

        path, name = self.path, self.annotator
        scheme = Path(self.scheme.text()) if self.scheme.text() else None
        self._making = True
        self.ok_button.setEnabled(False)
        job = start_apart(
            "New project", one_step(lambda: create_project(path, name, scheme)), QCoreApplication.instance()
        )
        job.done.connect(while_alive(self, self._made))
        job.failed.connect(while_alive(self, self._failed))
        job.ended.connect(job.deleteLater)

    def _made(self, path: Path) -> None:
        self._preferences.annotator = self.annotator
        self.created.emit(path)
        self.accept()

    def _failed(self, sentence: str) -> None:
        self._making = False
        self._check()
        self.say(sentence)

    def _trouble(self) -> str:
        if not self.file.text().strip():
            return "Choose where the project file goes."
        if self.path.exists():
            return f"{self.path.name} is there already; open it, or choose another name."
        if not self.path.parent.is_dir():
            return f"There is no folder {self.path.parent}."
        return _name_trouble(self.annotator)

    def _check(self) -> None:
        trouble = self._trouble()
        self.say(trouble)
        self.ok_button.setEnabled(not trouble and not self._making)

    def _add(self, text: str, field: QLineEdit, button: QPushButton | None = None) -> None:
        label = QLabel(text)
        label.setBuddy(field)
        self.body.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(field, 1)
        if button is not None:
            row.addWidget(button)
        self.body.addLayout(row)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, "New project")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        dialog.setDirectory(str(self.path.parent))
        dialog.selectFile(self.path.name)
        dialog.fileSelected.connect(self.file.setText)
        dialog.open()

    def _choose_scheme(self) -> None:
        dialog = QFileDialog(self, "Folder with scheme.toml")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.scheme.setText)
        dialog.open()


class AnnotatorDialog(FormDialog):
    """Annotate under a name that is there, or under a new one."""

    def __init__(
        self,
        session: ProjectSession,
        names: Sequence[str],
        parent: QWidget | None = None,
        *,
        taken: Sequence[str] = (),
    ) -> None:
        """`names` are the people of the project, `taken` the names of its runs and its gold set."""
        super().__init__("Annotate as", parent)
        self._session = session
        self._taken = frozenset(taken)
        self.body.addWidget(plain_label(f"{_YOUR_NAME} What others have annotated is hidden at first."))
        label = QLabel("&People in this project:")
        self.list = QListWidget()
        self.list.setAccessibleName("People in this project")
        self.list.addItems(list(dict.fromkeys([session.annotator, *names] if session.annotator else names)))
        self.list.setMinimumHeight(5 * self.fontMetrics().lineSpacing())
        self.list.setMaximumHeight(12 * self.fontMetrics().lineSpacing())
        label.setBuddy(self.list)
        self.body.addWidget(label)
        self.body.addWidget(self.list, 1)
        self.name = _field("Name")
        self.name.setText(session.annotator)
        name_label = QLabel("&Name:")
        name_label.setBuddy(self.name)
        self.body.addWidget(name_label)
        self.body.addWidget(self.name)
        self.ok_button = self.add_button("&Annotate", QDialogButtonBox.ButtonRole.AcceptRole, default=True)
        self.add_button("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        self.ok_button.clicked.connect(self._accept)
        self.list.currentTextChanged.connect(self.name.setText)
        self.list.itemActivated.connect(lambda _: self._accept())
        self.name.textChanged.connect(lambda _: self._check())
        found = self.list.findItems(session.annotator, Qt.MatchFlag.MatchExactly)
        if found:
            self.list.setCurrentItem(found[0])
        self._check()
        self.name.setFocus()
        self.name.selectAll()

    @property
    def annotator(self) -> str:
        """The name that is chosen."""
        return self.name.text().strip()

    def _check(self) -> None:
        trouble = _name_trouble(self.annotator)
        if self.annotator in self._taken:
            trouble = f"The name {self.annotator!r} belongs to a run; choose another."
        self.say(trouble)
        self.ok_button.setEnabled(not trouble)

    def _accept(self) -> None:
        if not self.ok_button.isEnabled():
            return
        if self.annotator != self._session.annotator:
            self._session.set_annotator(self.annotator)
        self.accept()


def ask_annotator(session: ProjectSession, parent: QWidget | None = None) -> None:
    """Open "Annotate as…" once the project has said who is in it."""
    from app.operations.project.files import ProjectOverview, list_project

    def show(overview: ProjectOverview) -> None:
        people = [one.name for one in overview.annotators if one.kind == "person"]
        others = [one.name for one in overview.annotators if one.kind != "person"]
        AnnotatorDialog(session, people, parent, taken=others).open()

    session.worker.ask(list_project, while_alive(parent, show) if parent else show)


def _name_trouble(name: str) -> str:
    # Imported here because the start page needs no store.
    from app.operations.project.names import name_trouble

    return name_trouble(name)


def _field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    return field


def _button(text: str, name: str, call: object) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.setAccessibleName(name)
    button.clicked.connect(call)
    return button


def _documents() -> Path:
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return folder if folder.is_absolute() and folder.is_dir() else Path.home()


def _free(path: Path) -> Path:
    """The path, or the next one with a number at which nothing is."""
    number = 2
    found = path
    while found.exists():
        found = path.with_name(f"{path.stem} {number}{path.suffix}")
        number += 1
    return found
