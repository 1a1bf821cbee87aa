"""Pictures for the screen: decoded in a thread of their own, within Qt's allocation limit."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLoggingCategory, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from app.gui.shell.collector import OwnThread
from app.operations.project.figures import read_picture

if TYPE_CHECKING:
    from app.gui.session.worker import Worker

# Megabytes that decoding one picture may take; and the longest side that is looked at.
_LIMIT = 400
LONGEST = 4000
_KEPT_WHOLE = 4
_BROKEN = "This picture cannot be shown; it is damaged, or too large."
# Its complaints about damaged pictures; what cannot be shown is said on the screen.
QLoggingCategory.setFilterRules("qt.gui.imageio*=false")


def decoded(data: bytes, longest: int) -> QImage:
    """The picture of which these are the bytes, no side longer than that; null where it cannot be shown."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    size = reader.size()
    if not size.isValid():
        # Asked for the format of what is damaged, Qt looks where it read nothing, which may end the program.
        return QImage()
    bits = QImage.toPixelFormat(reader.imageFormat()).bitsPerPixel() or 32
    if size.width() * size.height() * max(bits, 32) > _LIMIT * 8_000_000:
        return QImage()
    if max(size.width(), size.height()) > longest:
        reader.setScaledSize(size.scaled(QSize(longest, longest), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class Pictures(QObject):
    """Hands out pictures of the project, once they have been read; `arrived` says SHA-256 and size."""

    arrived = Signal(str, int)
    _decoded = Signal(str, int, QImage)

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        QImageReader.setAllocationLimit(_LIMIT)
        self._worker = worker
        self._there: dict[tuple[str, int], QImage] = {}
        self._asked: set[tuple[str, int]] = set()
        self._thread = OwnThread("pictures", self)
        self._decoded.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def picture(self, digest: str, longest: int = LONGEST) -> QImage | None:
        """The picture of that SHA-256, null where it cannot be shown; None while it is being read."""
        found = self._there.get((digest, longest))
        if found is None and (digest, longest) not in self._asked:
            self._asked.add((digest, longest))
            read, decode = partial(read_picture, digest=digest), partial(self._decode, digest, longest)
            self._worker.ask(read, decode, lambda _: self._take(digest, longest, QImage()))
        return found

    def large(self, digest: str, words: str) -> tuple[QImage, str]:
        """The picture of that SHA-256, null while it is being read or where it cannot be shown, and the words
        for it, or those that say so."""
        found = self.picture(digest)
        if found is None or found.isNull():
            return QImage(), "Reading…" if found is None else _BROKEN
        return found, words

    def _decode(self, digest: str, longest: int, data: bytes) -> None:
        def call() -> None:
            image = decoded(data, longest)
            # The window may have gone meanwhile.
            with suppress(RuntimeError):
                self._decoded.emit(digest, longest, image)

        self._thread.put(call)

    def _take(self, digest: str, longest: int, image: QImage) -> None:
        self._asked.discard((digest, longest))
        self._there[digest, longest] = image
        large = [one for one in self._there if one[1] == LONGEST]
        for one in large[:-_KEPT_WHOLE]:
            del self._there[one]
        self.arrived.emit(digest, longest)
