"""Citation markers leave, and the sentence stays one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.jats.citations import REMOVED, drop_citations, fence


def fenced(text: str) -> str:
    """`<x>` stands for a marker of the text x, `<>` for one that was raised."""
    return re.sub(r"<([^>]*)>", lambda match: fence(match[1]), text)


@pytest.mark.parametrize(
    ("given_text", "wanted"),
    [
        ("shown before (<1>, <2>).", "shown before."),
        ("shown before [<1>) and so on", "shown before [) and so on"),
        ("as it is in <[1]>", "as it is in"),
        ("shown [<1>–<3>] that", "shown that"),
        ("shown [<1>, 2] that", "shown that"),
        ("shown <1> and <2>.", "shown."),
        ("foo <[1]>, <[2]>.", "foo."),
        ("foo, <[12]>, bar", "foo, bar"),
        ("foo ([<3>]).", "foo."),
        ("word<>next", "word next"),
        ("word,<> next", "word, next"),
        ("word.<><> Next", "word. Next"),
        ("“quote”<> and", "“quote” and"),
        ("known (<Smith, 2010>; <Jones, 2011>).", "known."),
        ("<Smith et al. (2010)> found", "Smith et al. (2010) found"),
        ("Smith et al. (<2010>) found", "Smith et al. found"),
        ("(see <Smith, 2010>)", "(see Smith, 2010)"),
        ("see ref. <12>.", "see ref. 12."),
        ("(Figure 2; <12>)", "(Figure 2)"),
        ("(<12>, Figure 2)", "(Figure 2)"),
        ("(2010, <2011>, 2012)", "(2010, 2011, 2012)"),
        ("(5 patients <>) and", "(5 patients) and"),
        ("[<1>]. [<2>] A", ". A"),
    ],
)
def test_markers_go_with_their_brackets_and_signs(given_text: str, wanted: str) -> None:
    assert drop_citations(fenced(given_text)).strip() == wanted


@given(st.lists(st.from_regex(r"[A-Za-z]{1,8}[.,;]?", fullmatch=True), min_size=2, max_size=8))
def test_raised_markers_between_words_never_take_or_glue_words(words: list[str]) -> None:
    text = drop_citations(f"{REMOVED} ".join(words))
    assert re.findall(r"\w+", text) == re.findall(r"\w+", " ".join(words))


@given(st.text("ab <>[]().,;12–", max_size=30))
def test_any_mixture_of_signs_and_markers_loses_no_letter(text: str) -> None:
    marked = text.replace("<", REMOVED).replace(">", fence("7"))
    assert re.sub(r"[^ab]", "", drop_citations(marked)) == re.sub(r"[^ab]", "", text)
