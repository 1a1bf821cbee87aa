"""A picture with its pixels alone: no metadata, profile, comment or second frame comes along."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from extractors.checks.pictures import FORMATS
from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from PIL.Image import Image

_DEEP = "I;16"
_TO_BYTES = 1 / 256


def bare_picture(data: bytes) -> bytes:
    """The picture as PNG, the right way up; raises FormatError where it cannot be decoded."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as picture:
                ImageOps.exif_transpose(picture, in_place=True)
                plain = _plain(picture)
                plain.info.clear()
                kept = BytesIO()
                # Grainy pictures take a third of the time that more would, and no more room.
                plain.save(kept, "PNG", compress_level=3)
    except Exception:  # Pillow's decoders let out whatever damaged files make them stumble over
        raise FormatError("It cannot be decoded.") from None
    return kept.getvalue()


def _plain(picture: Image) -> Image:
    """The same in a mode of PNG's without a table of colours; no copy, which may take 350 MB, of what is."""
    if picture.mode.startswith(_DEEP):
        picture = picture.convert("I").point(lambda value: value * _TO_BYTES)
    clear = "A" in picture.getbands() or "transparency" in picture.info
    mode = "L" if picture.mode in ("1", "L", "I") else "RGBA" if clear else "RGB"
    return picture if picture.mode == mode else picture.convert(mode)
