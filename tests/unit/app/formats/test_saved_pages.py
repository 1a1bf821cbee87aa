"""What of a saved page is text of the report, what is a heading, and what the page says of itself."""

from __future__ import annotations

import pytest

from app.formats.documents.html import read_payload
from app.formats.pictures.packages import Payload
from app.formats.record import Imported

_LONG = "x" * 300
_WORDS = "word " * 20


def read(body: str, head: str = "") -> Imported:
    data = f"<html><head>{head}</head><body>{body}</body></html>".encode()
    (record,) = read_payload(Payload("p.html", "p", data), "", ("Neuro",))
    assert isinstance(record, Imported)
    return record


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a<br>b <b>c</b>d<div>e</div>f", "a b cd|e|f"),
        ("<p>a</p><p aria-hidden='true'>b</p><p hidden>c</p><p style='display : none'>d</p>", "a"),
        ("<p aria-hidden='false' style='color: red'>a</p><i class='x MJX_Assistive_MathML'>b</i>", "a"),
        ("<header><p>Site</p></header>a<header><h1>b</h1></header><div role='banner'>c</div>d", "a|b|d"),
        # The smallest part that has most of the words is the article.
        (f"<p>around</p><article><p>{_WORDS}</p></article>", _WORDS.strip()),
        (f"<article><p>aside</p></article><p>{_WORDS}</p>", f"aside|{_WORDS.strip()}"),
        (f"<main><p>around</p><article><p>{_WORDS}</p></article></main>", _WORDS.strip()),
        ("<p>10<sup>9</sup>/l fever<sup>1,2</sup> or<sup><a href='#r'>3</a></sup> so", "10^9/l fever or so"),
        ("<p>y<sup><a href='#r1'>3</a>abc</sup> w<sup><a href='#f'>a</a></sup></p>", "y3abc wa"),
        ("<p>10<sup><a href='#r1'>3</a></sup>/l, 10<sup><a href='other'>3</a></sup>/l</p>", "10/l, 10^3/l"),
        ("<pre>\nNa  140\n\nK 4.1 \n</pre>b", "Na 140\nK 4.1|b"),
        ("<table><tr><td>a <table><tr><td>b</td><td>2</td></tr></table></td></tr></table>", "a|b | 2"),
        ("<table><tr><td></td></tr></table><table><caption>C <b>d</b></caption><tr><td>1<sup>9", "C d|1^9"),
    ],
)  # fmt: skip
def test_what_stands_on_a_page_is_told_from_what_stands_around_or_is_hidden(body: str, text: str) -> None:
    assert read(body).document.text.replace("\n\n", "|") == text


@pytest.mark.parametrize(
    ("body", "paths", "title"),
    [
        ("<h1>T</h1>a<h1>U</h1>b", [(), ("U",)], "T"),
        ("<table><tr><td><h2>Laid out</h2><p>a</p></td></tr></table>", [("Laid out",)], "p"),
        (f"<h2>{_LONG}</h2>a<h2>{_LONG}x</h2>b<h2> </h2>c", [(_LONG,)], "p"),
        ("<h3>A</h3>a<h2>B</h2>b<h3>C</h3>c<h3>D</h3>d", [("A",), ("B",), ("B", "C"), ("B", "D")], "p"),
        (
            "<h2>Abstract</h2><h3>Background</h3>a<h3>Results</h3>b<h3>1. Introduction</h3><h3>Results</h3>d",
            [
                ("Abstract",),
                ("Abstract", "Background"),
                ("Abstract", "Results"),
                ("1. Introduction",),
                ("Results",),
            ],
            "p",
        ),
        # An abstract's own headings, met again, are the report's.
        (
            "<h2>Summary</h2><h3>Methods</h3>a<h3>Results</h3>b<h3>Methods</h3>c<h3>Results</h3>d",
            [("Summary",), ("Summary", "Methods"), ("Summary", "Results"), ("Methods",), ("Results",)],
            "p",
        ),
    ],
)
def test_headings_stand_below_those_of_a_higher_rank_and_an_abstract_ends(
    body: str, paths: list[tuple[str, ...]], title: str
) -> None:
    document = read(body).document
    assert ([one.path for one in document.sections], document.title) == (paths, title)


def test_a_page_is_named_by_what_it_says_of_itself_before_what_it_shows() -> None:
    own = "<meta name='Citation_Title' content=' C  d '><meta name='citation_title' content='E'>"
    known = (
        "<meta name='citation_doi' content='doi:10.1/x'><meta name='citation_pmid' content='12'>"
        "<meta name='citation_journal_title' content='J'><meta name='keywords'>"
    )
    shared = "<meta property='og:title' content='O'><title>T</title>"
    titles = [read(body, head).document.title for head in (own + shared, shared, "<title>T</title>", "")
              for body in ("<h1>H</h1>a", "a")]  # fmt: skip
    assert titles == ["C d", "C d", "H", "O", "H", "T", "H", "p"]
    document = read("a", known).document
    assert (document.identifiers, document.metadata) == ({"doi": "10.1/x", "pmid": "12"}, {"journal": "J"})
    assert read("a", shared).document.identifiers == read("a", shared).document.metadata == {}


def test_notes_say_what_was_left_out_and_that_no_heading_was_found() -> None:
    none, around = (
        "No headings were recognised: the report is one section.",
        "Menus, margins and whatever else",
    )
    assert read("<h2>A</h2>a").notes == ()
    assert read("a").notes == (none,)
    assert read("x<main><h2>A</h2>a</main>").notes == (f"{around} stands around the article are left out.",)
    cited = read("<h2>A</h2>a<sup><a href='#r'>1</a></sup> b<sup>2</sup>").notes
    assert cited == ("2 raised citation numbers left out.",)
