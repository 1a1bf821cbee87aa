"""The text of a BioC document: passages and sentences put together at their offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.formats.json_input import exact_text
from app.formats.standoff.places import GivenText, counted_in

if TYPE_CHECKING:
    from bioc import BioCDocument, BioCPassage

# Passages are parted by as much as their offsets say where that is hardly anything.
_GAP = 2


@dataclass(slots=True)
class Place:
    """A passage or sentence: its offset in the file, where it stands in the text, and what is said of it."""

    offset: int
    start: int
    end: int
    infons: dict[str, Any]
    sentences: list[Place] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        below = [one.as_json() for one in self.sentences]
        values = {"offset": self.offset, "start": self.start, "end": self.end, "infons": self.infons}
        return {**values, "sentences": below} if below else values

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Place:
        below = [cls.of_json(one) for one in given.get("sentences", ())]
        return cls(given["offset"], given["start"], given["end"], dict(given["infons"]), below)


class PassageText:
    """The text of a document, put together of its passages (or their sentences), with the file's offsets."""

    def __init__(self, document: BioCDocument, notes: list[str]) -> None:
        self.places: list[Place] = []
        self._given: list[tuple[Place, GivenText]] = []
        pieces: list[str] = []
        self._length, self._behind = 0, 0
        listed = sorted(
            (
                (one.locations[0].offset, one.locations[-1].end, one.text)
                for holder in holders_of(document)
                for one in holder.annotations
                if one.locations
            ),
            key=lambda one: one[0],
        )
        offsets = [one[0] for one in listed]
        leaves = [
            (passage, leaf)
            for passage in document.passages
            for leaf in ([passage] if passage.text or not passage.sentences else passage.sentences)
        ]
        for number, (passage, leaf) in enumerate(leaves):
            begins = leaf is passage or leaf is passage.sentences[0]
            pieces.append(self._gap(leaf.offset, "\n" if begins else " "))
            behind = leaves[number + 1][1].offset if number + 1 < len(leaves) else None
            here = listed[
                _at(offsets, leaf.offset) if number else 0 : len(listed)
                if behind is None
                else _at(offsets, behind)
            ]
            stated = [(a - leaf.offset, b - leaf.offset, words) for a, b, words in here]
            text = counted_in(leaf.text or "", stated, "characters", notes)
            place = Place(leaf.offset, self._length, self._length + len(text.text), dict(leaf.infons))
            pieces.append(text.text)
            self._given.append((place, text))
            self._length, self._behind = place.end, leaf.offset + len(leaf.text or "")
            self._put(place, passage, leaf is passage)
        self.text = "".join(pieces)
        self._offsets = [place.offset for place, _ in self._given]
        notes[:] = list(dict.fromkeys(notes))

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """A location of the file in the text; None where there is no such place."""
        first = max(bisect_right(self._offsets, start) - 1, 0)
        last = max(bisect_right(self._offsets, end - 1) - 1, 0)
        if not self._given or start >= end:
            return None
        place, text = self._given[first]
        offset = self._offsets[first]
        if first == last:
            found = text.place(start - offset, end - offset)
            return found and (found[0] + place.start, found[1] + place.start)
        behind, more = self._given[last]
        begins = text.place(start - offset, start - offset + 1)
        ends = more.place(end - 1 - self._offsets[last], end - self._offsets[last])
        return (begins[0] + place.start, ends[1] + behind.start) if begins and ends else None

    def _gap(self, offset: int, blank: str) -> str:
        if not self._given:
            return ""
        gap = offset - self._behind
        gap = gap if 0 <= gap <= _GAP else 1
        self._length += gap
        return blank * gap

    def _put(self, place: Place, passage: BioCPassage, whole: bool) -> None:
        if not whole:
            if passage.sentences[0].offset == place.offset:
                above = Place(passage.offset, place.start, place.end, dict(passage.infons))
                self.places.append(above)
            self.places[-1].sentences.append(place)
            self.places[-1].end = place.end
            return
        self.places.append(place)
        for one in passage.sentences:
            first = max(one.offset - passage.offset, 0)
            begins = self._given[-1][1].place(first, first + 1)
            start = place.start + begins[0] if begins else place.end
            end = min(start + len(exact_text(one.text or "", "text")), place.end)
            place.sentences.append(Place(one.offset, start, end, dict(one.infons)))


def _at(offsets: Sequence[int], offset: int) -> int:
    return bisect_right(offsets, offset - 1)


def holders_of(document: BioCDocument) -> list[Any]:
    """Whatever may have annotations and relations."""
    sentences = (one for passage in document.passages for one in passage.sentences)
    return [document, *document.passages, *sentences]
