"""The frozen program's recipe: what it leaves out nobody needs, and what it names is there."""

from __future__ import annotations

import ast
import configparser
import re
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from app.cli.commands import build_parser
from app.store.database import APPLICATION_ID, SUFFIX

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SPEC = (BUILD / "casespan.spec").read_text("utf-8")


def assigned(name: str) -> Any:  # noqa: ANN401 (whatever the spec says)
    """What the spec gives a name by plain values alone."""
    (value,) = (
        node.value
        for node in ast.parse(SPEC).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return eval(ast.unparse(value), {"re": re})


def test_all_that_the_recipe_names_is_there() -> None:
    named = re.findall(r'ROOT / "([^"]+)"(?: / "([^"]+)")?(?: / "([^"]+)")?', SPEC)
    named += re.findall(
        r'ROOT / "([^"]+)"(?: / "([^"]+)")?(?: / "([^"]+)")?', (BUILD / "package.py").read_text("utf-8")
    )
    paths = {Path(*filter(None, parts)) for parts in named} - {Path("dist")}
    paths = {path for path in paths if path.parts[0] != ".cache"}
    assert {Path("app/launch.py"), Path("guidelines"), Path("resources")} <= paths
    assert not [path for path in paths if not (ROOT / path).exists()]
    unused = assigned("UNUSED")
    data = [path for room in ("guidelines", "resources") for path in (ROOT / room).rglob("*")]
    assert not [path for path in data if unused.match(path.relative_to(ROOT).as_posix())]


def test_a_double_click_opens_a_project_on_every_system() -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(BUILD / "linux" / "casespan.desktop", encoding="utf-8")
    entry = desktop["Desktop Entry"]
    program, *arguments = entry["Exec"].split()
    options = build_parser().parse_args([one.replace("%f", "study.casespan") for one in arguments])
    assert (program, options.project) == ("casespan", Path("study.casespan"))
    (kind,) = ElementTree.parse(BUILD / "linux" / "casespan.xml").getroot()
    of = {child.tag.partition("}")[2]: child for child in kind}
    assert entry["MimeType"] == f"{kind.get('type')};"
    assert of["glob"].get("pattern") == f"*{SUFFIX}"
    assert of["magic"][0].attrib == {
        "type": "string",
        "value": struct.pack(">I", APPLICATION_ID).decode(),
        "offset": "68",
    }
    windows = (BUILD / "windows" / "casespan.iss").read_text("utf-8")
    assert f'Software\\Classes\\{SUFFIX}"' in windows
    assert 'casespan.exe"" open ""%1"""' in windows
    assert f'"CFBundleTypeExtensions": ["{SUFFIX[1:]}"]' in SPEC
