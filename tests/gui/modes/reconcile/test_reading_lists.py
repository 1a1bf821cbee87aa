"""What is told shows wherein both sides differ, and lists of decisions can be read in full."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.gui.modes.reconcile.dialogs import AlikeDialog, CorrectionsDialog
from app.gui.modes.reconcile.words import codes_of, quotes_in_short, spoken
from extractors.model.finding import Finding
from tests.builders import ME
from tests.gui.modes.reconcile.conftest import BEN, SHIFT, Reconciling

CODES = {"CVS": "CV", "RESP": "RE"}


def corrections(rec: Reconciling) -> CorrectionsDialog:
    rec.press("C", SHIFT)
    dialog = rec.dialog(CorrectionsDialog)
    rec.qtbot.waitUntil(lambda: dialog.tree.topLevelItemCount() > 0)
    return dialog


def test_category_and_polarity_are_named_where_both_sides_differ_in_them() -> None:
    heart, lung = Finding("CVS", "murmur", 0, 6), Finding("RESP", "murmur", 0, 6)
    denied = Finding("CVS", "murmur", 0, 6, polarity="negated")
    assert quotes_in_short([heart], "boundary", CODES) == "“murmur”"
    assert quotes_in_short([heart], "label", CODES) == "CV “murmur”"
    assert quotes_in_short([heart], "edited", CODES, [lung]) == "CV “murmur”"
    assert quotes_in_short([heart], "boundary", CODES, [denied]) == "present “murmur”"
    assert quotes_in_short([denied], "missing", CODES) == "negated “murmur”"


def test_a_long_quote_keeps_both_its_edges_and_is_whole_where_it_is_read() -> None:
    words = "the cough " + "that came every night " * 6 + "and went"
    finding = Finding("RESP", words, 0, len(words))
    short = quotes_in_short([finding], "boundary", CODES)
    assert len(short) < 70
    assert short.startswith("“the cough")
    assert short.endswith("and went”")
    assert quotes_in_short([finding], "boundary", CODES, whole=True) == f"“{words}”"


def test_what_is_spoken_and_what_holds_tell_polarities_and_categories(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    decided = rec.work.current
    assert decided is not None
    assert rec.work.queue is not None
    said = spoken(decided.difference, rec.work.queue, codes_of(rec.session.scheme))
    assert "ana: negated “rash”. ben: present “rash”." in said
    rec.press("L")
    rec.work.go_to(decided)
    assert "Now: negated “rash”." in rec.mode.card.outcome.full_text()
    rec.go_to("PMC1", "label")
    decided = rec.work.current
    assert decided is not None
    rec.press("R")
    rec.work.go_to(decided)
    assert "Now: LI “heart was large”." in rec.mode.card.outcome.full_text()


def test_corrections_are_read_in_full_and_lead_to_the_place_by_keyboard(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    decided = rec.work.current
    assert decided is not None
    rec.press("T")
    QTest.keyClicks(rec.mode.rationale.note, "No rash was seen")
    rec.press(Qt.Key.Key_Return)
    rec.press("R")
    dialog = corrections(rec)
    assert dialog.tree.hasFocus()
    full = dialog.detail.toPlainText()
    for line in ("Had: negated “rash”", "After the decision: present “rash”", "Note: No rash was seen"):
        assert line in full
    assert rec.work.current != decided
    QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert rec.work.current == decided


def test_corrections_are_at_first_those_of_who_annotates_where_that_is_a_side(rec: Reconciling) -> None:
    rec.press("L")

    def told(name: str) -> str:
        rec.session.set_annotator(name)
        rec.settle()
        dialog = CorrectionsDialog(rec.session, rec.work, rec.window)
        rec.qtbot.waitUntil(lambda: dialog.about.text() != "Reading…")
        dialog.reject()
        return dialog.about.text()

    assert told(ME) == "1 difference with others decided; 1 as ana had it."
    assert told(BEN) == "1 difference with others decided; 0 as ben had it."


def test_of_two_equal_decisions_each_leads_to_its_own_place() -> None:
    gold = (Finding("CVS", "murmur", 0, 6),)
    about: dict[str, Any] = {"report": "R1", "kind": "label"}
    decided = {"a": ("day 1", gold), "b": ("day 2", gold), "c": ("day 2", ())}
    decisions = {name: SimpleNamespace(decided_at=at, findings=held) for name, (at, held) in decided.items()}
    differences = {name: SimpleNamespace(**about) for name in decided}
    queue = SimpleNamespace(decisions=decisions, differences=differences)
    dialog: Any = SimpleNamespace(_work=SimpleNamespace(queue=queue))

    def place(at: str, held: tuple[Finding, ...], **other: str) -> str:
        one: Any = SimpleNamespace(**{**about, **other}, decided_at=at, gold=held)
        return CorrectionsDialog._difference(dialog, one)

    assert [place(at, held) for at, held in decided.values()] == ["a", "b", "c"]
    assert (
        place("day 3", gold),
        place("day 1", gold, report="R2"),
        place("day 1", gold, kind="missing"),
    ) == (*("", "", ""),)
    dialog._work.queue = None
    assert place("day 1", gold) == ""


def test_those_alike_are_told_in_full_below_the_list(rec: Reconciling) -> None:
    rec.go_to("PMC1", "boundary")
    rec.press("L")
    rec.qtbot.waitUntil(lambda: rec.mode.card.offer.offer is not None)
    rec.press("Y")
    dialog = rec.dialog(AlikeDialog)
    assert "After the decision: “the cough”" in dialog.detail.toPlainText()
    # Some headings are names, which may be long.
    assert dialog.tree.header().textElideMode() == Qt.TextElideMode.ElideMiddle
    heading = dialog.tree.headerItem()
    assert {heading.toolTip(at) == heading.text(at) for at in range(heading.columnCount())} == {True}
    dialog.reject()


def test_a_quick_way_back_shows_the_report_that_the_card_is_about(rec: Reconciling) -> None:
    rec.go_to("PMC1", "polarity")
    rec.work.go_to(next(one for one in rec.work.cursor.queue_places if one.item.report == "PMC3"))
    # PMC3 is on its way to the page.
    rec.press(",")
    rec.press(",")
    rec.go_to("PMC1", "polarity")
    rec.settle_session()
    assert rec.session.report_model.key == "PMC1"
