"""What Reconcile says of a queue in words, and what it keeps beside a decision: no window is needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.gui.modes.reconcile import words
from app.gui.modes.reconcile.beside.right import built_words
from app.gui.modes.reconcile.difference.around import standing_words
from app.gui.modes.reconcile.queue.position import QueueCursor
from app.gui.modes.reconcile.queue.reading import (
    Drafts,
    Place,
    Rationale,
    first_sides,
    place_of,
    rationale_of,
    taken_again,
)
from app.gui.widgets.guideline_text import day_of
from app.operations.reconcile.gold import GoldSummary
from app.operations.reconcile.preview import BELOW, Holder, SidesOffer
from app.store.reconcile.decisions import Decision
from extractors.model.finding import Finding, Polarity

ANA, BEN, CAI = (Holder(name, "person", reports) for name, reports in (("ana", 3), ("ben", 2), ("cai", 2)))
CODES = {"CVS": "CV", "Lab_Image": "LI"}


def found(quote: str, category: str = "CVS", polarity: Polarity = "present") -> Finding:
    return Finding(category, quote, 0, len(quote), polarity=polarity)


def queue(**given: object) -> Any:  # noqa: ANN401 (what words ask of a queue, and nothing else)
    sides = {"left": SimpleNamespace(name="ana"), "right": SimpleNamespace(name="ben")}
    known = {"differences": {"one": None}, "decisions": {}, "agreed": 1, "reports": 2, "outdated": ()}
    return SimpleNamespace(**{**sides, **known, "caveats": (), "only_left": 0, "only_right": 0, **given})


def said(**given: object) -> tuple[str, str]:
    """What is said where there is no difference to show."""
    known = {
        "offer_of_sides": SidesOffer((ANA, BEN), None),
        "unseen": (),
        "queue": queue(),
        "refusal": "",
        "current": None,
        "cursor": SimpleNamespace(queue_places=("one",)),
        "counts": Counter(decided=1),
    }
    return standing_words(cast(Any, SimpleNamespace(**{**known, **given})))


def test_where_no_difference_is_shown_it_is_said_why_and_what_comes_next() -> None:
    assert said(offer_of_sides=None) == ("Reading who has annotated…", "")
    for holders, there in (((), "nobody has annotated any yet"), ((ANA,), "one is there")):
        sentence, step = said(offer_of_sides=SidesOffer(holders, None), unseen=("PMC1",))
        assert f"who have annotated the same reports; {there}. Import" in sentence
        assert step == "import"
    sentence, step = said(unseen=("PMC1",), queue=None)
    assert (sentence.split(" you have not")[0], step) == ("In 1 report", "look")
    assert said(queue=None) == ("Reading where both sides differ…", "")
    assert said(queue=None, refusal="Stopped.") == ("Stopped.", "")
    agreed = "ana and ben agree everywhere (3 spans in 2 reports); there is nothing to decide."
    assert said(queue=queue(differences={}, agreed=3), cursor=QueueCursor()) == (agreed, "build")
    assert said(current="one") == ("", "")
    nothing = "No difference matches the filters; choose others at the left."
    assert said(cursor=QueueCursor(), counts=Counter(open=1)) == (nothing, "")
    shown = "Everything that is shown is decided; choose other filters at the left to go on."
    assert said(counts=Counter(open=1, asked=1)) == (shown, "")
    asked = "3 decided, 2 to be asked again; choose other filters at the left to come to them."
    assert said(counts=Counter(asked=2, decided=3)) == (asked, "")
    there = queue(differences={"one": None, "two": None})
    assert said(queue=there) == ("All 2 differences have been decided on.", "build")
    there = queue(differences={"one": None})
    assert said(queue=there) == ("The only difference has been decided on.", "build")


@pytest.mark.parametrize(
    ("holders", "sides"),
    [
        ((), ("", "")),
        ((ANA,), ("", "")),
        ((BEN, ANA, CAI), ("ben", "ana")),
        ((CAI, BEN, ANA), ("cai", "ana")),
        ((Holder("rules", "run", 9), BEN, ANA), ("ben", "ana")),
        ((Holder("gold", "gold", 9), Holder("rules", "run", 9), ANA), ("rules", "ana")),
    ],
)
def test_the_two_people_who_looked_at_most_come_first_and_gold_never(
    holders: tuple[Holder, ...], sides: tuple[str, str]
) -> None:
    assert first_sides(SidesOffer(holders, None)) == sides
    assert first_sides(SidesOffer(holders, ("ben", "rules"))) == ("ben", "rules")


def test_a_place_is_read_as_it_was_written_and_what_cannot_be_read_is_the_first_starts() -> None:
    place = Place("ana", "ben", 62.5, "frequent", ("pair", "one"))
    for one in (place, replace(place, queue_place=None), Place()):
        assert place_of(one.as_words()) == one
    assert place_of(["ana", "ben", "50"]) == place_of([]) == Place()
    assert place_of(["ana", "ben", "high", "oldest"]) == Place("ana", "ben", BELOW, "worst")
    assert place_of(["ana", "ben", "250", "worst", "pair", "one"]).below == 100


def test_what_was_noted_waits_for_a_decision_on_its_difference_alone() -> None:
    drafts, slip = Drafts(), Rationale("slip", "Why?", "A clause", 0.7)
    for name, rationale in (("one", slip), ("two", slip), ("gone", slip), ("two", Rationale())):
        drafts.keep(name, rationale)
    assert [drafts.rationale(name) for name in ("one", "two", "other")] == [slip, Rationale(), Rationale()]
    assert drafts.waiting(queue()) == 1
    assert drafts.waiting(queue(differences=dict.fromkeys(("one", "two", "gone")))) == 2
    assert drafts.waiting(queue(decisions={"one": None})) == 0
    drafts.drop("one")
    assert drafts.waiting(queue()) == 0


def test_a_decision_is_told_with_who_when_and_why_and_with_what_holds_since() -> None:
    told, codes = words.decided_words, CODES
    decided = Decision("d", "CVS", "l", "r", "left", decided_by="Ana", decided_at="2026-03-02T10:00:00Z")
    day = day_of(decided.decided_at)
    assert told(decided, queue(), codes) == f"Ana decided for ana on {day}. Now: nothing."
    asked = replace(decided, choice="ask", decided_by="", decided_at="", reason_code="slip", note="Left\nor?")
    assert told(asked, queue(), codes) == "Somebody decided to ask again. Slip, “Left or?”"
    edited = replace(decided, choice="edited", decided_at="", reason_code="another")
    first = "Ana decided for another span. Now: decided with the first of the pair. another"
    assert told(edited, queue(), codes) == first
    chosen = replace(edited, findings=(found("a cough"),), reason_code="")
    assert told(chosen, queue(), codes) == "Ana decided for another span. Now: “a cough”."
    quotes = SimpleNamespace(quotes=[SimpleNamespace(finding=found("cough", "Lab_Image"))])
    there = queue(differences={"one": SimpleNamespace(group=quotes)})
    both = replace(decided, choice="both", decided_at="", findings=chosen.findings, difference="one")
    assert told(both, there, codes) == "Ana decided for both. Now: CV “a cough”."


def test_a_side_is_told_with_what_the_difference_turns_on_and_nothing_else() -> None:
    short, rash, denied = words.quotes_in_short, found("rash"), found("rash", polarity="negated")
    assert short([], "missing", CODES) == "nothing"
    assert short([rash, found("a\nfever")], "boundary", CODES) == "“rash”, “a fever”"
    assert short([rash], "boundary", CODES, [found("rash", "Lab_Image")]) == "CV “rash”"
    assert short([found("rash", "DERM")], "label", CODES) == "DERM “rash”"
    assert short([rash], "polarity", CODES) == "present “rash”"
    assert short([rash], "missing", CODES, [denied]) == "present “rash”"
    assert short([denied], "boundary", CODES) == "negated “rash”"
    long = found("no swelling of the left knee and of both ankles on the very first day")
    assert "…" in short([long], "boundary", CODES)
    assert short([long], "boundary", CODES, whole=True) == f"“{long.quote}”"


def test_numbers_are_told_of_as_one_or_as_several() -> None:
    assert [words.progress_words(1, asked, number) for asked, number in ((0, 1), (0, 2000), (2, 2000))] == [
        "1 of 1 difference decided",
        "1 of 2,000 differences decided",
        "1 of 2,000 decided, 2 to ask again",
    ]
    assert [words.outdated_words(queue(outdated=("a",) * number)) for number in (0, 1, 2)] == [
        "",
        "1 decision no longer applies",
        "2 decisions no longer apply",
    ]
    assert words.caveats_on(queue(caveats=("One.", "Two"), only_right=2)) == [
        "One.",
        "Two.",
        "2 reports only ben has annotated.",
    ]
    assert words.caveats_on(queue(only_left=1)) == ["1 report only ana has annotated."]


def test_a_gold_set_is_told_with_what_is_not_in_it() -> None:
    summary = GoldSummary("gold", "ana", "ben", 2, 3, 1, 2, 0, 3, 1, 0, 0)
    assert built_words(summary) == "gold: 3 spans in 2 reports (3 added, 1 removed)."
    lacking = replace(summary, reports=1, spans=1, undecided=1, fields_differ=2)
    assert built_words(lacking) == (
        "gold: 1 span in 1 report (3 added, 1 removed). 1 difference undecided and left out."
        " In 2 spans the fields differ; ana's are taken."
    )


def test_a_decision_is_taken_again_with_the_same_spans_where_it_has_any_of_its_own() -> None:
    sides = [SimpleNamespace(finding=found(quote), place=(0, len(quote))) for quote in ("the cough", "cough")]
    group = SimpleNamespace(quotes=sides)
    one = cast(Any, SimpleNamespace(kind="boundary", group=group, left=sides[:1], right=sides[1:]))
    decided = Decision("d", "CVS", "l", "r", "edited", (found("cough and"),), "slip", "Why?", seconds=2.0)
    wanted = Rationale("preference", clause="A clause")
    again = taken_again(decided, one, wanted)
    assert again is not None
    assert [(span.start, span.end, span.category, span.polarity) for span in again.spans] == [
        (0, 9, "CVS", "present")
    ]
    assert (again.choice, again.reason, again.note, again.clause, again.seconds) == (
        "edited",
        "preference",
        "",
        "A clause",
        2.0,
    )
    assert taken_again(replace(decided, findings=()), one, wanted) is None
    assert taken_again(replace(decided, choice="unheard of"), one, wanted) is None
    left = taken_again(replace(decided, choice="left"), one, rationale_of(decided))
    assert left is not None
    assert (left.choice, left.spans, left.reason, left.note) == ("left", (), "slip", "Why?")


def test_who_alone_has_a_quote_is_said_to_the_end_of_the_sentence_however_long_the_name() -> None:
    one = cast(Any, SimpleNamespace(kind="missing", left=(), right=("quote",)))
    long = SimpleNamespace(name="Prof. Dr. Maximiliane " + "von " * 30 + "Guttenberg")
    said = words.kind_words(one, queue(right=long))
    assert said.startswith("Only Prof. Dr. Maxim")
    assert said.endswith("Guttenberg has this")
    assert len(said) < 60
