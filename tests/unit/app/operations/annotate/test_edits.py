"""What acts by hand make of spans and findings."""

from dataclasses import replace

from app.operations.annotate.edits import coded, relabelled
from app.store.annotate.annotations import Annotation
from extractors.model.coding import Coding
from extractors.model.finding import Finding
from extractors.model.scheme import default_scheme


def test_a_field_goes_with_a_category_that_has_none_of_the_name() -> None:
    scheme = default_scheme()
    fields = {one: set(scheme.category(one).fields) for one in scheme.ids}
    shared, alone = fields["CVS"] & fields["RESP"], fields["CVS"] - fields["RESP"]
    for field in (*shared, *alone):
        finding = Finding("CVS", "words", 0, 5, field)
        after = relabelled(finding, "RESP", scheme)
        assert (after.category, after.field) == ("RESP", field if field in shared else "")
    assert shared
    assert alone


def test_a_code_takes_the_place_of_all_others_of_its_terminology_or_stands_beside_them() -> None:
    fever, rash, other = (
        Coding(terminology, "1", code, code, "", "human")
        for terminology, code in (("HPO", "HP:1"), ("HPO", "HP:2"), ("ICD11", "A"))
    )

    def span(*concepts: Coding) -> Annotation:
        finding = Finding("CVS", "words", 0, 5)
        return Annotation(
            "u", "d", "a", finding, "words", "human", 0, "", None, (), None, "", concepts=concepts
        )

    assert coded(span(fever, rash, other), fever).concepts == (other, fever)
    assert coded(span(fever, other), rash).concepts == (other, rash)
    assert coded(span(fever, other), rash, beside=True).concepts == (fever, other, rash)
    newer = replace(fever, release="2")
    assert coded(span(fever, rash), newer, beside=True).concepts == (rash, newer)
    same = span(fever, rash)
    assert coded(same, rash, beside=True) is same
    assert coded(span(fever), fever).concepts == (fever,)
