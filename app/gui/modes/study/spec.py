"""The mode Study as it is registered: the way into it, and its commands."""

from __future__ import annotations

from app.gui.modes.command import Menu
from app.gui.modes.mode import ModeSpec, made_by

_command = Menu("Study", "study", needs="project")
_COMMANDS = (
    _command("build", "&Build items…", ("B",), "Make the items of the chosen study, and freeze them."),
    _command(
        "verify",
        "&Verify items",
        ("V",),
        "Accept, edit or reject a sample of the items.",
    ),
    _command("run", "&Run…", ("R",), "Have a built-in method, a model or recorded replies answer the items."),
    _command("items", "&Items and answers", ("I",), "Read the items, and what a run answered to them."),
    _command("answer", "&Answer as a person", ("A",), "Be asked the items, one after the other."),
    _command(
        "rate", "Rat&e answers", ("G",), "Rate answers one after the other, without learning whose they are."
    ),
    _command("tables", "&Tables", ("T",), "See the scores, and go from a number to the items behind it."),
    _command("close", "&Close my answers…", (), "End one's own answers; closed is final."),
)


SPEC = ModeSpec(
    id="study",
    label="&Study",
    key="Ctrl+5",
    about="Put the same questions to models, methods and people, and score the answers.",
    menu="Study",
    menu_title="When working on a stud&y",
    commands=_COMMANDS,
    make=made_by("study.mode:StudyMode"),
)
