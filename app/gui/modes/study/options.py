"""A study's own options as a form, and the dialog that builds its items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from app.gui.dialogs.fields import (
    ASK,
    Ask,
    Form,
    SettingsDialog,
    asked,
    choice,
    line,
    number,
    text,
    tick,
    ticks,
)
from app.gui.dialogs.files import ask_open, file_dialog
from app.gui.dialogs.forms import plain_label
from app.gui.dialogs.watching import busy_sentence
from app.gui.widgets.boxes import push_button, row_of
from app.gui.widgets.plain import caption
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.studies.study import Action, Option, Study

_EACH_ON_A_LINE = "One on each line."


class OwnOptions:
    """The form of some of a study's options, None where it has none of them."""

    def __init__(self, options: Sequence[Option]) -> None:
        self._options = tuple(options)
        self.form: Form[Any] | None = None
        if options:
            made = make_dataclass(
                "Own",
                [(one.key, object, field(default=_shown(one), metadata={ASK: _ask(one)})) for one in options],
                frozen=True,
            )
            self.form = Form(made(), folded="Fur&ther settings")

    def settings(self) -> dict[str, Any]:
        """What they say, by key; raises CallError for what cannot be read."""
        return {one.key: _read(one, getattr(self.form.value, one.key)) for one in self._options if self.form}

    def problem(self) -> str:
        """Why they cannot be used as they are, "" where they can."""
        try:
            values = self.settings()
        except CallError as error:
            return str(error)
        lacking = [_label(one) for one in self._options if one.required and values[one.key] in (None, "", ())]
        return f"Fill in “{lacking[0]}”." if lacking else ""


def settings_by_default(study: Study, action: Action) -> dict[str, Any]:
    """Every one of a study's own options for an action, as it is where nothing is said."""
    return {
        one.key: tuple(one.default or ()) if one.several else one.default for one in study.options_of(action)
    }


def _label(option: Option) -> str:
    return option.label or option.name[:1].upper() + option.name[1:].replace("-", " ")


def _ask(option: Option) -> Ask:
    return replace(_asked(option), advanced=option.seldom)


def _asked(option: Option) -> Ask:
    label, about = f"{caption(_label(option))}:", f"{option.about[:1].upper()}{option.about[1:]}."
    words = option.words or option.choices
    for shown, one in zip(words, option.choices, strict=True):
        about = about.replace(f"(default: {one})", f"(default: {shown})")
    choices = [(caption(given), one, "") for given, one in zip(words, option.choices, strict=True)]
    if option.flag:
        return Ask(tick, caption(_label(option)), help=about)
    if option.several and option.choices:
        return Ask(ticks, label, below=about, choices=choices)
    if option.several:
        return Ask(text, label, below=f"{about} {_EACH_ON_A_LINE}", lines=2)
    if option.choices:
        nothing = [] if option.default is not None or option.required else [("–", None)]
        return Ask(
            choice, label, below=about, choices=[*nothing, *((words, one) for words, one, _ in choices)]
        )
    if option.kind is int:
        least = 0 if option.least is None else option.least
        unset = "" if option.default is not None else "–"
        return Ask(number, label, below=about, nothing=unset, least=least)
    if option.kind is Path:
        return Ask(line, label, below=about, button="Choose…", choose=lambda edit: _choose(edit))
    return Ask(line, label, below=about)


def _choose(edit: QLineEdit) -> None:
    ask_open(edit.window(), "Choose a file", "study", edit.setText)


def _shown(option: Option) -> object:
    default = option.default
    if option.several:
        return tuple(default or ()) if option.choices else "\n".join(map(str, default or ()))
    if option.flag:
        return bool(default)
    if option.choices or option.kind is int:
        return default if default is not None or not option.required else (option.choices or (None,))[0]
    return "" if default is None else str(default)


def _read(option: Option, value: Any) -> Any:  # noqa: ANN401 (an option's value)
    if option.flag or value is None or (option.choices and option.several):
        return value
    if option.several:
        return tuple(_parsed(option, one.strip()) for one in value.split("\n") if one.strip())
    if value == "":
        return "" if option.default == "" else None
    return _parsed(option, value) if isinstance(value, str) else value


def _parsed(option: Option, words: str) -> Any:  # noqa: ANN401 (an option's value)
    try:
        return option.kind(words)
    except (ValueError, TypeError):
        raise CallError(f"{words!r} does not fit into “{_label(option)}”.") from None


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """Of what items are made, and with which seed."""

    sources: str = asked(
        "",
        Ask(
            text,
            "&From:",
            "Files and folders to build from",
            below="Files and folders, one on each line. Without any, it takes what comes with the study, "
            "or your own reports, where it can.",
        ),
    )
    tasks: tuple[str, ...] = asked((), Ask(ticks, "Tasks (none: all):", "Tasks"))
    seed: int = asked(1, Ask(number, "S&eed:"))


class BuildDialog(SettingsDialog[BuildSettings]):
    """What the items of a study are made of, with the study's own options."""

    guide = "study"

    def __init__(
        self,
        session: ProjectSession,
        study: Study,
        begin: Callable[[Sequence[Path], Mapping[str, Any], int, tuple[str, ...]], object],
        parent: QWidget | None = None,
    ) -> None:
        """`begin` is given paths, own settings, seed and tasks."""
        named = [(caption(study.called("task", one)), one, "") for one in study.tasks]
        title = f"Build the items of {study.title}"
        super().__init__(title, BuildSettings(), "&Build", parent, {"tasks": {"choices": named}})
        self._session, self._begin = session, begin
        self.form.show_field("tasks", len(study.tasks) > 1)
        self.form.insert(
            2,
            row_of(
                push_button("Add f&iles…", self._add_files), push_button("Add f&older…", self._add_folder)
            ),
        )
        self.own = OwnOptions(study.options_of("build"))
        self.body.insertWidget(0, plain_label(study.needed))
        if self.own.form is not None:
            self.body.addWidget(self.own.form)
            self.own.form.changed.connect(self.check)
        self.body.addStretch(1)
        session.worker.job_changed.connect(self.check)
        self.check()

    def problem(self) -> str:
        return busy_sentence(self._session) or self.own.problem()

    def act(self) -> None:
        wanted = self.form.value
        paths = [Path(one.strip()).expanduser() for one in wanted.sources.split("\n") if one.strip()]
        settings = self.own.settings()
        self.accept()
        self._begin(paths, settings, wanted.seed, wanted.tasks)

    def _add(self, name: str) -> None:
        there = self.form.value.sources.strip("\n")
        self.form.put(sources="\n".join(filter(None, (there, name))))

    def _add_folder(self) -> None:
        ask_open(self, "A folder to build from", "study", self._add, self._session.path, folder=True)

    def _add_files(self) -> None:
        dialog = file_dialog(self, "Files to build from", "study", self._session.path)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self._add("\n".join(names)))
        dialog.open()

    @property
    def sources(self) -> QPlainTextEdit:
        return self.form.box("sources", QPlainTextEdit)
