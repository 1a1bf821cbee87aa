"""Parquet tables and data set folders: what pandas reads is what was annotated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from app.formats import write
from app.formats.record import ExportedAnnotation, ExportedTerm, ReportExport, Whole
from app.formats.tabular.parquet import plain_value
from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme
from tests.unit.app.formats.test_people import REPORT

SEED = 3
WHOLE = Whole(default_scheme(), (("F1", "Anna and Ben, 9 reports", "0.71"),), SEED, (60, 20, 20))


def reports(number: int, whole: Whole = WHOLE) -> list[ReportExport]:
    texts = [f"{REPORT.document.text}{at}" for at in range(number)]
    return [
        replace(REPORT, document=Document("A | b", text, ()), key=f"r{at}", whole=whole)
        for at, text in enumerate(texts)
    ]


def test_a_parquet_table_has_a_row_an_annotation_and_the_text_it_is_a_place_in(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet", "parquet", [REPORT])
    table = pd.read_parquet(tmp_path / "out.parquet")
    assert len(table) == len(REPORT.annotations) + len(REPORT.spans)
    assert table["text"].dtype == "category"
    for row in table.to_dict("records"):
        parts = [row["text"][start:end] for start, end in row["fragments"]]
        assert " ".join(parts) == (row["quote"] if parts else "")
    assert [one["code"] for one in table["concepts"][0]] == ["HP:0001250"]
    assert table["concept_HPO"][0] == "HP:0001250"
    # As pandas gives them back where a row of the column has nothing.
    assert plain_value({"start": float("nan"), "end": 3.0}) == (("start", None), ("end", 3))


def test_a_table_of_terms_has_places_of_those_words_alone_that_have_one(tmp_path: Path) -> None:
    here = ExportedAnnotation(Finding("", "fever", 3, 8, "", "present"), "human", "ann")
    lost = Finding("", "Fever", None, None, "", "present", "ungrounded", "Not found.")
    term = ExportedTerm("HPO", "r", "HP:1", "Fever", False, (here, replace(here, finding=lost)))
    write(tmp_path / "terms.csv", "profile", [replace(REPORT, profile=(term,))])
    row = pd.read_csv(tmp_path / "terms.csv").to_dict("records")[0]
    assert (row["quotes"], row["places"], row["annotator"]) == ("fever | Fever", "3-8", "ann")


def test_a_data_set_is_divided_by_report_seed_and_text_alone(tmp_path: Path) -> None:
    def parts(name: str, given: list[ReportExport]) -> dict[str, set[str]]:
        write(tmp_path / name, "hf", given)
        files = sorted((tmp_path / name / "data").iterdir())
        return {file.name.partition("-")[0]: set(pd.read_parquet(file)["id"]) for file in files}

    first = parts("a", reports(20))
    assert {name: len(ids) for name, ids in first.items()} == {"train": 12, "validation": 4, "test": 4}
    assert parts("b", reports(20)[::-1]) == first
    assert parts("c", reports(20, replace(WHOLE, seed=4))) != first
    assert parts("d", reports(1)) == {"train": {"r0"}}
    same = [replace(one, document=REPORT.document) for one in reports(5)]
    assert parts("e", same) == {"train": {"r0", "r1", "r2", "r3", "r4"}}


def test_the_card_has_counts_agreement_and_the_licence_of_each_report(tmp_path: Path) -> None:
    given = reports(3)
    stated = replace(given[0].document, metadata={"licence": "https://creativecommons.org/licenses/by/4.0/"})
    write(tmp_path / "out", "hf", [replace(given[0], document=stated), *given[1:]])
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    head = card.split("---\n")[1]
    assert 'license: "other"' in head
    assert "  - split: train\n    path: data/train-00000-of-00001.parquet\n" in head
    assert "| F1 | Anna and Ben, 9 reports | 0.71 |" in card
    assert "| A \\| b | https://creativecommons.org/licenses/by/4.0/ |" in card
    assert card.count("| A \\| b | not stated |") == 2
    assert "| Neuro | Neurology and cognition | 6 |" in card
    assert "| Sex | not in the scheme | 3 |" in card
