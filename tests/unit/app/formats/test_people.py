"""Annotated reports for people: all of the text, a code with each span, and all is found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import docx
import pypdfium2
import pytest
from lxml import html

from app.formats import format_of, write
from app.formats.people.marked import Marked
from app.formats.record import ExportedAnnotation, ReportExport, Span
from extractors.model.coding import Coding
from extractors.model.document import Document, Section
from extractors.model.finding import Finding, Polarity

FORMATS = ("html", "pdf", "docx")
WORDS = (
    "A man 😀 had fever (39.2 °C), β-thalassaemia\u00a0trait & <b>seizures</b>; no meningism, nai\u0308ve. "
)
TEXT = (
    f"\nCase\n\n{WORDS * 40}\n\nTable 1. Values\nTest | Day 1 | Day 7\nγ-GT (10^9/L) | 8.2 | 10\n"
    "Iron | 4 | 5\n\nBad\x01 sign, 中文, soft\u00adhyphen.\n"
)
SEIZURE = Coding("HPO", "2025", "HP:0001250", "Seizure", "", "human")


def of(category: str, quote: str, at: int = -1, polarity: Polarity = "present") -> ExportedAnnotation:
    start = TEXT.index(quote) if at < 0 else at
    found = Finding(category, quote, start, start + len(quote), polarity=polarity)
    return ExportedAnnotation(found, "human", "Anna", concepts=(SEIZURE,), note="a note")


ANNOTATIONS = (
    of("Neuro", "seizures"),
    of("Neuro", "meningism", polarity="negated"),
    of("CVS", "trait & <b>seizures</b>; no", polarity="uncertain"),
    of("RESP", WORDS.strip(), TEXT.index(WORDS, 400)),
    of("GI", "fever"),
    of("GU", "fever (39.2"),
    of("MSK", "fever (39.2 °C)"),
    of("MSK", "8.2 | 10\nIron"),
    of("DERM", " | ", TEXT.index(" | ")),
    of("DERM", "\n\nTable 1"),
    ExportedAnnotation(
        Finding("History", "said nowhere", None, None, grounding="ungrounded"), "human", "Anna"
    ),
)
AT = TEXT.index("A man")
SPANS = (
    Span("Sign_symptom", "A had", (AT, AT + 11), ((AT, AT + 1), (AT + 8, AT + 11))),
    Span("Sex", "man", (AT + 2, AT + 5)),
)
SECTIONS = (Section("Case", ("Case",), 1, len(TEXT), ()),)
REPORT = ReportExport(
    Document("A <script>case</script> of β", TEXT, SECTIONS, {"pmcid": "7"}, {"licence": "CC BY"}),
    "PMC7",
    ANNOTATIONS,
    ("Neuro", "ENDO"),
    SPANS,
    annotator="Anna",
)


def words_in(out: Path, name: str) -> str:
    if name == "html":
        page = html.document_fromstring(out.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
        said = "".join(map(str, page.itertext()))
    elif name == "pdf":
        with pypdfium2.PdfDocument(out) as document:
            said = "\n".join(page.get_textpage().get_text_range() for page in document)
    else:
        said = "\n".join(line.text for line in docx.Document(str(out)).paragraphs)
    return " ".join(said.split())


def assert_all_is_listed_in_order_below_the_text(out: Path, name: str) -> None:
    (report,) = Marked([REPORT]).marked()
    said = words_in(out, name).partition("hyphen.")[2]
    for group, marks in report.listed():
        wanted = [group]
        for mark in marks:
            wanted += [f"{mark.code} {mark.number}", " ".join(mark.quote.split())[:9]]
        for words in wanted:
            _, there, said = said.partition(words)
            assert there, (group, words)
    assert "Looked for, nothing found: Endocrine." in said


@pytest.mark.parametrize("name", FORMATS)
def test_texts_and_spans_are_taken_out_again_and_what_is_missing_is_found(tmp_path: Path, name: str) -> None:
    known = format_of(name)
    assert known.recount is not None
    out = tmp_path / "out"
    bare = replace(REPORT, key="bare", annotations=(), spans=(), looked_at=())
    write(out, name, [REPORT, bare])
    assert_all_is_listed_in_order_below_the_text(out, name)
    read = known.recount(out, [REPORT, bare])
    assert read.same, read
    assert (read.reports, read.kept) == (2, len(ANNOTATIONS) + len(SPANS))
    more = replace(REPORT, annotations=(*ANNOTATIONS, of("EENT", "man")))
    assert not known.recount(out, [more, bare]).same
    fewer = replace(REPORT, annotations=ANNOTATIONS[1:])
    assert known.recount(out, [fewer, bare]).unexpected == ("PMC7: codes of other spans",)
    other = replace(REPORT, document=replace(REPORT.document, text=TEXT.replace("sign", "sing")))
    assert known.recount(out, [other, bare]).missing == ("PMC7: its text",)
    assert known.recount(out, [REPORT]).unexpected == ("a report",)
    write(out, name, [])
    assert known.recount(out, []) == replace(read, reports=0, kept=0)


def test_a_page_has_the_very_text_and_runs_nothing_of_it(tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    losses = write(out, "html", [REPORT])
    page = html.document_fromstring(out.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    body = page.find(".//div[@class='body']")
    assert body is not None
    assert "".join(map(str, body.itertext())) == TEXT.replace("\x01", "␁")
    assert not list(page.iter("script", "link", "img"))
    assert all(one.text != "seizures" for one in page.iter("b"))
    assert [len(row.findall("td")) for row in page.iter("tr")] == [3, 3, 3]
    codes = [str(one.get("data-at")) for one in page.iter("i")]
    (negated,) = [one for one in codes if one.endswith("negated")]
    (uncertain,) = [one for one in codes if one.endswith("uncertain")]
    assert (negated[:2], uncertain[:2]) == ("NE", "CV")
    assert "Written as pictures of them (␀): 1 control character." in losses


def test_every_mark_opens_once_and_those_that_overlap_have_lanes_of_their_own() -> None:
    (report,) = Marked([REPORT]).marked()
    opened = [edge.mark.number for edge in report.edges if edge.words == edge.mark.opening]
    assert sorted(opened) == [mark.number for mark in report.marks if mark.parts]
    for block in report.blocks:
        for piece in block.all_pieces:
            lanes = [mark.lane for mark in piece.marks]
            assert len(lanes) == len(set(lanes))
    assert all(mark.crossed for mark in report.marks if mark.quote.startswith("fever"))
    # Where one ends its number stands again only if another overlaps it.
    closed = [edge for block in report.blocks for piece in block.all_pieces for edge in piece.closes]
    assert {bool(edge.words) for edge in closed} == {True, False}
    assert all(edge.words == (str(edge.mark.number) if edge.mark.crossed else "") for edge in closed)
    details = {mark.code: mark.details for mark in report.marks}
    assert details["Sign_symptom"] == ["in several parts"]
    assert details["CV"] == ["uncertain", "HPO HP:0001250 Seizure", "note: a note"]
    # What a discontinuous span leaves out is not marked.
    pieces = [piece for block in report.blocks for piece in block.pieces]
    assert [p.text for p in pieces if any(m.code == "Sign_symptom" for m in p.marks)] == ["A", "had"]


def test_a_lane_is_free_again_where_a_mark_ends_and_marks_that_only_touch_do_not_cross() -> None:
    words = (of("Neuro", "fever ("), of("CVS", "39.2 °C"), of("GI", "fever (39.2 °C"), of("RESP", ")"))
    (report,) = Marked([replace(REPORT, annotations=words, spans=())]).marked()
    marks = {mark.quote: (mark.lane, mark.crossed) for mark in report.marks}
    assert marks == {
        "fever (39.2 °C": (0, True), "fever (": (1, True), "39.2 °C": (1, True), ")": (0, False),
    }  # fmt: skip


def test_a_pdf_says_which_characters_its_fonts_lack_and_keeps_the_others(tmp_path: Path) -> None:
    losses = write(tmp_path / "out.pdf", "pdf", [REPORT])
    assert "Written as □, since the font lacks them: 3 characters (U+2401 U+4E2D U+6587)." in losses
    with pypdfium2.PdfDocument(tmp_path / "out.pdf") as document:
        words = document[0].get_textpage().get_text_range()
    assert "😀" in words
    assert "β" in words


def test_a_line_longer_than_a_page_and_a_table_too_wide_for_one_are_printed_whole(tmp_path: Path) -> None:
    known = format_of("pdf")
    assert known.recount is not None
    wide = " | ".join("value" for _ in range(30))
    # Its head stands on several pages.
    rows = "Head | Value\n" + "A | 1\n" * 150
    text = (
        f"{'unbroken' * 2000} {WORDS * 200}\n\n{wide}\n{wide}\n\nA | {WORDS * 40}\nB | {WORDS * 40}\n\n{rows}"
    )
    report = replace(REPORT, document=Document("Long", text, ()), annotations=(), spans=())
    write(tmp_path / "out.pdf", "pdf", [report])
    assert known.recount(tmp_path / "out.pdf", [report]).same
