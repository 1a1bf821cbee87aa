"""Going round the panes of the window by one key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def step_pane(panes: Sequence[QWidget], step: int) -> None:
    """Put the focus into the next pane (1) or the previous one (-1) that takes it."""
    focused = QApplication.focusWidget()
    here = next((number for number, pane in enumerate(panes) if _holds(pane, focused)), 0)
    for offset in range(1, len(panes) + 1):
        if _reached(panes[(here + step * offset) % len(panes)]):
            return


def _holds(pane: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (pane is widget or pane.isAncestorOf(widget))


def _reached(pane: QWidget) -> bool:
    """Put the focus where the pane itself says, else on its first part that takes it by Tab, if any."""
    if not pane.isVisible():
        return False
    part = _first(pane)
    take_focus = getattr(pane, "take_focus", None)
    if take_focus is not None:
        take_focus()
        there = pane.window().focusWidget()
        if there is not None and there.isVisible() and _holds(pane, there):
            return True
    if part is not None:
        part.setFocus(Qt.FocusReason.TabFocusReason)
    return part is not None


def _first(pane: QWidget) -> QWidget | None:
    part: QWidget | None = pane
    while part is not None and not _takes(part):
        after = part.nextInFocusChain()
        part = after if after is not None and pane.isAncestorOf(after) else None
    return part


def _takes(part: QWidget) -> bool:
    by_tab = part.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(by_tab) and part.isEnabled() and part.isVisible()
