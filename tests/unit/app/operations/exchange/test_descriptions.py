"""What an import and an export say of themselves: every number once, and nothing of what there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.formats.losses import read_back
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.certifying import SUFFIX, changed_since, describe_read_back
from app.operations.exchange.exporting import (
    ExportSummary,
    _behind,
    _marked,
    describe_export,
    export_annotations,
)
from app.operations.exchange.exporting import _agreement as agreement_of
from app.operations.exchange.importing import (
    ImportSummary,
    UnplacedQuote,
    describe_annotations,
    list_unplaced_imports,
)
from extractors.model.document import Document
from extractors.model.finding import Grounding
from tests.unit.app.operations.helped import ME, RUN, copy_set, make_helped


def test_an_import_says_how_many_annotations_labels_and_figures_came() -> None:
    assert describe_annotations(ImportSummary()) == []
    lost = Grounding("ungrounded", None, None, 0.0, "it is not there")
    summary = ImportSummary(
        annotations=Counter(fuzzy=1, exact=2),
        nothing_found=1,
        labels=Counter(Sign=1, Age=1000),
        figures=Counter(figures=1200, kept=1100, refused=1, missing=0),
        unplaced=[UnplacedQuote("R1", "GI", "a rather long quote", lost)],
    )
    assert describe_annotations(summary) == [
        "1,200 figures (pictures: 1,100 kept, 1 refused).",
        "3 annotations added: 2 exact, 1 fuzzy.",
        "1,001 annotations under labels that the scheme lacks kept as they are: Age 1,000, Sign 1.",
        "1 category with nothing found.",
    ]
    assert describe_annotations(ImportSummary(figures=Counter(figures=1))) == ["1 figure."]
    assert list_unplaced_imports(summary, 30) == ["R1, GI: 'a rather long quote': it is not there"]


def test_an_export_says_what_was_written_what_was_not_and_what_came_back_otherwise() -> None:
    summary = ExportSummary(Path("out.csv"), 2, 0, 1, 0, ("A note.",))
    assert describe_export(summary, ME) == ["1 annotation of 2 reports written to out.csv.", "A note."]
    fewer = replace(summary, not_looked_at=1, unplaced=3, notes=())
    assert describe_export(fewer, ME)[1:] == [
        "3 of them have no place in their report; they are written without one",
        "1 report not written: Ann has not annotated them",
    ]
    assert describe_export(replace(fewer, what="term"), ME)[0].startswith("1 term of")
    assert describe_export(replace(fewer, what="term"), ME)[2].endswith("Ann has no terms of a profile there")


def test_a_report_bears_each_licence_that_guards_the_project_once() -> None:
    plain = Document("T", "text", (), {}, {"licence": "CC BY"})
    once = _marked(plain, ["Own"])
    assert once.metadata["licence"].startswith("CC BY ")
    assert _marked(once, ["Own"]) is once
    assert _marked(plain, []) is plain
    both = _marked(once, ["Own", "Other"]).metadata["licence"]
    assert both.startswith(once.metadata["licence"])
    assert both.count("Own") == once.metadata["licence"].count("Own")
    assert _marked(Document("T", "text", ()), ["Own"]).metadata["licence"] == (
        once.metadata["licence"].removeprefix("CC BY ")
    )


def test_an_export_that_was_cut_since_is_told_by_its_certificate(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with make_helped(tmp_path / "p.casespan", 2) as project:
        export_annotations(project, out, "jsonl", RUN)
    assert changed_since(out) == ""
    whole = out.read_text("utf-8")
    out.write_text(whole.splitlines(keepends=True)[0], "utf-8")
    assert changed_since(out) == (
        "Not as it was exported, with 12 annotations of 2 reports: 1 of 1 file changed or missing since. "
        "See that nothing was cut off."
    )
    out.with_name(out.name + SUFFIX).write_text("{}", "utf-8")
    assert changed_since(out) == ""


def test_what_people_agree_on_is_told_of_those_who_looked_and_each_pair_once(tmp_path: Path) -> None:
    with make_helped(tmp_path / "p.casespan", 2) as project:
        assert agreement_of(project) == ()
        for name in (ME, "Ben", "gold"):
            copy_set(project, RUN, name)
        # Who has spans and has not said of any category that it was looked through is not compared.
        add_span(project, "Zoe", SpanPlace("PMC1", 0, 4), "Neuro")
        found = agreement_of(project)
    assert {between for _, between, _ in found} == {"Ann and Ben, 2 reports"}
    assert found[0] == ("F1", "Ann and Ben, 2 reports", "1.000")


@pytest.mark.parametrize(
    ("missing", "unexpected", "said"),
    [
        ("", "", []),
        ("abcd", "", ["Read back, 3 annotations are the same, 4 are not there again (a; b; c)."]),
        ("", "x", ["Read back, 3 annotations are the same, 1 are otherwise (x)."]),
        ("a" * 30, "", ["Read back, 3 annotations are the same, 30 are not there again (a; a; a)."]),
    ],
)
def test_what_was_read_back_otherwise_is_named(missing: str, unexpected: str, said: list[str]) -> None:
    assert describe_read_back(read_back("a reader", 2, 3, missing, unexpected)) == said


@pytest.mark.parametrize(("added", "removed", "restated"), [(0, 0, 0), (2, 0, 0), (0, 1_000, 0), (0, 0, 2)])
def test_a_gold_set_that_follows_no_longer_from_its_sides_says_so(
    added: int, removed: int, restated: int
) -> None:
    gold: Any = SimpleNamespace(name="gold", added=added, removed=removed, restated=restated)
    said = _behind(gold)
    numbers = (
        f"{added} quotes would come, {removed:,} go; other categories are complete in {restated} reports"
    )
    assert said == (
        [f"gold no longer follows from its sides and the decisions ({numbers}): build it anew."]
        if added or removed or restated
        else []
    )
