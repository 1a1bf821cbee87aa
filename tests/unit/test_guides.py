"""What README and CONTRIBUTING name is there: files, functions, commands and their options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from app.cli.commands import COMMANDS, build_parser
from app.cli.commands.corpus import ACTIONS as OF_CORPUS
from app.cli.commands.icd11 import ACTIONS as OF_ICD11
from app.cli.commands.study import ACTIONS
from app.cli.commands.terminology import ACTIONS as OF_TERMINOLOGIES
from app.studies import STUDIES

_PARTS = {"study": ACTIONS, "terminology": OF_TERMINOLOGIES, "icd11": OF_ICD11, "corpus": OF_CORPUS}
ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SOURCES = "\n".join(
    path.read_text("utf-8") for room in ("app", "extractors") for path in ROOT.glob(f"{room}/**/*.py")
)
CALLS = re.findall(r"^ {4}casespan\b(.*)$", README, re.MULTILINE)


def quoted(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`\n]+)`", text)


def chapter(title: str) -> str:
    """A chapter of CONTRIBUTING."""
    return CONTRIBUTING.split(f"\n## {title}\n")[1].split("\n## ")[0]


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The help of a command, with those that are parts of it; the test fails where there is no such one."""
    parts = [[one.name] for one in _PARTS.get(command, ())]
    if command == "study":
        own = ("build", "run", "score")
        parts += [[action, "study.casespan", name] for action in own for name in STUDIES]
    return "\n".join(_help_of(names, capsys) for names in ([command], *([command, *part] for part in parts)))


def _help_of(names: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        build_parser().parse_args([*names, "--help"])
    said = capsys.readouterr()
    assert end.value.code == 0, said.err
    return said.out


@pytest.mark.parametrize("guide", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_path_that_a_guide_names_is_there(guide: str) -> None:
    rooms = "app|build|extractors|guidelines|resources|tests"
    named = {path for path in quoted(guide) if re.fullmatch(rf"(?:{rooms})/[\w./-]*", path)}
    assert named
    assert not sorted(path for path in named if not (ROOT / path).exists())


@pytest.mark.parametrize("title", ["One key press", "One model's answer"])
def test_every_function_on_the_way_of_a_key_and_of_an_answer_is_there(title: str) -> None:
    names = {
        part for name in quoted(chapter(title)) if re.fullmatch(r"[\w.]+", name) for part in name.split(".")
    }
    named = {name for name in names if "_" in name or name[0].isupper()} - {"History"}
    assert len(named) > 10
    there = {one or other for one, other in re.findall(r"(?:class|def) (\w+)|\b(\w+) = Signal", SOURCES)}
    assert not sorted(named - there)


@pytest.mark.parametrize("call", CALLS)
def test_every_call_in_the_readme_is_one_that_the_command_line_takes(call: str) -> None:
    build_parser().parse_args(shlex.split(call, comments=True))


def test_every_command_and_option_that_the_readme_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    named = {name for text in quoted(README) for name in re.findall(r"^casespan ([a-z]+)", text)}
    commands = named | {words[0] for call in CALLS if (words := shlex.split(call, comments=True))}
    options = {name for text in quoted(README) for name in re.findall(r"--[a-z-]+", text)}
    known = set(re.findall(r"--[a-z-]+", "\n".join(help_of(command, capsys) for command in sorted(commands))))
    assert {"extract", "--dry-run"} <= commands | options
    assert not options - known


def test_every_command_that_a_page_of_the_guide_names_is_there() -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "resources" / "guide").glob("*.md")]
    named = {name for page in pages for name in re.findall(r"`casespan ([a-z]+)", page)}
    assert {"extract", "labels", "export"} <= named
    assert named <= {one.name for one in COMMANDS}


def test_every_target_of_make_that_a_guide_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`| {4})make ([a-z]+)", README + CONTRIBUTING))
    assert {"test", "demo"} <= named <= targets
