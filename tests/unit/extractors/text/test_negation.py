"""What a negation reaches, term by term."""

from __future__ import annotations

import pytest

from extractors.text.negation import negating
from extractors.text.terms import read_terms
from extractors.text.tokens import tokenise
from extractors.text.words import load_words


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("No fever, cough, chills or pain", "no fever cough chills pain"),
        # Where no "and" or "or" follows, or only in the next sentence, the list may have ended.
        ("No fever, cough, chills", "no fever"),
        ("No fever, cough. Or chills", "no fever"),
        # Nor does it go on over a full stop, or a word such as "but".
        ("He said no. Fever rose", "he said no"),
        ("Fever without cough but chills", "without cough but"),
        # Behind a list a denial looks back.
        ("Fever, cough and chills were not seen", "fever cough and chills were not seen"),
        ("Absent fever, with cough", "absent fever"),
        ("Fever was absent, no cough", "fever was absent no cough"),
    ],
)
def test_a_list_is_denied_as_far_as_it_goes_on(text: str, denied: str) -> None:
    words = load_words()
    terms = read_terms(tokenise(text), words)
    found = [one for place, one in enumerate(terms.words) if negating(terms, place, words) is not None]
    assert found == denied.split()
