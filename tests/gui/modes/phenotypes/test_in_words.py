"""Terms and diseases as Phenotypes lists them and speaks of them: no window is needed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from app.gui.modes.phenotypes.diseases import (
    DiseaseList,
    disease_rows,
    nothing_words,
    order_words,
    publication_words,
    reason_words,
    side_by_side,
)
from app.gui.modes.phenotypes.items import Item, ProfileTree, items_of, spans_of
from app.gui.modes.phenotypes.mode import _about
from app.gui.modes.phenotypes.work import ProfileWork
from app.gui.session.project_session import ProjectSession
from app.store.annotate.annotations import Annotation
from extractors.differential.ranking import Contribution, Ranked
from extractors.differential.report import FREQUENCIES, NO_FIT
from extractors.model.coding import Coding
from extractors.model.finding import Finding, Polarity


def like(**given: object) -> Any:  # noqa: ANN401 (what the words ask of it, and nothing else)
    return SimpleNamespace(**given)


def span(uuid: str, start: int | None, polarity: Polarity = "present", field: str = "") -> Annotation:
    finding = Finding("", uuid, start, None if start is None else start + 5, field, polarity)
    return Annotation(uuid, "d", "a", finding, None, "human", 0, "", None, (), None, "")


def coding(code: str, onset: str = "") -> Coding:
    return Coding("HPO", "1", code, f"term {code}", "", "human", onset)


def suggested(uuid: str, start: int | None, status: str, *, relative: bool = False) -> Any:  # noqa: ANN401
    return like(annotation=span(uuid, start), coding=coding("S"), status=status, relative=relative)


PROFILE = like(
    terms=(like(coding=coding("B"), spans=(span("late", 50), span("early", 10))),),
    relatives=(like(coding=coding("R"), spans=(span("mother", 20),)),),
    suggestions=(
        suggested("open", 30, "suggested"),
        suggested("no", None, "rejected"),
        suggested("early", 10, "suggested"),
        suggested("taken", 40, "accepted"),
        suggested("aunt", 35, "suggested", relative=True),
    ),
)


def test_terms_stand_by_place_and_what_was_accepted_is_ones_own() -> None:
    items = items_of(PROFILE)
    assert [(item.uuid, item.standing) for item in items] == [
        ("early", "own"),
        ("mother", "relative"),
        ("open", "suggested"),
        ("aunt", "relative"),
        ("late", "own"),
        ("no", "rejected"),
    ]
    looks = {one.id: (one.dimmed, one.mine, one.settled) for one in spans_of(items, None)}
    assert looks == {
        "early": (False, True, False),
        "mother": (True, False, False),
        "open": (False, False, False),
        "aunt": (True, False, False),
        "late": (False, True, False),
    }
    assert [one.id for one in spans_of(items, {"B"}) if not one.dimmed] == ["early", "late"]


def test_a_term_counts_that_is_ones_own_and_not_uncertain() -> None:
    said = [("own", "present"), ("own", "negated"), ("own", "uncertain"), ("suggested", "present")]
    items = [Item(span("it", 1, cast(Polarity, said)), coding("B"), cast(Any, how)) for how, said in said]
    assert [item.counts for item in items] == [True, True, False, False]
    assert [item.words for item in items] == ["term B", "no term B", "perhaps term B", "term B"]
    assert _about(items[1]) == "no term B (B), in the profile · “it”"
    assert _about(items[3]) == "term B (B), suggested: it does not count until you accept it · “it”"


def test_the_tree_counts_what_counts_and_puts_what_does_not_last(qtbot: QtBot) -> None:
    tree = ProfileTree()
    qtbot.addWidget(tree)
    since = Item(span("since", 60), coding("B", "P3Y"), "own")
    denied = Item(span("denied", 70, "uncertain"), coding("C"), "own")
    without = Item(span("without", 80, "negated"), coding("B"), "own")
    tree.put([*items_of(PROFILE), since, denied, without], {"B": "Skin", "S": "Heart", "C": "Skin"})
    told = []
    for row in range(tree.topLevelItemCount()):
        group: Any = tree.topLevelItem(row)
        told.append(
            (group.text(0), group.text(1), [group.child(n).text(0) for n in range(group.childCount())])
        )
    assert told == [
        ("Heart", "1 suggested", ["? term S"]),
        ("Skin", "1", ["✓ term B  ×3", "✓ perhaps term C", "✓ no term B"]),
        ("Of relatives (never counts)", "", ["term R", "term S"]),
        ("Rejected", "", ["term S"]),
    ]
    tree.put([since], {})
    group = tree.topLevelItem(0)
    assert (group.text(0), group.text(1)) == ("Onset, course and others", "1")
    assert "term B (B), since P3Y: “since”" in group.child(0).toolTip(0)
    chosen: list[str] = []
    tree.chosen.connect(chosen.append)
    tree.show_current("since")
    assert (chosen, tree.selectedItems()) == ([], [group.child(0)])
    tree.show_current("gone")
    assert tree.selectedItems() == []
    tree.take_focus()
    assert chosen == ["since"]


FOR, AGAINST, LEFT = (
    Contribution("A", "present", "A", 2.5),
    Contribution("B", "negated", "B", -1.0),
    Contribution("C", "present", "", -0.5),
)
FIRST = Ranked(1, 0, ("ORPHA:1", "OMIM:1"), "Marfan", 3.0, 1.0, (FOR, AGAINST, LEFT))
SECOND = Ranked(
    2, 1, ("ORPHA:2",), "Loeys", 2.0, 4.0, (replace(FOR, value=2.0), replace(AGAINST, value=1.5), LEFT)
)


@pytest.fixture
def found() -> Any:  # noqa: ANN401
    part = like(label="tall", here=0.9, there=0.1)
    reasons = (
        like(support=(FOR,), against=(AGAINST,), unexplained=(LEFT,), next=(part,)),
        like(support=(), against=(), unexplained=(LEFT,), next=()),
    )
    ranking = like(diseases=(FIRST, SECOND), unknown=(), mapped=(), left_out=2)
    diseases = like(terminology=like(row=lambda code: None, label_of=lambda code: code))
    options = like(leave_out=True, prevalence=True)
    return like(
        ranking=ranking, reasons=reasons, diseases=diseases, options=options, publications=(7, 8), fits=True,
        diagnosis="", rank=None,
    )  # fmt: skip


def test_a_disease_is_listed_with_what_speaks_for_and_against_it(found: Any) -> None:  # noqa: ANN401
    first, second = disease_rows(found)
    assert [(row.rank, row.code, row.name) for row in (first, second)] == [
        (1, "ORPHA:1", "Marfan"),
        (2, "ORPHA:2", "Loeys"),
    ]
    assert [(row.evidence, row.share) for row in (first, second)] == [(1.0, 0.25), (4.0, 1.0)]
    none = replace(found.ranking.diseases[0], evidence=0.0)
    ranking = like(**{**vars(found.ranking), "diseases": (none,)})
    nothing = like(**{**vars(found), "ranking": ranking, "reasons": found.reasons[1:]})
    assert [row.share for row in disease_rows(nothing)] == [0.0]
    assert (first.below, second.below) == ("1 of 2 explained · against: no B", "0 of 1 explained")
    assert (first.supports, second.supports) == (frozenset("A"), frozenset())
    assert reason_words(found, 0) == "\n".join(
        [
            "Marfan (ORPHA:1, OMIM:1), evidence +1.0",
            "For: A +2.5",
            "Against: no B -1.0",
            "Unexplained: C -0.5",
            "Look for, against Loeys: tall (90% here, 10% there)",
            FREQUENCIES,
        ]
    )
    assert reason_words(found, 1) == "Loeys (ORPHA:2), evidence +4.0\nUnexplained: C -0.5"
    found.reasons[1].next = found.reasons[0].next
    assert "Look for, against Marfan: tall" in reason_words(found, 1)
    assert side_by_side(found, 0, 1) == [
        ("no B", "-1.0", "+1.5"),
        ("A", "+2.5", "+2.0"),
        ("C", "-0.5", "-0.5"),
        ("All 3 findings", "+1.0", "+4.0"),
    ]


def test_the_chosen_disease_stays_so_wherever_it_is_ranked_then(qtbot: QtBot, found: Any) -> None:  # noqa: ANN401
    view = DiseaseList()
    qtbot.addWidget(view)
    first, second = disease_rows(found)
    view.put([first, second])
    view.setCurrentIndex(view.diseases.index(1))
    chosen: list[int] = []
    view.chosen.connect(chosen.append)
    view.put([second, first])
    assert (chosen, view.row) == ([0], 0)
    view.put([first])
    assert view.row == -1


def test_of_a_ranking_is_said_what_must_be_known_of_it(found: Any) -> None:  # noqa: ANN401
    assert publication_words(found) == "Left out: 2 rows citing PMID:7, PMID:8"
    assert order_words(found).startswith("Not by evidence alone. Ordered by score")
    assert nothing_words(found) == ""
    found.fits, found.diagnosis, found.ranking.unknown = False, "Marfan syndrome", ("HP:1",)
    not_ranked = "The report's diagnosis: Marfan syndrome, not in the ranking."
    assert nothing_words(found) == f"No terms of this release, and not counted: HP:1. {not_ranked} {NO_FIT}"
    found.rank = 1200
    assert "Marfan syndrome, rank 1,200." in nothing_words(found)
    found.diagnosis, found.ranking.unknown, found.publications = "", (), ()
    found.ranking.diseases = (SECOND, FIRST)
    assert order_words(found).startswith("Ordered by score")
    found.ranking.diseases = ()
    assert (order_words(found), nothing_words(found)) == ("", "No ranking yet: accept what is present first.")
    assert publication_words(found) == "No PubMed id: disease data taken from this report may count"


def test_one_goes_round_what_is_left_to_judge_and_is_told_where_nothing_is(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts: list[object] = []
    monkeypatch.setattr(session.worker, "act", lambda *call, **_: acts.append(call))
    work = ProfileWork(session)
    said: list[str] = []
    work.message.connect(said.append)
    work.next()
    work.previous()
    work.accept()
    work.accept_all()
    assert said == [
        "Nothing here is left to judge.",
        "There are no terms here.",
        "No term is current here; click one, or go to the next suggestion.",
        "Nothing is suggested here that is not judged.",
    ]
    said.clear()
    own, first, second = (Item(span(name, at), coding(name), how) for name, at, how in TERMS)
    work.items = (own, first, second)
    work.previous()
    assert work.current == "second", "the last, where none is current"
    work.set_current("")
    work.next()
    assert work.current == "first"
    work.next()
    work.next()
    assert (work.current, said) == ("first", [])
    work.previous()
    work.previous()
    assert (work.current, said) == ("own", ["This is the first one."])
    work.accept()
    assert (work.current, said[1:], acts) == ("first", ["term own is in the profile already."], [])
    work.reject()
    assert (work.current, len(acts), [work.is_open(one) for one in work.items]) == (
        "second",
        1,
        [False, False, True],
    )
    work.set_current("second")
    said.clear()
    work.next()
    assert (work.current, said) == ("second", ["Nothing else here is left to judge."])
    work.accept_all()
    assert (len(acts), said[1:]) == (2, ["Nothing here is left to judge."])
    work.set_diagnosis(replace(SECOND, codes=("OMIM:1",)))
    assert (len(acts), said[-1]) == (2, "Loeys has no code of Orphanet, by which a diagnosis is said.")
    work.set_diagnosis(FIRST)
    assert len(acts) == 3


TERMS: tuple[tuple[str, int, Any], ...] = (
    ("own", 1, "own"),
    ("first", 20, "suggested"),
    ("second", 40, "suggested"),
)
