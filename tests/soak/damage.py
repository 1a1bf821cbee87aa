"""Files as bad disks, half copies and other programs leave them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_PAGE = 4096


def damages(raw: bytes, rng: Random, count: int) -> Iterator[bytes]:
    """A file with pages overwritten, bytes flipped, its head or its end gone, `count` times."""
    pages = len(raw) // _PAGE
    for number in range(count):
        file = bytearray(raw)
        kind = number % 4
        if kind == 0:
            for page in rng.sample(range(1, pages), min(1 + number % 20, pages - 1)):
                file[page * _PAGE : (page + 1) * _PAGE] = rng.randbytes(_PAGE)
        elif kind == 1:
            for _ in range(50):
                file[rng.randrange(100, len(file))] ^= 1 << rng.randrange(8)
        elif kind == 2:
            file[:100] = bytes(100)
        else:
            del file[rng.randrange(len(file) // 3, len(file)) :]
        yield bytes(file)
