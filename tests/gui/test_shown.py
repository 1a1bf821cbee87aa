"""What the window shows of one project, by mode and command, as `tests/data/outputs` has it.

`SHOWN=FILE pytest tests/gui/test_shown.py` writes that anew, and its words to a file: compare them with those
of the commit before, and keep what you meant to change alone.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.session.jobs import Job
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from tests.builders import lines
from tests.e2e.test_outputs import DATA, Flows, digest_of, fixed, write_given
from tests.gui.conftest import ME, open_in, shown
from tests.gui.lending import put_away
from tests.verbs import settle

KEPT = DATA / "shown.jsonl"
# They end the project, ask the system, a server or threads of their own, or take long for what others hold.
_NOT = re.compile(
    r"^project\.(quit|close|lock|new|open|sample|encrypt|decrypt|recent|corpus|extract|runs|order|terminologies"
    r"|export|copy)|^help\.about|^label\.[A-FI-Z]|^span\.concept|^report\.print|figure"
)
_CLOCK = re.compile(r"\b\d\d:\d\d(:\d\d)?\b")
_ROWS, _ROUNDS = 12, 4
_CALLS = f"""new @p.casespan --annotator '{ME}'
import @p.casespan demo/reports/PMC99000003.xml @hard
import @p.casespan demo/annotations/annotator-1.json --format crb --annotator annotator-1
import @p.casespan @left.jsonl --annotator '{ME}'
import @p.casespan @right.jsonl --annotator right
extract @p.casespan --with rules
regions @p.casespan --document PMC42 --add f1 --box 2 2 30 20 --category DERM --annotator '{ME}'
review @p.casespan --run rules --annotator '{ME}' --document people --accept-same
study build @p.casespan mmrarebench --from demo/case/items.jsonl
study run @p.casespan mmrarebench --replay demo/case/invented-model.jsonl --name one""".splitlines()


def _cells(view: QAbstractItemView) -> Iterator[str]:
    """Headings and cells of a table, list or tree, its marks and hints."""
    model = view.model()
    if model is None:
        return
    across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole
    wide = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    heads = [str(model.headerData(at, across) or "") for at in range(wide)]
    yield f"{model.rowCount()} rows | {' | '.join(heads)}"
    todo = [(QModelIndex(), 0)]
    while todo:
        parent, depth = todo.pop(0)
        for row in range(min(_ROWS, model.rowCount(parent))):
            cells = [model.index(row, at, parent) for at in range(wide)]
            told = [str(one.data() or "") for one in cells]
            told += [
                str(said)
                for one in cells
                for said in (one.data(role.ToolTipRole), one.data(role.AccessibleTextRole))
                if said
            ]
            checked = "".join(
                str(one.data(role.CheckStateRole))[-9:]
                for one in cells
                if one.data(role.CheckStateRole) is not None
            )
            here = ">" if view.currentIndex().row() == row and view.currentIndex().parent() == parent else ""
            yield f"{here}{'  ' * depth}{' | '.join(told)}{checked}"
            if depth < 2:
                todo.append((cells[0], depth + 1))


def _said(part: QWidget) -> Iterator[str]:
    """What one part shows, in lines."""
    if isinstance(part, QAbstractItemView):
        yield from _cells(part)
    elif isinstance(part, QComboBox):
        yield f"[{part.currentText()}] of {', '.join(part.itemText(at) for at in range(part.count()))}"
    elif isinstance(part, (QPlainTextEdit, QTextEdit)):
        text = part.toPlainText()
        yield f"{text[:200]} ({len(text)})"
    elif isinstance(part, QSpinBox):
        yield part.text()
    elif isinstance(part, (QLabel, QAbstractButton, QLineEdit)):
        text = str(part.property("text"))
        marks = ("" if part.isEnabled() else "-") + ("x" if part.property("checked") else "")
        if text or isinstance(part, QLineEdit):
            yield f"{marks}{text}{f' ({part.placeholderText()})' if isinstance(part, QLineEdit) else ''}"


def seen(window: QWidget, folder: Path) -> Counter[str]:
    """All lines that there are to be read."""
    found: Counter[str] = Counter()
    for part in (window, *window.findChildren(QWidget)):
        if part.isVisible():
            name = type(part).__name__
            said = [*_said(part), *((f"({part.toolTip()})",) if part.toolTip() else ())]
            found.update(f"{name}: {line}".replace(str(folder), "@") for line in said)
    return found


def _on_top() -> QWidget | None:
    return QApplication.activeModalWidget() or QApplication.activePopupWidget()


class Walk:
    """A walk through the window, and what was new on it at each step."""

    def __init__(self, bench: Workbench, qtbot: QtBot, folder: Path) -> None:
        self.bench, self.qtbot, self.folder = bench, qtbot, folder
        self.window = bench.window()
        self.before: Counter[str] = Counter()
        self.told: dict[str, list[str]] = {}
        self.plain = Flows(folder).plain
        self.timer = QTimer(interval=1)
        self.timer.timeout.connect(self._dialog)
        self.timer.start()
        self.dialogs: list[str] = []
        self.answers = -1
        self.mode = ""

    def _dialog(self) -> None:
        """A dialog is read as soon as what it asked for is there, and put away."""
        found = _on_top()
        if found is None:
            self.answers = -1
        elif self.answers < 0:
            self.answers = 0
            self._ask()
        elif self.answers == _ROUNDS:
            if isinstance(found, QFileDialog):
                self.dialogs.append(f"{found.windowTitle()}: {found.nameFilters()}")
            else:
                self.dialogs += [found.windowTitle(), *seen(found, self.folder).elements()]
            self.answers = -1
            found.close()

    def _ask(self) -> None:
        self._hurry()
        self.bench.session.worker.ask(bool, self._answered)

    def _answered(self, _: bool) -> None:
        self.answers += 1
        if 0 < self.answers < _ROUNDS:
            self._ask()

    def _hurry(self) -> bool:
        """What waits for a moment does so no longer; whether there was any."""
        waiting = [one for one in self.window.findChildren(QTimer) if one.isActive() and one.isSingleShot()]
        for one in waiting:
            one.start(0)
        return bool(waiting)

    def settle(self) -> None:
        """Until all is there that comes of a command."""
        for _ in range(_ROUNDS):
            settle(self.bench.session.worker, self.qtbot)
            self.qtbot.waitUntil(lambda: _on_top() is None)
            self.qtbot.waitUntil(lambda: not any(one.running for one in self.window.findChildren(Job)))
            QApplication.processEvents()
            self._hurry()
            QApplication.processEvents()

    def step(self, name: str) -> None:
        """Write down what is new since the last."""
        self.settle()
        now = seen(self.window, self.folder)
        new, gone = now - self.before, self.before - now
        self.before = now
        found = [f"{line} x{count}" if count > 1 else line for line, count in new.items()]
        found += [f"- {line}" for line in gone] + [f"! {line}" for line in self.dialogs]
        self.told[f"{self.mode} {len(self.told)} {name}"] = sorted(
            _CLOCK.sub("*clock*", self.plain(line)) for line in found
        )
        self.dialogs = []

    def command(self, name: str) -> None:
        """Give a command, if it can be given."""
        if self.bench.actions_[name].isEnabled():
            self.bench.actions_[name].trigger()
            self.step(name)


def walk(window: MainWindow, qtbot: QtBot, folder: Path) -> dict[str, list[str]]:
    """Into every mode, and there each of its own commands; in the first one those of all."""
    bench = open_in(window, folder / "p.casespan", qtbot)
    bench.session.open_report("people")
    one = Walk(bench, qtbot, folder)
    for mode in ("annotate", "review", "agreement", "reconcile", "study"):
        one.mode = mode
        bench.frame.open_mode(mode)
        one.step("")
        own = "edit report span label view help project" if mode == "annotate" else mode
        for command in bench.actions_.commands():
            if command.id.split(".")[0] in own.split() and not _NOT.search(command.id):
                one.command(command.id)
    return one.told


@pytest.fixture
def told(qtbot: QtBot, tmp_path: Path) -> Iterator[dict[str, list[str]]]:
    with fixed(tmp_path):
        write_given(tmp_path)
        run = Flows(tmp_path)
        for call in _CALLS:
            run("", call)
        window = shown(qtbot)
        yield walk(window, qtbot, tmp_path)
        put_away(window)


def test_the_window_shows_at_every_command_what_it_showed(told: dict[str, list[str]]) -> None:
    now: dict[str, dict[str, str]] = {}
    for name, said in told.items():
        mode, _, step = name.partition(" ")
        now.setdefault(mode, {})[step] = f"{len(said)} {digest_of(chr(10).join(said))}"
    if out := os.environ.get("SHOWN"):
        Path(out).write_text("".join(f"\n## {one}\n" + "\n".join(told[one]) for one in told), "utf-8")
        lines(KEPT, *now.items())
    kept = dict(json.loads(line) for line in KEPT.read_text("utf-8").splitlines())
    changed = [
        f"{mode} {step}" for mode in now for step in now[mode] if now[mode][step] != kept[mode].get(step)
    ]
    assert not changed, "\n".join(f"{one}\n  " + "\n  ".join(told[one]) for one in changed[:3])
    assert now == kept
