"""What an import leaves out, and the reason it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.formats.filters import ImportFilter, is_case_report, read_terms
from extractors.model.document import Document
from extractors.model.errors import FormatError


def document(title: str = "", text: str = "", **metadata: str) -> Document:
    return Document(title, text, (), {}, metadata)


@pytest.mark.parametrize(
    "known",
    [
        document(article_type="case-report"),
        document(subjects="Pediatrics; Case Report"),
        document("Fever in a child: a case report"),
        document("Relato de caso: febre"),
        document(article_type="Case-Report"),
        document("Fever: a case report", article_type="letter"),
    ],
)
def test_type_subject_or_title_make_a_case_report(known: Document) -> None:
    assert is_case_report(known)
    assert ImportFilter(only_case_reports=True).reason(known) is None


def test_anything_else_is_left_out_with_its_type() -> None:
    keep = ImportFilter(only_case_reports=True)
    assert "research-article" in (
        keep.reason(document("Cascade of care", article_type="research-article")) or ""
    )
    assert "Nothing says" in (keep.reason(document("Suitcase")) or "")


@pytest.mark.parametrize(
    "title",
    [
        "Laparoscopic repair of a hernia",
        "Case report: efficacy of a new drug",
        "Reconstruction after resection",
        "Erratum",
    ],
)
def test_titles_of_procedures_are_left_out_by_the_rule_named(title: str) -> None:
    assert "title rule" in (ImportFilter(exclude_titles=True).reason(document(title)) or "")


@pytest.mark.parametrize(
    "title",
    [
        "Ileus after transplantation",
        "Graft-versus-host disease of the skin",
        "Drug-induced lupus: effect of a late treatment",
        "A patient with biotinidase deficiency",
        "Misuse of salt",
    ],
)
def test_titles_of_conditions_stay(title: str) -> None:
    assert ImportFilter(exclude_titles=True).reason(document(title)) is None


@pytest.mark.parametrize("text", ["She has Fabry disease.", "FABRY\ndisease", "Fabry-disease"])
def test_a_term_counts_in_any_case_and_spacing(text: str) -> None:
    assert ImportFilter(terms=("Fabry disease",)).reason(document(text=text)) is None


def test_a_term_in_the_title_counts_as_well() -> None:
    assert ImportFilter(terms=("PKU",)).reason(document("PKU in adults", "Nothing.")) is None


@pytest.mark.parametrize("text", ["Nothing.", "PKUs", "aPKU"])
def test_a_term_counts_only_as_a_whole_word(text: str) -> None:
    assert "terms" in (ImportFilter(terms=("PKU", "Fabry disease")).reason(document(text=text)) or "")


def test_a_disease_list_has_one_term_a_line(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("# list\nFabry  disease\n\nPKU\nPKU\n", encoding="utf-8")
    assert read_terms(path) == ("Fabry disease", "PKU")


def test_an_empty_or_missing_disease_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(FormatError, match="no term"):
        read_terms(path)
    with pytest.raises(FormatError, match=r"cannot be read \("):
        read_terms(tmp_path / "none.txt")
    path.write_bytes(bytes(range(256)))
    with pytest.raises(FormatError, match=r"terms\.txt cannot be read: .*\.$"):
        read_terms(path)
