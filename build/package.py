"""Make the program that needs no Python: one folder by PyInstaller, and of it what this system installs.

`make package` calls it; elsewhere, in an environment with casespan[window,package], python build/package.py.
Debian gets a package, macOS a disk image, Windows an installer by Inno Setup (build/windows/casespan.iss).
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST, SCRATCH, ICONS = ROOT / "dist", ROOT / ".cache" / "pyinstaller", ROOT / ".cache" / "icons"
DRAWING = ROOT / "resources" / "icons" / "casespan.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
# What came with names for debuggers; libraries that were patched for their wheels do not bear stripping.
UNSTRIPPED = ("spacy", "thinc", "srsly", "pyarrow")
# What the folder leaves to the system: the drivers' side of OpenGL, and fonts.
DEPENDS = (
    "libc6 (>= {libc}), zlib1g, libegl1, libgl1, fontconfig-config, fonts-dejavu-core | fonts-freefont-ttf"
)


def maintainer() -> str:
    """Who packs it, as Debian's own tools ask; without an address of ours, mail goes nowhere."""
    name = os.environ.get("DEBFULLNAME", "The Casespan team")
    return f"{name} <{os.environ.get('DEBEMAIL', 'casespan@localhost')}>"


def version() -> str:
    """The program's version."""
    found = re.search(r'__version__ = "(.+)"', (ROOT / "app" / "__init__.py").read_text("utf-8"))
    assert found
    return found[1]


def draw_icons() -> None:
    """The program's icon in every size, and in the files that Windows and macOS want."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QGuiApplication, QIcon

    application = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    ICONS.mkdir(parents=True, exist_ok=True)
    icon = QIcon(str(DRAWING))
    for size in SIZES:
        icon.pixmap(QSize(size, size), 1.0).save(str(ICONS / f"casespan-{size}.png"))
    del application
    largest = Image.open(ICONS / f"casespan-{SIZES[-1]}.png")
    largest.save(ICONS / "casespan.ico", sizes=[(size, size) for size in SIZES if size <= 256])
    largest.save(ICONS / "casespan.icns")


def freeze() -> Path:
    """The folder with the executable and all it needs."""
    options = ["--noconfirm", "--clean", "--log-level", "WARN", "--workpath", SCRATCH, "--distpath", DIST]
    command = [sys.executable, "-m", "PyInstaller", *map(str, options), str(ROOT / "build" / "casespan.spec")]
    subprocess.run(command, cwd=ROOT, check=True)
    folder = DIST / "casespan"
    if sys.platform == "linux" and shutil.which("strip"):
        inside = folder / "_internal"
        files = [one for name in UNSTRIPPED for one in (inside / name).rglob("*.so*")]
        files = [one for one in (*files, *inside.glob("libpython*")) if not one.is_symlink()]
        subprocess.run(["strip", "--strip-unneeded", *files], check=True)
    return folder


def size_of(folder: Path) -> float:
    """How large a folder or file is, in megabytes; links count nothing."""
    files = [folder] if folder.is_file() else [one for one in folder.rglob("*") if not one.is_dir()]
    return sum(one.stat().st_size for one in files if not one.is_symlink()) / 1e6


def debian_package(folder: Path) -> Path:
    """A package of the folder for Debian and its kin: command, menu entry, icon and file type."""
    tree = SCRATCH / "debian"
    shutil.rmtree(tree, ignore_errors=True)
    share, shipped = tree / "usr" / "share", ROOT / "build" / "linux"
    shutil.copytree(folder, tree / "usr" / "lib" / "casespan", symlinks=True)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / "casespan").symlink_to("../lib/casespan/casespan")
    to = {shipped / "casespan.desktop": "applications", shipped / "casespan.xml": "mime/packages"}
    to[DRAWING] = "icons/hicolor/scalable/apps"
    for file, place in to.items():
        (share / place).mkdir(parents=True)
        shutil.copyfile(file, share / place / file.name)
    for size in SIZES:
        apps = share / "icons" / "hicolor" / f"{size}x{size}" / "apps"
        apps.mkdir(parents=True)
        shutil.copyfile(ICONS / f"casespan-{size}.png", apps / "casespan.png")
    (share / "doc" / "casespan").mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", share / "doc" / "casespan" / "copyright")
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    (tree / "DEBIAN").mkdir()
    control = {
        "Package": "casespan",
        "Version": version(),
        "Architecture": architecture,
        "Maintainer": maintainer(),
        "Installed-Size": str(round(size_of(tree) * 1e6 / 1024)),
        "Depends": DEPENDS.format(libc=platform.libc_ver()[1]),
        "Section": "science",
        "Priority": "optional",
        "Description": "workbench that turns clinical case reports into data\n"
        " Annotate, extract, compare, reconcile and export spans of case reports, on this computer alone.",
    }
    lines = (f"{name}: {value}\n" for name, value in control.items())
    (tree / "DEBIAN" / "control").write_text("".join(lines), encoding="utf-8")
    out = DIST / f"casespan_{version()}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(out)], check=True)
    return out


def disk_image() -> Path:
    """A disk image of the application for macOS."""
    out = DIST / f"casespan-{version()}.dmg"
    source = ["-srcfolder", str(DIST / "Casespan.app"), "-volname", "Casespan"]
    subprocess.run(["hdiutil", "create", *source, "-ov", "-format", "UDZO", str(out)], check=True)
    return out


def main() -> int:
    """Make the folder and what installs it here, and say how large both are."""
    draw_icons()
    made = [freeze()]
    if sys.platform == "darwin":
        made.append(disk_image())
    elif shutil.which("dpkg-deb"):
        made.append(debian_package(made[0]))
    elif sys.platform == "win32" and shutil.which("iscc"):
        script = ROOT / "build" / "windows" / "casespan.iss"
        subprocess.run(["iscc", f"/DVersion={version()}", str(script)], check=True)
        made.append(DIST / f"casespan-{version()}-setup.exe")
    for one in made:
        print(f"{one.relative_to(ROOT)}  {size_of(one):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
