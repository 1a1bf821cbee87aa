"""Runs a notebook without Jupyter; `python -m tests.notebooks NOTEBOOK` writes down what its cells show."""

from __future__ import annotations

import ast
import json
import os
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from app.cli import main


def read(notebook: Path) -> dict[str, Any]:
    """A notebook as its file has it."""
    found: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    return found


def run(cells: list[dict[str, Any]], folder: Path) -> list[str]:
    """What each cell of code shows, beginning in a folder that holds the sample project; "" for nothing."""
    names: dict[str, object] = {}
    with chdir(folder):
        return [_run("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]


def _run(source: str, names: dict[str, object]) -> str:
    lines = ast.parse(source)
    last = lines.body.pop() if isinstance(lines.body[-1], ast.Expr) else None
    exec(compile(lines, "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return ""
    shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return "" if shown is None else repr(shown)


def shown(cell: dict[str, Any]) -> str:
    """What a cell of code is said to show."""
    return "".join(line for output in cell["outputs"] for line in output["data"]["text/plain"])


def write_down(notebook: Path) -> None:
    """Run a notebook on the sample project and keep what its cells show."""
    content = read(notebook)
    with TemporaryDirectory() as folder:
        main(["demo", os.path.join(folder, "demo"), "--no-window"])
        results = run(content["cells"], Path(folder))
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    for number, (cell, result) in enumerate(zip(code, results, strict=True), start=1):
        cell["execution_count"] = number
        output = {"data": {"text/plain": result.splitlines(keepends=True)}, "execution_count": number}
        output |= {"metadata": {}, "output_type": "execute_result"}
        cell["outputs"] = [output] if result else []
    notebook.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_down(Path(sys.argv[1]))
