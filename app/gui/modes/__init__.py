"""The modes of the window as data: the way into each, and its commands; bar, menus and keys follow."""

from __future__ import annotations

from importlib import import_module

from app.gui.modes.command import Command, Menu
from app.gui.modes.mode import Mode, ModeContext, ModeSpec


def _mode(menu: Menu, label: str, key: str, about: str, menu_title: str, *commands: Command) -> ModeSpec:
    """The mode of a menu, whose name its room and its class have, too; `make` imports them."""

    def make(context: ModeContext) -> Mode:
        mode: Mode = getattr(import_module(f"app.gui.modes.{menu.where}.mode"), f"{menu.name}Mode")(context)
        return mode

    return ModeSpec(menu.where, label, key, about, menu.name, menu_title, commands, make)


# What the workbench itself does; the others take their places around the same report.
ANNOTATE = ModeSpec("annotate", "&Annotate", "Ctrl+1")

_review = Menu("Review", "review")
_REVIEW = _mode(
    _review,
    "&Review",
    "Ctrl+2",
    "Go through a model's findings in a report, beside one's own.",
    "When re&viewing",
    _review("accept", "&Accept and next", ("A",), "Accept the quote as it is."),
    _review(
        "edit", "&Edit…", ("E",), "Accept the quote with the text that is selected, or begin to change it."
    ),
    _review("both", "Accept and keep &mine too", ("B",)),
    _review("reject", "&Reject and next", ("R",)),
    _review("next", "&Next without a verdict", ("N", ".", ";")),
    _review("previous", "&Previous quote", ("P", ",")),
    _review("same", "Accept all that is the &same", ("S",)),
    _review("next_report", "&Go to the next report to review", ("G",)),
    _review("take", "Accept the &quote as edited", ("Return", "Enter")),
    _review("category", "&Category…", ("C",)),
    _review("field", "&Field…", ("F",)),
    _review("present", "Presen&t", ("1", "&")),
    _review("negated", "Negate&d", ("2", "É")),
    _review("uncertain", "&Uncertain", ("3", '"')),
    _review("end_on", "End one word &on", ("Alt+Right",)),
    _review("end_back", "End one &word back", ("Alt+Left",)),
    _review("start_back", "Start one word bac&k", ("Alt+Shift+Left",)),
    _review("start_on", "Start one word on", ("Alt+Shift+Right",)),
)

_agreement = Menu("Agreement", "agreement", needs="project")
_AGREEMENT = _mode(
    _agreement,
    "A&greement",
    "Ctrl+3",
    "Measure how far two annotators agree.",
    "When &measuring agreement",
    _agreement("swap", "S&wap left and right", ("X",)),
    _agreement(
        "profile",
        "Other &profile",
        ("P",),
        "From the paper's formulas to strict one-to-one matching, and back.",
    ),
    _agreement(
        "quotes",
        "Show both sides' &quotes",
        ("Q",),
        "Show what both sides marked in the chosen report; it is recorded that you saw it.",
        checkable=True,
    ),
    _agreement(
        "concepts",
        "Agreement on &concepts…",
        ("C",),
        "On what quotes stand for in a terminology: exact, and by distance in its hierarchy.",
    ),
    _agreement("html", "Export as &HTML report…", about="Both profiles."),
    _agreement(
        "csv", "Export as CS&V…", about="The table, and beside it every report and the confusion counts."
    ),
    _agreement("svg", "Export charts as &SVG…"),
    _agreement("png", "Export charts as P&NG…"),
)

