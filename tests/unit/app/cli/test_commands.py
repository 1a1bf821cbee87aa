"""What holds of every command alike: how it is found, loaded and called."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from app.cli.commands import COMMANDS
from app.cli.parser import build_parser


def test_every_command_can_be_called_as_its_example_says() -> None:
    for entry in COMMANDS:
        command = entry.load()
        options = build_parser().parse_args([entry.name, *shlex.split(command.example)])
        assert options.command is command
        assert hasattr(options, "project") or not command.project


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    program = (
        "import sys; from app.cli import main; main([]); "
        "sys.exit(any(name.startswith(('app.cli.commands.', 'app.operations')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[4], check=False)
    assert done.returncode == 0
