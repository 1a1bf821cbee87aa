"""Headings of a file as paths, by how high each stands."""

from __future__ import annotations

import re
from typing import Any

# Words over or below a table or a figure, which are no heading.
CAPTION = re.compile(
    r"(?:supplement\w* )?(?:fig(?:ure|\.)?|table|tab\.|box|scheme|chart|abb\.|abbildung|tabelle|figura|tabla"
    r"|tableau)"
    r"\s*S?\d+[A-Za-z]?\b",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"(?:abstract|summary|resumen|resumo|r[ée]sum[ée]|zusammenfassung)\W*", re.IGNORECASE)
_BEGUN = r"(?:1\W+)?(?:introduc(?:tion|ción)|introdução|einleitung|keywords)\W*|1\W+\w.*"
_BODY = re.compile(_BEGUN, re.IGNORECASE)


class Outline:
    """The headings above the place where one is.

    Ranks are compared: a heading stands below those before it whose rank is smaller. An abstract ends where
    the report begins, also where its own headings look like the report's.
    """

    def __init__(self) -> None:
        self._open: list[tuple[Any, str]] = []
        self._in_abstract: set[str] = set()

    def enter(self, rank: object, heading: str) -> tuple[str, ...]:
        """The path of a heading of this rank, itself included."""
        while self._open and not self._open[-1][0] < rank:
            self._open.pop()
        if self._open and _ABSTRACT.fullmatch(self._open[0][1]):
            if heading.casefold() in self._in_abstract or _BODY.fullmatch(heading):
                # From now on these stand beside the abstract, and so do those of their rank.
                self._open = []
            self._in_abstract.add(heading.casefold())
        self._open.append((rank, heading))
        return tuple(name for _, name in self._open)
