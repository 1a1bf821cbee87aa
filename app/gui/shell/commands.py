"""Every command of the window as data: its words, its keys, its menu."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.gui.modes import ANNOTATE, MODES
from app.gui.modes.command import Command

if TYPE_CHECKING:
    from extractors.model.scheme import Scheme

# The menus of the bar, each opened by Alt and its first letter; Label and Relabel are menus of Span's, those
# of the modes are menus of Mode's.
MENUS: tuple[str, ...] = ("Project", "Edit", "Report", "Span", "Mode", "View", "Help")
MENU_ORDER: tuple[str, ...] = (
    *MENUS[:4],
    "Label",
    "Relabel",
    "Mode",
    *(spec.menu for spec in MODES.values()),
    *MENUS[5:],
    "",
)


def _of_modes() -> Iterator[Command]:
    """The way into each mode, then what can be done in each."""
    for spec in (ANNOTATE, *MODES.values()):
        yield Command(
            f"mode.{spec.id}", spec.label, (spec.key,), "Mode", "window", spec.about, True, "project"
        )
    for spec in MODES.values():
        yield from spec.commands


# Where digits and the full stop need Shift (AZERTY), the signs of the same keys do as well.
_COMMANDS: tuple[Command, ...] = (
    Command("project.new", "&New project…", ("Ctrl+N",), "Project", needs="nothing"),
    Command("project.open", "&Open project…", ("Ctrl+O",), "Project", needs="nothing"),
    Command("project.sample", "Open the &sample project", (), "Project", needs="nothing"),
    Command("project.import", "&Import reports…", ("Ctrl+I",), "Project", needs="project"),
    Command("project.paste", "&Paste as a report…", ("Ctrl+Shift+V",), "Project", needs="project"),
    Command("project.extract", "E&xtract with rules or a model…", ("Ctrl+E",), "Project", needs="project"),
    Command("project.runs", "&Runs…", ("Ctrl+R",), "Project", needs="project"),
    Command("project.rate", "Ra&te an output…", (), "Project", needs="project"),
    Command(
        "project.amendments",
        "&Guideline amendments…",
        (),
        "Project",
        about="Clauses and examples added to the guidelines, and the reports annotated before.",
        needs="project",
    ),
    Command(
        "project.bias",
        "Automation &bias…",
        (),
        "Project",
        about="How much was done blind, and how a run's suggestions influence an annotator.",
        needs="project",
    ),
    Command(
        "project.labels",
        "&Labels of other programs…",
        (),
        "Project",
        about="Labels that imported annotations came with, and which categories they stand for.",
        needs="project",
    ),
    Command("project.export", "&Export annotations…", ("Ctrl+Shift+E",), "Project", needs="project"),
    Command("project.copy", "Sa&ve a copy…", (), "Project", needs="project"),
    Command(
        "project.restore",
        "Go back to a cop&y…",
        (),
        "Project",
        about="Copies of the project as it was are kept without asking.",
        needs="project",
    ),
    Command(
        "project.packets",
        "Cut pac&kets for annotators…",
        (),
        "Project",
        about="A project file for each annotator, with reports and guidelines and nobody else's work.",
        needs="project",
    ),
    Command(
        "project.merge",
        "Bring copies toget&her…",
        (),
        "Project",
        about="Takes in what was done in packets and copies; undo takes all of it back.",
        needs="project",
    ),
    Command(
        "project.encrypt",
        "Encrypt the &file, or change the passphrase…",
        (),
        "Project",
        about="Nobody opens the project, or a copy of it, without a passphrase.",
        needs="project",
    ),
    Command(
        "project.decrypt",
        "Re&move the encryption…",
        (),
        "Project",
        about="The project and the copies beside it open without a passphrase again.",
        needs="project",
    ),
    Command(
        "project.lock",
        "Lock no&w",
        ("Ctrl+Shift+L",),
        "Project",
        about="Closes an encrypted project and forgets its key.",
        needs="project",
    ),
    Command("project.annotator", "&Annotate as…", (), "Project", needs="project"),
    Command("project.close", "&Close project", ("Ctrl+W",), "Project", needs="project"),
    Command("project.quit", "&Quit", ("Ctrl+Q",), "Project", needs="nothing"),
    Command("edit.undo", "&Undo", ("Ctrl+Z",), "Edit", needs="project"),
    Command("edit.redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Edit", needs="project"),
    Command(
        "edit.history",
        "&History…",
        ("F9",),
        "Edit",
        about="All that was done in this project: go to it, or back before it.",
        needs="project",
    ),
    Command("edit.copy", "&Copy", ("Ctrl+C",), "Edit", "reader"),
    Command("edit.find", "&Find in the report…", ("Ctrl+F",), "Edit"),
    Command("edit.find_next", "Find &next", ("F3", "Ctrl+G"), "Edit"),
    Command("edit.find_previous", "Find &previous", ("Shift+F3", "Ctrl+Shift+G"), "Edit"),
    Command(
        "edit.search",
        "Find in &all reports…",
        ("Ctrl+Shift+F",),
        "Edit",
        about="Words in texts, titles, your quotes and notes, and the names of categories.",
        needs="project",
    ),
    Command(
        "edit.spans",
        "&Spans of all reports…",
        ("F7",),
        "Edit",
        about="Your spans as a list: sort, go there, relabel or delete several.",
        needs="project",
    ),
    Command(
        "edit.figures",
        "Fi&gures…",
        ("Shift+F7",),
        "Edit",
        about="Reports, spans, words and time, and what is unfinished.",
        needs="project",
    ),
    Command("report.search", "Search the &list of reports", ("Ctrl+L",), "Report", needs="project"),
    Command("report.done_next", "&Done, next report", ("Ctrl+Return", "Ctrl+Enter"), "Report"),
    Command("report.park_next", "&Park, next report", ("Ctrl+P",), "Report"),
    Command("report.reopen", "Set &back to in progress", (), "Report"),
    Command("report.next", "&Next report", ("Alt+PgDown",), "Report"),
    Command("report.previous", "Pre&vious report", ("Alt+PgUp",), "Report"),
    Command("report.nothing", "No&thing found in the category in use", ("0", "À"), "Report", "text"),
    Command(
        "report.others",
        "Show &others' spans…",
        ("F8",),
        "Report",
        about="Spans of models and other annotators; turning them on is recorded.",
    ),
    Command(
        "report.blinded",
        "Read the &case blinded…",
        ("Ctrl+B",),
        "Report",
        about="Part by part and without its diagnosis, with a guess before each next part.",
    ),
    Command(
        "report.figure",
        "Open the fi&gure",
        ("F5",),
        "Report",
        about="The figure that the text at the caret speaks of, large; Escape comes back.",
    ),
    Command(
        "report.mention",
        "Next place of the fig&ure",
        ("Shift+F5",),
        "Report",
        about="From a mention to the caption, from there to the next mention, and round.",
    ),
    Command("report.section", "&Section categories…", ("Ctrl+K",), "Report"),
    Command("report.rename", "&Rename the report…", (), "Report"),
    Command(
        "report.print",
        "Pr&int the report…",
        ("Ctrl+Shift+P",),
        "Report",
        about="With your spans, their codes and a list of them, as a PDF has it.",
    ),
    Command(
        "report.delete",
        "D&elete the report…",
        (),
        "Report",
        about="With all that is about it; undo brings all of it back.",
    ),
    Command("span.again", "Label with the categor&y in use", ("A",), "Span", "text"),
    Command(
        "span.widen", "&Widen the selection: word, sentence, paragraph, section", ("Space",), "Span", "text"
    ),
    Command("span.narrow", "Narrow t&he selection again", ("Shift+Space",), "Span", "text"),
    Command("span.next", "Ne&xt span", (".", ";"), "Span", "text"),
    Command("span.previous", "Pre&vious span", (",",), "Span", "text"),
    Command("span.accept", "&Accept and next span", ("Return", "Enter"), "Span", "text"),
    Command("span.end_on", "End one word &on", ("Alt+Right",), "Span", "text"),
    Command("span.end_back", "End one word &back", ("Alt+Left",), "Span", "text"),
    Command("span.start_back", "Start one word bac&k", ("Alt+Shift+Left",), "Span", "text"),
    Command("span.start_on", "S&tart one word on", ("Alt+Shift+Right",), "Span", "text"),
    Command("span.present", "&Present", ("1", "&"), "Span", "text"),
    Command("span.negated", "N&egated", ("2", "É"), "Span", "text"),
    Command("span.uncertain", "&Uncertain", ("3", '"'), "Span", "text"),
    Command("span.field", "&Field…", ("F", "F2"), "Span", "text"),
    Command(
        "span.concept",
        "Ter&m or concept…",
        ("F4",),
        "Span",
        "text",
        "What the selection, the span or the word at the caret stands for in a terminology.",
    ),
    Command("span.note", "&Note…", ("T",), "Span", "text"),
    Command("span.repair", "Repair as the check su&ggests", ("X",), "Span", "text"),
    Command("span.same", "&Same words elsewhere…", ("S",), "Span", "text"),
    Command("span.remove", "&Delete", ("Del", "Backspace"), "Span", "text"),
    Command(
        "span.characters",
        "Select by &characters, not words",
        ("W",),
        "Span",
        "text",
        "Spans are widened to whole words, unless this is on.",
        checkable=True,
    ),
    Command(
        "span.two_clicks",
        "Select by two cl&icks",
        ("B",),
        "Span",
        "text",
        "One click sets the start, the next one the end.",
        checkable=True,
    ),
    *_of_modes(),
    Command("view.larger", "&Larger text", ("Ctrl++", "Ctrl+="), "View", needs="nothing"),
    Command("view.smaller", "&Smaller text", ("Ctrl+-",), "View", needs="nothing"),
    Command("view.normal", "&Normal text size", ("Ctrl+0",), "View", needs="nothing"),
    Command("view.hide", "&Hide or show the category in use", ("Ctrl+H",), "View"),
    Command("view.show_all", "Show &all categories", ("Ctrl+Shift+H",), "View"),
    Command("view.next_pane", "Next &pane", ("F6",), "View", needs="project"),
    Command("view.previous_pane", "Pre&vious pane", ("Shift+F6",), "View", needs="project"),
    Command("view.text", "Bac&k to the text", ("Ctrl+T",), "View"),
    Command("view.messages", "&Messages…", ("F12",), "View", about="All that was said.", needs="project"),
    Command(
        "help.guide",
        "&Guide",
        ("F1",),
        "Help",
        about="The page about what is on the screen; in a dialog, about that.",
        needs="nothing",
    ),
    Command("help.tour", "&Tour of two minutes", (), "Help", about="Escape leaves it.", needs="nothing"),
    Command("help.keys", "&Keys…", ("Shift+F1",), "Help", needs="nothing"),
    Command("help.about", "&About Casespan", (), "Help", needs="nothing"),
)

# There Option and an arrow moves by words, Command and H hides the program, and F3 shows all windows.
_ON_MACOS: Mapping[str, tuple[str, ...]] = {
    "edit.find_next": ("Ctrl+G",),
    "edit.find_previous": ("Ctrl+Shift+G",),
    "span.end_on": ("Meta+Alt+Right",),
    "review.end_on": ("Meta+Alt+Right",),
    "span.end_back": ("Meta+Alt+Left",),
    "review.end_back": ("Meta+Alt+Left",),
    "span.start_back": ("Meta+Alt+Shift+Left",),
    "review.start_back": ("Meta+Alt+Shift+Left",),
    "span.start_on": ("Meta+Alt+Shift+Right",),
    "review.start_on": ("Meta+Alt+Shift+Right",),
    "view.hide": ("Meta+H",),
    "view.show_all": ("Meta+Shift+H",),
}


def commands_on(platform: str) -> tuple[Command, ...]:
    """The commands of every scheme with the keys they come with on a platform of sys.platform's names."""
    own = _ON_MACOS if platform == "darwin" else {}
    return tuple(replace(command, keys=own.get(command.id, command.keys)) for command in _COMMANDS)


