"""What a picture's bytes are, by their head and their end, and nothing is believed; and its pixels alone."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from extractors.model.errors import FormatError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("JPEG", "PNG", "GIF", "TIFF", "BMP", "WEBP")
# What vision models, and eyes, can do something with.
MIN_SIDE = 28
MAX_RATIO = 200
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    **{one: (f".{one.lower()}",) for one in FORMATS},
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "TIFF": (".tif", ".tiff"),
}
_DEEP = "I;16"
_TO_BYTES = 1 / 256
_DRAWING = "It is a drawing (SVG), which is never drawn; save it as PNG."
_SEVERAL = "It holds more than one picture; save the one that is meant as PNG or JPEG."
# A GIF of 100 MB is read in 800,000; millions of comments and empty segments take all memory, and minutes.
_MOST_PIECES = 1_000_000
# Pillow decodes WebP whole and several times over: 16 bytes for a pixel, 400 MB for so many.
_MOST_WEBP = 25_000_000
_CUT = "The picture is cut off; get the file again."


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What a picture is: its format, its size in pixels, and in a sentence what is odd about it."""

    format: str
    width: int
    height: int
    note: str = ""


class _Pieces(io.BytesIO):
    """Bytes that are read in so many pieces at most; then they raise FormatError."""

    left = _MOST_PIECES

    def read(self, size: int | None = -1, /) -> bytes:
        self.left -= 1
        if self.left < 0:
            raise FormatError("Its head does not end, so it is not read.")
        return super().read(size)


def inspect(data: bytes, name: str) -> PictureFacts:
    """What the bytes of a file are as a picture; only their head and tables are read.

    Raises FormatError, whose sentence says why they are none or are refused.
    """
    if not data:
        raise FormatError("The file is empty.")
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(_Pieces(data), formats=FORMATS) as picture:
                return _facts(picture, data, name)
    except FormatError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        limit = f"{(Image.MAX_IMAGE_PIXELS or 0) // 1_000_000} million"
        raise FormatError(f"It declares more than {limit} pixels, which would fill the memory.") from None
    except UnidentifiedImageError:
        if b"<svg" in data[:4096].lower():
            raise FormatError(_DRAWING) from None
        raise FormatError(f"It is no picture of a kind that is read ({', '.join(FORMATS)}).") from None
    except Exception:  # Pillow's readers let out whatever damaged files make them stumble over
        raise FormatError("It is damaged and cannot be read as a picture.") from None


def decoded(data: bytes) -> Image:
    """The picture the right way up, with its pixels alone: no metadata, profile, comment, table of colours
    or second frame comes along. Raises FormatError where it cannot be decoded within 400 MB."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                if picture.format == "WEBP" and picture.width * picture.height > _MOST_WEBP:
                    raise FormatError(
                        f"It is a WebP of more than {_MOST_WEBP // 1_000_000} million pixels, which takes "
                        "too much memory to decode; save it as PNG or JPEG."
                    )
                ImageOps.exif_transpose(picture, in_place=True)
                plain = _plain(picture)
                plain.load()
    except FormatError:
        raise
    except Exception:  # Pillow's decoders let out whatever damaged files make them stumble over
        raise FormatError("It cannot be decoded.") from None
    plain.info.clear()
    return plain


def bare_picture(data: bytes) -> bytes:
    """The same as PNG; raises as `decoded`."""
    kept = io.BytesIO()
    # Grainy pictures take a third of the time that more would, and no more room.
    decoded(data).save(kept, "PNG", compress_level=3)
    return kept.getvalue()


def _plain(picture: Image) -> Image:
    """The same in a mode of PNG's without a table of colours; no copy, which may take 350 MB, of what is."""
    if picture.mode.startswith(_DEEP):
        picture = picture.convert("I").point(lambda value: value * _TO_BYTES)
    clear = "A" in picture.getbands() or "transparency" in picture.info
    mode = "L" if picture.mode in ("1", "L", "I") else "RGBA" if clear else "RGB"
    return picture if picture.mode == mode else picture.convert(mode)


def _facts(picture: Image, data: bytes, name: str) -> PictureFacts:
    kind, (width, height) = str(picture.format), picture.size
    kind = "JPEG" if kind == "MPO" else kind
    short, long = sorted((width, height))
    if short < MIN_SIDE:
        raise FormatError(f"Its {width} x {height} pixels are too few to show anything.")
    if long > MAX_RATIO * short:
        raise FormatError(f"It is a strip of {width} x {height} pixels.")
    if kind != "JPEG" and getattr(picture, "is_animated", False):
        raise FormatError(_SEVERAL)
    if not _ENDS[kind](data, picture):
        raise FormatError(_CUT)
    fits = os.path.splitext(name)[1].lower() in SUFFIXES[kind]
    return PictureFacts(kind, width, height, "" if fits else f"It is a {kind}, whatever its name says.")


def _jpeg_ends(data: bytes, picture: Image) -> bool:
    """Whether the end of a picture follows its scan; a thumbnail in its head has an end of its own."""
    at = 2
    while data[at : at + 1] == b"\xff" and data[at + 1 : at + 2] != b"\xda":
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return data.rfind(b"\xff\xd9", at) > 0


def _png_ends(data: bytes, picture: Image) -> bool:
    at = 8
    while data[at + 4 : at + 8] not in (b"IEND", b""):
        at += 12 + int.from_bytes(data[at : at + 4])
    return at + 12 <= len(data)


def _tiff_ends(data: bytes, picture: Any) -> bool:  # noqa: ANN401 (Pillow's TIFF class is imported lazily)
    tags = picture.tag_v2
    offsets, lengths = tags.get(273) or tags.get(324) or (), tags.get(279) or tags.get(325) or ()
    return len(offsets) == len(lengths) > 0 and all(map(lambda *end: sum(end) <= len(data), offsets, lengths))


_ENDS: Mapping[str, Callable[[bytes, Any], bool]] = {
    "JPEG": _jpeg_ends,
    "PNG": _png_ends,
    "GIF": lambda data, picture: data.rstrip(b"\0")[-1:] == b";",
    "TIFF": _tiff_ends,
    "BMP": lambda data, picture: int.from_bytes(data[2:6], "little") <= len(data),
    "WEBP": lambda data, picture: int.from_bytes(data[4:8], "little") + 8 <= len(data),
}
