"""What tells history, by the cues of a sentence, its heading and what was told before."""

from __future__ import annotations

import pytest

from extractors.rules.histories import history_field, is_history, story
from extractors.rules.lexicon import BIT, CUE


def _cues(words: str) -> int:
    return sum(CUE[word] for word in words.split())


# Cues, categories that the words open, whether it is history before an examination and after one.
_TOLD = (
    ("", "", False, False),
    ("own", "", True, True),
    ("past surgical", "", True, True),
    ("family treatment", "", True, True),
    ("relative negated", "Neuro", True, True),
    ("social", "", True, True),
    ("social institution", "", False, False),
    ("social institution past", "", True, True),
    ("surgical", "", False, False),
    ("surgical present", "", False, False),
    ("treatment present", "", False, False),
    ("treatment result present", "", True, True),
    ("genetics", "", False, False),
    ("genetics", "Lab_Image", True, True),
    ("genetics negated", "Lab_Image", False, False),
    ("genetics negated present", "Lab_Image", False, False),
    ("moved", "", True, False),
    ("moved sign", "", True, True),
    ("moved", "Neuro", True, True),
    ("moved", "Lab_Image", True, False),
    ("present", "Lab_Image", True, True),
    ("course", "", True, False),
    ("course", "Neuro", True, False),
    ("course", "Lab_Image", False, False),
    ("examination finite", "Neuro", False, False),
)


@pytest.mark.parametrize(("words", "category", "before", "behind"), _TOLD)
def test_a_sentence_is_history_by_its_cues_its_heading_and_what_was_told_before(
    words: str, category: str, before: bool, behind: bool
) -> None:
    cues, strong = _cues(words), BIT[category] if category else 0
    assert [is_history(cues, strong, False, examined) for examined in (False, True)] == [before, behind]
    assert is_history(cues, strong, True, True)


@pytest.mark.parametrize(
    ("words", "field", "told"),
    [
        ("", "present illness", "illness"),
        ("family past surgical", "family and genetics", "family"),
        ("relative social", "family and genetics", "family"),
        ("past surgical", "past surgical", "illness"),
        ("past own social", "past medical", "illness"),
        ("own social", "chief complaint", "illness"),
        ("social present", "social", "social"),
        ("course genetics", "present illness", "illness"),
        ("genetics", "family and genetics", "family"),
    ],
)
def test_the_field_of_a_history_is_that_of_its_most_telling_cue(words: str, field: str, told: str) -> None:
    found = history_field(_cues(words))
    assert (found, story(found)) == (field, told)
