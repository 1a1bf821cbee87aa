"""`casespan study`: what studies are made of, each a command of its own."""

from __future__ import annotations

from app.cli.arguments import group_of
from app.cli.studies import ACTIONS

COMMAND = group_of("study", "list", ACTIONS)
