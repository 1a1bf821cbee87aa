"""A form draws what a dataclass says, and gives it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Event
from typing import NoReturn

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDoubleSpinBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.dialogs.fields import (
    Ask,
    Form,
    SettingsDialog,
    asked,
    choice,
    decimal,
    line,
    number,
    radio,
    tick,
    ticks,
)
from app.gui.widgets.drop_down import DropDown
from extractors.model.errors import ProjectError

TWO = (("&One", "one"), ("T&wo", "two"))


@dataclass(frozen=True)
class Wanted:
    name: str = asked("Ann", Ask(line, "&Name:", below="On every page."))
    file: str = asked("", Ask(line, "&File:", "A file", button="&Choose…", hint="none"))
    side: str = asked("two", Ask(choice, "&Side:", choices=TWO, below={"one": "Just one.", "two": "Both."}))
    way: str = asked("one", Ask(radio, "Way", choices=(("&One", "one", "Only it."), TWO[1])))
    many: int | None = asked(None, Ask(number, "Ho&w many:", least=2, most=9, nothing="any"))
    heat: float = asked(0.5, Ask(decimal, "&Heat:", most=2, step=0.5, advanced=True))
    fast: bool = asked(True, Ask(tick, "Fas&t"))
    kinds: tuple[str, ...] = asked(
        ("b",), Ask(ticks, "Kinds:", choices=(("A", "a", "The first."), ("B", "b")))
    )
    kept: str = "not asked for"


def test_what_is_put_in_comes_out_and_each_change_is_told(qtbot: QtBot) -> None:
    form = Form(Wanted(kept="as it was"))
    qtbot.addWidget(form)
    assert form.value == Wanted(kept="as it was")
    told: list[Wanted] = []
    form.changed.connect(lambda: told.append(form.value))
    other = Wanted("Ben", "a.txt", "one", "two", 4, 1.0, False, ("a", "b"), "as it was")
    for name in ("name", "file", "side", "way", "many", "heat", "fast", "kinds"):
        told.clear()
        form.put(**{name: getattr(other, name)})
        assert told
        assert getattr(told[-1], name) == getattr(other, name)
    assert form.value == other
    form.put(many=None)
    assert form.value == replace(other, many=None)
    form.put(many=2)
    assert form.value.many == 2
    # The least is none only where there are words for that.
    assert number(Ask(number, "S&eed:")).get() == 0
    form.show()
    for shown in (False, True):
        form.show_field("name", shown)
        assert (form.is_shown("name"), form.is_shown("many")) == (shown, True)
        below = next(one for one in form.findChildren(QLabel) if one.text() == "On every page.")
        assert below.isVisible() == shown
    with pytest.raises(TypeError, match="name is no QSpinBox"):
        form.box("name", QSpinBox)


def test_fields_have_names_keys_help_and_sentences(qtbot: QtBot) -> None:
    chosen: list[QLineEdit] = []
    form = Form(Wanted(), {"file": {"choose": chosen.append}})
    qtbot.addWidget(form)
    form.show()
    names = {
        "name": ("Name", QLineEdit),
        "file": ("A file", QLineEdit),
        "side": ("Side", DropDown),
        "way": ("Way", QGroupBox),
        "many": ("How many", QSpinBox),
        "heat": ("Heat", QDoubleSpinBox),
        "fast": ("Fast", QCheckBox),
        "kinds": ("Kinds", QWidget),
    }
    for name, (said, kind) in names.items():
        assert form.box(name, kind).accessibleName() == said
    buddies = {label.buddy() for label in form.findChildren(QLabel) if "&" in label.text()}
    assert {form.box(name, QWidget) for name in ("name", "file", "side", "many", "heat")} <= buddies
    assert (form.below("name"), form.below("side")) == ("On every page.", "Both.")
    form.put(side="one")
    assert form.below("side") == form.box("side", DropDown).accessibleDescription() == "Just one."
    (button,) = [one for one in form.findChildren(QPushButton) if one.text() == "&Choose…"]
    button.click()
    assert chosen == [form.box("file", QLineEdit)]
    assert form.box("many", QSpinBox).text() == "any"
    assert not form.box("heat", QDoubleSpinBox).isVisible()
    form.fold.click()
    assert form.box("heat", QDoubleSpinBox).isVisible()
    (first, _) = form.box("kinds", QWidget).findChildren(QCheckBox)
    (one, _) = form.box("way", QWidget).findChildren(QRadioButton)
    assert (first.accessibleDescription(), one.accessibleDescription()) == ("The first.", "Only it.")


def test_other_choices_keep_the_one_that_is_still_there_and_say_nothing(qtbot: QtBot) -> None:
    form = Form(Wanted())
    qtbot.addWidget(form)
    told: list[bool] = []
    form.changed.connect(lambda: told.append(True))
    form.offer("side", (("Three", "three"), *TWO), "two")
    assert form.value.side == "two"
    form.offer("side", (("Three", "three"),), "two")
    assert (form.value.side, told) == ("three", [])


class Asking(SettingsDialog[Wanted]):
    def problem(self) -> str:
        return "" if self.form.value.name else "Give a name."


def test_a_dialog_acts_by_return_and_only_where_nothing_is_wrong(qtbot: QtBot) -> None:
    # It goes when it is accepted.
    dialog = Asking("Wanted", Wanted(), "&Take it")
    more = Form(
        replace(Wanted(), name="More"), {"name": {"label": "A name of more letters than those above:"}}
    )
    dialog.body.addWidget(more)
    # What scrolls down has room beside its bar.
    more.setMinimumSize(500, 4000)
    dialog.columns = 10
    dialog.open()
    # Fields begin below each other, whichever form they are of.
    QApplication.processEvents()
    (area,) = dialog.findChildren(QScrollArea)
    assert (area.verticalScrollBar().isVisible(), area.horizontalScrollBar().maximum()) == (True, 0)
    assert len({form.box("name", QLineEdit).mapTo(dialog, QPoint()).x() for form in (dialog.form, more)}) == 1
    dialog.form.put(name=" ")
    assert (dialog.notice.text(), dialog.ok_button.isEnabled()) == ("Give a name.", False)
    dialog.form.put(name="Cy")
    assert (dialog.notice.text(), dialog.ok_button.isEnabled()) == ("", True)
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog.form.box("name", QLineEdit), Qt.Key.Key_Return)


def test_what_is_done_apart_cannot_be_begun_twice_and_may_be_tried_again_where_it_fails(qtbot: QtBot) -> None:
    dialog = Asking("Wanted", Wanted(), "&Take it")
    qtbot.addWidget(dialog)
    went_on = Event()

    def fail() -> NoReturn:
        went_on.wait(10)
        raise ProjectError("It cannot be.")

    done: list[object] = []
    dialog.act_apart("Trying", fail, done.append)
    dialog.form.put(name="Dee")
    assert (dialog.ok_button.isEnabled(), dialog.notice.text()) == (False, "")
    went_on.set()
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    assert (dialog.notice.text(), done) == ("It cannot be.", [])
