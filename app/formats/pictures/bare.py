"""A picture with its pixels alone: no metadata, profile, comment or second frame comes along."""

from __future__ import annotations

import warnings
from io import BytesIO

from app.formats.pictures.check import FORMATS
from extractors.model.errors import FormatError

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
                upright = ImageOps.exif_transpose(picture)
                if upright.mode.startswith(_DEEP):
                    upright = upright.convert("I").point(lambda value: value * _TO_BYTES)
                clear = "A" in upright.getbands() or "transparency" in upright.info
                plain = upright.convert(
                    "L" if upright.mode in ("1", "L", "I") else "RGBA" if clear else "RGB"
                )
        kept = BytesIO()
        Image.frombytes(plain.mode, plain.size, plain.tobytes()).save(kept, "PNG")
    except Exception:  # Pillow's decoders let out whatever damaged files make them stumble over
        raise FormatError("It cannot be decoded.") from None
    return kept.getvalue()
