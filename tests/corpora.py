"""Bulk archives as PMC has them, made of a few real reports (or the samples) told apart by a number."""

from __future__ import annotations

import re
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_REAL = ROOT.parent / "shared" / "corpora" / "jats" / "case-report"
_NUMBER = re.compile(rb'(<article-id pub-id-type="pmc(?:id)?">)[^<]*')
_FIRST = 9_000_000
# Every so many is cut in its middle.
BROKEN = 50


def write_archive(path: Path, count: int) -> Path:
    """An archive of so many members."""
    folder = _REAL if _REAL.is_dir() else ROOT / "resources" / "demo" / "reports"
    texts = [one.read_bytes() for one in sorted(folder.glob("*.xml"))]
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(count):
            text = _varied(texts[number % len(texts)], number)
            member = tarfile.TarInfo(f"PMC009xxxxxx/PMC{_FIRST + number}.xml")
            member.size = len(text)
            archive.addfile(member, BytesIO(text))
    return path


def _varied(text: bytes, number: int) -> bytes:
    named = _NUMBER.sub(rb"\g<1>%d" % (_FIRST + number), text)
    head, body, rest = named.partition(b"<body>")
    said = head + body + rest.replace(b"</p>", b" This is report %d.</p>" % number, 1)
    return said[: len(said) // 2] if number % BROKEN == BROKEN - 1 else said
