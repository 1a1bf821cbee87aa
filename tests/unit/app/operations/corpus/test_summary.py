"""What is said of a corpus and of how good it is, worked out of counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from app.agreement.survey import Share
from app.operations.corpus.quality import (
    Estimate,
    Quality,
    _look,
    _quality,
    quality_json,
    quality_sentences,
    quality_tables,
)
from app.operations.corpus.schema import Manifest
from app.operations.corpus.summary import (
    Contents,
    OfCategory,
    _rung,
    summary_json,
    summary_sentences,
    summary_tables,
)
from app.reconcile.types import SideQuote
from extractors.model.finding import Finding, Polarity


def contents(state: str = "done") -> Contents:
    return Contents(
        Manifest("extract", "rules", {}, {}, state=state),
        reports=4,
        words=1500,
        years=Counter({"2020": 1, "not known": 1, "2019": 2}),
        journals=Counter({f"J{number:02}": 1 for number in range(22)}) + Counter(J05=1),
        categories={"GI": OfCategory(2, 1, 9, 1), "CVS": OfCategory(6, 3, 12, 0), "": OfCategory(2, 2, 2, 2)},
        lengths={"reports": Counter({0: 3, 5: 1}), "quotes": Counter({1: 2})},
        left_out=Counter({"repeated": 2, "crashed": 1}),
        calls=Counter(done=3, failed=1),
    )


def test_a_corpus_is_summed_up_by_category_year_journal_and_length() -> None:
    tables = summary_tables(contents())
    assert tables["categories"].rows == (
        ("CVS", 6, 3, 75.0, 2.0, 0.0),
        ("(none)", 2, 2, 50.0, 1.0, 100.0),
        ("GI", 2, 1, 25.0, 4.5, 50.0),
    )
    assert tables["years"].rows == (("2019", 2), ("2020", 1), ("not known", 1))
    assert tables["report_lengths"].rows == (
        *(("0–500", 3), ("501–1000", 0), ("1001–2000", 0), ("2001–4000", 0)),
        *(("4001–8000", 0), ("over 8000", 1)),
    )
    assert tables["quote_lengths"].rows[:2] == (("0–5", 0), ("6–10", 2))
    assert tables["left_out"].rows == (("crashed", "failed", 1), ("repeated", "left out", 2))
    many = replace(contents(), reports=23)
    journals = summary_tables(many)["journals"].rows
    assert journals[:2] == (("J05", 2), ("J00", 1))
    assert (len(journals), journals[-1]) == (21, ("others", 2))
    few = replace(contents(), journals=Counter(B=1, A=1, C=2))
    assert summary_tables(few)["journals"].rows == (("C", 2), ("A", 1), ("B", 1))
    assert [_rung(words, "quotes") for words in (0, 5, 6, 80, 81)] == [0, 0, 1, 4, 5]


def test_sentences_on_a_corpus_say_what_lacks_and_nothing_of_what_does_not() -> None:
    assert summary_sentences(contents()) == [
        "4 reports of 1,500 words with 10 quotes by rules, 30.0% of them without a place.",
        "2 left out and 1 failed.",
    ]
    bare = replace(contents("begun"), categories={}, left_out=Counter(), reports=0)
    assert summary_sentences(bare) == [
        "0 reports of 1,500 words with 0 quotes by rules.",
        "The corpus is not finished: only whole parts are counted.",
    ]
    assert summary_sentences(replace(bare, left_out=Counter(crashed=2)))[1] == "0 left out and 2 failed."
    told = summary_json(contents())
    assert (told["quotes"], told["ungrounded"], told["calls"]) == (10, 0.3, {"done": 3, "failed": 1})
    assert summary_json(bare)["ungrounded"] is None
    nothing = replace(bare, categories={"GI": OfCategory(1, 0, 1, 0)})
    assert summary_tables(nothing)["categories"].rows == (("GI", 1, 0, None, 1.0, 0.0),)


def mark(uuid: str, category: str, start: int, end: int, polarity: Polarity = "present") -> SideQuote:
    return SideQuote(uuid, Finding(category, "x" * (end - start), start, end, "", polarity), (), ())


def test_a_sample_tells_of_the_corpus_by_what_matches_is_invented_or_missed() -> None:
    same = {"GI": (mark("a", "GI", 0, 10), mark("b", "GI", 20, 30)), "CVS": ()}
    theirs = {
        "GI": (mark("c", "GI", 0, 8), mark("d", "GI", 20, 30, "negated")),
        "CVS": (mark("e", "CVS", 40, 50),),
        "RESP": (mark("f", "RESP", 60, 70),),
    }
    first = _look("r1", ("us", "them"), same, theirs)
    assert {name: (one.given, one.wanted, one.right) for name, one in first.counts.items()} == {
        "GI": (2, 2, 2),
        "CVS": (0, 1, 0),
    }
    assert first.errors == {"boundary": 1, "polarity": 1, "missed": 1}
    second = _look("r2", ("us", "them"), {"GI": (mark("g", "GI", 0, 9),)}, {"GI": ()})
    assert second.errors == {"invented": 1}
    design = {"strata": {"all": 10}, "reports": {"r1": "all", "r2": "all", "r3": "all"}}
    found = _quality(design, {"r1": first, "r2": second}, ["GI", "CVS", "RESP"], 0.1)
    every, bowels, hearts = (found.estimates[name] for name in ("all", "GI", "CVS"))
    assert (every.reports, bowels.reports, hearts.reports) == (2, 2, 1)
    assert [bowels.precision.value, bowels.recall.value] == pytest.approx([2 / 3, 1])
    assert bowels.f1 == pytest.approx(2 / 2.5)
    assert [every.precision.value, every.recall.value] == pytest.approx([2 / 3, 2 / 3])
    assert hearts == Estimate(Share(), Share(), None, 1)
    # Of two that match, one missed and one invented: four quotes, a pair counted once.
    assert {kind: one.value for kind, one in found.errors.items()} == {
        **dict.fromkeys(found.errors, 0.0),
        **dict.fromkeys(("boundary", "polarity", "missed", "invented"), 0.25),
    }
    assert (found.looked_at, found.drawn, found.reports) == (2, 3, 10)


def test_how_good_a_corpus_is_is_said_with_intervals_and_what_is_still_to_do() -> None:
    known, unknown = Share(0.5, (0.25, 0.75)), Share(0.5)
    of_all = Estimate(known, unknown, None, 9)
    found = Quality({"all": of_all}, {"missed": known}, 0.1, None, 3, 5, 1000)
    assert quality_json(found) == {
        "estimates": {
            "all": {
                **{"precision": 0.5, "precision_ci": [0.25, 0.75], "recall": 0.5, "recall_ci": None},
                **{"f1": None, "n": 9},
            }
        },
        "errors": {"missed": {"share": 0.5, "share_ci": [0.25, 0.75]}},
        "needed": {"width": 0.1, "reports": None},
    }
    estimates, errors = quality_tables(found)
    assert estimates.rows == (("all", 9, 0.5, "0.25–0.75", 0.5, "–", None),)
    assert errors.rows == (("missed", 0.5, "0.25–0.75"),)
    assert quality_sentences(found) == [
        "3 reports annotated of 5 drawn from 1,000.",
        "The others count as those of their stratum that were annotated.",
        "How many reports an interval takes cannot be said yet.",
    ]
    whole = replace(found, looked_at=5, needed=1)
    assert quality_sentences(whole)[1:] == ["Intervals of all no wider than 0.1 take some 1 more report."]
    enough = replace(whole, needed=0)
    assert quality_sentences(enough)[1:] == ["The intervals of all are no wider than 0.1."]
