"""The mode Agreement as it is registered: the way into it, and its commands."""

from __future__ import annotations

from app.gui.modes.command import Menu
from app.gui.modes.mode import ModeSpec, made_by

_command = Menu("Agreement", "agreement", needs="project")
_COMMANDS = (
    _command("swap", "S&wap left and right", ("X",)),
    _command(
        "profile",
        "Other &profile",
        ("P",),
        "From the paper's formulas to strict one-to-one matching, and back.",
    ),
    _command(
        "quotes",
        "Show both sides' &quotes",
        ("Q",),
        "Show what both sides marked in the chosen report; it is recorded that you saw it.",
        checkable=True,
    ),
    _command(
        "concepts",
        "Agreement on c&oncepts…",
        ("C",),
        "On what quotes stand for in a terminology: exact, and by distance in its hierarchy.",
    ),
    _command("html", "Export as &HTML report…", about="Both profiles."),
    _command(
        "csv", "Export as &CSV…", about="The table, and beside it every report and the confusion counts."
    ),
    _command("svg", "Export charts as &SVG…"),
    _command("png", "Export charts as P&NG…"),
)


SPEC = ModeSpec(
    id="agreement",
    label="A&greement",
    key="Ctrl+3",
    about="Measure how far two annotators agree.",
    menu="Agreement",
    menu_title="When &measuring agreement",
    commands=_COMMANDS,
    make=made_by("agreement.mode:AgreementMode"),
)
