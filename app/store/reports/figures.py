"""Figures of reports, frozen at import; the bytes of their pictures, once each; regions marked on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.faults import damaged, sound
from app.store.values import Cell, canonical, matching, sha256
from extractors.model.errors import UnknownNameError
from extractors.model.figure import Figure, from_record

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.sqlite import Database

_REGION = "uuid, document, annotator, figure, picture, x, y, width, height, category, finding, note"
_SPAN = "(SELECT uuid FROM annotation WHERE uuid = region.annotation) AS annotation"


@dataclass(frozen=True, slots=True)
class Region:
    """A box on a picture (SHA-256) of a figure (its id): in its pixels, from the left and upper edge.

    `document` and `annotator` are UUIDs, `annotation` is the span's that it belongs with, None for none.
    """

    uuid: str
    document: str
    annotator: str
    figure: str
    picture: str
    x: int
    y: int
    width: int
    height: int
    category: str
    finding: str = ""
    note: str = ""
    annotation: str | None = None


def keep_picture(act: Act, digest: str, data: bytes, kind: str, width: int, height: int) -> None:
    """Store a picture's bytes once under their SHA-256; like texts, they stay when the act is undone."""
    act.project.db.execute(
        "INSERT OR IGNORE INTO picture (sha256, format, width, height, bytes) VALUES (?, ?, ?, ?, ?)",
        [digest, kind, width, height, data],
    )


def set_figures(act: Act, document: str, figures: Sequence[Figure]) -> bool:
    """Freeze the figures of a report (UUID) in the place of what it had; says whether anything changed.

    Their pictures are there already.
    """
    digest, images = act.keep_text(canonical([asdict(one) for one in figures])), _images(figures)
    cells: dict[str, Cell] = {"figures": len(figures), "images": images, "digest": digest, "taken_at": act.at}
    if act.project.tuples("SELECT digest FROM figures WHERE document = ?", [document]) == [(digest,)]:
        return False
    act.put("figures", {"document": document}, cells)
    return True


def stored_figures(project: Project, document: str | None = None) -> dict[str, tuple[Figure, ...]]:
    """The figures that came with reports, by the report's UUID; those of the one, or of all that have any.

    Raises DamagedProjectError where they cannot be read.
    """
    rows = project.tuples(
        "SELECT f.document, t.text FROM figures f JOIN text t ON t.sha256 = f.digest "
        "JOIN document d ON d.uuid = f.document WHERE f.document = ifnull(?, f.document) ORDER BY d.position",
        [document],
    )
    with sound(project.path, "the figures of a report"):
        return {uuid: tuple(map(from_record, json.loads(text))) for uuid, text in rows}


def read_picture(project: Project, digest: str) -> bytes:
    """The bytes of a picture (SHA-256), as they came.

    Raises UnknownNameError where there is none, DamagedProjectError where they are no longer what came.
    """
    rows = project.tuples("SELECT bytes FROM picture WHERE sha256 = ?", [digest])
    if not rows:
        raise UnknownNameError(f"There is no picture {digest[:12]} in {project.path}.")
    data: bytes = rows[0][0]
    if sha256(data) != digest:
        raise damaged(project.path, f"the picture {digest[:12]} was changed after it was stored")
    return data


def add_region(act: Act, region: Region) -> None:
    act.insert("region", {**asdict(region), "created_at": act.at})


def regions(project: Project, document: str | None = None, annotator: str | None = None) -> list[Region]:
    """The regions of all or one report, of all or one annotator (UUIDs), in the order they were made.

    A span that is gone is not named.
    """
    where, given = matching(document=document, annotator=annotator)
    rows = project.query(
        f"SELECT {_REGION}, {_SPAN} FROM region WHERE {where} "
        "ORDER BY document, figure, created_at, x, y, width, height, category, finding, note",
        given,
    )
    return [Region(**row) for row in rows]


def region_of(project: Project, uuid: str) -> Region:
    """The region of that UUID; raises UnknownNameError."""
    rows = project.query(f"SELECT {_REGION}, annotation FROM region WHERE uuid = ?", [uuid])
    if not rows:
        raise UnknownNameError(f"There is no region {uuid} in {project.path}.")
    return Region(**rows[0])


def figure_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Pictures and figures that are not what came, and regions beside their pictures: (where, what)."""
    there = set[str]()
    for digest, data in db.execute("SELECT sha256, bytes FROM picture"):
        there.add(digest)
        if sha256(data) != digest:
            yield f"picture {digest[:12]}", "its bytes were changed after it was stored"
    for _, key, characters, number, images, text in db.execute(_FIGURES):
        found = list(map(from_record, json.loads(text)))
        fault = _fault(found, characters, (number, images), _pictures_of(found) - there)
        if fault:
            yield f"document {key}", fault
    for uuid, key in misplaced_regions(db):
        yield f"document {key}, region {uuid[:8]}", "it is on no picture of the report"


def misplaced_regions(db: Database) -> Iterator[tuple[str, str]]:
    """Regions that are on no picture of their report: their UUIDs, and its key."""
    sizes = {name: size for name, *size in db.execute("SELECT sha256, width, height FROM picture")}
    own = {one[0]: _pictures_of(map(from_record, json.loads(one[-1]))) for one in db.execute(_FIGURES)}
    for row in db.query("SELECT r.*, d.key FROM region r JOIN document d ON d.uuid = r.document"):
        width, height = sizes.get(row["picture"], (0, 0))
        inside = 0 <= row["x"] <= width - row["width"] and 0 <= row["y"] <= height - row["height"]
        if not inside or row["picture"] not in own.get(row["document"], ()):
            yield row["uuid"], row["key"]


_FIGURES = (
    "SELECT d.uuid, d.key, d.characters, f.figures, f.images, t.text FROM figures f "
    "JOIN document d ON d.uuid = f.document JOIN text t ON t.sha256 = f.digest"
)


def _images(figures: Sequence[Figure]) -> int:
    return sum(len(one.images) for one in figures)


def _pictures_of(figures: Iterable[Figure]) -> set[str]:
    return {image.sha256 for one in figures for image in one.images if image.sha256}


def _fault(figures: Sequence[Figure], characters: int, found: tuple[int, int], missing: set[str]) -> str:
    if (len(figures), _images(figures)) != found:
        return "its figures are not as many as came"
    if missing:
        return f"the picture {min(missing)[:12]} is missing"
    places = [(figure.start, figure.end) for figure in figures]
    places += [(one.start, one.end) for figure in figures for one in figure.mentions]
    if any(start is not None and not 0 <= start < (end or 0) <= characters for start, end in places):
        return "a figure's place is outside the text"
    return ""
