"""A corpus made by the real command: what is in it, gone on with, and asked of several servers."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import pickle
import tarfile
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any

import psutil
import pyarrow
import pytest
from pyarrow import parquet

from app.formats.documents.outside import Apart, BrokenDownError, Limits, TooLargeError, TooLongError
from app.formats.filters import ImportFilter
from app.operations.corpus.asking import _project, ask_corpus
from app.operations.corpus.extracting import CorpusOptions, CorpusSummary, extract_corpus
from app.operations.corpus.inputs import Stream, Unit
from app.operations.corpus.parts import Parts
from app.operations.corpus.reading import Found, Job, Passed, prepare, quote_row, versions_of
from app.operations.corpus.schema import (
    TABLES,
    TableName,
    arrow_schema,
    finished_parts,
    manifest,
    part_file,
    read_table,
)
from app.operations.corpus.summary import summarise_corpus
from app.operations.corpus.workers import Reader
from app.operations.extract.models import connect
from app.operations.extract.options import ModelOptions
from app.store.reports.documents import documents
from extractors.llm.backends.several import SeveralServers
from extractors.model.document import Document
from extractors.model.errors import ServerError
from extractors.model.progress import finished
from tests.e2e.conftest import Casespan
from tests.e2e.models import MODEL, REPORTS, good, quoting
from tests.harmful import harmful
from tests.scripted_behaviours import Call, drops, stays_silent
from tests.scripted_ollama import ScriptedOllama

RARE = "At {0} years the boy had fever, then pain in the abdomen and no rash."


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A folder with a bulk archive, lines of which one is broken and one comes again, and a table."""
    folder = tmp_path / "in"
    folder.mkdir()
    with tarfile.open(folder / "bulk.tar.gz", "w:gz") as archive:
        archive.add(REPORTS / "PMC99000001.xml", "PMC000xxxxxx/PMC99000001.xml")
        archive.add(REPORTS / "late-onset-pompe.txt", "PMC000xxxxxx/f1.jpg")
    lines = [json.dumps({"id": f"r{number}", "text": RARE.format(number)}) for number in (1, 2, 3, 1)]
    (folder / "lines.jsonl").write_text("\n".join([*lines[:2], "{broken", *lines[2:]]), encoding="utf-8")
    table = {"key": ["p1", "p2"], "text": [RARE.format(8), RARE.format(9)], "year": [2019, None]}
    parquet.write_table(pyarrow.table(table), folder / "table.parquet")
    (folder / "notes.xyz").write_text("nothing", encoding="utf-8")
    return folder


def test_a_corpus_is_what_one_loop_makes_of_the_same_reports_whatever_is_killed(
    casespan: Casespan, given: Path, tmp_path: Path
) -> None:
    out = tmp_path / "corpus"
    out.mkdir()
    # What a run leaves that was killed before its manifest was there.
    (out / ".lock").touch()
    (out / ".manifest.json.7.tmp").write_text("{", encoding="utf-8")
    said: list[str] = []
    job = extract_corpus([given], out, CorpusOptions(task="codes", part_size=4), said.append)
    killed = 0
    for _ in job:
        for child in multiprocessing.active_children() if not killed else []:
            child.kill()
            killed += 1
    assert killed
    assert "https://127.0.0.1:" in said[0]
    reports, quotes, left_out = (
        read_table(out, name).to_pylist() for name in ("reports", "quotes", "left_out")
    )
    assert quotes == plainly(given, reports)
    texts = {row["report"]: row["text"] for row in reports}
    assert set(texts) >= {"r1", "r2", "r3", "p1", "p2", "PMC99000001"}
    assert all(hashlib.sha256(row["text"].encode()).hexdigest() == row["sha256"] for row in reports)
    assert {row["year"] for row in reports if row["report"].startswith("p")} == {2019, None}
    assert all(texts[row["report"]][row["start"] : row["end"]] == row["quote"] for row in quotes)
    coded = {row["quote"]: row for row in quotes if row["concepts"]}
    assert coded["fever"]["concepts"] == [{"code": "HP:0001945", "system": "HPO", "label": "Fever"}]
    assert coded["fever"]["confidence"] == 1.0
    assert {(row["report"], Path(row["source"]).name, row["reason"]) for row in left_out} == {
        ("r1", "lines.jsonl#5", "repeated"), (None, "lines.jsonl#3", "unreadable"),
        (None, "f1.jpg", "not read"), (None, "notes.xyz", "not read"),
    }  # fmt: skip
    assert [part.reports for part in manifest(out).parts] == [3, 3]
    assert manifest(out).state == "done"
    assert all(parquet.read_schema(part_file(out, name, 0)).equals(arrow_schema(name)) for name in TABLES)

    call = ("corpus", "extract", given, "--out", out, "--with", "rules", "--part-size", 4)
    again = casespan(*call, "--task", "codes", "--json")
    counts = {"reports": 6, "quotes": len(quotes), "failed": {}}
    assert again.code == 1
    assert {key: again.json[key] for key in counts} == counts
    assert again.json["parts"] == {"made": 0, "reused": 2}
    assert again.json["left_out"] == {"not read": 2, "repeated": 1, "unreadable": 1}
    other = casespan(*call)
    assert (other.code, other.out) == (2, "")
    assert f"{out} was made with task 'codes', not 'quotes'" in other.err
    fewer = casespan(*call, "--task", "codes", "--limit", 2)
    assert (fewer.code, "holds 6 reports, of which --limit 2 would drop some" in fewer.err) == (2, True)
    part = casespan("corpus", "extract", given / "lines.jsonl", *call[3:], "--task", "codes")
    assert (part.code, "which this call leaves out; give it too" in part.err) == (2, True)
    assert [len(read_table(out, name)) for name in TABLES] == [len(reports), len(quotes), 0, len(left_out)]
    # Of files that are gone no part is left.
    (given / "table.parquet").unlink()
    (given / "lines.jsonl").unlink()
    gone = casespan(*call, "--task", "codes", "--json").json
    assert (gone["reports"], len(finished_parts(out))) == (1, 1)


