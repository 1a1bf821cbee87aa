"""The mode Phenotypes as it is registered: the way into it, and its commands."""

from __future__ import annotations

from app.gui.modes.command import Menu
from app.gui.modes.mode import ModeSpec, made_by

_command = Menu("Phenotypes", "phenotypes")
_COMMANDS = (
    _command("accept", "&Accept and next", ("A",), "Take the suggested term over; from then on it counts."),
    _command("reject", "&Reject and next", ("R",), "Reject a suggestion, or take a term out of the profile."),
    _command("next", "Ne&xt suggestion", ("N", ".", ";"), "Go to the next term that nothing was said of."),
    _command("previous", "Pre&vious term", ("P", ",")),
    _command("term", "&Term…", ("F4",), "Find another term for this one, or one for the selection or word."),
    _command("accept_all", "Accept all su&ggestions here", ("Shift+A",), "All of this report, in one act."),
    _command("present", "&Present", ("1", "&")),
    _command("negated", "&Denied", ("2", "É")),
    _command("uncertain", "&Uncertain", ("3", '"')),
    _command("diseases", "Go to the di&seases", ("D",), "Up and down light what speaks for each."),
    _command("profile", "Go to the pr&ofile", ("F",)),
    _command("compare", "&Compare two diseases", ("V",), "Hold a disease, and set others beside it."),
    _command("diagnosis", "&Known diagnosis", ("K",), "The chosen disease is what the report is about."),
    _command("find", "&Look for phenotypes by the rules", ("L",), "In all reports, as suggestions."),
    _command("ask", "Ask a &model for phenotypes…", ("M",), "What it names are suggestions, too."),
)


SPEC = ModeSpec(
    id="phenotypes",
    label="&Phenotypes",
    key="Ctrl+6",
    about="See what was found of the patient, correct it, and read which rare diseases explain it.",
    menu="Phenotypes",
    menu_title="When working on p&henotypes",
    commands=_COMMANDS,
    make=made_by("phenotypes.mode:PhenotypesMode"),
)
