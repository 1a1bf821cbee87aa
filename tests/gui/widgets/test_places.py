"""Places of words with what stands around them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.gui.widgets.lists import WORDS, PlacesTree


def test_one_long_place_does_not_part_all_others_from_what_follows_them(qtbot: QtBot) -> None:
    tree = PlacesTree("Places")
    qtbot.addWidget(tree)
    tree.resize(900, 300)
    group = tree.add_group("A report", "A report")
    for _ in range(9):
        tree.add_place(group, "as listed in", "Table 1", "of the report")
    tree.expandAll()
    with qtbot.waitExposed(tree):
        tree.show()
    usual = tree.sizeHintForColumn(WORDS)
    assert usual > tree.fontMetrics().horizontalAdvance("Table 1")
    tree.add_place(group, "mean of", "Table 1 and further words up to the number 1", ".")
    assert tree.sizeHintForColumn(WORDS) == usual


def test_a_title_too_long_for_its_row_leaves_the_number_behind_it_in_sight(qtbot: QtBot) -> None:
    tree = PlacesTree("Places")
    qtbot.addWidget(tree)
    tree.resize(300, 300)
    title = "A report with a long title " * 9
    group = tree.add_group(title, title)
    with qtbot.waitExposed(tree):
        tree.show()
    seen = []
    for number in (1, 2):
        group.setText(0, f"{title}({number})")
        seen.append(tree.viewport().grab(tree.visualItemRect(group)).toImage())
    assert seen[0] != seen[1]
