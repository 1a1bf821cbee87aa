"""brat: what is written comes back, what others wrote comes in, and what has no place is named."""

from __future__ import annotations

import tarfile
from codecs import BOM_UTF8
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import format_of, read, write
from app.formats.record import ExportedAnnotation, Imported, LeftOut, QuoteDetails, ReportExport, Span
from app.formats.standoff import brat
from extractors.model.document import Document
from extractors.model.errors import FormatError, StorageError
from extractors.model.finding import POLARITIES, Finding

CATEGORIES = ("Neuro", "GI", "Lab_Image")
TEXT = "A man 😀 had no seizures.\nHe was\nill."
SPAN = st.tuples(
    st.integers(0, 60), st.integers(1, 30), st.sampled_from(CATEGORIES), st.sampled_from(POLARITIES)
)


def finding(quote: str, text: str = TEXT, **more: str) -> Finding:
    start = text.index(quote)
    return Finding("Neuro", quote, start, start + len(quote), **more)  # type: ignore[arg-type]


def report(*findings: Finding, text: str = TEXT, key: str = "PMC1") -> ReportExport:
    given = tuple(ExportedAnnotation(one, "human", "Anna") for one in findings)
    return ReportExport(
        Document("T", text, ()), key, given, tuple(dict.fromkeys(f.category for f in findings))
    )


def pair(folder: Path, lines: str, text: bytes = TEXT.encode(), name: str = "a") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.txt").write_bytes(text)
    (folder / f"{name}.ann").write_text(lines, encoding="utf-8")
    return folder


def only(folder: Path, format: str = "auto") -> Imported:
    found = list(read(folder, format, CATEGORIES))
    (record,) = (one for one in found if isinstance(one, Imported))
    assert [one.reason for one in found if isinstance(one, LeftOut)] in (
        [],
        [".conf files are not read."],
    )
    return record


