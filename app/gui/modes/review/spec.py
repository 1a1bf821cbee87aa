"""The mode Review as it is registered: the way into it, and its commands."""

from __future__ import annotations

from app.gui.modes.command import Menu
from app.gui.modes.mode import ModeSpec, made_by

_command = Menu("Review", "review")
_COMMANDS = (
    _command("accept", "&Accept and next", ("A",), "Accept the quote as it is."),
    _command(
        "edit", "&Edit…", ("E",), "Accept the quote with the text that is selected, or begin to change it."
    ),
    _command("both", "Accept and keep &mine too", ("B",)),
    _command("reject", "&Reject and next", ("R",)),
    _command("next", "Ne&xt without a verdict", ("N", ".", ";")),
    _command("previous", "Pre&vious quote", ("P", ",")),
    _command("same", "Accept all that is the &same", ("S",)),
    _command("next_report", "&Go to the next report to review", ("G",)),
    _command("take", "Accep&t the quote as edited", ("Return", "Enter")),
    _command("category", "&Category…", ("C",)),
    _command("field", "&Field…", ("F",)),
    _command("present", "&Present", ("1", "&")),
    _command("negated", "&Negated", ("2", "É")),
    _command("uncertain", "&Uncertain", ("3", '"')),
    _command("end_on", "End one word &on", ("Alt+Right",)),
    _command("end_back", "End one word &back", ("Alt+Left",)),
    _command("start_back", "Start one word bac&k", ("Alt+Shift+Left",)),
    _command("start_on", "Start one wor&d on", ("Alt+Shift+Right",)),
)


SPEC = ModeSpec(
    id="review",
    label="&Review",
    key="Ctrl+2",
    about="Go through a model's findings in a report, beside one's own.",
    menu="Review",
    menu_title="When re&viewing",
    commands=_COMMANDS,
    make=made_by("review.mode:ReviewMode"),
)
