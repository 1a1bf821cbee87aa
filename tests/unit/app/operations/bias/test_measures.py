"""The numbers of the section on bias, on projects whose numbers are known."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.agreement.statistics.contrast import Contrast
from app.operations.annotate.exposure import disclose
from app.operations.annotate.reports import list_reports
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    remove_spans,
    set_review_state,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.bias import measures
from app.operations.bias.measures import measure_bias
from app.operations.bias.report import (
    _lines,
    annotator_to_measure,
    bias_html,
    bias_json,
    bias_text,
    list_bias_sets,
    tabulate_bias,
)
from app.operations.bias.seeding import plant_errors, remove_planted
from app.operations.bias.seeding_rules import MISTAKES
from app.operations.bias.tables import _contrast_part
from app.operations.project.files import check_project
from app.operations.project.history import list_history, undo_change
from app.operations.review.verdicts import SpanEdit, edit_judged_span, judge_spans
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, remove_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.extract.runs import planted
from app.store.project import Project
from extractors.model.errors import ProjectError, UnknownNameError
from tests.builders import Kept, is_blind
from tests.unit.app.operations.helped import GOLD, ME, RUN, copy_set, make_helped, spans_by_report, spans_of

COPY = "second look"


def write_twelve(path: Path) -> None:
    """Twelve reports with six spans of the run each."""
    make_helped(path, 12).close()


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_twelve, tmp_path / "study.casespan") as made:
        yield made
        assert check_project(made) == []


def keys(project: Project) -> list[str]:
    return [report.key for report in list_reports(project, ME)]


def spans_in(project: Project, key: str, name: str = RUN) -> list[Annotation]:
    uuid = next(report.uuid for report in list_reports(project, ME) if report.key == key)
    return spans_by_report(project, name)[uuid]


def label(project: Project, key: str, category: str, one: Annotation) -> None:
    add_span(project, ME, SpanPlace(key, one.finding.start or 0, one.finding.end or 0), category)


def work(project: Project, shown: int, blind: int) -> None:
    """Reports done with the run's six spans shown and taken over; others done blind with three of the six."""
    every = keys(project)
    for key in every[:shown]:
        disclose(project, ME, key, [RUN])
        judge_spans(project, ME, [one.uuid for one in spans_in(project, key)], "accepted")
        set_review_state(project, ME, key, "done")
    for key in every[shown : shown + blind]:
        for one in spans_in(project, key)[:3]:
            label(project, key, one.finding.category, one)
            if one.finding.polarity == "negated":
                (own,) = [s for s in spans_in(project, key, ME) if s.finding.start == one.finding.start]
                set_span_polarity(project, own.uuid, "negated")
        set_review_state(project, ME, key, "done")


def test_the_blind_first_share_is_over_the_reports_that_are_done(project: Project) -> None:
    work(project, shown=3, blind=5)
    label(project, keys(project)[10], "Neuro", spans_in(project, keys(project)[10])[0])
    share = measure_bias(project, ME).blind
    assert (share.part, share.n, share.value) == (5, 8, 0.625)


def test_blind_are_reports_without_a_look_before_done_or_a_change_after_it(project: Project) -> None:
    first, second, third, fourth, fifth, *rest = keys(project)
    copy_set(project, RUN, "Ben", ["Neuro"])
    disclose(project, ME, first, [RUN])
    for key in (second, third, fourth, fifth):
        set_review_state(project, ME, key, "done")
        disclose(project, ME, key, ["Ben"])
    label(project, third, "Neuro", spans_in(project, third)[0])
    undo_change(project)
    set_review_state(project, ME, fourth, "parked")
    state_nothing_found(project, ME, fifth, "LYMPH")
    disclose(project, "Ben", rest[0], [RUN])
    every = {report.key for report in list_reports(project, ME)}
    not_blind = {ME: {first, third, fifth}, "Ben": set[str](), "Nobody": set[str]()}
    for name, shown in not_blind.items():
        assert {key for key in every if not is_blind(project, name, key)} == shown


