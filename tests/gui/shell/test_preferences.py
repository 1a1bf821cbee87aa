"""What is remembered between two starts: read as it was written, else as at the first start."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from app.gui.shell.look.preferences import Preferences


def test_what_is_chosen_is_there_at_the_next_start_and_told_of_at_once(qapp: object, tmp_path: Path) -> None:
    made, told = Preferences(), list[str]()
    made.changed.connect(told.append)
    assert (made.annotator, made.theme, made.text_size, made.interface_size) == ("", "system", 100, 100)
    assert (made.by_characters, made.two_clicks, made.keys, made.recent) == (False, False, {}, [])
    made.annotator = "Dr Ana, R & D"
    made.theme = "high contrast dark"
    made.text_size, made.interface_size = 300, 20
    made.by_characters, made.two_clicks = True, True
    made.keys = {"span.note": "Ctrl+J", "edit.redo": ""}
    made.keep_terminologies({"Neuro": "HPO"})
    made.set_folder("exports", tmp_path)
    made.set_shape("window", QByteArray(b"shape"))
    assert told == [
        "annotator",
        "theme",
        "text_size",
        "interface_size",
        "by_characters",
        "two_clicks",
        "keys",
    ]
    again = Preferences()
    assert (again.annotator, again.theme) == ("Dr Ana, R & D", "high contrast dark")
    assert (again.text_size, again.interface_size) == (250, 80)
    assert (again.by_characters, again.two_clicks) == (True, True)
    assert (again.keys, again.terminologies) == ({"span.note": "Ctrl+J", "edit.redo": ""}, {"Neuro": "HPO"})
    assert (again.folder("exports"), again.folder("imports")) == (tmp_path, None)
    assert (again.shape("window"), again.shape("other")) == (QByteArray(b"shape"), QByteArray())
    again.keys = {"span.note": "Ctrl+K"}
    again.by_characters = False
    assert (made.keys, made.by_characters) == ({"span.note": "Ctrl+K"}, False)


@pytest.mark.parametrize(
    ("written", "size"),
    [("120", 120), ("9999", 250), ("0", 80), ("99999", 100), ("-90", 100), ("٩٠", 100), ("", 100)],
)
def test_what_cannot_be_read_is_as_at_the_first_start(qapp: object, written: str, size: int) -> None:
    made = Preferences()
    for name in ("text_size", "theme"):
        made._settings.setValue(name, written)
    assert (made.text_size, made.interface_size, made.theme) == (size, 100, "system")


def test_eight_projects_are_recent_each_once_with_where_one_was_in_them(qapp: object, tmp_path: Path) -> None:
    made, paths = Preferences(), [tmp_path.resolve() / f"{number}.casespan" for number in range(10)]
    for path in (*paths, paths[4]):
        made.remember(path)
    assert made.recent == [paths[4], *(path for path in reversed(paths[2:]) if path != paths[4])]
    made.remember(tmp_path / "down" / ".." / "9.casespan")
    assert made.recent[:2] == [paths[9], paths[4]]
    first, second = paths[:2]
    made.set_place(first, ["ana", "ben", "50", "worst"])
    made.set_carets(first, {f"R {number}": number for number in range(150)})
    made._settings.setValue(f"carets/{_key(made, first)}", ["7 R 1", "no number", "8", "9 R 2"])
    assert (made.place(first), made.place(second)) == (["ana", "ben", "50", "worst"], [])
    assert (made.carets(first), made.carets(second)) == ({"R 1": 7, "R 2": 9}, {})
    # Of one alone the file has no list.
    made._settings.setValue(f"carets/{_key(made, first)}", "7 R 1")
    assert made.carets(first) == {"R 1": 7}
    made.set_carets(second, {f"R {number}": number for number in range(150)})
    assert made.carets(second) == {f"R {number}": number for number in range(50, 150)}
    assert not any(name in key for key in made._settings.allKeys() for name in ("0.casespan", "1.casespan"))
    made.set_folder("exports", tmp_path)
    made.forget_recent()
    assert (made.recent, made.place(first), made.carets(second)) == ([], [], {})
    assert made.folder("exports") is None


def _key(made: Preferences, project: Path) -> str:
    """Under which name the places in a project's reports are kept."""
    made._settings.beginGroup("carets")
    (name,) = made._settings.childKeys()
    made._settings.endGroup()
    return str(name)
