"""The reports of an export, packed while nobody looks at them: thousands with quotes fill memory."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import overload

from app.formats.record import ReportExport, Whole

_APART = Whole()


class PackedReports(Sequence[ReportExport]):
    """Reports as they were added, with the `whole` that all have in common; each look makes them anew."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._packed: list[bytes] = []

    def append(self, report: ReportExport) -> None:
        """Add one, whatever its own `whole`."""
        raw = pickle.dumps(replace(report, whole=_APART), pickle.HIGHEST_PROTOCOL)
        self._packed.append(zlib.compress(raw, 1))

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[ReportExport]:
        return map(self._unpacked, self._packed)

    @overload
    def __getitem__(self, place: int) -> ReportExport: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ReportExport]: ...
    def __getitem__(self, place: int | slice) -> ReportExport | Sequence[ReportExport]:
        packed = self._packed[place]
        return self._unpacked(packed) if isinstance(packed, bytes) else [*map(self._unpacked, packed)]

    def _unpacked(self, packed: bytes) -> ReportExport:
        report: ReportExport = pickle.loads(zlib.decompress(packed))
        return replace(report, whole=self._whole)
