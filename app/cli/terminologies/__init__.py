"""What can be done with terminologies, one file each, registered by one line."""

from __future__ import annotations

from app.cli.arguments import Entry

_ROOM = "app.cli.terminologies"
ACTIONS = (
    Entry("list", "List the terminologies there are, by release", room=_ROOM),
    Entry("search", "Search a terminology by name, beginning, misspelling or code", room=_ROOM),
    Entry("show", "Show a concept with its names, parents, children and cross references", room=_ROOM),
    Entry("import", "Keep another release of a terminology in your data folder", "import_", room=_ROOM),
)
