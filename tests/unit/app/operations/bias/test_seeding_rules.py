"""What a wrong span may be made of."""

from __future__ import annotations

from app.operations.bias.seeding_rules import SourceReport

TEXT = "The roof was red. Snow fell early, snow had closed the road. Snow fell early. All was calm."


def test_spurious_words_stand_once_in_the_text() -> None:
    report = SourceReport("", TEXT, (), (), (), frozenset())
    shown = {TEXT[start:end] for start, end in report.fragments}
    assert {"The roof was red", "snow had closed the road", "All was calm."} <= shown
    assert "Snow fell early" not in shown
    assert "Snow fell early." in shown
    assert all(TEXT.count(one) == 1 for one in shown)
