"""What studies let one choose."""

from __future__ import annotations

from app.studies import studies


def test_choices_that_the_window_names_are_all_named() -> None:
    options = [(study.id, one) for study in studies() for one in study.options]
    assert [(name, one.name) for name, one in options if len(one.words) not in (0, len(one.choices))] == []
    assert any(one.words for _, one in options)
