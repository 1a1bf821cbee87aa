"""From two annotators' differences to a gold set, by command line alone."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import format_of
from app.store.project import Project
from app.store.reports.documents import document_summary
from tests.e2e.conftest import Casespan

SIDES = ("--left", "annotator-1", "--right", "annotator-2")


def queue(casespan: Casespan, study: Path, *more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = casespan("queue", study, *SIDES, "--json", *more).json
    return found


def differences(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for item in items for one in item["differences"]}


def test_every_difference_decided_by_a_file_ends_in_a_complete_gold_set(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    todo = differences(queue(casespan, few))
    orders = tmp_path / "decisions.jsonl"
    lines = [json.dumps({"id": name, "take": "left", "reason": "slip"}) for name in todo]
    orders.write_text("\n".join(lines), encoding="utf-8")
    decided = casespan("resolve", few, *SIDES, "--from", orders, "--by", "Cas", "--json").json
    assert {one["difference"] for one in decided} == set(todo)
    assert queue(casespan, few) == []
    assert set(differences(queue(casespan, few, "--state", "decided"))) == set(todo)
    gold = casespan("gold", few, *SIDES, "--as", "consensus", "--by", "Cas", "--json").json
    assert (gold["undecided"], gold["decided"]) == (0, len(todo))
    same = casespan("agree", few, "--left", "annotator-1", "--right", "consensus", "--json").json
    assert same["average"]["span_f1"] == 1
    assert casespan("check", few).code == 0
    for _ in range(2):
        assert casespan("undo", few).code == 0
    assert set(differences(queue(casespan, few))) == set(todo)


def test_an_exported_gold_set_names_the_origin_of_each_quote_and_what_is_undecided(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    first = next(iter(differences(queue(casespan, few, "--kind", "boundary"))))
    assert casespan("resolve", few, *SIDES, "--id", first, "--take", "left", "--by", "Cas").code == 0
    casespan("gold", few, *SIDES, "--as", "consensus", "--by", "Cas")
    out = tmp_path / "gold.jsonl"
    told = casespan("export", few, out, "--format", "jsonl", "--annotator", "consensus", "--json").json
    total = len(differences(queue(casespan, few, "--state", "all")))
    assert told["undecided"] == total - 1
    # What an import will not take is no secret where the format is chosen.
    assert "of a category that is not complete" in told["notes"][-1]
    assert "complete" in format_of("jsonl").about
    reports = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    origins = {quote["source"]["from"] for report in reports for quote in report["annotations"]}
    assert origins == {"agreement", "decision"}


def test_a_whole_pair_and_what_is_alike_are_decided_at_once(casespan: Casespan, study: Path) -> None:
    pair = next(item for item in queue(casespan, study) if item["kind"] == "pair")
    told = casespan("resolve", study, *SIDES, "--id", pair["id"], "--take", "right", "--by", "Cas", "--json")
    assert {one["difference"] for one in told.json} == {one["id"] for one in pair["differences"]}
    label = differences(queue(casespan, study, "--kind", "label"))
    for name in label:
        order = ("--id", name, "--take", "both", "--by", "Cas", "--alike", "labels")
        would = casespan("resolve", study, *SIDES, *order, "--dry-run", "--json").json
        if len(would) > 1:
            break
    told = casespan("resolve", study, *SIDES, *order, "--json")
    assert sorted(one["difference"] for one in told.json) == sorted(would)
    assert len(would) > 1
    casespan("undo", study)
    assert set(would) <= set(differences(queue(casespan, study)))


def test_what_is_alike_is_decided_from_narrow_to_wide(casespan: Casespan, study: Path) -> None:
    name = next(iter(differences(queue(casespan, study, "--kind", "missing"))))
    numbers = []
    kinds = ("words", "cue", "head", "habit", "labels", "scope")
    for last in range(len(kinds)):
        wider = [argument for kind in kinds[: last + 1] for argument in ("--alike", kind)]
        order = ("--id", name, "--take", "left", "--by", "Cas", *wider, "--dry-run", "--json")
        numbers.append(len(casespan("resolve", study, *SIDES, *order).json))
    assert numbers == sorted(numbers)
    assert numbers[-1] > numbers[0] >= 1


def test_the_queue_can_be_narrowed(casespan: Casespan, study: Path) -> None:
    every = queue(casespan, study)
    one = every[0]
    with Project.open(study) as opened:
        uuid = document_summary(opened, one["key"]).uuid
    for name in (one["key"], uuid):
        assert {item["key"] for item in queue(casespan, study, "--document", name)} == {one["key"]}
    beside = next(
        category
        for item in every
        for difference in item["differences"]
        for category in difference["categories"]
        if category != item["category"]
    )
    there = queue(casespan, study, "--category", beside)
    said = {
        item["id"]: (
            {d["kind"] for d in item["differences"]},
            {c for d in item["differences"] for c in d["categories"]},
        )
        for item in every
    }
    assert [item["id"] for item in there] == [name for name, (_, of) in said.items() if beside in of]
    kind = queue(casespan, study, "--kind", "label", "--kind", "polarity")
    wanted = {"label", "polarity"}
    assert [item["id"] for item in kind] == [name for name, (kinds, _) in said.items() if kinds & wanted]
    assert {"pair", "label"} <= {item["kind"] for item in kind}
    labels = differences(queue(casespan, study, "--kind", "label", "--below", "0"))
    assert {difference["kind"] for difference in labels.values()} == {"label"}
    casespan("resolve", study, *SIDES, "--id", one["id"], "--take", "ask", "--by", "Cas")
    assert [item["id"] for item in queue(casespan, study, "--state", "asked")] == [one["id"]]
    assert one["id"] not in {item["id"] for item in queue(casespan, study, "--state", "open")}


def test_corrections_tell_an_annotator_what_was_decided_and_why(casespan: Casespan, study: Path) -> None:
    name = next(iter(differences(queue(casespan, study, "--kind", "label"))))
    reasons = ("--reason", "guideline-gap", "--note", "see the clause", "--clause", "Exclude")
    decided = ("--id", name, "--take", "right", "--by", "Cas", "--confidence", "0.25", "--json")
    (decision,) = casespan("resolve", study, *SIDES, *decided, *reasons).json
    assert decision["confidence"] == 0.25
    (told,) = casespan("gold", study, "--corrections", "annotator-1", "--json").json
    assert (told["kept"], told["reason"], told["note"], told["decided_by"]) == (
        False,
        "guideline-gap",
        "see the clause",
        "Cas",
    )
    assert "corrected" in casespan("gold", study, "--corrections", "annotator-1").out
    (other,) = casespan("gold", study, "--corrections", "annotator-2", "--json").json
    assert other["kept"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--id", "nowhere", "--take", "left", "--by", "Cas"), "no 'nowhere' in the queue"),
        (("--take", "left", "--by", "Cas"), "--id"),
        (("--id", "x", "--by", "Cas"), "--take"),
        (("--id", "x", "--take", "left"), "--by"),
        (("--id", "x", "--take", "left", "--by", "rules"), "rules"),
        (("--id", "x", "--take", "edited", "--span", "1:2", "--by", "Cas"), "START:END:CATEGORY"),
    ],
)
def test_a_call_that_says_too_little_is_refused_in_a_sentence(
    casespan: Casespan, study: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    told = casespan("resolve", study, *SIDES, *arguments)
    assert told.code == 2 or (told.code == 1 and "rules" in arguments)
    assert sentence in told.err
    assert casespan("history", study, "--json").json[-1]["name"] == "import reports"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "not valid JSON (line 1"),
        ("7", "Decision 1 must be an object"),
        ('[{"id": "x"}]', '"take"'),
        (
            '[{"id": "x", "take": "left", "why": "no"}]',
            "'why', which is not known here; it may have clause, confidence, id, note, reason, seconds",
        ),
        ('[{"id": "x", "take": "left", "confidence": "high"}]', "number"),
        ('[{"id": "x", "take": "edited", "spans": [{"start": 1}]}]', "span"),
        ('[{"id": "x", "take": "perhaps"}]', "perhaps"),
        ('{"id": "x", "take": "left", "take": "right"}', "more than once"),
        ('{"id": "x", "take": "left"}\n{', "Decision 2"),
        ('{"id": "x", "take": "left", "confidence": 1' + "0" * 400 + "}", "sensible size"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_list_of_decisions_is_refused_whole(
    casespan: Casespan, study: Path, text: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    told = casespan("resolve", study, *SIDES, "--from", "-", "--by", "Cas")
    assert told.code in (1, 2)
    assert sentence in told.err


def test_one_bad_decision_in_a_file_keeps_all_of_it_out(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    one_bad = tmp_path / "decisions.json"
    good = next(iter(differences(queue(casespan, study))))
    one_bad.write_text(json.dumps([{"id": good, "take": "left"}, {"id": "gone", "take": "left"}]), "utf-8")
    assert casespan("resolve", study, *SIDES, "--from", one_bad, "--by", "Cas").code == 2
    assert good in differences(queue(casespan, study))


def test_a_file_of_decisions_that_is_no_text_is_refused_in_a_sentence(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "decisions.bin").write_bytes(b"\xff\xfe\x00")
    told = casespan("resolve", study, *SIDES, "--from", tmp_path / "decisions.bin", "--by", "Cas")
    assert told.code in (1, 2)
    assert "no text in UTF-8" in told.err


def test_a_dry_run_names_what_would_be_decided_and_no_more(casespan: Casespan, study: Path) -> None:
    pair = next(item for item in queue(casespan, study) if len(item["differences"]) > 1)
    first, *others = (one["id"] for one in pair["differences"])
    casespan("resolve", study, *SIDES, "--id", first, "--take", "left", "--by", "Cas")
    order = ("--id", pair["id"], "--take", "left", "--by", "Cas", "--json")
    would = casespan("resolve", study, *SIDES, *order, "--dry-run").json
    assert would == others
    head, *said = casespan("resolve", study, *SIDES, *order[:-1], "--dry-run").out.splitlines()
    assert head == f"Would decide on {len(others)} difference{'s' if others[1:] else ''}."
    assert [line.split()[0] for line in said if not line.startswith(" ")] == others
    assert any(line.startswith("    ") for line in said)
    assert [one["difference"] for one in casespan("resolve", study, *SIDES, *order).json] == would


def test_a_note_may_hold_line_ends_that_are_none_of_the_file(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    name = next(iter(differences(queue(casespan, study))))
    orders = tmp_path / "decisions.jsonl"
    orders.write_text(
        json.dumps({"id": name, "take": "left", "note": "a\u2028b"}, ensure_ascii=False), "utf-8"
    )
    (taken,) = casespan("resolve", study, *SIDES, "--from", orders, "--by", "Cas", "--json").json
    assert taken["note"] == "a\u2028b"


@pytest.mark.parametrize(
    "extra", [("--note", "x"), ("--reason", "slip"), ("--confidence", "0"), ("--clause", "c")]
)
def test_what_goes_with_one_decision_is_refused_beside_a_file(
    casespan: Casespan, study: Path, tmp_path: Path, extra: tuple[str, str]
) -> None:
    told = casespan("resolve", study, *SIDES, "--from", tmp_path / "any.json", "--by", "Cas", *extra)
    assert told.code == 2
    assert "not both" in told.err


@pytest.mark.parametrize("name", ["  ", "a\nb", "a\x1bb", "a\u202eb", "x" * 201])
def test_nobody_decides_under_what_is_no_name(casespan: Casespan, study: Path, name: str) -> None:
    first = next(iter(differences(queue(casespan, study))))
    told = casespan("resolve", study, *SIDES, "--id", first, "--take", "left", "--by", name)
    assert (told.code, told.out) == (2, "")
    assert "name" in told.err


def test_a_gold_set_of_one_annotator_alone_is_refused(casespan: Casespan, study: Path) -> None:
    told = casespan("gold", study, "--left", "annotator-1", "--right", "annotator-1", "--by", "Cas")
    assert (told.code, "two annotators" in told.err) == (2, True)
    own = casespan("gold", study, *SIDES, "--as", "annotator-1", "--by", "Cas")
    assert (own.code, "cannot be built from itself" in own.err) == (2, True)
    nobody = casespan("gold", study, "--corrections", "nobody")
    assert (nobody.code, "no annotator 'nobody'; choose one of annotator-1, " in nobody.err) == (2, True)


@pytest.mark.parametrize("unknown", [("--category", "NOPE"), ("--document", "NOPE")])
def test_a_queue_narrowed_to_what_is_not_there_is_refused(
    casespan: Casespan, study: Path, unknown: tuple[str, str]
) -> None:
    told = casespan("queue", study, *SIDES, *unknown)
    assert (told.code, "NOPE" in told.err) == (2, True)


@pytest.mark.parametrize("file_format", ["jsonl", "crb"])
def test_an_undecided_category_of_gold_is_complete_nowhere(
    casespan: Casespan, study: Path, tmp_path: Path, file_format: str
) -> None:
    """A category with agreed quotes and an undecided difference counts neither here nor in a file."""
    casespan("gold", study, *SIDES, "--as", "consensus", "--by", "Cas")
    open_ones = {
        (item["key"], category)
        for item in queue(casespan, study)
        for one in item["differences"]
        for category in one["categories"]
    }
    compared = casespan("agree", study, "--left", "annotator-1", "--right", "consensus", "--json").json
    whole = len(compared["categories"]) * 10
    assert compared["pooled"]["n"] == whole - len(open_ones)
    assert compared["average"]["span_f1"] == 1
    out = tmp_path / f"gold.{file_format}"
    told = casespan("export", study, out, "--format", file_format, "--annotator", "consensus", "--json").json
    assert any("not complete" in note for note in told["notes"])
    assert "', of a category that is not complete" in told["notes"][-1]
    written = out.read_text(encoding="utf-8")
    lines = file_format == "jsonl"
    records = [json.loads(line) for line in written.splitlines()] if lines else json.loads(written)
    complete = [record.get("looked_at", record) for record in records]
    cells = sum(category in cell for cell in complete for category in compared["categories"])
    assert cells == whole - len(open_ones)
    other = tmp_path / "other.casespan"
    casespan("new", other)
    assert casespan("import", other, out, "--annotator", "theirs").code == 0
    casespan("export", other, tmp_path / "back.json", "--format", "crb", "--annotator", "theirs")
    back = json.loads((tmp_path / "back.json").read_text(encoding="utf-8"))
    assert sum(category in record for record in back for category in compared["categories"]) == cells


def test_a_decided_difference_that_is_asked_again_counts_as_undecided(
    casespan: Casespan, study: Path
) -> None:
    todo = differences(queue(casespan, study))
    first, second = (("--id", one, "--by", "Cas", "--take") for one in list(todo)[:2])
    for order, undecided in (((*first, "left"), 1), ((*second, "right"), 2), ((*first, "ask"), 1)):
        told = casespan("resolve", study, *SIDES, *order).out
        assert f"; {len(todo) - undecided:,} undecided" in told