def test_verdicts_are_counted_by_what_became_of_them(project: Project, tmp_path: Path) -> None:
    key, other = keys(project)[:2]
    a, b, c, d, e, f = spans_in(project, key)
    judge_spans(project, ME, [a.uuid, b.uuid, c.uuid], "accepted", seconds=2.0)
    judge_spans(project, ME, [d.uuid], "rejected", seconds=4.0)
    edit = SpanEdit((e.finding.start or 0) + 4, e.finding.end or 0)
    edit_judged_span(project, ME, e.uuid, edit, seconds=10.0)
    judge_spans(project, ME, [spans_in(project, other)[0].uuid], "accepted")
    own = {one.finding.category: one.uuid for one in spans_in(project, key, ME)}
    set_span_polarity(project, own[a.finding.category], "uncertain")
    remove_spans(project, [own[b.finding.category]])
    (judged,) = measure_bias(project, ME).judged
    assert (judged.run, judged.reports, judged.items) == (RUN, 2, 6)
    assert (judged.unchanged, judged.changed, judged.edited, judged.rejected) == (2, 2, 1, 1)
    assert (judged.accepted_unchanged.part, judged.accepted_unchanged.n) == (2, 6)
    accepted, edited, rejected, every = judged.times
    assert (accepted.n, accepted.untimed, accepted.median) == (3, 1, 2.0)
    assert (edited.n, edited.median, edited.low, edited.high) == (1, 10.0, 10.0, 10.0)
    assert (rejected.n, rejected.median) == (1, 4.0)
    assert (every.verdict, every.n, every.untimed) == ("", 5, 1)
    assert (every.low, every.median, every.high) == (2.0, 2.0, 4.0)
    value = bias_json(measure_bias(project, ME))["judged"][0]["seconds"]["edited"]
    assert value == {"n": 1, "untimed": 0, "median": 10.0, "quartiles": [10.0, 10.0]}
    tabulate_bias(measure_bias(project, ME), tmp_path / "bias.csv")
    told = [",".join(row.values()) for row in rows_of(tmp_path / "bias.csv")]
    assert told[:5] == [
        "blind-first share,Ann,,,,,,0,No report is done.",
        "verdicts,helper,accepted, unchanged,,2,,,6,",
        "verdicts,helper,accepted, changed since,,2,,,6,",
        "verdicts,helper,edited,,1,,,6,",
        "verdicts,helper,rejected,,1,,,6,",
    ]
    assert told[5].startswith("accept-unchanged rate,helper,,,0.3333333333333333,0.0967714")
    assert told[6:] == [
        "seconds per item,helper,accepted,median,2.0,2.0,2.0,3,",
        "seconds per item,helper,edited,median,10.0,10.0,10.0,1,",
        "seconds per item,helper,rejected,median,4.0,4.0,4.0,1,",
        "seconds per item,helper,all,median,2.0,2.0,4.0,5,",
        "agreement,,,,,,,,No run was shown to Ann; there is nothing to compare.",
    ]
    assert f.uuid not in {one.uuid for one in spans_of(project, ME)}


def test_what_was_accepted_and_edited_since_is_changed_also_where_the_items_of_the_run_are_gone(
    project: Project,
) -> None:
    key = keys(project)[0]
    items = spans_in(project, key)
    agreed, met, copied, left = (
        next(one for one in items if one.finding.category == name)
        for name in ("Neuro", "DERM", "History", "CVS")
    )
    label(project, key, "Neuro", agreed)
    place = SpanPlace(key, met.finding.start or 0, (met.finding.end or 0) - 4)
    add_span(project, ME, place, "DERM")
    judge_spans(project, ME, [one.uuid for one in (agreed, met, copied, left)], "accepted")
    own = {one.finding.category: one for one in spans_in(project, key, ME)}
    origins = {"Neuro": "human", "DERM": "edited", "History": "accepted", "CVS": "accepted"}
    assert {category: one.origin for category, one in own.items()} == origins
    with begin_act(project, "run again", ME) as act:
        remove_annotations(act, [one.uuid for one in items])
    (judged,) = measure_bias(project, ME).judged
    assert (judged.unchanged, judged.changed) == (4, 0)
    for category in ("Neuro", "DERM", "History"):
        set_span_polarity(project, own[category].uuid, "uncertain")
    (judged,) = measure_bias(project, ME).judged
    assert (judged.unchanged, judged.changed) == (1, 3)


def test_what_was_agreed_with_counts_as_accepted_whoever_marked_it_first(project: Project) -> None:
    key = keys(project)[0]
    one = spans_in(project, key)[0]
    label(project, key, one.finding.category, one)
    judge_spans(project, ME, [one.uuid], "accepted")
    (judged,) = measure_bias(project, ME).judged
    assert (judged.unchanged, judged.changed) == (1, 0)


