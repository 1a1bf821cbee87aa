"""CaseReportBench JSON, JSON Lines and CSV: each writer followed by a reader."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import read, write
from app.formats.csv_table import COLUMNS, without_guard
from app.formats.jsonl import read_jsonl
from app.formats.record import ExportedAnnotation, Imported, LeftOut, ReportExport
from extractors.document import Document, Section
from extractors.errors import FormatError, StorageError
from extractors.finding import Finding

CATEGORIES = ("Neuro", "GI", "MSK")


def records(tmp_path: Path, data: object) -> list[Imported | LeftOut]:
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return list(read(path, "crb", CATEGORIES))


def report(quote: str = "no seizures") -> ReportExport:
    text = "Case 1\n\nHe had 😀 no seizures.\n\nTreatment\n\nRest.\n\nCase 2\n\nWell.\n\nTreatment\n\nNone."
    starts: list[tuple[int, tuple[str, ...]]] = [
        (text.index("Case 1"), ("Case 1",)),
        (text.index("Treatment"), ("Case 1", "Treatment")),
        (text.index("Case 2"), ("Case 2",)),
        (text.rindex("Treatment"), ("Case 2", "Treatment")),
    ]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    sections = tuple(
        Section(path[-1], path, start, end, ("Neuro",))
        for (start, path), end in zip(starts, ends, strict=True)
    )
    document = Document("A title", text, sections, {"pmcid": "77"}, {"language": "en"})
    start = text.index("no seizures")
    annotations = (
        ExportedAnnotation(Finding("Neuro", quote, start, start + 11, "tests", "negated"), "human", "Anna"),
        ExportedAnnotation(
            Finding("Neuro", "gone", None, None, "", "present", "ungrounded", "Not found."), "model", "m"
        ),
    )
    return ReportExport(document, "77", annotations, ("Neuro", "GI"))


def test_a_record_gives_text_sections_identifiers_and_quotes(tmp_path: Path) -> None:
    case = {"Case presentation": "A man.\r\n\r\nHe fell.", "Discussion": ["One.", "Two."]}
    data = [{"pmcid": 77, "title": "T", "case": case, "Neuro": ["fell"], "GI": None, "MSK": "hip"}]
    (record,) = records(tmp_path, data)
    assert isinstance(record, Imported)
    assert record.document.text == "Case presentation\n\nA man.\n\nHe fell.\n\nDiscussion\n\nOne.\n\nTwo."
    assert [section.role for section in record.document.sections] == ["case", "background"]
    assert record.document.identifiers == {"pmcid": "77"}
    assert record.quotes == {"Neuro": ("fell",), "GI": (), "MSK": ("hip",)}


def test_quotes_without_a_text_are_kept_for_a_report_that_is_there(tmp_path: Path) -> None:
    (record,) = records(tmp_path, {"pmcid": "PMC77", "case": None, "Neuro": ["fell"]})
    assert isinstance(record, Imported)
    assert (record.document.text, record.document.identifiers) == ("", {"pmcid": "77"})


def test_a_record_without_categories_has_no_quotes_and_unknown_keys_are_noted(tmp_path: Path) -> None:
    (record,) = records(tmp_path, [{"pmcid": "1", "text": "A man.", "Mood": ["sad"]}])
    assert isinstance(record, Imported)
    assert record.quotes is None
    assert record.notes == ("Unknown key 'Mood': [\"sad\"]",)


@pytest.mark.parametrize(
    "bad",
    [
        7,
        {"pmcid": "1"},
        {"pmcid": ["1"], "text": "x"},
        {"pmcid": "1", "text": 5},
        {"pmcid": "1", "case": ["x"]},
        {"pmcid": "1", "case": {"h": 5}},
        {"pmcid": "1", "text": "x", "Neuro": [5]},
        {"pmcid": "1", "text": "x", "Neuro": {"a": "b"}},
        {"pmcid": "1", "text": "x\ud800"},
    ],
)
def test_a_malformed_record_is_left_out_by_its_number_and_the_others_stay(
    tmp_path: Path, bad: object
) -> None:
    good = {"pmcid": "2", "text": "Fine."}
    first, second, third = records(tmp_path, [good, bad, good])
    assert isinstance(first, Imported)
    assert isinstance(third, Imported)
    assert isinstance(second, LeftOut)
    assert second.failed
    assert second.reason.startswith("Record 2: ")


def test_crb_comes_back_with_every_quote_section_and_category_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write(path, "crb", [report()])
    (written,) = json.loads(path.read_text(encoding="utf-8"))
    assert list(written["case"]) == ["Case 1", "Case 1 > Treatment", "Case 2", "Case 2 > Treatment"]
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, Imported)
    assert record.quotes == {"Neuro": ("no seizures", "gone"), "GI": ()}
    assert record.document.title == "A title"
    assert "He had 😀 no seizures." in record.document.text


def test_json_lines_come_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    given_report = report()
    write(path, "jsonl", [given_report, given_report])
    back = list(read_jsonl(path))
    # A finding's reason is not part of the exchange.
    assert [item.document for item in back] == [given_report.document] * 2
    assert back[0].looked_at == given_report.looked_at
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    first = line["annotations"][0]
    assert line["text"][first["start"] : first["end"]] == first["quote"]
    assert line["annotations"][1]["start"] is None


def test_a_span_outside_of_its_text_is_not_written(tmp_path: Path) -> None:
    document = Document("t", "short", ())
    annotation = ExportedAnnotation(Finding("GI", "q", 3, 99), "human", "a")
    with pytest.raises(FormatError, match="outside"):
        write(tmp_path / "x.jsonl", "jsonl", [ReportExport(document, "1", (annotation,), ())])
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1))
def test_csv_cells_come_back_and_none_is_a_formula(
    tmp_path_factory: pytest.TempPathFactory, quote: str
) -> None:
    path = tmp_path_factory.mktemp("csv") / "out.csv"
    write(path, "csv", [report(quote)])
    with path.open(encoding="utf-8", newline="") as file:
        header, first, second = csv.reader(file)
    row = dict(zip(header, first, strict=True))
    assert tuple(header) == COLUMNS
    assert without_guard(row["quote"]) == quote
    assert row["quote"][0] not in "=+-@\t\r"
    assert (row["start"], row["polarity"], row["annotator"]) == ("17", "negated", "Anna")
    assert second[5:7] == ["", ""]


def test_a_write_that_fails_leaves_what_was_there_and_says_why(tmp_path: Path) -> None:
    target = tmp_path / "folder.json"
    target.mkdir()
    with pytest.raises(StorageError, match=r"folder\.json cannot be written"):
        write(target, "crb", [report()])
    with pytest.raises(StorageError):
        write(tmp_path / "no" / "such" / "x.csv", "csv", [report()])
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for format in ("crb", "jsonl", "csv"):
        for name in ("a", "b"):
            write(tmp_path / name, format, [report()])
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
