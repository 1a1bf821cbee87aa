"""The page stands alone, escapes what reports say, and has words for every case."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from app.agreement.compare import compare
from app.agreement.output.html import to_html
from app.agreement.types import Item, ReportPair

NAMES = {"Neuro": "Neurology & cognition", "GI": "Gastrointestinal"}
COLOURS = {"Neuro": "#336699", "GI": "red; } body { display: none"}
EVIL = '<script>alert("x")</script>'
VOID = {"meta", "rect", "line", "path", "br"}


def page(reports: list[ReportPair], left: str = "rules") -> str:
    paper, strict = (
        compare(reports, tuple(NAMES), left, "gold", profile, resamples=50) for profile in ("paper", "strict")
    )
    return to_html(paper, strict, NAMES, COLOURS)


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


def test_both_sides_of_the_worst_cells_are_quoted_with_polarity_and_place() -> None:
    text = page([report("PMC7", (Item("ataxia"),), (Item("no seizures", 9, 20, "negated"),))])
    assert "PMC7" in text
    assert "ataxia" in text
    assert "(no place in the text)" in text
    assert '<span class="negated">no seizures</span>' in text


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
