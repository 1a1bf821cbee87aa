"""The wheel carries the program's data; the pinned versions cover what set-up installs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import editables
import pytest

from tests.unit.test_frozen import assigned

ROOT = Path(__file__).resolve().parents[2]
DATA_FOLDERS = ("guidelines", "resources")
# The program out of the first argument, while imports fail as they do in the frozen one.
ALONE = """
import sys

class LeftOut:
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in {excludes!r}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, LeftOut())
sys.path.insert(0, sys.argv[1])
import app
assert app.__file__.startswith(sys.argv[1])
from app.launch import main
sys.exit(main(sys.argv[2:]))
"""


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_carries_code_and_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"app/cli/__init__.py", "casespan/__init__.py", "casespan/py.typed"} <= names
    assert not [name for name in names if name.startswith("app/notebook")]
    for folder in DATA_FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"extractors/_data/{path.relative_to(ROOT).as_posix()}" in names


def test_the_wheel_alone_does_the_main_job_without_what_the_frozen_program_lacks(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = ALONE.format(excludes=assigned("EXCLUDES"))
    demo = [
        sys.executable,
        "-c",
        script,
        str(tmp_path / "site"),
        "demo",
        str(tmp_path / "out"),
        "--no-window",
    ]
    done = subprocess.run(demo, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "demo-gold.jsonl").exists()


def test_an_editable_install_leads_every_name_to_the_checkout(tmp_path: Path) -> None:
    zipfile.ZipFile(build("wheel:editable", tmp_path)).extractall(tmp_path / "site")
    script = "import site, sys; site.addsitedir(sys.argv[1]); import app, casespan, extractors as e; "
    script += "print(*(one.__file__ for one in (app, casespan, e)), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script, str(tmp_path / "site")],
        env={**os.environ, "PYTHONPATH": str(Path(editables.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [Path(line).parent.parent for line in done.stdout.splitlines()] == [
        ROOT,
        ROOT / "app/notebook",
        ROOT,
    ]


def test_versions_are_pinned_by_name_and_hash_alone() -> None:
    lines = (ROOT / "build" / "constraints.txt").read_text("utf-8").splitlines()
    said = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    pins = said.replace("\\\n", "").splitlines()
    assert pins
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
    assert "://" not in said
    assert "@" not in said


def test_what_was_not_asked_for_its_vulnerabilities_is_named(tmp_path: Path) -> None:
    tool, file = ROOT / "build" / "vulnerable.py", tmp_path / "given.json"
    sound, unknown = {"name": "one", "version": "1", "vulns": []}, {"name": "two", "skip_reason": "not found"}
    faulty = {"name": "three", "version": "3", "vulns": [{"id": "PYSEC-1"}]}
    for packages, code, said in (
        (
            [sound, unknown],
            0,
            "1 of 2 packages checked, 0 have any.\nNot checked, the service does not know them: two",
        ),
        ([sound, faulty], 1, "2 of 2 packages checked, 1 have any.\n  three 3: PYSEC-1"),
        ([unknown], 1, "0 of 1 packages checked"),
        (None, 1, "nothing was checked"),
    ):
        file.write_text(json.dumps({"dependencies": packages} if packages else {}), "utf-8")
        done = subprocess.run([sys.executable, "-S", tool, file], capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert said in done.stdout
