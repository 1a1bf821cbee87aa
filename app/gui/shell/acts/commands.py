"""Every command of the window as data: its words, its keys, its menu."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from app.gui.modes import ANNOTATE, MODES
from app.gui.modes.command import Command, Menu

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


_project, _edit, _report = Menu("Project", needs="project"), Menu("Edit"), Menu("Report")
_span, _view, _help = Menu("Span", "text"), Menu("View"), Menu("Help", needs="nothing")
# Where digits and the full stop need Shift (AZERTY), the signs of the same keys do as well.
_COMMANDS: tuple[Command, ...] = (
    _project("new", "&New project…", ("Ctrl+N",), needs="nothing"),
    _project("open", "&Open project…", ("Ctrl+O",), needs="nothing"),
    _project("sample", "Open the &sample project", needs="nothing"),
    _project("corpus", "Search a corp&us…", needs="nothing"),
    _project("terminologies", "Terminologies…", needs="nothing"),
    _project("import", "&Import reports…", ("Ctrl+I",)),
    _project("paste", "&Paste as a report…", ("Ctrl+Shift+V",)),
    _project("extract", "E&xtract with rules or a model…", ("Ctrl+E",)),
    _project(
        "order",
        "Rank terms with a mo&del…",
        about="The nearest terms of your spans that have none, in the order in which a model says they fit.",
    ),
    _project("runs", "&Runs of rules and models…", ("Ctrl+R",)),
    _project("rate", "Ra&te a run…"),
    _project(
        "amendments",
        "&Guideline amendments…",
        about="Clauses and examples added to the guidelines, and the reports annotated before.",
    ),
    _project(
        "bias",
        "Automation &bias…",
        about="How much was done blind, and how a run's suggestions influence an annotator.",
    ),
    _project(
        "labels",
        "&Labels of other programs…",
        about="Labels that imported annotations came with, and which categories they stand for.",
    ),
    _project("export", "&Export annotations…", ("Ctrl+Shift+E",)),
    _project("copy", "Sa&ve a copy…"),
    _project("restore", "Restore a cop&y…", about="Copies of the project as it was are kept without asking."),
    _project(
        "packets",
        "Make pac&kets for annotators…",
        about="A project file for each annotator, with reports and guidelines and nobody else's work.",
    ),
    _project(
        "merge",
        "Merge ot&her copies…",
        about="Takes in what was done in packets and copies; undo takes all of it back.",
    ),
    _project(
        "encrypt",
        "Encrypt the &file, or change the passphrase…",
        about="Nobody opens the project, or a copy of it, without a passphrase.",
    ),
    _project(
        "decrypt",
        "Re&move the encryption…",
        about="The project and the copies beside it open without a passphrase again. For encrypted projects.",
        needs="encryption",
    ),
    _project(
        "lock",
        "Lock no&w",
        ("Ctrl+Shift+L",),
        about="Closes an encrypted project and forgets its key. Others have none.",
        needs="encryption",
    ),
    _project("annotator", "&Annotate as…"),
    _project("close", "&Close project", ("Ctrl+W",)),
    _project("quit", "&Quit", ("Ctrl+Q",), needs="nothing"),
    _edit("undo", "&Undo", ("Ctrl+Z",), needs="project"),
    _edit("redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), needs="project"),
    _edit(
        "history",
        "&History…",
        ("F9",),
        "All that was done in this project: go to it, or back before it.",
        needs="project",
    ),
    _edit("copy", "&Copy", ("Ctrl+C",), where="reader"),
    _edit("find", "&Find in the report…", ("Ctrl+F",)),
    _edit("find_next", "Find &next", ("F3", "Ctrl+G")),
    _edit("find_previous", "Find &previous", ("Shift+F3", "Ctrl+Shift+G")),
    _edit(
        "search",
        "Find in &all reports…",
        ("Ctrl+Shift+F",),
        "Words in texts, titles, your quotes and notes, and the names of categories.",
        needs="project",
    ),
    _edit(
        "spans",
        "&Spans of all reports…",
        ("F7",),
        "Your spans as a list: sort, go there, relabel or delete several.",
        needs="project",
    ),
    _edit(
        "figures",
        "Fi&gures…",
        ("Shift+F7",),
        "Reports, spans, words and time, and what is unfinished.",
        needs="project",
    ),
    _report("search", "Search the &list of reports", ("Ctrl+L",), needs="project"),
    _report("done_next", "&Done, next report", ("Ctrl+Return", "Ctrl+Enter")),
    _report("park_next", "&Park, next report", ("Ctrl+P",)),
    _report("reopen", "Set &back to in progress"),
    _report("next", "&Next report", ("Alt+PgDown",)),
    _report("previous", "Pre&vious report", ("Alt+PgUp",)),
    _report("nothing", "Nothing found in the categor&y in use", ("0", "À"), where="text"),
    _report(
        "others",
        "Show &others' spans…",
        ("F8",),
        "Spans of models and other annotators; turning them on is recorded.",
    ),
    _report(
        "blinded",
        "Read the &case blinded…",
        ("Ctrl+B",),
        "Part by part and without its diagnosis, with a guess before each next part.",
    ),
    _report(
        "figure",
        "Open the fi&gure",
        ("F5",),
        "The figure that the text at the cursor speaks of, large; Escape comes back.",
    ),
    _report(
        "mention",
        "Next place of the fig&ure",
        ("Shift+F5",),
        "From a mention to the caption, from there to the next mention, and round.",
    ),
    _report("section", "&Section categories…", ("Ctrl+K",)),
    _report("rename", "&Rename the report…"),
    _report(
        "print",
        "Pr&int the report…",
        ("Ctrl+Shift+P",),
        "With your spans, their codes and a list of them, as a PDF has it.",
    ),
    _report("delete", "D&elete the report…", about="With all that is about it; undo brings all of it back."),
    _span("again", "L&abel with the category in use", ("A",)),
    _span("widen", "Widen t&he selection: word, sentence, paragraph, section", ("Space",)),
    _span("narrow", "Narrow the selection again", ("Shift+Space",)),
    _span("next", "&Next span", (".", ";")),
    _span("previous", "Pre&vious span", (",",)),
    _span("accept", "Acc&ept and next span", ("Return", "Enter")),
    _span("end_on", "End one word &on", ("Alt+Right",)),
    _span("end_back", "End one word ba&ck", ("Alt+Left",)),
    _span("start_back", "Start one word bac&k", ("Alt+Shift+Left",)),
    _span("start_on", "Start one word on", ("Alt+Shift+Right",)),
    _span("present", "&Present", ("1", "&")),
    _span("negated", "Ne&gated", ("2", "É")),
    _span("uncertain", "&Uncertain", ("3", '"')),
    _span("field", "&Field…", ("F", "F2")),
    _span(
        "concept",
        "Ter&m or concept…",
        ("F4",),
        "What the selection, the span or the word at the cursor stands for in a terminology.",
    ),
    _span("note", "No&te…", ("T",)),
    _span("repair", "Repa&ir as the check suggests", ("X",)),
    _span("same", "&Same words elsewhere…", ("S",)),
    _span("remove", "&Delete", ("Del", "Backspace")),
    _span(
        "characters",
        "Select by characters, not &words",
        ("W",),
        "Spans are widened to whole words, unless this is on.",
        checkable=True,
    ),
    _span(
        "two_clicks",
        "Select &by two clicks",
        ("B",),
        "One click sets the start, the next one the end.",
        checkable=True,
    ),
    *_of_modes(),
    _view("larger", "&Larger text", ("Ctrl++", "Ctrl+="), needs="nothing"),
    _view("smaller", "&Smaller text", ("Ctrl+-",), needs="nothing"),
    _view("normal", "&Normal text size", ("Ctrl+0",), needs="nothing"),
    _view("hide", "&Hide or show the category in use", ("Ctrl+H",)),
    _view("show_all", "Show &all categories", ("Ctrl+Shift+H",)),
    _view(
        "lists",
        "Hide or show the lists at the le&ft",
        ("Ctrl+Shift+O",),
        "Where letters are large for the window, they are hidden by themselves.",
    ),
    _view("next_pane", "Next &pane", ("F6",), needs="project"),
    _view("previous_pane", "Pre&vious pane", ("Shift+F6",), needs="project"),
    _view("text", "Bac&k to the text", ("Ctrl+T",)),
    _view("messages", "&Messages…", ("F12",), "All that was said.", needs="project"),
    _help("guide", "&Guide", ("F1",), "The page about what is on the screen; in a dialog, about that."),
    _help("tour", "Two-minute &tour", about="Escape leaves it."),
    _help("keys", "&Keys…", ("Shift+F1",)),
    _help("about", "&About Casespan"),
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
    if platform != "darwin":
        return _COMMANDS
    return tuple(command._replace(keys=_ON_MACOS.get(command.id, command.keys)) for command in _COMMANDS)


COMMANDS = commands_on(sys.platform)
_PLACES = {command.id: place for place, command in enumerate(COMMANDS)}


def category_commands(scheme: Scheme) -> tuple[Command, ...]:
    """Two commands for each category: its key labels, Shift and its key relabels the current span."""
    commands = []
    for category in scheme.categories:
        key = category.shortcut.upper()
        about = f"Label the selection, the word at the cursor, or the current span as well: {category.name}."
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
        command if command.keys == own else command._replace(keys=own)
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
