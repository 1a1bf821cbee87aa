"""Paragraphs of a section that speaks of everything get the categories that the rules find in them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from extractors.model.document import Document, Section, SectionRole
from extractors.model.scheme import default_scheme
from extractors.tasks.quotes import Topics, shown_spans, shows_all

SCHEME = default_scheme()
HEAD = "Case presentation\n\n"
HEART = "The electrocardiogram showed atrial fibrillation with a heart murmur and mild hypertension.\n\n"
BOWEL = "She had abdominal pain with nausea, vomiting and chronic diarrhoea for more than three weeks.\n\n"
NOTHING = "It is told here as it was seen on all of those days, one after the other and in order.\n"
TEXT = HEAD + HEART + BOWEL + NOTHING


def report(
    text: str = TEXT, categories: tuple[str, ...] = SCHEME.ids, role: SectionRole = "case"
) -> Document:
    section = Section("Case presentation", ("Case presentation",), 0, len(text), categories, role)
    return Document("A case", text, (section,))


@pytest.fixture(scope="module")
def topics() -> Topics:
    return Topics(SCHEME)


def shown(document: Document, category: str) -> str:
    return "".join(document.text[start:end] for start, end in shown_spans(document, category, "fcsp"))


def test_a_category_is_shown_the_paragraphs_that_speak_of_it_and_those_that_speak_of_nothing(
    topics: Topics,
) -> None:
    inferred = topics.sectioned(report())
    assert inferred.text == TEXT
    assert shown(inferred, "CVS") == HEAD + HEART + NOTHING
    assert BOWEL in shown(inferred, "GI")
    assert HEART not in shown(inferred, "GI")
    assert not shows_all(inferred, SCHEME.ids)
    assert shows_all(report(), SCHEME.ids)


def test_a_category_that_the_rules_do_not_know_is_shown_every_paragraph(topics: Topics) -> None:
    assert shown(topics.sectioned(report()), "LYMPH") == NOTHING
    others, rules = Topics(SCHEME), cast("Any", topics._rules)
    known = [one for one in SCHEME.ids if one != "LYMPH"]
    others._rules = cast("Any", SimpleNamespace(categories=known, extract=rules.extract))
    assert shown(others.sectioned(report()), "LYMPH") == TEXT


def test_the_paragraphs_go_on_tiling_the_report(topics: Topics) -> None:
    sections = topics.sectioned(report()).sections
    assert [one.start for one in sections] == [0, *(one.end for one in sections[:-1])]
    assert sections[-1].end == len(TEXT)
    assert len(sections) == 3


@pytest.mark.parametrize(
    "document",
    [
        report(categories=("CVS", "GI")),
        report(role="excluded"),
        report(text=HEAD + HEART),
        Document("Without sections", TEXT, ()),
    ],
    ids=["a narrow heading", "excluded", "one paragraph", "no sections"],
)
def test_what_is_told_apart_already_or_cannot_be_stays_as_it_is(topics: Topics, document: Document) -> None:
    assert topics.sectioned(document) is document