def plainly(given: Path, reports: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The quotes that one process finds in one loop."""
    extract = prepare(Job("codes", ImportFilter(), "HPO", versions_of("codes", "HPO", by_rules=True)))
    units = [one for one in Stream([given]) if isinstance(one, Unit)]
    found = {one.row["source"]: one for unit in units for one in extract(unit) if isinstance(one, Found)}
    return [
        {"report": row["report"], "number": number, **quote}
        for row in reports
        for number, quote in enumerate(found[row["source"]].quotes)
    ]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (("--with", "rules", "--cluster", "tls://192.0.2.1:8786"), "would go to 192.0.2.1; if it may"),
        (("--with", "rules", "--cluster", "nowhere"), "nowhere is no address of a cluster"),
        (("--model", "tiny", "--cluster", "tls://h:1"), "--cluster is for the rules"),
        (("--with", "rules", "--terminology", "HPO"), "--terminology is for the task codes"),
        (("--with", "rules", "--host", "http://127.0.0.1:1"), "--host is for models"),
        (("--model", "tiny", "--host", "http://192.0.2.1:1"), "192.0.2.1"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused_in_a_sentence(
    casespan: Casespan, given: Path, tmp_path: Path, call: tuple[str, ...], sentence: str
) -> None:
    outcome = casespan("corpus", "extract", given, "--out", tmp_path / "corpus", *call)
    assert (outcome.code, outcome.out) == (2, "")
    assert sentence in outcome.err


def test_a_report_that_does_harm_costs_no_other() -> None:
    apart = Apart(harmful, Limits(1.0, 150_000_000, 150_000_000), "harm")

    def ask(question: str) -> object:
        return finished(apart.ask(question))  # type: ignore[arg-type]

    assert ask("good") == "good"
    for question, error in (("crash", BrokenDownError), ("memory", TooLargeError), ("hang", TooLongError)):
        with pytest.raises(error):
            ask(question)
    assert ask("good") == "good"
    assert apart.asked == 1
    # One that has grown is renewed.
    apart._limits = replace(apart._limits, grown=0)
    assert (ask("good"), apart.asked, apart.size()) == ("good", 0, 0)


def test_a_process_that_others_kill_before_it_is_ready_is_begun_again(given: Path) -> None:
    reader = Reader(Job(None, ImportFilter(), "HPO", {}), 60)
    unit = next(one for one in Stream([given]) if isinstance(one, Unit))
    killed, ended = set[int](), threading.Event()

    def kill() -> None:
        while len(killed) < 3 and not ended.is_set():
            for one in psutil.Process().children():
                with suppress(psutil.Error):
                    if one.pid not in killed and "spawn_main" in " ".join(one.cmdline()):
                        one.kill()
                        killed.add(one.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        (found,) = pickle.loads(reader.read(unit))
    finally:
        ended.set()
        killer.join()
        reader.close()
    assert (type(found), len(killed)) == (Found, 3)


@pytest.mark.parametrize("name", TABLES)
def test_a_part_in_which_a_bit_was_turned_is_not_taken_over(tmp_path: Path, name: TableName) -> None:
    parts = Parts(tmp_path)
    row = {"text": "fever " * 9, "sha256": "00", "source": "a"}
    call = {"report": "r1", "number": 0, "prompt_sha256": "0", "state": "done"}
    left_out = Passed("b", "unreadable", "It is damaged.")
    parts.write(0, "1", [("r1", Found("r1", row, (quote_row(quote="fever"),)))], [left_out], [call])
    assert parts.has(0, "1")
    file = part_file(tmp_path, name, 0)
    column = parquet.read_metadata(file).row_group(0).column(0)
    damaged = bytearray(file.read_bytes())
    damaged[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    file.write_bytes(damaged)
    assert not parts.has(0, "1")


def test_a_parts_project_that_is_damaged_is_begun_anew_with_nothing_of_what_was_beside_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "part.casespan"
    path.write_bytes(b"SQLite format 3")
    path.with_name("part.casespan-wal").write_bytes(b"what was written last")
    with _project(path, []) as made:
        assert documents(made) == []
    # One that was killed before it had its reports is begun anew, and one that has them is gone on with.
    row = {"source": "a.txt", "sha256": "0" * 64}
    reports = [("r1", Found("r1", row, document=Document("A report", "She had fever.", ())))]
    known = set[str]()
    for _ in range(2):
        with _project(path, reports) as made:
            known |= {one.uuid for one in documents(made)}
    assert len(known) == 1


def surely(call: Call) -> None:
    """A reply of two tokens, a half and an eighth probable."""
    call.piece(call.answer(), logprobs=[{"token": "a", "logprob": log(of)} for of in (0.5, 0.125)])
    call.done()


def test_calls_of_a_server_that_fails_or_falls_silent_go_to_the_others_and_none_is_lost(
    given: Path, tmp_path: Path
) -> None:
    (given / "bulk.tar.gz").unlink()
    out, said, gate = tmp_path / "corpus", list[str](), threading.Event()
    model = ModelOptions("tiny", "ucp", "zero-shot", categories=("GI", "CVS", "DERM"), parallel=6)

    def run(servers: Sequence[ScriptedOllama]) -> CorpusSummary:
        client = SeveralServers([connect(one.url) for one in servers], 2, 0.5)
        return finished(ask_corpus([given], out, CorpusOptions(part_size=4), client, model, said.append))

    with (
        ScriptedOllama(*[good] * 3, *[drops()] * 9, answer=quoting, models=[MODEL]) as later,
        ScriptedOllama(good, *[drops()] * 9, answer=quoting, models=[MODEL]) as dying,
        ScriptedOllama(good, *[stays_silent(gate)] * 9, answer=quoting, models=[MODEL]) as silent,
    ):
        servers = (later, dying, silent)
        with pytest.raises(ServerError, match="the same command goes on from there"):
            run(servers)
        assert all(one.most <= 2 for one in servers)
        gate.set()
    # A part that is broken off leaves its answers and no file, one that was killed some that do not count.
    assert not list(out.glob("reports/*"))
    part_file(out, "quotes", 0).write_bytes(b"PAR1")
    with (
        ScriptedOllama(*[surely] * 15, answer=quoting, models=[MODEL]) as whole,
        ScriptedOllama(*[drops()] * 9, answer=quoting, models=[MODEL]) as left,
    ):
        summary = run([whole, left])
    assert [one.partition(" was left, and its calls go to the others: ")[0] for one in said] == [left.url]
    with ScriptedOllama(answer=quoting, models=[MODEL]) as idle:
        again = run([idle])
    assert (again.reports, again.made, idle.calls) == (5, 0, [])
    assert (summary.reports, summary.made, dict(summary.failed)) == (5, 2, {})
    calls = read_table(out, "calls").to_pylist()
    assert finished(summarise_corpus(out)).calls == Counter(row["state"] for row in calls)
    done = Counter((row["report"], row["asks"]) for row in calls if row["state"] == "done")
    assert set(done.values()) == {1}
    assert len(done) == 15
    places: dict[str, list[int]] = {}
    for row in calls:
        places.setdefault(row["report"], []).append(row["number"])
    assert all(numbers == [*range(len(numbers))] for numbers in places.values()), "counted by report"
    assert len(whole.calls) == 15 - 5
    answered = {row["server"] for row in calls if row["state"] == "done"}
    assert answered == {one.url for one in (*servers, whole)}
    sure = [one["confidence"] for one in read_table(out, "quotes").to_pylist()]
    assert (len(sure), [one for one in sure if one]) == (15, [pytest.approx(0.25)] * 10)
    assert not (out / ".asked").exists()
