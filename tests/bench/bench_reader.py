"""The reader on a report of 100,000 characters with 5,000 overlapping spans, painted without a display."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from math import ceil

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.palette import page_palette
from extractors.model.finding import POLARITIES
from extractors.model.scheme import default_scheme
from tests.bench.measure import Measure
from tests.bench.samples import sample_reports

LENGTH, SPANS, ADDED, OPENINGS = 100_000, 5_000, 300, 9
SIZE = (1000, 800)
KEY_SECONDS, FRAME_SECONDS = 0.016, 0.033


def measures() -> list[Measure]:
    """Opening against a bare text widget; a new span and a scrolled frame against what the eye forgives."""
    application = QApplication.instance() or QApplication([])
    text = long_report()
    spans = _overlapping_spans(text)
    palette = page_palette(default_scheme(), dark=False)

    def bare() -> QWidget:
        widget = QPlainTextEdit()
        widget.resize(*SIZE)
        widget.setPlainText(text)
        return widget

    def reader() -> Reader:
        widget = Reader(palette)
        widget.resize(*SIZE)
        widget.load(text, (), spans)
        return widget

    pairs = [(_opening(reader), _opening(bare)) for _ in range(OPENINGS)]
    opening = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
    page = reader()
    page.show()
    application.processEvents()
    added = _adding(page, application.processEvents)
    frames = scrolling(page, application.processEvents)
    close(page)
    p99 = sorted(added)[ceil(len(added) * 0.99) - 1]
    return [
        Measure("reader: open 100,000 characters", opening, 2, "plain text in a bare QPlainTextEdit"),
        Measure("reader: span to paint, p99", p99 / KEY_SECONDS, 1, "16 ms"),
        Measure("reader: slowest frame scrolling", max(frames) / FRAME_SECONDS, 1, "33 ms"),
    ]


def _opening(make: Callable[[], QWidget]) -> float:
    """Seconds until a new window shows its first page; it is gone before the next is timed."""
    began = time.perf_counter()
    widget = make()
    widget.show()
    QApplication.processEvents()
    widget.grab()
    seconds = time.perf_counter() - began
    close(widget)
    return seconds


def close(widget: QWidget) -> None:
    widget.close()
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def long_report() -> str:
    """The sample reports, one after the other, until there is enough."""
    body = "\n\n".join(report.document.text for report in sample_reports())
    return "\n\n".join([body] * (LENGTH // len(body) + 1))[:LENGTH]


def _overlapping_spans(text: str) -> list[ShownSpan]:
    chance = random.Random(14)
    ids = default_scheme().ids
    spans = []
    for number in range(SPANS):
        start = chance.randrange(len(text) - 80)
        category, polarity = chance.choice(ids), chance.choice(POLARITIES)
        spans.append(ShownSpan(f"s{number}", start, start + chance.randint(5, 80), category, polarity))
    return spans


def _adding(reader: Reader, paint: Callable[[], None]) -> list[float]:
    """Seconds from a new span's arrival to its being on the page, all down the report."""
    seconds = []
    bar = reader.verticalScrollBar()
    for number in range(ADDED):
        bar.setValue(bar.maximum() * number // ADDED)
        paint()
        start = reader.offset_at(QPoint(reader.viewport().width() // 2, reader.viewport().height() // 2))
        start = min(start, len(reader.text()) - 30)
        began = time.perf_counter()
        reader.add_span(ShownSpan(f"new{number}", start, start + 30, "Neuro"))
        paint()
        seconds.append(time.perf_counter() - began)
    return seconds


def scrolling(reader: Reader, paint: Callable[[], None]) -> list[float]:
    """Seconds of each frame while the whole report is scrolled through, a third of a page a frame."""
    seconds = []
    bar = reader.verticalScrollBar()
    for value in range(0, bar.maximum(), SIZE[1] // 3):
        began = time.perf_counter()
        bar.setValue(value)
        paint()
        seconds.append(time.perf_counter() - began)
    return seconds
