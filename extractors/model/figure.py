"""A figure of a report: its caption's place, its panels, its pictures and where the text speaks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

PictureState = Literal["kept", "missing", "refused"]


@dataclass(frozen=True, slots=True)
class FigureImage:
    """A picture that a figure names by `href`, and the `file` that was found for it, "" for none.

    A kept one stands in the project under `sha256`, of `width` by `height` pixels. `reason` says why one is
    missing or was refused, or what is to be known of one that was kept.
    """

    href: str
    file: str = ""
    state: PictureState = "missing"
    reason: str = ""
    sha256: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class FigureMention:
    """Where the text speaks of a figure, in code points, and of which panels.

    `by` says whether the source refers to it there (`xref`) or the words alone do (`text`). A reference that
    has no words of its own in the text has no place.
    """

    start: int | None
    end: int | None
    panels: tuple[str, ...] = ()
    by: Literal["xref", "text"] = "text"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure. `id` is its number among those of the report ("f1"); with the report's key, "PMC1#f1", it
    names a block for good. `start` and `end` are its caption's place in code points, None without one."""

    id: str
    label: str
    start: int | None = None
    end: int | None = None
    panels: tuple[str, ...] = ()
    images: tuple[FigureImage, ...] = ()
    mentions: tuple[FigureMention, ...] = ()

    @property
    def mention_places(self) -> tuple[tuple[int, int], ...]:
        """The places of its mentions, of those that have one."""
        return tuple(
            (one.start, one.end) for one in self.mentions if one.start is not None and one.end is not None
        )

    @property
    def called(self) -> str:
        """How people call it: its label, or else its number."""
        return " ".join(self.label.split()).rstrip(" .:") or f"Figure {self.id[1:]}"


def from_record(record: Mapping[str, Any]) -> Figure:
    """The figure that `asdict` made JSON of; raises TypeError or KeyError for what is none."""
    mentions = [FigureMention(**{**one, "panels": tuple(one["panels"])}) for one in record["mentions"]]
    images = [FigureImage(**one) for one in record["images"]]
    parts = {"panels": tuple(record["panels"]), "images": tuple(images), "mentions": tuple(mentions)}
    return Figure(**{**record, **parts})