_reconcile = Menu("Reconcile", "reconcile")
_RECONCILE = _mode(
    _reconcile,
    "Re&concile",
    "Ctrl+4",
    "Decide disagreements one by one, towards a gold set.",
    "When rec&onciling",
    _reconcile("left", "For the &left side", ("L",)),
    _reconcile("right", "For the &right side", ("R",)),
    _reconcile("both", "For &both", ("B",), "Keep the spans of both sides."),
    _reconcile(
        "merge", "&Merge", ("M",), "Make one span from the first character of both sides to the last."
    ),
    _reconcile("edit", "&Edit: another span…", ("E",), "Select the right span in the text."),
    _reconcile("neither", "&Neither: nothing here", ("N",)),
    _reconcile("ask", "&Ask again", ("A",), "It stays undecided."),
    _reconcile(
        "whole",
        "&Whole category in this report",
        ("W",),
        "Decide on all undecided differences of the category in this report at once, or one by one again.",
    ),
    _reconcile("next", "Ne&xt difference", (".", ";", "J")),
    _reconcile("previous", "Pre&vious difference", (",", "K")),
    _reconcile("next_open", "Next &undecided difference", ("U",)),
    _reconcile("alike", "Others ali&ke…", ("Y",)),
    _reconcile("guideline-gap", "Reason: guideline gap", ("1", "&")),
    _reconcile("slip", "Reason: slip", ("2", "É")),
    _reconcile("ambiguous-text", "Reason: ambiguous text", ("3", '"')),
    _reconcile("model-error", "Reason: model error", ("4", "'")),
    _reconcile("preference", "Reason: preference", ("5", "(")),
    _reconcile("confidence", "How &sure", ("S",), "Sure, fairly sure, unsure."),
    _reconcile("note", "No&te…", ("T",)),
    _reconcile("clause", "&Clause of the guideline…", ("C",)),
    _reconcile("amend", "&Guideline…", ("G",), "Draft an amendment from this decision."),
    _reconcile("add", "Add another span", ("+",)),
    _reconcile("record", "Go on, or record the edit", ("Return", "Enter")),
    _reconcile("gold", "Build the g&old set", ("Shift+G",)),
    _reconcile("corrections", "Corrections o&f…", ("Shift+C",)),
)

_study = Menu("Study", "study", needs="project")
_STUDY = _mode(
    _study,
    "&Study",
    "Ctrl+5",
    "Put the same questions to models, methods and people, and score the answers.",
    "When working on a stud&y",
    _study("build", "&Build items…", ("B",), "Make the items of the chosen study, and freeze them."),
    _study("verify", "&Verify items", ("V",), "Accept, edit or reject a sample of the items."),
    _study("run", "&Run…", ("R",), "Have a built-in method, a model or recorded replies answer the items."),
    _study("items", "&Items and answers", ("I",), "Read the items, and what a run answered to them."),
    _study("answer", "&Answer as a person", ("A",), "Be asked the items, one after the other."),
    _study(
        "rate", "Rat&e answers", ("G",), "Rate answers one after the other, without learning whose they are."
    ),
    _study("tables", "&Tables", ("T",), "See the scores, and go from a number to the items behind it."),
    _study("close", "&Close my answers…", (), "End one's own answers; closed is final."),
)

_phenotypes = Menu("Phenotypes", "phenotypes")
_PHENOTYPES = _mode(
    _phenotypes,
    "&Phenotypes",
    "Ctrl+6",
    "See what was found of the patient, correct it, and read which rare diseases explain it.",
    "When working on p&henotypes",
    _phenotypes(
        "accept", "&Accept and next", ("A",), "Take the suggested term over; from then on it counts."
    ),
    _phenotypes(
        "reject", "&Reject and next", ("R",), "Reject a suggestion, or take a term out of the profile."
    ),
    _phenotypes("next", "&Next suggestion", ("N", ".", ";"), "Go to the next term that nothing was said of."),
    _phenotypes("previous", "&Previous term", ("P", ",")),
    _phenotypes(
        "term", "&Term…", ("F4",), "Find another term for this one, or one for the selection or word."
    ),
    _phenotypes(
        "accept_all", "Accept all su&ggestions here", ("Shift+A",), "All of this report, in one act."
    ),
    _phenotypes("present", "Pr&esent", ("1", "&")),
    _phenotypes("negated", "Den&ied", ("2", "É")),
    _phenotypes("uncertain", "&Uncertain", ("3", '"')),
    _phenotypes("diseases", "Go to the &diseases", ("D",), "Up and down light what speaks for each."),
    _phenotypes("profile", "Go to the pro&file", ("F",)),
    _phenotypes("compare", "&Compare two diseases", ("V",), "Hold a disease, and set others beside it."),
    _phenotypes("diagnosis", "&Known diagnosis", ("K",), "The chosen disease is what the report is about."),
    _phenotypes("find", "&Look for phenotypes by the rules", ("L",), "In all reports, as suggestions."),
    _phenotypes("ask", "Ask a &model for phenotypes…", ("M",), "What it names are suggestions, too."),
)

# In the order of the bar.
MODES: dict[str, ModeSpec] = {
    spec.id: spec for spec in (_REVIEW, _AGREEMENT, _RECONCILE, _STUDY, _PHENOTYPES)
}
