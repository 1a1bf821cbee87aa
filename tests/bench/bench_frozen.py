"""How long the frozen program takes to its first window, against the same program started from source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.measure import Measure

ROOT = Path(__file__).resolve().parents[2]
FROZEN = ROOT / "dist" / "casespan" / "casespan"
REPEATS, LONGEST = 9, 30.0


def measures() -> list[Measure]:
    """From the start of the process until a display has its window.

    None where `make package` made no program, or there is no X server to be started (xvfb, x11-utils).
    """
    if not (FROZEN.exists() and shutil.which("Xvfb") and shutil.which("xwininfo")):
        return []
    with TemporaryDirectory() as folder, _display() as display:
        environment = {**os.environ, "DISPLAY": display, "HOME": folder, "XDG_CONFIG_HOME": folder}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")
        for name in ("PYTHONDONTWRITEBYTECODE", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        source = [sys.executable, "-m", "app.launch"]
        # The first start of each compiles modules, or reads the disk.
        for command in (source, [str(FROZEN)]):
            _seconds(command, environment)
        pairs = [
            (_seconds([str(FROZEN)], environment), _seconds(source, environment)) for _ in range(REPEATS)
        ]
    frozen, ours = (min(times) for times in zip(*pairs, strict=True))
    return [Measure("frozen program to its first window", frozen / ours, 1.3, "the start from source")]


@contextmanager
def _display() -> Iterator[str]:
    """An X server of our own."""
    read, write = os.pipe()
    # It would begin anew whenever its last window goes, and keep whoever asks meanwhile waiting.
    command = ["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "1366x768x24"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as said:
            yield f":{said.readline().strip()}"
        server.terminate()


def _seconds(command: list[str], environment: Mapping[str, str]) -> float:
    """From the start of a program until its window is seen; then the program is ended."""
    while _shown(environment):
        pass  # the window of the one before
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as program:
        try:
            while not _shown(environment):
                if time.perf_counter() - start > LONGEST or program.poll() is not None:
                    raise RuntimeError(f"{command[0]} showed no window.")
            return time.perf_counter() - start
        finally:
            program.kill()


def _shown(environment: Mapping[str, str]) -> bool:
    """Whether a window of ours is mapped, in some ten milliseconds."""
    asked = ["xwininfo", "-name", "Casespan"]
    found = subprocess.run(
        asked, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    return "IsViewable" in found.stdout
