"""What files of reports are called in a folder."""

from __future__ import annotations

from app.formats.writing import file_names


def test_no_two_reports_have_a_file_of_one_name_also_where_capitals_are_not_told_apart() -> None:
    keys = ["PMC1", "a/b", "A_B", "a b", "..", "", "a_b-2", "Straße"]
    assert [*file_names(keys)] == ["PMC1", "a_b", "A_B-2", "a_b-3", "report", "report-2", "a_b-2-2", "Straße"]


def test_no_report_is_written_to_a_device_of_windows() -> None:
    keys = ["CON", "nul.x", "lpt1", "com¹", "con-1", "console", "x.aux"]
    assert [*file_names(keys)] == ["_CON", "_nul.x", "_lpt1", "_com¹", "con-1", "console", "x.aux"]
