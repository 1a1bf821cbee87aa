"""What studies let one choose."""

from __future__ import annotations

from app.studies import studies


def test_choices_that_the_window_names_are_all_named() -> None:
    options = [(study.id, one) for study in studies() for one in study.options]
    assert [(name, one.name) for name, one in options if len(one.words) not in (0, len(one.choices))] == []
    assert any(one.words for _, one in options)
    # Tasks and ways of asking that there are several of are called in words, each otherwise.
    for study in studies():
        for label, values in (("task", study.tasks), ("arm", study.arms)):
            words = {study.called(label, value) for value in values} - set(values)
            assert len(words) == (len(values) if len(values) > 1 else 0), (study.id, label)
