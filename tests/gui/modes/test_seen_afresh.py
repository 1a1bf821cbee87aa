"""What the window shows after anything was done is what whoever opens the project then is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.review.mode import ReviewMode
from app.gui.shell.main_window import MainWindow
from app.operations.project.history import undoable_acts
from app.operations.project.opening import open_project
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.history import history
from app.store.reports.documents import document_summary
from extractors.model.coding import Coding
from extractors.model.finding import Finding
from tests.builders import Kept
from tests.gui.conftest import open_in, shown
from tests.gui.lending import until_shown
from tests.gui.modes.reconcile.conftest import ANA, TEXTS
from tests.gui.modes.test_open_menus import write_done
from tests.verbs import asked, settle

FIRST, SECOND, CATEGORY = "PMC1", "PMC2", "DERM"
# What there is to read of a part, by Qt's names.
_READ = ("text", "plainText", "currentText", "title", "checked", "value")
# How many answers one after the other lead to what is shown.
_ROUNDS = 3
_Everything = dict[str, object]


class Seen:
    """The window with a project, all that it shows, and the project opened anew."""

    def __init__(self, window: MainWindow, path: Path, qtbot: QtBot) -> None:
        self.window, self.path, self.qtbot = window, path, qtbot
        self.open()

    def open(self) -> None:
        self.bench = open_in(self.window, self.path, self.qtbot)
        self.session, self.reader = self.bench.session, self.bench.reader
        self.bench.actions_["edit.spans"].trigger()

    def settle(self) -> None:
        """Until all is answered, and shown."""
        settle(self.session.worker, self.qtbot, _ROUNDS)
        until_shown(self.bench, self.qtbot)

    def go_to(self, key: str, mode: str) -> None:
        """To the first thing in a report."""
        self.bench.frame.open_mode(mode)
        self.session.open_report(key)
        self.session.use_category(CATEGORY)
        there = self.bench.frame.mode
        if isinstance(there, ReviewMode):
            there.reviewing.choose(ANA)
        self.settle()
        if isinstance(there, ReconcileMode):
            if there.work.unseen:
                there.work.show_queue()
                self.settle()
            there.work.go_to(next(one for one in there.work.cursor.queue_places if one.item.report == key))
        self.reader.go_to(0)
        self.settle()

    def do(self, *commands: str, at: str = "") -> None:
        """Give commands, once the words are selected."""
        if at:
            start = self.reader.text().index(at)
            self.reader.setFocus()
            self.reader.select(start, start + len(at))
        for command in commands:
            action = self.window.actions_[command]
            assert action.isEnabled(), command
            action.trigger()
            settle(self.session.worker, self.qtbot, 1)

    def acts(self) -> int:
        """How many acts could be taken back."""
        entries = asked(self.session.worker, self.qtbot, history)
        return len(undoable_acts(entries))

    def in_each_mode(self, key: str) -> dict[str, _Everything]:
        """All that each mode shows of a report."""
        return {mode: self._all(key, mode) for mode in WORK}

    def _all(self, key: str, mode: str) -> _Everything:
        """What there is to read and to do, but for what was said last and when it was saved."""
        self.go_to(key, mode)
        seen: _Everything = {"spans": sorted(map(repr, self.reader.spans()))}
        status = self.bench.status
        for part in self.bench.findChildren(QWidget):
            passing = (
                part is status
                or status.isAncestorOf(part)
                or isinstance(part, QScrollBar)
                or isinstance(part.parent(), QLineEdit)
            )
            if part.isVisible() and not passing:
                name = f"{type(part.parent()).__name__} {type(part).__name__}"
                while name in seen:
                    name += "'"
                seen[name] = (
                    part.accessibleName(),
                    part.isEnabled(),
                    *map(part.property, _READ),
                    _rows(part),
                )
        for command in self.window.actions_.commands():
            action = self.window.actions_[command.id]
            # What could be done again is told for as long as the project is open.
            words = "" if command.id == "edit.redo" else action.text()
            seen[command.id] = (action.isEnabled(), action.isChecked(), words)
        return seen


def _rows(part: QWidget) -> object:
    model = part.model() if isinstance(part, QAbstractItemView) else None
    return _below(model, QModelIndex()) if model is not None else None


def _below(model: QAbstractItemModel, parent: QModelIndex) -> list[object]:
    wide = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    cells = [
        model.index(row, column, parent) for row in range(model.rowCount(parent)) for column in range(wide)
    ]
    return [(one.data(), one.data(Qt.ItemDataRole.CheckStateRole), _below(model, one)) for one in cells]


def annotate(seen: Seen) -> None:
    seen.do("span.negated", at="fever")
    seen.do("label.Neuro", at="girl")
    seen.do("label.GI", "relabel.GU", "span.uncertain", at="cough")
    seen.do("label.MSK", "span.remove", at="had")
    seen.do("label.MSK", at="six")
    seen.session.use_category(CATEGORY)
    seen.do("report.nothing", "report.park_next")


def review(seen: Seen) -> None:
    seen.do("review.accept", "review.reject", "review.edit", "review.negated", "review.take", "review.next")
    seen.do("review.previous", "review.edit")


def reconcile(seen: Seen) -> None:
    seen.do("reconcile.left", "reconcile.previous", "reconcile.slip", "reconcile.next", "reconcile.neither")
    seen.do("reconcile.whole", "reconcile.right", "mode.annotate", "mode.reconcile", "reconcile.edit")


def phenotypes(seen: Seen) -> None:
    seen.do("phenotypes.next", "phenotypes.accept", "phenotypes.previous", "phenotypes.negated")


WORK: dict[str, Callable[[Seen], None]] = {
    one.__name__: one for one in (annotate, review, reconcile, phenotypes)
}


def write_all(path: Path) -> None:
    """Reports that two have done, a span of one's own, and two terms that rules would suggest."""
    write_done(path)
    with open_project(path, write=True) as project, begin_act(project, "find phenotypes", "rules") as act:
        holder = ensure_annotator(act, "phenotypes/rules", "run").uuid
        terms = (
            (FIRST, "deaf", "HP:0000365", "Hearing impairment"),
            (SECOND, "cough", "HP:0012735", "Cough"),
        )
        for key, quote, code, name in terms:
            start = TEXTS[key].index(quote)
            found = Finding("", quote, start, start + len(quote))
            coding = Coding("HPO", "2026", code, name, "", "model")
            report = document_summary(project, key).uuid
            add_annotations(act, report, holder, [found], "model", concepts=[(coding,)], layer="phenotype")


