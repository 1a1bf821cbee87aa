"""Print the open report: the pages of its PDF, painted onto paper."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog, QPrintPreviewWidget
from PySide6.QtWidgets import QDialog, QGraphicsView, QToolButton, QWidget

from app.gui.session.project_session import ProjectSession
from app.operations.exchange.exporting import printing_report

_POINTS = 72
# Beyond this no eye sees more, and a page takes too much memory.
_FINEST = 300


def print_report(session: ProjectSession, over: QWidget, show: Callable[[QDialog], None]) -> None:
    """Lay the open report out with one's own spans, then show how it will be printed."""
    key = session.report_model.key
    if key:
        session.worker.query(
            "Print",
            lambda project: printing_report(project, key, session.annotator),
            lambda made: show(PrintPreview(*made, over)),
            latest="print",
        )


class PrintPreview(QPrintPreviewDialog):
    """Shows the pages of a PDF, and sends them to a printer."""

    def __init__(self, title: str, pdf: bytes, over: QWidget | None = None) -> None:
        # The dialog does not keep the printer that it is given.
        self._printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        self._printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        self._printer.setFullPage(True)
        self._printer.setDocName(title)
        super().__init__(self._printer, over)
        self.setWindowTitle(f"Print: {title}")
        for pages in self.findChildren(QPrintPreviewWidget):
            pages.setAccessibleName("Pages as they will be printed")
            for part in pages.findChildren(QGraphicsView):
                part.setAccessibleName(pages.accessibleName())
        # Qt's own are for the mouse alone.
        for button in self.findChildren(QToolButton):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.paintRequested.connect(lambda printer: paint(pdf, printer))


def paint(pdf: bytes, printer: QPrinter) -> None:
    """Paint the pages of a PDF that are wanted onto a printer's."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    painter = QPainter(printer)
    try:
        first, last = printer.fromPage() or 1, printer.toPage() or len(document)
        for number in range(first, min(last, len(document)) + 1):
            if number > first:
                printer.newPage()
            scale = min(printer.resolution(), _FINEST) / _POINTS
            page = document[number - 1].render(scale=scale, rev_byteorder=True, prefer_bgrx=True)
            form = QImage.Format.Format_RGBX8888
            image = QImage(bytes(page.buffer), page.width, page.height, page.stride, form)
            painter.drawImage(QRectF(printer.paperRect(QPrinter.Unit.DevicePixel)), image)
    finally:
        painter.end()
        document.close()
