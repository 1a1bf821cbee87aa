"""What can be done with a corpus, one file each, registered by one line."""

from __future__ import annotations

from app.cli.arguments import Entry

_ROOM = "app.cli.corpus"
ACTIONS = (
    Entry("extract", "Extract from folders, archives and tables of reports into a folder", room=_ROOM),
)
