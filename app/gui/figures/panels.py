"""Where the panels of a picture lie: it is cut along the empty stretches that run all through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Grey: TypeAlias = "NDArray[np.uint8]"
_SIDE = 512
# Least panel and least empty stretch, as shares of the side; how much an empty stretch may vary.
_LEAST, _GAP, _EVEN = 0.12, 0.004, 10
_DEEPEST = 4


def panels_in(image: QImage, full: QSize, number: int) -> list[QRectF]:
    """The panels of a picture in reading order, in pixels of its full size; where none can be told apart, as
    many equal parts as the caption names (`number`)."""
    import numpy as np

    small = image.scaled(
        _SIDE, _SIDE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    small = small.convertToFormat(QImage.Format.Format_Grayscale8)
    wide, high, line = small.width(), small.height(), small.bytesPerLine()
    grey = np.frombuffer(small.constBits(), np.uint8, line * high).reshape(high, line)[:, :wide]
    found = _cut(grey, 0, 0, _DEEPEST)
    if len(found) < 2:
        found = _equal(wide, high, number)
    scale = full.width() / wide
    return [QRectF(x * scale, y * scale, w * scale, h * scale) for x, y, w, h in found]


def _cut(grey: Grey, left: int, top: int, depth: int) -> list[tuple[int, int, int, int]]:
    """The parts of a picture that empty rows or columns part, rows first."""
    high, wide = grey.shape
    for across in (True, False) if depth else ():
        parts = _stretches(grey if across else grey.T)
        if len(parts) > 1:
            found = []
            for start, end in parts:
                part = grey[start:end] if across else grey[:, start:end]
                place = (left, top + start) if across else (left + start, top)
                found += _cut(part, *place, depth - 1)
            return found
    return [(left, top, wide, high)]


def _stretches(grey: Any) -> list[tuple[int, int]]:  # noqa: ANN401 (a view of an array, turned or not)
    """The rows that are not empty, as ranges; none that is too small for a panel."""
    import numpy as np

    rows = grey.astype(np.int16)
    edges = (rows.max(axis=1) - rows.min(axis=1) <= _EVEN) & ((rows[:, 0] > 235) | (rows[:, 0] < 12))
    least, gap = max(8, round(_LEAST * len(rows))), max(2, round(_GAP * len(rows)))
    filled = np.flatnonzero(~edges)
    parts = np.split(filled, np.flatnonzero(np.diff(filled) > gap) + 1) if len(filled) else []
    ends = [(int(part[0]), int(part[-1]) + 1) for part in parts]
    return [(start, end) for start, end in ends if end - start >= least]


def _equal(wide: int, high: int, number: int) -> list[tuple[int, int, int, int]]:
    if number < 2:
        return [(0, 0, wide, high)]
    columns = min(number, max(1, round((number * wide / high) ** 0.5)))
    rows = -(-number // columns)
    return [
        (place % columns * wide // columns, place // columns * high // rows, wide // columns, high // rows)
        for place in range(number)
    ]
