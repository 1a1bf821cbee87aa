"""`make fuzz [SECONDS=600]`: readers of files and replies, led by what of their code has run (atheris).

Whatever the bytes, a reader gives reports or reasons, or raises an error of the program's own. What breaks
one is kept in .cache/fuzz as crash-*, what reaches new code in .cache/fuzz/found, where the next run begins.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

# What reads, and no more: counting what runs makes it slow.
with atheris.instrument_imports(include=["app.formats", "extractors.tasks", "extractors.text"]):
    from app.cli import main as casespan
    from app.formats import WRITE_FORMATS, read_formats
    from app.formats.format import Format
    from app.formats.pictures.packages import Payload
    from extractors.model.errors import CasespanError
    from extractors.model.scheme import default_scheme
    from extractors.tasks.replies import ReplyForm, parse_reply

    _FORMATS = read_formats()

_FOLDER = Path(__file__).parents[2] / ".cache" / "fuzz"
_REPORT = "Case report\n\nShe had fever, 39 °C, and no rash 😀. The liver was large.\n"
_CATEGORIES = default_scheme().ids
_FORM = ReplyForm({name.lower(): (name, "") for name in _CATEGORIES}, analysis=True)


def _reading(known: Format) -> Callable[[bytes], object]:
    read = known.read
    assert read is not None
    return lambda data: deque(read(Payload("file", "file", data), "0" * 64, _CATEGORIES), 0)


# By name; a file's first byte says whose it is. What is read in a process of its own is not led from here.
_READERS: dict[str, Callable[[bytes], object]] = {
    **{one.id: _reading(one) for one in _FORMATS if one.read and not one.outside},
    "replies": lambda data: parse_reply(data.decode("utf-8", "replace"), _FORM),
}


def try_one(data: bytes) -> None:
    """Read what comes after the first byte; anything but an error of ours is a finding."""
    if data:
        with suppress(CasespanError):
            [*_READERS.values()][data[0] % len(_READERS)](data[1:])


def _seeds(folder: Path) -> None:
    """What the program itself writes of a short report."""
    with TemporaryDirectory() as room, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        project, report = f"{room}/a.casespan", Path(room, "a.txt")
        report.write_text(_REPORT, "utf-8")
        casespan(["new", project])
        casespan(["import", project, str(report)])
        casespan(["extract", project, "--with", "rules"])
        for number, name in enumerate(_READERS):
            if name not in WRITE_FORMATS:
                continue
            out = Path(room, name)
            casespan(["export", project, str(out), "--format", name, "--annotator", "rules"])
            files = sorted(out.rglob("*.*")) if out.is_dir() else [out]
            for file in filter(Path.is_file, files):
                (folder / f"{name}-{file.name}").write_bytes(bytes([number]) + file.read_bytes())
        jats = Path(__file__).parents[1] / "data" / "jats" / "case.xml"
        for name, file in (("text", report), ("jats", jats)):
            (folder / name).write_bytes(bytes([[*_READERS].index(name)]) + file.read_bytes())
    reply = b'{"analysis": "a", "findings": {"neuro": ["b"]}}'
    (folder / "replies").write_bytes(bytes([len(_READERS) - 1]) + reply)


def main() -> None:
    """Read what libFuzzer makes of the seeds until its own arguments say when to end."""
    seeds, found = _FOLDER / "seeds", _FOLDER / "found"
    for folder in (seeds, found):
        folder.mkdir(parents=True, exist_ok=True)
    _seeds(seeds)
    arguments = [f"-artifact_prefix={_FOLDER}/", "-timeout=20", "-rss_limit_mb=2048", *sys.argv[1:]]
    atheris.Setup([sys.argv[0], *arguments, str(found), str(seeds)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
