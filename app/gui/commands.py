"""Every command of the window as data: its words, its keys, its menu."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from extractors.scheme import Scheme

Where = Literal["window", "text"]
Menu = Literal["Project", "Edit", "Report", "Span", "Label", "Relabel", "View", "Help", ""]


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` are portable key sequences, the first one is shown; those of commands `where` "text" act while
    the report's text has the focus. `about` says what it does where the words are not enough."""

    id: str
    text: str
    keys: tuple[str, ...]
    menu: Menu
    where: Where = "window"
    about: str = ""
    checkable: bool = False
    needs: Literal["nothing", "project", "report"] = "report"


COMMANDS: tuple[Command, ...] = (
    Command("project.new", "&New project…", ("Ctrl+N",), "Project", needs="nothing"),
    Command("project.open", "&Open project…", ("Ctrl+O",), "Project", needs="nothing"),
    Command("project.sample", "Open the &sample project", (), "Project", needs="nothing"),
    Command("project.import", "&Import reports…", ("Ctrl+I",), "Project", needs="project"),
    Command("project.extract", "E&xtract with rules or a model…", ("Ctrl+E",), "Project", needs="project"),
    Command("project.runs", "&Runs…", ("Ctrl+R",), "Project", needs="project"),
    Command("project.export", "&Export annotations…", ("Ctrl+Shift+E",), "Project", needs="project"),
    Command("project.annotator", "&Annotate as…", (), "Project", needs="project"),
    Command("project.close", "&Close project", ("Ctrl+W",), "Project", needs="project"),
    Command("project.quit", "&Quit", ("Ctrl+Q",), "Project", needs="nothing"),
    Command("edit.undo", "&Undo", ("Ctrl+Z",), "Edit", needs="project"),
    Command("edit.redo", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Edit", needs="project"),
    Command("edit.copy", "&Copy", ("Ctrl+C",), "Edit", "text"),
    Command("edit.find", "&Find in the report…", ("Ctrl+F",), "Edit"),
    Command("edit.find_next", "Find &next", ("F3", "Ctrl+G"), "Edit"),
    Command("edit.find_previous", "Find &previous", ("Shift+F3", "Ctrl+Shift+G"), "Edit"),
    Command("edit.search", "&Search all reports", ("Ctrl+Shift+F",), "Edit", needs="project"),
    Command("report.done_next", "&Done, next report", ("Ctrl+Return", "Ctrl+Enter"), "Report"),
    Command("report.park_next", "&Park, next report", ("Ctrl+P",), "Report"),
    Command("report.reopen", "Set back to in &progress", (), "Report"),
    Command("report.next", "&Next report", ("Alt+PgDown",), "Report"),
    Command("report.previous", "Pre&vious report", ("Alt+PgUp",), "Report"),
    Command("report.nothing", "&Nothing found in the category in use", ("0",), "Report", "text"),
    Command(
        "report.others",
        "Show &others' spans…",
        ("F8",),
        "Report",
        about="Spans of models and other annotators; turning them on is recorded.",
    ),
    Command("report.section", "&Section categories…", ("Ctrl+K",), "Report"),
    Command("span.again", "Label with the category in &use", ("A",), "Span", "text"),
    Command(
        "span.widen", "&Widen the selection: word, sentence, paragraph, section", ("Space",), "Span", "text"
    ),
    Command("span.narrow", "Narro&w the selection again", ("Shift+Space",), "Span", "text"),
    Command("span.next", "&Next span", (".",), "Span", "text"),
    Command("span.previous", "&Previous span", (",",), "Span", "text"),
    Command("span.accept", "&Accept and next span", ("Return", "Enter"), "Span", "text"),
    Command("span.end_on", "End one word &on", ("Alt+Right",), "Span", "text"),
    Command("span.end_back", "End one word &back", ("Alt+Left",), "Span", "text"),
    Command("span.start_back", "Start one word bac&k", ("Alt+Shift+Left",), "Span", "text"),
    Command("span.start_on", "S&tart one word on", ("Alt+Shift+Right",), "Span", "text"),
    Command("span.present", "P&resent", ("1",), "Span", "text"),
    Command("span.negated", "N&egated", ("2",), "Span", "text"),
    Command("span.uncertain", "&Uncertain", ("3",), "Span", "text"),
    Command("span.field", "&Field…", ("F", "F2"), "Span", "text"),
    Command("span.note", "No&te…", ("T",), "Span", "text"),
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
        "Select by two clic&ks",
        ("B",),
        "Span",
        "text",
        "One click sets the start, the next one the end.",
        checkable=True,
    ),
    Command("view.larger", "&Larger text", ("Ctrl++", "Ctrl+="), "View", needs="nothing"),
    Command("view.smaller", "&Smaller text", ("Ctrl+-",), "View", needs="nothing"),
    Command("view.normal", "&Normal text size", ("Ctrl+0",), "View", needs="nothing"),
    Command("view.hide", "&Hide or show the category in use", ("Ctrl+H",), "View"),
    Command("view.show_all", "Show &all categories", ("Ctrl+Shift+H",), "View"),
    Command("view.next_pane", "Next &pane", ("F6",), "View", needs="project"),
    Command("view.previous_pane", "Pre&vious pane", ("Shift+F6",), "View", needs="project"),
    Command("view.text", "Back to the &text", ("Ctrl+T",), "View"),
    Command("help.keys", "&Keys…", ("F1",), "Help", needs="nothing"),
    Command("help.about", "&About Casespan", (), "Help", needs="nothing"),
)


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


def with_keys(commands: Iterable[Command], keys: Mapping[str, str]) -> tuple[Command, ...]:
    """The commands with the keys that the user has chosen: one sequence by id, "" for none.

    A key that was chosen for one command is taken from every other of the same place, so that no key does
    two things.
    """
    commands = tuple(commands)
    chosen = {command.id: keys[command.id] for command in commands if command.id in keys}
    taken = {key for key in chosen.values() if key}
    changed = []
    for command in commands:
        if command.id in chosen:
            own = tuple(filter(None, [chosen[command.id]]))
        else:
            own = tuple(key for key in command.keys if key not in taken)
        changed.append(replace(command, keys=own))
    return tuple(changed)


def clashes(commands: Iterable[Command]) -> dict[str, tuple[str, ...]]:
    """Keys that more than one command has, with the ids of these commands."""
    users: dict[str, list[str]] = {}
    for command in commands:
        for key in command.keys:
            users.setdefault(key, []).append(command.id)
    return {key: tuple(ids) for key, ids in users.items() if len(ids) > 1}
