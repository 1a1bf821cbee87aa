"""Two lists to read: how an annotator's work was corrected, and the decisions that hold no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.gui.desk import Desk
from app.gui.dialogs.forms import FormDialog, plain_label, while_alive
from app.gui.panels.guideline_text import day_of
from app.gui.plain import one_line
from app.gui.reconciling.words import chosen_words, kind_in_short, quotes_in_short, reason_words
from app.gui.tips import tip
from app.operations.golding import list_corrections
from app.operations.wording import counted

if TYPE_CHECKING:
    from app.operations.golding import Correction
    from app.operations.reconciling import Queue

_LEAST_HEIGHT = 280


class CorrectionsDialog(FormDialog):
    """One line for each difference that was decided: what the annotator had, what holds, and why."""

    def __init__(self, desk: Desk, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__("Corrections", parent)
        self._desk = desk
        self.annotator = QComboBox()
        self.annotator.setAccessibleName("Whose work")
        for name in names:
            self.annotator.addItem(name)
        if desk.annotator in names:
            self.annotator.setCurrentText(desk.annotator)
        self.about = plain_label("Reading…")
        columns = ["Report", "Category", "Kind", "Had", "Now holds", "Reason", "Note", "Clause", "Decided"]
        self.tree = _made_tree("Corrections", columns, wide=(3, 4, 6, 7))
        for part in (self.annotator, self.about):
            self.body.addWidget(part)
        self.body.addWidget(self.tree, 1)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole)
        self.annotator.currentIndexChanged.connect(lambda _: self._read())
        self._read()

    def _read(self) -> None:
        name = self.annotator.currentText()
        self._desk.worker.ask(
            lambda p: (name, list_corrections(p, name)),
            while_alive(self, self._show),
            while_alive(self, self.say),
            latest="corrections",
        )

    def _show(self, found: tuple[str, tuple[Correction, ...]]) -> None:
        name, corrections = found
        kept = sum(one.kept for one in corrections)
        decided = counted(len(corrections), "difference")
        self.about.setText(
            f"{decided} with others decided; {kept:,} as {name} had it."
            if corrections
            else f"Nothing that {name} did has been decided on yet."
        )
        self.tree.clear()
        for one in corrections:
            _add(
                self.tree,
                [
                    one.report,
                    self._desk.scheme.category(one.category).name,
                    f"{kind_in_short(one.kind)}, with {one.other}",
                    quotes_in_short(one.mine),
                    "kept" if one.kept else quotes_in_short(one.gold),
                    reason_words(one.reason),
                    one.note,
                    one.clause,
                    f"{day_of(one.decided_at)}, {one.decided_by}",
                ],
                one.title,
            )


class OutdatedDialog(FormDialog):
    """Decisions on differences that are no longer there, because a side says something else now."""

    def __init__(self, desk: Desk, queue: Queue, parent: QWidget | None = None) -> None:
        super().__init__("Decisions that no longer apply", parent)
        self.body.addWidget(
            plain_label(
                "Since these were decided, one of the sides has changed what it says there. They stay on "
                "record, but hold no more; what differs now is in the queue."
            )
        )
        self.tree = _made_tree(
            "Decisions that no longer apply", ["Report", "Category", "Kind", "Decided", "By"], wide=(3,)
        )
        key_of = {row.uuid: row.key for row in desk.rows.values()}
        for one in queue.outdated:
            held = f": {quotes_in_short(one.findings)}" if one.findings else ""
            _add(
                self.tree,
                [
                    key_of.get(one.document, "a report that is gone"),
                    desk.scheme.category(one.category).name,
                    kind_in_short(one.kind),
                    f"{chosen_words(one.choice, queue)}{held}",
                    f"{day_of(one.decided_at)}, {one.decided_by}",
                ],
                one.note,
            )
        self.body.addWidget(self.tree, 1)
        self.add_button("&Close", QDialogButtonBox.ButtonRole.RejectRole)


def _made_tree(name: str, columns: list[str], wide: tuple[int, ...]) -> QTreeWidget:
    tree = QTreeWidget()
    tree.setHeaderLabels(columns)
    tree.setAccessibleName(name)
    tree.setRootIsDecorated(False)
    tree.setUniformRowHeights(True)
    tree.setAllColumnsShowFocus(True)
    tree.setMinimumHeight(_LEAST_HEIGHT)
    header = tree.header()
    header.setStretchLastSection(False)
    for column in range(len(columns)):
        stretch = QHeaderView.ResizeMode.Stretch
        header.setSectionResizeMode(
            column, stretch if column in wide else QHeaderView.ResizeMode.ResizeToContents
        )
    return tree


def _add(tree: QTreeWidget, words: list[str], more: str) -> None:
    item = QTreeWidgetItem(tree, [one_line(word) for word in words])
    for column, word in enumerate(words):
        item.setToolTip(column, tip("\n".join(filter(None, [word, more if column == 0 else ""]))))
