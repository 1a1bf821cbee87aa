"""What can be done with ICD-11 beside what every terminology and study has."""

from __future__ import annotations

from app.cli.arguments import Entry, group_of

ACTIONS = (
    Entry("map", "Find what codes or titles of other revisions are in ICD-11", "icd11.map_:MAP"),
    Entry(
        "fixture", "Write MIMIC's files with invented people, for trying the study out", "icd11.map_:FIXTURE"
    ),
)
COMMAND = group_of("icd11", "map rows.csv --from icd10cm --json", ACTIONS)
