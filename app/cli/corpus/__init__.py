"""What can be done with a corpus, one file each, registered by one line."""

from __future__ import annotations

from app.cli.arguments import Entry

_ROOM = "app.cli.corpus"
ACTIONS = (
    Entry("extract", "Extract from folders, archives and tables of reports into a folder", room=_ROOM),
    Entry("sample", "Draw reports of a corpus into a project for people", room=_ROOM),
    Entry("quality", "Estimate how good a corpus is, by what people say of a sample", room=_ROOM),
    Entry("summary", "Count what is in a corpus: by year, journal, category and length", room=_ROOM),
    Entry("search", "Find words in the reports of a corpus, or in its quotes", room=_ROOM),
)
