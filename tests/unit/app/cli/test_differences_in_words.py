"""What commands on differences, decisions, ratings and reviews write for people, of values made by hand."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.cli.commands.reconcile import agree, amend, queue, rate, resolve, review
from app.cli.differences import adjudicator, words
from extractors.model.errors import CallError
from extractors.model.finding import Finding
from tests.unit.app.cli.in_words import Lines, options, said

Plain = SimpleNamespace
FEVER = Finding("GI", "fever  of\n39", 3, 14, polarity="negated", field="sign")
NOWHERE = Finding("GU", "pain", None, None)


def test_a_finding_is_told_in_one_line_with_its_place() -> None:
    assert words(FEVER) == "fever of 39  [GI, sign, negated; 3-14]"
    assert words(NOWHERE) == "pain  [GU, present; no place]"
    project = Plain(owner="Own")
    assert adjudicator(options(by="Ann", project=project)) == "Ann"
    assert adjudicator(options(by=None, project=project)) == "Own"
    with pytest.raises(CallError, match="--by"):
        adjudicator(options(by=None, project=Plain(owner="")))


def test_of_the_queue_is_listed_what_every_filter_lets_through(capsys: Lines) -> None:
    def difference(name: str, kind: str, *categories: str) -> Any:  # noqa: ANN401 (stands for a difference)
        return Plain(id=name, kind=kind, left=(Plain(finding=FEVER, concepts=()),), right=(),
                     group=Plain(categories=categories))  # fmt: skip

    pair: Any = Plain(id="P", kind="pair", report="R1", category="GI", tsr=12.4, title="One",
                 differences=(difference("a", "missing", "GI"),
                              difference("b", "label", "GI", "GU")))  # fmt: skip
    single: Any = Plain(id="S", kind="label", report="R2", category="GU", tsr=80.6, title="Two",
                   differences=(difference("c", "label", "GU"),))  # fmt: skip
    asked_again: Any = Plain(**{**vars(single), "id": "A"})
    state = {"P": "open", "S": "decided", "A": "asked", "a": "open", "b": "asked", "c": "decided"}
    given: Any = Plain(
        state_of=lambda item: state[item.id], state=state.get, left=Plain(name="ana"), right=Plain(name="ben")
    )
    plain: dict[str, Any] = {"state": "all", "kind": None, "category": None, "document": None}
    for change, kept in (
        ({}, "PSA"), ({"state": "undecided"}, "PA"), ({"state": "decided"}, "S"), ({"state": "asked"}, "A"),
        ({"state": "open"}, "P"), ({"kind": ["label"]}, "PSA"), ({"kind": ["missing", "boundary"]}, "P"),
        ({"category": ["GU"]}, "PSA"), ({"category": ["GI"]}, "P"), ({"document": ["R2"]}, "SA"),
        ({"document": ["R2"], "category": ["GI"]}, ""),
    ):  # fmt: skip
        wanted = options(**{**plain, **change})
        there = [one.id for one in (pair, single, asked_again) if queue._wanted(wanted, given, one)]
        assert "".join(there) == kept, change
    queue._show(given, pair)
    queue._show(given, single)
    sides = ["        ana:", "            fever of 39  [GI, sign, negated; 3-14]", "        ben: (nothing)"]
    assert said(capsys) == [
        "",
        "P  category  R1  GI  score 12  open",
        "    One",
        "    a  missing  open",
        *sides,
        "    b  label  asked",
        *sides,
        "",
        "S  label  R2  GU  score 81  decided",
        *sides,
    ]
    single.differences[0].kind = "concept"
    queue._show(given, single)
    assert said(capsys)[3] == f"{sides[1]}  no concept"


def test_what_is_to_be_known_of_sets_stands_below_the_table_of_every_pair(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = Plain(names=("ana", "ben"), shares=str.upper, caveats_on=lambda *names: [f"{names[1]} copied."])
    monkeypatch.setattr(agree, "read_sets", lambda *_: sets)
    monkeypatch.setattr(agree, "compare_every_pair", lambda *_: ["pairs"])
    monkeypatch.setattr(agree, "pairs_table", lambda *parts: [one for part in parts for one in part])
    files = dict.fromkeys(("svg", "png", "html", "csv"))
    assert agree._every_pair(options(project=None, annotators=None, profile="paper", **files)) == 0
    assert said(capsys) == ["pairs", "ANA", "BEN", "ben copied."]


def test_corrections_are_counted_by_what_was_kept_and_told_from_both_sides(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"report": "R1", "kind": "label", "category": "GI", "reason": "slip"}
    found = [
        Plain(**one, kept=True, mine=(FEVER,), gold=(FEVER,), note="", clause=""),
        Plain(**one, kept=False, mine=(FEVER,), gold=(), note="why", clause="2.1"),
        Plain(**one, kept=False, mine=(), gold=(NOWHERE,), note="", clause="3"),
    ]
    monkeypatch.setattr(queue, "list_corrections", lambda *_: found)
    queue._show_corrections(options(project=None, corrections="ana"))
    told = "        fever of 39  [GI, sign, negated; 3-14]"
    assert said(capsys) == [
        "3 decided differences of ana: 1 kept, 2 corrected.",
        "",
        *("R1  label  GI  kept  slip", "    ana:", told, "    gold:", told),
        "",
        *("R1  label  GI  corrected  slip", "    ana:", told, "    gold: (nothing)", "    why 2.1"),
        "",
        *("R1  label  GI  corrected  slip", "    ana: (nothing)", "    gold:"),
        *("        pain  [GU, present; no place]", "    3"),
    ]


def test_what_is_left_after_decisions_are_those_that_neither_these_nor_earlier_ones_settled(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {"a": "decided", "b": "decided", "c": "open", "d": "open", "e": "asked"}
    found = Plain(differences=before, state=before.get)
    taken = [
        Plain(difference=name, choice=choice) for name, choice in (("b", "ask"), ("c", "left"), ("d", "ask"))
    ]
    monkeypatch.setattr(resolve, "read_queue", lambda *_, **__: found)
    monkeypatch.setattr(resolve, "decide_all", lambda *_: taken)
    monkeypatch.setattr(resolve, "_orders", lambda _: [])
    monkeypatch.setattr(resolve, "decision_json", lambda one: one.difference)
    asked = options(
        project=Plain(owner="Ann"), left="l", right="r", below=30, by=None, alike=[], dry_run=False
    )
    assert resolve.resolve(asked) == 0
    assert said(capsys) == ["Decided on 3 differences; 3 undecided."]
    assert resolve._span("120:134:DERM") == (120, 134, "DERM", "present", "")
    assert resolve._span("0:9:GI:negated:a:b") == (0, 9, "GI", "negated", "a:b")


def test_ratings_are_asked_for_one_purpose_at_a_time_and_tell_whether_they_are_whole(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain: dict[str, Any] = {
        "score": None, "note": None, "remove": False, "sheet": None, "template": None, "csv": None,
        "html": None, "document": None, "blind": False, "runs": None, "rater": None, "project": None,
    }  # fmt: skip
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"score": [("a", 1)], "remove": True}, "--score and --remove"),
        ({"note": "x", "csv": "f"}, "--score and --csv"),
        ({"csv": "f", "html": "g"}, "--csv and --html"),
        ({"document": "R1"}, "--document is for rating"),
        ({"json": True, "html": "g"}, "--json and --html"),
        ({"blind": True}, "The means name the runs"),
        ({"blind": True, "csv": "f"}, "The means name the runs"),
    )
    for change, sentence in refused:
        with pytest.raises(CallError, match=sentence):
            rate._require_one_purpose(options(**{**plain, **change}))
    for change in ({}, {"blind": True, "sheet": "s"}, {"document": "R1", "remove": True}, {"json": True}):
        rate._require_one_purpose(options(**{**plain, **change}))
    one = {**plain, "score": [("a", 4), ("b", 5)], "document": "R1", "rater": ["Ann"], "runs": ["m"]}
    for change in ({"rater": None}, {"document": None}, {"runs": ["m", "n"]}, {"runs": None}):
        with pytest.raises(CallError, match="each once"):
            rate._rate_one(options(**{**one, **change}))
    with pytest.raises(CallError, match="'a' twice"):
        rate._scores(options(score=[("b", 2), ("a", 1), ("a", 1)]))
    with pytest.raises(CallError, match="One person rates at a time"):
        rate._rater(options(rater=["Ann", "Ben"]))
    told = {"refused": (), "rated": 3, "partial": 1, "empty": 2}
    for change, sentence in (({}, "3 outputs rated, 1 of them in part; 2 rows left empty."),
                             ({"partial": 0, "empty": 0, "rated": 1}, "1 output rated.")):  # fmt: skip
        monkeypatch.setattr(rate, "read_rating_sheet", lambda *_, now=change, **__: Plain(**{**told, **now}))
        monkeypatch.setattr(rate, "asdict", vars)
        assert rate._read(options(**{**plain, "sheet": "s.csv"})) == 0
        assert said(capsys) == [sentence]
    monkeypatch.setattr(
        rate, "read_rating_sheet", lambda *_, **__: Plain(**{**told, "refused": ("line 2: no",)})
    )
    assert rate._read(options(**{**plain, "sheet": "s.csv"})) == 1


def test_a_draft_is_of_a_decision_or_of_what_was_typed_and_never_of_half_of_it(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain: dict[str, Any] = {
        "from_decision": None, "category": "GI", "section": None, "clause": None, "example": None,
        "quote": None, "field": None, "polarity": None, "nothing": None,
    }  # fmt: skip
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"from_decision": "d"}, "says itself"),
        ({"from_decision": "d", "category": None, "nothing": "x"}, "says itself"),
        ({}, "Say what to add"),
        ({"category": None, "clause": "c", "section": "include"}, "Say what to add"),
        ({"clause": "c"}, "needs a --section"),
        ({"example": "e", "section": "include"}, "needs a --section"),
        ({"clause": "c", "section": "include", "polarity": "negated"}, "go with --example"),
        ({"example": "e", "quote": ["q"], "nothing": "n"}, "not both"),
    )
    for change, sentence in refused:
        with pytest.raises(CallError, match=sentence):
            amend._draft(options(**{**plain, **change}))
    made = amend._draft(options(**{**plain, "example": "e", "quote": ["q", "r"], "field": "f"}))
    assert [(one.quote, one.field, one.polarity) for one in made.example_quotes] == [
        ("q", "f", "present"),
        ("r", "f", "present"),
    ]
    amended = Plain(category="GI", author="Ann", section="Include", clause="c", example="e\n\nf")
    reports = [Plain(report=one) for one in ("R1", "R1", "R2")]
    monkeypatch.setattr(amend, "amend_guideline", lambda *_: amended)
    for listed, last in (
        (reports, ["2 reports worked on before: casespan amend p --outdated"]),
        (reports[:2], ["1 report worked on before: casespan amend p --outdated"]), ([], []),
    ):  # fmt: skip
        monkeypatch.setattr(amend, "list_outdated", lambda *_, listed=listed: listed)
        typed = {**plain, "example": "e", "list": False, "outdated": False, "dry_run": False, "by": None}
        assert amend.amend(options(**typed, project=None, path="p")) == 0
        assert said(capsys) == [
            "Amended the guideline of GI (Ann).", "  Include: c", "  e", "  f", *last,
        ]  # fmt: skip
    since = [Plain(uuid=str(n), amended_at=f"day {n}") for n in range(2)]
    outdated: Any = Plain(report="R1", annotator="Ann", category="GI", worked_on="day", amended_at="day 1",
                          amendments_since=since)  # fmt: skip
    assert amend._row(outdated) == ("R1", "Ann", "GI", "day", "day 1", "2 amendments")
    assert amend._as_json(outdated)["amendments_since"] == ["0", "1"]


def test_a_review_tells_of_each_span_what_was_said_of_it_and_what_accepting_it_would_replace(
    capsys: Lines,
) -> None:
    def mark(uuid: str, quote: str, start: int | None, **more: Any) -> Any:  # noqa: ANN401 (stands for a span)
        end = None if start is None else start + len(quote)
        return Plain(uuid=uuid, finding=Finding("GI", quote, start, end, **more))

    mine, theirs, lost = (
        mark("m" * 12, "pain", 5),
        mark("t" * 12, "pain here", 5),
        mark("l" * 12, "odd", None),
    )
    rows = [
        Plain(category="GI", relation="overlap", left=(mine,), right=(theirs,)),
        Plain(category="GI", relation="covers", left=(mine,), right=(lost,)),
        Plain(category="GU", relation="only mine", left=(mark("n", "no", 9, polarity="negated"),), right=()),
    ]
    given: Any = Plain(report="R1", judged=1, items=(1, 2), rows=rows, reviewer="ana",
                       verdicts={lost.uuid: Plain(verdict="rejected")})  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(review, "in_place_of", lambda row, one: row.left)
        review._echo_review(given)
    assert said(capsys) == [
        "R1  1 of 2 judged",
        "  GI",
        "    overlap",
        "      ana: 'pain' (5-9)",
        f"      {'t' * review._ID}  'pain here' (5-14)",
        "                accepting replaces yours: 'pain' (5-9)",
        "    covers",
        "      ana: 'pain' (5-9)",
        f"      {'l' * review._ID}  'odd' (no place)  [rejected]",
        "  GU",
        "    only mine",
        "      ana: 'no' (9-11, negated)",
    ]


def test_of_an_empty_queue_it_is_said_whether_anything_differs_and_scripts_hear_what_must_be_known(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = Plain(id="P", kind="pair", report="R1", title="T", category="GI", tsr=1.0, left=(), right=(),
                 differences=())  # fmt: skip
    found = Plain(
        items=[item], differences={"a": item}, caveats=("Ann copied.",), state_of=lambda _: "decided"
    )
    monkeypatch.setattr(queue, "read_queue", lambda *_, **__: found)
    monkeypatch.setattr(queue, "keys_named", lambda *_: ())
    monkeypatch.setattr(queue, "queue_sentences", lambda _: [])
    sides = {"project": None, "left": "a", "right": "b", "below": 30, "order": "worst"}
    asked = options(**sides, state="open", kind=None, category=None, document=None)
    assert queue.queue(asked) == 0
    assert said(capsys) == ["Ann copied.", "Nothing of the queue is as asked for."]
    found.differences = {}
    queue.queue(asked)
    assert said(capsys)[-1] == "Nothing to reconcile: both sides agree on everything."
    asked.json, asked.state = True, "all"
    queue.queue(asked)
    (told,) = json.loads("".join(said(capsys)))
    assert (told["id"], told["remarks"]) == ("P", ["Ann copied."])


def test_a_span_is_typed_with_its_polarity_and_a_verdict_without_a_result_has_none() -> None:
    assert resolve._span("1:5:GI:negated:sign") == (1, 5, "GI", "negated", "sign")
    assert resolve._span("1:5:GI") == (1, 5, "GI", "present", "")
    verdict = Plain(verdict="rejected", relation="same", result="", seconds=None, judged_at="now")
    told = review._plain_verdict(cast(Any, Plain(verdicts={"u": verdict})), cast(Any, Plain(uuid="u")))
    assert told is not None
    assert told["result"] is None