def test_agreement_is_measured_apart_where_the_run_was_shown_and_where_it_was_not(project: Project) -> None:
    copy_set(project, RUN, GOLD)
    work(project, shown=5, blind=6)
    bias = measure_bias(project, ME, RUN, GOLD)
    assert bias.no_contrast == ""
    for found in (bias.with_run, bias.with_reference):
        assert found is not None
        assert (found.left, found.first, found.second) == (ME, 5, 6)
        tsr, f1, span = found.rows
        # Shown: all six of six. Blind: three of six, so that 2 * 3 / (3 + 6); of the 14 categories three
        # agree on something, eight on nothing, three are missed.
        assert span.first.value == f1.first.value == 1
        assert span.second.value == f1.second.value == pytest.approx(2 / 3)
        assert span.difference.value == pytest.approx(1 / 3)
        assert tsr.first.value == 100
        assert tsr.second.value == pytest.approx(100 * 11 / 14)
        assert span.difference.interval == pytest.approx((1 / 3, 1 / 3))


def test_where_only_others_spans_were_shown_a_report_is_in_neither_group(project: Project) -> None:
    copy_set(project, RUN, "Ben")
    work(project, shown=2, blind=2)
    key = keys(project)[4]
    disclose(project, ME, key, ["Ben"])
    set_review_state(project, ME, key, "done")
    bias = measure_bias(project, ME, RUN)
    assert bias.with_run is not None
    assert (bias.with_run.first, bias.with_run.second, bias.neither) == (2, 2, 1)
    assert "1 done report is in neither group" in bias_text(bias).replace("\n", " ")


def test_work_changed_after_the_run_was_shown_counts_as_shown(project: Project) -> None:
    work(project, shown=0, blind=3)
    key = keys(project)[0]
    disclose(project, ME, key, [RUN])
    bias = measure_bias(project, ME, RUN)
    assert bias.with_run is not None
    assert (bias.with_run.first, bias.with_run.second) == (0, 3)
    reasons = {group: reason for part, _, _, group, *_, reason in _lines(bias) if part == "agreement"}
    assert (reasons["shown"], reasons["blind"]) == ("No report is in this group.", "")
    label(project, key, "GI", spans_in(project, key)[4])
    bias = measure_bias(project, ME, RUN)
    assert bias.with_run is not None
    assert (bias.with_run.first, bias.with_run.second) == (1, 2)


