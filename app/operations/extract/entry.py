"""A planned call about a stored report, as the ledger of a run knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.documents import StoredDocument
    from extractors.llm.schedule import Call


@dataclass(slots=True, eq=False)
class Entry:
    """A call of the plan about a report; `sha256` is its prompt's, by which the ledger knows it.

    `again` where it was made before and is to be repeated.
    """

    call: Call
    report: StoredDocument
    sha256: str
    pending: bool
    again: bool = False

    @property
    def category(self) -> str:
        """As the ledger has it: "" for a call that asks for several."""
        return self.call.categories[0] if len(self.call.categories) == 1 else ""
