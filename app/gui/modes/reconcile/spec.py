"""The mode Reconcile as it is registered: the way into it, and its commands."""

from __future__ import annotations

from app.gui.modes.command import Menu
from app.gui.modes.mode import ModeSpec, made_by

_command = Menu("Reconcile", "reconcile")
_COMMANDS = (
    _command("left", "For the &left side", ("L",)),
    _command("right", "For the &right side", ("R",)),
    _command("both", "For &both", ("B",), "Keep the spans of both sides."),
    _command("merge", "&Merge", ("M",), "Make one span from the first character of both sides to the last."),
    _command("edit", "&Edit: another span…", ("E",), "Select the right span in the text."),
    _command("neither", "&Neither: nothing here", ("N",)),
    _command("ask", "&Ask again", ("A",), "It stays undecided."),
    _command(
        "whole",
        "&Whole category in this report",
        ("W",),
        "Decide on all undecided differences of the category in this report at once, or one by one again.",
    ),
    _command("next", "Ne&xt difference", (".", ";", "J")),
    _command("previous", "Pre&vious difference", (",", "K")),
    _command("next_open", "Next &undecided difference", ("U",)),
    _command("alike", "Others ali&ke…", ("Y",)),
    _command("guideline-gap", "Reason: guideline gap", ("1", "&")),
    _command("slip", "Reason: slip", ("2", "É")),
    _command("ambiguous-text", "Reason: ambiguous text", ("3", '"')),
    _command("model-error", "Reason: model error", ("4", "'")),
    _command("preference", "Reason: preference", ("5", "(")),
    _command("confidence", "How &sure", ("S",), "Sure, fairly sure, unsure."),
    _command("note", "No&te…", ("T",)),
    _command("clause", "&Clause of the guideline…", ("C",)),
    _command("amend", "&Guideline…", ("G",), "Draft an amendment from this decision."),
    _command("add", "Add another span", ("+",)),
    _command("record", "Go on, or record the edit", ("Return", "Enter")),
    _command("gold", "Build the g&old set", ("Shift+G",)),
    _command("corrections", "Corrections o&f…", ("Shift+C",)),
)


SPEC = ModeSpec(
    id="reconcile",
    label="Re&concile",
    key="Ctrl+4",
    about="Decide disagreements one by one, towards a gold set.",
    menu="Reconcile",
    menu_title="When rec&onciling",
    commands=_COMMANDS,
    make=made_by("reconcile.mode:ReconcileMode"),
)
