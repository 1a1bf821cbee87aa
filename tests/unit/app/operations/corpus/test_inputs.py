"""What a corpus is made of: how it is gone through, cut into parts, and refused."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from app.formats.filters import ImportFilter
from app.operations.corpus import inputs
from app.operations.corpus.extracting import CorpusOptions, CorpusSummary, begun
from app.operations.corpus.extracting import _require_same as require_same
from app.operations.corpus.extracting import _require_whole as require_whole
from app.operations.corpus.inputs import Stream, Unit
from app.operations.corpus.reading import Job
from app.operations.corpus.sampling import sample_corpus
from app.operations.corpus.schema import MANIFEST, Input, Manifest, Part, manifest, write_manifest
from app.operations.corpus.searching import search_corpus
from extractors.model.errors import CallError, CasespanError, FormatError, ProjectBusyError
from extractors.model.progress import finished


@pytest.fixture
def given(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "b.jsonl").write_text('{"text": "three"}\n', "utf-8")
    (folder / "a.jsonl").write_text('{"text": "one"}\n\n {"text": "two"} \n', "utf-8")
    (folder / ".hidden.jsonl").write_text('{"text": "none"}\n', "utf-8")
    (folder / "c.txt").write_text("four", "utf-8")
    return folder


def sources(units: tuple[Unit, ...]) -> list[str]:
    return [unit.payload.source.rpartition("/")[2] for unit in units]


def test_lines_come_first_in_the_order_of_names_and_parts_hold_no_more_than_is_asked_for(given: Path) -> None:
    stream = Stream([given])
    parts = list(stream.bundles(3))
    assert [sources(one.units) for one in parts] == [["a.jsonl#1", "a.jsonl#3", "b.jsonl#1"], ["c.txt"]]
    assert [one.part for one in parts] == [0, 1]
    assert [left.title for one in parts for left in one.left_out] == [".hidden.jsonl"]
    assert [(unit.format, unit.line) for one in parts for unit in one.units] == [
        *[("jsonl", True)] * 3,
        ("auto", False),
    ]
    assert parts[0].units[1].payload.data == b'{"text": "two"}'
    assert stream.bytes == stream.inputs[0].bytes == sum(map(len, ('{"text": ""}' * 3, "onetwothreefour")))
    sizes = sum(path.stat().st_size for path in given.glob("[a-c]*"))
    (given / "d.tgz").write_bytes(b"x" * 10)
    assert Stream([given]).weigh() == sizes + 4 * 10


def test_what_is_named_twice_counts_once_whatever_the_order_and_no_more_than_the_limit(given: Path) -> None:
    first, second = given / "a.jsonl", given / "b.jsonl"
    whole, again = Stream([second, first, first]), Stream([first, second])
    (one,), (other,) = whole.bundles(9), again.bundles(9)
    assert (sources(one.units), one.sha256) == (["a.jsonl#1", "a.jsonl#3", "b.jsonl#1"], other.sha256)
    assert [Path(known.path).name for known in whole.inputs] == ["a.jsonl", "b.jsonl"]
    for limit in (0, 1, 2, 3, 4):
        cut = Stream([first, second], limit)
        assert sum(len(part.units) for part in cut.bundles(2)) == min(limit, 3)
    first.write_text(first.read_text("utf-8").replace("one", "One"), "utf-8")
    (changed,) = Stream([first, second]).bundles(9)
    assert changed.sha256 != one.sha256
    (given / "c.ann").write_text("T1\tGI 0 4\tfour\n", "utf-8")
    hashes = set()
    for text in ("four", "fore"):
        (given / "c.txt").write_text(text, "utf-8")
        hashes.add(next(Stream([given]).bundles(9)).sha256)
    assert len(hashes) == 2, "what belongs to a file is part of it"


def test_a_part_ends_where_it_grows_too_heavy_and_there_is_one_where_there_is_nothing(
    given: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(inputs, "_MOST_BYTES", 20)
    assert [sources(one.units) for one in Stream([given]).bundles(9)] == [
        *(["a.jsonl#1"], ["a.jsonl#3"], ["b.jsonl#1"], ["c.txt"]),
    ]
    for size, most in product((1, 2, 9), range(60)):
        monkeypatch.setattr(inputs, "_MOST_BYTES", most)
        parts = [[len(unit.payload.data) for unit in part.units] for part in Stream([given]).bundles(size)]
        assert all(len(part) == 1 or sum(part) <= most for part in parts)
        for part, (weight, *_) in pairwise(parts):
            assert len(part) == size or sum(part) + weight > most, "no part ends before it is full"
    assert [(one.units, one.left_out) for one in Stream([given], 0).bundles(9)] == [((), ())]
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no more")
    (one,) = Stream([tmp_path / "x.parquet"]).bundles(9)
    assert (one.units, [(left.failed, left.title) for left in one.left_out]) == ((), [(True, "x.parquet")])


@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_tables_are_read_whose_names_are_no_text(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xfe")
    folder.mkdir()
    parquet.write_table(pyarrow.Table.from_pylist([{"text": "one"}]), tmp_path / "t")
    (tmp_path / "t").rename(folder / os.fsdecode(b"\xff.parquet"))
    (folder / os.fsdecode(b"\xff.jsonl")).write_text('{"text": "two"}\n', "utf-8")
    (one,) = (stream := Stream([folder])).bundles(9)
    assert sources(one.units) == ["\ufffd.jsonl#1", "\ufffd.parquet#1"]
    assert one.left_out == ()
    told = Manifest("quotes", "rules", {}, {}, stream.inputs)
    write_manifest(tmp_path, told)
    assert manifest(tmp_path) == told


def test_rows_of_a_table_are_read_by_the_first_column_of_a_kind_and_what_is_empty_is_left(
    tmp_path: Path,
) -> None:
    rows = [
        {"body": "x", "full_text": "long", "pmid": 1, "year": 2020, "other": "o"},
        {"body": "y", "full_text": "longer", "pmid": None, "year": None, "other": "o"},
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    (one,) = Stream([tmp_path / "t.parquet"]).bundles(9)
    assert sources(one.units) == ["t.parquet#1", "t.parquet#2"]
    assert [json.loads(unit.payload.data) for unit in one.units] == [
        {"text": "long", "id": "1", "metadata": {"date": "2020"}},
        {"text": "longer", "metadata": {}},
    ]
    parquet.write_table(pyarrow.Table.from_pylist([{"words": "x"}]), tmp_path / "t.parquet")
    (one,) = Stream([tmp_path / "t.parquet"]).bundles(9)
    assert "no column of texts (text, full_text, body)" in one.left_out[0].reason


def test_a_call_that_would_drop_what_a_corpus_holds_is_refused(tmp_path: Path) -> None:
    out, here = tmp_path / "out", tmp_path / "here"
    here.mkdir()
    there = Manifest(
        "quotes",
        "rules",
        {"part_size": 2},
        {"casespan": "1"},
        [Input(str(here), 1)],
        [Part(0, 2, "s"), Part(1, 1, "s")],
    )
    for limit in (None, 3, 4):
        require_whole(out, there, [tmp_path], limit)
    with pytest.raises(CallError, match="holds 3 reports, of which --limit 2 would drop some"):
        require_whole(out, there, [here], 2)
    with pytest.raises(CallError, match=r"holds reports of .*here, which this call leaves out"):
        require_whole(out, there, [out], None)
    here.rmdir()
    require_whole(out, there, [out], None)
    same: dict[str, Any] = {
        "task": "quotes",
        "by": "rules",
        "settings": {"part_size": 2},
        "versions": {"casespan": "1"},
    }
    require_same(out, there, Manifest(**same))
    for other, said in (
        ({"task": "codes"}, "task 'quotes', not 'codes'"),
        ({"by": "tiny"}, "by 'rules', not 'tiny'"),
        ({"settings": {"part_size": 3}}, "part_size 2, not 3"),
        ({"versions": {"casespan": "1", "rules": "2"}}, "rules None, not '2'"),
    ):
        with pytest.raises(CallError, match=said):
            require_same(out, there, Manifest(**{**same, **other}))


def test_a_corpus_is_begun_in_a_folder_of_its_own_and_gone_on_with(given: Path, tmp_path: Path) -> None:
    out, options = tmp_path / "out", CorpusOptions(part_size=2)
    job = Job("quotes", ImportFilter(), "HPO", {"v": 2})
    for paths, where, said in (
        ([tmp_path / "none"], out, "There is no .*none"),
        ([given], given / "out", "is in .*in, from which is read"),
        ([given], given, "is in"),
    ):
        with pytest.raises(CallError, match=said), begun(paths, where, options, "rules", {}, job):
            pass
    with begun([given], out, options, "rules", {"seed": 1}, job) as run:
        told = manifest(out)
        assert (told.task, told.by, told.state, told.versions) == ("quotes", "rules", "begun", {"v": 2})
        assert (told.settings["part_size"], told.settings["seed"]) == (2, 1)
        told.parts, told.inputs = [Part(0, 2, "s")], [Input(str(given), 1)]
        write_manifest(out, told)
    again = begun([given], out, options, "rules", {"seed": 1}, job)
    with begun([given], out, options, "rules", {"seed": 1}, job) as run:
        with pytest.raises(ProjectBusyError, match="Another program is writing"), again:
            pass
        assert (manifest(out).parts, manifest(out).inputs) == (told.parts, told.inputs)
        assert (run.folder, run.parts.reports) == (out, 0)
    (out / MANIFEST).unlink()
    with (
        pytest.raises(CallError, match="holds something else"),
        begun([given], out, options, "rules", {}, job),
    ):
        pass


def test_a_corpus_is_whole_where_nothing_failed_and_all_could_be_read() -> None:
    def whole(left_out: dict[str, int], failed: dict[str, int]) -> bool:
        return CorpusSummary(9, 9, 1, 1, 4, left_out, failed, 2.0).whole

    assert whole({"repeated": 2, "not read": 1}, {})
    assert not whole({"unreadable": 1}, {})
    assert not whole({}, {"crashed": 1})
    assert CorpusSummary(9, 9, 1, 1, 4, {}, {}, 2.0).rate == 2


def test_what_is_no_finished_corpus_of_quotes_is_neither_drawn_from_nor_searched(tmp_path: Path) -> None:
    def sampled() -> object:
        return finished(sample_corpus(tmp_path, tmp_path / "s.casespan", 5, "category", 1))

    def searched() -> object:
        return finished(search_corpus(tmp_path, "cough"))

    told = Manifest("quotes", "rules", {"part_size": 2}, {})
    for call, change, said in (
        (sampled, {}, "is not finished"),
        (searched, {}, "is not finished"),
        (sampled, {"task": "phenotypes"}, "holds terms and no quotes"),
        (sampled, {"state": "done"}, "holds no reports"),
        (searched, {"schema": 0}, "is a corpus of version 0"),
    ):
        write_manifest(tmp_path, replace(told, **change))
        with pytest.raises(CasespanError, match=said):
            call()
    (tmp_path / MANIFEST).write_text("{", "utf-8")
    with pytest.raises(FormatError, match="is damaged"):
        searched()
