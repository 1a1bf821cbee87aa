"""Print the Debian packages that Qt needs and this machine lacks; nothing where Qt loads as it is."""

from __future__ import annotations

import importlib
import sys

PACKAGES = (
    "libegl1",
    "libgl1",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
    "libdbus-1-3",
    "libfontconfig1",
    "libglib2.0-0",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xkb1",
    "fonts-dejavu-core",
)


def missing_packages() -> tuple[str, ...]:
    """All packages where Qt's widgets cannot be loaded for want of a system library (on Linux only)."""
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError:
        return PACKAGES if sys.platform == "linux" else ()
    return ()


if __name__ == "__main__":
    print(" ".join(missing_packages()))
