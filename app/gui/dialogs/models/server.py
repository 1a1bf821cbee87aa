"""Where a model is: the server, its models, fetching another one, and leave to send text elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget
from shiboken6 import isValid

from app.gui.dialogs.files import ask_open
from app.gui.dialogs.forms import GRID, indented, named, plain_label
from app.gui.session.jobs import Job, Steps, start_apart
from app.gui.widgets.boxes import field_rows, labelled, push_button, row_of, stacked
from app.gui.widgets.lists import ListTable
from app.gui.widgets.plain import caption
from app.gui.widgets.tips import explain
from app.gui.widgets.wording import in_window
from app.operations.extract.models import ModelLine, connect, default_host, list_models, pull_model
from app.text import size_in_words
from extractors.model.errors import RemoteRefusedError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from extractors.llm.types import Client

_COLUMNS = ("Model", "Size", "Parameters", "Context", "Fits in memory")
_GET_OLLAMA = "Ollama runs models on your own computer: get it from ollama.com, start it, then look again."
_SUGGESTED = "qwen2.5:7b"


@dataclass(frozen=True, slots=True)
class Server:
    """The server at `host`, its key in `key_file`; `allow_remote` where text may go to the machines named."""

    host: str
    allow_remote: bool = False
    key_file: Path | None = None

    def connect(self) -> Client:
        """Waits for the server, and so away from the window's thread."""
        return connect(self.host, allow_remote=self.allow_remote, key_file=self.key_file)


@dataclass(frozen=True, slots=True)
class _Found:
    """What looking for a server's models brought; `refused` where it is another machine.

    `server` is its kind and version, `fetches` whether it can be told to fetch a model.
    """

    server: str = ""
    fetches: bool = True
    lines: tuple[ModelLine, ...] = ()
    refused: bool = False


