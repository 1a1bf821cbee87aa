"""Rows of other revisions get categories of ICD-11 by table, by words, or by both, or a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractors.model.errors import TerminologyError
from extractors.terminology.icd11.classes import open_icd11, open_maps
from extractors.terminology.icd11.mapping import (
    NO_DIAGNOSIS,
    NO_WORDS,
    NOT_A_LEAF,
    NOT_IN_TABLE,
    Mapper,
    Source,
    Via,
)
from extractors.terminology.library import FOLDER, import_terminology
from tests.icd11 import write_tables


@pytest.fixture
def mapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapper:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path))
    return Mapper(open_icd11(), open_maps("2024-01"))


@pytest.mark.parametrize(
    ("code", "title", "source", "via", "best", "step"),
    [
        ("1230", "x", "icd9cm", "table", "QA00.0", "table"),
        ("Z90.0XA", "x", "icd10cm", "table", "QA00.0", "table"),
        ("z90.0xa", "x", "icd10cm", "table", "QA00.0", "table"),
        ("Z91", "x", "icd10", "table", "QB10.Z", "table"),
        ("", "Acute rots of plume", "text", "text", "QA00.0", "full title"),
        ("", "Sudden rot of the plumes", "text", "text", "QA00.0", "full title"),
        ("", "very severe chronic plume rot left fan", "text", "text", "QA00.1", "sub-phrase"),
        ("", "feather hemorrhage", "text", "text", "QA01", "full title"),
        ("", "bill of the pyrexia", "text", "text", "QB10.Z", "full title"),
        ("Z90", "Chronic plume rot of the left fan", "icd10cm", "both", "QA00.1", "full title"),
        ("Z911", "Fever with rattling", "icd10cm", "both", "QB10.0", "table"),
        ("Z92", "Bleeding feather", "icd10cm", "both", "QA01", "table"),
    ],
)
def test_the_best_category_comes_first_with_its_step(
    mapper: Mapper, code: str, title: str, source: Source, via: Via, best: str, step: str
) -> None:
    share = 0.7 if step == "sub-phrase" else 0.8
    found = mapper.map(code, title, source, via, share=share).candidates[0]
    assert (found.code, found.step) == (best, step)
    assert found.uri == mapper.classes[best].uri


@pytest.mark.parametrize(
    ("code", "title", "source", "via", "reason"),
    [
        ("9999", "x", "icd9cm", "table", NO_DIAGNOSIS),
        ("K12", "x", "icd10cm", "both", NOT_IN_TABLE),
        ("Z93", "x", "icd10cm", "table", NOT_IN_TABLE),
        ("", "plume rot", "text", "text", ""),
        ("", "Beak", "text", "text", ""),
        ("", "nothing of the kind", "text", "both", NO_WORDS),
        ("", "rattling plume rot", "text", "text", NO_WORDS),
        ("", "rot of plume that rattles", "text", "text", NO_WORDS),
    ],
)
def test_a_row_without_a_category_has_a_reason(
    mapper: Mapper, code: str, title: str, source: Source, via: Via, reason: str
) -> None:
    found = mapper.map(code, title, source, via)
    assert (bool(found.candidates), found.reason) == (not reason, reason)


def test_the_more_of_a_code_the_table_lacks_the_less_its_category_counts(mapper: Mapper) -> None:
    scores = [
        mapper.map(code, "x", "icd10cm", "table").candidates[0].score
        for code in ("Z90.0", "Z90.0X", "Z90.0XA")
    ]
    assert scores == sorted(set(scores), reverse=True)
    found = mapper.map("1231", "x", "icd9cm", "table").candidates
    assert [(one.code, one.score) for one in found] == [("QA00.Z", 0.8333), ("QA01", 0.5)]
    assert mapper.map("1231", "x", "icd9cm", "table", top=1).candidates == found[:1]


def test_of_all_that_a_table_has_for_a_code_categories_of_diseases_alone_are_taken(mapper: Mapper) -> None:
    mapper.maps.many["Z91"] = ("BlockL1-QA0", "QB10.0", "XQ1A", "no such code")
    found = mapper.map("Z91", "x", "icd10", "table").candidates
    assert [one.code for one in found] == ["QB10.Z", "QB10.0"]


def test_sides_and_encounters_that_icd_10_cm_adds_change_nothing(mapper: Mapper) -> None:
    titles = ("Acute plume rot", "Acute plume rot, bilateral, initial encounter")
    plain, told = (
        [(one.code, one.score) for one in mapper.map("Z90.0", title, "icd10cm").candidates]
        for title in titles
    )
    assert (told, told[0][0]) == (plain, "QA00.0")


def test_what_only_a_category_with_others_below_it_says_is_no_leaf(mapper: Mapper) -> None:
    kept = [one.code for one in mapper.map("", "Plume rot", "text", "text").candidates]
    assert kept == ["QA00.Z", "QA00.0", "QA00.Y", "QA00.1"], "leaves alone, the one that says no more first"
    mapper.labels.leaf[:] = False
    assert mapper.map("", "Plume rot", "text", "text").reason == NOT_A_LEAF


def test_a_map_that_is_not_there_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path)[:1])
    mapper = Mapper(open_icd11(), open_maps("2024-01"))
    with pytest.raises(TerminologyError, match=r"mapping\.zip"):
        mapper.require("icd10cm", "both")
    for via in ("text", "both"):
        mapper.require("text", via)
    import_terminology("ICD11", write_tables(tmp_path)[1:2])
    mapper = Mapper(open_icd11(), open_maps("2024-01"))
    mapper.require("icd10cm", "both")
    with pytest.raises(TerminologyError, match=r"icd9toicd10cmgem"):
        mapper.require("icd9cm", "table")
