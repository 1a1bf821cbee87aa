"""Tool tips that show a text as it is, to eyes and to screen readers, and keys beside words; light enough for
the first window."""

from __future__ import annotations

from PySide6 import QtGui
from PySide6.QtWidgets import QWidget


def tip(text: str) -> str:
    """A tool tip that shows exactly this text, wrapped."""
    # As html.escape, which loads the names of all entities first.
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<qt>{escaped.replace(chr(10), '<br>')}</qt>" if text else ""


def explain(widget: QWidget, text: str) -> None:
    """Show a tool tip with exactly this text, which screen readers say as well."""
    widget.setToolTip(tip(text))
    # Without a description they would read out the tool tip's markup.
    widget.setAccessibleDescription(text)


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say this, where one listens; the focus stays where it is."""
    # By its whole name: to import it takes longer than to show the start page's words.
    accessible = QtGui.QAccessible
    if not accessible.isActive():
        return
    # Not every PySide6 allowed is sure to have it; an alert is a sound on Windows, on Linux nothing.
    if hasattr(QtGui, "QAccessibleAnnouncementEvent"):
        accessible.updateAccessibility(QtGui.QAccessibleAnnouncementEvent(widget, text))
    else:
        accessible.updateAccessibility(QtGui.QAccessibleEvent(widget, accessible.Event.Alert))


def with_key(words: str, key: str) -> str:
    """Words and the key that does the same, as they stand everywhere; `key` may be ""."""
    return f"{words} ({key})" if key else words
