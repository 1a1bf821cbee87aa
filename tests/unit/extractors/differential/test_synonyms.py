"""Names of another ontology go to the one disease that they mean, those of a family to all its types."""

from __future__ import annotations

from dataclasses import replace

from extractors.differential.synonyms import synonyms_of
from extractors.terminology.concept import Concept, Name

_DISEASES = {
    ("OMIM:1", "ORPHA:1"): ("Lens disease, type 1",),
    ("OMIM:2",): ("Lens disease, type 2",),
    ("OMIM:3",): ("Brown syndrome", "Blue disease"),
    ("ORPHA:4",): ("Grey disease",),
    ("OMIM:5",): ("Grey disease 1",),
    ("OMIM:6",): ("Green palsy",),
    ("ORPHA:6",): ("Green palsy",),
}


def _named(*concepts: Concept) -> dict[str, list[str]]:
    found = synonyms_of(concepts, [*_DISEASES], [*_DISEASES.values()])
    return {codes[0]: names for codes, names in zip(_DISEASES, found, strict=True) if names}


def _concept(label: str, *names: str, xrefs: tuple[str, ...] = (), kind: str = "exact") -> Concept:
    return Concept(f"DOID:{label}", (Name(label, "label"), *(Name(one, kind) for one in names)), xrefs=xrefs)


def test_a_disease_is_called_what_the_concept_with_its_code_is_called() -> None:
    one = _concept("brown syndrome", "White disease", "Brown's disease", xrefs=("MIM:3", "UMLS:C1"))
    assert _named(one) == {"OMIM:3": ["White disease"]}


def test_a_concept_without_a_known_code_is_the_disease_that_goes_by_its_label() -> None:
    assert _named(_concept("blue syndrome", "White disease", xrefs=("MIM:99",))) == {
        "OMIM:3": ["White disease"]
    }
    # Two entries have this name.
    assert _named(_concept("green palsy", "Olive palsy")) == {}


def test_a_type_and_the_group_of_its_name_share_names() -> None:
    one = _concept("green palsy", "Olive palsy", xrefs=("MIM:6",))
    assert _named(one) == {"OMIM:6": ["Olive palsy"], "ORPHA:6": ["Olive palsy"]}


def test_the_names_of_a_family_go_to_its_group_or_else_to_all_types() -> None:
    group = _concept("grey disease", "Ash disease", "Ash disease 1", xrefs=("MIM:5",))
    assert _named(group) == {"ORPHA:4": ["Ash disease"]}
    types = _concept("lens disease", "Glass disease", "Glass disease 2", xrefs=("ORDO:1",))
    assert _named(types) == {"OMIM:1": ["Glass disease"], "OMIM:2": ["Glass disease"]}


def test_what_leads_elsewhere_or_is_not_exact_is_left_out() -> None:
    for name in ("Grey disease 1", "Lens disease", "Brown syndrome", "12"):
        assert "OMIM:6" not in _named(_concept("Green palsy", name, xrefs=("MIM:6",)))
    assert _named(_concept("Brown syndrome", "Reddish", xrefs=("MIM:3",), kind="related")) == {}
    both = (_concept("a", "Reddish", xrefs=("MIM:3",)), _concept("b", "Reddish", xrefs=("MIM:6",)))
    assert _named(*both) == {"OMIM:3": ["a"], "OMIM:6": ["b"]}


def test_a_concept_out_of_use_names_a_disease_by_its_code_alone() -> None:
    gone = replace(_concept("blue syndrome", "White disease"), obsolete=True)
    assert _named(gone) == {}
    assert _named(replace(gone, xrefs=("MIM:3",))) == {"OMIM:3": ["White disease"]}


def test_a_concept_of_several_types_and_one_group_is_the_group() -> None:
    one = _concept("ash disease", "Dust disease", xrefs=("MIM:2", "MIM:3", "ORDO:4"))
    assert _named(one) == {"ORPHA:4": ["ash disease", "Dust disease"]}
