"""JATS into documents: metadata, sections, running text, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from app.formats.jats import read_articles
from app.formats.jats.blocks import rows_of
from extractors.model.document import Document
from extractors.model.errors import FormatError

CATEGORIES = ("Neuro", "GI", "Lab_Image")
DATA = Path(__file__).parents[3] / "data" / "jats"
CORPUS = Path(__file__).parents[5] / "shared" / "corpora" / "jats"


def only(data: bytes) -> Document:
    (found,) = read_articles(data, CATEGORIES)
    assert not isinstance(found, FormatError), found
    return found[0]


def article(body: str, rest: str = "") -> bytes:
    spaces = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'
    return f"<article {spaces}><front/><body>{body}</body>{rest}</article>".encode()


def text_of(body: str) -> str:
    return only(article(body)).text


def refusal(data: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        list(read_articles(data, CATEGORIES))
    return str(caught.value)


@pytest.fixture(scope="module")
def case() -> Document:
    return only((DATA / "case.xml").read_bytes())


def test_front_matter_becomes_title_identifiers_and_metadata(case: Document) -> None:
    assert case.title == "An invented patient with two findings"
    assert case.identifiers == {"pmcid": "123", "doi": "10.9999/invented.1"}
    assert case.metadata == {
        "article_type": "case-report",
        "language": "en",
        "journal": "Journal of Invented Cases",
        "subjects": "Case Report",
        "date": "2021-02-03",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
    }


def test_of_several_dates_the_first_of_the_best_kind_counts_and_a_subtitle_is_a_part_of_the_title() -> None:
    def front(meta: str) -> Document:
        journal = "<journal-meta><journal-title>J</journal-title></journal-meta>"
        return only(
            f"<article><front>{journal}<article-meta>{meta}</article-meta></front><body><p>x</p></body></article>".encode()
        )

    def date(kind: str, year: int, month: str = "", day: str = "") -> str:
        parts = f"<day>{day}</day><month>{month}</month><year>{year}</year>"
        return f'<pub-date pub-type="{kind}">{parts}</pub-date>'

    titles = "<title-group><article-title>A case</article-title><subtitle>of two</subtitle></title-group>"
    made = front(titles + date("ppub", 2001) + date("epub", 2002, "September", "4") + date("epub", 2003))
    assert (made.title, made.metadata["date"], made.metadata["journal"]) == (
        "A case: of two",
        "2002-09-04",
        "J",
    )
    assert front(titles + date("ppub", 2001, "", "4")).metadata["date"] == "2001"
    by = "https://creativecommons.org/licenses/by/4.0/"
    reference = f'<a:license_ref xmlns:a="http://www.niso.org/schemas/ali/1.0/"> {by} </a:license_ref>'
    to = f'xmlns:x="http://www.w3.org/1999/xlink" x:href="{by}"'
    link = f"<license-p>See <ext-link {to}>it</ext-link>.</license-p>"
    words = "<license-p>Free to <italic>read</italic>.</license-p>"
    for inner, told in (
        (reference, by),
        (words + reference, by),
        (link, by),
        (words, "Free to read."),
        ("", "open"),
    ):
        licence = f'<permissions><license license-type="open">{inner}</license></permissions>'
        assert front(titles + licence).metadata["licence"] == told


def test_cells_of_an_oasis_table_cover_the_columns_named_and_tables_in_them_are_words() -> None:
    specs = "".join(f'<colspec colname="{name}"/>' for name in "abc")
    inner = "<table><tr><td>in</td></tr></table>"
    rows = (
        '<row><entry morerows="1">M</entry><entry namest="b" nameend="c">H</entry></row>'
        f"<row><entry>1</entry><entry>2{inner}</entry></row><row><entry>3</entry><entry>4</entry><entry>5</entry></row>"
    )
    table = etree.fromstring(f"<tgroup>{specs}<tbody>{rows}</tbody></tgroup>")
    assert rows_of(table) == ["M | H", "| 1 | 2 in", "3 | 4 | 5"]


def test_raised_and_lowered_text_is_read_by_what_it_stands_beside() -> None:
    given = (
        "t<sub>1</sub>, 2<sub>max</sub>, 10<sub>2</sub>, 37 "
        "<sup>o</sup>C, 36<sup>o</sup>F, x<sup>o</sup>C, "
        "a <sup>18</sup>F scan, <sup>a</sup>word, 4<sup>th</sup>, "
        "10<sup>9</sup>, K<sup>+</sup>, 2<sup>-</sup>"
    )
    assert text_of(f"<p>{given}</p>") == (
        "t1, 2max, 10_2, 37 °C, 36°F, x^o C, a 18F scan, a word, 4th, 10^9, K+, 2^-"
    )
    sum_of = "<mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:mrow>"
    for form, said in (
        (f"<mml:msup><mml:mi>x</mml:mi>{sum_of}</mml:msup>", "x^(a + b)"),
        (f"<mml:mfrac>{sum_of}<mml:mi>c</mml:mi></mml:mfrac>", "(a + b)/c"),
        ("<mml:msub><mml:mn>2</mml:mn><mml:mn>3</mml:mn></mml:msub>", "2_3"),
        ("<mml:msub><mml:mi>C</mml:mi><mml:mi>max</mml:mi></mml:msub>", "Cmax"),
    ):
        assert text_of(f"<p><mml:math>{form}</mml:math></p>") == said


def test_the_text_is_laid_out_in_blocks_in_source_order(case: Document) -> None:
    body = case.text[case.text.index("1 Introduction") :]
    assert body == (
        "1 Introduction\n\nIt is rare.\n\n2 Case report\n\n"
        "Leukocytes were 10^9/L and H2O low (Figure 1).\n\nFigure 1. Scan. A mass.\n\nShe had:\n\n"
        "- fever\n- cough\n\nand pain.\n\n"
        "Table 1. Values\nTest | Day\n | 1 | 2\nHb | 9.8 g/dL\na Low.\n\n".replace("\n | 1", "\n| 1")
        + "Treatment\n\nRest.\n\nShe went home.\n\nAcknowledgements\n\nThanks.\n\nFurther values\n\nHb 10."
    )


def test_sections_tile_the_text_and_know_their_roles(case: Document) -> None:
    assert [section.start for section in case.sections] == [0] + [
        section.end for section in case.sections[:-1]
    ]
    assert case.sections[-1].end == len(case.text)
    assert [(section.path, section.role, section.reason) for section in case.sections] == [
        (("Abstract",), "background", ""),
        (("Abstract", "Background"), "background", ""),
        (("Abstract", "Case presentation"), "background", ""),
        (("Resumen",), "excluded", "translation of the abstract (es)"),
        (("1 Introduction",), "background", ""),
        (("2 Case report",), "case", ""),
        (("2 Case report", "Treatment"), "excluded", "treatment only"),
        (("2 Case report",), "case", ""),
        (("Acknowledgements",), "excluded", "acknowledgements"),
        (("Further values",), "background", ""),
    ]


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<p>para<italic>meter</italic>s of <bold>B</bold>12</p>", "parameters of B12"),
        ("<p>one<!-- note --> two<?pi x?> three</p>", "one two three"),
        ("<p>one<break/>two</p>", "one two"),
        ("<p>a 1<sup>st</sup> visit, CD8<sup>+</sup> cells</p>", "a 1st visit, CD8+ cells"),
        ("<p>kg/m<sup>2</sup> at 37<sup>o</sup>C</p>", "kg/m^2 at 37°C"),
        ("<p>in <sup>18</sup>F-FDG 10<sup>-</sup><sup>3</sup></p>", "in 18F-FDG 10^-3"),
        ("<p><sup>a</sup>Mean value</p>", "a Mean value"),
        ("<p>log 10<sub>2</sub> and SpO<sub>2</sub></p>", "log 10_2 and SpO2"),
        ("<p>at 38<sup>º</sup>C, <sup>°</sup>F</p>", "at 38°C, °F"),
        (
            "<p>an <abbrev>ECG<def><p>electrocardiogram</p></def></abbrev> was</p>",
            "an ECG electrocardiogram was",
        ),
        ("<list><list-item><label>4.</label></list-item></list><p>x</p>", "- 4.\n\nx"),
        ("<p>2<sub/> y<fn/></p>", "2 y"),
        ("<p>x<fn><p>A note.</p></fn> y</p>", "x (A note.) y"),
        ("<p>at 10<sup>5</sup>cells of Zn<sup>II</sup><sub>2</sub></p>", "at 10^5 cells of Zn^II 2"),
        ("<p>run<code>a b</code>now</p>", "run a b now"),
        ("<address><institution>Here</institution><country>Peru</country></address>", "Here Peru"),
        ("<p>with<disp-quote><p>a quote</p></disp-quote>inside</p>", "with\n\na quote\n\ninside"),
        ("<def-list><def-item><term>Hb</term><def><p>iron</p></def></def-item></def-list>", "- Hb: iron"),
        (
            "<list><list-item><label>1.</label><p>one</p>"
            "<list><list-item><p>in</p></list-item></list></list-item></list>",
            "- 1. one\n- in",
        ),
        ("<speech><speaker>Dr A</speaker><p>Hello.</p></speech>", "Dr A Hello."),
        ("<p>loose</p>text <italic>here</italic>", "loose\n\ntext here"),
        ("<media><label>File 1</label><caption><p>More.</p></caption></media>", "File 1. More."),
        ("<p>see <inline-supplementary-material>file S1</inline-supplementary-material></p>", "see file S1"),
        ("<boxed-text><p>In a box.</p></boxed-text>", "In a box."),
        ("<p>x<fn>a</fn></p><fn-group><fn>b</fn></fn-group>", "x (a)\n\nb"),
        ("<p>x</p><author-notes><fn>a</fn></author-notes>", "x\n\na"),
        (
            "<table-wrap><table><caption>c</caption><title>t</title><label>l</label><tr><td>1</td></tr></table>"
            "<fn-group><fn><p>a</p></fn><fn><p>b</p></fn></fn-group></table-wrap>",
            "c\nt\nl\n1\na\nb",
        ),
        ("<p>&#160;thin\u2009space\nand line&#13;</p>", "thin space and line"),
        (
            "<fig><caption><p>A rash.</p></caption></fig>"
            "<table-wrap><label>Table 1</label><alternatives><graphic/>"
            "<table><tr><td>a</td><td>b</td></tr></table></alternatives></table-wrap>",
            "A rash.\n\nTable 1\na | b",
        ),
    ],
)
def test_running_text_is_neither_split_nor_glued(xml: str, text: str) -> None:
    assert text_of(xml) == text


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        (
            "<mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo>"
            "<mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac></mml:math>",
            "x = 1/2",
        ),
        ("<mml:math><mml:msub/><mml:mi>q</mml:mi></mml:math>", "q"),
        ("<mml:math><mml:msub><mml:mi>C</mml:mi><mml:mi>max</mml:mi></mml:msub></mml:math>", "Cmax"),
        ("<mml:math><mml:msup><mml:mn>10</mml:mn><mml:mn>9</mml:mn></mml:msup></mml:math>", "10^9"),
        (r"<tex-math>\begin{document}$$\frac{a}{b} \times 2$$\end{document}</tex-math>", "(a)/(b) × 2"),
        (r"<tex-math>QT/\sqrt{RR}-1</tex-math>", "QT/sqrt(RR)-1"),
        (r"<tex-math>\cfrac{QT}{\sqrt[3]{RR}}</tex-math>", "(QT)/((RR)^(1/3))"),
        ("<mml:math><mml:mroot><mml:mi>RR</mml:mi><mml:mn>3</mml:mn></mml:mroot></mml:math>", "(RR)^(1/3)"),
        (r"<tex-math>\frac{\frac{a}{b}}{{{\text{C}}_{{{\text{max}}}}}}</tex-math>", "((a)/(b))/(C_max)"),
        ("<alternatives><tex-math>y</tex-math><mml:math><mml:mi>z</mml:mi></mml:math></alternatives>", "z"),
        (r"<tex-math>$5\% \,\&amp; a\_b~c$</tex-math>", "5% & a_b c"),
        (
            r"<tex-math>\begin{document}$$x &amp; = \$2 \\ &amp; \geq 1$$\end{document}</tex-math>",
            "x = $2 ≥ 1",
        ),
        ("<mml:math><mml:mi>y</mml:mi><mml:annotation>LaTeX</mml:annotation></mml:math>", "y"),
        (r"<tex-math>$y$</tex-math><mml:math><mml:mi>z</mml:mi></mml:math>", "z"),
    ],
)
def test_a_formula_stands_once_as_readable_text(xml: str, text: str) -> None:
    assert text_of(f"<p>so <inline-formula>{xml}</inline-formula> holds</p>") == f"so {text} holds"


def test_every_section_of_a_sub_article_stands_below_its_title() -> None:
    sub = (
        '<sub-article article-type="{}"><front-stub><title-group><article-title>{}</article-title>'
        "</title-group>"
        "</front-stub><body><sec><title>Case 2</title><p>Word.</p></sec></body></sub-article>"
    )
    inner = f"{sub.format('abstract', 'Within')}</sub-article>"
    rest = sub.format("reviewer-report", "A review") + sub.format("abstract", "Another")
    rest = rest.removesuffix("</sub-article>") + inner
    sections = only(article("<p>Main.</p>", rest)).sections
    assert [(section.path, section.role) for section in sections] == [
        ((), "case"),
        (("A review",), "excluded"),
        (("A review", "Case 2"), "excluded"),
        (("Another",), "background"),
        (("Another", "Case 2"), "background"),
        (("Another", "Within"), "background"),
        (("Another", "Within", "Case 2"), "background"),
    ]


def test_a_set_gives_every_article_and_an_error_for_the_one_without_a_body() -> None:
    one = "<article><front/><body><p>One.</p></body></article>"
    empty = "<article><front/><body><p> </p></body></article>"
    found = list(read_articles(f"<pmc-articleset>{one}{empty}{one}</pmc-articleset>".encode(), CATEGORIES))
    assert ["error" if isinstance(item, FormatError) else item[0].text for item in found] == [
        "One.",
        "error",
        "One.",
    ]


def test_a_namespace_on_the_articles_is_no_obstacle() -> None:
    data = b'<r xmlns="oai"><article xmlns="https://jats"><body><p>H<sub>2</sub>O</p></body></article></r>'
    assert only(data).text == "H2O"


REFERENCES = (
    "<back><ref-list><ref><article-title>Listed &amp; left out</article-title>\n</ref></ref-list>{}</back>"
)


def test_what_follows_the_references_is_read_and_they_are_not() -> None:
    notes = "<notes><title>Data</title><p>On request.</p></notes>"
    assert only(article("<p>x</p>", REFERENCES.format(notes))).text == "x\n\nData\n\nOn request."


def test_references_before_another_body_leave_that_body_whole() -> None:
    sub = "<sub-article><front-stub/><body><ref-list><p>Read.</p></ref-list><p>y</p></body></sub-article>"
    text = only(article("<p>x</p>", REFERENCES.format("") + sub)).text
    assert text == "x\n\nSub-article\n\nReferences\n\nRead.\n\ny"


def test_an_error_behind_the_references_names_its_own_line() -> None:
    assert "line 2" in refusal(article("<p>x</p>", REFERENCES.format("<notes>")))


@pytest.mark.parametrize("tag", ["floats-group", "floats-wrap"])
def test_floating_figures_have_a_section_of_their_own(tag: str) -> None:
    floats = f"<{tag}><fig><label>Fig. 1</label><caption><p>Rash.</p></caption></fig></{tag}>"
    assert only(article("<p>x</p>", floats)).text == "x\n\nFigures and tables\n\nFig. 1. Rash."


@pytest.mark.parametrize(
    ("tag", "kind", "role"),
    [
        ("response", "", "excluded"),
        ("sub-article", "reply", "excluded"),
        ("sub-article", "translation", "excluded"),
        ("sub-article", "case-report", "background"),
    ],
)
def test_an_answer_to_the_article_is_left_out_and_another_part_of_it_is_not(
    tag: str, kind: str, role: str
) -> None:
    inner = "<front-stub><title-group><article-title>Of it</article-title></title-group></front-stub>"
    part = f'<{tag} article-type="{kind}">{inner}<body><p>We thank them.</p></body></{tag}>'
    found = only(article("<p>x</p>", part)).sections[-1]
    assert (found.path, found.role) == (("Of it",), role)
    around = f"<sub-article><body><p>y</p></body>{part}</sub-article>"
    found = only(article("<p>x</p>", around)).sections[-1]
    assert (found.path, found.role) == (("Sub-article", "Of it"), role)


def test_well_known_entities_are_characters_with_and_without_a_document_type() -> None:
    body = b"<article><body><p>5&nbsp;&mu;g &amp; <![CDATA[&mu;]]></p></body></article>"
    assert only(body).text == "5 μg & &mu;"
    assert only(b'<!DOCTYPE article SYSTEM "jats.dtd">' + body).text == "5 μg & &mu;"


def test_a_plain_entity_of_the_file_itself_is_replaced() -> None:
    data = b'<!DOCTYPE article [<!ENTITY drug "a drug">]><article><body><p>on &drug;.</p></body></article>'
    assert only(data).text == "on a drug."


def bomb() -> bytes:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return (
        f'<!DOCTYPE article [<!ENTITY l0 "ha">{levels}]><article><body><p>&l9;</p></body></article>'.encode()
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"just text", "not well-formed"),
        (b"<article><body><p>open</body></article>", "line 1"),
        (b"<html><body/></html>", "not a JATS article"),
        (bomb(), "bomb"),
        (bomb().replace(b"<article>", b'<article id="&l9;">'), "bomb"),
        (b'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]><article/>', "external"),
        (b"<article>" + b"<sec>" * 5000 + b"</sec>" * 5000 + b"</article>", "nested too deeply"),
        (b'<?xml version="1.0" encoding="UTF-8"?><article><p>caf\xe9 au</p></article>', "encoding"),
        (b"<article><body><p>&unheardof;</p></body></article>", "&unheardof;"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(data: bytes, words: str) -> None:
    message = refusal(data)
    assert words in message
    assert message.endswith(".")
    assert "\n" not in message


def test_an_article_that_is_deep_but_legal_is_read() -> None:
    depth = 80
    body = "".join(f"<sec><title>T{n}</title>" for n in range(depth)) + "<p>x</p>" + "</sec>" * depth
    assert len(only(article(body)).sections) == depth


BLOCK_TAGS = re.compile(
    r"p|title|label|td|th|list-item|caption|sec|fig|table-wrap|def|term|disp-formula|break|sup|entry"
)


def naive_words(element: etree._Element, out: list[str]) -> None:
    """Words by another way: every text node, blanks around blocks, citation markers and formulas out."""
    if not isinstance(element.tag, str):
        return
    if element.get("ref-type") == "bibr" or element.tag == "tex-math" or "MathML" in element.tag:
        return
    blank = BLOCK_TAGS.fullmatch(element.tag.rpartition("}")[2])
    out.append(" " if blank else "")
    out.append(element.text or "")
    for child in element:
        naive_words(child, out)
        out.append(child.tail or "")
    out.append(" " if blank else "")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the JATS corpus is not beside this checkout")
def test_real_articles_keep_their_words_in_order() -> None:
    from rapidfuzz.distance import LCSseq

    for path in sorted((CORPUS / "case-report").glob("*.xml")):
        out: list[str] = []
        body = etree.parse(str(path)).getroot().find("body")
        assert body is not None
        naive_words(body, out)
        expected = re.findall(r"\w+", "".join(out))
        got = re.findall(r"\w+", only(path.read_bytes()).text)
        assert LCSseq.similarity(expected, got) >= 0.995 * len(expected), path.name


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the JATS corpus is not beside this checkout")
def test_real_awkward_articles_are_read_and_tiled() -> None:
    for path in sorted((CORPUS / "nasty").glob("*.xml")):
        document = only(path.read_bytes())
        starts = [section.start for section in document.sections]
        assert starts == [0] + [section.end for section in document.sections[:-1]], path.name
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", document.text), path.name


def test_acknowledgements_without_a_paragraph_are_kept() -> None:
    back = "<back><label>B</label><title>Behind</title><ack>Thanks to all.</ack></back>"
    assert only(article("<p>Fever.</p>", back)).text == "Fever.\n\nAcknowledgements\n\nThanks to all."


def test_a_table_inside_a_cell_is_not_glued_to_it() -> None:
    cell = "<td>one<table-wrap><table><tr><td>two</td></tr></table></table-wrap>three</td>"
    text = only(article(f"<table-wrap><table><tr>{cell}</tr></table></table-wrap><p>Fever.</p>")).text
    assert "onetwo" not in text
    assert "twothree" not in text
