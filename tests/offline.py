"""The whole flow where the kernel lets no socket out of this machine: `python -m tests.offline FOLDER`.

A network namespace of its own has a loopback and nothing else, so it holds for every library and every call.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
import sys
from pathlib import Path

REFUSED = 77
# What a run of the scripted model is called.
RUN = "tiny/ucp/few-shot"
_NEWUSER, _NEWNET = 0x10000000, 0x40000000
_SIOCSIFFLAGS, _UP = 0x8914, 1
# Of the addresses for documentation (RFC 5737): a packet to it would come nowhere.
_ELSEWHERE = ("192.0.2.1", 80)


def cut_off() -> bool:
    """Leave the network for good; False where the kernel does not allow it."""
    from fcntl import ioctl

    if ctypes.CDLL(None, use_errno=True).unshare(_NEWUSER | _NEWNET):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        ioctl(control, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    with socket.socket() as tried:
        return tried.connect_ex(_ELSEWHERE) == errno.ENETUNREACH


def everything(folder: Path) -> None:
    """Import, extraction by rules and by a model, agreement, reconciling, gold, export, and the window."""
    from app.cli import main
    from tests.e2e.models import MODEL, quoting
    from tests.scripted_ollama import ScriptedOllama

    samples = Path(__file__).resolve().parents[1] / "resources" / "demo"
    project = str(folder / "p.casespan")
    report = str(samples / "reports" / "alkaptonuria-letter.txt")
    with ScriptedOllama(answer=quoting, models=[MODEL]) as server:
        model = ("--model", "tiny", "--host", server.url, "--category", "GI")
        for call in (
            ("new", project, "--annotator", "Ann"),
            ("import", project, report),
            ("extract", project, "--with", "rules"),
            ("models", "--host", server.url),
            ("extract", project, *model),
            ("phenotypes", project, "--with", "rules"),
            ("differential", project),
            ("agree", project, "--left", "rules", "--right", RUN, "--html", str(folder / "a.html")),
            ("queue", project, "--left", "rules", "--right", RUN),
            ("export", project, str(folder / "x.pdf"), "--format", "pdf", "--annotator", "rules"),
            ("check", project),
        ):
            code = main([*call])
            assert code in (0, 1), call
        assert server.calls
    _look(Path(project))


def _look(project: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from app.gui.shell.look.preferences import Preferences
    from app.gui.shell.main_window import MainWindow

    application = QApplication([])
    window = MainWindow(Preferences())
    window.show()
    window.open_project(project)
    while window.workbench is None or not window.workbench.reader.text():
        application.processEvents()
    window.close()


if __name__ == "__main__":
    if not cut_off():
        sys.exit(REFUSED)
    os.environ["XDG_CONFIG_HOME"] = sys.argv[1]
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    everything(Path(sys.argv[1]))
