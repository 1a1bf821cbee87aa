"""The terms of a report as the mode goes through them, by place, and as spans on the page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.gui.reader.spans import ShownSpan
from app.palette import TERM

if TYPE_CHECKING:
    from app.operations.profile.profile import Profile
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.concepts import Coding
    from extractors.model.finding import Polarity

Standing: TypeAlias = Literal["own", "suggested", "rejected", "relative"]
_SAID: dict[Polarity, str] = {"present": "", "negated": "no ", "uncertain": "perhaps "}


@dataclass(frozen=True, slots=True)
class Item:
    """A term at its place: one's own, suggested, rejected, or of a relative, which counts for nothing."""

    annotation: Annotation
    coding: Coding
    standing: Standing

    @property
    def uuid(self) -> str:
        """The annotation's."""
        return self.annotation.uuid

    @property
    def polarity(self) -> Polarity:
        """Present, negated or uncertain."""
        return self.annotation.finding.polarity

    @property
    def counts(self) -> bool:
        """Whether it is part of the profile that diseases are ranked by."""
        return self.standing == "own" and self.polarity != "uncertain"

    @property
    def words(self) -> str:
        """The term, and whether it is there."""
        return f"{_SAID[self.polarity]}{self.coding.label}"


def items_of(profile: Profile) -> tuple[Item, ...]:
    """All terms of a report by place, those without one last; what was accepted is one's own."""
    found = {item.uuid: item for item in reversed([*_items(profile)])}
    return tuple(sorted(found.values(), key=_place))


def _items(profile: Profile) -> Iterator[Item]:
    for term in profile.terms:
        yield from (Item(one, term.coding, "own") for one in term.spans)
    for term in profile.relatives:
        yield from (Item(one, term.coding, "relative") for one in term.spans)
    for one in profile.suggestions:
        if one.status == "rejected":
            yield Item(one.annotation, one.coding, "rejected")
        elif one.status == "suggested":
            yield Item(one.annotation, one.coding, "relative" if one.relative else "suggested")


def _place(item: Item) -> tuple[bool, int, int]:
    finding = item.annotation.finding
    return finding.start is None, finding.start or 0, finding.end or 0


def spans_of(items: Sequence[Item], lit: Collection[str] | None) -> list[ShownSpan]:
    """The items as spans; with codes that are `lit` all others step back."""
    spans = []
    for item in items:
        start, end = item.annotation.finding.start, item.annotation.finding.end
        if start is not None and end is not None:
            dimmed = item.standing == "relative" if lit is None else item.coding.code not in lit
            spans.append(
                ShownSpan(
                    item.uuid,
                    start,
                    end,
                    TERM,
                    item.polarity,
                    dimmed,
                    item.standing == "own",
                    item.standing == "rejected",
                )
            )
    return spans
