"""Parquet tables and data set folders: what pandas reads is what was annotated."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from app.formats import format_of, write
from app.formats.record import ExportedAnnotation, ExportedTerm, ReadBack, ReportExport, Whole
from app.formats.tabular.parquet import plain_value
from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme
from tests.unit.app.formats.test_people import REPORT

SEED = 3
SPANS = len(REPORT.annotations) + len(REPORT.spans)
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
    recount = format_of("parquet").recount
    assert recount is not None
    silent = replace(REPORT, key="silent", annotations=(), spans=())
    assert recount(tmp_path / "out.parquet", [REPORT, silent]) == ReadBack("pandas", 2, len(table))
    # As pandas gives them back where a row of the column has nothing.
    assert plain_value({"start": float("nan"), "end": 3.0}) == (("start", None), ("end", 3))


def test_a_table_of_terms_has_places_of_those_words_alone_that_have_one(tmp_path: Path) -> None:
    here = ExportedAnnotation(Finding("", "fever", 3, 8, "", "present"), "human", "ann")
    lost = Finding("", "Fever", None, None, "", "present", "ungrounded", "Not found.")
    term = ExportedTerm("HPO", "r", "HP:1", "Fever", False, (here, replace(here, finding=lost)))
    write(tmp_path / "terms.csv", "profile", [replace(REPORT, profile=(term,))])
    row = pd.read_csv(tmp_path / "terms.csv").to_dict("records")[0]
    assert (row["quotes"], row["places"], row["annotator"]) == ("fever | Fever", "3-8", "ann")
    assert (row["polarity"], row["origin"]) == ("present", "human")
    # A term that is denied, said by two; reading back finds what is not there, and what nobody wrote.
    both = (here, replace(here, origin="model"))
    denied = replace(term, code="HP:2", denied=True, onset="P3Y", annotations=both)
    given = [replace(REPORT, profile=(term, denied))]
    write(tmp_path / "both.csv", "profile", given)
    row = pd.read_csv(tmp_path / "both.csv").to_dict("records")[1]
    assert (row["code"], row["polarity"], row["origin"]) == ("HP:2", "negated", "human model")
    assert row["onset"] == "P3Y"
    recount = format_of("profile").recount
    assert recount is not None
    assert recount(tmp_path / "both.csv", given) == ReadBack("the rows of the table", 1, 2)
    again = recount(tmp_path / "terms.csv", given)
    assert (again.kept, again.missing, again.unexpected) == (1, ("PMC7: HP:2",), ())
    more = recount(tmp_path / "both.csv", [replace(REPORT, profile=(term,))])
    assert (more.missing, more.unexpected) == ((), ("PMC7: HP:2",))


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
    # Texts that are there several times count as often for the parts.
    twice = [replace(one, key=f"{one.key}/{n}") for one in reports(10) for n in range(2)]
    assert {name: len(ids) for name, ids in parts("f", twice).items()} == {
        "train": 12,
        "validation": 4,
        "test": 4,
    }


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
    assert "| ENDO |" not in card
    assert re.findall(r"^\| (?:train|validation|test) \| (\d+) \| \d+ \| (\d+) \|$", card, re.MULTILINE) == [
        ("2", str(2 * SPANS)),
        ("1", str(SPANS)),
    ]
    # What is not there when it is read again is named.
    recount = format_of("hf").recount
    assert recount is not None
    lost = recount(tmp_path / "out", [*given, replace(given[0], key="r9")])
    assert (lost.reports, "r9: the report" in lost.missing) == (3, True)


@pytest.mark.parametrize(
    ("licences", "name"),
    [
        (
            ("https://creativecommons.org/licenses/by/4.0/", "http://CREATIVECOMMONS.org/licenses/by/4.0"),
            "cc-by-4.0",
        ),
        (
            (
                "https://creativecommons.org/licenses/by/4.0/",
                "https://creativecommons.org/licenses/by-nc/4.0/",
            ),
            "other",
        ),
        (("", ""), "unknown"),
        (("All rights reserved", "All rights reserved"), "other"),
    ],
)
def test_a_data_set_has_the_licence_that_all_of_its_reports_have(
    tmp_path: Path, licences: tuple[str, ...], name: str
) -> None:
    given = [
        replace(one, document=replace(one.document, metadata={"licence": licence}), annotations=(), spans=())
        for one, licence in zip(reports(2), licences, strict=True)
    ]
    write(tmp_path / "out", "hf", given)
    assert f'license: "{name}"' in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
