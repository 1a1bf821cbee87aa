"""No library and no line of ours reaches beyond this machine, whatever is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.offline import REFUSED


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_everything_works_where_the_kernel_lets_nothing_out(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.offline", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode == REFUSED:
        pytest.skip("the kernel gives no network namespace here")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "x.pdf").exists()
