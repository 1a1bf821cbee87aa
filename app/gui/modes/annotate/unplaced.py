"""Quotes that have no place in the report: one's own and those of others that are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton, QWidget

from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import stacked
from app.gui.widgets.parts import lines_high
from app.gui.widgets.plain import ElidedLabel, cut_in_middle, quoted
from app.gui.widgets.span_words import in_full
from app.gui.widgets.swatch import swatch_icon, swatch_size
from app.gui.widgets.tips import tip
from app.palette import PagePalette

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation

_LINES = 3
_UUID = Qt.ItemDataRole.UserRole


class UnplacedQuotes(QWidget):
    """Hidden where there are none; says which quote is looked at and which is to be placed."""

    chosen = Signal(str)
    place_wanted = Signal(str)

    def __init__(self, session: ProjectSession, palette: PagePalette) -> None:
        super().__init__()
        self._session, self._report_model, self._palette = session, session.report_model, palette
        self._shown: tuple[tuple[str, Annotation], ...] = ()
        self.title = ElidedLabel()
        self.list = QListWidget()
        self.list.setAccessibleName("Quotes without a place")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self.place = QPushButton("Place at the selection")
        self.place.clicked.connect(self._place)
        stacked(self, self.title, self.list, self.place, margins=(0, 4, 0, 0), spacing=4)
        self.hide()

    def set_page_palette(self, palette: PagePalette) -> None:
        """Show the colours of another theme."""
        self._palette = palette
        self._shown = ()
        self.refresh()

    def refresh(self) -> None:
        """Show the quotes there are now; the chosen one stays chosen."""
        found = tuple(self._unplaced())
        if found != self._shown:
            self._shown = found
            self._fill()
        self.setVisible(bool(found))

    def _unplaced(self) -> Iterator[tuple[str, Annotation]]:
        yield from (("", span) for span in self._report_model.spans.values() if span.finding.start is None)
        for name, spans in self._report_model.others.items():
            yield from ((name, span) for span in spans if span.finding.start is None)

    def _fill(self) -> None:
        item = self.list.currentItem()
        before = item.data(_UUID) if item is not None else ""
        self.list.blockSignals(True)
        self.list.clear()
        self.list.setIconSize(swatch_size(self.font()))
        self.list.setFixedHeight(lines_high(self.list, _LINES))
        for name, span in self._shown:
            item = self._item(name, span)
            self.list.addItem(item)
            if span.uuid == before:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self.title.say(f"Quotes without a place ({len(self._shown)})")
        self._allow(self.list.currentItem())

    def _item(self, holder: str, span: Annotation) -> QListWidgetItem:
        finding = span.finding
        who = f"{holder}: " if holder else ""
        quote = quoted(cut_in_middle(finding.quote))
        item = QListWidgetItem(f"{who}{quote} – {finding.reason or 'no place'}")
        item.setIcon(swatch_icon(self._palette, finding.category, self.font(), self.list.devicePixelRatioF()))
        item.setData(_UUID, span.uuid)
        words = in_full(span, self._session.scheme.category(finding.category).name, holder)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{words} {finding.reason}")
        item.setToolTip(tip(f"{words} {finding.reason}"))
        return item

    def _choose(self, item: QListWidgetItem | None, _before: QListWidgetItem | None = None) -> None:
        self._allow(item)
        if item is not None:
            self.chosen.emit(item.data(_UUID))

    def _allow(self, item: QListWidgetItem | None) -> None:
        """Only one's own quotes can be placed: those of others stay as they are."""
        self.place.setEnabled(item is not None and self._report_model.is_own(item.data(_UUID)))

    def _place(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.place_wanted.emit(item.data(_UUID))
