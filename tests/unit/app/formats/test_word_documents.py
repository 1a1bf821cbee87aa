"""What of a Word document is text of the report, and what is a heading or its title."""

from __future__ import annotations

import io

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from app.formats.documents.docx import _heading_levels, read_payload
from app.formats.pictures.packages import Payload
from app.formats.record import Imported

_NAMES = (
    f'{nsdecls("w")} xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
_BOLD, _TITLE = "<w:b/>", "A boy with fever and a rash"
_NONE = "No headings were recognised: the report is one section."


def read(body: str, **notes: str) -> Imported:
    document = docx.Document()
    for part in reversed(list(parse_xml(f"<w:body {_NAMES}>{body}</w:body>"))):
        document.element.body.insert(0, part)
    for name, inside in notes.items():
        data = f"<w:{name} {_NAMES}>{inside}</w:{name}>".encode()
        notes_part = Part(PackURI(f"/word/{name}.xml"), "application/xml", data, document.part.package)
        document.part.relate_to(notes_part, getattr(RELATIONSHIP_TYPE, name.upper()))
    out = io.BytesIO()
    document.save(out)
    (record,) = read_payload(Payload("p.docx", "p", out.getvalue()), "", ("Neuro",))
    assert isinstance(record, Imported)
    return record


def par(text: str, style: str = "", mark: str = "", more: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    run = f'<w:r><w:rPr>{mark}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'
    return f"<w:p>{styled}{run}{more}</w:p>"


def run(text: str, mark: str = "") -> str:
    return f'<w:r><w:rPr>{mark}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def box(way: str, text: str) -> str:
    return f"<mc:{way}><w:txbxContent>{par(text)}</w:txbxContent></mc:{way}>"


def maths(part: str, text: str) -> str:
    return f"<m:{part}><m:r><m:t>{text}</m:t></m:r></m:{part}>"


UP = '<w:position w:val="{}"/>'


def cell(*texts: str, span: str = "") -> str:
    wide = f'<w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>' if span else ""
    return f"<w:tc>{wide}{''.join(map(par, texts))}</w:tc>"


@pytest.mark.parametrize(
    ("body", "text", "notes"),
    [
        (f"<w:sdt><w:sdtContent>{par('a')}</w:sdtContent></w:sdt><w:ins>{par('b')}</w:ins>", "a|b", ()),
        (f"<w:customXml>{par('a')}</w:customXml><w:del>{par('b')}</w:del>", "a", ()),
        (par("a", more="<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/></w:r>"), "a b c-", ()),
        # What was moved stands where it is now.
        (par("a", more=f"<w:moveFrom>{run('b')}</w:moveFrom><w:moveTo>{run('c')}</w:moveTo>"), "ac", ()),
        (par("H") + par("2", mark='<w:vertAlign w:val="subscript"/>'), "H|2", ()),
        (
            par("H 10", more=run("9", UP.format(8)) + run("/", UP.format(0)) + run("2", UP.format(-4))),
            "H 10^9/2",
            (),
        ),
        (
            par(
                "a",
                more=run(" b", '<w:vanish w:val="0"/>')
                + run(" d", '<w:vanish w:val="false"/>')
                + run("c", "<w:vanish/>")
                + run("", "<w:vanish/>"),
            ),
            "a b d",
            ("1 passage of hidden text left out.",),
        ),
        (
            par("a", more="<w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:moveFrom/><w:r><w:t/></w:r>"),
            "a",
            ("1 tracked deletion left out; tracked insertions are taken.",),
        ),
        # Of a box, or anything else, its two versions say the same.
        (par("a", more=f"<mc:Choice>{run('b')}</mc:Choice><mc:Fallback>{run('b')}</mc:Fallback>"), "ab", ()),
        (par("a", more=f"<w:r>{box('Choice', 'b')}{box('Fallback', 'b')}</w:r>"), "a|b", ()),
        (
            par("BMI: kg/m", more=f"<m:oMath>{maths('sup', '2')}<m:r><m:t/></m:r></m:oMath>"),
            "BMI: kg/m^2",
            (),
        ),
        (par("height", more=f"<m:oMath>{maths('sup', '2')}{maths('sup', '')}</m:oMath>"), "height^2", ()),
        (par("39", more=f"<m:oMath>{maths('sup', '∘')}</m:oMath>"), "39°", ()),
        (par("f ", more=f"<m:f>{maths('num', '1')}{maths('den', '2')}</m:f>"), "f 1/2", ()),
        (
            f"<w:tbl><w:tr>{cell('a', 'b', span='2')}{cell('c', span='x')}</w:tr>"
            f"<w:tr>{cell('d')}{cell('')}{cell('f')}</w:tr></w:tbl><w:tbl><w:tr>{cell('')}</w:tr></w:tbl>",
            "a b |  | c\nd |  | f",
            (),
        ),
        # A form's cells and rows may be fields to be filled in.
        (
            f"<w:tbl><w:tr>{cell('a')}<w:sdt><w:sdtContent>{cell('b')}</w:sdtContent></w:sdt></w:tr>"
            f"<w:sdt><w:sdtContent><w:tr>{cell('c')}{cell('d')}</w:tr></w:sdtContent></w:sdt></w:tbl>",
            "a | b\nc | d",
            (),
        ),
    ],
)
def test_what_counts_is_what_a_reader_of_the_document_sees(
    body: str, text: str, notes: tuple[str, ...]
) -> None:
    record = read(body)
    assert (record.document.text.replace("\n\n", "|"), record.notes) == (text, (*notes, _NONE))


@pytest.mark.parametrize(
    ("body", "paths", "title", "bold"),
    [
        (
            par(_TITLE, "Title") + par("Case", "Heading1") + par("Labs", "Heading2") + par("End", "Heading1"),
            [(), ("Case",), ("Case", "Labs"), ("End",)],
            _TITLE,
            "",
        ),
        (
            par("Case presentation", mark=_BOLD) + par("a") + par("Laboratory findings", mark=_BOLD),
            [("Case presentation",), ("Laboratory findings",)],
            "p",
            "2 headings told by bold type; the document has none by style.",
        ),
        (
            par("a") + par("Case presentation", "Heading1") + par("Laboratory findings", mark=_BOLD)
            + par("DISCUSSION") + par("Case presentation.", mark=_BOLD) + par("Table 1 Values", mark=_BOLD)
            + par("Case presentation", mark='<w:b w:val="0"/>')
            + par("Case presentation", mark='<w:b w:val="false"/>')
            + par("Treatment", mark=_BOLD, more=run("x")) + par(f"Case presentation {'y' * 100}", mark=_BOLD),
            [(), ("Case presentation",), ("Case presentation", "Laboratory findings"), ("DISCUSSION",)],
            "p",
            "2 headings told by bold type.",
        ),
        (
            par(_TITLE, mark=_BOLD) + par("a") + par("Case presentation", mark=_BOLD),
            [(), ("Case presentation",)],
            _TITLE,
            "1 heading told by bold type; the document has none by style.",
        ),
        # Beside a title, or with others of its rank, what stands first is a heading.
        (
            par(_TITLE, mark=_BOLD) + par("T", "Title") + par("a"),
            [(_TITLE,)],
            "T",
            "1 heading told by bold type; the document has none by style.",
        ),
        (par(_TITLE, "Heading1") + par("Case", "Heading1"), [(_TITLE,), ("Case",)], "p", ""),
        (par(_TITLE, "Heading2") + par("Case", "Heading1"), [(_TITLE,), ("Case",)], "p", ""),
        (par(_TITLE, "Heading1") + par("a"), [(_TITLE,)], "p", ""),
        (par("A boy now", "Heading1") + par("B", "Heading2"), [("A boy now",), ("A boy now", "B")], "p", ""),
        (par("A boy at sea", "Heading1") + par("B", "Heading2"), [(), ("B",)], "A boy at sea", ""),
    ],
)  # fmt: skip
def test_headings_are_told_by_their_style_or_bold_type_and_the_title_by_what_it_stands_above(
    body: str, paths: list[tuple[str, ...]], title: str, bold: str
) -> None:
    record = read(body)
    assert [one.path for one in record.document.sections] == paths
    assert (record.document.title, record.notes) == (title, (bold,) if bold else ())


def test_a_style_is_one_of_headings_by_its_name_or_its_outline() -> None:
    document = docx.Document()
    for level in (0, 2, 9):
        style = f'<w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'
        style = f'<w:style {_NAMES} w:type="paragraph" w:styleId="Own{level}">{style}</w:style>'
        document.styles.element.append(parse_xml(style))
    levels = _heading_levels(document)
    assert [levels.get(one) for one in ("Title", "Heading2", "Own0", "Own2", "Own9")] == [0, 2, 1, 3, None]


def test_notes_at_the_foot_and_at_the_end_follow_the_text_as_a_section_of_their_own() -> None:
    notes = {
        name: f"<w:{name[:-1]}>{par(f'A {name[:-1]}.')}</w:{name[:-1]}>" for name in ("footnotes", "endnotes")
    }
    document = read(par("a") + par("Case", "Heading1") + par("b"), **notes).document
    assert document.text.split("\n\n") == ["a", "Case", "b", "Footnotes", "A footnote.", "A endnote."]
    assert [(one.path, one.role) for one in document.sections[1:]] == [
        (("Case",), "case"),
        (("Footnotes",), "excluded"),
    ]
