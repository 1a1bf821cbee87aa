"""What commands write for people, of values made by hand: every number, name and order as it is."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.agreement.regions import RegionScore
from app.cli import profiles
from app.cli.commands.annotate import code, find, regions, view
from app.cli.commands.extract import extract, grid, models, phenotypes
from app.cli.commands.project import copies, import_
from app.cli.commands.project import list as listing
from app.formats.labels import Meaning
from app.formats.record import LeftOut
from app.operations.exchange.importing import ImportedReport, ImportNote, ImportSummary
from app.operations.exchange.labels import KeptLabel
from app.operations.extract.calling.asked import AskedPrompt, RunPrompts
from app.operations.extract.options import ModelSummary, RunOptions
from app.operations.profile import concepts
from app.operations.profile.profile import RELATIVE, RULES
from app.store.copies.rescue import Rescued
from extractors.model.errors import CallError
from extractors.model.finding import Finding
from extractors.terminology import library
from tests.unit.app.cli.in_words import Lines, options, said

Plain = SimpleNamespace


def overview(people: int, models: int, **more: object) -> Any:  # noqa: ANN401 (stands for an overview)
    annotators = [Plain(uuid=f"p{n}", name=f"Ann{n}", kind="person") for n in range(people)]
    annotators += [Plain(uuid=f"r{n}", name=f"run{n}", kind="run") for n in range(models)]
    given: dict[str, object] = {
        "path": Path("study.casespan"), "scheme": "CRB", "studies": {}, "runs": (), "calls": Counter(),
        "remotes": {}, "annotators": tuple(annotators),
        "documents": (Plain(uuid="d1", key="R1", title="One", sections=2),
                      Plain(uuid="d2", key="R2", title="Two " * 20, sections=1)),
        "annotations": Counter({("d1", "p0"): 3, ("d2", "p0"): 1, ("d2", "r0"): 4}),
        "reviews": [Plain(annotator="p0", state=state) for state in ("done", "parked", "done")],
    }  # fmt: skip
    return Plain(**{**given, **more})


def test_a_list_has_a_column_for_everybody_or_where_they_are_many_for_people(capsys: Lines) -> None:
    listing._show_reports(overview(3, 2))
    head, first, second = said(capsys)
    assert head.split() == ["report", "title", "sections", "Ann0", "Ann1", "Ann2", "run0", "run1"]
    assert first.split() == ["R1", "One", "2", "3", "0", "0", "0", "0"]
    assert second.split()[-6:] == ["1", "1", "0", "0", "4", "0"]
    assert "…" in second
    listing._show_reports(overview(3, 3))
    head, first, second = said(capsys)
    assert head.split() == ["report", "title", "sections", "Ann0", "Ann1", "Ann2"]
    assert (first.split()[-3:], second.split()[-3:]) == (["3", "0", "0"], ["1", "0", "0"])
    listing._show_reports(overview(6, 0))
    assert said(capsys)[0].split()[-6:] == [f"Ann{n}" for n in range(6)]


def test_a_list_tells_of_everybodys_work_and_of_each_run(capsys: Lines) -> None:
    run: dict[str, Any] = {"uuid": "u", "name": "m", "started_at": "NOW", "settings": {}}
    whole = Plain(**{**run, "state": "done", "settings": {"remote": "box", "about": "Played again."}})
    calls = Counter({("u", "ok"): 3, ("u", "failed"): 1, ("u", "divided"): 9, ("v", "ok"): 7})
    runs = (Plain(**{**run, "uuid": "w", "name": "n", "state": "running"}), whole)
    given = overview(1, 1, runs=runs, calls=calls, remotes={"u": ("away", "box")}, studies={"ebmqa": 1})
    listing._show(given, [Plain(sentence="given to Ann0: 2 reports")])  # type: ignore[list-item]
    lines = said(capsys)
    assert lines[:3] == ["study.casespan  (CRB)", "study ebmqa: 1 item", ""]
    assert lines[6:] == [
        "",
        "Ann0 (person): 4 annotations; reports: 2 done, 1 parked",
        "run0 (run): 4 annotations; reports: nothing annotated",
        "given to Ann0: 2 reports",
        "run n: running, or broken off, started NOW",
        "run m: done, started NOW; calls: 1 failed, 3 ok",
        "  the reports' text went to box, away",
        "  Played again.",
        "",
        "2 reports, 2 annotators",
    ]
    listing._show(overview(1, 0, documents=(), runs=runs[:1]), ())
    assert said(capsys)[1:] == [
        "run n: running, or broken off, started NOW",
        "No reports yet. Next: casespan import study.casespan REPORTS",
    ]


def test_prompts_are_shown_whole_and_what_a_prompt_has_of_the_one_before_only_once(capsys: Lines) -> None:
    given = ((1, "S", {"a": 1}), (2, "S", {"a": 2}), (3, "other", {"a": 2}))
    prompts = [AskedPrompt(str(n), f"R{n}", "GI", 0, 1, system, f"U{n}", form) for n, system, form in given]
    titles = [one.title for one in prompts]
    listing.show_prompts([RunPrompts("m", tuple(prompts), 0), RunPrompts("n", tuple(prompts[1:2]), 0)])
    lines = [line for line in said(capsys) if line]
    assert lines == [
        "run m",
        *(f"prompt 1  {titles[0]}", "system:", "S", "user:", "U1", "form:", '{"a": 1}'),
        *(f"prompt 2  {titles[1]}", "system: as before", "user:", "U2", "form:", '{"a": 2}'),
        *(f"prompt 3  {titles[2]}", "system:", "other", "user:", "U3", "form: as before"),
        "run n",
        *(f"prompt 2  {titles[1]}", "system:", "S", "user:", "U2", "form:", '{"a": 2}'),
    ]
    listing.show_prompts([])
    assert said(capsys) == ["No model was asked anything yet."]


def test_an_import_says_each_note_once_with_how_many_files_it_is_of(capsys: Lines) -> None:
    given = "a.xml#1 cut, b.xml cut, a.xml#2 cut, a.xml#3 cut, a.xml#1 odd"
    notes = [ImportNote(*one.split()) for one in given.split(", ")]
    import_._show(
        ImportSummary(
            added=[ImportedReport("R1", "T", "a.xml")],
            repeated=[LeftOut("b.xml", "", "there")],
            left_out=[LeftOut("c.xml", "", "bad", failed=True), LeftOut("d.xml", "", "worse")],
            notes=notes,
        )
    )  # fmt: skip
    assert said(capsys) == [
        "1 report added.",
        "  a.xml#1 and 2 more: cut",
        "  b.xml: cut",
        "  a.xml#1: odd",
        "1 record already there:",
        "  b.xml: there",
        "2 records left out:",
        "  c.xml: bad",
        "  d.xml: worse",
    ]
    import_._show(ImportSummary())
    assert said(capsys) == ["0 reports added.", "There was nothing to import in what was given."]
    for came in (
        ImportSummary(annotations=Counter(exact=3)),
        ImportSummary(labels=Counter(Age=3)),
        ImportSummary(nothing_found=3),
    ):
        import_._show(came)
        assert [line[:2] for line in said(capsys)] == ["0 ", "3 "]


def test_a_label_stands_for_what_was_said_or_stays_as_it_is() -> None:
    lines = [import_._line(KeptLabel("L", number, meaning, decided)) for number, meaning, decided in (
        (1, None, False), (2, None, True), (0, Meaning("GI", "", None), True),
        (3, Meaning("GI", "sign", "negated"), True),
    )]  # fmt: skip
    assert lines == [
        "L: 1 annotation kept as they are",
        "L: 2 annotations kept as they are, as was said",
        "L: stands for GI, 0 annotations kept",
        "L: stands for GI (sign, negated), 3 annotations kept",
    ]


def test_what_was_found_stands_by_report_in_its_words_and_ends_with_how_much_it_is(capsys: Lines) -> None:
    place = Plain(start=12, left="had", text="pain", right="then", categories=("GI", "MSK"))
    span = Plain(category="GI", quote="pain", note="sure?")
    report = Plain(key="R1", title="One", places=(place, Plain(**{**vars(place), "categories": ()})),
                   spans=(span, Plain(**{**vars(span), "note": ""})))  # fmt: skip
    category = Plain(code="GI", name="Gut", spans=2, reports=1)
    given: Any = Plain(categories=(category,), reports=(report,), asks=True, total=1, places=2)
    find._show_found(given)
    assert said(capsys) == [
        "Category GI Gut: 2 spans in 1 report",
        "R1  One",
        "      12  …had [pain] then…  (GI, MSK)",
        "      12  …had [pain] then…",
        "    span  GI: pain  note: sure?",
        "    span  GI: pain",
        "2 places in 1 report",
    ]
    nothing: dict[str, Any] = {"categories": (), "reports": (), "total": 0, "places": 0}
    for asks, begun in ((True, "No report has these words"), (False, "Type words")):
        empty: Any = Plain(**nothing, asks=asks)
        find._show_found(empty)
        assert said(capsys)[0].startswith(begun)
    rows: Any = tuple(Plain(uuid=one) for one in "abc")
    assert find._chosen(rows, ["c", "a"]) == (rows[0], rows[2])
    with pytest.raises(Exception, match="no span x"):
        find._chosen(rows, ["c", "x"])


def test_a_term_has_the_words_it_was_found_by_and_of_a_relative_just_that() -> None:
    def term(origin: str, start: int | None, field: str = "", run: str = "") -> tuple[object, ...]:
        end = None if start is None else start + 4
        finding = Finding("HPO", "fits", start, end, polarity="negated", field=field)
        one: Any = Plain(uuid="u", origin=origin, finding=finding)
        coding: Any = Plain(code="HP:0001250", label="Seizure", onset="")
        told = profiles.term_json(one, coding, "suggested", run)
        given: Any = Plain(annotation=one, coding=coding, status="suggested")
        ((code, label, polarity, status, quote),) = profiles.terms_table([given]).rows
        assert (code, label, polarity, status) == ("HP:0001250", "Seizure", told["polarity"], "suggested")
        return told["quote"], told["polarity"], told["onset"], told["origin"], quote

    assert term("model", 3) == ("fits", "negated", None, "model", "fits")
    assert term("model", 3, run=RULES)[3] == "rules"
    assert term("human", 3, run=RULES)[3] == "human"
    assert term("model", None) == ("fits", "negated", None, "model", "fits (no place)")
    assert term("human", None, RELATIVE) == (None, RELATIVE, None, "human", "")


def test_suggested_codes_are_counted_and_of_them_those_that_a_model_ordered(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    hit = Plain(code="C", label="L", score=0.456, matched=Plain(text="t"))
    found = [
        Plain(uuid=by or "x", report="R1", quote="q", hit=hit, hits=(hit,), by=by) for by in ("m", "", "m")
    ]
    monkeypatch.setattr(library, "open_terminology", lambda _: Plain(classes=False))
    monkeypatch.setattr(code, "opened", lambda _: nullcontext())
    monkeypatch.setattr(code, "whose", lambda *_: ("Ann", ""))
    monkeypatch.setattr(code, "_ranked", lambda *_: (found, ModelSummary("m", planned=1)))
    monkeypatch.setattr(code, "find_concepts", lambda *_, **__: found[:1])
    asked = options(terminology="HPO", project=None, annotator=None, report=None, model="m")
    assert code._suggest(asked) == 1
    lines = said(capsys)
    assert lines[1].split() == ["R1", "q", "C", "L", "0.46", "m"]
    assert lines[4:] == ["3 suggestions, 2 of them in the order of m; none counts until --set takes it."]
    assert code._suggest(options(**{**vars(asked), "model": None})) == 0
    assert said(capsys)[-1] == "1 suggestion; none counts until --set takes it."


def test_regions_agree_by_so_many_pairs_of_both_sides() -> None:
    score = RegionScore(0.5, 3, 4, 1, 2 / 7, 0.75, None)
    assert list(regions._score_lines(score)) == [
        "Overlap (IoU) of at least 0.5: 1 pair of 3 and 4 regions.",
        "  f1: 0.286",
        "  mean_iou: 0.750",
        "  same_category: nothing to measure",
    ]
    for least in (0.0, 1.01):
        with pytest.raises(CallError, match="--iou"):
            regions.regions(options(iou=least))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "opened", lambda *_, **__: nullcontext())
        patch.setattr(regions, "whose", lambda *_: ("", ""))
        with pytest.raises(CallError, match="names no annotator"):
            regions.regions(options(iou=1.0, project=None, annotator=None, against=None, out=None, add="f1"))


def test_what_a_report_is_about_is_told_with_who_said_so_and_asked_of_one_report(capsys: Lines) -> None:
    anchor: dict[str, Any] = {"report": "R1", "code": "ORPHA:1", "state": "proposed", "label": "Gout",
                              "reasons": "title", "by": "Ann", "others": tuple("abcdef")}  # fmt: skip
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"reasons": "", "others": ()},
        {"code": None},
        {"code": None, "by": ""},
    )
    for change in changes:
        view._show_anchor(Plain(**{**anchor, **change}))  # type: ignore[arg-type]
    assert said(capsys) == [
        "R1  proposed  ORPHA:1  Gout  (title; also names a, b, c, d, e)",
        "R1  proposed  ORPHA:1  Gout  (Ann)",
        "R1  none",
        "R1  nothing said yet",
    ]
    confirmed = Plain(**{**anchor, "state": "confirmed", "others": ()})
    for number in (0, 1, 2):
        with pytest.MonkeyPatch.context() as patch:
            found = (confirmed, *[Plain(**anchor)] * number)
            patch.setattr(view, "list_anchors", lambda *_, found=found: found)
            nothing = dict.fromkeys(("code", "none", "alias", "auto", "document", "project"))
            patch.setattr(view, "_require_sense", lambda _: None)
            assert view.anchor(options(**nothing, model=None)) == 0
        lines = said(capsys)
        assert len(lines) == 1 + number + bool(number)
        assert lines[-1].startswith(("R1  confirmed", "1 proposal;", "2 proposals;")[number])
    plain: dict[str, Any] = {"model": "m", "code": None, "none": False, "alias": None, "auto": False,
                             "document": ["R1"]}  # fmt: skip
    given: dict[str, Any]
    for given in ({"code": "ORPHA:1"}, {"none": True}, {"alias": ["x"]}):
        for document in (None, ["R1", "R2"]):
            with pytest.raises(CallError, match="are about one report"):
                view._require_sense(options(**{**plain, **given, "document": document}))
    others: tuple[dict[str, Any], ...] = ({"none": True}, {"auto": True}, {"model": "m"})
    for given in others:
        with pytest.raises(CallError, match="--alias goes with"):
            view._require_sense(options(**{**plain, "alias": ["x"], **given}))
    view._require_sense(options(**plain, by=None))
    for given, refused in (
        ({"cut": None, "keep": True}, "--keep is about a place"),
        ({"cut": 0, "keep": False, "document": ["R1", "R2"]}, "name the report"),
        ({"cut": 0, "keep": False, "document": ["R1"]}, "--cut is where T4 ends"),
    ):
        with pytest.raises(CallError, match=refused):
            view._cuts(options(**given), ("T1",))
    assert view._cuts(options(cut=0, keep=False, document=["R1"]), ("T1", "T4")) == {"R1": 0}
    assert view._cuts(options(cut=None, keep=False), ("T1",)) == {}


def test_models_are_told_with_what_fits_and_a_list_ends_with_how_many_more_there_are(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    line: dict[str, Any] = {"name": "m", "size": 0, "parameters": "7B", "quantisation": "Q4",
                            "context": 32768, "remote": "", "fits": 8192, "loaded": False,
                            "allocated": 0}  # fmt: skip
    changes: tuple[dict[str, Any], ...] = (
        {}, {"fits": 0, "context": 0, "loaded": True}, {"remote": "box", "loaded": True, "allocated": 4096},
    )  # fmt: skip
    assert [models._row(Plain(**{**line, **one}))[4:] for one in changes] == [  # type: ignore[arg-type]
        ("32,768", "8,192", "no"),
        ("?", "no", "yes"),
        ("32,768", "on box", "yes, context 4,096"),
    ]
    shown = extract._SHOWN
    for number in (shown, shown + 2):
        extract._list([f"line {n}" for n in range(number)])
    more = "    and 2 more (--json lists them all)"
    whole = [f"    line {n}" for n in range(shown)]
    assert said(capsys) == [*whole, *whole, more]
    trouble = [Plain(report="R1", sentence=f"odd {n}") for n in range(phenotypes._SHOWN + 1)]
    run: Any = Plain(profiles=(), model=Plain(troubles=trouble))
    monkeypatch.setattr(phenotypes, "describe_phenotype_run", lambda _: ["Done."])
    phenotypes._show(options(), run)
    lines = said(capsys)
    assert (lines[:2], lines[-1]) == (["Done.", "  R1: odd 0"], "  and 1 more (--json lists them all)")
    plain: dict[str, Any] = {"incomplete": 0, "failed": 0, "missing": 0}
    asked = options(html=None, csv=None, per_category=False)
    monkeypatch.setattr(grid, "grid_table", lambda *_, **__: "")
    for ended in ({}, {"incomplete": 1}, {"failed": 1}, {"missing": 1}):
        cells = (Plain(**plain), Plain(**{**plain, **ended}))
        for left_out in ((), ("m",)):
            monkeypatch.setattr(
                grid, "_run", lambda _, now=(cells, left_out): Plain(cells=now[0], left_out=now[1])
            )
            assert grid.grid(asked) == int(bool(ended or left_out))
    variants = ("ucp/few-shot", "ucp/zero-shot", "upr/few-shot")
    wanted = [
        [one for one in variants if grid._is_wanted(one, options(**given))]
        for given in ({"strategy": None, "prompting": None}, {"strategy": ["all"], "prompting": None},
                      {"strategy": ["upr"], "prompting": ["all"]},
                      {"strategy": None, "prompting": ["zero-shot"]})
    ]  # fmt: skip
    assert wanted == [["ucp/few-shot"], ["ucp/few-shot", "upr/few-shot"], ["upr/few-shot"], ["ucp/zero-shot"]]


def test_a_code_is_given_to_one_span_beside_others_where_that_is_said_and_no_news_is_said(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, asked = list[object](), list[object]()
    coding = Plain(terminology="HPO", release="1", code="C", label="L", uri="", origin="human")
    changed = Plain(edited=(), notes=())

    def set_(*wanted: object, beside: bool) -> Any:  # noqa: ANN401
        given.append(beside)
        return changed

    monkeypatch.setattr(code, "opened", lambda *_, **__: nullcontext())
    monkeypatch.setattr(code, "set_concept", set_)
    monkeypatch.setattr(code, "refuse", lambda *_: None)
    plain = {"project": None, "span": "s", "terminology": "HPO", "code": "C", "clear": False, "model": None}
    for beside in (True, False):
        code.code(options(**plain, suggest=False, beside=beside))
        changed.edited = (Plain(concepts=(coding,)),)
    assert given == [True, False]
    assert said(capsys) == ["It was so before; nothing was changed.", "C L"]
    for suggest, span in ((False, None), (True, "s")):
        with pytest.raises(CallError, match="go with --span"):
            code.code(options(**{**plain, "span": span}, suggest=suggest, beside=False))
    monkeypatch.setattr(code, "asked_client", lambda *_: None)
    monkeypatch.setattr(code, "run_options", lambda *_: RunOptions(model="m"))
    monkeypatch.setattr(code, "finish", lambda steps: steps)
    monkeypatch.setattr(
        concepts, "ask_for_concepts", lambda _, __, wanted, *___: asked.append(wanted.documents)
    )
    for report in ("R1", None):
        code._ranked(options(project=None, model="m", report=report, terminology="HPO"), "Ann")
    assert asked == [("R1",), ()]


@pytest.mark.parametrize(("lost", "doubt", "code"), [(0, (), 0), (2, (), 1), (0, ("u1", "u2"), 1)])
def test_a_rescue_that_lost_something_or_left_it_in_doubt_is_no_success(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch, lost: int, doubt: tuple[str, ...], code: int
) -> None:
    monkeypatch.setattr(copies, "rescue_project", lambda *_: [Rescued("annotation", 3, lost, doubt)])
    assert copies.rescue(options(file=Path("p.casespan"), out=Path("q.casespan"))) == code
    more = ", 2 lost" if lost else ", 2 in doubt (u1, u2)" if doubt else ""
    assert said(capsys) == [f"annotation: 3 rows saved{more}", "What was saved is in q.casespan."]


def test_what_was_there_before_a_copy_is_told_and_a_plain_project_takes_no_new_passphrase(
    capsys: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept, told in ((Path("old.casespan"), ["What was there is kept as old.casespan."]), (None, [])):
        monkeypatch.setattr(copies, "restore_project", lambda *_, kept=kept: kept)
        copies.restore(options(project=Path("p.casespan"), backup=Path("c.casespan"), folder=None))
        assert said(capsys) == ["p.casespan is as it was in c.casespan.", *told]
    monkeypatch.setattr(copies, "is_encrypted", lambda _: False)
    for passphrases, new in ((("x",), "f"), (("x", "y"), None), ((), None)):
        with pytest.raises(CallError, match="--passphrase-file"):
            copies.encrypt(options(project=Path("p"), passphrases=passphrases, new_passphrase_file=new))