class KeyFile(QWidget):
    """Which file holds the key of a server that wants one; `changed` where another is named."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.line = named(
            QLineEdit(placeholderText="none, or the key in the system's keyring"),
            "File with the server's key",
        )
        explain(self.line, "A text file that holds the server's key and nothing else.")
        self.line.textChanged.connect(self.changed)
        choose = push_button("Choose…", self._choose)
        self.words = labelled("Key file:", self.line)
        stacked(self, row_of(self.line, choose))

    @property
    def path(self) -> Path | None:
        named = self.line.text().strip()
        return Path(named).expanduser() if named else None

    def _choose(self) -> None:
        ask_open(self, "The file with the server's key", "key", self.line.setText)


class ModelServer(QWidget):
    """A server's address, the models found there, and the box that lets text leave this machine.

    The box names the machines, and is cleared whenever these change.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[ModelLine, ...] = ()
        self._job: Job | None = None
        self._refused = False
        self._server_remote = False
        self._fetches = True
        self.key = KeyFile()
        self.key.changed.connect(self._address_changed)
        where = field_rows(self._address(), (self.key.words, self.key))
        self.status = plain_label("Look for the models that the server has.", "Server")
        self.table = ListTable("Models", _COLUMNS, len(_COLUMNS) - 1, 0)
        self.table.setFixedHeight(9 * self.fontMetrics().lineSpacing())
        self.table.chosen.connect(self._name_machines)
        another = field_rows(self._fetching())
        stacked(self, where, self.status, self.table, self._permission(), another)

    @property
    def address(self) -> str:
        return self.host.text().strip()

    @property
    def server(self) -> Server:
        return Server(self.address, self.allowed, self.key.path)

    @property
    def chosen(self) -> ModelLine | None:
        return self.lines[self.table.row] if 0 <= self.table.row < len(self.lines) else None

    @property
    def allowed(self) -> bool:
        """Whether the reports' text may go to the machines that the box names."""
        return self.allow.isEnabled() and self.allow.isChecked()

    def problem(self) -> str:
        """Why no run can begin with what is chosen, "" where it can."""
        if self._machines() and not self.allowed:
            return "The reports' text would leave this computer; tick the box if it may."
        return "" if self.chosen else "Look for models and choose one."

    def look(self) -> None:
        """Ask the server for its models, apart from everything else."""
        self._begin("Look for models", partial(_look, self.server), self._show)
        self._fill(())
        self.status.setText("Looking…")

    def fetch(self) -> None:
        name = self.name.text().strip() or _SUGGESTED
        self._begin(f"Fetch {name}", partial(_fetch, self.server, name), lambda _: self.look())
        self.status.setText(f"Fetching {name}…")
        self.stop_button.setEnabled(True)

    def stop(self) -> None:
        """Give up what is under way with the server."""
        if self._job is not None:
            self._job.cancel()

    def _begin(self, title: str, steps: Callable[[], Steps], done: Callable[[Any], None]) -> None:
        """Start asking the server; nobody listens any more to what was asked before."""
        self.stop()
        job = start_apart(title, steps, QCoreApplication.instance())
        self._job = job

        def mine(call: Callable[[Any], None]) -> Callable[..., None]:
            def guarded(value: object = None) -> None:
                if isValid(self) and self._job is job:
                    call(value)

            return guarded

        job.progressed.connect(mine(self._follow))
        job.done.connect(mine(done))
        job.failed.connect(mine(self._fail))
        job.stopped.connect(mine(self._stopped))
        job.ended.connect(mine(self._ended))
        job.ended.connect(job.deleteLater)
        self._enable(busy=True)

    def _enable(self, *, busy: bool) -> None:
        self.look_button.setEnabled(not busy)
        self.fetch_button.setEnabled(self._fetches and not busy)
        self.stop_button.setEnabled(False)

    def _ended(self, _: object) -> None:
        self._job = None
        self._enable(busy=False)

    def _follow(self, progress: Progress) -> None:
        if progress.note:
            numbers = f"{progress.done} of {progress.total} " if progress.total else ""
            self.status.setText(f"{numbers}{progress.note}"[:200])

    def _stopped(self, _: object) -> None:
        self.status.setText("Stopped; the server keeps what it has fetched so far.")

    def _fail(self, sentence: str) -> None:
        more = f" {_GET_OLLAMA}" if sentence.startswith("No model server answers") else ""
        self.status.setText(in_window(sentence) + more)

    def _show(self, found: _Found) -> None:
        self._refused, self._fetches = found.refused, found.fetches
        self._fill(found.lines)
        if found.refused:
            self.status.setText(
                f"{self.address} is another machine: the reports' text would leave this computer. Tick the "
                "box below if it may, then look again."
            )
        elif not found.lines:
            self.name.setText(self.name.text() or _SUGGESTED)
            self.status.setText(
                f"{found.server} has no models yet. Name one below and fetch it, {_SUGGESTED} for "
                "instance: several gigabytes, once."
                if found.fetches
                else f"{found.server} has no models yet."
            )
        else:
            self.status.setText(
                f"{found.server}. “Fits in memory” is the longest context, in tokens, that the free "
                "memory holds beside the model."
            )

    def _fill(self, lines: tuple[ModelLine, ...]) -> None:
        self.lines = lines
        self.table.put(list(map(_cells, lines)))

    def _machines(self) -> tuple[str, ...]:
        """The other machines that text would go to."""
        server = (self.address,) if self._refused or self._server_remote else ()
        model = (self.chosen.remote,) if self.chosen and self.chosen.remote else ()
        return (*server, *model)

    def _name_machines(self) -> None:
        machines = self._machines()
        named = " and ".join(machines)
        if named != self.allow.property("machines"):
            self.allow.setProperty("machines", named)
            self.allow.setChecked(False)
            who = "this machine" if len(machines) == 1 else "these machines"
            self.allow.setText(
                f"&Send the reports' text to {who}: {caption(named)}"
                if machines
                else "&Send the reports' text to another machine (none is needed)"
            )
        self.allow.setEnabled(bool(machines))
        self.warning.setEnabled(bool(machines))
        self.changed.emit()

    def _address_changed(self) -> None:
        """What was found and allowed was another server's."""
        self.stop()
        self._job = None
        self._refused = self._server_remote = False
        self._fetches = True
        self._enable(busy=False)
        self._fill(())
        self.status.setText("Look for the models that the server has.")

    def _allowed(self, allowed: bool) -> None:
        # The server answers as another machine from now on: the box goes on naming it.
        if allowed and self._refused:
            self._server_remote = True
        self.changed.emit()

    def _address(self) -> tuple[QWidget, QWidget]:
        self.host = named(QLineEdit(default_host()), "Server address")
        self.host.textChanged.connect(self._address_changed)
        self.host.returnPressed.connect(self.look)
        self.look_button = push_button("&Look for models", self.look)
        return labelled("Server:", self.host), row_of(self.host, self.look_button)

    def _permission(self) -> QWidget:
        self.allow = QCheckBox("&Send the reports' text to another machine (none is needed)")
        self.allow.setProperty("machines", "")
        self.allow.setEnabled(False)
        self.allow.toggled.connect(self._allowed)
        self.warning = plain_label(
            "Whoever runs that machine can read the reports. Make sure that this is allowed for your data."
        )
        self.warning.setEnabled(False)
        holder = QWidget()
        stacked(holder, self.allow, indented(self.warning)).setSpacing(GRID // 2)
        return holder

    def _fetching(self) -> tuple[QWidget, QWidget]:
        self.name = named(QLineEdit(placeholderText=_SUGGESTED), "Model to fetch")
        self.fetch_button = push_button("&Fetch", self.fetch)
        self.stop_button = push_button("Sto&p", self.stop)
        self.stop_button.setEnabled(False)
        return labelled("An&other model:", self.name), row_of(self.name, self.fetch_button, self.stop_button)


def _look(server: Server) -> Generator[Progress, None, _Found]:
    yield Progress(0, 0)
    try:
        client = server.connect()
        version, lines = list_models(client)
    except RemoteRefusedError:
        return _Found(refused=True)
    return _Found(f"{client.label} {version}".strip(), client.capabilities.fetches, tuple(lines))


def _fetch(server: Server, name: str) -> Generator[Progress, None, None]:
    yield Progress(0, 0)
    yield from pull_model(server.connect(), name)


def _cells(line: ModelLine) -> tuple[str, ...]:
    fits = f"on {line.remote}" if line.remote else f"{line.fits:,}" if line.fits else "no"
    return (
        line.name,
        size_in_words(line.size),
        line.parameters,
        f"{line.context:,}" if line.context else "?",
        fits,
    )
