"""Plain text: strict decoding with notes, one newline, headings found with caution."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.documents.builder import LINE, MARK, TextBuilder
from app.formats.documents.joining import Hyphens, has_broken_lines, join_lines
from app.formats.documents.text import Raised, decode, find_sections, pasted_report, text_document
from app.formats.jats.citations import CLOSE, OPEN
from app.formats.record import Pasted
from extractors.model.errors import FormatError

CATEGORIES = ("Neuro", "GI")
SAMPLE = "Fièvre à 39 °C – “oui”\r\nsuite\rfin"


@pytest.mark.parametrize(
    "data",
    [
        SAMPLE.encode(),
        codecs.BOM_UTF8 + SAMPLE.encode(),
        SAMPLE.encode("utf-16"),
        codecs.BOM_UTF16_BE + SAMPLE.encode("utf-16-be"),
        SAMPLE.encode("utf-32"),
        SAMPLE.encode("utf-16-le"),
        SAMPLE.encode("cp1252"),
    ],
)
def test_every_common_encoding_gives_the_same_text(data: bytes) -> None:
    assert decode(data)[0] == "Fièvre à 39 °C – “oui”\nsuite\nfin"


def test_what_was_assumed_is_said_and_nothing_else() -> None:
    assert decode(SAMPLE.encode())[1] == ()
    (note,) = decode(SAMPLE.encode("cp1252"))[1]
    assert note == "The text was read as Windows-1252 (Latin-1), as it is not UTF-8."
    assert "UTF-16" in decode(SAMPLE.encode("utf-16-le"))[1][0]
    assert "Windows-1252" in decode("é".encode() + b" \xe9 \xe8")[1][0], "most of it is no UTF-8"


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        ("é".encode() * 5 + b"ab\xff", 12),
        (b"caf\xe9 \x81", 5),
        (b"abc\x00def", 3),
        (codecs.BOM_UTF8 + b"ab\xff", 5),
        (codecs.BOM_UTF16_LE + b"a\x00b", 4),
        (codecs.BOM_UTF16_LE + "ab\0".encode("utf-16-le"), 6),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_offset(data: bytes, offset: int) -> None:
    with pytest.raises(FormatError, match=rf"offset {offset}\b"):
        decode(data)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_utf8_comes_back_unchanged(text: str) -> None:
    assert decode(text.encode())[0] == text.removeprefix("\ufeff")


def test_headings_that_stand_alone_open_sections() -> None:
    text = (
        "A rare case\n\nCase Presentation\nA man of 40.\n\nDISCUSSION:\nIt is rare.\n\nReferences\n1. Nobody."
    )
    sections = find_sections(text, CATEGORIES)
    assert [(section.heading, section.role) for section in sections] == [
        ("A rare case", "case"),
        ("Case Presentation", "case"),
        ("DISCUSSION", "background"),
        ("References", "excluded"),
    ]
    assert "".join(text[section.start : section.end] for section in sections) == text


@pytest.mark.parametrize(
    "line",
    [
        "The patient had a fever.",
        "Patient: John; age: 40",
        "cardiac examination was normal and",
        "Examination of the abdomen was quite normal on the second day too",
        "Lovely weather",
        "Examination Findings Of The Boy Who Came To Us Then",
        "Examination of the abdomen yesterday",
        "He was seen.\nExamination findings:",
    ],
)
def test_an_ordinary_line_is_no_heading(line: str) -> None:
    assert [section.heading for section in find_sections(f"Words.\n\n{line}\n\nMore.", CATEGORIES)] == [""]


def test_a_lead_in_in_capitals_opens_a_section() -> None:
    sections = find_sections("BACKGROUND: It is rare.\nCASE REPORT: A man of 40.", CATEGORIES)
    assert [(section.heading, section.start) for section in sections] == [
        ("BACKGROUND", 0),
        ("CASE REPORT", 24),
    ]


def test_the_title_is_a_first_line_that_stands_alone_else_the_name() -> None:
    assert text_document("A rare case\n\nText.", "file", CATEGORIES).title == "A rare case"
    assert text_document("A rare case\n\nText.", "file", CATEGORIES, " ").title == "A rare case"
    assert text_document("A man of 40.\nHe fell.", "file", CATEGORIES).title == "file"
    for heading in ("Abstract", "Case presentation", "# Investigations"):
        assert text_document(f"{heading}\n\nA man of 40 fell.", "file", CATEGORIES).title == "file"
    # Of a text whose lines are broken, the first is none; above a paragraph in one line it is.
    wrapped = "A man of 40 had fallen from a\nladder, and " + "x" * 108
    assert text_document(wrapped, "file", CATEGORIES).title == "file"
    assert text_document(f"{wrapped}x", "file", CATEGORIES).title == "A man of 40 had fallen from a"


@pytest.mark.parametrize("line", ["½", "²", "½ ³", "½ Case report"])
def test_a_line_of_letterlike_numbers_is_no_crash(line: str) -> None:
    text = f"Words.\n\n{line}\n\nMore."
    assert "".join(text[part.start : part.end] for part in find_sections(text, CATEGORIES)) == text


def test_a_line_of_many_blanks_takes_no_longer_than_any_other() -> None:
    # Were the heading's pattern tried on it, this would take hours.
    text = f"Words\n\nHistory{' ' * 1_000_000}of it."
    assert [part.heading for part in find_sections(text, CATEGORIES)] == [""]


def test_a_few_control_characters_are_text_and_many_are_not() -> None:
    assert decode(b"He \x1b[31mfell\x1b[0m.")[0] == "He \x1b[31mfell\x1b[0m."
    with pytest.raises(FormatError, match="offset 3"):
        decode(b"abc" + b"\x01\x02\x1b" * 20 + b"def" * 20)


def test_a_heading_loses_its_control_characters_and_the_text_keeps_them() -> None:
    text = "Words.\n\nCASE\x1b REPORT\n\nMore."
    sections = find_sections(text, CATEGORIES)
    assert [part.heading for part in sections] == ["", "CASE REPORT"]
    assert sections[1].path == ("CASE REPORT",)


@given(st.text("½²Case report\n:#.1 \x1bDISCUSSION", max_size=80))
def test_sections_tile_any_text(text: str) -> None:
    sections = find_sections(text, CATEGORIES)
    assert "".join(text[section.start : section.end] for section in sections) == text


def test_a_word_divided_at_a_line_is_whole_where_the_text_writes_it_so_at_least_as_often() -> None:
    lines = ["The followup was long, a follow-up by post; the follow-", "up ended."]
    assert Hyphens(lines).join(lines).endswith("the followup ended.")
    # A name in capitals keeps its hyphen though there is such a word; so does what goes on with a capital.
    named = ["Dnase and tcells were low; the DN-", "ase rose, and t-", "Cells."]
    assert Hyphens(named).join(named).endswith("the DN-ase rose, and t-Cells.")
    # What stands behind the hyphen is no word because it stands there.
    parts = ["The data of fe-", "ver are those of data-", "bases that we had."]
    assert Hyphens(parts).join(parts) == "The data of fever are those of databases that we had."


def test_lines_are_joined_but_for_a_heading_and_behind_a_short_line_that_ends_a_sentence() -> None:
    lines = ["History", "He had a fever for nine days and", "a rash.", "His mother said so to us when we"]
    assert join_lines("\n".join([*lines, "asked her."]))[0].split("\n\n") == [
        "History",
        "He had a fever for nine days and a rash.",
        "His mother said so to us when we asked her.",
    ]


def test_a_short_line_that_ends_in_a_part_of_a_word_ends_no_paragraph() -> None:
    lines = ["He had a tempera-", "ture of 39.5 degrees and no other sign"]
    assert join_lines("\n".join(lines))[0] == "He had a temperature of 39.5 degrees and no other sign"


def test_a_hyphen_that_words_have_within_a_line_as_well_may_be_their_own_at_its_end() -> None:
    lines = ["It is a well‐", "known finding"]
    assert Hyphens(lines).join(lines) == "It is a wellknown finding"
    within = [*lines, "of an x‐ray."]
    assert Hyphens(within).join(within) == "It is a well-known finding of an x‐ray."


def test_lines_are_broken_where_many_of_some_length_end_in_mid_sentence() -> None:
    broken = "This line is as long as one of print and ends"
    assert has_broken_lines("\n".join([broken] * 6))
    assert not has_broken_lines("\n".join([broken] * 5))
    assert not has_broken_lines("\n".join([f"{broken}."] * 6))
    assert not has_broken_lines("\n".join(["A short item of a list"] * 6))
    assert not has_broken_lines("\n".join([broken * 4] * 6))


@pytest.mark.parametrize(
    ("written", "read", "removed"),
    [
        ("37⟨o⟩C", "37°C", 0),
        # What is raised is no degree where no number stands before it.
        ("N⟨o⟩ 5", "No 5", 0),
        ("10⟨3⟩cells of 10⟨-6⟩ g and kg/m⟨2⟩.", "10^3 cells of 10^-6 g and kg/m^2.", 0),
        ("seen⟨1,2⟩ ⟨3⟩ , as told⟨[4]⟩then", "seen, as told then", 2),
        ("(⟨1⟩)", "(1)", 0),
    ],
)
def test_raised_signs_are_degrees_powers_or_citations(written: str, read: str, removed: int) -> None:
    raised = Raised()
    assert raised.plain(written.replace("⟨", OPEN).replace("⟩", CLOSE)) == read
    assert raised.removed == removed


def test_where_a_section_goes_on_a_new_block_begins_and_marks_around_nothing_are_none() -> None:
    builder = TextBuilder(CATEGORIES)
    builder.add("One")
    builder.enter("Case", ("Case",))
    builder.add(f"{MARK}a\x0fTwo\x10{MARK}b\x0f\x10", LINE)
    builder.resume("", ())
    builder.add("Three", LINE)
    assert builder.finish()[0] == "One\n\nCase\nTwo\n\nThree"
    assert builder.marks == {"a": (10, 13)}


@pytest.mark.parametrize(
    ("text", "broken", "kept", "notes"),
    [
        (
            "A.\n\n\t19\t20\nNa | K\t1\t2\nx\t\n\nB",
            False,
            "A.\n\n| 19 | 20\nNa\xa0|\xa0K | 1 | 2\nx\n\nB",
            [3],
        ),
        (
            "A line that\nis broken.\nK\tb\nP\td\nB.",
            True,
            "A line that is broken.\n\nK | b\nP | d\n\nB.",
            [1, 2],
        ),
        # The numbers of a list, paragraphs and a row alone are no table.
        ("1.\tA\n2.\tB", False, "1.\tA\n2.\tB", []),
        ("1.1\tA\na\tB", False, "1.1\tA\na\tB", []),
        (f"a\t{'b ' * 90}\nc\td", False, f"a\t{'b ' * 90}\nc\td", []),
        ("\tA\n\tB", False, "\tA\n\tB", []),
        ("a\tb\nc", False, "a\tb\nc", []),
    ],
)
def test_pasted_cells_are_a_table_and_its_rows_are_joined_with_nothing(
    text: str, broken: bool, kept: str, notes: list[int]
) -> None:
    found = pasted_report(Pasted(text, "", broken), ())
    assert found.document.text == kept
    assert [int(note.split()[0]) for note in found.notes] == notes
