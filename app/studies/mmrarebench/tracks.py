"""The words of the study: its tracks, kinds of pictures, relations, and what an item of each track has."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.agreement.ratings.summary import RubricFile, rubric_file

if TYPE_CHECKING:
    from app.studies.results import Item

T1, T2, T3, T4 = TRACKS = ("T1", "T2", "T3", "T4")
MODALITIES = tuple(
    "xray ct mri ultrasound nuclear endoscopy microscopy photograph tracing chart other".split()
)
RELATIONS = ("concordant", "complementary", "discordant", "temporal-change", "unrelated")
PICTURES, NONE, BLANK, SWAPPED = ARMS = ("pictures", "none", "blank", "swapped")
_CALLED = {
    ("task", T1): "T1: diagnosis",
    ("task", T2): "T2: treatment",
    ("task", T3): "T3: pictures together",
    ("task", T4): "T4: next examination",
    ("arm", PICTURES): "with the pictures",
    ("arm", NONE): "without the pictures",
    ("arm", BLANK): "with empty pictures",
    ("arm", SWAPPED): "with another report's pictures",
}
# Two pictures at the least in T3, one elsewhere.
LEAST_PICTURES = {T3: 2}
LEAST_CLAIMS, MOST_CLAIMS = 2, 5
_NEUTRAL = re.compile(r"figure-(\d+)([a-z]?)(?:-(\d+))?(?:\.\w+)?$")


def called(label: str, value: str) -> str:
    """What people read for the value of a label."""
    return _CALLED.get((label, value), value)


def rubric_of(track: str) -> RubricFile:
    """What raters and judges are asked of an answer in a track."""
    return rubric_file(f"mmrarebench-{track.lower()}")


def blocks_of(narrative: str) -> dict[str, str]:
    """The paragraphs of an item from elsewhere, parted by empty lines, by identifier: #p1, #p2 ..."""
    parts = [part for part in re.split(r"\n[^\S\n]*(?:\n[^\S\n]*)+", narrative.strip("\n")) if part.strip()]
    return {f"#p{place}": part for place, part in enumerate(parts, start=1)}


def picture_names(item: Item) -> list[str]:
    """What an item's pictures are called where they are shown: Figure 1, Figure 2A ..."""
    found = []
    for place, picture in enumerate(item.input.get("pictures", ()), start=1):
        given = _NEUTRAL.match(str(picture.get("name", "")))
        found.append(_named(given) if given else f"Figure {place}")
    return found


def _named(match: re.Match[str]) -> str:
    more = f", picture {match[3]}" if match[3] else ""
    return f"Figure {match[1]}{match[2].upper()}{more}"


def report_of(item: Item) -> str:
    """What tells the reports apart that items come from; items from elsewhere are of one where they tell the
    same."""
    known = item.reference.get("report")
    return str(known) if known else hashlib.sha256(str(item.input.get("narrative")).encode()).hexdigest()


def writer_of(item: Item) -> str:
    """The model that wrote the item, "" for people."""
    return str(item.labels.get("writer") or "")


def relation_of(target: Any) -> str:  # noqa: ANN401 (JSON)
    """The type of relation that a target of T3 names, "" for none."""
    value = target
    if isinstance(target, Mapping):
        value = target.get("relation", target.get("relation_type", ""))
    return str(value) if value in RELATIONS else ""
