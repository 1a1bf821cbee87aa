"""A corpus given back to people: what is drawn of it, and what their work says of the whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.agreement.survey import Share, Stratum, estimate, further_reports, joined
from app.cli import main
from app.operations.corpus import summary
from app.operations.corpus.schema import manifest
from app.store.annotate.annotations import read_annotations
from app.store.annotate.reviews import reviews
from app.store.project import Project
from tests.small_corpus import corpus


def answer(capsys: pytest.CaptureFixture[str], *call: object, code: int = 0) -> Any:  # noqa: ANN401
    """The JSON that a command prints, or what it complains of."""
    capsys.readouterr()
    assert main([str(one) for one in (*call, "--json")]) == code
    said = capsys.readouterr()
    return json.loads(said.out) if not code else said.err


def annotate(
    project: Path, folder: Path, missed: Sequence[str] = (), reports: int | None = None, once: str = ""
) -> None:
    """Ana has what the corpus has, but for these words, in all reports or the first few; a category that is
    looked at `once` is so in the first report that has it."""
    out = folder / "corpus.jsonl"
    assert main(["export", str(project), str(out), "--annotator", "corpus", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()][:reports]
    for line in lines:
        line["annotations"] = [one for one in line["annotations"] if one["quote"] not in missed]
    for line in [line for line in lines if once in {one["category"] for one in line["annotations"]}][1:]:
        line["annotations"] = [one for one in line["annotations"] if one["category"] != once]
    for line in lines:
        if once and once not in {one["category"] for one in line["annotations"]}:
            line["looked_at"].remove(once)
    out.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["import", str(project), str(out), "--annotator", "ana"]) == 0


def test_a_sample_is_blind_the_same_for_its_seed_and_says_how_good_the_whole_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = corpus(tmp_path / "corpus")
    drawn, again = (
        answer(capsys, "corpus", "sample", made, tmp_path / name, "--count", 12, "--by", "confidence")
        for name in ("s.casespan", "t.casespan")
    )
    assert drawn["reports"] == 40
    assert sum(one["reports"] for one in drawn["strata"].values()) == 40
    assert {**again, "project": drawn["project"]} == drawn
    listed = answer(capsys, "list", tmp_path / "s.casespan")
    assert [one["kind"] for one in listed["annotators"]] == ["run"]
    with Project.open(tmp_path / "s.casespan") as project:
        spans: dict[str, set[str]] = {}
        for one in read_annotations(project):
            spans.setdefault(one.document, set()).add(one.finding.category)
        told = {review.document: set(review.nothing_found) for review in reviews(project)}
        assert len(told) == drawn["drawn"]
        assert all(silent == {*project.scheme.ids} - spans.get(uuid, set()) for uuid, silent in told.items())
    annotate(tmp_path / "s.casespan", tmp_path, missed=["Rash"], once="GI")
    found = answer(capsys, "corpus", "quality", made, tmp_path / "s.casespan", "--annotator", "ana")
    assert set(found) == {"estimates", "errors", "needed"}
    skin, lungs, every = (found["estimates"][name] for name in ("DERM", "RESP", "all"))
    assert (skin["precision"], lungs["precision"], lungs["recall"]) == (0.0, 1.0, 1.0)
    assert every["precision_ci"][0] < every["precision"] < every["precision_ci"][1]
    assert every["n"] == drawn["drawn"]
    # One report tells nothing of the others.
    assert (found["estimates"]["GI"]["n"], found["estimates"]["GI"]["precision"]) == (1, None)
    assert found["errors"]["missed"]["share"] == 0
    assert found["errors"]["invented"]["share"] > 0
    assert found["needed"]["width"] == 0.1
    said = answer(capsys, "corpus", "quality", made, tmp_path / "s.casespan", "--annotator", "eve", code=2)
    assert "There is no annotator" in said
    other = corpus(tmp_path / "other", 10)
    said = answer(capsys, "corpus", "quality", made, tmp_path / "s.casespan", "--annotator", "corpus", code=2)
    assert "by itself" in said
    said = answer(capsys, "corpus", "quality", other, tmp_path / "s.casespan", "--annotator", "ana", code=2)
    assert "was not drawn from" in said
    (made / "quotes" / "part-00000.parquet").write_bytes(b"broken")
    said = answer(capsys, "corpus", "summary", made, code=1)
    assert "part-00000.parquet cannot be read; the same casespan corpus extract" in said


def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = corpus(tmp_path / "corpus", 10, sure=False)
    call = ("corpus", "sample", made, tmp_path / "s.casespan", "--count", 5)
    assert "nothing of its confidence" in answer(capsys, *call, "--by", "confidence", code=2)
    assert not (tmp_path / "s.casespan").exists()
    every = answer(capsys, *call[:-1], 99, "--by", "category")
    assert every["drawn"] == 10
    annotate(tmp_path / "s.casespan", tmp_path, reports=1)
    measure = ("corpus", "quality", made, tmp_path / "s.casespan", "--annotator", "ana")
    assert "ana has annotated 1 report of the sample; two is the least." in answer(capsys, *measure, code=2)
    annotate(tmp_path / "s.casespan", tmp_path)
    whole = answer(capsys, *measure)
    assert whole["estimates"]["all"]["precision_ci"] == [1.0, 1.0]
    assert whole["needed"]["reports"] == 0


def test_strata_of_unequal_weight_count_by_what_they_stand_for() -> None:
    rare, common = Stratum(100, ((0, 2),) * 5 + ((1, 2),) * 5), Stratum(900, ((2, 2),) * 9 + ((1, 2),))
    share = estimate(joined([rare, common]))
    assert share.value == pytest.approx((100 * 0.5 + 900 * 1.9) / 2000)
    assert share.interval is not None
    assert share.interval[0] < (share.value or 0) < share.interval[1]
    alone = joined([Stratum(5, ()), rare, Stratum(3, ((1, 1),))])
    assert [one.reports for one in alone] == [108]
    assert estimate([Stratum(10, ((0, 0),) * 3)]) == Share()


def test_reports_still_to_come_go_with_the_square_of_the_width() -> None:
    assert further_reports([Share(0.5, (0.4, 0.6))], 100, 10**9, 0.1) == 300
    assert further_reports([Share(0.5, (0.4, 0.6))], 100, 200, 0.1) == 60
    assert further_reports([Share(0.5, None)], 100, 200, 0.1) is None


def test_the_summary_counts_every_report_quote_and_what_was_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = corpus(tmp_path / "corpus", 12)
    told = answer(capsys, "corpus", "summary", made)
    assert (told["reports"], told["quotes"], told["ungrounded"]) == (12, 40, 0)
    assert [(one["year"], one["reports"]) for one in told["years"]] == [("2000", 4), ("2001", 4), ("2002", 4)]
    assert {one["journal"]: one["reports"] for one in told["journals"]} == {"Journal 0": 6, "Journal 1": 6}
    found = {one["category"]: (one["quotes"], one["reports"], one["words"]) for one in told["categories"]}
    assert found == {"RESP": (12, 12, 1), "History": (12, 12, 1), "DERM": (8, 8, 1), "GI": (8, 8, 1)}
    assert sum(one["reports"] for one in told["report_lengths"]) == 12
    assert told["left_out"] == [{"reason": "unreadable", "kind": "left out", "number": 2}]
    assert main(["corpus", "summary", str(made), "--html", str(tmp_path / "c.html")]) == 0
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 7
    assert "Journal 1" in page
    nothing = summary.Contents(manifest(made), lengths={what: Counter() for what in ("reports", "quotes")})
    assert "Reports by year" not in summary.summary_page(nothing, "c")
    monkeypatch.setattr(summary, "_JOURNALS", 1)
    told = answer(capsys, "corpus", "summary", made)
    assert {one["journal"]: one["reports"] for one in told["journals"]} == {"Journal 0": 6, "others": 6}
    assert "holds no corpus" in answer(capsys, "corpus", "summary", tmp_path, code=2)


def test_words_are_found_in_texts_and_quotes_and_their_reports_become_a_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = corpus(tmp_path / "corpus", 12)
    found = answer(capsys, "corpus", "search", made, "rashes", "--limit", 3)
    hit = found["hits"][0]
    assert (found["total"], len(found["hits"]), hit["report"], hit["text"]) == (12, 3, "r000", "Rash")
    start = hit["start"]
    assert hit["text"] + hit["right"] == "Rash was seen on day 0. Pain was seen on day 0."
    quoted = answer(capsys, "corpus", "search", made, "rash", "--category", "DERM", "--to", tmp_path / "p")
    assert (quoted["total"], quoted["reports"]) == (8, 8)
    assert quoted["project"] == str(tmp_path / "p.casespan")
    assert answer(capsys, "corpus", "search", made, "rash", "--category", "GI")["total"] == 0
    said = answer(capsys, "corpus", "search", made, "rash", "--category", "NOPE", code=2)
    assert "there are DERM, GI, History, RESP" in said
    found = answer(capsys, "search", tmp_path / "p.casespan", "rash")
    assert found["total"] == 8
    assert (found["reports"][0]["key"], found["reports"][0]["places"][0]["start"]) == ("r001", start)
    corpus(made, 30)
    assert answer(capsys, "corpus", "search", made, "rash day 0")["total"] == 1
    assert answer(capsys, "corpus", "search", made, "rash")["total"] == 30
    (made / "search.sqlite").write_bytes(b"no database" * 100)
    assert "delete it" in answer(capsys, "corpus", "search", made, "rash", code=1)
    (made / "search.sqlite").unlink()
    (made / "search.sqlite").mkdir()
    assert "its folder may not be written to" in answer(capsys, "corpus", "search", made, "rash", code=1)
    assert "Type words" in answer(capsys, "corpus", "search", made, "..", code=2)
