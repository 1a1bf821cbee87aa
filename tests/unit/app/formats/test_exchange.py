"""CaseReportBench JSON, JSON Lines and CSV: each writer followed by a reader."""

from __future__ import annotations

import codecs
import csv
import json
import os
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import READ_FORMATS, WRITE_FORMATS, format_of, read, write, writing
from app.formats.record import ExportedAnnotation, Imported, LeftOut, ReportExport, Span
from app.formats.tabular import csv_table
from app.formats.tabular.csv_table import COLUMNS
from app.tables import without_guard
from extractors.model.document import Document, Section
from extractors.model.errors import FormatError, StorageError
from extractors.model.finding import Finding

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


def test_reports_are_on_the_disk_one_by_one_and_given_up_leave_nothing(tmp_path: Path) -> None:
    steps = writing(tmp_path / "out.jsonl", "jsonl", [report(), report()])
    next(steps)
    assert [one.suffix for one in tmp_path.iterdir()] == [".tmp"]
    steps.close()
    assert not list(tmp_path.iterdir())


def test_a_record_gives_text_sections_identifiers_and_quotes(tmp_path: Path) -> None:
    case = {"Case presentation": "A man.\r\n\r\nHe fell.", "Discussion": ["One.", "Two."]}
    rest = {"text": "Not used.", "Neuro": ["fell"], "GI": None, "MSK": "hip"}
    data = [{"pmcid": 77, "title": "T", "case": case, **rest}]
    (record,) = records(tmp_path, data)
    assert isinstance(record, Imported)
    assert record.document.text == "Case presentation\n\nA man.\n\nHe fell.\n\nDiscussion\n\nOne.\n\nTwo."
    assert [section.role for section in record.document.sections] == ["case", "background"]
    assert record.document.identifiers == {"pmcid": "77"}
    assert record.quotes == {"Neuro": ("fell",), "GI": (), "MSK": ("hip",)}
    assert record.notes == ('"text" was not used, as there is "case".',)


def test_quotes_without_a_text_are_kept_for_a_report_that_is_there(tmp_path: Path) -> None:
    (record,) = records(tmp_path, {"pmcid": "PMC77", "case": None, "Neuro": ["fell"]})
    assert isinstance(record, Imported)
    assert (record.document.text, record.document.identifiers) == ("", {"pmcid": "77"})


def test_a_record_without_a_text_may_say_that_nothing_was_found(tmp_path: Path) -> None:
    (record,) = records(tmp_path, {"pmcid": "six", "Neuro": [], "GI": None})
    assert isinstance(record, Imported)
    assert (record.document.text, record.quotes) == ("", {"Neuro": (), "GI": ()})


def test_blank_quotes_are_left_out_and_counted(tmp_path: Path) -> None:
    (record,) = records(tmp_path, [{"pmcid": "1", "text": "He fell.", "Neuro": [" ", "fell", ""]}])
    assert isinstance(record, Imported)
    assert record.quotes == {"Neuro": ("fell",)}
    assert record.notes == ("'Neuro' holds 2 blank quotes, left out.",)


def test_half_characters_outside_of_text_and_quotes_are_replaced_and_noted(tmp_path: Path) -> None:
    (record,) = records(tmp_path, [{"pmcid": "1", "title": "A\ud800", "text": "x", "M\udfff": "\ud800"}])
    assert isinstance(record, Imported)
    assert record.document.title == "A\ufffd"
    assert "replaced" in record.notes[0]
    assert "Unknown key 'M\\udfff'" in record.notes[1]
    assert "".join(record.notes).encode()


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ('{"pmcid": "1", "text": "x", "Neuro": ["a"], "Neuro": ["b"]}', "'Neuro'"),
        ('{"pmcid": "1", "case": {"H": "a", "I": "c", "H": "b"}}', "'H'"),
        ('{"pmcid": "1", "case": {"H": {"I": "a", "I": "b"}}}', "'I'"),
    ],
)
def test_a_key_that_is_repeated_is_named_and_nothing_chosen(tmp_path: Path, record: str, key: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(f'[{record}, {{"pmcid": "2", "text": "Fine."}}]', encoding="utf-8")
    first, second = read(path, "crb", CATEGORIES)
    assert isinstance(first, LeftOut)
    assert f"Record 1: {key} occurs more than once" in first.reason
    assert isinstance(second, Imported)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"pmcid": ' + "1" * 5000 + "}]", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"a": ' + '{"a":' * 100_000, "nested too deeply"),
        ("[{]", "line 1, column 3"),
    ],
)
def test_json_that_cannot_be_parsed_is_one_failure(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, LeftOut)
    assert said in record.reason


