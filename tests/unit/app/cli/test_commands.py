"""What holds of every command alike: how it is found, loaded and called."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from app.cli.commands import COMMANDS, build_parser
from app.cli.commands.corpus import ACTIONS as OF_CORPUS
from app.cli.commands.icd11 import ACTIONS as OF_ICD11
from app.cli.commands.study import ACTIONS
from app.cli.commands.terminology import ACTIONS as OF_TERMINOLOGIES


def test_every_command_can_be_called_as_its_example_says() -> None:
    parts = {"study": ACTIONS, "terminology": OF_TERMINOLOGIES, "icd11": OF_ICD11, "corpus": OF_CORPUS}
    plain = [((entry.name,), entry) for entry in COMMANDS if entry.name not in parts]
    inner = [((name, action.name), action) for name, actions in parts.items() for action in actions]
    for names, entry in (*plain, *inner):
        command = entry.load()
        options = build_parser().parse_args([*names, *shlex.split(command.example)])
        assert options.command is command
        assert hasattr(options, "project") or not command.project


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    program = (
        "import sys; from app.cli import main; main([]); "
        "heavy = ('app.cli.commands.', 'app.operations', 'app.studies'); "
        "sys.exit(any(name.startswith(heavy) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[4], check=False)
    assert done.returncode == 0
