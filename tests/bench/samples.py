"""The bundled sample reports, as every benchmark uses them."""

from __future__ import annotations

from pathlib import Path

from app.formats import read
from app.formats.record import Imported

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"


def sample_reports() -> list[Imported]:
    """All sample reports."""
    return [record for record in read(DEMO / "reports") if isinstance(record, Imported)]