@pytest.mark.parametrize("heading", ["a", ""])
def test_a_case_nested_beyond_reason_is_left_out_and_the_others_stay(tmp_path: Path, heading: str) -> None:
    case: object = "x"
    for _ in range(100):
        case = {heading: case}
    first, second = records(tmp_path, [{"pmcid": 1, "case": case}, {"pmcid": 2, "text": "Fine."}])
    assert isinstance(first, LeftOut)
    assert "within each other" in first.reason
    assert isinstance(second, Imported)


def test_control_characters_leave_titles_and_headings_and_stay_in_texts(tmp_path: Path) -> None:
    data = [{"pmcid": "1", "title": "A\x1b[31m\ttitle\x07", "case": {"He\x1bart": "He\x1b fell."}}]
    (record,) = records(tmp_path, data)
    assert isinstance(record, Imported)
    assert record.document.title == "A[31m title"
    assert record.document.text == "Heart\n\nHe\x1b fell."
    assert record.document.sections[0].path == ("Heart",)
    assert record.notes == ("The text holds a control character (U+001B), kept as given.",)


def test_a_record_without_categories_keeps_other_quotes_under_their_name_and_notes_unknown_keys(
    tmp_path: Path,
) -> None:
    (record,) = records(tmp_path, [{"pmcid": "1", "text": "A man.", "Mood": ["sad"], "Age": 3}])
    assert isinstance(record, Imported)
    assert record.quotes is None
    assert record.spans == (Span("Mood", "sad"),)
    assert record.notes == ("Unknown key 'Age': 3",)
    (empty,) = records(tmp_path, [{"pmcid": "PMC1", "text": "A man.", "Mood": []}])
    assert isinstance(empty, Imported)
    assert (empty.notes, empty.document.title) == (("Unknown key 'Mood': []",), "1")


def test_a_heading_below_one_that_stands_elsewhere_is_told_by_either_of_its_names(tmp_path: Path) -> None:
    case = {"B": "x", "A > B > C": "y", "D > E": "z"}
    (record,) = records(tmp_path, [{"pmcid": "1", "case": case}])
    assert isinstance(record, Imported)
    assert [one.path for one in record.document.sections] == [("B",), ("A", "B", "C"), ("D > E",)]
    assert record.document.text == "B\n\nx\n\nC\n\ny\n\nD > E\n\nz"


