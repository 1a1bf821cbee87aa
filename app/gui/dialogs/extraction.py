"""Have the categories extracted: with the rules, with a model, or from recorded replies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialogButtonBox,
    QFileDialog,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.extracting import HIDDEN, ByModel, ByRules, Choice, begin_extraction, by_replies
from app.gui.dialogs.files import file_dialog
from app.gui.dialogs.forms import GRID, FormDialog, indented, plain_label, without_mnemonic
from app.gui.dialogs.model_server import ModelServer
from app.gui.dialogs.model_settings import ModelSettings
from app.gui.dialogs.watching import busy_sentence
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession

_RULES = "The rules work at once and on this computer. While they do, what you change waits to be saved."
_REPLIES = "What a model said in an earlier run is played again from its file; no model is asked."


class ExtractionDialog(FormDialog):
    """With what, in which reports, for which categories."""

    def __init__(
        self, session: ProjectSession, shown_keys: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """`shown_keys` are the reports that the list shows now."""
        super().__init__("Extract with rules or a model", parent)
        self._session = session
        self._shown = tuple(shown_keys)
        self.body.addWidget(self._sources())
        self.body.addWidget(self._pages())
        self.body.addWidget(self._reports())
        self.body.addWidget(self._categories())
        self.body.addWidget(plain_label(f"Blind first: {HIDDEN[0].lower()}{HIDDEN[1:]}"))
        self.body.addStretch(1)
        self.start_button = self.add_button("E&xtract", QDialogButtonBox.ButtonRole.AcceptRole, default=True)
        self.add_cancel()
        self.start_button.clicked.connect(self._start)
        self._source_group.idToggled.connect(lambda *_: self._check())
        self.server.changed.connect(self._check)
        session.worker.job_changed.connect(self._check)
        self.finished.connect(lambda _: self.server.stop())
        self._check()

    def choice(self) -> Choice:
        """What is asked for."""
        documents, categories = self._documents(), self._chosen_categories()
        if self.with_rules.isChecked():
            return ByRules(documents, categories)
        if self.with_replies.isChecked():
            return by_replies(Path(self.file.text()), documents, categories)
        model = self.server.chosen.name if self.server.chosen else ""
        options = self.settings.options(model, documents, categories)
        return ByModel(options, self.server.address, self.server.allowed, self.server.key.path)

    def trouble(self) -> str:
        """Why nothing can be begun with what is chosen, "" where it can."""
        if sentence := busy_sentence(self._session):
            return sentence
        if not self._session.rows:
            return "There are no reports yet; import some first."
        if self.some.isChecked() and not self._chosen_categories():
            return "Tick at least one category."
        if self.with_model.isChecked():
            return self.server.trouble()
        if self.with_replies.isChecked() and not self.file.text():
            return "Choose the file with the recorded replies."
        return ""

    def _documents(self) -> tuple[str, ...]:
        if self.this_report.isChecked():
            return (self._session.report_model.key,)
        return self._shown if self.shown_reports.isChecked() else ()

    def _chosen_categories(self) -> tuple[str, ...]:
        if not self.some.isChecked():
            return ()
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if item.checkState() == Qt.CheckState.Checked
        )

    def _sources(self) -> QGroupBox:
        self.with_rules = QRadioButton("The built-in &rules")
        self.with_model = QRadioButton("A &model of a server")
        self.with_replies = QRadioButton("Replay recor&ded replies")
        self.with_rules.setChecked(True)
        box, self._source_group = _choice("Extract with", self.with_rules, self.with_model, self.with_replies)
        self._source_group.idToggled.connect(self._turn_page)
        return box

    def _pages(self) -> QWidget:
        self.server = ModelServer()
        self.settings = ModelSettings()
        model = QWidget()
        layout = QVBoxLayout(model)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.server)
        layout.addWidget(self.settings)
        layout.addStretch(1)
        self.pages = (_page(plain_label(_RULES)), model, self._replies())
        holder = _page(*self.pages)
        self._turn_page(0, True)
        return holder

    def _turn_page(self, page: int, on: bool) -> None:
        if on:
            for number, widget in enumerate(self.pages):
                widget.setVisible(number == page)
            if self.isVisible():
                self.grow()

    def _replies(self) -> QWidget:
        self.file = QLineEdit()
        self.file.setAccessibleName("File with recorded replies")
        self.file.textChanged.connect(self._check)
        choose = QPushButton("C&hoose…")
        choose.setAutoDefault(False)
        choose.setAccessibleName("Choose a file with recorded replies")
        choose.clicked.connect(self._choose_file)
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.file, 1)
        layout.addWidget(choose)
        return _page(plain_label(_REPLIES), row)

    def _reports(self) -> QGroupBox:
        key = self._session.report_model.key
        self.this_report = QRadioButton(f"&This report ({without_mnemonic(key)})" if key else "&This report")
        self.this_report.setEnabled(bool(key))
        self.shown_reports = QRadioButton(f"The {counted(len(self._shown), 'report')} sho&wn in the list")
        self.shown_reports.setEnabled(bool(self._shown))
        self.all_reports = QRadioButton(f"&All {counted(len(self._session.rows), 'report')}")
        (self.this_report if key else self.all_reports).setChecked(True)
        return _choice("In", self.this_report, self.shown_reports, self.all_reports)[0]

    def _categories(self) -> QGroupBox:
        self.every = QRadioButton("All &categories")
        self.some = QRadioButton("&Just these:")
        self.every.setChecked(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Categories")
        for category in self._session.scheme.categories:
            item = QListWidgetItem(category.name, self.list)
            item.setData(Qt.ItemDataRole.UserRole, category.id)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
            )
            item.setCheckState(Qt.CheckState.Unchecked)
        self.list.setFixedHeight(9 * self.fontMetrics().lineSpacing())
        self.list.itemChanged.connect(lambda _: self._check())
        self.list.setVisible(False)
        self.some.toggled.connect(self.list.setVisible)
        self.some.toggled.connect(lambda _: self._check())
        box, _ = _choice("For", self.every, self.some)
        layout = box.layout()
        if layout is not None:
            layout.addWidget(indented(self.list))
        return box

    def _choose_file(self) -> None:
        dialog = file_dialog(self, "Recorded replies", "replies", self._session.path)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Recorded replies (*.jsonl)", "All files (*)"])
        dialog.fileSelected.connect(self.file.setText)
        dialog.open()

    def _check(self) -> None:
        trouble = self.trouble()
        self.say(trouble)
        self.start_button.setEnabled(not trouble)

    def _start(self) -> None:
        choice = self.choice()
        self.accept()
        begin_extraction(self._session, choice, self.parentWidget())


def _choice(title: str, *buttons: QRadioButton) -> tuple[QGroupBox, QButtonGroup]:
    box = QGroupBox(title)
    layout = QVBoxLayout(box)
    layout.setSpacing(GRID // 2)
    group = QButtonGroup(box)
    for number, button in enumerate(buttons):
        group.addButton(button, number)
        layout.addWidget(button)
    return box, group


def _page(*widgets: QWidget) -> QWidget:
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return page
