"""The guide in a window of its own, beside whatever is open: pages, search, and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QImage,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from app.gui.guide.pages import FIRST, PAGES, search, text, title
from app.gui.shell.look.theme import wear_theme
from app.gui.widgets.boxes import labelled, lined, push_button, stacked
from app.gui.widgets.plain import ElidedLabel
from extractors.assets import asset
from extractors.model.errors import AssetError

KeyOf = Callable[[str], str]
_SIZE, _OF_SCREEN = (68, 46), 0.9
_LIST_SHARE = 0.28
_MARGIN, _LARGER = 20, 1.1
# Around each page of the list, so that the words found in it are seen to be its own.
_APART = 3
_PAGE = Qt.ItemDataRole.UserRole


def show_guide(page: str, key: KeyOf | None = None) -> GuideWindow:
    """Show a page; `key` gives a command's key, by the program's window where it is left out.

    No window is its parent: a dialog that has to be answered first leaves it to be read.
    """
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    holder = application.findChild(_Holder) or _Holder(application)
    if key is not None:
        holder.key = key
    if holder.window is None:
        holder.window = GuideWindow(holder.key)
    holder.window.turn_to(page)
    holder.window.show()
    holder.window.raise_()
    holder.window.activateWindow()
    return holder.window


def close_guide() -> None:
    """Close it, if it is open."""
    application = QApplication.instance()
    holder = application.findChild(_Holder) if application is not None else None
    if holder is not None and holder.window is not None:
        window, holder.window = holder.window, None
        window.close()
        window.deleteLater()


class _Holder(QObject):
    """Keeps the one window of the guide."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.window: GuideWindow | None = None
        self.key: KeyOf = _key_in_window


def _key_in_window(command: str) -> str:
    """A command's key by the program's window, where a dialog showed the guide first."""
    every = (getattr(window, "actions_", None) for window in QApplication.topLevelWidgets())
    return next((str(actions.key(command)) for actions in every if actions is not None), "")


class _Browser(QTextBrowser):
    """Shows pages and pictures of the guide's folder; anything else is not loaded."""

    def __init__(self, key: KeyOf) -> None:
        super().__init__()
        self._key = key
        self.setOpenLinks(False)
        self.setAccessibleName("Page of the guide")
        self.document().setDocumentMargin(_MARGIN)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _LARGER)
        self.setFont(font)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """A page as Markdown, a picture no wider than the window."""
        name = QUrl(name)
        if kind == QTextDocument.ResourceType.MarkdownResource.value:
            page = name.fileName().removesuffix(".md")
            return text(page, self._key) if page in PAGES else ""
        if kind != QTextDocument.ResourceType.ImageResource.value or not name.isRelative():
            return None
        try:
            picture = QImage(str(asset("resources", "guide", "pictures", name.fileName())))
        except AssetError:
            return None
        room = max(self.viewport().width() - 4 * self.fontMetrics().height(), 200)
        ratio = self.devicePixelRatioF()
        if picture.width() > room * ratio:
            how = Qt.TransformationMode.SmoothTransformation
            picture = picture.scaledToWidth(round(room * ratio), how)
        picture.setDevicePixelRatio(ratio)
        return picture


