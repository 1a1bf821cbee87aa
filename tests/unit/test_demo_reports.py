"""The bundled sample reports: readable, fully placed, and rich enough to show every category."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.agreement.compare import compare
from app.agreement.output.tables import to_json
from app.agreement.types import Item, ReportPair
from app.formats import read
from app.formats.record import Imported
from extractors.assets import asset
from extractors.grounding import Grounder
from extractors.model.document import Document
from extractors.model.scheme import default_scheme
from extractors.rules import RulesExtractor

ANNOTATORS = ("annotator-1", "annotator-2", "gold")
CATEGORIES = default_scheme().ids
Quotes = dict[str, dict[str, list[str]]]


def load_quotes(annotator: str) -> Quotes:
    """Quotes by report key and category."""
    entries = json.loads(asset("resources", "demo", "annotations", f"{annotator}.json").read_text("utf-8"))
    return {entry["pmcid"]: {key: entry[key] for key in CATEGORIES} for entry in entries}


def report_key(path: Path) -> str:
    return path.stem.removeprefix("PMC")


def report_files() -> list[Path]:
    return sorted(asset("resources", "demo", "reports").iterdir())


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    found: dict[str, Document] = {}
    for path in report_files():
        for item in read(path):
            assert isinstance(item, Imported), f"{path.name} was left out: {item.reason}"
            found[report_key(path)] = item.document
    return found


def one_sided_cells() -> Iterator[tuple[str, str]]:
    """Report and category where exactly one of the two annotators found something."""
    left, right = load_quotes("annotator-1"), load_quotes("annotator-2")
    for key, quotes in left.items():
        for category in CATEGORIES:
            if bool(quotes[category]) != bool(right[key][category]):
                yield key, category


def test_there_are_ten_reports_and_each_is_read(documents: dict[str, Document]) -> None:
    assert len(documents) == 10
    for document in documents.values():
        assert document.title
        assert any(section.role == "case" for section in document.sections)


def test_jats_samples_carry_their_own_number(documents: dict[str, Document]) -> None:
    numbered = {key for key, document in documents.items() if document.identifiers.get("pmcid") == key}
    assert {report_key(path) for path in report_files() if path.suffix == ".xml"} <= numbered


@pytest.mark.parametrize("path", report_files(), ids=lambda path: path.name)
def test_each_sample_says_that_it_is_invented(path: Path) -> None:
    assert "invented" in path.read_text(encoding="utf-8")[:600]


@pytest.mark.parametrize("annotator", ANNOTATORS)
def test_each_annotator_looked_at_every_category_of_every_report(annotator: str) -> None:
    assert set(load_quotes(annotator)) == {report_key(path) for path in report_files()}


@pytest.mark.parametrize("annotator", ANNOTATORS)
def test_every_quote_has_its_place_in_the_report(annotator: str, documents: dict[str, Document]) -> None:
    for key, by_category in load_quotes(annotator).items():
        document = documents[key]
        grounder = Grounder(document.text, document.sections)
        for category, quotes in by_category.items():
            for quote, place in zip(quotes, grounder.ground_all(quotes), strict=True):
                assert place.status in ("exact", "normalised"), (key, category, quote, place.reason)


@pytest.mark.parametrize("annotator", ANNOTATORS)
def test_nothing_is_annotated_in_background_or_references(
    annotator: str, documents: dict[str, Document]
) -> None:
    for key, by_category in load_quotes(annotator).items():
        document = documents[key]
        grounder = Grounder(document.text, document.sections)
        for quote in (quote for quotes in by_category.values() for quote in quotes):
            start = grounder.ground(quote).start
            assert start is not None
            section = next(one for one in document.sections if one.start <= start < one.end)
            headings = {heading.lower() for heading in section.path}
            assert not headings & {"introduction", "discussion", "references", "comment"}, (key, quote)


@pytest.mark.parametrize("category", CATEGORIES)
def test_gold_shows_every_category_in_three_reports_or_more(category: str) -> None:
    assert sum(bool(quotes[category]) for quotes in load_quotes("gold").values()) >= 3


def test_annotators_differ_in_every_report() -> None:
    left, right = load_quotes("annotator-1"), load_quotes("annotator-2")
    assert [key for key in left if left[key] == right[key]] == []


def test_there_is_enough_to_reconcile_but_not_everything() -> None:
    assert 10 <= len(list(one_sided_cells())) <= 20


def test_the_readme_tells_how_near_the_rules_come_to_gold(documents: dict[str, Document]) -> None:
    rules, gold = RulesExtractor(default_scheme()), load_quotes("gold")
    pairs = []
    for key, document in documents.items():
        found: dict[str, list[Item]] = {category: [] for category in CATEGORIES}
        for one in rules.extract(document):
            found[one.category].append(Item(one.quote))
        left = {category: tuple(items) for category, items in found.items()}
        right = {category: tuple(map(Item, gold[key][category])) for category in CATEGORIES}
        pairs.append(ReportPair(key, "", left, right))
    told = to_json(compare(pairs, CATEGORIES, "rules", "gold", "paper", resamples=0))
    pooled, average = told["pooled"], told["average"]
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text("utf-8").split())
    cells = f"{pooled['cells_invented']} cells invented, {pooled['cells_missed']} missed"
    paper = f"token set ratio {average['tsr']:.1f}, Levenshtein {average['levenshtein']:.2f}"
    assert (
        f"one-to-one F1 {pooled['f1']:.2f}, word F1 {pooled['word_f1']:.2f}, {cells}; in the paper's profile "
        f"{paper}, exact match {average['exact_match']:.2f}"
    ) in readme
