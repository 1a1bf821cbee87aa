"""Terminologies for the window: read, searched and looked into in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from app.gui.shell.collector import OwnThread
from app.operations.annotate.concepts import coding_of
from extractors.model.coding import Coding
from extractors.model.errors import CasespanError
from extractors.terminology.browsing import Browser, Entry, View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Looked:
    """What there is to choose from for some words, and the concept that is looked at first."""

    entries: tuple[Entry, ...]
    view: View | None


class Terms(QObject):
    """Asks one terminology after the other; of several questions that wait only the last is answered.

    `name` is the terminology in use, as it calls itself, `release` its release; "" until it has been read.
    """

    # The terminologies chosen by category, as soon as one is.
    chosen = Signal(dict)
    _delivered = Signal(object)

    def __init__(self, parent: QObject | None = None, chosen: Mapping[str, str] | None = None) -> None:
        """`chosen` are the terminologies that were chosen before, by category."""
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self.name = self.release = ""
        self._category = ""
        self._chosen = dict(chosen or {})
        self._browsers: dict[str, Browser] = {}
        self._asked = 0
        self._thread = OwnThread("terms", self)
        # Who asked is known to the window's thread alone: the other must not be the last to hold a widget.
        self._then: Callable[[Any], None] | None = None
        self._delivered.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def suggest(self, text: str, limit: int, then: Callable[[Looked], None]) -> None:
        self._ask(lambda browser: _looked(browser, browser.suggest(text, limit)), then)

    def find(self, typed: str, limit: int, then: Callable[[Looked], None]) -> None:
        self._ask(lambda browser: _looked(browser, browser.find(typed, limit)), then)

    def view(self, code: str, then: Callable[[View], None]) -> None:
        self._ask(lambda browser: browser.view(code), then)

    def coding(self, code: str) -> Coding:
        """What a code that was shown stands for, as a person gives it."""
        return coding_of(self._browsers[self.name].terminology, code)[0]

    def drop(self) -> None:
        """Answer nothing that was asked before: whoever asked is going away."""
        self._asked += 1
        self._then = None

    def turn_to(self, category: str) -> None:
        """Ask in the terminology that was last chosen for spans of a category (ID)."""
        self._category = category
        self.name = self._chosen.get(category, self.names[0] if self.names else "")

    def use_next(self) -> None:
        """Go to the next terminology that there is, from now on for spans of this category."""
        if len(self.names) > 1:
            self.name = self.names[(self.names.index(self.name) + 1) % len(self.names)]
            self._chosen[self._category] = self.name
            self.chosen.emit(dict(self._chosen))

    def _ask(self, question: Callable[[Browser], T], then: Callable[[T], None]) -> None:
        self._asked += 1
        mine, self._then = self._asked, then

        def answer() -> None:
            if mine != self._asked:
                return
            try:
                answered = question(self._browser())
            except CasespanError:
                return
            try:
                self._delivered.emit((mine, answered))
            except RuntimeError:
                # The window has gone meanwhile.
                return

        self._thread.put(answer)

    def _take(self, delivered: tuple[int, Any]) -> None:
        """Hand over an answer, unless something else was asked meanwhile."""
        mine, answered = delivered
        if mine == self._asked and self._then is not None:
            self._then(answered)

    def _browser(self) -> Browser:
        """The terminology in use, read when it is first asked for."""
        from extractors.terminology.library import installed_releases, open_terminology

        if not self.names:
            self.names = tuple(dict.fromkeys(one.name for one in installed_releases()))
            # What was chosen before may be gone.
            self.name = self.name if self.name in self.names else self.names[0]
        if self.name not in self._browsers:
            self._browsers[self.name] = Browser(open_terminology(self.name))
        self.release = self._browsers[self.name].terminology.release
        return self._browsers[self.name]


def _looked(browser: Browser, entries: tuple[Entry, ...]) -> Looked:
    return Looked(entries, browser.view(entries[0].code) if entries else None)