def test_without_a_run_the_only_one_that_was_shown_is_taken(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(project, shown=0, blind=1)
    nothing = measure_bias(project, ME)
    assert (nothing.run, nothing.with_run) == ("", None)
    assert nothing.no_contrast == "No run was shown to Ann; there is nothing to compare."
    disclose(project, ME, keys(project)[5], [RUN])
    assert measure_bias(project, ME).run == RUN
    plant_errors(project, RUN, COPY, count=1)
    disclose(project, ME, keys(project)[5], [COPY])
    # What was spoilt is a run to be measured, and nothing to be held against.
    offered = list_bias_sets(project)
    assert (set(offered.runs) - set(offered.references), set(offered.runs) - set(offered.sources)) == (
        {COPY},
        {COPY},
    )
    several = measure_bias(project, ME)
    assert several.with_run is None
    assert several.no_contrast == ("Several runs were shown to Ann: helper, second look; choose one of them.")
    assert measure_bias(project, ME, COPY).run == COPY
    monkeypatch.setattr(measures, "_contrast", lambda *_: (SimpleNamespace(), "", ("few reports",)))
    assert measure_bias(project, ME, COPY, RUN).caveats == ("few reports",), "it is said once"


def test_planted_errors_are_counted_by_what_became_of_them(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=20, seed=1)
    by_uuid = {one.uuid: one for one in spans_of(project, COPY)}
    errors: dict[str, list[Annotation]] = {kind: [] for kind in MISTAKES}
    for one in planted(project):
        errors[one.kind].append(by_uuid[one.annotation])
    for rejected in (errors["spurious"][0], errors["label"][0]):
        judge_spans(project, ME, [rejected.uuid], "rejected")
    for accepted in (errors["spurious"][2], errors["spurious"][1], errors["polarity"][0]):
        judge_spans(project, ME, [accepted.uuid], "accepted")
    # Taken over, and found out later.
    doubted = errors["spurious"][2].finding
    remove_spans(project, [one.uuid for one in spans_of(project, ME) if one.finding == doubted])
    mended, moved, still, flipped = (
        errors["label"][1], errors["boundary"][0], errors["boundary"][1], errors["polarity"][1]
    )  # fmt: skip

    def place(one: Annotation, more: int = 0) -> tuple[int, int]:
        return (one.finding.start or 0), (one.finding.end or 0) + more

    edit_judged_span(project, ME, mended.uuid, SpanEdit(*place(mended), category="ENDO"))
    edit_judged_span(project, ME, moved.uuid, SpanEdit(*place(moved, 1)))
    edit_judged_span(project, ME, still.uuid, SpanEdit(*place(still), polarity="uncertain"))
    edit_judged_span(project, ME, flipped.uuid, SpanEdit(*place(flipped), polarity="uncertain"))
    fine = [one for one in by_uuid.values() if one.uuid not in {e.annotation for e in planted(project)}]
    judge_spans(project, ME, [fine[0].uuid], "accepted")
    judge_spans(project, ME, [fine[-1].uuid], "rejected")
    bias = measure_bias(project, ME)
    (result,) = bias.planted
    assert (result.planted_set, result.source) == (COPY, RUN)
    assert [(one.kind, one.planted, one.judged, one.caught, one.missed) for one in result.lines] == [
        ("spurious", 5, 3, 2, 1),
        ("label", 5, 2, 2, 0),
        ("boundary", 5, 2, 1, 1),
        ("polarity", 5, 2, 1, 1),
        ("", 20, 9, 6, 3),
    ]
    assert result.lines[-1].rate.value == 6 / 9
    assert (result.others, result.others_refused, bias.passed) == (2, 1, 3)
    remove_planted(project, ME)
    after = measure_bias(project, ME)
    assert after.planted == bias.planted, "what was let through was let through"
    assert (after.judged, bias.judged[0].unchanged) == (bias.judged, 3)
    assert after.passed == 0


def test_a_look_at_the_unspoilt_run_is_told(project: Project) -> None:
    plant_errors(project, RUN, COPY, count=4)
    wrong = next(one for one in spans_of(project, COPY) if one.uuid == planted(project)[0].annotation)
    judge_spans(project, ME, [wrong.uuid], "rejected")
    key = next(report.key for report in list_reports(project, ME) if report.uuid == wrong.document)
    other = next(report.key for report in list_reports(project, ME) if report.uuid != wrong.document)
    for report in (key, other):
        disclose(project, ME, report, [RUN])
    (result,) = measure_bias(project, ME, COPY).planted
    assert result.source_seen == 1, "where nothing was judged it helped nobody"
    plant_errors(project, RUN, "third look", count=2)
    told: dict[str | None, list[str]] = {None: [COPY, "third look"], RUN: [COPY, "third look"], COPY: [COPY]}
    for run, names in told.items():
        assert sorted(one.planted_set for one in measure_bias(project, ME, run).planted) == names
    kind = next(one.kind for one in planted(project) if one.annotation == wrong.uuid)
    value = bias_json(measure_bias(project, ME, COPY))
    (one,) = value["planted"]
    assert (one["set"], one["copy_of"]) == (COPY, RUN)
    assert {
        name: (of["planted"], of["judged"], of["caught"], of["missed"]) for name, of in one["kinds"].items()
    } == {
        each: (4, 1, 1, 0) if each == "all" else (1, int(each == kind), int(each == kind), 0)
        for each in (*MISTAKES, "all")
    }
    assert one["kinds"]["all"]["detection_rate"]["share"] == 1
    assert (one["others_judged"], one["reports_with_source_shown"]) == (0, 1)
    (judged,) = value["judged"]
    assert {name: judged[name] for name in ("set", "reports", "items", "rejected", "edited")} == {
        **{"set": COPY, "reports": 1, "items": 1},
        **{"rejected": 1, "edited": 0},
    }
    assert judged["seconds"]["all"] == {"n": 0, "untimed": 1, "median": None, "quartiles": None}
    assert "In 1 of these reports Ann had the unspoilt spans of helper shown as well." in bias_text(
        measure_bias(project, ME, COPY)
    )


def test_nothing_undefined_is_a_number(project: Project) -> None:
    text = bias_text(measure_bias(project, ME))
    for sentence in (
        "Ann has done no report; there is no blind-first share.",
        "Ann has judged no item of a run; there is no accept-unchanged rate.",
        "No run was shown to Ann; there is nothing to compare.",
        "No errors were planted to see whether they are found.",
    ):
        assert sentence in text
    set_review_state(project, ME, keys(project)[0], "done")
    assert "No report was done with the spans of helper shown; there is nothing to compare." in bias_text(
        measure_bias(project, ME, RUN)
    )


def test_the_scores_of_one_group_are_shown_where_the_other_has_no_report() -> None:
    for first, second, shown in ((0, 0, False), (1, 0, True), (0, 1, True)):
        part = _contrast_part(Contrast(ME, GOLD, first, second, ()), RUN)
        assert (part.table is not None) == shown
        assert "there is nothing to compare." in part.sentences[-1]


def test_the_section_says_its_numbers_with_n_and_interval_and_where_they_end(project: Project) -> None:
    copy_set(project, RUN, GOLD)
    work(project, shown=5, blind=5)
    text = " ".join(bias_text(measure_bias(project, ME, RUN, GOLD)).split())
    assert "Ann has done 10 reports, 5 of them blind: 50.0 % (95 % interval 23.7 to 76.3 %)." in text
    assert "Of 30 judged items of helper in 5 reports, 30 were accepted and are unchanged: 100.0 %" in text
    assert "Ann against gold: 5 reports done with the spans of helper shown, 5 reports done blind." in text
    assert "Span F1, exact 1.000 (1.000 to 1.000) 0.667 (0.667 to 0.667) +0.333 (+0.333 to +0.333)" in text
    assert "The comparison is not randomised" in text
    assert "no independent sign of truth" in text
    assert "No item of helper was timed." in text


def test_the_page_escapes_what_people_wrote(project: Project) -> None:
    with begin_act(project, "a strange run", ME) as act:
        ensure_annotator(act, "<b>run</b> & co", "run")
    set_review_state(project, ME, keys(project)[0], "done")
    bias = measure_bias(project, ME, "<b>run</b> & co")
    page = bias_html(bias)
    assert "<b>run" not in page
    assert "&lt;b&gt;run&lt;/b&gt; &amp; co" in page
    assert "http" not in page
    assert "<script" not in page


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))


