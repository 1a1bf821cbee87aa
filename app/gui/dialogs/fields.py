"""Settings as forms: a frozen dataclass says what is asked for and how, `Form` draws it and reads it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.forms import GRID, FormDialog, Role, fold, plain_label
from app.gui.session.jobs import Steps, start_apart
from app.gui.widgets.boxes import field_rows, labelled, lines_high, push_button, row_of, stacked
from app.gui.widgets.drop_down import DecimalBox, DropDown, Entry, NumberBox
from app.gui.widgets.flow import TwoColumns
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from extractors.model.progress import Progress

Settings = TypeVar("Settings", bound="DataclassInstance")
Widget = TypeVar("Widget", bound=QWidget)
Value = TypeVar("Value")
# Words, value, and the help of a box.
Choices = Sequence[Entry]
ASK = "ask"


@dataclass(frozen=True, slots=True)
class Ask:
    """How a value is asked for: by which kind of field, under which words (an "&" before its key).

    `name` is for screen readers where the words alone would not do, `below` a sentence below the field, or
    one for each value; what is `advanced` is folded away. `choices` are of a list, a group or several boxes,
    with a third word for the help of each; `nothing` are the words for no number; `choose` opens a dialog by
    `button`, and `hint` stands in a field that is empty.
    """

    kind: Callable[[Ask], Box]
    label: str
    name: str = ""
    help: str = ""
    below: str | Mapping[str, str] = ""
    advanced: bool = False
    choices: Choices = ()
    letters: int = 24
    lines: int = 3
    least: float = 0
    most: float = 2**31 - 1
    step: float = 1
    suffix: str = ""
    nothing: str = ""
    hint: str = ""
    button: str = ""
    choose: Callable[[QLineEdit], object] | None = None

    @property
    def accessible_name(self) -> str:
        """What a screen reader says of the field."""
        return self.name or self.label.replace("&", "").rstrip(":")


@dataclass(frozen=True, slots=True)
class Box:
    """A field on screen: the widget that has the focus, how its value is read and put, what tells of changes.

    `whole` is what is laid out where that is more; `offer` puts other choices in.
    """

    widget: QWidget
    get: Callable[[], object]
    put: Callable[[Any], object]
    changed: Sequence[SignalInstance]
    whole: QWidget
    has_words: bool = False
    offer: Callable[[Choices], None] | None = None


def asked(default: Value, ask: Ask) -> Value:
    """A field of a dataclass that a form shows."""
    return field(default=default, metadata={ASK: ask})


class Form(QWidget, Generic[Settings]):
    """Draws settings; `value` has them as they stand, `changed` follows whatever is changed in them."""

    changed = Signal()

    def __init__(
        self, settings: Settings, now: Mapping[str, Mapping[str, object]] | None = None, *, folded: str = ""
    ) -> None:
        """`now` is what only now can be said of fields, as their `choices`; `folded` heads the advanced."""
        super().__init__()
        self._settings = settings
        self._boxes: dict[str, Box] = {}
        self._below: dict[str, QLabel] = {}
        asks = {one.name: one.metadata[ASK] for one in fields(settings) if ASK in one.metadata}
        self._asks = {name: replace(ask, **(now or {}).get(name, {})) for name, ask in asks.items()}
        whole = stacked(self)
        self._form = self._drawn(advanced=False)
        whole.addLayout(self._form)
        if any(ask.advanced for ask in self._asks.values()):
            holder = QWidget()
            holder.setLayout(self._drawn(advanced=True))
            self.fold = fold(folded or "Ad&vanced", holder)
            whole.addWidget(self.fold)
            whole.addWidget(holder)
        for name, box in self._boxes.items():
            box.put(getattr(settings, name))
            for signal in box.changed:
                signal.connect(self._follow)
        self._explain()

    @property
    def value(self) -> Settings:
        return replace(self._settings, **{name: box.get() for name, box in self._boxes.items()})

    def put(self, **values: object) -> None:
        for name, value in values.items():
            self._boxes[name].put(value)

    def box(self, name: str, kind: type[Widget]) -> Widget:
        """The widget of a field; raises TypeError where it is of another kind."""
        widget = self._boxes[name].widget
        if not isinstance(widget, kind):
            raise TypeError(f"{name} is no {kind.__name__}")
        return widget

    def offer(self, name: str, choices: Choices, chosen: object = None) -> None:
        """Put other choices into a field without a word about it; the first where that one is gone."""
        box = self._boxes[name]
        box.widget.blockSignals(True)
        if box.offer is not None:
            box.offer(choices)
        if choices:
            box.put(chosen if chosen in [one[1] for one in choices] else choices[0][1])
        box.widget.blockSignals(False)
        self._explain()

    def insert(self, place: int, widget: QWidget) -> None:
        self._form.insertRow(place, widget)

    def show_field(self, name: str, shown: bool) -> None:
        below = self._below.get(name)
        for part in filter(None, (self._boxes[name].whole, below)):
            self._form.setRowVisible(part, shown)

    def is_shown(self, name: str) -> bool:
        return not self._boxes[name].widget.isHidden()

    def show_below(self, name: str, sentence: str) -> None:
        self._below[name].setText(sentence)

    def below(self, name: str) -> str:
        return self._below[name].text()

    # Inside

    def _drawn(self, *, advanced: bool) -> QFormLayout:
        form = field_rows()
        # As far in as the words of the button that folds them out.
        form.setContentsMargins(3 * GRID if advanced else 0, 0, 0, 0)
        for name, ask in self._asks.items():
            if ask.advanced != advanced:
                continue
            box = self._boxes[name] = ask.kind(ask)
            box.widget.setAccessibleName(ask.accessible_name)
            if ask.help:
                explain(box.widget, ask.help)
            if box.has_words or not ask.label:
                form.addRow(box.whole)
            else:
                form.addRow(labelled(ask.label, box.widget), box.whole)
            if ask.below or isinstance(ask.below, Mapping):
                words = ask.below if isinstance(ask.below, str) else None
                # What is said may change with the value; what stands below does not move.
                below = self._below[name] = plain_label(words or "", lines=2 * (words is None), top=True)
                form.addRow("", below)
        return form

    def _follow(self) -> None:
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        for name, ask in self._asks.items():
            if isinstance(ask.below, Mapping) and ask.below:
                words = ask.below.get(str(self._boxes[name].get()), "")
                self.show_below(name, words)
                self._boxes[name].widget.setAccessibleDescription(words)


class SettingsDialog(FormDialog, Generic[Settings]):
    """A form with one button that acts; where something is wrong it says so, and cannot be pressed."""

    def __init__(
        self,
        title: str,
        settings: Settings,
        act: str,
        parent: QWidget | None = None,
        now: Mapping[str, Mapping[str, object]] | None = None,
    ) -> None:
        """`now` is for the `Form`."""
        super().__init__(title, parent)
        self._at_work = False
        self.form = Form(settings, now)
        self.body.addWidget(self.form)
        self.ok_button = self.add_button(act, Role.AcceptRole, self.act, default=True)
        self.add_cancel()
        self.form.changed.connect(self.check)

    def showEvent(self, event: QShowEvent) -> None:
        """Fields begin below each other, whichever part of the dialog they are of."""
        labels = [one for form in self.findChildren(QFormLayout) for one in _labels(form)]
        wide = max((inset + label.sizeHint().width() for inset, label in labels), default=0)
        for inset, label in labels:
            label.setMinimumWidth(wide - inset)
        super().showEvent(event)

    def problem(self) -> str:
        """Why nothing can be done with what is there, in a sentence; "" where it can."""
        return ""

    def check(self) -> None:
        try:
            problem = self.problem()
        except (OSError, RuntimeError) as error:  # a path too long, or in the home of nobody
            problem = f"That path cannot be used: {getattr(error, 'strerror', '') or error}".rstrip(".") + "."
        self.say(problem)
        self.ok_button.setEnabled(not (problem or self._at_work))

    def act(self) -> None:
        self.accept()

    def act_apart(self, title: str, steps: Callable[[], Steps], then: Callable[..., object]) -> None:
        """Do it apart from the window, and say how far it is; then call a method, or `end` says why not."""
        self._at_work = True
        self.check()
        job = start_apart(title, steps, QCoreApplication.instance())
        job.progressed.connect(self._show_progress)
        job.done.connect(then)
        job.failed.connect(self.end)
        job.ended.connect(job.deleteLater)

    def end(self, sentence: str) -> None:
        """The work is over, and this is said of it."""
        self._at_work = False
        self.check()
        self.say(sentence)

    def _show_progress(self, progress: Progress) -> None:
        if progress.total:
            self.say(f"{progress.done:,} of {progress.total:,} {progress.note}")


def _labels(form: QFormLayout) -> list[tuple[int, QLabel]]:
    """The words before fields, and how far in they begin."""
    inset = form.contentsMargins().left()
    items = (form.itemAt(row, QFormLayout.ItemRole.LabelRole) for row in range(form.rowCount()))
    labels = (item.widget() for item in items if item is not None)
    return [(inset, label) for label in labels if isinstance(label, QLabel) and label.text()]


# The kinds of fields


def line(ask: Ask) -> Box:
    """Some words, or the path of a file that can be chosen in a dialog as well."""
    edit = QLineEdit(placeholderText=ask.hint, clearButtonEnabled=bool(ask.hint))
    whole: QWidget = edit
    if ask.button:
        button = push_button(ask.button, lambda: ask.choose(edit) if ask.choose else None)
        button.setAccessibleName(f"Choose: {ask.accessible_name}")
        whole = row_of(edit, button)
    return Box(edit, lambda: edit.text().strip(), edit.setText, [edit.textChanged], whole)


def secret(ask: Ask) -> Box:
    """Words that nobody reads over a shoulder, every blank of them meant."""
    edit = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
    return Box(edit, edit.text, edit.setText, [edit.textChanged], edit)


def text(ask: Ask) -> Box:
    """Words that may take several lines."""
    edit = QPlainTextEdit(tabChangesFocus=True)
    edit.setFixedHeight(lines_high(edit, ask.lines) + GRID)
    return Box(edit, edit.toPlainText, edit.setPlainText, [edit.textChanged], edit)


def choice(ask: Ask) -> Box:
    """One of a list that drops down."""
    box = DropDown(ask.accessible_name, ask.letters)

    def put(value: object) -> None:
        box.setCurrentIndex(box.findData(value))

    box.fill(ask.choices)
    return Box(box, box.currentData, put, [box.currentIndexChanged], box, offer=box.fill)


def radio(ask: Ask) -> Box:
    """One of few, all in sight under a heading."""
    group = QGroupBox(ask.label)
    layout = QVBoxLayout(group)
    layout.setSpacing(GRID // 2)
    buttons = {one[1]: QRadioButton(one[0]) for one in ask.choices}
    for button, (_, _, *about) in zip(buttons.values(), ask.choices, strict=True):
        explain(button, "".join(about))
        layout.addWidget(button)

    def get() -> object:
        return next((value for value, button in buttons.items() if button.isChecked()), None)

    def put(value: object) -> None:
        buttons[value].setChecked(True)

    return Box(group, get, put, [one.toggled for one in buttons.values()], group, has_words=True)


def number(ask: Ask) -> Box:
    """A whole number, or none where there are words for that."""
    box = NumberBox()
    box.setGroupSeparatorShown(bool(ask.nothing))
    box.setRange(int(ask.least) - bool(ask.nothing), int(ask.most))
    box.setSingleStep(int(ask.step))
    box.setSpecialValueText(ask.nothing)
    box.setSuffix(ask.suffix)

    def get() -> int | None:
        return None if ask.nothing and box.value() == box.minimum() else box.value()

    def put(value: int | None) -> None:
        box.setValue(box.minimum() if value is None else value)

    return Box(box, get, put, [box.valueChanged], box)


def decimal(ask: Ask) -> Box:
    """A number with decimals."""
    box = DecimalBox()
    box.setRange(ask.least, ask.most)
    box.setSingleStep(ask.step)
    return Box(box, box.value, box.setValue, [box.valueChanged], box)


def tick(ask: Ask) -> Box:
    """Yes or no."""
    box = QCheckBox(ask.label)
    return Box(box, box.isChecked, box.setChecked, [box.toggled], box, has_words=True)


def ticks(ask: Ask) -> Box:
    """Any of several."""
    holder = TwoColumns()
    boxes: dict[object, QCheckBox] = {}
    for words, value, *about in ask.choices:
        box = boxes[value] = QCheckBox(words)
        explain(box, "".join(about))
        holder.add(box)

    def put(values: Sequence[object]) -> None:
        for value, box in boxes.items():
            box.setChecked(value in values)

    def get() -> tuple[object, ...]:
        return tuple(value for value, box in boxes.items() if box.isChecked())

    return Box(holder, get, put, [box.toggled for box in boxes.values()], holder)
