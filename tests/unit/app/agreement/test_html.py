"""The page stands alone, escapes what reports say, and has words for every case."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from app.agreement.compare import compare
from app.agreement.output.html import safe_colour, to_html
from app.agreement.types import Item, ReportPair

NAMES = {"Neuro": "Neurology & cognition", "GI": "Gastrointestinal"}
COLOURS = {"Neuro": "#336699", "GI": "red; } body { display: none"}
EVIL = '<script>alert("x")</script>'
VOID = {"meta", "rect", "line", "path", "br"}


def page(reports: list[ReportPair], left: str = "rules", dark: dict[str, str] | None = None) -> str:
    paper, strict = (
        compare(reports, tuple(NAMES), left, "gold", profile, resamples=50) for profile in ("paper", "strict")
    )
    return to_html(paper, strict, NAMES, COLOURS, dark)


def report(key: str, left: tuple[Item, ...], right: tuple[Item, ...], title: str = "T") -> ReportPair:
    return ReportPair(key, title, {"Neuro": left, "GI": ()}, {"Neuro": right, "GI": ()})


APART = [report(str(n), (Item("ataxia", 0, 6),), (Item("no seizures", 9, 20, "negated"),)) for n in range(12)]
CASES = {
    "apart": APART,
    "one report": APART[:1],
    "nothing in common": [report("1", (Item("ataxia", 0, 6),), ())],
    "all empty": [report(str(n), (), ()) for n in range(6)],
    "no reports": [],
    "no places": [report("1", (Item("ataxia"),), (Item("ataxia"),))],
}


class Balance(HTMLParser):
    """Collects tags that are closed out of order or never."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


@pytest.mark.parametrize("case", CASES)
def test_the_page_needs_nothing_from_outside_and_is_well_formed(case: str) -> None:
    text = page(CASES[case])
    assert not re.search(r"https?:|url\(|@import|<script|<link|src=|javascript:", text)
    balance = Balance()
    balance.feed(text)
    assert (balance.faults, balance.open) == ([], [])


@pytest.mark.parametrize("case", CASES)
def test_no_case_shows_a_programs_word_for_nothing(case: str) -> None:
    shown = re.sub(r"<style>.*?</style>", "", page(CASES[case]), flags=re.DOTALL)
    assert not re.search(r"\b(None|nan|NaN|inf|Undefined\()\b", shown)


def test_what_reports_and_annotators_say_is_escaped() -> None:
    evil = report(EVIL, (Item(EVIL),), (Item('"><b>'),), title=EVIL)
    text = page([evil], left=EVIL)
    assert EVIL not in text
    assert '"><b>' not in text
    assert "&lt;script&gt;" in text


def test_a_colour_that_is_none_does_not_reach_the_style_sheet() -> None:
    text = page(APART)
    assert "--c0: #336699" in text
    assert "display: none" not in text
    assert [safe_colour(one) for one in ("#A1b2C3", "#a1b2c3;", "#a1b2c", "")] == [
        "#A1b2C3",
        *["#767676"] * 3,
    ]


def test_both_sides_of_the_worst_cells_are_quoted_with_polarity_and_place() -> None:
    text = page([report("PMC7", (Item("ataxia"),), (Item("no seizures", 9, 20, "negated"),))])
    assert "PMC7" in text
    assert "ataxia" in text
    assert "(no place in the text)" in text
    assert '<span class="negated">no seizures</span>' in text


def test_the_lowest_agreement_stands_first_and_of_many_quotes_the_first_ones() -> None:
    many = tuple(Item(f"w{n}", n, n + 1) for n in range(10))
    reports = [
        report("same", many[:1], many[:1]),
        report("one", many[:1], many[1:2]),
        report("none", (), ()),
        report("more", many[:1], many[1:]),
        report("half", many[:2], many[1:3]),
    ]
    text = page(reports, dark={"Neuro": "#ffeedd"})
    table = text[text.index("<caption>All reports, lowest agreement first") :]
    listed = re.findall(r'<th scope="row">(\w+)</th>', table[: table.index("</table>")])
    assert listed == ["more", "one", "half", "same"]
    assert re.findall(r'<span class="quiet">in (\w+), T</span>', text) == ["more", "one", "half"]
    assert "w8" in text
    assert "w9" not in text
    assert re.findall(r"and (\d+) more", text) == ["1"]
    assert "--c0: #ffeedd" in text
    assert "1\u202f/\u202f9" in text
    both = [ReportPair("1", "T", {"Neuro": (), "GI": many[:1]}, {"Neuro": (), "GI": ()})]
    assert 'style="background: var(--c1)"></i>Gastrointestinal <' in page(both)
    few = page([report(str(n), many[: n % 3], many[:2]) for n in range(12)])
    assert "<caption>The 10 reports with the lowest agreement" in few


def test_an_undefined_score_is_a_dash_with_its_reason() -> None:
    text = page(APART)
    assert "–<sup>" in text
    assert "Neither rules nor gold found anything in any report." in text


def test_tables_and_pictures_can_be_read_aloud() -> None:
    text = page(APART)
    assert text.count("<table>") == text.count("<caption>") == 4
    pictures = re.findall(r"<svg[^>]*>\s*<title[^>]*>[^<]+</title>\s*<desc[^>]*>[^<]+</desc>", text)
    assert len(pictures) == text.count("<svg") == 4
    assert not re.search(r"<th(?![^>]*scope=)[ >]", text)


def test_empty_states_say_what_to_do_or_that_all_is_well() -> None:
    assert "There is nothing to compare yet" in page([])
    same = (Item("ataxia", 0, 6),)
    assert "wherever one side found something, the other found the same" in page([report("1", same, same)])
