"""A planned call about a report or an item of a study, as the ledger of a run knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from extractors.llm.types import Subject

if TYPE_CHECKING:
    from extractors.llm.schedule import Call
    from extractors.model.document import Document
    from extractors.tasks.base import Item


class Source(Protocol):
    """What calls are about, with a UUID and a short name: a stored report, or an item of a study as text."""

    @property
    def uuid(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def document(self) -> Document: ...


@dataclass(slots=True, eq=False)
class Entry:
    """A call of the plan about its source; `sha256` is its prompt's, by which the ledger knows it.

    `repeated` where it was made before and is to be made again.
    """

    call: Call
    report: Source
    sha256: str
    pending: bool
    repeated: bool = False

    @property
    def item(self) -> Item:
        """What it asks."""
        return self.call.item

    @property
    def subject(self) -> Subject:
        """What it is about, as recordings know it."""
        item = self.item
        return Subject(self.report.key, item.asks, item.part, item.parts, item.again)
