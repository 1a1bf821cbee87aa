"""What dialogs say of runs, models, reports and the history in words: no window is needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from app.gui.dialogs.annotate.blinded import _given
from app.gui.dialogs.annotate.concepts import _MOST_LISTED
from app.gui.dialogs.annotate.concepts import _in_words as concept_in_words
from app.gui.dialogs.annotate.others import _amount
from app.gui.dialogs.exchange.imports import _added
from app.gui.dialogs.forms import here
from app.gui.dialogs.keys.rules import as_text, without
from app.gui.dialogs.models.runs import _cells, about_run, state_in_words
from app.gui.dialogs.models.server import _cells as model_cells
from app.gui.dialogs.project.corpus import _words
from app.gui.dialogs.project.history import _lines
from app.gui.dialogs.project.projects import _free
from app.gui.dialogs.project.report import _question
from app.gui.modes.agreement.evidence import _in_words
from app.gui.modes.command import Command
from app.operations.extract.options import ModelOptions
from app.operations.extract.runs import RunRow
from app.operations.project.reports import Contents
from app.store.history import Entry
from extractors.model.scheme import default_scheme
from extractors.terminology.browsing import Entry as Term
from extractors.terminology.browsing import View

DAY = "2026-11-22T10:00:00Z"
RUN = RunRow("tiny", "model", "quotes", "done", DAY, None, "", (), Counter(), True, None)


def like(**given: object) -> Any:  # noqa: ANN401 (what the words ask of it, and nothing else)
    return SimpleNamespace(**given)


def test_how_a_run_ended_is_said_with_what_is_left_of_it() -> None:
    for state, unfinished, busy, words in (
        ("running", True, True, "under way, or broken off"),
        ("running", True, False, "broken off"),
        ("done", False, True, "done"),
        ("done", True, True, "done, with gaps"),
        ("cancelled", True, True, "stopped"),
        ("failed", True, True, "ended with failures"),
    ):
        assert state_in_words(replace(RUN, state=cast(Any, state), unfinished=unfinished), busy) == words
    started = here(DAY)[:16]
    assert _cells(RUN, True) == ("tiny", "done, with gaps", "none", started, "")
    rules = replace(RUN, kind="rules", unfinished=False)
    assert _cells(rules, True) == ("tiny", "done", "–", started, "")
    called = replace(RUN, calls=cast(Any, {"ok": 3, "failed": 1}), remotes=("a", "b"))
    assert _cells(called, True)[2:] == ("3 ok, 1 failed", started, "a, b")


def test_of_a_run_is_said_where_its_text_went_and_whether_it_can_go_on() -> None:
    options = cast(ModelOptions, like())
    whole, gone, goes = (
        "Every call was answered in full.",
        "This run cannot go on: prompts or settings have changed since, or a later run is alike.",
        "Some calls failed, were cut or are missing; “Go on” makes them.",
    )
    assert about_run(replace(RUN, unfinished=False)) == whole
    assert about_run(RUN) == gone
    assert about_run(replace(RUN, options=options)) == goes
    far = replace(RUN, about="A recording.", remotes=("a", "b"), kind="rules")
    again = "Run the rules again to have them read new reports."
    assert about_run(far) == f"A recording. The reports' text went to a, b. {again}"


def test_a_model_is_listed_with_what_fits_into_memory_or_where_it_is() -> None:
    line = like(name="tiny", size=0, parameters="1B", context=4096, fits=2048, remote="")
    assert model_cells(line)[2:] == ("1B", "4,096", "2,048")
    for given, shown in (({"fits": 0}, "no"), ({"remote": "far"}, "on far")):
        assert model_cells(like(**{**vars(line), **given}))[4] == shown
    assert model_cells(like(**{**vars(line), "context": 0}))[3] == "?"


def test_what_goes_with_reports_is_named_before_they_are_deleted() -> None:
    one = Contents("PMC1", "A case", {"Ana": 2}, ("1 region",))
    assert _question([one]) == "Delete “A case” (PMC1)? With it go: 2 spans of Ana, 1 region. "
    bare = replace(one, spans={}, besides=())
    assert _question([bare]) == "Delete “A case” (PMC1)? Nothing is annotated in it. "
    lines = "PMC1: 2 spans of Ana, 1 region\nPMC1: nothing annotated"
    assert _question([one, bare]) == f"Delete 2 reports, and what is about them?\n\n{lines}\n\n"
    for number, last in ((12, "PMC1: nothing annotated"), (14, "and 2 more")):
        told = _question([bare] * number).splitlines()
        assert (told[0], told[-2]) == (f"Delete {number} reports, and what is about them?", last)


def test_the_history_is_read_from_its_end_and_what_a_run_said_of_itself_is_one_line() -> None:
    scheme = default_scheme()
    name = scheme.category("Neuro").name
    entries = [
        *(Entry(act, "note", "do", "", False, "rules", DAY, 1) for act in "ab"),
        Entry("1", "label span as Neuro in PMC1", "do", "", True, "Ana", DAY, 1),
        Entry("2", "note", "do", "", False, "rules", DAY, 1),
        Entry("3", "note", "do", "", False, "rules", DAY, 1),
        Entry("4", "note", "do", "", False, "Ana", DAY, 1),
        Entry("5", "label span", "do", "", True, "Ana", DAY, 1),
        Entry("6", "label span", "undo", "5", True, "Ana", DAY, 1),
    ]
    lines = _lines(entries, scheme)
    assert [line.cells[1:] for line in lines] == [
        ("Ana", "Undo: label span", ""),
        ("Ana", "Label span", "undone"),
        ("Ana", "Note", ""),
        ("rules", "Note (2 times)", ""),
        ("Ana", f"Label span as {name} in PMC1", ""),
        ("rules", "Note (2 times)", ""),
    ]
    assert [line.entry.act for line in lines] == ["6", "5", "4", "3", "1", "b"]


def test_a_report_that_came_in_is_listed_by_its_title_where_that_is_not_its_key() -> None:
    report = like(key="PMC1", title="A case", source="a.xml")
    assert _added(report) == "PMC1  A case  (a.xml)"
    assert _added(like(**{**vars(report), "title": "PMC1"})) == "PMC1  (a.xml)"


def test_quotes_of_both_sides_are_told_below_each_other() -> None:
    rash = like(quote="a\nrash", polarity="present", span=(1, 2))
    denied = like(quote="fever", polarity="negated", span=None)
    blocks = [
        like(heading="Skin", left=(rash, denied), right=()),
        like(heading="Heart", left=(), right=(rash,)),
    ]
    assert _in_words([], ("ana", "ben")) == "Neither side has anything here."
    assert _in_words(blocks, ("ana", "ben")) == (
        "Skin\nana:\n  • “a rash”\n  • “fever” (negated, no place in the text)\nben: nothing\n\n"
        "Heart\nana: nothing\nben:\n  • “a rash”"
    )


def test_a_concept_is_told_with_its_names_and_what_is_around_it() -> None:
    view = View("HP:1", "Gout", "", (), (), ())
    assert concept_in_words(view) == "Gout  HP:1"
    above = (Term("HP:0", "Joints", ""),)
    below = tuple(Term(f"HP:{number}", f"kind {number}", "") for number in range(_MOST_LISTED + 2))
    whole = replace(
        view,
        definition="Crystals.",
        names=("podagra", "tophi"),
        ours=("toe",),
        parents=above,
        children=below,
        siblings=above,
        source="WHO",
    )
    listed = "\n".join(f"  kind {number}" for number in range(_MOST_LISTED))
    assert concept_in_words(whole) == (
        "Gout  HP:1\n\nCrystals.\n\nAlso: podagra; tophi\n\nIn our words: toe\n\n"
        "More general (←)\n  Joints\n\n"
        f"Beside it\n  Joints\n\nMore specific (→)\n{listed}\n  and 2 more\n\nWHO"
    )


def test_after_a_reading_it_is_told_what_it_was_and_what_was_hidden_of_it() -> None:
    anchor = like(code=None, label="Gout", state="proposed", evidence=(), reasons="")
    audit = like(masked={}, hints=(), pictures="not read")
    teaching = like(
        anchor=anchor, view=like(audit=audit, state="refused", pictures=()), ends=(5, 9), guesses=()
    )
    assert _given(teaching) == ["Nobody has said yet what the case is about."]
    anchor.code = "ORPHA:1"
    assert _given(teaching) == ["Gout (ORPHA:1), proposed."]
    teaching.view.state = "ready"
    assert _given(teaching)[1:] == ["Hidden: no name of it stands in the case."]
    anchor.evidence, anchor.reasons = ("title",), "the title"
    audit.masked, audit.hints = {"gout": 2, "podagra": 1}, (like(text="tophus", places=(1, 2)),)
    teaching.view.pictures = ("one",)
    teaching.guesses = (like(part=0, guess="ague"), like(part=2, guess="gout"))
    assert _given(teaching) == [
        "Gout (ORPHA:1), proposed.",
        "It is named by: the title.",
        "Hidden: gout (2), podagra (1).",
        "Words that hint at it and are shown: tophus (2).",
        "1 picture: words burned into them are for your eye to find.",
        "Before part 1 you said: ague",
        "Before the answer you said: gout",
    ]


def test_a_hit_keeps_the_last_words_before_it_and_others_spans_are_counted() -> None:
    assert _words(like(left="had a ", text="fever", right=" today")) == "had a fever today"
    long = "He came in the night of the third day and had a "
    shown = _words(like(left=long, text="fever", right=""))
    assert shown.startswith("…")
    assert long.endswith(shown[1:].removesuffix("fever"))
    assert _amount(like(quotes=1, kept=0)) == "1 span"
    assert _amount(like(quotes=2, kept=1200)) == "2 spans, 1,200 under labels that the scheme lacks"


def test_keys_are_printed_in_a_column_and_taken_from_whoever_had_them_where_it_acts() -> None:
    groups = {"Edit": [("Undo", "Ctrl+Z"), ("Redo all", "")], "Help": []}
    assert as_text(groups) == "Edit\n  Undo      Ctrl+Z\n  Redo all\n\nHelp\n\n"
    had = {"a": ("Ctrl+1", "Ctrl+2"), "b": ("Ctrl+1",), "c": ("Ctrl+3",), "d": ("Ctrl+1",)}
    first, second, third, fourth = (Command(name, name, keys, "") for name, keys in had.items())
    # A key of one mode does not meet that of another.
    commands = (first, second, third, fourth._replace(where="study"))
    taken = without({"c": "Ctrl+3"}, commands, "Ctrl+1", third._replace(where="review"))
    assert taken == {"a": "Ctrl+2", "b": "", "c": "Ctrl+3"}


def test_a_new_project_takes_the_next_name_that_is_free(tmp_path: Path) -> None:
    path = tmp_path / "study.casespan"
    for name in ("study", "study 2", "study 3"):
        assert _free(path) == tmp_path / f"{name}.casespan"
        _free(path).touch()
