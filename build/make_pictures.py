"""Makes the pictures of README and guide: the real window on the sample project, without a display.

Run by `make pictures`; writes resources/guide/pictures/. Faces of type are those of the machine it runs on.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QSettings, Qt  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402
from PySide6.QtWidgets import QApplication, QPushButton, QWidget  # noqa: E402

from app.gui.shell.look.preferences import Preferences  # noqa: E402
from app.gui.shell.look.theme import apply_theme  # noqa: E402
from app.gui.shell.main_window import MainWindow  # noqa: E402
from app.gui.shell.workbench import Workbench  # noqa: E402
from app.operations.demo.sample import FIRST, build_sample  # noqa: E402
from extractors.model.progress import finished  # noqa: E402

OUT = ROOT / "resources" / "guide" / "pictures"
SIZE = 1280, 800
# What a mode asks for before it shows anything.
_BEGIN = ("Show the differences (Return)", "Find phenotypes (L)")
PATIENCE, QUIET = 60.0, 0.6


def until(met: Callable[[], bool]) -> None:
    """Let the window work until that is so."""
    end = time.monotonic() + PATIENCE
    while not met():
        if time.monotonic() > end:
            raise SystemExit("The window did not come so far; no pictures were made.")
        QApplication.processEvents()
        time.sleep(0.01)


def settle(bench: Workbench) -> None:
    """Until all that was asked of the project, and all that this led to, has been answered and painted."""
    worker = bench.session.worker
    answers: list[bool] = []
    worker.ask(lambda _project: True, answers.append)
    until(lambda: bool(answers))
    busy = time.monotonic()

    def is_quiet() -> bool:
        nonlocal busy
        if worker.waiting or (worker.job is not None and worker.job.running):
            busy = time.monotonic()
        return time.monotonic() > busy + QUIET

    until(is_quiet)


def take(widget: QWidget, name: str) -> None:
    """Write what a widget shows, in its 256 most frequent colours: a third of the size, and as clear."""
    full = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    colours = Counter(memoryview(full.constBits()).cast("I")).most_common(256)
    flat = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    picture = full.convertToFormat(QImage.Format.Format_Indexed8, [one for one, _ in colours], flat)
    if not picture.save(str(OUT / f"{name}.png"), quality=0):
        raise SystemExit(f"{OUT / name}.png cannot be written.")
    print(f"{name}.png")


def in_modes(bench: Workbench, window: MainWindow) -> None:
    """A picture of every mode in which there is something to see in the sample."""
    session, actions = bench.session, bench.actions_
    session.set_annotator(FIRST)
    settle(bench)
    spans = sorted(
        (one.finding.start, uuid) for uuid, one in session.report_model.spans.items() if one.finding.start
    )
    bench.page.go_to_span(spans[len(spans) // 3][1])
    settle(bench)
    take(window, "window")
    bench.frame.open_review("rules")
    settle(bench)
    take(window, "review")
    for mode in ("agreement", "reconcile", "phenotypes"):
        actions[f"mode.{mode}"].trigger()
        settle(bench)
        shown = [one for one in bench.findChildren(QPushButton) if one.isVisible() and one.text() in _BEGIN]
        for button in shown:
            button.click()
            settle(bench)
        if mode == "phenotypes":
            # Diseases are ranked by what counts, and suggestions do not count yet.
            actions["phenotypes.accept_all"].trigger()
            settle(bench)
        take(window, mode)


def main() -> None:
    """Make them all."""
    OUT.mkdir(parents=True, exist_ok=True)
    application = QApplication([])
    application.setCursorFlashTime(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, name)
        project = folder / "sample.casespan"
        finished(build_sample(project, "Dr Ana Ruiz"))
        preferences = Preferences()
        preferences.annotator, preferences.theme = "Dr Ana Ruiz", "light"
        window = MainWindow(preferences)
        apply_theme(application, "light", 100, window)
        window.resize(*SIZE)
        window.show()
        window.open_project(project)
        until(lambda: window.workbench is not None and window.workbench.session.report_model.key != "")
        assert window.workbench is not None
        in_modes(window.workbench, window)
        window.close()


if __name__ == "__main__":
    main()
