"""Annotated reports for people: all of the text, a code with each span, and all is found again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import docx
import pypdfium2
import pytest
from lxml import html
from reportlab.platypus import Flowable, Paragraph, Table

from app.formats import format_of, write
from app.formats.people.marked import FOREIGN, Marked
from app.formats.people.page import Found, recounted
from app.formats.people.paper import Pages, missing_signs
from app.formats.people.pdf import _head
from app.formats.people.pdf import _Writer as PdfWriter
from app.formats.people.signs import losses as losses_of
from app.formats.people.signs import visible
from app.formats.record import ExportedAnnotation, ReportExport, Span
from extractors.model.coding import Coding
from extractors.model.document import Document, Section
from extractors.model.finding import Finding, Polarity

FORMATS = ("html", "pdf", "docx")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
    assert opened == [mark.number for mark in report.marks if mark.parts]
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
    (report,) = Marked([replace(REPORT, annotations=words[:2], spans=())]).marked()
    assert [mark.crossed for mark in report.marks] == [False, False]


def test_a_pdf_says_which_characters_its_fonts_lack_and_keeps_the_others(tmp_path: Path) -> None:
    losses = write(tmp_path / "out.pdf", "pdf", [REPORT])
    assert "Written as □, since the font lacks them: 3 characters (U+2401 U+4E2D U+6587)." in losses
    other = replace(REPORT, document=Document("T", "中 a\x02 שלום", ()))
    told = list(losses_of("A PDF", missing_signs).more([REPORT, other, other]))[1:]
    assert told == [
        "Written as pictures of them (␀): 3 control characters.",
        "Scripts from right to left are written from left to right: 2 reports.",
        "Written as □, since the font lacks them: 7 characters (U+4E2D U+2402 U+2401 U+6587).",
    ]
    with pypdfium2.PdfDocument(tmp_path / "out.pdf") as document:
        words = document[0].get_textpage().get_text_range()
    assert "😀" in words
    assert "β" in words
    write(tmp_path / "two.pdf", "pdf", [replace(other, annotations=(), spans=()) for other in (other, other)])
    with pypdfium2.PdfDocument(tmp_path / "two.pdf") as document:
        assert len(document) == 3, "of several reports each begins a page behind the list of them"


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
    with pypdfium2.PdfDocument(tmp_path / "out.pdf") as document:
        assert all("Head" in page.get_textpage().get_text_range() for page in list(document)[-3:])


LINES = "Case\nNo fever, a cough.\nHead | Other\nold | new\n"
SHORT = Document(
    "Short",
    LINES,
    (Section("Case", ("Case",), 0, 5, ()),),
    {"pmcid": "7", "doi": "10.1"},
    {"licence": "CC BY"},
)


def short(*annotations: ExportedAnnotation, key: str = "R1", **more: object) -> ReportExport:
    given: dict[str, object] = {"annotations": annotations, "spans": (), "annotator": "Anna", **more}
    return replace(REPORT, document=SHORT, key=key, looked_at=("Neuro", "ENDO", "GI"), **given)  # type: ignore[arg-type]


def marked(
    category: str, quote: str, *parts: tuple[int, int], polarity: Polarity = "present"
) -> ExportedAnnotation:
    at = SHORT.text.find(quote)
    found = parts or ((at, at + len(quote)),)
    finding = Finding(category, quote, found[0][0], found[-1][1], polarity=polarity)
    span = Span("", quote, (found[0][0], found[-1][1]), found) if parts else None
    return ExportedAnnotation(finding, "human", "Anna", span=span)


def test_an_export_says_whose_it_is_how_much_of_what_and_what_was_looked_for_in_vain() -> None:
    fever, cough = marked("Vitals_Hema", "fever", polarity="negated"), marked("RESP", "cough")
    again = marked("Vitals_Hema", "a", (15, 16))
    whole = Marked(
        [short(fever, cough, again, spans=(Span("Own", "new", (43, 46)),)), short(annotator="Ben")]
    )
    assert whole.title == "Annotations of Anna, Ben"
    assert Marked([short(annotator="")]).title == "Annotated reports"
    assert whole.summary.startswith("4 annotations in 2 reports · ")
    codes = {one.id: (one.code, one.name) for one in whole.scheme.categories}
    assert whole.legend() == [
        ("Vitals_Hema", *codes["Vitals_Hema"], 2),
        ("RESP", *codes["RESP"], 1),
        (FOREIGN, "own", "Under labels of their own, which the scheme lacks", 1),
    ]
    assert Marked([short(cough)]).legend() == [("RESP", *codes["RESP"], 1)]
    first, bare = whole.marked()
    assert first.facts == "R1 · PMCID 7 · DOI 10.1 · 11 words · 4 annotations · licence: CC BY"
    assert [(name, [mark.number for mark in marks]) for name, marks in first.listed()] == [
        (codes["Vitals_Hema"][1], [1, 2]),
        (codes["RESP"][1], [3]),
        ("Labels that the scheme lacks", [4]),
    ]
    names = [codes[one][1] for one in ("Neuro", "ENDO", "GI")]
    assert (first.nothing, bare.listed()) == (names, [])
    (other,) = Marked([short(marked("GI", "cough"))]).marked()
    assert other.nothing == names[:2]


def test_lines_and_cells_are_cut_where_marks_begin_and_end() -> None:
    (report,) = Marked(
        [short(marked("Neuro", "No fever"), marked("GI", "fever, a"), marked("GU", "old"))]
    ).marked()
    drawn = [
        [(piece.text, [mark.number for mark in piece.marks], [edge.words for edge in piece.opens],
          [edge.words for edge in piece.closes]) for piece in block.all_pieces]
        for block in report.blocks
    ]  # fmt: skip
    assert drawn == [
        [("Case", [], [], [])],
        [
            ("No ", [1], ["NE 1"], []), ("fever", [1, 2], ["GI 2"], ["1"]), (", a", [2], [], ["2"]),
            (" cough.", [], [], []),
        ],
        [
            ("Head ", [], [], []), ("Other", [], [], []), ("old", [3], ["GU 3"], [""]), (" ", [], [], []),
            ("new", [], [], []),
        ],
    ]  # fmt: skip
    assert [(block.heading, len(block.rows), block.headers, block.depth) for block in report.blocks] == [
        (True, 0, 0, 0),
        (False, 0, 0, 2),
        (False, 2, 1, 1),
    ]
    assert report.body == "CaseNo fever, a cough.Head Otherold new"
    # Of marks that begin together the longer is the first; those that end together end as they began.
    around = marked("GI", "fever"), marked("Neuro", "No fever"), marked("GU", "No")
    (nested,) = Marked([short(*around, marked("MSK", "cough"), marked("GI", "cough"))]).marked()
    assert [mark.quote for mark in nested.marks] == ["No fever", "No", "fever", "cough", "cough"]
    *_, outer, inner, first, last = [edge.mark.number for edge in nested.edges]
    assert (outer, inner) == (last, first)


def test_of_a_mark_is_said_what_its_words_do_not_show() -> None:
    parts = ((5, 7), (17, 22))
    whole = Marked([short(marked("GI", "No cough", *parts), marked("GI", "Nocough", *parts),
                          marked("GI", "cough", polarity="uncertain"))])  # fmt: skip
    (report,) = whole.marked()
    assert [mark.details for mark in report.marks] == [
        ["in several parts"],
        ["in several parts", "not in the words of the text"],
        ["uncertain"],
    ]
    assert sorted(edge.words for edge in report.edges) == sorted(
        ["GI 1", "GI 2", "1", "2", "… 1", "… 2", "GI 3 uncertain", "1", "2", "3"]
    )


def test_what_a_file_lacks_of_what_was_written_is_named_by_its_report() -> None:
    one, other = short(marked("GI", "cough")), short(key="R2")
    (report, _) = Marked([one, other]).marked()
    whole = Found(report.body, "GI 1", "")
    assert recounted("x", [one, other], [whole]).missing == ("R2: the report",)
    assert recounted("x", [one], [replace(whole, codes="GI 1 x")]).unexpected == ("R1: codes of other spans",)
    assert recounted("x", [one], [replace(whole, codes="")]).missing == ("R1: a span",)
    assert recounted("x", [one], [whole, whole]).unexpected == ("a report",)
    assert recounted("x", [one], [whole]).same
    assert visible("a\x00\x7f\ufffe\n") == "a␀␡\ufffd\n"


def test_a_heading_goes_to_the_next_page_with_what_it_stands_over() -> None:
    drawn: list[tuple[int, float]] = []

    class Canvas:
        def __getattr__(self, name: str) -> object:
            return lambda *given: 0

    class Box(Flowable):  # type: ignore[misc]
        def __init__(self, height: float, kept: int = 0) -> None:
            super().__init__()
            self.height, self.keepWithNext = height, kept

        def wrap(self, width: float, height: float) -> tuple[float, float]:
            return width, self.height

        def drawOn(self, canvas: object, x: float, y: float, _sW: float = 0) -> None:
            drawn.append((turned[0], self.height))

    turned = [1]
    pages = Pages(Canvas(), "T" * 91)
    assert pages._title == "T" * 90
    turn = pages.turn

    def next_page() -> None:
        turned[0] += 1
        turn()

    pages.turn = next_page  # type: ignore[method-assign]
    # Of 740 points 700 are full: a line of 30 has room, and a heading of 20 that needs 40 below it has none.
    pages.draw([Box(680), Box(20, 1), Box(100), Box(620), Box(15)])
    assert drawn == [(1, 680), (2, 20), (2, 100), (3, 620), (3, 15)]


def test_a_pdf_has_lanes_links_and_a_legend_in_two_columns() -> None:
    spans = [marked(category, "cough") for category in ("GI", "GU", "MSK")]
    lost = ExportedAnnotation(Finding("GI", "gone", None, None, grounding="ungrounded"), "human", "Anna")
    whole = Marked([short(*spans, lost)])
    (legend,) = [one for one in _head(whole) if isinstance(one, Table)]
    assert [[bool(cell) for cell in row] for row in legend._cellvalues] == [[True, True], [True, False]]
    (report,) = whole.marked()
    writer = PdfWriter(whole, report, 4)
    (piece,) = [piece for block in report.blocks for piece in block.pieces if piece.marks]
    run = writer._piece(piece, 6.0)
    assert re.findall(r'offset="-([\d.]+)"', run) == ["5.8", "3.9", "2.0"]
    # Each in its colour, over a ground that is of all of them.
    assert len(set(re.findall(r'<u[^>]*color="(\S+)"', run))) == 3
    assert whole.tint(piece) not in [whole.tint(replace(piece, marks=(one,))) for one in piece.marks]
    assert sorted(re.findall(r'<a name="(\w+)"/>', run)) == ["r4s1", "r4s2", "r4s3"]
    entries = [writer._entry(mark).text for mark in report.marks]
    assert [re.findall(r'href="#(\w+)"', one) for one in entries] == [["r4s1"], ["r4s2"], ["r4s3"], []]
    # A table is a grid unless it is too wide or its cells are too long.
    (table,) = [block for block in report.blocks if block.rows]
    assert [type(one) for one in writer._table(table)] == [Table]
    long = table.rows[1][0].pieces[0]
    cell = replace(table.rows[1][0], pieces=(replace(long, text="word " * 300),))
    lines = writer._table(replace(table, rows=(table.rows[0], (cell, table.rows[1][1]))))
    assert [type(one) for one in lines] == [Paragraph, Paragraph]


def test_a_word_document_shows_polarity_by_its_lines_and_begins_reports_on_pages_of_their_own(
    tmp_path: Path,
) -> None:
    spans = [
        marked("GI", "fever", polarity="negated"), marked("GU", "cough", polarity="uncertain"),
        marked("MSK", "old"), marked("CVS", "cough", polarity="negated"),
    ]  # fmt: skip
    starts = []
    for reports in ([short(*spans)], [short(*spans), short(key="R2")]):
        write(tmp_path / "out.docx", "docx", reports)
        document = docx.Document(str(tmp_path / "out.docx"))
        titles = [line for line in document.paragraphs if line.text == "Short"]
        starts.append([bool(line.paragraph_format.page_break_before) for line in titles])
    assert starts == [[False], [True, True]]
    kinds = [str(one.get(f"{W}val")) for one in document.element.iter(f"{W}u") if one.get(f"{W}color")]
    assert kinds == ["dash", "dotted", "single"], "where two overlap the line is the first one's"
    bold = [
        [all(run.bold for run in cell.paragraphs[0].runs) for cell in row.cells]
        for row in document.tables[0].rows
    ]
    assert bold == [[True, True], [False, False]]
    styles = [line.style.name for line in document.paragraphs if line.style and line.text == "Case"]
    assert styles == ["Report heading", "Report heading"]


def test_each_category_has_its_colour_on_a_page(tmp_path: Path) -> None:
    write(tmp_path / "out.html", "html", [short(marked("GI", "fever"), marked("GU", "cough"))])
    page = (tmp_path / "out.html").read_text("utf-8")
    assert "<h2" in page
    shown = {one: re.search(rf'class="([^"]*)"[^>]*data-at="{one} \d', page) for one in ("GI", "GU")}
    assert all(shown.values()), page[-3000:]
    first, second = (one[1] for one in shown.values() if one)
    assert first != second
