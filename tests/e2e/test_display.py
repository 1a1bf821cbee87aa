"""Where no window can be shown, the program says what to do instead of being ended by Qt."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

from app.display import PACKAGES, complaint_about, packages_for, platforms
from tests.e2e.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings what it needs")
QT = Path(PySide6.__path__[0], "Qt")
X_PLUGIN = QT / "plugins" / "platforms" / "libqxcb.so"
# Read on Debian 12 (ctypes, an import, ldd) and Alpine.
COMPLAINTS = {
    "libxcb-cursor.so.0: cannot open shared object file: No such file or directory": ("libxcb-cursor0",),
    "libEGL.so.1: cannot open shared object file: No such file or directory": ("libegl1",),
    "\tlibxcb-icccm.so.4 => not found\n\tlibc.so.6 => /lib/libc.so.6\n\tlibxcb-keysyms.so.1 => not found\n": (
        "libxcb-icccm4",
        "libxcb-keysyms1",
    ),
    "Error loading shared library libxkbcommon.so.0: No such file or directory (needed by /q.so)": (
        "libxkbcommon0",
    ),
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by /q.so)": (),
    "/tmp/libqxcb.so: file too short": (),
}


def start(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program as a user starts it, with nothing of a display but what is given."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM"}
    inherited = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def lacking(tmp_path: Path) -> Path:
    """A folder with Qt's plugin for X, which is linked to a library that no machine has."""
    folder = tmp_path / "plugins" / "platforms"
    folder.mkdir(parents=True)
    data = X_PLUGIN.read_bytes()
    assert b"libxcb-cursor.so.0" in data
    (folder / X_PLUGIN.name).write_bytes(data.replace(b"libxcb-cursor.so.0", b"libxcb-cursos.so.0"))
    (tmp_path / "lib").symlink_to(QT / "lib")
    return folder


def test_the_linkers_words_are_read_also_where_a_loader_says_something_else(
    lacking: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = ctypes.CDLL

    def as_when_frozen(name: str) -> ctypes.CDLL:
        try:
            return load(name)
        except OSError as error:
            raise OSError(f"Failed to load dynlib/dll {name!r}.") from error

    monkeypatch.setattr(ctypes, "CDLL", as_when_frozen)
    complaint = complaint_about("xcb", {"QT_QPA_PLATFORM_PLUGIN_PATH": str(lacking)})
    assert complaint.startswith("libxcb-cursos.so.0: ")


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_a_complaint_of_the_linker_names_what_to_install(complaint: str) -> None:
    assert packages_for(complaint) == COMPLAINTS[complaint]


@pytest.mark.parametrize(
    "part",
    [
        *(f"plugins/platforms/libq{name}.so" for name in ("xcb", "wayland", "offscreen")),
        *(f"lib/libQt6{name}.so.6" for name in ("XcbQpa", "WaylandClient", "Core", "Gui", "Widgets", "DBus")),
    ],
)
def test_the_package_of_every_library_that_qt_is_linked_to_is_known(part: str) -> None:
    linked = {
        name.decode() for name in re.findall(rb"\0(lib[\w.+-]+\.so\.\d+)(?=\0)", (QT / part).read_bytes())
    }
    brought = {path.name for path in (QT / "lib").iterdir()}
    always_there = {f"lib{name}" for name in ("c.so.6", "m.so.6", "gcc_s.so.1", "stdc++.so.6", "z.so.1")}
    # Looked for while running, and done without.
    optional = {name for name in linked if name.startswith(("libvulkan", "libcrypto", "libssl"))}
    assert linked - brought - always_there - optional <= PACKAGES.keys()


def test_without_a_library_of_the_x_plugin_the_line_to_run_is_said(lacking: Path) -> None:
    done = start("app.launch", DISPLAY=":71", QT_QPA_PLATFORM_PLUGIN_PATH=str(lacking))
    assert done.returncode == 2
    assert re.fullmatch(r"casespan: Qt, .* not installed; [^\n]* libxcb-cursos.so.0\.?\n", done.stderr)
    assert "reinstall" not in done.stderr


def test_setting_up_asks_for_what_the_x_plugin_lacks_where_there_is_no_display(lacking: Path) -> None:
    assert start("app.display", QT_QPA_PLATFORM_PLUGIN_PATH=str(lacking)).stdout == "libxcb-cursos.so.0\n"
    assert start("app.display", QT_QPA_PLATFORM="offscreen").stdout == "\n"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "There is no display to show a window on"),
        ({"DISPLAY": ":997"}, "The display :997 cannot be reached"),
        ({"QT_QPA_PLATFORM": "paper"}, "Qt, which paints the window, cannot load its part for “paper”"),
    ],
)
def test_without_a_display_the_window_is_one_sentence(environment: dict[str, str], sentence: str) -> None:
    done = start("app.launch", **environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"casespan: {sentence}")
    assert done.stderr.count("\n") == 1


def test_platforms_come_in_the_order_of_qt() -> None:
    assert platforms({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}) == ("wayland", "xcb")
    assert platforms({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen:size=9;xcb"}) == ("offscreen", "xcb")
    assert platforms({"DISPLAY": "", "XDG_SESSION_TYPE": "tty"}) == ()
