"""The mode Reconcile as it is registered: the way into it, and its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.modes.command import Command
from app.gui.modes.mode import ModeSpec

if TYPE_CHECKING:
    from app.gui.modes.mode import Mode, ModeContext

_COMMANDS = (
    Command("reconcile.left", "For the &left side", ("L",), "Reconcile", "reconcile"),
    Command("reconcile.right", "For the &right side", ("R",), "Reconcile", "reconcile"),
    Command("reconcile.both", "For &both", ("B",), "Reconcile", "reconcile", "Keep the spans of both sides."),
    Command(
        "reconcile.merge",
        "&Merge",
        ("M",),
        "Reconcile",
        "reconcile",
        "Make one span from the first character of both sides to the last.",
    ),
    Command(
        "reconcile.edit",
        "&Edit: another span…",
        ("E",),
        "Reconcile",
        "reconcile",
        "Select the right span in the text.",
    ),
    Command("reconcile.neither", "&Neither: nothing here", ("N",), "Reconcile", "reconcile"),
    Command("reconcile.ask", "&Ask again", ("A",), "Reconcile", "reconcile", "It stays undecided."),
    Command(
        "reconcile.whole",
        "&Whole category in this report",
        ("W",),
        "Reconcile",
        "reconcile",
        "Decide on all undecided differences of the category in this report at once, or one by one again.",
    ),
    Command("reconcile.next", "Ne&xt difference", (".", ";", "J"), "Reconcile", "reconcile"),
    Command("reconcile.previous", "Pre&vious difference", (",", "K"), "Reconcile", "reconcile"),
    Command("reconcile.next_open", "Next &undecided difference", ("U",), "Reconcile", "reconcile"),
    Command("reconcile.alike", "Others ali&ke…", ("Y",), "Reconcile", "reconcile"),
    Command("reconcile.guideline-gap", "Reason: guideline gap", ("1", "&"), "Reconcile", "reconcile"),
    Command("reconcile.slip", "Reason: slip", ("2", "É"), "Reconcile", "reconcile"),
    Command("reconcile.ambiguous-text", "Reason: ambiguous text", ("3", '"'), "Reconcile", "reconcile"),
    Command("reconcile.model-error", "Reason: model error", ("4", "'"), "Reconcile", "reconcile"),
    Command("reconcile.preference", "Reason: preference", ("5", "("), "Reconcile", "reconcile"),
    Command(
        "reconcile.confidence", "How &sure", ("S",), "Reconcile", "reconcile", "Sure, fairly sure, unsure."
    ),
    Command("reconcile.note", "No&te…", ("T",), "Reconcile", "reconcile"),
    Command("reconcile.clause", "&Clause of the guideline…", ("C",), "Reconcile", "reconcile"),
    Command(
        "reconcile.amend",
        "&Guideline…",
        ("G",),
        "Reconcile",
        "reconcile",
        "Draft an amendment from this decision.",
    ),
    Command("reconcile.add", "Add another span", ("+",), "Reconcile", "reconcile"),
    Command("reconcile.record", "Go on, or record the edit", ("Return", "Enter"), "Reconcile", "reconcile"),
    Command("reconcile.gold", "Build the g&old set", ("Shift+G",), "Reconcile", "reconcile"),
    Command("reconcile.corrections", "Corrections o&f…", ("Shift+C",), "Reconcile", "reconcile"),
)


def _make(context: ModeContext) -> Mode:
    from app.gui.modes.reconcile.mode import ReconcileMode

    return ReconcileMode(context)


SPEC = ModeSpec(
    id="reconcile",
    label="Re&concile",
    key="Ctrl+4",
    about="Decide disagreements one by one, towards a gold set.",
    menu="Reconcile",
    menu_title="When rec&onciling",
    commands=_COMMANDS,
    make=_make,
)
