"""The arguments that the commands of a study share, and those that a study brings itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.studies import STUDIES, study_named
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.cli.arguments import Parser
    from app.studies.study import Action, Option, Study

_OWN = "own_"
_ALL = "all"


def add_study(parser: Parser) -> Study | None:
    """Add STUDY; the study that the call names, if any."""
    parser.add_argument("study", metavar="STUDY", help="the study, as casespan study list names it")
    named = next((word for word in parser.given if word in STUDIES), None)
    return study_named(named) if named is not None else None


def add_own(parser: Parser, study: Study | None, *actions: Action) -> None:
    """Add the study's tasks and its own options for these actions; after all else, whose place they take."""
    if study is None:
        return
    group = parser.add_argument_group(f"options of {study.id}")
    if len(study.tasks) > 1:
        group.add_argument(
            "--task",
            dest="tasks",
            action="append",
            choices=(*study.tasks, _ALL),
            help="only this task (may be repeated; default: all)",
        )
    parser.conflict_handler = group.conflict_handler = "resolve"
    for option in dict.fromkeys(option for action in actions for option in study.options_of(action)):
        # What takes the place of an option that every study has leaves that at its default.
        replaced = parser._option_string_actions.get(f"--{option.name}")  # noqa: SLF001 (nothing public)
        _add(group, option)
        if replaced is not None:
            parser.set_defaults(**{replaced.dest: replaced.default})
    if "build" in actions:
        parser.epilog = f"Example: {parser.prog} study.casespan {study.id} {study.example}".rstrip()


def _add(group: argparse._ActionsContainer, option: Option) -> None:
    name, dest = f"--{option.name}", _OWN + option.key
    words = f" (default: {option.default})" if option.default not in (None, False, (), "") else ""
    if option.flag:
        group.add_argument(name, dest=dest, action="store_true", help=option.about)
        return
    group.add_argument(
        name,
        dest=dest,
        type=option.kind,
        choices=option.choices or None,
        action="append" if option.several else "store",
        required=option.required,
        default=None if option.several else option.default,
        metavar=None if option.choices else option.key.upper(),
        help=f"{option.about}{' (may be repeated)' if option.several else words}".replace("%", "%%"),
    )


def study_of(options: argparse.Namespace) -> Study:
    """The study that the call names; raises UnknownNameError."""
    return study_named(options.study)


def tasks_of(options: argparse.Namespace) -> tuple[str, ...]:
    """The tasks that the call is narrowed to, none for all."""
    named = tuple(getattr(options, "tasks", None) or ())
    return () if _ALL in named else named


def settings_of(options: argparse.Namespace, study: Study, *actions: Action) -> dict[str, Any]:
    """What the study's own options say, every one of them."""
    settings: dict[str, Any] = {}
    for action in actions:
        for option in study.options_of(action):
            value = getattr(options, _OWN + option.key, option.default)
            if option.several:
                value = tuple(value) if value else tuple(option.default or ())
            if option.least is not None and value is not None and value < option.least:
                raise CallError(f"--{option.name} is {value}; {option.least} is the least.")
            settings[option.key] = value
    return settings


def add_labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--label",
        dest="labels",
        action="append",
        metavar="L=V",
        help="only items with this value of a label (may be repeated; of one label any value will do)",
    )


def labels_of(options: argparse.Namespace) -> dict[str, list[str]]:
    """The labels that the call is narrowed to; raises CallError."""
    found: dict[str, list[str]] = {}
    for given in options.labels or ():
        label, equals, value = given.partition("=")
        if not equals or not label:
            raise CallError(f"{given!r} is not LABEL=VALUE, such as task=t4.")
        found.setdefault(label, []).append(value)
    return found


def arm_of(options: argparse.Namespace, study: Study) -> str:
    """The arm that the call names, the study's first where it names none; raises CallError.

    Arms are ways to ask a model: a built-in method has none.
    """
    arm: str | None = getattr(options, "arm", None)
    if getattr(options, "method", None):
        if arm is not None:
            raise CallError("--arm is a way to ask a model; a built-in method does without it.")
        return ""
    if arm is None:
        return study.arms[0] if study.arms else ""
    if arm not in study.arms:
        known = f"choose one of {', '.join(study.arms)}" if study.arms else "it has none"
        raise CallError(f"{study.id} has no arm {arm!r}; {known}.")
    return arm
