"""What a window needs of the system: a display that answers, and the libraries of Qt's plugin for it."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

# What Qt and its plugins for X and Wayland are linked to, and Debian's name of the package that has it.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libzstd.so.1": "libzstd1",
}
_ABSENT = re.compile(r"(lib[\w.+-]+\.so[.\d]*)(?:: cannot open shared| => not found|: No such file)")
_LACKING = "Qt, which paints the window, needs libraries that are not installed"
_WAYLAND_ONLY = "libwayland-"


def why_no_window(environ: Mapping[str, str]) -> str:
    """Why Qt could not show a window here, in a sentence; "" where it can. Asked on Linux only: elsewhere Qt
    brings all it needs, and there is always a display. Qt itself would end the program."""
    if sys.platform != "linux":
        return ""
    why = "There is no display to show a window on; see casespan --help for the commands."
    for platform in platforms(environ):
        complaint = complaint_about(platform, environ)
        why = _in_words(platform, complaint) if complaint else _silent(platform, environ)
        if not why:
            break
    return why


def platforms(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names of what Qt would try to show windows on, in its order."""
    asked = environ.get("QT_QPA_PLATFORM", "")
    if asked:
        return tuple(one.partition(":")[0].lower() for one in asked.split(";"))
    wayland = environ.get("WAYLAND_DISPLAY") or environ.get("XDG_SESSION_TYPE") == "wayland"
    return ("wayland",) * bool(wayland) + ("xcb",) * bool(environ.get("DISPLAY"))


def complaint_about(platform: str, environ: Mapping[str, str]) -> str:
    """What the linker says against Qt's plugin for a platform; "" where it can be loaded, or where Qt is
    not installed as its wheels are."""
    folders = [Path(one) for one in environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "").split(":") if one]
    folders += [folder for folder in _own_plugins() if folder.is_dir()]
    # Before Qt 6.10 the one for Wayland had a longer name.
    names = [f"libq{platform}.so", f"libq{platform}-generic.so"]
    found = [folder / name for folder in folders for name in names if (folder / name).is_file()]
    if not found:
        return f"there is no {names[0]} in {folders[-1]}" if folders else ""
    try:
        ctypes.CDLL(str(found[0]))
    except OSError as error:
        # The frozen program's loader says something of its own, and keeps the linker's words as the cause.
        return str(error.__cause__ or error)
    return ""


def packages_for(complaint: str) -> tuple[str, ...]:
    """Debian's names for what is absent by the words of a linker; the library's own where that is unknown."""
    return tuple(dict.fromkeys(PACKAGES.get(library, library) for library in _ABSENT.findall(complaint)))


def missing_packages(platform: str, complaint: str) -> tuple[str, ...]:
    """Those a complaint is about and, since a linker names only the first, what else the platform lacks;
    none where it complains about something else."""
    named = packages_for(complaint)
    if not named:
        return ()
    known = [one for one in PACKAGES if platform == "wayland" or not one.startswith(_WAYLAND_ONLY)]
    others = [PACKAGES[library] for library in known if not _loads(library)]
    return tuple(sorted({*named, *others}))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _own_plugins() -> list[Path]:
    """Where Qt's wheels have the plugins for platforms; none where Qt is not installed."""
    try:
        import PySide6
    except ImportError:
        return []
    return [Path(folder, "Qt", "plugins", "platforms") for folder in PySide6.__path__]


def _in_words(platform: str, complaint: str) -> str:
    """A complaint of the linker's as what to do."""
    from shutil import which

    packages = " ".join(missing_packages(platform, complaint))
    if not packages:
        return f"Qt, which paints the window, cannot load its part for “{platform}”: {complaint}."
    if which("apt-get"):
        sudo = "" if os.geteuid() == 0 else "sudo "
        return f"{_LACKING}; run: {sudo}apt-get install -y {packages}"
    return f"{_LACKING}; install what Debian calls {packages}."


def _silent(platform: str, environ: Mapping[str, str]) -> str:
    """That the display cannot be reached; "" where it can, or where only Qt knows."""
    if platform not in _DISPLAYS:
        return ""
    variable, reached = _DISPLAYS[platform]
    try:
        if reached():
            return ""
    except OSError:
        # Qt is not there, or not as its wheels are: it finds other libraries, or its import fails.
        return ""
    name = f" {environ[variable]}" if variable in environ else ""
    return f"The display{name} cannot be reached; see casespan --help for the commands."


def _reached_x() -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    fault: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return fault == 0


def _reached_wayland() -> bool:
    wayland = ctypes.CDLL("libwayland-client.so.0")
    wayland.wl_display_connect.restype = ctypes.c_void_p
    display = ctypes.c_void_p(wayland.wl_display_connect(None))
    if display.value is None:
        return False
    wayland.wl_display_disconnect(display)
    return True


_DISPLAYS: dict[str, tuple[str, Callable[[], bool]]] = {
    "xcb": ("DISPLAY", _reached_x),
    "wayland": ("WAYLAND_DISPLAY", _reached_wayland),
}


def main() -> int:
    """Print the packages that a window here lacks, on X where there is no display (as while setting up)."""
    if sys.platform == "linux":
        platform = (*platforms(os.environ), "xcb")[0]
        sys.stdout.write(" ".join(missing_packages(platform, complaint_about(platform, os.environ))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
