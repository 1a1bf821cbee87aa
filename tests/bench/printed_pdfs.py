"""How well PDFs are read: JATS reports are printed by what prints pages here, read again and compared.

`python -m tests.bench.printed_pdfs [FOLDER] [NUMBER]`: for each engine (chromium, weasyprint, soffice) and
number of columns, the share of the body's words that come in order, and of its headings that are found.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from app.formats import read
from app.formats.record import Imported
from app.formats.xml_input import parse_xml

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "jats" / "case-report"
_FLOATS = frozenset({"fig", "table-wrap", "fig-group", "table-wrap-group", "fn", "supplementary-material"})
_BLOCKS = frozenset({*_FLOATS, "list", "list-item", "boxed-text", "disp-quote", "disp-formula", "def-list"})
_INLINE = {"italic": "i", "bold": "b", "sup": "sup", "sub": "sub"}
_WORD = re.compile(r"[^\W_]+")
_CHROMIUM = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
Engine = Callable[[Path, Path], list[str]]
ENGINES: dict[str, Engine] = {
    "chromium": lambda page, out: [
        "chromium",
        *_CHROMIUM,
        f"--user-data-dir={page.parent / 'profile'}",
        f"--print-to-pdf={out}",
        page.as_uri(),
    ],
    "weasyprint": lambda page, out: ["weasyprint", "-q", str(page), str(out)],
    "soffice": lambda page, out: [
        *("soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "pdf", "--outdir"),
        *(str(out.parent), str(page)),
    ],
}
_STYLE = """@page { size: A4; margin: 22mm 18mm;
@top-center { content: "Annals of Printing 2026"; font-size: 8pt }
@bottom-center { content: counter(page) } } .text { columns: %d; column-gap: 7mm }
body { font: 10pt/1.3 serif; hyphens: auto; text-align: justify } .caption, td, .refs { font-size: 8pt }"""


def inline(element: Element) -> str:
    """An element's words as HTML, without what floats."""
    parts = [html.escape(element.text or "")]
    for child in element:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag == "xref" and child.get("ref-type") == "bibr":
            parts.append(f"<sup>{html.escape(''.join(map(str, child.itertext())).strip('[]()'))}</sup>")
        elif tag and tag not in _BLOCKS:
            name = _INLINE.get(tag, "span")
            parts.append(f"<{name}>{inline(child)}</{name}>")
        parts.append(html.escape(child.tail or ""))
    return "".join(parts)


def blocks(section: Element, level: int) -> Iterator[str]:
    """A section as HTML, block by block."""
    for child in section:
        if child.tag == "title":
            yield f"<h{min(level, 6)}>{inline(child)}</h{min(level, 6)}>"
        elif child.tag == "sec":
            yield from blocks(child, level + 1)
        elif child.tag == "p":
            yield f"<p>{inline(child)}</p>"
            yield from (floating(one) for one in child.iter("fig", "table-wrap"))
        elif child.tag in ("fig", "table-wrap"):
            yield floating(child)
        elif child.tag in _BLOCKS:
            yield from blocks(child, level)


def floating(element: Element) -> str:
    """A figure or a table with its caption."""
    label = html.escape(element.findtext("label") or "")
    words = " ".join(inline(p) for p in element.iterfind("caption//p"))
    rows = [
        "".join(
            f"<td>{html.escape(' '.join(''.join(map(str, cell.itertext())).split()))}</td>" for cell in row
        )
        for row in element.iter("tr")
    ]
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="caption"><b>{label}.</b> {words}</div><table>{table}</table>'


def as_page(article: Element, columns: int) -> str:
    """The report as a page to be printed."""
    title, abstract, body = (article.find(f".//{name}") for name in ("article-title", "abstract", "body"))
    text = "".join(blocks(abstract, 2)) if abstract is not None else ""
    text += "".join(blocks(body, 1)) if body is not None else ""
    refs = "".join(f"<li>{html.escape(''.join(map(str, r.itertext())))}</li>" for r in article.iter("ref"))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><style>{_STYLE % columns}</style></head>'
        "<body>"
        f'<h1>{inline(title) if title is not None else ""}</h1><div class="text"><h2>Abstract</h2>{text}'
        f'<h2>References</h2><ol class="refs">{refs}</ol></div></body></html>'
    )


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return _WORD.findall(text.casefold())


def expected(article: Element) -> tuple[list[str], list[str]]:
    """The words of the body's paragraphs in order, and its headings."""
    body = article.find("body")
    texts, headings = [], []
    for element in body.iter("p", "title") if body is not None else ():
        if any(above.tag in {*_FLOATS, "caption"} for above in element.iterancestors()):
            continue
        if element.tag == "title":
            headings.append(" ".join(words("".join(map(str, element.itertext())))))
        else:
            texts += words(re.sub(r"<sup>[\d,;\s–-]*</sup>|<[^>]+>", "", html.unescape(inline(element))))
    return texts, headings


def compare(article: Element, printed: Path) -> tuple[float, int, int]:
    """The share of words in order, the headings found, and how many there are."""
    (record,) = read(printed)
    if not isinstance(record, Imported):
        return 0.0, 0, 0
    texts, headings = expected(article)
    matcher = SequenceMatcher(None, texts, words(record.document.text), autojunk=False)
    share = sum(block.size for block in matcher.get_matching_blocks()) / max(len(texts), 1)
    there = {" ".join(words(section.heading)) for section in record.document.sections}
    return share, sum(heading in there for heading in headings), len(headings)


def main(arguments: Sequence[str]) -> None:
    """Print, read and compare; one line for each engine and number of columns, the worst report named."""
    corpus = Path(arguments[0]) if arguments else CORPUS
    files = sorted(corpus.glob("*.xml"))[: int(arguments[1]) if len(arguments) > 1 else None]
    with tempfile.TemporaryDirectory() as folder:
        for name, command in ENGINES.items():
            # LibreOffice prints pages of HTML in one column.
            for columns in (1, 2)[: 1 if name == "soffice" else 2] if shutil.which(name) else ():
                found = {}
                for file in files:
                    page = Path(folder) / f"{file.stem}-{name}-{columns}.html"
                    root = parse_xml(file.read_bytes())
                    article = root if root.tag == "article" else next(root.iter("article"))
                    etree.strip_elements(article, "sub-article", with_tail=False)
                    page.write_text(as_page(article, columns), encoding="utf-8")
                    out = page.with_suffix(".pdf")
                    subprocess.run(command(page, out), check=True, capture_output=True, timeout=300)
                    found[file.stem] = compare(article, out)
                worst = min(found, key=lambda key: found[key][0])
                mean = sum(share for share, _, _ in found.values()) / len(found)
                headings = [sum(column) for column in zip(*(one[1:] for one in found.values()), strict=True)]
                print(
                    f"{name} {columns}: words {mean:.4f}, worst {found[worst][0]:.4f} ({worst});"
                    f" headings {headings[0]} of {headings[1]}"
                )


if __name__ == "__main__":
    main(sys.argv[1:])
