"""The mode Agreement as it is registered: the way into it, and its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.modes.command import Command
from app.gui.modes.mode import ModeSpec

if TYPE_CHECKING:
    from app.gui.modes.mode import Mode, ModeContext

_COMMANDS = (
    Command("agreement.swap", "S&wap left and right", ("X",), "Agreement", "agreement", needs="project"),
    Command(
        "agreement.profile",
        "Other &profile",
        ("P",),
        "Agreement",
        "agreement",
        "From the paper's formulas to strict one-to-one matching, and back.",
        needs="project",
    ),
    Command(
        "agreement.quotes",
        "Show both sides' &quotes",
        ("Q",),
        "Agreement",
        "agreement",
        "Show what both sides marked in the chosen report; it is recorded that you saw it.",
        checkable=True,
        needs="project",
    ),
    Command(
        "agreement.concepts",
        "Agreement on c&oncepts…",
        ("C",),
        "Agreement",
        "agreement",
        "On what quotes stand for in a terminology: exact, and by distance in its hierarchy.",
        needs="project",
    ),
    Command(
        "agreement.html",
        "Export as &HTML report…",
        (),
        "Agreement",
        "agreement",
        "Both profiles.",
        needs="project",
    ),
    Command(
        "agreement.csv",
        "Export as &CSV…",
        (),
        "Agreement",
        "agreement",
        "The table, and beside it every report and the confusion counts.",
        needs="project",
    ),
    Command("agreement.svg", "Export charts as &SVG…", (), "Agreement", "agreement", needs="project"),
    Command("agreement.png", "Export charts as P&NG…", (), "Agreement", "agreement", needs="project"),
)


def _make(context: ModeContext) -> Mode:
    from app.gui.modes.agreement.mode import AgreementMode

    return AgreementMode(context)


SPEC = ModeSpec(
    id="agreement",
    label="A&greement",
    key="Ctrl+3",
    about="Measure how far two annotators agree.",
    menu="Agreement",
    menu_title="When &measuring agreement",
    commands=_COMMANDS,
    make=_make,
)
