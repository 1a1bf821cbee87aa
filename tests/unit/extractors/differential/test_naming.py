"""A diagnosis in words is recognised by code, name, abbreviation, spelling, family; no sibling type is."""

from __future__ import annotations

import pytest

from extractors.differential.knowledge import shipped_ranker
from extractors.differential.naming import Naming

_NAMING = Naming(shipped_ranker().diseases)


@pytest.mark.parametrize(
    ("text", "code", "by"),
    [
        ("OMIM 154700", "OMIM:154700", "code"),
        ("Fits (ORPHA:558)", "OMIM:154700", "code"),
        ("Marfan's syndrome", "OMIM:154700", "name"),
        ("MFS (Marfan syndrome)", "OMIM:154700", "name"),
        ("Marfann Syndrom", "OMIM:154700", "spelling"),
        ("Autosomal recessive deafness type 99", "OMIM:618481", "name"),
        ("Bardet-Biedl syndrome, type II", "OMIM:615981", "name"),
        ("BBS2", "OMIM:615981", "abbreviation"),
        ("Bardet-Biedl syndrome", "OMIM:615981", "family"),
        ("Bardet-Biedl syndrome 3", "OMIM:615981", None),
        ("Bardet-Biedle syndrome 3", "OMIM:615981", None),
        ("BBS3", "OMIM:615981", None),
        ("Neonatal Marfan syndrome", "OMIM:154700", None),
        ("OMIM:600151", "OMIM:615981", None),
        ("No", "OMIM:615981", None),
        ("", "OMIM:615981", None),
    ],
)
def test_a_name_stands_for_its_disease_and_for_no_sibling(text: str, code: str, by: str | None) -> None:
    wanted = [_NAMING.diseases.numbers[code]]
    found = _NAMING.match(text, wanted)
    assert (found and found.by) == by
    assert found is None or found.disease in wanted
