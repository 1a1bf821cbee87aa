"""What a wrong span may be made of."""

from __future__ import annotations

from app.operations.bias.seeding_rules import SourceReport
from app.operations.project.seeded_errors import overlap

TEXT = "The roof was red. Snow fell early, snow had closed the road. Snow fell early. All was calm."


def test_spurious_words_stand_once_in_the_text() -> None:
    report = SourceReport("", TEXT, (), (), (), frozenset())
    shown = {TEXT[start:end] for start, end in report.fragments}
    assert {"The roof was red", "snow had closed the road", "All was calm."} <= shown
    assert "Snow fell early" not in shown
    assert "Snow fell early." in shown
    assert all(TEXT.count(one) == 1 for one in shown)


def test_stretches_overlap_that_share_a_character() -> None:
    assert overlap((0, 5), (4, 9))
    assert overlap((4, 9), (0, 5))
    assert not overlap((0, 5), (5, 9))
    assert not overlap((5, 9), (0, 5))
