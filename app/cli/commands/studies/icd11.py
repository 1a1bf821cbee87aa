"""`casespan icd11`: what ICD-11 has beside terminologies and studies, each a command of its own."""

from __future__ import annotations

from app.cli.arguments import group_of
from app.cli.icd11 import ACTIONS

COMMAND = group_of("icd11", "map rows.csv --from icd10cm --json", ACTIONS)
