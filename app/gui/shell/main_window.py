"""The window: menus, the start page without a project, the workbench with one."""

from __future__ import annotations

import gc
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QStackedWidget

from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import MENUS, arranged
from app.gui.shell.acts.help import HelpCommands
from app.gui.shell.acts.locking import Locking
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import apply_theme
from app.gui.shell.start_page import StartPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.workbench import Workbench
    from extractors.model.scheme import Scheme

_STEP = 10
_SMALLEST = (960, 600)
_FIRST = (1280, 720)
# What nobody can open before the window is on the screen is made after that.
UNTIL_PAINTED_MS = 20
_GONE = (
    "is no longer where it was opened. Unless it was only moved, or you have saved a copy "
    "(Project > Save a copy), all that is in it is lost. Close it?"
)
# What the desktop draws above it at most, and how much of a large screen it takes.
_FRAME, _SHARE = 40, 0.8


def first_size(room: QSize) -> QSize | None:
    """The size of the very first window on a screen with so much room, None where it takes all of that."""
    if room.width() < _FIRST[0] or room.height() < _FIRST[1] + _FRAME:
        return None
    return QSize(*_FIRST).expandedTo(room * _SHARE)


class MainWindow(QMainWindow):
    """Opens and closes projects; what is done within one is the workbench's business."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self.workbench: Workbench | None = None
        # The open project.
        self.session: ProjectSession | None = None
        self.actions_ = Actions(self)
        commands = arranged(None, preferences.keys)
        # What the start page needs comes first; the others follow once it is on the screen.
        self.actions_.add(command for command in commands if command.needs == "nothing")
        self.start_page = StartPage(self.actions_, preferences)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.start_page)
        self.setCentralWidget(self._stack)
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self._menus = {name: self.menuBar().addMenu(f"&{name}") for name in MENUS}
        self._complete = False
        self._dropped: Path | None = None  # a project that came with other files, until it is open
        self.locking = Locking(self, self)
        self._connect()
        self.help = HelpCommands(
            self, lambda: self.workbench, self.actions_, preferences, self.show_dialog, self._open_sample
        )
        QTimer.singleShot(UNTIL_PAINTED_MS, self._fill_menus)
        self._show_start()
        self._placed = self.restoreGeometry(preferences.shape("window"))
        if not self._placed:
            self.resize(*_FIRST)

    def show_first(self) -> None:
        """Show it where it was left; at the very first start as large as the screen is of use for."""
        size = None if self._placed else first_size(self.screen().availableSize())
        if size is not None:
            self.resize(size)
        if self._placed or size is not None:
            self.show()
        else:
            self.showMaximized()

    # Opening and closing

    def open_project(self, path: Path, annotator: str = "") -> None:
        """Open a project in the place of the one that is open."""
        # Imported here: the first window shows before anything of the project is loaded.
        from app.gui.dialogs.project.backups import keep_backups
        from app.gui.session.project_session import ProjectSession
        from app.operations.project.opening import why_not_openable

        self._fill_menus()
        if self.session is not None:
            here = self.session.path
            # What is open stays where the other one cannot be opened, or no passphrase is given.
            if self.workbench is not None and (why := why_not_openable(path, here)):
                self.session.failed.emit(why)
                return
            if self.locking.asks(path):
                return
            closed = self.close_project(keep_key=True)
            self.locking.forget(besides=path if closed else here)
            if not closed:
                return
        self.start_page.show_message(f"Opening {path.name}…")
        self.start_page.repaint()
        session = self.session = ProjectSession(path, annotator or self.preferences.annotator_or_login, self)
        session.last_report = next(reversed(self.preferences.carets(path)), "")
        session.last_annotator = self.preferences.last_annotator(path)
        session.annotator_changed.connect(
            lambda name: self.preferences.set_last_annotator(path, session.owner, name)
        )
        session.opened.connect(lambda: self._show_workbench(session))
        session.refused.connect(lambda sentence: self._refuse(session, sentence))
        session.worker.locked.connect(lambda: self.locking.ask(session))
        keep_backups(session)
        session.start()

    def close_project(self, *, keep_key: bool = False) -> bool:
        """Finish what is waiting, close the project and show the start page.

        What would be lost is asked about first. The key of an encrypted one is forgotten, unless it is soon
        to be opened again (`keep_key`). False where the user goes on with it.
        """
        if not self._may_leave():
            return False
        workbench = self._leave_project(keep_key=keep_key)
        if workbench is not None:
            self._stack.removeWidget(workbench)
            self._arrange_keys()
        self._show_start()
        return True

    def _leave_project(self, *, keep_key: bool = False) -> Workbench | None:
        """Finish what is waiting; what has shown the project goes at the next turn."""
        workbench, self.workbench = self.workbench, None
        session, self.session = self.session, None
        if workbench is not None:
            workbench.put_away()
        if session is not None:
            session.close()
        for gone in filter(None, (workbench, session)):
            gone.deleteLater()
        if workbench is not None:
            if not keep_key:
                self.locking.forget()
            # What was read of the project is garbage now.
            gc.unfreeze()
        return workbench

    def _may_leave(self) -> bool:
        """Ask before work is stopped, or written words or a project whose file is gone are closed."""
        session = self.session
        unsaved = self.workbench.frame.unsaved if self.workbench is not None else ""
        job = session.worker.job if session is not None else None
        if job is not None and job.running:
            question, act = f"“{job.title}” is still at work. Stop it?", "Stop"
        elif session is not None and self.workbench is not None and not os.path.exists(session.path):
            question, act = f"{session.path.name} {_GONE}", "Close"
        elif unsaved:
            question, act = "Throw it away?", "Throw away"
        else:
            return True
        from app.gui.dialogs.forms import question_box

        asked, agreed = f"{unsaved} {question}".strip(), list[bool]()
        question_box(self, "Casespan", asked, act, lambda: agreed.append(True)).exec()
        return bool(agreed)

    def _show_workbench(self, session: ProjectSession) -> None:
        from app.gui.shell.workbench import Workbench

        if session is not self.session:
            return  # another project has been asked for meanwhile
        # What is loaded now stays; looking through all of it for garbage would cost a key 30 ms now and then.
        # Looking through a large report takes as long: it is done a tenth as often.
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 100)
        self.workbench = Workbench(session, self.actions_, self.preferences)
        # With each project anew: what one could be told goes with it.
        on = self.actions_.on
        on("project.close", self.close_project)
        on("project.restore", partial(self._go_back, session.path))
        on("project.encrypt", partial(self.locking.encrypt, session.path))
        on("project.decrypt", partial(self.locking.decrypt, session.path))
        on("project.lock", partial(self.locking.lock, session.path))
        self._stack.addWidget(self.workbench)
        self._stack.setCurrentWidget(self.workbench)
        self.preferences.remember(session.path)
        self.workbench.fill_label_menus(self._menus["Span"])
        self.setWindowTitle(f"{session.path.stem}{self.locking.mark(session.path)} — Casespan")
        self.activateWindow()
        self.workbench.take_focus()
        self.help.arrived(self.workbench)
        if session.caveat:
            session.failed.emit(session.caveat)
        dropped, self._dropped = self._dropped, None
        if dropped == session.path:
            rest = "drop the rest once more."
            session.failed.emit(f"Of what was dropped only {dropped.name} was opened; {rest}")

    def _refuse(self, session: ProjectSession, sentence: str) -> None:
        if session is self.session:
            self.close_project()
            self.start_page.show_message(sentence)

    def _show_start(self) -> None:
        self._stack.setCurrentWidget(self.start_page)
        self.start_page.show_message("")
        self.start_page.refresh()
        self.start_page.take_focus()
        self.setWindowTitle("Casespan")
        self.actions_.enable("nothing")

    # Commands without a project

    def _connect(self) -> None:
        on = self.actions_.on
        on("project.new", self._new)
        on("project.open", self._ask_for_project)
        on("project.sample", self._open_sample)
        on("project.corpus", self._search_corpus)
        on("project.terminologies", self._show_terminologies)
        on("project.quit", self.close)
        on("view.larger", lambda: self._resize_text(_STEP))
        on("view.smaller", lambda: self._resize_text(-_STEP))
        on("view.normal", lambda: self._resize_text(0))
        self.start_page.project_chosen.connect(self.open_project)
        self.preferences.changed.connect(self._prefer)

    def _new(self) -> None:
        from app.gui.dialogs.project.projects import NewProjectDialog

        dialog = NewProjectDialog(self.preferences, self, self._here())
        dialog.created.connect(self.open_project)
        self.show_dialog(dialog)

    def _ask_for_project(self) -> None:
        from app.gui.dialogs.files import file_dialog

        dialog = file_dialog(self, "Open project", "projects", self._here())
        dialog.setNameFilter("Casespan projects (*.casespan)")
        dialog.setFileMode(dialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.open_project(Path(name)))
        self.show_dialog(dialog)

    def _here(self) -> Path | None:
        """The project that is open, or was last."""
        return self.session.path if self.session is not None else next(iter(self.preferences.recent), None)

    def _open_sample(self) -> None:
        from app.gui.shell.acts.sample import SampleProject

        name, say = self.preferences.annotator_or_login, self.start_page.show_message
        SampleProject(self, name, lambda: self.session, self.open_project, say).open()

    def _search_corpus(self) -> None:
        from app.gui.dialogs.project.corpus import CorpusDialog

        dialog = CorpusDialog(None, self)
        dialog.made.connect(self.open_project)
        self.show_dialog(dialog)

    def _show_terminologies(self) -> None:
        from app.gui.dialogs.project.terminologies import TerminologiesDialog

        self.show_dialog(TerminologiesDialog(self))

    def _go_back(self, path: Path) -> None:
        from app.gui.dialogs.project.backups import ask_to_restore

        ask_to_restore(path, self, self.while_closed)

    def while_closed(self, saying: str, call: Callable[[], str]) -> None:
        """Close the project, do something to its file apart from the window, and open it again.

        What `call` returns is said then.
        """
        from app.gui.session.jobs import one_step, start_apart

        path = self.session.path if self.session is not None else None
        if path is None or not self.close_project(keep_key=True):
            return
        self.start_page.show_message(saying)
        job = start_apart(saying, one_step(call), self)
        job.done.connect(lambda done: self._open_and_say(path, done))
        job.failed.connect(self._say)

    def _open_and_say(self, path: Path, sentence: str) -> None:
        """Open the project again and say it there; or in another one, if that was opened meanwhile."""
        if self.session is None:
            self.open_project(path)
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        """In the project that is open, or once it is; on the start page where there is none."""
        session = self.session
        if session is None:
            self.start_page.show_message(sentence)
        elif self.workbench is None:
            session.opened.connect(lambda: session.message.emit(sentence))
        else:
            session.message.emit(sentence)

    def show_dialog(self, dialog: QDialog) -> None:
        # Imported here: the first window is shown a tenth sooner without Qt's long lists of names.
        from PySide6.QtCore import Qt

        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # How it looks

    def _resize_text(self, by: int) -> None:
        self.preferences.text_size = self.preferences.text_size + by if by else 100

    def _arrange_keys(self) -> None:
        """Give every command its keys: those of the open project's categories come before others."""
        self.actions_.add(arranged(self._scheme(), self.preferences.keys))

    def _scheme(self) -> Scheme | None:
        return self.workbench.session.scheme if self.workbench is not None else None

    def _prefer(self, name: str) -> None:
        if name == "keys":
            self._arrange_keys()
        if name == "interface_size" and self.workbench is not None:
            # Sizes at one size of the letters are none at another.
            self.workbench.keep_sizes()
        application = QApplication.instance()
        if name in ("theme", "interface_size") and isinstance(application, QApplication):
            apply_theme(application, self.preferences.theme, self.preferences.interface_size, self)

    def _fill_menus(self) -> None:
        """Make the commands that only an open project has, and all menus; once."""
        if self._complete:
            return
        # Imported here: the first window shows without what is in its menus.
        from app.gui.shell.acts.menus import fill_menus

        self._complete = True
        self._arrange_keys()
        self.actions_.enable("nothing")
        fill_menus(self._menus, self.actions_, self.preferences, self.open_project)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            self.actions_.keep_keys(application)

    # Qt's own

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        from app.gui.dialogs.exchange.imports import accept_copies

        accept_copies(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """A dropped project is opened, dropped reports are imported."""
        from app.gui.dialogs.exchange.imports import RefusedDropError, accept_copies, dropped_paths

        paths, sentence = [], ""
        try:
            paths = dropped_paths(event.mimeData())
        except RefusedDropError as error:
            sentence = str(error)
        projects = [path for path in paths if path.suffix.lower() == ".casespan"]
        accept_copies(event)
        if projects:
            QTimer.singleShot(0, lambda: self._open_dropped(projects[0], alone=len(paths) == 1))
        elif self.workbench is not None:
            self.workbench.commands.import_paths(paths, sentence)
        else:
            self.start_page.show_message(
                sentence or "Open or make a project first, then drop the reports on it."
            )

    def _open_dropped(self, project: Path, *, alone: bool) -> None:
        self._dropped = None if alone else project
        self.open_project(project)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close when everything is on disk; what would be lost is asked about first."""
        if not self._may_leave():
            event.ignore()
            return
        # Nobody sees the start page any more.
        self._leave_project()
        self.help.leave()
        self.preferences.set_shape("window", self.saveGeometry())
        event.accept()
