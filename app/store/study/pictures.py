"""PROVISIONAL until the pictures of reports are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


def add_picture(act: Act, sha256: str, data: bytes) -> None:
    """Keep."""
    act.project.db.execute("CREATE TABLE IF NOT EXISTS picture_x (sha256 TEXT PRIMARY KEY, data BLOB)")
    act.project.db.conn.execute("INSERT OR IGNORE INTO picture_x VALUES (?, ?)", [sha256, data])


def picture_bytes(project: Project, sha256: str) -> bytes | None:
    """Read."""
    try:
        rows = project.tuples("SELECT data FROM picture_x WHERE sha256 = ?", [sha256])
    except Exception:
        return None
    return rows[0][0] if rows else None