@pytest.fixture
def seen(kept: Kept, tmp_path: Path, qtbot: QtBot, windows: list[MainWindow]) -> Seen:
    windows.append(shown(qtbot))
    return Seen(windows[0], kept.copy(write_all, tmp_path / "study.casespan"), qtbot)


Modes = dict[str, _Everything]


def differing(one: Modes, other: Modes) -> dict[str, tuple[object, object]]:
    """What is otherwise, by its name, so that it is read."""
    both = {mode: {**one[mode], **other[mode]} for mode in WORK}
    return {
        f"{mode}: {name}": (one[mode].get(name), other[mode].get(name))
        for mode in WORK
        for name in both[mode]
        if one[mode].get(name) != other[mode].get(name)
    }


def test_what_was_done_is_shown_as_if_opened_anew_and_undone_whole(seen: Seen) -> None:
    first, before = seen.in_each_mode(FIRST), seen.acts()
    for mode, work in WORK.items():
        seen.go_to(FIRST, mode)
        work(seen)
    number = seen.acts() - before
    # What one is at in one report is given up for another.
    done, beside = seen.in_each_mode(FIRST), seen.in_each_mode(SECOND)
    assert number > len(WORK)
    assert all(first[mode] != done[mode] for mode in WORK)
    seen.window.close_project()
    seen.open()
    assert differing(beside, seen.in_each_mode(SECOND)) == {}
    assert differing(done, seen.in_each_mode(FIRST)) == {}
    seen.do(*["edit.undo"] * number)
    assert differing(first, seen.in_each_mode(FIRST)) == {}