class GuideWindow(QWidget):
    """Pages left, the page right; words in the field above leave the pages that have them all."""

    def __init__(self, key: KeyOf) -> None:
        super().__init__()
        self._key = key
        self.setWindowTitle("Guide — Casespan")
        wear_theme(self)
        self.words = QLineEdit(placeholderText="Words to look for in the guide")
        self.words.setAccessibleName("Search the guide")
        self.words.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages")
        self.list.setWordWrap(True)
        self.list.setSpacing(_APART)
        self.page = _Browser(key)
        self.back = push_button("&Back", self.page.backward)
        self.contents = push_button("&Contents", lambda: self.turn_to(FIRST))
        self.outside = push_button("&Open in the browser", self._go_outside)
        self.address = ElidedLabel()
        self._link = QUrl()
        left = QWidget()
        stacked(left, labelled("&Find:", self.words), self.words, self.list, wide=self.list)
        right = QWidget()
        foot = lined(None, self.address, self.outside, wide=self.address)
        turning = lined(None, self.back, self.contents)
        turning.addStretch(1)
        stacked(right, turning, self.page, foot, wide=self.page)
        split = QSplitter(Qt.Orientation.Horizontal)
        for part in (left, right):
            split.addWidget(part)
        split.setChildrenCollapsible(False)
        stacked(self, split, margins=(8, 8, 8, 8))
        wide, high = (side * self.fontMetrics().height() for side in _SIZE)
        room = self.screen().availableSize() * _OF_SCREEN
        self.resize(min(wide, room.width()), min(high, room.height()))
        split.setSizes([round(self.width() * _LIST_SHARE), round(self.width() * (1 - _LIST_SHARE))])
        self._connect()
        self._list()
        self._say_link(QUrl())

    @property
    def shown(self) -> str:
        """The page on show."""
        return self.page.source().fileName().removesuffix(".md")

    def turn_to(self, page: str) -> None:
        """Show a page from its start, the first one where there is no such page."""
        self._turn(QUrl(f"{page if page in PAGES else FIRST}.md"))
        self.page.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the guide, or empties the search first; Ctrl+F goes to the search."""
        if event.matches(QKeySequence.StandardKey.Find):
            self.words.setFocus()
        elif event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.words.text():
            self.words.clear()
        else:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The work that it was read for goes on."""
        super().closeEvent(event)
        self._say_link(QUrl())

    # Inside

    def _connect(self) -> None:
        self.words.textChanged.connect(lambda _: self._list())
        self.words.returnPressed.connect(lambda: self._choose(self.list.item(0)))
        self.list.currentItemChanged.connect(lambda item, _before: self._choose(item))
        self.list.itemClicked.connect(self._choose)
        self.page.anchorClicked.connect(self._follow)
        self.page.sourceChanged.connect(self._mark_page)
        self.page.backwardAvailable.connect(self.back.setEnabled)
        self.back.setEnabled(False)

    def _turn(self, link: QUrl) -> None:
        self.page.setSource(link, QTextDocument.ResourceType.MarkdownResource)
        self._say_link(QUrl())
        self._light()

    def _follow(self, link: QUrl) -> None:
        """Pages are turned to; what leads out of the guide is only shown."""
        if link.isRelative():
            self._turn(self.page.source().resolved(link))
        else:
            self._say_link(link)

    def _say_link(self, link: QUrl) -> None:
        self._link = link
        self.outside.setVisible(not link.isEmpty())
        out = "This leads out of the guide, to the network"
        self.address.say("" if link.isEmpty() else f"{out}: {link.toDisplayString()}")

    def _go_outside(self) -> None:
        QDesktopServices.openUrl(self._link)

    def _list(self) -> None:
        words = self.words.text()
        found = search(words, self._key)
        shown = [(one.page, f"{title(one.page)}\n{one.excerpt}") for one in found]
        if not words.strip():
            shown = [(page, title(page)) for page in PAGES]
        self.list.blockSignals(True)
        self.list.clear()
        for page, given in shown:
            item = QListWidgetItem(given)
            item.setData(_PAGE, page)
            self.list.addItem(item)
        self.list.blockSignals(False)
        if words.strip() and not shown:
            item = QListWidgetItem("No page has all these words.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self._mark_page(self.page.source())
        self._light()

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_PAGE) is not None:
            self._turn(QUrl(f"{item.data(_PAGE)}.md"))

    def _mark_page(self, source: QUrl) -> None:
        """Mark in the list which page is on show."""
        page = source.fileName().removesuffix(".md")
        self.list.blockSignals(True)
        self.list.setCurrentRow(-1)
        for row in range(self.list.count()):
            if self.list.item(row).data(_PAGE) == page:
                self.list.setCurrentRow(row)
        self.list.blockSignals(False)

    def _light(self) -> None:
        """Mark the words that are looked for, and bring the first into sight."""
        places: list[QTextEdit.ExtraSelection] = []
        for word in self.words.text().split():
            found = self.page.document().find(word)
            while not found.isNull():
                place = QTextEdit.ExtraSelection()
                place.cursor = found
                place.format.setBackground(self.palette().highlight())
                place.format.setForeground(self.palette().highlightedText())
                places.append(place)
                found = self.page.document().find(word, found)
        self.page.setExtraSelections(places)
        if places:
            first = QTextCursor(places[0].cursor)
            first.clearSelection()
            self.page.setTextCursor(first)
