"""Pictures as models are shown them: sizes read before anything is decoded, sent as plain PNG."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.checks.pictures import FORMATS, MIN_SIDE, inspect
from extractors.model.errors import CasespanError, FormatError
from extractors.tasks.base import Shown

if TYPE_CHECKING:
    from PIL.Image import Image

# What is longer models would shrink themselves.
LONGEST_SIDE = 1344
MOST_PIXELS, MOST_BYTES = 50_000_000, 40_000_000


class PictureError(CasespanError):
    """A file that is no picture to show; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Size:
    """A picture's width and height in pixels."""

    width: int
    height: int


def picture_size(data: bytes) -> Size:
    """The size of a picture as its head says it; raises PictureError for what is none, holds several, or is
    too large or too small. Nothing is decoded."""
    if len(data) > MOST_BYTES:
        raise PictureError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        facts = inspect(data, "")
    except FormatError as error:
        sentence = str(error).rstrip(".")
        raise PictureError(sentence[:1].lower() + sentence[1:]) from None
    if facts.width * facts.height > MOST_PIXELS:
        raise PictureError(f"it has {facts.width} x {facts.height} pixels, too many to show")
    return Size(facts.width, facts.height)


def whole_picture(data: bytes) -> Size:
    """The size of a picture that can be decoded to its end; raises PictureError."""
    size = picture_size(data)
    _decoded(data, size)
    return size


def shown_pictures(
    given: Sequence[tuple[str, Size, Callable[[], bytes]]], *, blank: bool = False
) -> tuple[Shown, ...]:
    """Pictures, each its SHA-256, size and bytes, as they are sent: shrunk to LONGEST_SIDE, neighbours of
    equal size told apart by a row, where `blank` grey in the same size. Nothing is read before it is sent."""
    found: list[Shown] = []
    for sha256, size, read in given:
        sent = _sent_size(size)
        rows = 1 if found and (found[-1].width, found[-1].height) == (sent.width, sent.height) else 0
        told = {
            "from": [size.width, size.height],
            "padded": rows,
            **({"blank": True} if blank else {}),
        }
        make = _maker(read, sent, rows, blank=blank)
        found.append(Shown(sha256, sent.width, sent.height + rows, told, make))
    return tuple(found)


def _maker(read: Callable[[], bytes], size: Size, rows: int, *, blank: bool) -> Callable[[], bytes]:
    return lambda: _blank(size, rows) if blank else _sent(read(), size, rows)


def _sent_size(size: Size) -> Size:
    longest = max(size.width, size.height)
    if longest <= LONGEST_SIDE:
        return size
    sides = [max(round(side * LONGEST_SIDE / longest), MIN_SIDE) for side in (size.width, size.height)]
    return Size(*sides)


def _decoded(data: bytes, size: Size) -> Image:
    """The picture in plain colours, the right way up, without anything else that its file holds."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                if image.size != (size.width, size.height):
                    raise PictureError("its size is another than was read before")
                # In place, and no copy of what is plain already: each may take 200 MB.
                ImageOps.exif_transpose(image, in_place=True)
                image.load()
                if image.mode == "RGB" and "transparency" not in image.info:
                    return image
                if image.mode not in ("RGBA", "LA", "PA") and "transparency" not in image.info:
                    return image.convert("RGB")
                over = Image.new("RGBA", image.size, "white")
                over.alpha_composite(image.convert("RGBA"))
                return over.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise PictureError("it cannot be decoded to its end") from None


def _sent(data: bytes, size: Size, rows: int) -> bytes:
    from PIL import Image

    plain = _decoded(data, picture_size(data))
    if plain.size != (size.width, size.height):
        plain = plain.resize((size.width, size.height), Image.Resampling.LANCZOS)
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
    # Else its text, profile and position would come along.
    image.info.clear()
    image.save(out, "PNG")
    return out.getvalue()
