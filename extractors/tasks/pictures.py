"""Pictures as models are shown them: sizes read before anything is decoded, sent as plain PNG."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from extractors.checks.pictures import MIN_SIDE, decoded, inspect
from extractors.model.errors import CasespanError, FormatError
from extractors.tasks.base import Shown

if TYPE_CHECKING:
    from PIL.Image import Image

# What is longer models would shrink themselves.
LONGEST_SIDE = 1344
MOST_PIXELS, MOST_BYTES = 50_000_000, 40_000_000


class PictureError(CasespanError):
    """A file that is no picture to show; the message says why, for people."""


class Size(NamedTuple):
    """A picture's width and height in pixels."""

    width: int
    height: int


def whole_picture(data: bytes) -> Size:
    """The size, the right way up, of a picture that can be decoded to its end; raises PictureError for what
    is none, holds several, or is too large or too small."""
    return Size(*_decoded(data).size)


def shown_pictures(
    given: Sequence[tuple[str, Size, Callable[[], bytes]]], *, blank: bool = False
) -> tuple[Shown, ...]:
    """Pictures, each its SHA-256, size and bytes, as they are sent: shrunk to LONGEST_SIDE, neighbours of
    equal size told apart by a row, where `blank` grey in the same size. Nothing is read before it is sent."""
    found: list[Shown] = []
    for sha256, size, read in given:
        sent = _sent_size(size)
        rows = 1 if found and (found[-1].width, found[-1].height) == sent else 0
        told = {"from": list(size), "padded": rows, **({"blank": True} if blank else {})}
        make = partial(_blank, sent, rows) if blank else partial(_sent, read, sent, rows)
        found.append(Shown(sha256, sent.width, sent.height + rows, told, make))
    return tuple(found)


def _sent_size(size: Size) -> Size:
    longest = max(size)
    if longest <= LONGEST_SIDE:
        return size
    return Size(*(max(round(side * LONGEST_SIDE / longest), MIN_SIDE) for side in size))


def _decoded(data: bytes) -> Image:
    """The picture in plain colours, the right way up, without anything else that its file holds."""
    from PIL import Image

    if len(data) > MOST_BYTES:
        raise PictureError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        facts = inspect(data, "")
        if facts.width * facts.height > MOST_PIXELS:
            raise PictureError(f"it has {facts.width} x {facts.height} pixels, too many to show")
        picture = decoded(data)
    except FormatError as error:
        sentence = str(error).rstrip(".")
        raise PictureError(sentence[:1].lower() + sentence[1:]) from None
    if picture.mode == "RGBA":
        over = Image.new("RGBA", picture.size, "white")
        over.alpha_composite(picture)
        picture = over
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _sent(read: Callable[[], bytes], size: Size, rows: int) -> bytes:
    from PIL import Image

    plain = _decoded(read())
    if plain.size != size:
        plain = plain.resize(size, Image.Resampling.LANCZOS)
    if rows:
        higher = Image.new("RGB", (size.width, size.height + rows))
        higher.paste(plain, (0, 0))
        plain = higher
    return _png(plain)


def _blank(size: Size, rows: int) -> bytes:
    from PIL import Image

    return _png(Image.new("RGB", (size.width, size.height + rows), (128, 128, 128)))


def _png(image: Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
