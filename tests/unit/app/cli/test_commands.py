"""What holds of every command alike: how it is found, loaded and called."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.commands import COMMANDS, build_parser
from app.cli.commands.corpus import ACTIONS as OF_CORPUS
from app.cli.commands.icd11 import ACTIONS as OF_ICD11
from app.cli.commands.study import ACTIONS
from app.cli.commands.terminology import ACTIONS as OF_TERMINOLOGIES
from app.cli.servers import run_options
from app.operations.extract.options import RunOptions

# The least and the most that each may be, and what is one too little and one too much.
BOUNDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "context": ("128", "10000000", ("127", "10000001", "many")),
    "reply_tokens": ("128", "10000000", ("127", "10000001")),
    "temperature": ("0", "2", ("2.1", "hot")),
    "parallel": ("1", "64", ("0", "65")),
    "gpu_layers": ("0", "10000", ("10001", "1.5")),
    "threads": ("1", "10000", ("0", "10001")),
    "keep_alive": ("0s", "2h", ("2d", "30", "m")),
    "seed": ("0", "7", ("x",)),
}


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


def asked(*words: str) -> RunOptions:
    return run_options(build_parser().parse_args(["extract", "p", "--model", "m", *words]), "m")


@pytest.mark.parametrize("name", BOUNDS)
def test_what_a_model_is_told_is_what_was_typed_and_nothing_beyond_its_bounds(name: str) -> None:
    flag = f"--{name.replace('_', '-')}"
    *within, beyond = BOUNDS[name]
    for words in within:
        assert str(getattr(asked(flag, words), name)) in (words, f"{words}.0")
    for words in beyond:
        with pytest.raises(SystemExit):
            asked(flag, words)
    assert getattr(asked(), name) == getattr(RunOptions(model="m"), name)
