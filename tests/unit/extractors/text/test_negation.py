"""What a negation reaches, term by term."""

from __future__ import annotations

import pytest

from extractors.text.negation import doubled, negating
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
        # A word such as "had" ends none right behind the denial itself, nor does a number.
        ("He had not had fever or rash", "not had fever or rash"),
        ("No 3 attacks of fever", "no 3 attacks of fever"),
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


@pytest.mark.parametrize(
    ("text", "undone"),
    [
        ("A tumour was not excluded", True),
        ("There was no lack of sleep", True),
        ("He had no fever. Absent cough", False),
        ("Did he sleep? No, not then", False),
    ],
)
def test_two_denials_undo_each_other_where_nothing_stands_between_them(text: str, undone: bool) -> None:
    terms = read_terms(tokenise(text), load_words())
    assert doubled(terms, 0, len(terms)) == undone
