"""Whether a PDF contains scripts, wherever it hides them; they are never run."""

from __future__ import annotations

import re
import zlib

_SCRIPT = re.compile(rb"/JavaScript(?![A-Za-z0-9])")
# Letters of a name may be written as numbers.
_NUMBERED = re.compile(rb"#([0-9A-Fa-f]{2})")
_PACKED = re.compile(rb"/ObjStm\b[^\0]{0,400}?\bstream\r?\n")
_MOST = 1 << 24


def has_scripts(data: bytes) -> bool:
    """Whether any object, also of those packed together, is a script: PDFium counts those of the document's
    own list alone, not what is to happen on opening the file, a page or a field."""
    return _is_in(data) or any(_is_in(_unpacked(data, found.end())) for found in _PACKED.finditer(data))


def _is_in(data: bytes) -> bool:
    return _SCRIPT.search(_NUMBERED.sub(lambda found: bytes([int(found[1], 16)]), data)) is not None


def _unpacked(data: bytes, start: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data[start : data.find(b"endstream", start)], _MOST)
    except zlib.error:
        return b""
