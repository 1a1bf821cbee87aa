"""Paints SVG pictures into PNG files, in the window and on the command line."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

SCALE = 2


def paint(picture: str, out: Path) -> None:
    """Paint the text of an SVG picture at twice its size; raises StorageError where the disk refuses."""
    application = QGuiApplication.instance() or _without_display()
    write_png(rendered(picture), out)
    # Until here: letters cannot be painted without it.
    del application


def rendered(picture: str) -> QImage:
    """The picture at twice its size, on white."""
    renderer = QSvgRenderer(QByteArray(picture.encode()))
    image = QImage(renderer.defaultSize() * SCALE, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    return image


def write_png(image: QImage, out: Path) -> None:
    """Write an image, whole or not at all; raises StorageError where the disk refuses."""
    from app.operations.project.output import write_file

    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    write_file(out, bytes(data.data()))


def _without_display() -> QGuiApplication:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication([])
