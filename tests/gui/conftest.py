"""Real widgets without a display; a warning of Qt's fails the test it is given in."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"
