"""Small PDFs and Word documents, written for tests character by character."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REGULAR, BOLD, ITALIC, TIMES = "F1", "F2", "F3", "F4"
# As wide as high letters of one width are, in parts of the size.
WIDTH = 0.6
_FONTS = {REGULAR: "Courier", BOLD: "Courier-Bold", ITALIC: "Courier-Oblique", TIMES: "Times-Roman"}


@dataclass(frozen=True)
class At:
    """Words at a place of an A4 page, `y` points from its foot."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = REGULAR


def column(x: float, y: float, lines: Sequence[str], leading: float = 12, size: float = 10) -> list[At]:
    """Lines below each other; what stands behind a ^ up to a blank is raised."""
    words = []
    for number, line in enumerate(lines):
        at = x
        for part in re.split(r"(\^\S+)", line):
            raised = part.startswith("^")
            letters = 0.6 * size if raised else size
            height = y - number * leading + (0.35 * size if raised else 0)
            words.append(At(at, height, part.lstrip("^"), letters))
            at += WIDTH * letters * len(part.lstrip("^"))
    return words


def page(words: Sequence[At]) -> bytes:
    """The content of a page."""
    shown = []
    for one in words:
        text = one.text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        shown.append(b"BT /%s %g Tf %g %g Td (%s) Tj ET" % (one.font.encode(), one.size, one.x, one.y, text))
    return b"\n".join(shown)


def pdf(
    pages: Sequence[bytes],
    extra: bytes = b"",
    trailer: bytes = b"",
    filters: int = 0,
    turn: int = 0,
    title: str = "",
) -> bytes:
    """A PDF of these contents; `extra` goes into its catalogue, `filters` times it is compressed, its pages
    are shown turned by so many degrees with the clock. `title` is what it calls itself."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R %s >>" % extra, b""]
    fonts = b""
    for name, base in _FONTS.items():
        objects.append(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % base.encode()
        )
        fonts += b"/%s %d 0 R " % (name.encode(), len(objects))
    kids = []
    for content in pages:
        for _ in range(filters):
            content = zlib.compress(content, 9)
        chain = b"/Filter [%s]" % (b" /FlateDecode" * filters) if filters else b""
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), chain, content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate %d /Contents %d 0 R"
            b" /Resources << /Font << %s >> >> >>" % (turn, len(objects), fonts)
        )
        kids.append(b"%d 0 R" % len(objects))
    if title:
        objects.append(b"<< /Title (%s) >>" % title.encode())
        trailer += b"/Info %d 0 R" % len(objects)
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out, places = b"%PDF-1.5\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        trailer,
        start,
    )


def printed_report() -> bytes:
    """Two pages in two columns: running heads, a table, a footnote, raised numbers, divided words."""
    left, right = 50, 310
    first = [
        At(50, 810, "Annals of Invented Cases 2026; 1: 7", 8),
        At(50, 770, "A boy with fever after a swim", 16, BOLD),
        At(50, 750, "A. Nobody and B. Noone"),
        At(left, 720, "Abstract", 12, BOLD),
        *column(left, 704, ["We tell of a boy whose fever came and", "went through the whole of a summer."]),
        At(left, 660, "Case presentation", 12, BOLD),
        *column(
            left,
            644,
            [
                "A 7-year-old boy had a fever for nine",
                "days.^1,2 Haemoglobin was low, and plate-",
                "lets were 41 x 10^9 /L, but the follow-",
            ],
        ),
        At(left, 590, "Table 1. Blood counts.", 8, BOLD),
        *[At(left + 70 * n, 578, word, 8) for n, word in enumerate(("Day", "Platelets", "CRP"))],
        *[At(left + 70 * n, 567, word, 8) for n, word in enumerate(("1", "41", "120"))],
        *column(
            left,
            540,
            ["up visit was put off by a week, for he", "was well again by then. His platelets", "rose and"],
        ),
        At(left, 500, "* Seen in a pool near the town.", 7),
        *column(right, 720, [*_filler("right", 1, 9), "then he was seen in spring, and he was"]),
        At(right, 600, "Discussion", 12, BOLD),
        *column(right, 584, [*_filler("lower", 1, 7), "and nothing of this is known, which is"]),
        At(290, 30, "7", 8),
    ]
    second = [
        At(50, 810, "Annals of Invented Cases 2026; 1: 8", 8),
        *column(left, 770, ["the end of the sentence before.", *_filler("left", 1, 9)]),
        *column(right, 770, _filler("last", 1, 9)),
        At(290, 30, "8", 8),
    ]
    return pdf([page(first), page(second)])


def _filler(name: str, first: int, last: int) -> list[str]:
    return [f"in the {name} column stands line {number} of it" for number in range(first, last)]


def rezipped(path: Path, change: dict[str, bytes]) -> bytes:
    """The members of a Word document with some of them changed or added."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change.pop(name, old.read(name)))
        for name, content in change.items():
            new.writestr(name, content)
    return out.getvalue()
