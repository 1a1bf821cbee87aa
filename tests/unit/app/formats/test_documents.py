"""What doctors have: PDFs, Word documents and saved pages become reports; what is bad becomes a sentence."""

from __future__ import annotations

import time
import zipfile
import zlib
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from app.formats import read
from app.formats.documents.outside import Outside
from app.formats.pdf.blocks import read_blocks
from app.formats.pdf.characters import Piece
from app.formats.pdf.lines import Furniture, Line, Reading
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, Pause
from extractors.model.errors import FormatError
from tests.documents import BOLD, ITALIC, TIMES, At, column, page, pdf, printed_report, rezipped

CATEGORIES = ("Neuro", "GI")
pytestmark = pytest.mark.usefixtures("one_reader")


def imported(path: Path, data: bytes) -> Imported:
    path.write_bytes(data)
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, Imported), record
    return record


def refused(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    (record,) = read(path, "auto", CATEGORIES)
    assert isinstance(record, LeftOut), record.document.text
    assert record.failed
    assert record.reason.endswith(".")
    assert "\n" not in record.reason
    return record.reason


def test_a_pdf_in_two_columns_is_read_in_order_without_what_is_on_every_page(tmp_path: Path) -> None:
    record = imported(tmp_path / "case.pdf", printed_report())
    text = record.document.text
    assert record.read_as == "PDF, 2 pages, two columns"
    assert record.document.title == "A boy with fever after a swim"
    assert [one.path for one in record.document.sections] == [
        (),
        ("Abstract",),
        ("Case presentation",),
        ("Discussion",),
        ("Footnotes",),
    ]
    assert "Annals" not in text
    # Divided words are joined, hyphens of their own stay, tables stand after the sentence.
    assert "platelets were 41 x 10^9 /L, but the follow-up visit was put off by a week" in text
    assert "nine days. Haemoglobin" in text
    assert "rose and in the right column stands line 1 of it" in text
    assert "which is the end of the sentence before." in text
    assert "Table 1. Blood counts.\nDay | Platelets | CRP\n1 | 41 | 120" in text
    assert text.endswith("Footnotes\n\n* Seen in a pool near the town.")
    assert record.notes == (
        "Running heads and feet removed: “Annals of Invented Cases …; …: …” (2 pages).",
        "Page numbers removed (2).",
        "1 word divided at a line's end joined (platelets).",
        "1 raised citation number left out.",
    )


def test_a_single_page_loses_its_number_and_of_several_only_what_is_on_each(tmp_path: Path) -> None:
    body = column(60, 600, [f"Line {number} of a report about a boy" for number in range(1, 9)])
    numbered = page([*body, At(300, 30, "17", 8)])
    alone = imported(tmp_path / "one.pdf", pdf([numbered]))
    assert (alone.document.text[-5:], alone.notes[0]) == ("a boy", "Page numbers removed (1).")
    other = imported(tmp_path / "two.pdf", pdf([page(body), numbered]))
    assert "17" in other.document.text


def test_a_pdf_without_larger_words_is_called_as_it_calls_itself(tmp_path: Path) -> None:
    words = page(column(60, 700, [f"Line {number} of a report about a boy" for number in range(1, 9)]))
    for title in ("", "Fever after a swim"):
        record = imported(tmp_path / "plain.pdf", pdf([words], title=title))
        assert record.document.title == (title or "plain")


def test_running_heads_are_named_in_the_order_of_the_page(tmp_path: Path) -> None:
    heads = ("Annals of Invented Cases", "Open access", "Volume seven", "Spring issue")
    body = column(60, 600, [f"Line {number} of a report about a boy" for number in range(1, 9)])
    words = [*(At(50, 825 - 14 * n, head, 8) for n, head in enumerate(heads)), *body]
    record = imported(tmp_path / "case.pdf", pdf([page(words), page(words)]))
    named = ", ".join(f"“{head}” (2 pages)" for head in heads[:3])
    assert record.notes[0] == f"Running heads and feet removed: {named}, 1 more."


def test_line_numbers_drop_caps_and_turned_words_do_not_get_into_the_text(tmp_path: Path) -> None:
    lines = [f"nd then line {number} of the manuscript came" for number in range(1, 9)]
    words = [*column(83, 700, lines), *[At(40, 700 - 12 * n, str(n + 1), 8) for n in range(8)]]
    words.append(At(60, 676, "A", 40))
    turned = b"\nBT /F1 9 Tf 0 1 -1 0 20 100 Tm (Downloaded from somewhere) Tj ET"
    record = imported(tmp_path / "manuscript.pdf", pdf([page(words) + turned]))
    assert record.document.text.startswith("And then line 1 of the manuscript came nd then line 2")
    assert "Line numbers removed (8)." in record.notes
    assert any("up or down the page" in note for note in record.notes)


def test_raised_numbers_of_the_first_of_two_columns_are_no_line_numbers(tmp_path: Path) -> None:
    words = column(40, 700, [f"left line {n} tells of a boy^{n} at sea" for n in range(1, 8)])
    words += column(310, 700, [f"right line {n} tells of his mother" for n in range(1, 13)])
    record = imported(tmp_path / "case.pdf", pdf([page(words)]))
    assert record.notes[0] == "7 raised citation numbers left out."


def test_a_hanging_list_in_the_last_column_is_no_column_of_its_own(tmp_path: Path) -> None:
    words = column(50, 780, [f"left line {n} tells of a boy at sea and" for n in range(1, 9)])
    words += column(310, 780, [f"right line {n} tells of his mother and" for n in range(1, 9)])
    words.append(At(50, 660, "Table 1. Values at the beginning and in the end"))
    words += column(50, 600, [f"lower line {n} tells of a boy at sea as" for n in range(1, 15)])
    for number in range(1, 6):
        words += column(310, 636 - 36 * number, [f"{number}. Somebody A. A letter of the sea."])
        words += column(
            340, 624 - 36 * number, ["that was in no bottle, but was", "of Letters 2020; volume 1: 7"]
        )
    text = imported(tmp_path / "case.pdf", pdf([page(words)])).document.text
    assert text.index("left line 8") < text.index("right line 1") < text.index("right line 8")
    assert text.index("lower line 14") < text.index("1. Somebody")


def test_the_last_line_of_what_goes_across_two_columns_does_not_end_them(tmp_path: Path) -> None:
    summary = [
        "This is a summary that goes over both of the columns of this page and",
        "ends right where the right column begins at.",
    ]
    words = column(42.5, 780, summary)
    words += column(40, 740, [f"left line {n} tells of a boy at sea" for n in range(1, 20)])
    words += column(310, 740, [f"right line {n} tells of his mother" for n in range(1, 20)])
    text = imported(tmp_path / "case.pdf", pdf([page(words)])).document.text
    assert text.index("begins at.") < text.index("left line 19") < text.index("right line 1 ")


def test_a_bold_caption_is_no_part_of_what_it_stands_under_and_small_print_without_a_mark_no_note(
    tmp_path: Path,
) -> None:
    words = [
        *column(40, 780, [f"left line {n} tells of a boy at sea" for n in range(1, 9)]),
        At(40, 672, "All that he was given on that day", 10, BOLD),
        At(40, 660, "Table 1. What he was given", 10, BOLD),
        *column(40, 636, [f"low line {n} tells of a boy at sea" for n in range(1, 9)]),
        At(40, 520, "* Seen near the town.", 7),
        At(40, 500, "Photograph by a friend", 7),
        *column(310, 780, [f"right line {n} tells of his mother" for n in range(1, 20)]),
    ]
    text = imported(tmp_path / "case.pdf", pdf([page(words)])).document.text
    assert "\n\nTable 1. What he was given\n\n" in text
    assert text.endswith("\n\nFootnotes\n\n* Seen near the town.")


def test_a_title_that_goes_across_keeps_its_last_short_line(tmp_path: Path) -> None:
    words = [
        At(40, 790, "A boy with fever after a swim in the sea: an", 18, BOLD),
        At(40, 768, "Extremely Rare Case Report", 18, BOLD),
        *column(40, 700, [f"left line {n} tells of a boy at sea" for n in range(1, 9)]),
        *column(310, 700, [f"right line {n} tells of his mother" for n in range(1, 9)]),
    ]
    record = imported(tmp_path / "case.pdf", pdf([page(words)]))
    title = "A boy with fever after a swim in the sea: an Extremely Rare Case Report"
    assert record.document.title == title
    assert [one.heading for one in record.document.sections] == [""]
    # What stands over every report is no title, however large it is.
    record = imported(tmp_path / "b.pdf", pdf([page([At(40, 820, "Case presentation", 20, BOLD), *words])]))
    assert record.document.title == title


@pytest.mark.parametrize(
    ("matrix", "turn"), [("0 1 -1 0 595 0", 90), ("-1 0 0 -1 595 842", 180), ("0 -1 1 0 0 842", 270)]
)
def test_a_page_that_is_turned_or_lies_on_its_side_is_read(tmp_path: Path, matrix: str, turn: int) -> None:
    lines = [f"line {number} of what was seen in the boy on that day and" for number in range(1, 15)]
    words = page([At(60, 560, "Case report", 14, BOLD), *column(60, 540, lines), At(60, 372, "the end.")])
    read = [
        imported(tmp_path / f"{name}.pdf", pdf([content], turn=degrees)).document
        for name, content, degrees in (
            ("upright", words, 0),
            ("turned", b"q %s cm %s Q" % (matrix.encode(), words), turn),
            ("lying", b"q %s cm %s Q" % (matrix.encode(), words), 0),
        )
    ]
    assert read[0].text.endswith("line 14 of what was seen in the boy on that day and the end.")
    assert [(one.text, one.sections) for one in read[1:]] == [(read[0].text, read[0].sections)] * 2


def test_headings_in_a_look_of_their_own_or_run_in_need_no_room_and_know_those_above(tmp_path: Path) -> None:
    lines = ["A woman of 30 had pain in her belly for a week and no fever at all."] * 3
    words = [
        At(60, 806, "Case report", 14),
        At(60, 784, "2.1 Course of a disease that was not known to", 10, ITALIC),
        At(60, 772, "anybody", 10, ITALIC),
        *column(60, 760, lines),
        At(60, 724, "CASE TWO"),
        *column(60, 712, lines),
        At(60, 668, "Patient 3.", 10, BOLD),
        At(126, 668, "A man of 40 had nothing at all for a week, and"),
        *column(60, 656, ["then fever.", *lines]),
    ]
    blue = b"\n0 0 1 rg " + page([At(60, 608, "Outcome in blue")]) + b" 0 g "
    record = imported(tmp_path / "a.pdf", pdf([page(words) + blue + page(column(60, 596, lines))]))
    headings = [one.heading for one in record.document.sections]
    assert headings == [
        "Case report",
        "2.1 Course of a disease that was not known to anybody",
        "CASE TWO",
        "Patient 3.",
        "Outcome in blue",
    ]
    assert {one.path[0] for one in record.document.sections} == {"Case report"}
    assert "Patient 3.\n\nA man of 40 had" in record.document.text


def test_headings_that_meet_are_parted_by_look_and_by_room_for_the_next_word(
    tmp_path: Path,
) -> None:
    lines = ["A woman of 30 had pain in her belly for a week and no fever at all."] * 3
    words = [
        At(60, 806, "Case presentation", font=BOLD),
        At(60, 794, "High altitude", font=BOLD),
        At(60, 782, "Mice", font=ITALIC),
        *column(60, 770, [*lines, "Fig. 3"]),
        At(60, 722, "Comment.", font=BOLD),
        *column(60, 710, lines),
    ]
    red = b"\n1 0 0 rg " + page([At(60, 662, "Outcome.")]) + b" 0 g " + page([At(114, 662, lines[0][:52])])
    record = imported(tmp_path / "a.pdf", pdf([page(words) + red + b" " + page(column(60, 650, lines))]))
    assert [one.heading for one in record.document.sections] == [
        "Case presentation",
        "High altitude",
        "Mice",
        "Comment.",
        "Outcome.",
    ]


@pytest.mark.parametrize(("flags", "headings"), [(1 << 18, ["Case", "Outcome"]), (0, ["Case"])])
def test_a_font_may_be_bold_by_its_flags_alone_and_what_is_run_in_stands_below(
    tmp_path: Path, flags: int, headings: list[str]
) -> None:
    lines = ["A woman of 30 had pain in her belly for a week and no fever at all."] * 3
    words = [
        *(At(60, 800, "Case", font=BOLD), *column(60, 780, lines)),
        *(At(60, 730, "Outcome", font=BOLD), At(114, 730, "He was well again."), *column(60, 718, lines)),
    ]
    font = (
        b"/BaseFont /Other /FirstChar 32 /LastChar 126 /Widths [%s] /FontDescriptor << /Type /FontDescriptor"
        b" /FontName /Other /Flags %d /FontBBox [0 -200 600 800] /ItalicAngle 0 /Ascent 800 /Descent -200"
        b" /CapHeight 700 /StemV 80 >>" % (b"600 " * 95, 32 | flags)
    )
    record = imported(tmp_path / "a.pdf", pdf([page(words)]).replace(b"/BaseFont /Courier-Bold", font))
    assert [one.heading for one in record.document.sections] == headings
    assert record.document.sections[-1].path == tuple(headings)


def test_headings_in_small_capitals_and_heads_of_single_pages_are_told(tmp_path: Path) -> None:
    lines = ["A woman of 30 had pain in her belly for a week and no fever at all."] * 3
    pages = [
        page(
            [
                At(60, 815, head),
                At(60, 680, "D"),
                At(66, 680, "ISCUSSION OF WHAT WAS SEEN", 7.5),
                *column(60, 660, lines),
            ]
        )
        for head in ("A CASE OF PAIN", "NOBODY ET AL.", "A CASE OF PAIN")
    ]
    record = imported(tmp_path / "a.pdf", pdf(pages))
    assert [one.heading for one in record.document.sections] == ["DISCUSSION OF WHAT WAS SEEN"] * 3
    assert "NOBODY" not in record.document.text
    assert "“NOBODY ET AL.” (1 page)" in record.notes[0]


def test_small_capitals_that_are_named_by_any_letters_are_told_by_their_size(tmp_path: Path) -> None:
    lines = ["A woman of 30 had pain in her belly for a week and no fever at all."] * 3
    words = [
        *(
            At(60, 780, "n", 14, BOLD),
            At(70, 780, "uLL SigNS", 11.2, BOLD),
            At(140, 780, "aNd tHe", 11.2, BOLD),
        ),
        At(60, 764, "LaSt of tHeM", 11.2, BOLD),
        *column(60, 740, lines),
        *(At(60, 680, "o"), At(66, 680, "utCoMe iN", 7.5), At(112, 680, "mri"), At(130, 680, "S", 7.5)),
        *column(60, 660, lines),
        *(At(60, 600, "The"), At(80, 600, "dNA", 7.5), At(100, 600, "of the boy was read abroad.")),
        *(At(60, 560, "Hb"), At(72, 560, "A", 9.7), At(78, 560, " and MRI were as they are.", 9.6)),
    ]
    record = imported(tmp_path / "a.pdf", pdf([page(words)]))
    assert record.document.title == "Null signs and the last of them"
    assert [one.heading for one in record.document.sections] == ["", "Outcome in MRIs"]
    assert "The dNA of the boy" in record.document.text
    assert "HbA and MRI were as they are." in record.document.text


def test_a_cell_that_lies_over_a_paragraph_neither_ends_nor_joins_it() -> None:
    def line(words: str, y: float, *, apart: bool = False) -> Line:
        return Line(1, 0, 0, 200, [Piece(words, 0, 200, y, 10, False, False, False, 0, apart)], y, 10)

    lines = [line("He had fever and", 10), line("a cell", 22, apart=True), line("a rash.", 34)]
    blocks, _ = read_blocks(Reading(lines, 10, Furniture(), 1))
    assert [block.text for block in blocks] == ["He had fever and a rash.", "a cell"]


def test_a_page_without_text_is_named_and_a_scan_refused(tmp_path: Path) -> None:
    words = page(column(60, 700, ["A woman of 30 had pain in her belly."] * 3))
    record = imported(tmp_path / "a.pdf", pdf([words, b"0 0 100 100 re f"]))
    assert "No text on page 2 of 2: pictures, which are not read." in record.notes
    assert "scan" in refused(tmp_path / "b.pdf", pdf([b"0 0 100 100 re f"] * 3))
    stamp = page(column(60, 800, ["Downloaded from the library, 4 May"])) + b" 0 0 100 100 re f"
    assert "hardly any text" in refused(tmp_path / "c.pdf", pdf([stamp] * 2))
    assert "hardly any text" in refused(tmp_path / "d.pdf", pdf([stamp]))


def test_what_is_no_pdf_is_read_as_what_it_is_and_said(tmp_path: Path) -> None:
    record = imported(tmp_path / "x.pdf", b"Case report\n\nA man had pain.\n")
    assert record.notes == ("Its name ends in .pdf, but it is no PDF: it was read as Plain text.",)
    assert record.read_as == "Plain text"
    assert "damaged" in refused(tmp_path / "y.pdf", b"%PDF-1.7\nnothing of the kind")


ENCRYPTED = (
    (b"/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32)
    + b"> >> /ID [<"
    + b"43" * 16
    + b"> <"
    + b"43" * 16
    + b">]"
)


def test_harmful_pdfs_end_in_one_sentence_or_a_text(tmp_path: Path) -> None:
    words = page(column(60, 700, ["A woman of 30 had pain in her belly."] * 3))
    assert "password" in refused(tmp_path / "locked.pdf", pdf([words], trailer=ENCRYPTED))
    script = b"/Names << /JavaScript << /Names [(a) << /S /JavaScript"
    script += b" /JS (app.launchURL\\('http://example.org'\\)) >>] >> >>"
    hidden = b"<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
    packed = zlib.compress(b"9 0 << /S /Java#53cript /JS (x) >>")
    for name, one in (
        ("named.pdf", pdf([words], extra=script)),
        ("opening.pdf", pdf([words], extra=b"/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>")),
        ("packed.pdf", pdf([words]) + b"\n9 0 obj\n" + hidden % (len(packed), packed)),
    ):
        assert "The PDF contains a script; it was not run." in imported(tmp_path / name, one).notes
    assert not any("script" in note for note in imported(tmp_path / "none.pdf", pdf([words])).notes)


def test_a_long_pdf_is_read_whole(tmp_path: Path) -> None:
    pages = [page(column(60, 700, [f"A woman of {n} had pain in her belly."] * 3)) for n in range(310)]
    record = imported(tmp_path / "long.pdf", pdf(pages))
    assert record.read_as.startswith("PDF, 310 pages")
    assert "woman of 309 had" in record.document.text


def test_a_hyphen_at_the_end_of_a_line_stays_where_it_is_the_words_own(tmp_path: Path) -> None:
    lines = [
        "A well-",
        "known man had leuko-",
        "penia and low-",
        "frequency noise. Leukopenia and a work-",
        "up were there;",
        "his short-",
        "ness of breath and plate-",
        "lets, a drusopathic-",
        "vitreal mass. The workup went on and",
        "neo-",
        "vascular growth was seen; neo-vascular or neovascular, neo-vascular again, platelets too.",
    ]
    # Where words are driven apart, a hyphen stands a little off.
    off = [At(60, 500, "Cipro", 10, TIMES), At(84.1, 500, "-", 10, TIMES)]
    words = [*column(60, 700, lines), *off, At(60, 488, "floxacin was given.", 10, TIMES)]
    record = imported(tmp_path / "a.pdf", pdf([page(words)]))
    text = record.document.text
    whole = ("well-known", "leukopenia and", "low-frequency", "workup were", "shortness", "platelets, a")
    for word in (*whole, "Ciprofloxacin was"):
        assert word in text
    assert "neo-vascular growth was" in text
    (unsure,) = [note for note in record.notes if "Not sure" in note]
    assert "2 words (drusopathicvitreal, Ciprofloxacin)" in unsure


def test_reading_is_ended_beyond_its_memory_and_its_time_and_goes_on_with_the_next_file() -> None:
    bomb = pdf([b"BT (x) Tj ET\n" * 9_000_000], filters=2)
    assert len(bomb) < 100_000
    words = page(column(60, 700, ["A woman of 30 had pain in her belly."] * 3))
    good = Payload("good.pdf", "good", pdf([words]))
    began = time.monotonic()
    outside = Outside(memory=100_000_000)
    try:
        with pytest.raises(FormatError, match="100 MB of memory"):
            list(outside.read("pdf", Payload("bomb.pdf", "bomb", bomb), "", CATEGORIES))
        # While it reads there are pauses, in which an import may be given up.
        found = list(outside.read("pdf", good, "", CATEGORIES))
        assert isinstance(found[0], Pause)
        assert isinstance(found[-1], Imported)
    finally:
        outside.close()
    slow = Outside(seconds=0.0)
    with pytest.raises(FormatError, match="seconds"):
        list(slow.read("pdf", good, "", CATEGORIES))
    slow.close()
    assert time.monotonic() - began < 30


@pytest.fixture
def word(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("A boy with fever", 0)
    document.add_heading("Case presentation", 1)
    first = document.add_paragraph("He had fever for nine days.")
    first.add_run("1,2").font.superscript = True
    first.add_run(" Platelets were 41 x 10")
    first.add_run("9").font.superscript = True
    first.add_run("/L.")
    document.add_heading("Laboratory", 2)
    table = document.add_table(3, 4)
    texts = ("", "CRP", "", "Unit", "Day", "first", "a | b", "", "1", "", "120", "mg/l")
    for cell, text in zip(table._cells, texts, strict=True):
        cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    gone = document.add_paragraph("He left.")
    deletion = gone._p.makeelement(qn("w:del"), {})
    deletion.append(gone.add_run(" This was struck out.")._r)
    gone._p.append(deletion)
    insertion = gone._p.makeelement(qn("w:ins"), {})
    insertion.append(gone.add_run(" This was put in.")._r)
    gone._p.append(insertion)
    path = tmp_path / "case.docx"
    document.save(str(path))
    return path


@pytest.mark.parametrize(
    ("heading", "title", "first"),
    [
        ("A boy with fever and rash", "A boy with fever and rash", ""),
        ("Case presentation", "case", "Case presentation"),
    ],
)
def test_a_heading_above_all_others_is_the_title_where_it_is_more_than_a_name(
    tmp_path: Path, heading: str, title: str, first: str
) -> None:
    document = docx.Document()
    document.add_heading(heading, 1)
    for below in ("History", "Outcome"):
        document.add_heading(below, 2)
        document.add_paragraph("He had fever for nine days.")
    path = tmp_path / "case.docx"
    document.save(str(path))
    record = imported(path, path.read_bytes())
    assert record.document.title == title
    assert record.document.sections[0].heading == first


def test_bold_headings_are_told_below_a_title_that_alone_is_a_heading(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("A boy with fever and rash", 1)
    for heading in ("Case presentation", "Discussion"):
        document.add_paragraph().add_run(heading).bold = True
        document.add_paragraph("He had fever for nine days.")
    path = tmp_path / "case.docx"
    document.save(str(path))
    record = imported(path, path.read_bytes())
    assert record.document.title == "A boy with fever and rash"
    assert [one.heading for one in record.document.sections] == ["", "Case presentation", "Discussion"]


def test_a_bold_first_line_is_the_title_and_bold_headings_count_beside_those_of_style(tmp_path: Path) -> None:
    document = docx.Document()

    def bold(words: str) -> None:
        document.add_paragraph().add_run(words).bold = True

    bold("A boy with fever and rash")
    bold("Abstract")
    document.add_heading("Case presentation", 1)
    bold("Laboratory findings")
    bold("Table 1. Laboratory findings")
    document.add_paragraph("He had fever for nine days.")
    bold("Discussion")
    path = tmp_path / "case.docx"
    document.save(str(path))
    record = imported(path, path.read_bytes())
    assert record.document.title == "A boy with fever and rash"
    assert [one.path for one in record.document.sections] == [
        (),
        ("Abstract",),
        ("Case presentation",),
        ("Case presentation", "Laboratory findings"),
        ("Discussion",),
    ]
    assert record.notes == ("3 headings told by bold type.",)


def test_a_word_document_keeps_symbols_formulas_and_inner_tables_and_tells_of_hidden_text(
    tmp_path: Path,
) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("CRP 5 ")
    names = f'{nsdecls("w")} xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    for part in (
        '<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r><w:r><w:t>g/l at 39.5</w:t></w:r>',
        '<w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf0b0</w:t></w:r><w:r><w:t>C, </w:t></w:r>',
        '<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>',
        "<m:oMath><m:r><m:t>41×</m:t></m:r><m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e>"
        "<m:sup><m:r><m:t>9</m:t></m:r></m:sup></m:sSup></m:oMath>",
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>",
    ):
        paragraph._p.extend(list(parse_xml(f"<w:p {names}>{part}</w:p>")))
    document.add_paragraph("Hb 9.1").add_run("1,2").font.superscript = True
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "Hb"
    table.cell(0, 1).add_table(1, 1).cell(0, 0).text = "9.1"
    path = tmp_path / "case.docx"
    document.save(str(path))
    record = imported(path, path.read_bytes())
    assert record.document.text == "CRP 5 μg/l at 39.5°C, □ 41×10^9\n\nHb 9.1\n\nHb | 9.1"
    assert record.notes[:3] == (
        "1 raised citation number left out.",
        "1 passage of hidden text left out.",
        "1 sign of other fonts not known: □ stands for each.",
    )


def test_a_page_keeps_formulas_and_lines_of_its_own_and_leaves_linked_numbers_out(tmp_path: Path) -> None:
    body = (
        "<h1>A boy</h1><p>CRP 10<sup>9</sup>/l<sup><a href='#r1'>1</a></sup> and <math><msup><mn>10</mn>"
        "<mn>6</mn></msup></math>.</p><pre>Na  140\nK 4.1</pre>"
    )
    record = imported(tmp_path / "a.html", f"<html><body>{body}</body></html>".encode())
    assert record.document.text == "A boy\n\nCRP 10^9/l and 10^6.\n\nNa 140\nK 4.1"
    assert "1 raised citation number left out." in record.notes


def test_a_word_document_keeps_headings_tables_powers_and_insertions(word: Path) -> None:
    record = imported(word, word.read_bytes())
    assert record.read_as == "Word document"
    assert [one.path for one in record.document.sections] == [
        (),
        ("Case presentation",),
        ("Case presentation", "Laboratory"),
    ]
    assert record.document.title == "A boy with fever"
    assert record.document.text.endswith(
        "He had fever for nine days. Platelets were 41 x 10^9/L.\n\nLaboratory\n\n"
        "| CRP |  | Unit\nDay | first | a\u00a0|\u00a0b\n1 |  | 120 | mg/l\n\nHe left. This was put in."
    )
    assert "1 tracked deletion left out; tracked insertions are taken." in record.notes


def test_harmful_word_documents_end_in_one_sentence_or_a_text(word: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(word) as archive:
        body = archive.read("word/document.xml")
        types = archive.read("[Content_Types].xml")
    macro = types.replace(
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
    )
    with_macros = rezipped(word, {"[Content_Types].xml": macro, "word/vbaProject.bin": b"macro"})
    assert "The document holds macros; they were not run." in imported(tmp_path / "a.docm", with_macros).notes
    outside = b'<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    entity = body.replace(b"<w:document", outside + b"<w:document", 1).replace(b"fever", b"&x;")
    wide = entity.replace(b"UTF-8", b"UTF-16").decode().encode("utf-16")
    for one in (entity, wide):
        assert "entities" in refused(tmp_path / "b.docx", rezipped(word, {"word/document.xml": one}))
    bomb = rezipped(word, {f"word/media/{name}.bin": b"\0" * 105_000_000 for name in ("one", "other")})
    assert len(bomb) < 1_000_000
    assert "unpacks to more than" in refused(tmp_path / "c.docx", bomb)
    assert "damaged" in refused(tmp_path / "d.docx", word.read_bytes()[:-300])


PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8">
<title>Site | A boy with fever</title>
<meta name="citation_title" content="A boy with fever"><meta name="citation_doi" content="10.1/x">
<script>steal()</script></head><body><nav><a href="/">Home</a> Menu</nav><div role="complementary">Ads</div>
<main>
<h1>A boy with fever</h1><p>A. Nobody</p><h2>Abstract</h2><p>A boy.</p>
<h2>Case presentation</h2><p>He had <b>fever</b> for nine days<sup><a href="#r1">1</a></sup>,
10<sup>9</sup>/L.
<img src="http://example.org/x.png"></p><h3>Laboratory</h3>
<table><caption>Table 1. Counts</caption>
<tr><th rowspan="2">Day</th><th colspan="2">CRP</th></tr><tr><td>a | b</td><td>7<sup>9</sup></td></tr>
<tr><td>1</td><td></td><td>120</td></tr></table>
<div style="display: none">Hidden</div></main><footer>Imprint</footer></body></html>"""


def test_a_saved_page_is_its_article_with_headings_and_identifiers(tmp_path: Path) -> None:
    record = imported(tmp_path / "page.html", PAGE.encode())
    document = record.document
    assert (document.title, document.identifiers) == ("A boy with fever", {"doi": "10.1/x"})
    assert [one.path for one in document.sections] == [
        (),
        ("Abstract",),
        ("Case presentation",),
        ("Case presentation", "Laboratory"),
    ]
    assert document.text == (
        "A boy with fever\n\nA. Nobody\n\nAbstract\n\nA boy.\n\nCase presentation\n\n"
        "He had fever for nine days, 10^9/L.\n\nLaboratory\n\nTable 1. Counts\n\n"
        "Day | CRP\n| a\u00a0|\u00a0b | 7^9\n1 |  | 120"
    )
    assert record.notes[-1].startswith("Menus, margins")
    for name in ("iso-8859-1", "latin1"):
        latin = PAGE.replace("A boy.", "Dr “Ölçer”.").replace("utf-8", name).encode("cp1252")
        assert "Dr “Ölçer”." in imported(tmp_path / "latin.html", latin).document.text
    long = PAGE.replace("Laboratory", "He was well. " * 30)
    assert "He was well. He" in imported(tmp_path / "long.html", long.encode()).document.text
    marked = b"\xef\xbb\xbf" + PAGE.replace("A boy.", "Dr Ölçer.").replace("utf-8", "iso-8859-1").encode()
    assert "Dr Ölçer." in imported(tmp_path / "marked.html", marked).document.text
    wrong = imported(tmp_path / "wrong.html", PAGE.replace("A boy.", "Dr Ölçer.").encode("cp1252"))
    assert "Dr Ölçer." in wrong.document.text
    assert "The page says that it is in utf-8, which it is not." in wrong.notes
    nested = PAGE.replace("<main>", "<main>" + "<div>" * 300).encode()
    assert "nested more than 256 deep" in refused(tmp_path / "nested.html", nested)
    assert "no text" in refused(tmp_path / "empty.html", b"<html><body><script>x()</script></body></html>")