COMMANDS = commands_on(sys.platform)
_PLACES = {command.id: place for place, command in enumerate(COMMANDS)}


def category_commands(scheme: Scheme) -> tuple[Command, ...]:
    """Two commands for each category: its key labels, Shift and its key relabels the current span."""
    commands = []
    for category in scheme.categories:
        key = category.shortcut.upper()
        about = f"Label the selection, the word at the caret, or the current span as well: {category.name}."
        commands.append(Command(f"label.{category.id}", category.name, (key,), "Label", "text", about))
    for category in scheme.categories:
        key = f"Shift+{category.shortcut.upper()}"
        about = f"Put the current span into {category.name}."
        commands.append(Command(f"relabel.{category.id}", category.name, (key,), "Relabel", "text", about))
    return tuple(commands)


def arranged(scheme: Scheme | None, keys: Mapping[str, str]) -> tuple[Command, ...]:
    """All commands, with those of the open project's scheme, and the keys that each has in the end."""
    return with_keys((*COMMANDS, *(category_commands(scheme) if scheme else ())), keys)


def with_keys(commands: Iterable[Command], keys: Mapping[str, str]) -> tuple[Command, ...]:
    """The commands with the keys that the user has chosen: one sequence by id, "" for none.

    No key does two things where both could act: of the commands that want it there, one for which the user
    chose it has it, else a category, else the first.
    """
    commands = tuple(commands)
    holders = _holders(commands, keys)
    given = (
        tuple(key for key in _wanted(command, keys) if holders[command.id, key] is command)
        for command in commands
    )
    return tuple(
        command if command.keys == own else replace(command, keys=own)
        for command, own in zip(commands, given, strict=True)
    )


