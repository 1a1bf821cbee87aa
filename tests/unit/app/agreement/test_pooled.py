"""All cells at once: shared quotes and words, and cells in which one side alone has something."""

from __future__ import annotations

import pytest

from app.agreement.compare import compare
from app.agreement.output.tables import to_json, to_table
from app.agreement.pooled import sizes_table
from app.agreement.types import Item, ReportPair


def items(*quotes: str) -> tuple[Item, ...]:
    return tuple(Item(quote) for quote in quotes)


REPORTS = [
    ReportPair(
        "1",
        "",
        {"GI": items("Diarrhoea.", "diarrhoea", "diarrhoea"), "GU": (), "CVS": items("murmur")},
        {"GI": items("diarrhoea", "abc"), "GU": items("dark urine"), "CVS": ()},
    ),
    ReportPair("2", "", {"GI": (), "GU": (), "CVS": ()}, {"GI": (), "GU": (), "CVS": ()}),
]
CATEGORIES = ("GI", "GU", "CVS")
AGREEMENT = compare(REPORTS, CATEGORIES, "a", "b", "paper", resamples=0)


def test_pooled_scores_count_every_quote_and_word_of_every_cell_once() -> None:
    pooled = to_json(AGREEMENT)["pooled"]
    # Left has two different quotes beside "murmur", right two beside "dark urine"; one pair is equal, and
    # "Diarrhoea." shares one letter in twelve with "abc" (Indel: 2 * 1 / (9 + 3)).
    assert pooled["f1"] == pytest.approx(2 * (1 + 2 / 12) / 6)
    assert pooled["word_f1"] == 2 * 1 / (4 + 4)
    assert (pooled["cells_invented"], pooled["cells_missed"]) == (1, 1)


def test_without_a_quote_there_is_a_reason_in_place_of_a_score() -> None:
    pooled = to_json(compare(REPORTS[1:], ("GI",), "a", "b", "paper", resamples=0))["pooled"]
    assert (pooled["f1"], pooled["word_f1"], pooled["cells_invented"], pooled["cells_missed"]) == (
        None,
        None,
        0,
        0,
    )
    assert {"f1", "word_f1"} <= pooled["reasons"].keys()
    strict = compare(REPORTS[1:], ("GI",), "a", "b", "strict", resamples=0)
    given = to_json(strict)["pooled"]["reasons"]
    assert given["f1"] == strict.pooled.reasons["f1"] != pooled["reasons"]["f1"], "the profile's own"


def test_quotes_words_missed_and_invented_cells_are_told_by_category() -> None:
    sizes = to_json(AGREEMENT)["sizes"]
    none = {"quotes": 0, "words": 0, "median_words": None}
    assert sizes == {
        "GI": {
            "left": {"quotes": 3, "words": 3, "median_words": 1.0},
            "right": {"quotes": 2, "words": 2, "median_words": 1.0},
            "cells_missed": 0,
            "cells_invented": 0,
        },
        "GU": {
            "left": none,
            "right": {"quotes": 1, "words": 2, "median_words": 2.0},
            "cells_missed": 1,
            "cells_invented": 0,
        },
        "CVS": {
            "left": {"quotes": 1, "words": 1, "median_words": 1.0},
            "right": none,
            "cells_missed": 0,
            "cells_invented": 1,
        },
    }
    assert "Quotes and words by category" in to_table(AGREEMENT)
    assert sizes_table(AGREEMENT, {"GI": "Gut"}).rows == (
        ("Gut", 3, 3, 1.0, 2, 2, 1.0, 0, 0),
        ("GU", 0, 0, None, 1, 2, 2.0, 1, 0),
        ("CVS", 1, 1, 1.0, 0, 0, None, 0, 1),
    )


def test_the_median_of_words_is_that_of_the_quotes_and_not_their_mean() -> None:
    left = items("one", "one two", "a b c d e f g h i")
    (row,) = sizes_table(
        compare([ReportPair("1", "", {"GI": left}, {"GI": ()})], ("GI",), "a", "b", "paper", resamples=0)
    ).rows
    assert row == ("GI", 3, 12, 2.0, 0, 0, None, 0, 1)


def test_a_measure_that_the_profile_has_keeps_its_own_pooled_score() -> None:
    strict = compare(REPORTS, CATEGORIES, "a", "b", "strict", resamples=0)
    pooled = to_json(strict)["pooled"]
    assert pooled["f1"] == strict.pooled.scores["f1"]
    assert pooled["f1"] != to_json(AGREEMENT)["pooled"]["f1"]
    assert pooled["word_f1"] == to_json(AGREEMENT)["pooled"]["word_f1"]
