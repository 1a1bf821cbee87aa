"""The mode Review as it is registered: the way into it, and its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.modes.command import Command
from app.gui.modes.mode import ModeSpec

if TYPE_CHECKING:
    from app.gui.modes.mode import Mode, ModeContext

_COMMANDS = (
    Command("review.accept", "&Accept and next", ("A",), "Review", "review", "Accept the quote as it is."),
    Command(
        "review.edit",
        "&Edit…",
        ("E",),
        "Review",
        "review",
        "Accept the quote with the text that is selected, or begin to change it.",
    ),
    Command("review.both", "Accept and keep &mine too", ("B",), "Review", "review"),
    Command("review.reject", "&Reject and next", ("R",), "Review", "review"),
    Command("review.next", "Ne&xt without a verdict", ("N", ".", ";"), "Review", "review"),
    Command("review.previous", "Pre&vious quote", ("P", ","), "Review", "review"),
    Command("review.same", "Accept all that is the &same", ("S",), "Review", "review"),
    Command("review.next_report", "&Go to the next report to review", ("G",), "Review", "review"),
    Command("review.take", "Accep&t the quote as edited", ("Return", "Enter"), "Review", "review"),
    Command("review.category", "&Category…", ("C",), "Review", "review"),
    Command("review.field", "&Field…", ("F",), "Review", "review"),
    Command("review.present", "&Present", ("1", "&"), "Review", "review"),
    Command("review.negated", "&Negated", ("2", "É"), "Review", "review"),
    Command("review.uncertain", "&Uncertain", ("3", '"'), "Review", "review"),
    Command("review.end_on", "End one word &on", ("Alt+Right",), "Review", "review"),
    Command("review.end_back", "End one word &back", ("Alt+Left",), "Review", "review"),
    Command("review.start_back", "Start one word bac&k", ("Alt+Shift+Left",), "Review", "review"),
    Command("review.start_on", "Start one wor&d on", ("Alt+Shift+Right",), "Review", "review"),
)


def _make(context: ModeContext) -> Mode:
    from app.gui.modes.review.mode import ReviewMode

    return ReviewMode(context)


SPEC = ModeSpec(
    id="review",
    label="&Review",
    key="Ctrl+2",
    about="Go through a model's findings in a report, beside one's own.",
    menu="Review",
    menu_title="When re&viewing",
    commands=_COMMANDS,
    make=_make,
)
