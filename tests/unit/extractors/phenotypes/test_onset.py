"""Onset is read where a sentence says since when, and nowhere else."""

from __future__ import annotations

import pytest

from extractors.phenotypes.onset import onset_of


@pytest.mark.parametrize(
    ("text", "onset"),
    [
        ("She has had seizures since the age of 3 years.", "P3Y"),
        ("He developed ataxia at the age of six months.", "P6M"),
        ("Hearing loss from birth was reported.", "P0D"),
        ("Seizures began at 10 days of age and never stopped.", "P10D"),
        ("At 41 years of age he was seen with seizures.", ""),
        ("Seizures began at the age of 3 years, and ataxia developed at the age of 5 years.", ""),
        ("Seizures were rare, and an aunt had been deaf since the age of 45 years.", ""),
        ("He had no speech, seizures from 8 months, strabismus.", ""),
        ("Absence seizures starting at 3 years.", "P3Y"),
        ("Spasticity; seizures (onset 4 mo); deafness.", "P4M"),
        ("Onset of seizures was at 6 months.", "P6M"),
        ("Onset of seizures was at 6 months before admission.", ""),
        ("Seizures, onset 3 days before admission.", ""),
        ("From the age of nine years, he had severe seizures.", "P9Y"),
        ("Seizures were frequent. Ataxia started at 2 years of age.", ""),
    ],
)
def test_since_when_a_finding_is_there_is_read_off_its_sentence(text: str, onset: str) -> None:
    start = next(at for word in ("eizures", "taxia", "earing") if (at := text.find(word)) >= 0)
    assert onset_of(text, start, start + 5) == onset
