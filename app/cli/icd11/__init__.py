"""What can be done with ICD-11 beside what every terminology and study has, one file each."""

from __future__ import annotations

from app.cli.arguments import Entry

_ROOM = "app.cli.icd11"
ACTIONS = (
    Entry("map", "Find what codes or titles of other revisions are in ICD-11", "map_", room=_ROOM),
    Entry("fixture", "Write MIMIC's files with invented people, for trying the study out", room=_ROOM),
)
