"""What commands on studies, corpora and classifications write for people, of values made by hand."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.cli.commands.corpus import extract as corpus
from app.cli.commands.corpus import results
from app.cli.commands.exchange import export
from app.cli.commands.icd11 import map_
from app.cli.commands.study import answering, items, score
from app.cli.commands.terminology import concepts
from app.tables import Table
from extractors.model.errors import CallError
from tests.unit.app.cli.in_words import Lines, options, said

Plain = SimpleNamespace


def job(value: object) -> Generator[object, None, object]:
    """Work that ends with this."""
    yield from ()
    return value


def test_a_build_tells_what_it_brought_by_label_and_what_it_left_out(capsys: Lines) -> None:
    plain: dict[str, Any] = {
        "study": "s",
        "items": 1,
        "added": 0,
        "by": {},
        "left_out": {},
        "notes": (),
        "wrong": 0,
    }
    full = {**plain, "items": 1200, "added": 1100, "notes": ("Noted.",), "wrong": 2,
            "by": {"task": {"a": 1000, "b": 200}, "type": {}}, "left_out": {"too few": 3}}  # fmt: skip
    found: Any = (Plain(**full), Plain(**plain))
    assert [items.show_build(one, as_json=False) for one in found] == [1, 0]
    assert said(capsys) == [
        "1,200 items of s, 1,100 of them new.",
        "  task: a 1,000, b 200",
        "  left out: 3  too few",
        "  Noted.",
        "1 item of s, 0 of them new.",
    ]


def test_a_run_of_a_study_tells_what_was_answered_now_and_what_failed(capsys: Lines) -> None:
    plain: dict[str, Any] = {"run": "m", "answered": 3, "items": 4, "calls": 1, "reused": 2000,
                             "seconds": 1.25, "failed": {}, "unasked": 0, "notes": ()}  # fmt: skip
    answering._show(Plain(**plain))  # type: ignore[arg-type]
    answering._show(Plain(**{**plain, "failed": {"cut": 2}, "unasked": 5, "notes": ("Noted.",)}))  # type: ignore[arg-type]
    first = ["m: 3 answers to 4 items.", "  1 answer given now, 2,000 taken over, 1.2 s"]
    assert said(capsys) == [*first, *first, "  failed: 2  cut", "  not asked yet: 5", "  Noted."]


def test_the_next_question_is_shown_with_its_round_and_how_many_are_left(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = Plain(id="i", task="t", input={"question": "Why?", "options": ["a"]})
    found = Plain(kept=Plain(item=item), round=2, left=3, again=None, allowed=[("Only", "a")])
    asked = options(project=None, person="Ann")
    wanted: Any = None
    for one, lines in ((found, ["i  (round 2, 3 left)", "  question: Why?", '  options: ["a"]', "  Only: a"]),
                       (None, ["Everything is answered."])):  # fmt: skip
        monkeypatch.setattr(answering, "study_of", lambda _: None)
        monkeypatch.setattr(answering, "next_question", lambda *_, one=one: one)
        assert answering._show_next(asked, wanted) == 0
        assert said(capsys) == lines
    found.again = {"order": 2}
    monkeypatch.setattr(answering, "next_question", lambda *_: found)
    answering._show_next(options(project=None, person="Ann", json=True), wanted)
    told = json.loads(capsys.readouterr().out)
    assert (told["again"], told["allowed"]) == ({"order": 2}, {"Only": "a"})


def test_who_judges_needs_what_goes_with_it_and_is_told_what_stays_unscored(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain: dict[str, Any] = {**dict.fromkeys(answering._JUDGE_ONLY),
                             "rater": "", "sheet": None, "template": None, "blind": False, "replay": "r",
                             "judge": "m", "runs": None, "per": "answer", "project": None,
                             "new_run": True}  # fmt: skip
    monkeypatch.setattr(answering, "study_of", lambda _: None)
    monkeypatch.setattr(answering, "asking_of", lambda *_: None)
    monkeypatch.setattr(answering, "asdict", vars)
    for change in ({"sheet": "s"}, {"template": "t"}, {"blind": True}):
        with pytest.raises(CallError, match="are for a --rater"):
            answering.judge(options(**{**plain, **change}))
    for change in ({}, {"sheet": "s", "template": "t"}):
        with pytest.raises(CallError, match="needs a sheet"):
            answering.judge(options(**{**plain, "rater": "Ann", **change}))
    for unscored, stopped, code in ((0, "", 0), (2, "", 1), (0, "Stopped.", 1)):
        summary = Plain(rater="m", rated=1, unscored=unscored, stopped=stopped, notes=("Noted.",))
        monkeypatch.setattr(answering, "judge_answers", lambda *_, now=summary, **__: job(now))
        assert answering.judge(options(**plain)) == code
        told = capsys.readouterr()
        assert told.out.splitlines() == [f"m judged 1 answer in full, {unscored} unscored.", "Noted."]
        # With --new-run it would begin anew.
        assert ("without --new-run, and with --resume, goes on" in told.err) == bool(stopped)
    monkeypatch.setattr(answering, "rate_answers", lambda *_, **__: Plain(rater="Ann", rated=2, unscored=1))
    plain |= dict.fromkeys(answering._JUDGE_ONLY)
    assert answering.judge(options(**{**plain, "rater": "Ann", "sheet": "s"})) == 0
    assert said(capsys) == ["Ann rated 2 answers in full, 1 in part."]


def test_scores_stand_in_tables_and_files_have_the_labels_of_the_page_as_well(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels: list[list[str]] = []

    def scoring(
        project: object, study: object, runs: object, by: list[str], *_: object, **__: object
    ) -> object:
        labels.append(list(by))
        return job(Plain(by={"task": 0}))

    table = Table(("a",), (("x",),))
    for name, value in {
        "study_of": Plain(title="T"), "page_labels": ["type", "task"], "settings_of": {}, "tasks_of": (),
        "write_scores": [], "scores_table": table, "pairs_table": table, "notes_of": ["N."],
    }.items():  # fmt: skip
        monkeypatch.setattr(score, name, lambda *_, value=value, **__: value)
    monkeypatch.setattr(score, "scoring_study", scoring)
    monkeypatch.setattr(score, "text_lines", lambda table: [f"({table.title})"])
    monkeypatch.setattr(score, "replace", lambda table, title: Plain(title=title))
    table_2: Any = Plain(title="Two")
    monkeypatch.setattr(score, "tables_of", lambda *_: {"2": table_2})
    plain: dict[str, Any] = {"project": None, "by": ["task"], "csv": None, "html": None, "svg": None,
                             "runs": None, "profile": "strict", "published": False}  # fmt: skip
    assert score.score(options(**plain)) == 0
    titles = ["T", "By task", "Differences", "Table 2. Two"]
    assert said(capsys) == [*(line for one in titles for line in (one, f"({one})", "")), "N."]
    for kind in ("csv", "html", "svg"):
        monkeypatch.setattr(score, "write_scores", lambda *_, kind=kind: [f"out.{kind}"])
        assert score.score(options(**{**plain, kind: Path("x")})) == 0
        assert said(capsys) == [f"Written: out.{kind}"]
    assert labels == [["task"], *[["task", "type"]] * 3]


def test_a_corpus_is_told_by_what_was_made_and_each_reason_for_what_was_not(capsys: Lines) -> None:
    plain: dict[str, Any] = {"reports": 10, "quotes": 1, "made": 1, "reused": 2, "new": 3, "seconds": 2.0,
                             "rate": 1.5, "left_out": {}, "failed": {}}  # fmt: skip
    corpus._show(Path("c"), Plain(**plain))  # type: ignore[arg-type]
    corpus._show(Path("c"), Plain(**{**plain, "left_out": {"no case": 4}, "failed": {"damaged": 5}}))  # type: ignore[arg-type]
    first = [
        "c: 10 reports with 1 quote.",
        "  1 part made, 2 there already; 3 reports in 2.0 seconds, 1.5 a second",
    ]
    assert said(capsys) == [
        *first, *first, "  left out, no case: 4", "  set aside, damaged: 5",
        f"  each with its sentence in {Path('c/left_out')}",
    ]  # fmt: skip


def test_what_is_found_in_a_corpus_goes_into_a_project_each_report_once(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    hit: dict[str, Any] = {
        "report": "R1",
        "title": "One",
        "year": None,
        "left": "a\n ",
        "text": "b",
        "right": " c",
    }
    found = Plain(
        total=9, hits=[Plain(**hit), Plain(**{**hit, "year": 1999}), Plain(**{**hit, "report": "R2"})]
    )
    put: list[object] = []
    monkeypatch.setattr(results, "asdict", vars)
    monkeypatch.setattr(results, "search_corpus", lambda *_: job(found))

    def making(*given: object) -> object:
        put.append(given)
        return job("p")

    monkeypatch.setattr(results, "making_project", making)
    plain: dict[str, Any] = {"folder": "f", "text": "t", "category": None, "limit": 3, "to": None}
    lines = ["R1  One", "    …a [b] c…", "R1  One  1999", "    …a [b] c…", "R2  One", "    …a [b] c…",
             "9 hits, 3 of them shown."]  # fmt: skip
    assert results.search(options(**plain)) == 0
    assert said(capsys) == lines
    assert results.search(options(**{**plain, "to": "p"})) == 0
    assert said(capsys) == [*lines, "2 reports put into p."]
    assert put == [("f", "p", ["R1", "R2"])]
    found.hits = []
    assert results.search(options(**{**plain, "to": "p"})) == 0
    assert (said(capsys), len(put)) == (["9 hits, 0 of them shown."], 1)


def test_a_sample_tells_its_strata_where_there_are_several(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain: dict[str, Any] = {"folder": "c", "to": "p", "count": 3, "by": "category", "seed": 1}
    for strata, more in (
        ({"": (3, 1000)}, []),
        (
            {"GI": (2, 900), "": (1, 100)},
            ["stratum  drawn  of", "GI       2      900", "others   1      100"],
        ),
    ):
        made = Plain(project="p", drawn=3, reports=1000, strata=strata)
        monkeypatch.setattr(results, "sample_corpus", lambda *_, made=made: job(made))
        assert results.sample(options(**plain)) == 0
        lines = said(capsys)
        assert lines[0] == "3 reports of 1,000 drawn into p."
        assert lines[3:] == more


def test_rows_to_be_mapped_are_read_by_their_headings_and_each_candidate_has_its_rank(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('\ufeffNote, Title ,CODE\nx,"Gout, acute",M10\ny,Ague,\nz\n', "utf-8")
    assert map_._rows(path, codes=True) == [("M10", "Gout, acute"), ("", "Ague"), ("", "")]
    path.write_text("title\nGout\n", "utf-8")
    assert map_._rows(path, codes=False) == [("", "Gout")]
    for text, codes, lacking in (("title\n", True, "code"), ("code\n", False, "title"), ("", False, "title")):
        path.write_text(text, "utf-8")
        with pytest.raises(CallError, match=f"no column “{lacking}”"):
            map_._rows(path, codes=codes)
    path.write_bytes("title\nAgué".encode("latin-1"))
    with pytest.raises(CallError, match="no text in UTF-8"):
        map_._rows(path, codes=False)
    with pytest.raises(CallError, match="cannot be read"):
        map_._rows(tmp_path / "none.csv", codes=False)
    candidates = [
        Plain(code=code, label=code.lower(), uri="u", score=1.0, step="table") for code in ("A", "B")
    ]
    mapped: Any = [Plain(code="M10", title="Gout", candidates=candidates, reason=""),
                   Plain(code="X", title="Odd", candidates=[], reason="Nothing like it.")]  # fmt: skip
    classes: Any = Plain(release="2024", citation="WHO")
    rows = list(csv.reader(io.StringIO(map_._table(mapped, classes).lstrip("\ufeff"))))[1:]
    assert [(row[0], row[2], row[3], row[8]) for row in rows] == [
        ("M10", "1", "A", ""),
        ("M10", "2", "B", ""),
        ("X", "", "", "Nothing like it."),
    ]
    assert {tuple(row[9:]) for row in rows} == {("2024", "WHO")}


def test_words_that_are_not_the_terminologys_own_are_marked() -> None:
    hits: list[Any] = [Plain(matched=Plain(text="fits", kind=kind)) for kind in ("label", "lexicon", "icd10")]
    assert [concepts._matched(one) for one in hits] == ["fits", "fits (our words)", "fits (ICD-10)"]


def test_packets_are_told_with_how_they_come_back_and_a_merge_with_what_did_not_come(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = [
        Plain(file=f"{name}.casespan", annotator=name, reports=at, words=10 * at)
        for at, name in ((1, "ann"), (2, "ben"))
    ]
    monkeypatch.setattr(export, "cut_packets", lambda *_, **__: job(cut))
    asked = options(project=None, path="p.casespan", folder="f", to=["ann", "ben"], overlap=None, seed=0)
    assert export.packet(asked) == 0
    assert said(capsys) == [
        "ann.casespan: 1 report, 10 words for ann.",
        "ben.casespan: 2 reports, 20 words for ben.",
        "When they come back: casespan merge p.casespan ann.casespan ben.casespan",
    ]
    monkeypatch.setattr(export, "asdict", vars)
    monkeypatch.setattr(export, "describe_merge", lambda merged, preview: [f"preview {preview}"])
    for refused in ([], [Plain()]):
        tables = ("added", "changed", "removed", "settled", "kept")
        merged = Plain(
            **{name: Counter() for name in tables}, same=0, unassigned={}, conflicts=(), refused=refused
        )
        monkeypatch.setattr(export, "bring_together", lambda *_, merged=merged, **__: job(merged))
        assert export.merge(options(project=None, others=(), preview=True)) == len(refused)
        assert said(capsys) == ["preview True"]


def test_an_answer_is_an_item_with_its_value_as_json(capsys: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    plain: dict[str, Any] = {"item": "i", "value": '{"a": 1}', "next": False, "close": False, "sheet": None,
                             "count": None, "person": "Ann", "seconds": 3.0, "project": None}  # fmt: skip
    parts: dict[str, Any] = {"study_of": None, "tasks_of": ("t", "u"), "settings_of": {}, "labels_of": {}}
    for name, value in parts.items():
        monkeypatch.setattr(answering, name, lambda *_, value=value: value)
    given: list[object] = []

    def record(project: object, study: object, person: str, answers: list[Any], wanted: object) -> int:
        given.extend((person, one.item, one.task, one.value, one.seconds) for one in answers)
        return len(answers)

    monkeypatch.setattr(answering, "record_answer", record)
    for change in ({"item": None}, {"value": None}):
        with pytest.raises(CallError, match="go together"):
            answering.answer(options(**{**plain, **change}))
    with pytest.raises(CallError, match="is not JSON"):
        answering.answer(options(**{**plain, "value": "yes"}))
    assert answering.answer(options(**plain)) == 0
    assert given == [("Ann", "i", "t", {"a": 1}, 3.0)]
    monkeypatch.setattr(answering, "close_answers", lambda *_: 1)
    assert answering.answer(options(**{**plain, "item": None, "value": None, "close": True})) == 0
    assert said(capsys) == ["1 answer recorded.", "Closed with 1 answer."]


def test_a_sheet_for_a_rater_is_written_while_the_project_is_only_read() -> None:
    writes = answering.JUDGE.writes
    assert callable(writes)
    assert [writes(options(template=given)) for given in ("sheet.csv", None)] == [False, True]