def test_of_a_file_that_breaks_off_the_whole_records_are_taken_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"pmcid": "1", "text": "A."}, {"pmcid": "2", "text": "B."}, {"pm', encoding="utf-8")
    first, second, left = read(path, "auto", CATEGORIES)
    assert isinstance(first, Imported)
    assert isinstance(second, Imported)
    assert isinstance(left, LeftOut)
    assert (first.document.text, second.document.text) == ("A.", "B.")
    assert left.reason.endswith("What stands before it is taken (2 records).")


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
        {"pmcid": "1", "text": "x", "Neuro": ["\ud800"]},
        {"pmcid": "1", "case": {"\ud800": "x"}},
        {"pmcid": "1", "case": {"": "  ", " ": None}},
        {"pmcid": "", "Neuro": ["x"]},
        {"title": "\ud800", "text": 5},
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
    assert record.document.text == report().document.text
    assert [one.path for one in record.document.sections] == [one.path for one in report().document.sections]
    twice = Document(
        "t", "A\n\nOne.\n\nA\n\nTwo.", (Section("A", ("A",), 0, 9, ()), Section("A", ("A",), 9, 16, ()))
    )
    notes = write(path, "crb", [replace(report(), looked_at=("GI",))])
    (partly,) = json.loads(path.read_text(encoding="utf-8"))
    assert ({"Neuro", "GI"} & {*partly}, partly["GI"]) == ({"GI"}, [])
    assert any(note.startswith("Quotes in categories that are not complete") for note in notes)
    write(path, "crb", [replace(report(), document=twice)])
    assert json.loads(path.read_text(encoding="utf-8"))[0]["case"] == {"A": "One.\n\nTwo."}


def test_json_lines_come_back_with_document_quotes_and_categories_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    given_report = report()
    write(path, "jsonl", [given_report, given_report])
    back = [record for record in read(path, "auto", CATEGORIES) if isinstance(record, Imported)]
    assert [record.document for record in back] == [given_report.document] * 2
    assert back[0].quotes == {"Neuro": ("no seizures", "gone"), "GI": ()}
    assert back[0].notes == ()
    placed, unplaced = back[0].details["Neuro"]
    start = given_report.document.text.index("no seizures")
    assert (placed.place, placed.polarity, placed.field) == ((start, start + 11), "negated", "tests")
    assert unplaced.place is None
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    first = line["annotations"][0]
    assert line["text"][first["start"] : first["end"]] == first["quote"]
    assert line["annotations"][1]["start"] is None


def json_line(**changes: object) -> dict[str, object]:
    section = {
        "heading": "",
        "path": [],
        "start": 0,
        "end": 6,
        "categories": [],
        "role": "case",
        "reason": "",
    }
    return {"id": "1", "text": "A man.", "sections": [section], "annotations": [], **changes}


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "7",
        json.dumps(json_line(text="")),
        json.dumps(json_line(text="A \ud800")),
        json.dumps(json_line(annotations=[7])),
        json.dumps(json_line(annotations=[{"category": "GI", "quote": "\ud800"}])),
        json.dumps(json_line(annotations=[{"category": "GI", "quote": None}])),
        json.dumps(json_line(identifiers=["pmcid"])),
        '{"text": "A man.", "text": "A woman."}',
    ],
)
def test_a_malformed_line_is_left_out_by_its_number_and_the_others_stay(tmp_path: Path, bad: str) -> None:
    good = json.dumps(json_line())
    path = tmp_path / "in.jsonl"
    path.write_text(f"{good}\n{bad}\n\n{good}\n", encoding="utf-8")
    first, second, third = read(path, "auto", CATEGORIES)
    assert isinstance(first, Imported)
    assert isinstance(third, Imported)
    assert isinstance(second, LeftOut)
    assert second.failed
    assert second.reason.startswith("Line 2: ")


@pytest.mark.parametrize(
    "change",
    [{"start": 1}, {"end": 5}, {"end": 7}, {"end": "6"}, {"role": "x"}, {"path": 1}, {"heading": None}],
)
def test_sections_that_do_not_tile_their_text_are_found_anew(
    tmp_path: Path, change: dict[str, object]
) -> None:
    line = json_line()
    assert isinstance(line["sections"], list)
    line["sections"][0].update(change)
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, Imported)
    (section,) = record.document.sections
    assert (section.start, section.end, section.heading) == (0, 6, "")
    assert "found anew" in record.notes[0]


def test_annotations_of_categories_that_are_not_here_are_kept_under_their_own_name(tmp_path: Path) -> None:
    man = {"quote": "man", "start": 90, "end": 93}
    annotations = [{"category": category, **man} for category in ("GI", "Mood", "Mood")]
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(json_line(annotations=annotations)), encoding="utf-8")
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, Imported)
    assert record.quotes == {"GI": ("man",)}
    assert [(span.label, span.quote) for span in record.spans or ()] == [("Mood", "man"), ("Mood", "man")]
    assert "3 annotations have a place outside of the text, which is not used." in record.notes