def test_a_folder_is_written_with_texts_annotations_and_the_types_brat_wants(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = write(
        out, "brat", [report(finding("seizures", polarity="negated", field="facial features"), key="a/b")]
    )
    assert sorted(path.name for path in out.iterdir()) == ["a_b.ann", "a_b.txt", "annotation.conf"]
    assert (out / "a_b.txt").read_text(encoding="utf-8") == TEXT
    lines = (out / "a_b.ann").read_text(encoding="utf-8").splitlines()
    assert lines == ["T1\tNeuro 15 23\tseizures", "A1\tPolarity T1 negated", "A2\tField T1 facial_features"]
    told = (out / "annotation.conf").read_text(encoding="utf-8")
    assert "[entities]\nNeuro\n" in told
    assert "Value:negated|uncertain\n" in told
    assert len(said) == 3


def test_reports_whose_names_come_to_the_same_are_numbered(tmp_path: Path) -> None:
    write(tmp_path / "out", "brat", [report(finding("seizures"), key=key) for key in ("a/b", "a:b", "a?b")])
    texts = (path.name for path in (tmp_path / "out").glob("*.txt"))
    assert sorted(texts) == ["a_b-2.txt", "a_b-3.txt", "a_b.txt"]


def test_a_quote_over_the_end_of_a_line_is_written_in_fragments_and_comes_back_whole(tmp_path: Path) -> None:
    write(tmp_path / "out", "brat", [report(finding("was\nill"))])
    assert "T1\tNeuro 28 31;32 35\twas ill" in (tmp_path / "out" / "PMC1.ann").read_text(encoding="utf-8")
    record = only(tmp_path / "out", "brat")
    assert record.quotes == {"Neuro": ("was\nill",)}
    assert record.details["Neuro"][0].place == (28, 35)
    assert record.notes == ()


@given(
    st.text(st.sampled_from("ab é😀\n\t\u00a0𝑨\u0301"), min_size=60, max_size=90).filter(
        lambda text: text.strip()
    ),
    st.lists(SPAN, max_size=6, unique_by=lambda one: one[:3]),
)
def test_every_span_that_has_a_place_comes_back_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, text: str, spans: list[tuple[int, int, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("brat") / "out"
    found = [
        Finding(category, text[a : a + n], a, min(a + n, len(text)), polarity=polarity)  # type: ignore[arg-type]
        for a, n, category, polarity in spans
        if text[a : a + n].strip("\n") == text[a : a + n] and text[a : a + n].strip()
    ]
    write(folder, "brat", [report(*found, text=text)])
    record = only(folder, "brat")
    assert record.document.text == text
    back = {
        (category, said.place, said.polarity, quote)
        for category, quotes in (record.quotes or {}).items()
        for quote, said in zip(quotes, record.details[category], strict=True)
    }
    assert back == {(one.category, (one.start, one.end), one.polarity, one.quote) for one in found}


def test_a_pair_of_files_is_one_report_however_it_is_given(tmp_path: Path) -> None:
    folder = pair(tmp_path / "in", "T1\tNeuro 15 23\tseizures\n")
    for path in (folder, folder / "a.ann"):
        assert only(path).quotes == {"Neuro": ("seizures",)}
    archive = tmp_path / "in.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(folder, "in")
    assert only(archive).quotes == {"Neuro": ("seizures",)}
    # The text by itself is a text, and so is the folder where it is said to hold texts.
    assert only(folder / "a.txt").quotes is None
    other, text = read(folder, "text", CATEGORIES)
    assert isinstance(text, Imported)
    assert isinstance(other, LeftOut)
    assert other.reason == ".ann files are not read."


def test_polarity_and_field_are_read_and_what_has_no_place_is_counted(tmp_path: Path) -> None:
    lines = (
        "T1\tNeuro 15 23\tseizures\nA1\tNegation T1\nA2\tField T1 facial_features\nT2\tNeuro 2 5\tman\n"
        "E1\tNeuro:T1\nR1\tCAUSE Arg1:T1 Arg2:T2\nR2\tCAUSE Arg1:T2 Arg2:T1\n#1\tAnnotatorNotes T1\tsure?\n"
        "A3\tSeverity T1 high\nT3\tMood 0 1\tA\nT4 Neuro 0 1 A\n*\tEquiv T1 T2\n"
    )
    record = only(pair(tmp_path / "in", lines))
    assert record.quotes == {"Neuro": ("seizures", "man")}
    assert record.details["Neuro"] == (
        QuoteDetails(
            (15, 23), "negated", "facial features", note="sure?", span=record.details["Neuro"][0].span
        ),
        QuoteDetails((2, 5), "present", span=record.details["Neuro"][1].span),
    )
    assert record.notes == ("1 line of a span not understood; kept as it stands, and written back.",)
    assert [(span.label, span.place) for span in record.spans or ()] == [("Mood", (0, 1))]
    assert [len(lines) for lines in record.rest.values()] == [5]


def test_a_discontinuous_span_becomes_the_whole_stretch_and_keeps_its_fragments(tmp_path: Path) -> None:
    record = only(pair(tmp_path / "in", "T1\tNeuro 15 23;2 5\tman seizures\n"))
    assert record.quotes == {"Neuro": ("man 😀 had no seizures",)}
    (said,) = record.details["Neuro"]
    assert said.span is not None
    assert said.span.fragments == ((2, 5), (15, 23))
    # What goes on after a blank is another fragment, what goes on in the next line is not.
    assert brat._apart([(0, 2), (3, 5)], "ab cd") == ((0, 2), (3, 5))
    assert brat._apart([(0, 2), (3, 5)], "ab\ncd") == ()


def test_offsets_that_count_both_characters_of_a_line_end_or_the_files_mark_are_understood(
    tmp_path: Path,
) -> None:
    text = TEXT.replace("\n", "\r\n").encode()
    for place in ("26 29", "27 30"):
        record = only(pair(tmp_path / "mark", f"T1\tNeuro {place}\twas\n", BOM_UTF8 + b"a" * 26 + b"was"))
        assert record.details["Neuro"][0].place == (26, 29)
    for place, mark in (("34 37", b""), ("32 35", b""), ("33 36", BOM_UTF8), ("35 38", BOM_UTF8)):
        record = only(pair(tmp_path / "in", f"T1\tNeuro {place}\till\n", mark + text))
        assert record.details["Neuro"][0].place == (32, 35)


@pytest.mark.parametrize("lines", ["T1\tNeuro 15 23\tfits\n", "T1\tNeuro 400 408\tseizures\n"])
def test_words_that_do_not_stand_there_are_kept_as_given(tmp_path: Path, lines: str) -> None:
    record = only(pair(tmp_path / "in", lines))
    assert record.quotes in ({"Neuro": ("fits",)}, {"Neuro": ("seizures",)})
    assert not any("they were converted" in note for note in record.notes)


def test_lines_about_what_the_file_never_had_or_about_a_line_not_understood_are_written_again(
    tmp_path: Path,
) -> None:
    lines = "T1\tNeuro 15 23\tseizures\nT2 GI 2 5 man\n\tno id\nA1\tNegation T2\nR1\tIs Arg1:T1 Arg2:T9\n"
    record = only(pair(tmp_path / "in", lines + "T3\tGI 5 5\tman\n"))
    assert any("1 annotation has a place outside" in note for note in record.notes)
    (one,) = [one for category in record.details.values() for one in category if one.place]
    finding = Finding("Neuro", "seizures", 15, 23)
    note = ExportedAnnotation(finding, "imported", "Anna", span=one.span)
    again = ReportExport(record.document, "a", (note,), (), record.spans or (), record.rest)
    assert write(tmp_path / "out", "brat", [again])[2:] == ()
    assert sorted((tmp_path / "out" / "a.ann").read_text("utf-8").splitlines()) == sorted(lines.splitlines())


def test_new_spans_are_numbered_behind_all_that_came_and_what_is_no_longer_said_goes(tmp_path: Path) -> None:
    lines = (
        "T9\tNeuro 15 23\tseizures\nN1\tReference T9 HPO:HP:1\tSeizure\n#1\tOther T9\tkept\n"
        "T2\tNeuro 2 5\tman\nT2\tNeuro 0 1\tA\n"
    )
    record = only(pair(tmp_path / "in", lines))
    assert record.notes == ("1 line of a span not understood; kept as it stands, and written back.",)
    first, second = record.details["Neuro"]
    assert (first.note, [one.code for one in first.concepts]) == ("", ["HP:1"])
    given = [
        ExportedAnnotation(Finding("Neuro", quote, *place), "imported", "Anna", span=span)
        for quote, place, span in (
            ("seizures", (15, 23), first.span),
            ("man", (2, 5), second.span),
            ("ill", (32, 35), None),
        )
    ]
    write(tmp_path / "out", "brat", [ReportExport(record.document, "a", tuple(given), (), (), record.rest)])
    (configuration,) = (tmp_path / "out").glob("*.conf")
    assert "[entities]\nNeuro\n\n" in configuration.read_text("utf-8")
    assert (tmp_path / "out" / "a.ann").read_text("utf-8").splitlines() == [
        "T2\tNeuro 2 5\tman",
        "T9\tNeuro 15 23\tseizures",
        "T10\tNeuro 32 35\till",
        "#1\tOther T9\tkept",
        "T2\tNeuro 0 1\tA",
    ]


def test_what_a_span_is_said_to_be_now_stands_behind_what_still_holds(tmp_path: Path) -> None:
    lines = (
        "T1\tNeuro 15 23\tseizures\nA1\tNegation T1\n#1\tAnnotatorNotes T1\told\nA7\tSure R1\n"
        "R1\tIs Arg1:T1\n"
    )
    record = only(pair(tmp_path / "in", lines))
    (said,) = record.details["Neuro"]
    changed = Finding("Neuro", "seizures", 15, 23, "a field", "uncertain")
    one = ExportedAnnotation(changed, "imported", "Anna", note="new  one", span=said.span)
    again = ReportExport(record.document, "a", (one,), ("GI", "Neuro"), (), record.rest)
    write(tmp_path / "out", "brat", [again])
    assert (tmp_path / "out" / "a.ann").read_text("utf-8").splitlines() == [
        "T1\tNeuro 15 23\tseizures",
        "A8\tPolarity T1 uncertain",
        "A9\tField T1 a_field",
        "#2\tAnnotatorNotes T1\tnew one",
        "A7\tSure R1",
        "R1\tIs Arg1:T1",
    ]
    # Categories looked at without finding anything are types of the configuration, too.
    assert "[entities]\nGI\nNeuro\n" in (tmp_path / "out" / "annotation.conf").read_text("utf-8")


def test_an_empty_annotation_file_is_a_report_of_which_nothing_is_said(tmp_path: Path) -> None:
    record = only(pair(tmp_path / "in", ""))
    assert (record.document.text, record.quotes, record.rest) == (TEXT, None, {"brat": []})


def test_annotations_without_their_text_are_a_failure_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text("T1\tNeuro 0 1\tA\n", encoding="utf-8")
    (record,) = read(tmp_path, "auto", CATEGORIES)
    assert isinstance(record, LeftOut)
    assert "There is no .txt file of the same name" in record.reason


def test_what_is_lost_is_said_before_anything_is_written(tmp_path: Path) -> None:
    lost = report(
        Finding("GI", "gone", None, None, grounding="ungrounded"), Finding("Neuro", "Seizures", 15, 23)
    )
    silent = ReportExport(Document("T", "Well.", ()), "2", (), ("GI",))
    said = list(format_of("brat").losses([lost, silent]))
    assert said[2:] == [
        "Not written, since brat has no place for it: 2 titles.",
        "Not written, since brat has no place for it: 1 quote without a place.",
        "Written in the words of the text: 1 quote that differs from the text.",
        "Not written, since brat has no place for it: 1 category looked at without finding anything.",
    ]


def test_a_folder_that_holds_something_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x", encoding="utf-8")
    with pytest.raises(StorageError, match="name a new folder"):
        write(tmp_path, "brat", [report(finding("man"))])
    with pytest.raises(StorageError, match="name a new folder"):
        write(tmp_path / "mine", "brat", [report(finding("man"))])
    with pytest.raises(FormatError, match="outside"):
        write(tmp_path / "out", "brat", [report(Finding("GI", "x", 3, 99))])
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_what_speaks_of_a_line_that_goes_goes_too_and_a_span_that_is_there_again_says_nothing() -> None:
    rest = ["R1\tIs Arg1:T9 Arg2:T1", "A1\tSure R1", "A2\tSure T1"]
    assert brat._still_about(rest, {"T1"}) == ["A2\tSure T1"]
    own = {"brat": {"line": "T1\tNeuro 2 5\tman", "on": ["A1\tNegated T1"]}}
    was = Span("Neuro", "man", (2, 5), own=own)
    line, on = brat._span_lines(brat._Numbers(), "Neuro", [(2, 5)], brat._Attributes(), was, TEXT)
    assert (line, on) == ("T1\tNeuro 2 5\tman", [])
