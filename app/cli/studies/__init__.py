"""What can be done with a study, one file each, registered by one line; the same for every study."""

from __future__ import annotations

from app.cli.arguments import Entry

_ROOM = "app.cli.studies"
ACTIONS = (
    Entry("list", "List the studies there are, and what each needs", room=_ROOM),
    Entry("build", "Make the items of a study, the questions that it asks, and freeze them", room=_ROOM),
    Entry("items", "List the items of a study, or what a model would be asked", room=_ROOM),
    Entry("run", "Have a model, a built-in method or recorded replies answer the items", room=_ROOM),
    Entry("answer", "Answer the items as a person, one after the other or from a file", room=_ROOM),
    Entry("judge", "Have answers judged by a model, or rated by a person", room=_ROOM),
    Entry("score", "Score the answers: measures with intervals, by label, in pairs, in tables", room=_ROOM),
    Entry("answers", "Write the answers of a run to a file, from which they can be replayed", room=_ROOM),
    Entry("export", "Write the items to a folder, references apart, with their sources", room=_ROOM),
    Entry("import", "Take the items of such a folder, or of a file with one a line", "import_", room=_ROOM),
)