def test_a_record_of_the_bench_on_one_line_is_no_json_line(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"id": 1, "pmcid": "1", "text": "A man.", "GI": ["man"]}), encoding="utf-8")
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, Imported)
    assert record.quotes == {"GI": ("man",)}


def test_a_span_outside_of_its_text_is_not_written(tmp_path: Path) -> None:
    document = Document("t", "short", ())
    annotation = ExportedAnnotation(Finding("GI", "q", 3, 99), "human", "a")
    with pytest.raises(FormatError, match="outside"):
        write(tmp_path / "x.jsonl", "jsonl", [ReportExport(document, "1", (annotation,), ())])
    assert list(tmp_path.iterdir()) == []


@given(
    st.sampled_from(["", *"=+-@\t'"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1),
)
def test_csv_cells_come_back_and_none_is_a_formula(
    tmp_path_factory: pytest.TempPathFactory, first_sign: str, rest: str
) -> None:
    quote = first_sign + rest
    path = tmp_path_factory.mktemp("csv") / "out.csv"
    write(path, "csv", [report(quote)])
    assert path.read_bytes().startswith(codecs.BOM_UTF8)
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, first, second = csv.reader(file)
    row = dict(zip(header, first, strict=True))
    assert tuple(header) == COLUMNS
    assert without_guard(row["quote"]) == quote
    assert row["quote"][0] not in "=+-@\t\r"
    assert (row["start"], row["polarity"], row["annotator"]) == ("17", "negated", "Anna")
    assert second[5:7] == ["", ""]


def test_a_workbook_has_the_cells_of_the_table_and_none_is_a_formula(tmp_path: Path) -> None:
    signs, long = "\x01 36 °C 😀", "x" * 32_767
    for name, quote in (
        ("formula", "=1+1"),
        ("link", "https://example.org"),
        ("sign", signs),
        ("long", long),
    ):
        path = tmp_path / f"{name}.xlsx"
        write(path, "xlsx", [report(quote)])
        book = pd.read_excel(path, sheet_name=None, keep_default_na=False)
        # A formula that was never reckoned is read as nothing.
        annotations, reports = book["annotations"], book["reports"]
        assert tuple(annotations.columns) == COLUMNS
        assert str(annotations["quote"][0]).replace("_x0001_", "\x01") == quote[:32_767]
        assert (annotations["start"][0], annotations["polarity"][0]) == (17, "negated")
        assert (annotations["start"][1], annotations["end"][1]) == ("", "")
        assert reports["annotations"][0] == 2
        recount = format_of("xlsx").recount
        assert recount is not None
        assert recount(path, [report(quote)]).same
        labelled = replace(report(quote), spans=(Span("Own", "Text", (0, 4)),))
        write(path, "xlsx", [labelled])
        with_own = pd.read_excel(path, sheet_name=None)
        assert with_own["reports"]["annotations"][0] == len(with_own["annotations"]) == 3
        named = [set(str(reports[name][0]).split(", ")) for name in ("looked_at", "nothing_found")]
        assert named[1] == named[0] - set(annotations["category"]) < named[0]


def test_each_writer_says_what_it_has_no_place_for(tmp_path: Path) -> None:
    silent = ReportExport(Document("t", "Text.", ()), "short-name", (), ("GI",))
    labelled = replace(silent, key="labels", looked_at=(), spans=(Span("Own", "Text", (0, 4)),))
    assert "No row" not in write(tmp_path / "own", "csv", [labelled])[-1]
    boxed = [replace(labelled, key=key, regions=given) for key, given in (("one", ({},)), ("two", ({}, {})))]
    assert any("3 regions on pictures" in line for line in write(tmp_path / "boxed", "csv", boxed))
    said = {format: write(tmp_path / format, format, [report(), silent]) for format in WRITE_FORMATS}
    assert said["jsonl"] == ()
    assert [
        line for line in said["crb"] if line.endswith((": 1 polarity.", ": 1 field of a quote."))
    ] == list(said["crb"][2:4])
    assert "1 report has no PMC number" in said["crb"][-1]
    headed = Document("t", "A\n\n\nText.\n", (Section("A", ("A",), 0, 11, ()),))
    respaced = write(tmp_path / "headed", "crb", [replace(silent, document=headed)])
    assert "The text of 1 report stands by headings and comes back with other line ends." in respaced
    keyed = replace(labelled, spans=tuple(Span(name, "Text", (0, 4)) for name in ("Own", "date", "title")))
    assert "2 quotes under names of a record's own keys" in write(tmp_path / "keyed", "crb", [keyed])[-2]
    (keys,) = json.loads((tmp_path / "keyed").read_text("utf-8"))
    assert (keys["Own"], keys["title"]) == (["Text"], keyed.document.title)
    cut = [write(tmp_path / f"{n}.xlsx", "xlsx", [report("x" * n)])[-1] for n in (32_767, 32_768)]
    assert ["cut after 32,767 characters" in one for one in cut] == [False, True]
    assert said["csv"][-1] == "No row for 1 report without annotations: short-name."
    for number, more in ((10, ""), (12, " and 2 more")):
        keys = [f"r{one}" for one in range(number)]
        (line,) = csv_table.silent_reports([replace(silent, key=key) for key in keys])
        assert line == f"No row for {number} reports without annotations: {', '.join(keys[:10])}{more}."
    assert said["csv"][-2].endswith(": 2 categories looked at without finding anything.")
    same = replace(headed, text="A\n\nText.", sections=(Section("A", ("A",), 0, 8, ()),))
    for one in (silent, replace(silent, document=same)):
        assert not any("by headings" in line for line in write(tmp_path / "plain", "crb", [one]))
    write(tmp_path / "numbered", "crb", [replace(report(), key="other"), silent])
    numbered = json.loads((tmp_path / "numbered").read_text("utf-8"))
    assert [one["pmcid"] for one in numbered] == ["77", "short-name"]


def test_a_format_is_told_in_utf_16_and_what_is_called_a_docbin_is_no_text(tmp_path: Path) -> None:
    for name in ("label-studio", "bioc-json"):
        path = tmp_path / f"{name}.json"
        list(write(path, name, [report()]))
        text = path.read_text("utf-8")
        wide = text.encode("utf-16-be")
        for data in (text.encode("utf-16"), wide, b"\xfe\xff" + wide):
            path.write_bytes(data)
            (record,) = read(path, "auto", CATEGORIES)
            assert isinstance(record, Imported)
            assert record.read_as == format_of(name).label
    for name, data, said in (
        ("a.spacy", b"\x78\x9c nothing of the kind", "The file is no spaCy DocBin, or a damaged one."),
        ("a.zip", b"PK\x03\x04 and no more", "The file is only a part of a ZIP archive"),
    ):
        (tmp_path / name).write_bytes(data)
        (left,) = read(tmp_path / name, "auto", CATEGORIES)
        assert isinstance(left, LeftOut)
        assert left.reason.startswith(said)


def test_a_writer_that_loses_nothing_says_nothing(tmp_path: Path) -> None:
    for format in WRITE_FORMATS:
        assert write(tmp_path / format, format, []) == ()


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


def test_every_registered_format_is_what_it_is_registered_as() -> None:
    for format in {*READ_FORMATS[1:], *WRITE_FORMATS}:
        found = format_of(format)
        assert found.id == format
        assert (found.read is not None) == (format in READ_FORMATS)
        assert ((found.write or found.write_folder or None) is not None) == (format in WRITE_FORMATS)
        assert found.read or found.recount, f"what {format} writes is not read back"
        assert found.label
        assert found.suffixes or found.folder
        assert found.about or format not in WRITE_FORMATS
    assert [format for format in WRITE_FORMATS if format_of(format).lossless] == ["jsonl"]


@pytest.mark.skipif(os.name != "posix", reason="others' rights are told by bits on POSIX alone")
@pytest.mark.parametrize("format", ["jsonl", "brat"])
def test_what_is_exported_is_readable_for_its_owner_alone(tmp_path: Path, format: str) -> None:
    write(tmp_path / "out", format, [report()])
    assert (tmp_path / "out").stat().st_mode & 0o077 == 0


def test_two_texts_of_one_name_in_a_table_are_two_reports_and_places_outside_are_said(tmp_path: Path) -> None:
    table = "report,category,quote,start,end,text\nr,GI,A,0,1,A man.\nr,GI,man,2,5,\nr,GI,A,9,10,A boy.\n"
    (tmp_path / "in.csv").write_text(table, encoding="utf-8")
    first, second = read(tmp_path / "in.csv", "csv", ("GI",))
    assert isinstance(first, Imported)
    assert isinstance(second, Imported)
    assert (first.document.text, first.quotes) == ("A man.", {"GI": ("A", "man")})
    assert (second.document.text, second.notes[0][:38]) == (
        "A boy.",
        "1 annotation has a place outside of th",
    )


def test_a_table_is_read_row_by_row_and_what_each_says_of_its_report_holds_for_all(tmp_path: Path) -> None:
    table = (
        '"Report","title",Category,quote,start,end,polarity,field,concept_HPO,licence,text\n'
        " r1 ,,GI,'=1,,,negated,gut,HP:1 HP:2,,\n"
        "r1,A title,Own,boy,2,5,maybe,,,MIT,A boy.\n"
        ",,,,,,,,,,\n"
        "r1,short\n"
        "r1,Another, ,none,,,,,,CC0,\n"
        "r2,,GI,he,5,3,,,,,\n"
    )
    (tmp_path / "in.csv").write_text(table, encoding="utf-8")
    first, *records = read(tmp_path / "in.csv", "auto", ("GI",))
    assert isinstance(first, LeftOut)
    assert (first.reason, first.source[-5:]) == ("Row 5 has 2 cells, the head has 11.", "csv#5")
    one, other = (record for record in records if isinstance(record, Imported))
    assert (one.key, one.document.title, one.document.text) == ("r1", "A title", "A boy.")
    assert one.document.metadata["licence"] == "MIT"
    # A row without a category says nothing of the text, and one without places nothing of them.
    assert one.notes == ()
    assert (one.quotes, [span.label for span in one.spans or ()]) == ({"GI": ("=1",)}, ["Own"])
    (said,) = one.details["GI"]
    assert (said.place, said.polarity, said.field) == (None, "negated", "gut")
    assert [(code.terminology, code.code) for code in said.concepts] == [("HPO", "HP:1"), ("HPO", "HP:2")]
    # Whose a span under another label is, and under which licence each report is.
    guarded = replace(one.document, metadata={"licence": "derived from MIMIC, credentialed"})
    own = ReportExport(one.document, "r1", (), (), one.spans or (), annotator="Ben")
    write(tmp_path / "out.csv", "csv", [own, replace(own, document=guarded)])
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["annotator"], row["licence"]) for row in rows] == [
        ("Ben", ""),
        ("Ben", "derived from MIMIC, credentialed"),
    ]
    assert (other.document.title, other.document.text) == ("r2", "")
    assert (other.details["GI"][0].place, "licence" in other.document.metadata) == (None, False)


@pytest.mark.parametrize(("said", "release"), [("2025-01", "2025-01"), ("2024-01; 2025-01", "")])
def test_a_release_is_read_where_a_table_says_one_for_all_codes_of_a_cell(
    tmp_path: Path, said: str, release: str
) -> None:
    table = f"report,category,quote,concept_HPO,hpo_release\nr,Own,ill,HP:1 HP:2,{said}\n"
    (tmp_path / "in.csv").write_text(table, encoding="utf-8")
    (record,) = read(tmp_path / "in.csv", "csv", ("GI",))
    assert isinstance(record, Imported)
    (span,) = record.spans or ()
    assert {one.release for one in span.concepts} == {release}
