"""`casespan terminology`: what can be done with terminologies, each a command of its own."""

from __future__ import annotations

from app.cli.arguments import group_of
from app.cli.terminologies import ACTIONS

COMMAND = group_of("terminology", "list", ACTIONS)
