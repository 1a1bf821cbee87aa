"""A command that can do nothing where one is says why, in every mode."""

from __future__ import annotations

from app.gui.modes.phenotypes.mode import PhenotypesMode
from app.gui.modes.review.mode import ReviewMode
from tests.gui.modes.test_seen_afresh import FIRST, Seen, seen

__all__ = ["seen"]
LAST, END = "PMC3", -1
NO_SPAN, NO_WORD = (
    "No span is chosen; move the cursor into one.",
    "There is no word at the cursor; select some",
)
EDGES = ("end_on", "end_back", "start_back", "start_on")
OF_SPANS = ("remove", "present", "negated", "uncertain", *EDGES, "field", "note", "repair")
NO_TERM, NO_FIGURES = "No term is current here; click one", "This report has no figures"
NOT_EDITED = "No quote is being edited; E begins an edit."
OF_EDITS = ("category", "field", "present", "negated", "uncertain", *EDGES)
EDITED = "A span is being edited: Return records it, Escape cancels."
# Mode, report, caret, then commands with what they say, "" where they do what they are for.
Said = tuple[tuple[str, str], ...]
CASES: tuple[tuple[str, str, int, Said], ...] = (
    ("annotate", FIRST, 0, tuple((f"span.{one}", NO_SPAN) for one in OF_SPANS)),
    (
        "annotate",
        FIRST,
        0,
        (
            ("relabel.GU", NO_SPAN),
            ("span.same", "Label some words, or move the cursor into a span"),
            ("span.previous", "This is the first span."),
            ("report.previous", "This is the first report."),
            ("report.mention", NO_FIGURES),
            ("report.figure", NO_FIGURES),
        ),
    ),
    (
        "annotate",
        FIRST,
        END,
        (("label.GU", NO_WORD), ("span.concept", NO_WORD), ("span.next", "This is the last span.")),
    ),
    ("annotate", LAST, 0, (("report.next", "This is the last report of the list."),)),
    (
        "review",
        FIRST,
        0,
        (
            ("review.previous", "This is the first one."),
            ("review.both", "Nothing of yours would be replaced here; A accepts it."),
            *((f"review.{one}", NOT_EDITED) for one in OF_EDITS),
        ),
    ),
    (
        "reconcile",
        FIRST,
        0,
        (
            ("reconcile.amend", "Decide first: the amendment is drafted from the decision."),
            ("reconcile.alike", "Decide on a difference first; those like it are offered then."),
            ("reconcile.previous", "This is the first one."),
            ("reconcile.merge", "There is nothing to merge"),
            ("reconcile.add", "No span is being edited; E begins an edit."),
            ("reconcile.edit", ""),
            ("reconcile.add", ""),
            ("reconcile.left", EDITED),
            ("reconcile.next", EDITED),
        ),
    ),
    (
        "phenotypes",
        FIRST,
        END,
        (
            ("phenotypes.reject", NO_TERM),
            ("phenotypes.negated", NO_TERM),
            ("phenotypes.diagnosis", "Choose the disease first that the report is about."),
            ("phenotypes.term", NO_WORD),
            ("phenotypes.compare", "There are no two diseases here to compare."),
            ("phenotypes.accept_all", ""),
            ("phenotypes.accept_all", "Nothing is suggested here that is not judged."),
            ("phenotypes.next", "Nothing here is left to judge."),
            ("phenotypes.previous", ""),
            ("phenotypes.previous", "This is the first one."),
        ),
    ),
)


def test_a_command_that_can_do_nothing_says_why(seen: Seen) -> None:
    told: list[str] = []
    seen.session.message.connect(told.append)
    at = ("", "")
    for mode, report, caret, commands in CASES:
        if at != (mode, report):
            seen.go_to(report, mode)
            at = (mode, report)
        there = seen.bench.frame.mode
        if isinstance(there, ReviewMode):
            there.reviewing.message.connect(told.append)
        elif isinstance(there, PhenotypesMode):
            there.work.message.connect(told.append)
        seen.reader.go_to(caret % (len(seen.reader.text()) + 1))
        for command, says in commands:
            told.clear()
            seen.window.actions_[command].trigger()
            if not says:
                seen.settle()
            assert says in " ".join(told), command
            assert bool(told) == bool(says), command
    seen.go_to(FIRST, "annotate")
    seen.session.use_category("Vitals_Hema")
    seen.do("report.nothing")
    assert told[-1].startswith("The report has spans in Vital signs and haematology; delete them")
    seen.session.show_others(("ana",))
    seen.settle()
    other = next(one.id for one in seen.reader.spans() if not one.mine)
    for command in ("span.negated", "span.note", "span.remove"):
        seen.session.report_model.set_current(other)
        seen.do(command)
        assert told[-1] == "This is a span of ana; accept it first to change it.", command
