"""What acts by hand make of a finding."""

from app.operations.annotate.edits import relabelled
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
