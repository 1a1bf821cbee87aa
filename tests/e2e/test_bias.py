"""`casespan bias` and `casespan plant` on real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.operations.review.verdicts import judge_spans
from app.store.extract.runs import planted
from app.store.project import Project
from tests.builders import Kept
from tests.e2e.conftest import Casespan
from tests.unit.app.operations.helped import GOLD, ME, RUN, copy_set, make_helped, spans_of

COPY = "helper for review"


def write_helped(path: Path) -> None:
    with make_helped(path, 12) as project:
        copy_set(project, RUN, GOLD)


@pytest.fixture
def helped(kept: Kept, tmp_path: Path) -> Path:
    """Twelve reports, a run and a gold set."""
    return kept.copy(write_helped, tmp_path / "helped.casespan")


def accept_all(path: Path) -> None:
    """The reviewer accepts the copy whole."""
    with Project.open(path, write=True) as project:
        of: dict[str, list[str]] = {}
        for one in spans_of(project, COPY):
            of.setdefault(one.document, []).append(one.uuid)
        for uuids in of.values():
            judge_spans(project, ME, uuids, "accepted", seconds=1.5)


def test_the_way_from_planting_over_review_to_the_section(
    casespan: Casespan, helped: Path, tmp_path: Path
) -> None:
    made = casespan("plant", helped, "--run", RUN, "--share", "0.2", "--seed", "3", "--json")
    assert made.code == 0
    assert made.json["annotator"] == COPY
    assert sum(made.json["planted"].values()) == 14
    accept_all(helped)
    shown = casespan("bias", helped, "--against", GOLD)
    assert shown.code == 0
    assert shown.out.startswith("Automation bias of Ann\n======================\n")
    text = " ".join(shown.out.split())
    assert "helper for review, a copy of helper, holds 14 planted errors." in text
    assert "Ann judged 14 of them and caught 0: 0.0 % (95 % interval 0.0 to 21.5 %)." in text
    value = casespan("bias", helped, "--json").json
    assert value["planted"][0]["kinds"]["all"]["missed"] == 14
    assert value["planted_accepted"] == 14
    page, table = tmp_path / "bias.html", tmp_path / "bias.csv"
    assert casespan("bias", helped, "--html", page).code == 0
    assert casespan("bias", helped, "--csv", table).code == 0
    assert "Planted errors in helper for review" in page.read_text(encoding="utf-8")
    assert "detection rate" in table.read_text(encoding="utf-8")
    assert casespan("check", helped).code == 0


def test_what_was_let_through_is_named_and_taken_out_by_one_command(
    casespan: Casespan, helped: Path, tmp_path: Path
) -> None:
    casespan("plant", helped, "--run", RUN, "--count", "4")
    accept_all(helped)
    words = "4 spans of Ann were accepted from planted errors; remove them before use."
    assert words in casespan("agree", helped, "--left", ME, "--right", GOLD).out
    out = tmp_path / "ann.jsonl"
    assert words in casespan("export", helped, out, "--format", "jsonl", "--annotator", ME).out
    removed = casespan("bias", helped, "--remove-planted", "--annotator", ME)
    assert removed.out.startswith("4 spans of planted errors removed from the set of Ann.\n")
    assert words not in casespan("agree", helped, "--left", ME, "--right", GOLD).out
    assert "nothing was removed" in casespan("bias", helped, "--remove-planted").out
    assert casespan("undo", helped).code == 0
    assert words in casespan("agree", helped, "--left", ME, "--right", GOLD).out


def test_the_list_does_not_tell_a_planted_span_from_others(casespan: Casespan, helped: Path) -> None:
    casespan("plant", helped, "--run", RUN, "--as", "second look", "--count", "4")
    listed = casespan("list", helped).out + json.dumps(casespan("list", helped, "--json").json)
    assert "second look" in listed
    assert "plant" not in listed
    assert "wrong" not in listed
    with Project.open(helped) as project:
        assert not any(one.annotation in listed for one in planted(project))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bias", "--annotator", "Nobody"), "no annotator 'Nobody'"),
        (("bias", "--run", RUN, "--against", RUN), "three different sets"),
        (("bias", "--remove-planted", "--run", RUN), "--annotator and --json only"),
        (("plant", "--run", GOLD), "is no run"),
        (("plant", "--run", RUN, "--as", GOLD), "already"),
        (("plant", "--run", RUN, "--share", "2"), "not a number above 0"),
        (("plant", "--run", RUN, "--count", "0"), "not a number from 1 on"),
        (("plant", "--run", RUN, "--kind", "odd"), "invalid choice"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    casespan: Casespan, helped: Path, arguments: tuple[str, ...], words: str
) -> None:
    command, *rest = arguments
    refused = casespan(command, helped, *rest)
    assert (refused.code, refused.out) == (2, "")
    assert words in refused.err
    assert len(refused.err.splitlines()) == 1