def lost_keys(scheme: Scheme | None, keys: Mapping[str, str]) -> tuple[tuple[Command, str, Command], ...]:
    """Who goes without a wanted key in `arranged`: the command as arranged, the key, and who has it."""
    commands = (*COMMANDS, *(category_commands(scheme) if scheme else ()))
    holders = _holders(commands, keys)
    after = with_keys(commands, keys)
    return tuple(
        (left, key, holders[command.id, key])
        for command, left in zip(commands, after, strict=True)
        for key in _wanted(command, keys)
        if holders[command.id, key] is not command
    )


def meet(one: str, other: str) -> bool:
    """Whether the keys of two places can act at the same time, so that no key may be in both."""
    return one == other or not {"window", "reader"}.isdisjoint((one, other))


def in_menu_order(commands: Iterable[Command]) -> tuple[Command, ...]:
    """The commands as the menus list them, whatever the order in which they were made."""
    return tuple(
        sorted(
            commands,
            key=lambda command: (MENU_ORDER.index(command.menu), _PLACES.get(command.id, len(_PLACES))),
        )
    )


def _wanted(command: Command, keys: Mapping[str, str]) -> tuple[str, ...]:
    chosen = keys.get(command.id)
    return command.keys if chosen is None else tuple(filter(None, [chosen]))


def _holders(commands: Iterable[Command], keys: Mapping[str, str]) -> dict[tuple[str, str], Command]:
    """Who has a key where a command wants it, by the command's id and the key."""

    def rank(command: Command) -> int:
        if command.id in keys:
            return 0
        return 1 if command.menu in ("Label", "Relabel") else 2

    holders: dict[tuple[str, str], Command] = {}
    given: dict[str, list[Command]] = {}
    for command in sorted(commands, key=rank):
        for key in _wanted(command, keys):
            there = given.setdefault(key, [])
            holder = next((one for one in there if meet(one.where, command.where)), command)
            holders[command.id, key] = holder
            if holder is command:
                there.append(command)
    return holders