def test_csv_has_a_row_for_every_number_and_no_formula(project: Project, tmp_path: Path) -> None:
    with begin_act(project, "a strange run", ME) as act:
        ensure_annotator(act, "=1+1", "run")
    work(project, shown=5, blind=5)
    tabulate_bias(measure_bias(project, ME, RUN), tmp_path / "bias.csv")
    rows = rows_of(tmp_path / "bias.csv")
    share = next(row for row in rows if row["part"] == "blind-first share")
    assert (share["value"], share["n"], share["reason"]) == ("0.5", "10", "")
    spans = {row["group"]: row["value"] for row in rows if row["item"] == "span_f1, paper"}
    numbers = {row["group"]: row["n"] for row in rows if row["item"] == "span_f1, paper"}
    assert numbers == {"shown": "5", "blind": "5", "difference": "10"}
    assert float(spans["shown"]) == 1
    assert float(spans["difference"]) == pytest.approx(1 / 3)
    tabulate_bias(measure_bias(project, ME, "=1+1"), tmp_path / "bias.csv")
    rows = rows_of(tmp_path / "bias.csv")
    assert "'=1+1" in {row["set"] for row in rows}


def test_json_holds_null_with_a_reason_for_what_is_undefined(project: Project) -> None:
    work(project, shown=0, blind=1)
    value = bias_json(measure_bias(project, ME, RUN))
    assert value["blind_first"]["share"] == 1
    measures = value["agreement_with_run"]["measures"]
    assert measures["tsr"]["shown"] == {
        "value": None,
        "interval": None,
        "reason": "No report was annotated here by both Ann and helper.",
    }
    assert value["judged"] == value["planted"] == []


def test_measuring_changes_nothing(project: Project) -> None:
    work(project, shown=2, blind=2)
    acts = list_history(project)
    measure_bias(project, ME, RUN)
    assert list_history(project) == acts


def test_whose_work_and_what_cannot_be_measured(project: Project) -> None:
    assert annotator_to_measure(project) == ME
    with pytest.raises(UnknownNameError):
        measure_bias(project, "Nobody")
    with pytest.raises(UnknownNameError):
        measure_bias(project, ME, "no run")
    with pytest.raises(ProjectError, match="three different"):
        measure_bias(project, ME, RUN, RUN)
    with pytest.raises(ProjectError, match="kept for runs"):
        measure_bias(project, "rules")
