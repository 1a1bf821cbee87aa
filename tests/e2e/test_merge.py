"""`casespan packet` and `casespan merge`: work given out, done apart and brought back together."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from shutil import copyfile, copytree

import pytest

from tests.e2e.conftest import ROOT, Casespan

REPORT = "PMC99000001"


def words_in(path: Path) -> str:
    """All that is in a project file's tables, as text."""
    with closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return json.dumps([db.execute(f"SELECT * FROM [{name}]").fetchall() for name in tables], default=str)


def count_rows(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def amend(casespan: Casespan, project: Path, by: str, clause: str) -> int:
    said = ("--category", "GI", "--section", "include", "--clause", clause, "--by", by)
    return casespan("amend", project, *said).code


def test_a_packet_is_balanced_and_holds_nothing_of_others(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    assert casespan("extract", study, "--with", "rules").code == 0
    assert amend(casespan, study, "Dr Ruiz", "Say what was seen.") == 0
    call = ("packet", study, tmp_path / "packets", "--to", "annotator-1", "Ben", "Chloe", "--overlap", "2")
    cut = casespan(*call, "--seed", "7", "--json").json["packets"]
    assert [one["annotator"] for one in cut] == ["annotator-1", "Ben", "Chloe"]
    assert sum(one["reports"] for one in cut) == 20
    words = [one["words"] for one in cut]
    assert max(words) < 1.2 * min(words)
    ben = Path(cut[1]["file"])
    assert casespan("check", ben).code == 0
    listed = casespan("list", ben, "--json").json
    assert [one["name"] for one in listed["annotators"]] == ["Ben"]
    text = words_in(ben)
    assert "Say what was seen." in text
    assert "annotator-1" not in text
    assert "rules" not in {one["name"] for one in listed["annotators"]}
    with closing(sqlite3.connect(ben)) as db:
        assert db.execute("SELECT count(*) FROM annotation").fetchone() == (0,)
        assert db.execute("SELECT DISTINCT table_name FROM history ORDER BY 1").fetchall() == [
            (name,)
            for name in (
                "amendment",
                "annotator",
                "assignment",
                "document",
                "figures",
                "packet",
                "scheme_file",
                "section",
            )
        ]
    given = casespan("list", study, "--json").json["assignments"]
    assert [(one["annotator"], one["reports"], one["done"]) for one in given] == [
        ("Ben", cut[1]["reports"], 0),
        ("Chloe", cut[2]["reports"], 0),
        ("annotator-1", cut[0]["reports"], cut[0]["reports"]),
    ]
    assert "exists already" in casespan(*call).err
    assert casespan("packet", study, tmp_path / "p", "--to", "A", "--overlap", "2").code == 2
    assert not (tmp_path / "p").exists()
    assert "cannot be made" in casespan("packet", study, study / "p", "--to", "A").err
    assert casespan("new", empty := tmp_path / "empty.casespan").code == 0
    assert "There are no reports in" in casespan("packet", empty, tmp_path / "p", "--to", "A").err


def test_all_that_was_done_in_copies_comes_together_in_any_order_and_goes_by_one_undo(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    copies = [Path(copyfile(few, tmp_path / f"copy{number}.casespan")) for number in range(3)]
    sides = ("--left", "annotator-1", "--right", "annotator-2")
    for number, copy in enumerate(copies):
        assert casespan("extract", copy, "--with", "rules", "--document", REPORT).code == 0
        name = ("Ana", "Ben", "Ana")[number]
        review = ("review", copy, "--run", "rules", "--annotator", name)
        (found,) = casespan(*review, "--document", REPORT, "--json").json
        ids = [one["id"] for row in found["rows"] for one in row["right"]]
        assert casespan(*review, "--accept", *ids[number : number + 2]).code == 0
        queue = casespan("queue", copy, *sides, "--json").json
        decide = ("resolve", copy, *sides, "--id", queue[number]["id"], "--take", "left", "--by", name)
        assert casespan(*decide).code == 0
        rated = ("rate", copy, "--document", REPORT, "--run", "rules", "--rater", name)
        assert casespan(*rated, "--score", f"accuracy={number + 2}").code == 0
        assert amend(casespan, copy, name, f"Clause {number} of {name}.") == 0
    alone = casespan("export", few, tmp_path / "alone.jsonl", "--format", "jsonl", "--annotator", "Ana")
    assert alone.code != 0
    before = {name: count_rows(few, name) for name in ("annotation", "decision", "verdict", "amendment")}
    preview = casespan("merge", few, *copies, "--preview", "--json").json
    assert {name: count_rows(few, name) for name in before} == before
    seen = set()
    for order in ((0, 1, 2), (2, 0, 1)):
        whole = Path(copyfile(few, tmp_path / f"whole{order[0]}.casespan"))
        if order == (0, 1, 2):
            assert casespan("merge", whole, *copies, "--json").json == preview
        for number in order:
            assert casespan("merge", whole, copies[number]).code == 0
        assert casespan("check", whole).out.startswith("Nothing is wrong")
        for name in ("decision", "amendment"):
            assert count_rows(whole, name) == sum(count_rows(copy, name) for copy in copies)
        with closing(sqlite3.connect(whole)) as db:
            text = db.execute(
                "SELECT text FROM text JOIN scheme_file ON sha256 = text_sha256 WHERE name = 'GI.md'"
            ).fetchone()[0]
        assert all(clause in text for clause in ("Clause 0 of Ana.", "Clause 1 of Ben.", "Clause 2 of Ana."))
        out = tmp_path / f"{order[0]}.jsonl"
        written = []
        for name in ("Ana", "Ben", "rules", "annotator-1"):
            assert casespan("export", whole, out, "--format", "jsonl", "--annotator", name).code == 0
            written.append(out.read_text("utf-8"))
        queue = casespan("queue", whole, *sides, "--json").out
        ratings = casespan("rate", whole, "--json").out
        seen.add((*written, queue, ratings))
    assert len(seen) == 1
    known = casespan("merge", whole, copies[0], "--json").json
    assert (known["added"], known["same"] > 0) == ({}, True)
    for _ in copies:
        assert "Undone: bring together" in casespan("undo", whole).out
    assert {name: count_rows(whole, name) for name in before} == before
    assert casespan("check", whole).code == 0
    for edit, told in (
        ("UPDATE branch_row SET who = who || 'x' WHERE rowid = 9", "it was altered"),
        ("UPDATE branch_row SET branch = branch || 'x' WHERE rowid = 1", "branch that was never taken in"),
    ):
        with closing(sqlite3.connect(whole)) as db, db:
            db.execute(edit)
        assert told in casespan("check", whole).out, "rows of a merge that was undone are what redo needs"


def test_an_annotation_that_two_copies_changed_is_in_the_queue_of_its_versions(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    copies = [Path(copyfile(few, tmp_path / f"{number}.casespan")) for number in range(2)]
    with closing(sqlite3.connect(few)) as db:
        query = "SELECT a.uuid FROM annotation a JOIN annotator n ON n.uuid = a.annotator WHERE n.name = ?"
        first, second = [uuid for (uuid,) in db.execute(f"{query} LIMIT 2", ["annotator-1"])]
    whose = ("--annotator", "annotator-1", "--id")
    assert casespan("spans", copies[0], *whose, first, "--relabel", "GI").code == 0
    assert casespan("spans", copies[1], *whose, first, "--relabel", "GU").code == 0
    assert casespan("spans", copies[0], *whose, second, "--delete").code == 0
    assert casespan("spans", copies[1], *whose, second, "--relabel", "GU").code == 0
    merged = casespan("merge", few, *copies, "--json").json
    sides = ("--left", "annotator-1", "--right", "annotator-1 (copy)")
    queue = casespan("queue", few, *sides, "--json").json
    queued = {one["id"] for item in queue for one in item.get("differences", [item])}
    assert {one["id"] for one in merged["conflicts"]} == queued
    assert {one["kind"] for one in merged["conflicts"]} == {"label", "missing"}
    assert casespan("check", few).code == 0


def test_what_cannot_be_brought_in_is_said_in_a_sentence_each_and_the_rest_comes(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    good = Path(copyfile(few, tmp_path / "good.casespan"))
    assert amend(casespan, good, "Ben", "Say what was seen.") == 0
    half, text, altered, newer = (
        tmp_path / f"{name}.casespan" for name in ("half", "text", "altered", "newer")
    )
    half.write_bytes(few.read_bytes()[: few.stat().st_size // 2])
    text.write_text("no project", "utf-8")
    for path, change in (
        (copyfile(few, altered), "UPDATE document SET title = 'x' WHERE rowid = 1"),
        (copyfile(few, newer), "PRAGMA user_version = 99"),
    ):
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(change)
    scheme, folder = tmp_path / "scheme.casespan", tmp_path / "scheme"
    copytree(ROOT / "guidelines" / "clinical14", folder)
    (folder / "EENT.md").rename(folder / "EYES.md")
    toml = folder / "scheme.toml"
    toml.write_text(toml.read_text("utf-8").replace('"EENT"', '"EYES"'), "utf-8")
    assert casespan("new", scheme, "--scheme", folder).code == 0
    other = tmp_path / "other.casespan"
    source = tmp_path / f"{REPORT}.txt"
    source.write_text("Case report\n\nAnother text under the same name.\n", "utf-8")
    assert casespan("new", other).code == 0
    assert casespan("import", other, source).code == 0
    bad = (few, half, text, altered, newer, scheme, tmp_path / "nowhere.casespan")
    history = casespan("history", few).out
    refused = casespan("merge", few, *bad, "--json")
    assert refused.code == 1
    assert [one["file"] for one in refused.json["refused"]] == [str(one) for one in bad]
    assert all(one["reason"].endswith(".") and "\n" not in one["reason"] for one in refused.json["refused"])
    assert casespan("history", few).out == history
    itself = casespan("merge", few, few)
    assert (itself.code, itself.out) == (2, "")
    assert "is the project itself; name a packet or a copy of it." in itself.err
    some = casespan("merge", few, half, good, other, "--json")
    assert some.code == 1
    assert some.json["added"] == {"amendment": 1}
    (_, differing) = some.json["refused"]
    assert differing["report"] == REPORT
    assert differing["reason"].count("SHA-256") == 1
    assert casespan("check", few).code == 0


def test_a_report_that_was_imported_apart_is_known_again_however_often_its_copy_comes(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = count()
    monkeypatch.setattr("app.store.act.now", lambda: f"2026-03-01T09:{next(minutes):02}:00Z")
    ours, theirs = tmp_path / "ours.casespan", tmp_path / "theirs.casespan"
    assert casespan("new", ours, "--annotator", "Ana").code == 0
    copyfile(ours, theirs)
    text = "A new report.\n\nThe patient had fever and cough.\n"
    for project, names in ((ours, ("one", "new")), (theirs, ("new", "two"))):
        for name in names:
            source = tmp_path / f"{name}.txt"
            source.write_text(text if name == "new" else f"{text}It was {name}.\n", encoding="utf-8")
            assert casespan("import", project, source).code == 0
    orders = []
    for mine, other in ((ours, theirs), (theirs, ours)):
        whole = Path(copyfile(mine, tmp_path / f"whole-{mine.name}"))
        assert casespan("merge", whole, other, "--json").json["added"]["document"] == 1
        orders.append([one["id"] for one in casespan("list", whole, "--json").json["documents"]])
    assert orders[0] == orders[1]
    assert casespan("merge", ours, theirs).code == 0
    quote = {"category": "RESP", "quote": "cough", "start": 41, "end": 46}
    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({"id": "new", "title": "", "text": text, "annotations": [quote]}), "utf-8")
    assert casespan("import", theirs, found, "--format", "jsonl", "--annotator", "Ben").code == 0
    assert casespan("rename", theirs, "new", "--title", "Renamed").code == 0
    assert casespan("merge", ours, theirs).code == 0
    documents = casespan("list", ours, "--json").json["documents"]
    assert sorted((one["id"], one["title"], one["annotations"]["Ben"]) for one in documents) == [
        ("new", "Renamed", 1),
        ("one", "one", 0),
        ("two", "two", 0),
    ]
    assert casespan("check", ours).code == 0
