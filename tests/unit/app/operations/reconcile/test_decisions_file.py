"""Decisions as a file has them."""

from __future__ import annotations

import pytest

from app.operations.reconcile.decisions import EditedSpan, Resolution
from app.operations.reconcile.decisions_file import read_resolutions
from extractors.model.errors import FormatError

WHOLE = (
    '{"id": "a", "take": "edited", "reason": "slip", "note": "n", "clause": "c", "confidence": 0.5, '
    '"seconds": 3, "spans": [{"start": 1, "end": 2, "category": "GI", "polarity": "negated", "field": "f"}, '
    '{"start": 3, "end": 4, "category": "CVS"}]}'
)
SPANS = (EditedSpan(1, 2, "GI", "negated", "f"), EditedSpan(3, 4, "CVS", "present", ""))
SHORT = '{"id": "b", "take": "ask", "note": null, "confidence": null}'


@pytest.mark.parametrize("text", [f"{WHOLE}\n\n{SHORT}\n", f"[{WHOLE},\n{SHORT}]"], ids=["lines", "list"])
def test_a_list_or_lines_say_the_same_and_what_is_left_out_is_nothing(text: str) -> None:
    assert read_resolutions(text) == [
        (["a"], Resolution("edited", "slip", "n", "c", 0.5, SPANS, 3.0)),
        (["b"], Resolution("ask")),
    ]


@pytest.mark.parametrize("text", [WHOLE, SHORT])
def test_one_decision_needs_no_list(text: str) -> None:
    assert len(read_resolutions(text)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "JSON"),
        ('{"id": "", "take": "left"}', '"id" must be a text'),
        ('{"id": "x", "take": "left", "confidence": true}', '"confidence" must be a number'),
        ('{"id": "x", "take": "left", "note": 1}', '"note" must be a text'),
        ('{"id": "x", "take": "left", "spans": {}}', '"spans" must be a list'),
        ('{"id": "x", "take": "edited", "spans": [{"start": 1, "end": true, "category": "GI"}]}', "whole"),
        ('{"id": "x", "take": "edited", "spans": [{"start": 1, "end": 2}]}', '"category" must be a text'),
    ],
)
def test_what_says_no_decision_is_refused(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_resolutions(text)
